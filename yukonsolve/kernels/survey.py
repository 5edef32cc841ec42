"""Decide decks in bulk: lay out, test, search a little, go on to the next.

What the first try settles within a few thousand states never leaves this kernel, wins with their
lines included; a deal that wants more ends the call at that deck.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1, U3
from yukonsolve.kernels.layout import LEVEL, NODES, RANDOM, TABLE_COUNT, U64Array, Work, load
from yukonsolve.kernels.lines import name_moves
from yukonsolve.kernels.search import (
    DEAD_AT_ROOT,
    EXHAUSTED,
    PAUSED,
    WON,
    prepare,
    run,
    start,
    unroll,
)

SPARE_MOVES = np.uint64(256)
"""More moves than a line has besides those of its levels: each card's own way up."""


@kernel
def survey(
    w: Work,
    decks: NDArray[np.uint8],
    order: NDArray[np.uint8],
    cards: NDArray[np.uint8],
    shape: NDArray[np.uint8],
    until: np.uint64,
    budget: np.uint64,
    codes: NDArray[np.uint8],
    nodes: U64Array,
    entries: U64Array,
    lengths: U64Array,
    lines: NDArray[np.uint32],
    scratch: NDArray[np.uint8],
) -> int:
    """Settle decks from the first one on; return how many.

    ``order``: for each place of the layout, column after column, its card's place in the deck;
    ``cards``: scratch of the same size; ``shape``: as for ``load``; ``until``: states a deal may
    take; ``budget``: states and deals after which no other deck is begun. Of each deck settled
    ``codes`` gets the status, ``nodes`` and ``entries`` what it took; of each win ``lengths`` gets
    the moves of its line, which `name_moves` writes to ``lines``, one after the other.

    A deck that is not settled has its status in ``codes``, or 0 if it was not begun or its line
    finds no room any more.
    """
    seed = w.par[RANDOM]
    spent = U0
    at = U0
    for i in range(decks.shape[0]):
        codes[i] = 0
        if spent > budget:
            return i
        for j in range(order.size):
            cards[j] = decks[i, order[j]]
        w.par[NODES] = U0
        w.par[RANDOM] = seed
        prepare(w, cards, shape)
        status = start(w, U0)
        if status == PAUSED:
            status = run(w, until, U0)
        lengths[i] = U0
        if status == WON:
            most = U3 * w.par[LEVEL] + SPARE_MOVES
            if most > w.out.size:
                codes[i] = status
                return i
            if at + most > lines.size:
                return i
            load(w, cards, shape)
            count = unroll(w)
            name_moves(w.out, count, cards, shape, scratch, lines, at)
            lengths[i] = count
            at += count
        codes[i] = status
        if status != WON and status != EXHAUSTED and status != DEAD_AT_ROOT:
            return i
        nodes[i] = w.par[NODES]
        entries[i] = w.par[TABLE_COUNT]
        spent += w.par[NODES] + U1
    return decks.shape[0]
