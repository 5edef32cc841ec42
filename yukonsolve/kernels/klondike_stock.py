"""The stock as macro moves: which cards drawing and redealing can bring to the top of the waste.

The remaining cards keep their order for good: a redeal turns the waste over as a whole. Number them
0 .. n - 1 in the order in which they are drawn, and let ``waste`` of them lie in the waste. With k
cards a draw the top of the waste can be, without a redeal, card ``waste - 1``, ``waste - 1 + k``,
.. and n - 1 (the short last draw); after a redeal k - 1, 2k - 1, .. and n - 1. Taking card i leaves
i cards in the waste, whatever came before: what follows depends on i alone.

*Unlimited passes.* A waste of a multiple of k cards, or of all of them, is a point of the round
trip that starts with an empty waste: all these states reach each other by drawing, so they are one,
stored as an empty waste. With draw 1 that is every state.

*Limited passes.* The waste and the number of redeals are stored as they are. A card within reach in
this pass is taken in this pass, else after one redeal: the state after it is the same but for the
redeals left, and a line that makes do with fewer redeals makes do with more. No card needs two
redeals, for every later pass can reach the same cards as the next. Hence also n + 1 passes for n
cards are as good as no limit: no line needs more than one redeal for each card taken.
"""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1, popcount
from yukonsolve.kernels.klondike_layout import (
    DRAW,
    LAST_PASS,
    LEFT,
    PASS,
    UNLIMITED_PASSES,
    WASTE,
    KWork,
)

UNREACHABLE = np.uint64(1 << 20)
PASS_SHIFT = np.uint64(6)


@kernel
def take(w: KWork, o: np.uint64, card: np.uint64) -> np.uint64:
    """Return waste and redeals (shifted by 6) after taking a stock card, or ``UNREACHABLE``."""
    par = w.par
    draw = par[DRAW]
    left = w.frames[o + LEFT]
    waste = w.frames[o + WASTE]
    redeals = w.frames[o + PASS]
    last = popcount(left) - U1
    index = popcount(left & ((U1 << w.place[card]) - U1))
    unlimited = par[LAST_PASS] == UNLIMITED_PASSES
    if draw == U1 and unlimited:
        return U0
    after = index + U1
    if after >= waste and ((after - waste) % draw == U0 or index == last):
        # Only an empty waste has no top card, and index 0 is then drawn by a draw of one.
        reached = True
    elif redeals < par[LAST_PASS] and (after % draw == U0 or index == last):
        reached = True
        if not unlimited:
            redeals += U1
    else:
        reached = False
    if not reached:
        return UNREACHABLE
    if last == U0:
        return U0
    if unlimited and (index % draw == U0 or index == last):
        index = U0
    return index | redeals << PASS_SHIFT
