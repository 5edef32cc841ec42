"""Depth-first search over grids, which can be left and entered again after any number of states.

A state of the search is a grid (``klondike_grid.py``); a move loosens one card, or two, at one
member of it. Every state entered in the table is searched to its end unless it is won; the graph
has no cycles, so an exhausted search is a proof.
"""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1, U2, U3, ctz, popcount
from yukonsolve.kernels.klondike_expand import CARD_BITS, KING_SHIFT, PASS_AT, WASTE_AT, expand
from yukonsolve.kernels.klondike_ghosts import ghost_lost
from yukonsolve.kernels.klondike_grid import explore
from yukonsolve.kernels.klondike_layout import (
    BASE,
    COLUMN_RADIX,
    CONFIG,
    DRAW,
    END,
    FRAME,
    GHOST_ON,
    HIDDEN,
    KEY,
    LAST_PASS,
    LEVEL,
    MEMBERS,
    MOVE,
    MOVE_UP,
    NO_CARD,
    NODES,
    RULE_DEAD_END,
    STAMP,
    START,
    STOCK,
    SWITCHES,
    TABLE_COUNT,
    TABLE_MASK,
    UNLIMITED_PASSES,
    UP,
    WASTE,
    WASTE_BITS,
    KWork,
    heights,
    key_of,
    loosen,
)
from yukonsolve.kernels.klondike_relax import relax
from yukonsolve.kernels.klondike_table import insert, insert_waste

WON = 1
EXHAUSTED = 2
DEAD_AT_ROOT = 3
PAUSED = 4
GROW_TABLE = 5
GROW_STACK = 6
SEEN = 7
NO_ROOM = 8
ENTERED = 9
U16 = np.uint64(16)
U40 = np.uint64(40)


@kernel
def is_won(w: KWork, o: np.uint64) -> bool:
    """Whether nothing is hidden and every stock card is within reach for good.

    Then the lowest card that is not up can always go up: all that could lie on it is up.
    """
    if w.frames[o + HIDDEN] != U0:
        return False
    if w.frames[o + STOCK] == U0:
        return True
    return w.par[DRAW] == U1 and w.par[LAST_PASS] == UNLIMITED_PASSES


@kernel
def enter(w: KWork, o: np.uint64, end: np.uint64, loosened_base: bool) -> int:
    """Enter the state in frame ``o``; its moves go to ``entries`` from ``end``."""
    f = w.frames
    par = w.par
    f[o + START] = end
    f[o + END] = end
    if is_won(w, o):
        return WON
    top = explore(w, o, f[o + UP], U1)
    cards = popcount(f[o + BASE] | f[o + STOCK]) + U40
    if end + U2 * cards * w.par[MEMBERS] > w.entries.size:
        return NO_ROOM
    w.par[KEY] = key_of(w, o, top)
    if par[WASTE_BITS] != U0:
        if insert_waste(w, par[KEY], f[o + WASTE]) != U0:
            return SEEN
    elif insert(w, par[KEY]) != U0:
        return SEEN
    if par[GHOST_ON] != U0 and loosened_base:
        config = f[o + CONFIG] % par[COLUMN_RADIX]
        stamp = par[STAMP]
        if ghost_lost(w, f[o + HIDDEN], f[o + BASE], config, f[o + UP]):
            return SEEN
        if par[STAMP] != stamp:
            # The ghost game used the same work arrays.
            explore(w, o, f[o + UP], U1)
    par[NODES] += U1
    f[o + END] = expand(w, o, end)
    return ENTERED


@kernel
def start(w: KWork) -> int:
    """Begin a search at frame 0, which must hold the loaded deal; the table must be empty."""
    w.par[LEVEL] = U0
    if w.par[SWITCHES] & RULE_DEAD_END != U0 and relax(w, U0, w.frames[UP]) == U0:
        return DEAD_AT_ROOT
    status = enter(w, U0, U0, False)
    if status == WON:
        return WON
    return GROW_STACK if status == NO_ROOM else PAUSED


@kernel
def root_is_lost(w: KWork) -> bool:
    """Whether the ghost game of frame 0 is lost."""
    f = w.frames
    config = f[CONFIG] % w.par[COLUMN_RADIX]
    return ghost_lost(w, f[HIDDEN], f[BASE], config, f[UP])


@kernel
def make(w: KWork, o: np.uint64, move: np.uint64, up: np.uint64) -> None:
    """Loosen the cards of a packed move in frame ``o``."""
    waste = move >> WASTE_AT & CARD_BITS
    redeals = move >> PASS_AT & CARD_BITS
    loosen(w, o, move & CARD_BITS, waste, redeals)
    king = move >> KING_SHIFT & CARD_BITS
    if king != NO_CARD:
        loosen(w, o, king, waste, redeals)
    w.frames[o + UP] = up


@kernel
def run(w: KWork, until: np.uint64) -> int:
    """Search on until ``NODES`` reaches ``until`` or something must be settled."""
    par = w.par
    f = w.frames
    while True:
        level = par[LEVEL]
        o = level * FRAME
        end = f[o + END]
        if end == f[o + START]:
            if level == U0:
                return EXHAUSTED
            par[LEVEL] = level - U1
            continue
        if par[NODES] >= until:
            return PAUSED
        if U3 * par[TABLE_COUNT] > U2 * par[TABLE_MASK]:
            return GROW_TABLE
        move = w.entries[end - U2]
        up = w.entries[end - U1]
        child = o + FRAME
        for i in range(FRAME):
            f[child + np.uint64(i)] = f[o + np.uint64(i)]
        make(w, child, move, up)
        status = enter(w, child, end - U2, f[child + BASE] != f[o + BASE])
        if status == NO_ROOM:
            return GROW_STACK
        f[o + END] = end - U2
        f[o + MOVE] = move
        f[o + MOVE_UP] = up
        if status != SEEN:
            par[LEVEL] = level + U1
            if status == WON:
                return WON


@kernel
def route(w: KWork, o: np.uint64, source: np.uint64, target: np.uint64) -> np.uint64:
    """Write to ``out`` the cards that go up or down from ``source`` to ``target``; return how many.

    The last card comes first.
    """
    explore(w, o, source, U0)
    stamps = w.stamps
    packed = heights(target)
    if stamps[packed] >> U16 != stamps[heights(source)] >> U16:
        return np.uint64(w.out.size)
    i = stamps[packed] & np.uint64(0xFFFF)
    count = U0
    while i != U0:
        before = w.came_from[i]
        w.out[count] = ctz(w.grid[i] ^ w.grid[before])
        count += U1
        i = before
    return count
