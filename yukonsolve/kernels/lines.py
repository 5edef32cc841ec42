"""Say of each move of a line which columns it goes from and to.

The search moves cards from card to card and knows no columns; move tokens name them. The line is
played once more on chains of cards that know their column.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1
from yukonsolve.kernels.layout import FOUNDATION, NO_CARD, TABLE, U64Array

HOME = np.uint64(63)
"""Stands for a foundation among the columns."""
U6 = np.uint64(6)
U12 = np.uint64(12)
CARD = np.uint64(63)
# Places in ``scratch``: the column of each card, what it lies on, the last card of each column.
BELOW = np.uint64(64)
LAST = np.uint64(128)
SCRATCH_BYTES = 192


@kernel
def name_moves(
    moves: U64Array,
    count: np.uint64,
    cards: NDArray[np.uint8],
    shape: NDArray[np.uint8],
    scratch: NDArray[np.uint8],
    named: NDArray[np.uint32],
    at: np.uint64,
) -> None:
    """Write ``card | from << 6 | to << 12`` for each move to ``named``, from place ``at`` on.

    ``moves``: ``card | to << 6`` as `unroll` writes them; ``cards`` and ``shape``: the deal, as for
    ``load``. The column of a move to the table is the first empty one.
    """
    for i in range(64):
        scratch[i] = HOME
    n_columns = np.uint64(shape[0])
    place = U0
    for column in range(n_columns):
        under = NO_CARD
        for _ in range(shape[U1 + np.uint64(column)]):
            card = np.uint64(cards[place])
            place += U1
            scratch[card] = column
            scratch[BELOW + card] = under
            under = card
        scratch[LAST + np.uint64(column)] = under
    for i in range(count):
        card = moves[i] & CARD
        to = moves[i] >> U6
        source = np.uint64(scratch[card])
        last = card
        if source != HOME:
            last = np.uint64(scratch[LAST + source])
            scratch[LAST + source] = scratch[BELOW + card]
        target = HOME
        if to == TABLE:
            target = U0
            while np.uint64(scratch[LAST + target]) != NO_CARD:
                target += U1
            scratch[BELOW + card] = NO_CARD
        elif to != FOUNDATION:
            target = np.uint64(scratch[to])
            scratch[BELOW + card] = to
        moved = last
        while moved != card:
            scratch[moved] = target
            moved = np.uint64(scratch[BELOW + moved])
        scratch[card] = target
        if target != HOME:
            scratch[LAST + target] = last
        named[at + np.uint64(i)] = card | (source << U6) | (target << U12)
