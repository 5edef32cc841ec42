"""Depth-first search of the ghost game, and the question asked of it from the real search.

The graph has no cycles, so a state is dead when all its successors are: states are entered as
``DEAD`` when they are opened, and stay so if the search leaves them behind. If it stops instead,
the states on its stack are taken back: ``ALIVE`` after a win, ``OPEN`` when the budget ran out.
Dead states stay dead whatever is asked later about the same deal, and every question shares them.
"""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1, U2, U3, ctz, popcount
from yukonsolve.kernels.ghost_relax import relax_ghosts
from yukonsolve.kernels.ghost_table import (
    ALIVE,
    DEAD,
    OPEN,
    UNSEEN,
    ghost_key,
    ghost_slot,
    keep_verdict,
    verdict_at,
)
from yukonsolve.kernels.ghosts import (
    G_BARE,
    G_COUNT,
    G_FACE_UP,
    G_FULL,
    G_LEVEL,
    G_MOVED,
    G_NODES,
    G_PLACES,
    G_QUERY,
    G_ROW,
    G_TABLE_MASK,
    G_UP,
    G_VALUE,
    Ghosts,
    choices,
    make_child,
    may_go_up,
    may_leave,
    play_safe_ghosts,
)
from yukonsolve.kernels.layout import (
    BASES,
    BELOW,
    ENDS,
    KEY0,
    KEY1,
    NODE_LIMIT,
    NODES,
    TABLEAU,
    U8,
    Work,
)
from yukonsolve.kernels.stack import sort_entries

PAUSED = np.uint64(4)
"""Status besides ``DEAD`` and ``ALIVE``: budget spent, the search can go on."""
FULL_TABLE = np.uint64(5)
"""Status: the table must grow before the search goes on."""

SCORE_AT = np.uint64(8)
CARD = np.uint64(63)
GOES_UP = np.uint64(64)
MOVE = np.uint64(127)
SCORE_ZERO = np.uint64(1 << 20)
BEST = np.uint64(1 << 40)
W_REVEAL = np.uint64(60)
W_UP = np.uint64(40)
W_VALUE = np.uint64(4)
EVENS = np.uint64(0x5555555555555555)


@kernel
def is_full(g: Ghosts) -> bool:
    """Return whether the table wants to grow."""
    return U3 * g.par[G_COUNT] > U2 * g.par[G_TABLE_MASK]


@kernel
def expand_ghosts(g: Ghosts, o: np.uint64, first: np.uint64) -> np.uint64:
    """Push the successors of row ``o`` that are not known dead, best last; return the new end."""
    par = g.par
    full = par[G_FULL]
    up = g.rows[o + G_UP]
    bare = g.rows[o + G_BARE]
    leavers, kings, ready = choices(g, o)
    end = first
    while leavers | ready != U0:
        if leavers != U0:
            card = ctz(leavers)
            leavers &= leavers - U1
            if kings & (U1 << card) == U0 and not may_leave(g, o, card):
                continue
            move = card
        else:
            card = ctz(ready)
            ready &= ready - U1
            if not may_go_up(g, o, card):
                continue
            move = card | GOES_UP
        make_child(g, o, card, move & GOES_UP)
        child = o + G_ROW
        score = BEST
        if g.rows[child + G_UP] != full:
            key = ghost_key(g, child)
            slot = ghost_slot(g, key)
            seen = verdict_at(g, slot)
            if seen == DEAD:
                continue
            if seen != ALIVE:
                if not relax_ghosts(g, child):
                    keep_verdict(g, slot, key, DEAD)
                    continue
                score = SCORE_ZERO - W_VALUE * par[G_VALUE]
                score += W_REVEAL * popcount(g.rows[child + G_BARE] & ~bare & ~par[G_FACE_UP])
                score += W_UP * popcount(g.rows[child + G_UP] & ~up)
        g.entries[end] = move | (score << SCORE_AT)
        end += U1
    sort_entries(g.entries, first, end)
    return end


@kernel
def start_ghosts(g: Ghosts) -> np.uint64:
    """Begin a search at row 0; return ``DEAD``, ``ALIVE`` or ``PAUSED``."""
    play_safe_ghosts(g, U0)
    g.par[G_LEVEL] = U0
    if g.rows[G_UP] == g.par[G_FULL]:
        return ALIVE
    key = ghost_key(g, U0)
    slot = ghost_slot(g, key)
    seen = verdict_at(g, slot)
    if seen in (DEAD, ALIVE):
        return seen
    # Entered before the successors are: they may take the slot.
    keep_verdict(g, slot, key, DEAD)
    if not relax_ghosts(g, U0):
        return DEAD
    g.par[G_NODES] += U1
    g.frames[0] = U0
    g.frames[1] = expand_ghosts(g, U0, U0)
    return PAUSED


