"""Decide decks in bulk: lay out, test, search a little, go on to the next.

What the first slice of the first try settles as lost never leaves this kernel; a win, which must be
replayed, or a deal that wants more work ends the call at that deck.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0
from yukonsolve.kernels.layout import NODES, RANDOM, TABLE_COUNT, U64Array, Work
from yukonsolve.kernels.search import DEAD_AT_ROOT, EXHAUSTED, PAUSED, prepare, run, start


@kernel
def survey(
    w: Work,
    decks: NDArray[np.uint8],
    order: NDArray[np.uint8],
    cards: NDArray[np.uint8],
    shape: NDArray[np.uint8],
    first: int,
    until: np.uint64,
    codes: NDArray[np.uint8],
    nodes: U64Array,
    entries: U64Array,
) -> int:
    """Fill ``codes``, ``nodes`` and ``entries`` from row ``first`` of ``decks`` on.

    ``order``: for each place of the layout, column after column, its card's place in the deck;
    ``cards``: scratch of the same size; ``shape``: as for ``load``; ``until``: states a deal may
    take. Returns the first row that was not settled as lost, or the number of rows.
    """
    seed = w.par[RANDOM]
    for i in range(first, decks.shape[0]):
        for j in range(order.size):
            cards[j] = decks[i, order[j]]
        w.par[NODES] = U0
        w.par[RANDOM] = seed
        prepare(w, cards, shape)
        status = start(w, U0)
        if status == PAUSED:
            status = run(w, until, U0)
        if status != EXHAUSTED and status != DEAD_AT_ROOT:
            return i
        codes[i] = status
        nodes[i] = w.par[NODES]
        entries[i] = w.par[TABLE_COUNT]
    return decks.shape[0]
