"""What is known of states of the Klondike ghost game: open addressing on exact keys.

One word an entry: generation, key and verdict. The verdicts of one deal are one generation, so
older entries read as empty slots. The table does not grow: when it is full, no more is remembered.
"""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import NIBBLE, U0, U1, U2, U3, U4
from yukonsolve.kernels.klondike_layout import (
    COLUMN_RADIX,
    GHOST_COUNT,
    GHOST_STAMP,
    HEIGHT_WEIGHTS,
    KWork,
    heights,
)

UNKNOWN = U0
DEAD = U1
ALIVE = U2
KEY_BITS = np.uint64(40)
GENERATION_AT = np.uint64(42)
MIX = np.uint64(0x9E3779B97F4A7C15)
TWENTY = np.uint64(20)


@kernel
def ghost_key(w: KWork, config: np.uint64, up: np.uint64) -> np.uint64:
    """Return the exact key of a state of the ghost game."""
    packed = heights(up)
    key = U0
    radix = w.par[HEIGHT_WEIGHTS + U1] // w.par[HEIGHT_WEIGHTS]
    for suit in range(4):
        key = key * radix + (packed >> (U4 * np.uint64(suit)) & NIBBLE)
    return key * w.par[COLUMN_RADIX] + config


@kernel
def recall(w: KWork, key: np.uint64) -> np.uint64:
    """Return what is known about a state of the ghost game."""
    mask = np.uint64(w.verdicts.size) - U1
    wanted = w.par[GHOST_STAMP] << KEY_BITS | key
    slot = (key * MIX >> TWENTY) & mask
    while True:
        word = w.verdicts[slot]
        if word >> GENERATION_AT != w.par[GHOST_STAMP]:
            return UNKNOWN
        if word >> U2 == wanted:
            return word & U3
        slot = (slot + U1) & mask


@kernel
def note(w: KWork, key: np.uint64, verdict: np.uint64) -> None:
    """Remember what is known about a state of the ghost game, while there is room."""
    mask = np.uint64(w.verdicts.size) - U1
    if U3 * w.par[GHOST_COUNT] > U2 * mask:
        return
    wanted = w.par[GHOST_STAMP] << KEY_BITS | key
    slot = (key * MIX >> TWENTY) & mask
    while True:
        word = w.verdicts[slot]
        if word >> GENERATION_AT != w.par[GHOST_STAMP]:
            w.verdicts[slot] = wanted << U2 | verdict
            w.par[GHOST_COUNT] += U1
            return
        if word >> U2 == wanted:
            return
        slot = (slot + U1) & mask
