"""The dead-end test of the Klondike search: forget that moves use things up.

Grow to a fixpoint: cards that could be loose, cards that could be visible, how far the foundations
could be built, and stock cards that could be reached. A base or stock card gets loose when it could
go up or when a card it may be built on could be visible (kings: when a column could be empty); a
base that leaves shows the card under it. If the foundations do not fill up the deal is lost (rule
``dead-end``). *Proof.* By induction along a real line, everything that really happens is in the
sets.

Stock cards (``reachable_stock``): card number i (from 1) of the stock is on top of the waste after
an empty waste if ``i - j`` is a multiple of the draw, j the number of cards taken from in front of
it, and after a waste of w cards if ``i - w - j`` is, j the number taken since from between; also if
it is the last one left, or if the card after it has just been taken. So it may be reached when some
j up to the number of takable cards there fits, or when the next card is takable, or all after it
are.

Run at the root, where it costs nothing. At every node the ghost game leaves it little to find.
"""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1, children, ctz, popcount
from yukonsolve.kernels.klondike_grid import next_cards
from yukonsolve.kernels.klondike_layout import (
    ANY_SPACES,
    BASE,
    DRAW,
    FULL,
    HIDDEN,
    KINGS,
    LEFT,
    N_COLUMNS,
    NO_CARD,
    SAME_SUIT,
    STOCK,
    WASTE,
    WORRYING_BACK,
    KWork,
)


@kernel
def reachable_stock(w: KWork, o: np.uint64, gone: np.uint64) -> np.uint64:
    """Return stock cards that can be reached once any of ``gone`` may have been taken."""
    draw = w.par[DRAW]
    stock = w.frames[o + STOCK]
    if draw == U1:
        return stock
    left = w.frames[o + LEFT]
    waste = w.frames[o + WASTE]
    found = U0
    index = U1
    before = U0
    in_pass = U0
    previous = U0
    while left != U0:
        place = ctz(left)
        left &= left - U1
        bit = U1 << w.order[place]
        if index % draw <= before or (index >= waste and (index - waste) % draw <= in_pass):
            found |= bit
        if gone & bit != U0:
            found |= previous
            before += U1
            if index > waste:
                in_pass += U1
        previous = bit
        index += U1
    return found | previous


@kernel
def relax(w: KWork, o: np.uint64, up: np.uint64) -> np.uint64:
    """Return 1 when the state in frame ``o`` may still be won, 0 when it is dead."""
    par = w.par
    full = par[FULL]
    stock = w.frames[o + STOCK]
    hidden = w.frames[o + HIDDEN]
    base = w.frames[o + BASE]
    loose = full & ~(hidden | base | stock)
    kings = par[KINGS]
    visible = (loose & ~up) | base
    if par[WORRYING_BACK] != U0:
        visible |= up
    free_kings = popcount(loose & kings & ~up)
    spaces = par[N_COLUMNS] - popcount(base) - free_kings
    open_ = loose
    within = reachable_stock(w, o, U0)
    while True:
        ready = next_cards(up) & (open_ | base | within)
        while ready != U0:
            up |= ready
            ready = next_cards(up) & (open_ | base | within) & full
        landing = children(visible, par[SAME_SUIT])
        if spaces != U0 or up & kings != U0:
            landing |= kings
            if par[ANY_SPACES] != U0:
                landing = full
        fresh = (base | (within & ~open_)) & (landing | up)
        if fresh == U0:
            return U1 if up == full else U0
        open_ |= fresh
        visible |= fresh
        taken = fresh & stock
        fresh &= base
        base ^= fresh
        while fresh != U0:
            card = ctz(fresh)
            fresh &= fresh - U1
            under = w.under[card]
            if under == NO_CARD:
                spaces += U1
            else:
                shown = U1 << under
                base |= shown
                visible |= shown | w.rides[under]
                open_ |= w.rides[under]
        if taken != U0:
            within = reachable_stock(w, o, open_ & stock)
