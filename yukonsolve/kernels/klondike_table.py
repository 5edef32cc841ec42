"""Transposition table of the Klondike search: open addressing, one word an entry.

An entry is an exact key plus one; zero is an empty slot. The graph of the search has no cycles, so
a state found here has been searched to its end without a win.
"""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1
from yukonsolve.kernels.klondike_layout import TABLE_COUNT, TABLE_MASK, KWork
from yukonsolve.kernels.layout import U64Array

MIX = np.uint64(0x9E3779B97F4A7C15)
U32 = np.uint64(32)


@kernel
def slot_of(word: np.uint64, mask: np.uint64) -> np.uint64:
    """Return the first slot to look at for an entry."""
    h = (word ^ (word >> U32)) * MIX
    return (h ^ (h >> U32)) & mask


@kernel
def insert(w: KWork, key: np.uint64) -> np.uint64:
    """Enter the key; return 1 when it was there already, else 0."""
    table = w.table
    mask = w.par[TABLE_MASK]
    word = key + U1
    slot = slot_of(word, mask)
    while True:
        found = table[slot]
        if found == U0:
            table[slot] = word
            w.par[TABLE_COUNT] += U1
            return U0
        if found == word:
            return U1
        slot = (slot + U1) & mask


@kernel
def rehash(w: KWork, old: U64Array) -> None:
    """Enter every entry of an older, smaller table."""
    w.par[TABLE_COUNT] = U0
    for i in range(old.size):
        word = old[i]
        if word != U0:
            insert(w, word - U1)
