"""Transposition table: open addressing on exact 128-bit keys.

Two words an entry: ``KEY0``, and ``KEY1`` with the generation in its top byte. The whole key is
compared, so a hit is a proof that the state was seen. Clearing the table is a new generation: older
entries read as empty slots. That keeps probing sound, for every entry of this generation was placed
when those slots already read as empty.
"""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1, U2
from yukonsolve.kernels.layout import GENERATION, TABLE_COUNT, TABLE_MASK, U64Array, Work

GENERATION_SHIFT = np.uint64(56)
MIX0 = np.uint64(0x9E3779B97F4A7C15)
MIX1 = np.uint64(0xC2B2AE3D27D4EB4F)
U32 = np.uint64(32)
U29 = np.uint64(29)


@kernel
def slot_of(key0: np.uint64, key1: np.uint64, mask: np.uint64) -> np.uint64:
    """Return the first slot to look at for a key."""
    h = (key0 ^ (key0 >> U32)) * MIX0 + key1 * MIX1
    h ^= h >> U29
    h *= MIX1
    return (h ^ (h >> U32)) & mask


@kernel
def find(w: Work, key0: np.uint64, key1: np.uint64) -> np.uint64:
    """Return 1 when the key is in the table, else 0."""
    table = w.table
    mask = w.par[TABLE_MASK]
    generation = w.par[GENERATION]
    stamped = key1 | (generation << GENERATION_SHIFT)
    slot = slot_of(key0, key1, mask)
    while True:
        word = table[U2 * slot + U1]
        if word >> GENERATION_SHIFT != generation:
            return U0
        if word == stamped and table[U2 * slot] == key0:
            return U1
        slot = (slot + U1) & mask


@kernel
def insert(w: Work, key0: np.uint64, key1: np.uint64) -> np.uint64:
    """Enter the key; return 1 when it was there already, else 0."""
    table = w.table
    mask = w.par[TABLE_MASK]
    generation = w.par[GENERATION]
    stamped = key1 | (generation << GENERATION_SHIFT)
    slot = slot_of(key0, key1, mask)
    while True:
        word = table[U2 * slot + U1]
        if word >> GENERATION_SHIFT != generation:
            table[U2 * slot] = key0
            table[U2 * slot + U1] = stamped
            w.par[TABLE_COUNT] += U1
            return U0
        if word == stamped and table[U2 * slot] == key0:
            return U1
        slot = (slot + U1) & mask


@kernel
def rehash(w: Work, old: U64Array) -> None:
    """Enter every entry of this generation of an older, smaller table."""
    generation = w.par[GENERATION]
    keep = (U1 << GENERATION_SHIFT) - U1
    w.par[TABLE_COUNT] = U0
    for i in range(old.size // 2):
        word = old[2 * i + 1]
        if word >> GENERATION_SHIFT == generation:
            insert(w, old[2 * i], word & keep)
