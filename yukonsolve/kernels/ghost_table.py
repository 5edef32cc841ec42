"""What is known of ghost states: open addressing on exact keys, one word an entry.

**Key.** ``G_MOVED`` shifted up by a rank, and in each suit below it one bit at the height of its
foundation: the lowest bit of a suit is that mark, the others are the moved cards. 56 bits, exact.

Forgetting all verdicts is a new generation (`load_ghosts`): older entries read as empty slots.
"""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import NIBBLE, U0, U1, U3, U4
from yukonsolve.kernels.ghosts import (
    G_COUNT,
    G_GENERATION,
    G_MOVED,
    G_TABLE_MASK,
    G_UP,
    Ghosts,
    U64Array,
)

UNSEEN = np.uint64(0)
DEAD = np.uint64(1)
ALIVE = np.uint64(2)
OPEN = np.uint64(3)
"""Verdicts in the table; ``OPEN``: given up by a search that ran out of budget."""
VERDICT_AT = np.uint64(56)
GENERATION_AT = np.uint64(58)
KEY_MASK = np.uint64((1 << 56) - 1)
MIX0 = np.uint64(0x9E3779B97F4A7C15)
MIX1 = np.uint64(0xC2B2AE3D27D4EB4F)
U29 = np.uint64(29)
U32 = np.uint64(32)


@kernel
def ghost_key(g: Ghosts, o: np.uint64) -> np.uint64:
    """Return the exact key of the row at ``o``."""
    up = g.rows[o + G_UP]
    return (g.rows[o + G_MOVED] << U4) | (((up << U4) | NIBBLE) & ~up & KEY_MASK)


@kernel
def ghost_slot(g: Ghosts, key: np.uint64) -> np.uint64:
    """Return the slot of a key, or the empty one where it belongs."""
    mask = g.par[G_TABLE_MASK]
    generation = g.par[G_GENERATION]
    h = key * MIX0
    h ^= h >> U29
    h *= MIX1
    slot = (h ^ (h >> U32)) & mask
    while True:
        word = g.table[slot]
        if word >> GENERATION_AT != generation or word & KEY_MASK == key:
            return slot
        slot = (slot + U1) & mask


@kernel
def verdict_at(g: Ghosts, slot: np.uint64) -> np.uint64:
    """Return the verdict kept in a slot; ``UNSEEN`` for an empty one."""
    word = g.table[slot]
    if word >> GENERATION_AT != g.par[G_GENERATION]:
        return UNSEEN
    return (word >> VERDICT_AT) & U3


@kernel
def keep_verdict(g: Ghosts, slot: np.uint64, key: np.uint64, verdict: np.uint64) -> None:
    """Write a verdict to the slot of a key."""
    if g.table[slot] >> GENERATION_AT != g.par[G_GENERATION]:
        g.par[G_COUNT] += U1
    g.table[slot] = key | (verdict << VERDICT_AT) | (g.par[G_GENERATION] << GENERATION_AT)


@kernel
def rehash_ghosts(g: Ghosts, old: U64Array) -> None:
    """Enter every verdict of this generation of an older, smaller table."""
    g.par[G_COUNT] = U0
    for i in range(old.size):
        word = old[i]
        if word >> GENERATION_AT == g.par[G_GENERATION]:
            key = word & KEY_MASK
            keep_verdict(g, ghost_slot(g, key), key, (word >> VERDICT_AT) & U3)
