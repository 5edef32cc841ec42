"""Transposition table of the Klondike search: open addressing, one word an entry.

An entry is an exact key plus one; zero is an empty slot. The graph of the search has no cycles, so
a state found here has been searched to its end without a win.

**Waste dominance** (rule ``waste``; draw 2 or more, unlimited passes). What can be taken, and what
comes after, depends on the place in the stock only through the cards within reach. From a waste of
w cards, drawing leads to w + k, w + 2k, .. and to the empty waste; so a state with one of these is
lost if the state that differs from it only by a waste of w has been searched and is lost. Entries
then hold the key without the waste, and ``WASTE_BITS`` bits that say, for each remainder 1 .. k - 1
of w by k, the smallest w // k searched (plus one). An entry at all covers the empty waste.
"""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1
from yukonsolve.kernels.klondike_layout import DRAW, TABLE_COUNT, TABLE_MASK, WASTE_BITS, KWork
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
def insert_waste(w: KWork, key: np.uint64, waste: np.uint64) -> np.uint64:
    """Enter the key and the waste; return 1 when a state at least as good was there, else 0."""
    table = w.table
    mask = w.par[TABLE_MASK]
    bits = w.par[WASTE_BITS]
    draw = w.par[DRAW]
    word = key + U1
    field = bits // (draw - U1)
    at = U0
    mine = U0
    if waste != U0:
        at = (waste % draw - U1) * field
        mine = waste // draw + U1
    slot = slot_of(word, mask)
    while True:
        found = table[slot]
        if found == U0:
            table[slot] = word << bits | mine << at
            w.par[TABLE_COUNT] += U1
            return U0
        if found >> bits == word:
            if waste == U0:
                return U1
            known = found >> at & ((U1 << field) - U1)
            if known != U0 and known <= mine:
                return U1
            table[slot] = found & ~(((U1 << field) - U1) << at) | mine << at
            return U0
        slot = (slot + U1) & mask


@kernel
def rehash(w: KWork, old: U64Array) -> None:
    """Enter every entry of an older, smaller table."""
    w.par[TABLE_COUNT] = U0
    for i in range(old.size):
        word = old[i]
        if word != U0:
            slot = slot_of(word >> w.par[WASTE_BITS], w.par[TABLE_MASK])
            while w.table[slot] != U0:
                slot = (slot + U1) & w.par[TABLE_MASK]
            w.table[slot] = word
            w.par[TABLE_COUNT] += U1