@kernel
def run_ghosts(g: Ghosts, until: np.uint64) -> np.uint64:
    """Search on until ``G_NODES`` reaches ``until``; return the status."""
    par = g.par
    frames = g.frames
    level = par[G_LEVEL]
    while True:
        end = frames[U2 * level + U1]
        if end == frames[U2 * level]:
            if level == U0:
                return DEAD
            level -= U1
            continue
        if par[G_NODES] >= until:
            par[G_LEVEL] = level
            return PAUSED
        if is_full(g):
            par[G_LEVEL] = level
            return FULL_TABLE
        entry = g.entries[end - U1]
        frames[U2 * level + U1] = end - U1
        o = level * G_ROW
        make_child(g, o, entry & CARD, entry & GOES_UP)
        o += G_ROW
        if g.rows[o + G_UP] == par[G_FULL]:
            stop_ghosts(g, level, ALIVE)
            return ALIVE
        key = ghost_key(g, o)
        slot = ghost_slot(g, key)
        seen = verdict_at(g, slot)
        if seen == DEAD:
            continue
        if seen == ALIVE:
            stop_ghosts(g, level, ALIVE)
            return ALIVE
        keep_verdict(g, slot, key, DEAD)
        par[G_NODES] += U1
        level += U1
        frames[U2 * level] = end - U1
        frames[U2 * level + U1] = expand_ghosts(g, o, end - U1)


@kernel
def stop_ghosts(g: Ghosts, level: np.uint64, verdict: np.uint64) -> None:
    """Give every state of the stack up to ``level`` a verdict."""
    for i in range(level + U1):
        key = ghost_key(g, np.uint64(i) * G_ROW)
        keep_verdict(g, ghost_slot(g, key), key, verdict)


@kernel
def pairs_to_bits(x: np.uint64) -> np.uint64:
    """Return 32 bits, one for each pair of bits of ``x`` that is not 00."""
    x = (x | (x >> U1)) & EVENS
    x = (x | (x >> U1)) & np.uint64(0x3333333333333333)
    x = (x | (x >> U2)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    x = (x | (x >> np.uint64(4))) & np.uint64(0x00FF00FF00FF00FF)
    x = (x | (x >> U8)) & np.uint64(0x0000FFFF0000FFFF)
    return (x | (x >> np.uint64(16))) & np.uint64(0xFFFFFFFF)


@kernel
def image(w: Work, g: Ghosts, o: np.uint64) -> None:
    """Put the image of the Yukon state at word ``o`` into ghost row 0."""
    rows = w.rows
    below = o * U8 + BELOW
    codes = np.uint64((1 << 40) - 1) & rows[o + KEY1]
    moved = pairs_to_bits(rows[o + KEY0]) | (pairs_to_bits(codes) << np.uint64(32))
    up = g.par[G_FULL] & ~rows[o + TABLEAU]
    bare = rows[o + ENDS] | up
    carried = moved & ~rows[o + BASES]
    while carried != U0:
        bare |= U1 << np.uint64(w.row_bytes[below + ctz(carried)])
        carried &= carried - U1
    places = U0
    rest = bare
    while rest != U0:
        places |= U1 << np.uint64(g.place[ctz(rest)])
        rest &= rest - U1
    g.rows[G_MOVED] = moved
    g.rows[G_UP] = up
    g.rows[G_BARE] = bare
    g.rows[G_PLACES] = places


@kernel
def image_of_root(w: Work, g: Ghosts) -> None:
    """Put the image of the Yukon state in row 0 into ghost row 0."""
    image(w, g, U0)


@kernel
def give_up(g: Ghosts) -> None:
    """Leave an unfinished search: nothing is known of the states on its stack."""
    stop_ghosts(g, g.par[G_LEVEL], OPEN)


@kernel
def known(w: Work, g: Ghosts, o: np.uint64) -> np.uint64:
    """Return what is known of the image of the Yukon state at ``o``, which is left in row 0."""
    image(w, g, o)
    return verdict_at(g, ghost_slot(g, ghost_key(g, U0)))


@kernel
def lost_as_ghost(w: Work, g: Ghosts, o: np.uint64) -> bool:
    """Return whether the image of the Yukon state at ``o`` is proved dead within ``G_QUERY``."""
    seen = known(w, g, o)
    if seen != UNSEEN:
        return seen == DEAD
    if is_full(g):
        return False
    budget = w.par[NODE_LIMIT] - w.par[NODES]
    if budget == U0:
        return False
    if budget > g.par[G_QUERY]:
        budget = g.par[G_QUERY]
    before = g.par[G_NODES]
    status = start_ghosts(g)
    if status == PAUSED:
        status = run_ghosts(g, before + budget)
        if status in (PAUSED, FULL_TABLE):
            give_up(g)
    w.par[NODES] += g.par[G_NODES] - before
    return status == DEAD
