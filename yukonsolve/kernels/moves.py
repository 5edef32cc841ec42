"""Do a move, and play the foundation moves that are proved safe.

A move is (card, destination): a card to be built on, ``TABLE`` for an empty column, or
``FOUNDATION``.

**Safe foundation moves** (rule ``safe``). Card X may go up at once, no alternative tried, when no
card that is still on the tableau could be built on it. *Proof, no worrying back:* nothing can land
on X again. Take a winning line and drop X's own moves; every other move stays legal, for X's
absence only uncovers a card or frees a column. Both build rules, both space rules. In same-suit
building every foundation move qualifies. (The weaker FreeCell rule is false here: a card may have
to land on X with an unordered tail.)

*With worrying back* also no tableau card two ranks lower of X's colour: then every card that could
ever stand on a card that stands on X is up. *Proof:* let S be X and every card of a lower rank
that could come to rest on it through built cards: the opposite colours up to rank - 1, the other
suit of X's colour up to rank - 2, X's suit below X. All of S is up. A card outside S that is built
on a card of S would itself be in S, so in any winning line the moves of S-cards can be dropped.

**Worrying back in same-suit building** (rule ``suit-worry``) is never needed: every foundation
move is safe, so a card put back would go straight up again.
"""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1, U2, U3, U4, ctz, next_up, parents
from yukonsolve.kernels.layout import (
    ABOVE,
    BASES,
    BELOW,
    ENDS,
    FACE_UP,
    FOUNDATION,
    FULL,
    GONE,
    HEIGHTS,
    KEY0,
    KEY1,
    KEY_SPLIT,
    ROW,
    ROW_WORDS,
    RULE_SAFE,
    SAME_SUIT,
    SWITCHES,
    TABLE,
    TABLEAU,
    U8,
    WORRYING_BACK,
    Work,
    code_of,
)


@kernel
def copy_row(w: Work, o: np.uint64) -> None:
    """Copy the row at word ``o`` to the next level's row."""
    for i in range(ROW_WORDS):
        w.rows[o + ROW + np.uint64(i)] = w.rows[o + np.uint64(i)]


@kernel
def do_move(w: Work, o: np.uint64, card: np.uint64, to: np.uint64) -> None:
    """Move ``card`` with all that lies on it, in the row at word ``o``."""
    rows = w.rows
    row_bytes = w.row_bytes
    below = o * U8 + BELOW
    above = o * U8 + ABOVE
    bit = U1 << card
    under = np.uint64(row_bytes[below + card])
    if under == TABLE:
        rows[o + BASES] &= ~bit
    elif under == GONE:
        rows[o + TABLEAU] |= bit
        rows[o + FACE_UP] |= bit
        rows[o + ENDS] |= bit
        rows[o + KEY1] -= U1 << (HEIGHTS + U4 * (card & U3))
    else:
        row_bytes[above + under] = TABLE
        rows[o + ENDS] |= U1 << under
        rows[o + FACE_UP] |= U1 << under
    code = U0
    if to == FOUNDATION:
        rows[o + TABLEAU] &= ~bit
        rows[o + FACE_UP] &= ~bit
        rows[o + ENDS] &= ~bit
        row_bytes[below + card] = GONE
        rows[o + KEY1] += U1 << (HEIGHTS + U4 * (card & U3))
    else:
        if to == TABLE:
            rows[o + BASES] |= bit
        else:
            row_bytes[above + to] = card
            rows[o + ENDS] &= ~(U1 << to)
        row_bytes[below + card] = to
        code = code_of(w, card, to)
    if card < KEY_SPLIT:
        rows[o + KEY0] = (rows[o + KEY0] & ~(U3 << (U2 * card))) | (code << (U2 * card))
    else:
        shift = U2 * (card - KEY_SPLIT)
        rows[o + KEY1] = (rows[o + KEY1] & ~(U3 << shift)) | (code << shift)


@kernel
def safe_cards(w: Work, o: np.uint64) -> np.uint64:
    """Return the cards that can go up now and are proved safe to."""
    tableau = w.rows[o + TABLEAU]
    ready = next_up(w.par[FULL] & ~tableau, w.par[FULL]) & w.rows[o + ENDS]
    if ready == U0:
        return U0
    unsafe = parents(tableau, w.par[SAME_SUIT])
    if w.par[WORRYING_BACK] != U0:
        unsafe |= parents(unsafe, w.par[SAME_SUIT])
    if w.par[SAME_SUIT] != U0:
        unsafe = U0
    return ready & ~unsafe


@kernel
def play_safe(w: Work, o: np.uint64) -> None:
    """Play every safe foundation move, lowest card first, until none is left."""
    if w.par[SWITCHES] & RULE_SAFE == U0:
        return
    ready = safe_cards(w, o)
    while ready != U0:
        do_move(w, o, ctz(ready), FOUNDATION)
        ready = safe_cards(w, o)
