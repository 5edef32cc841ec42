"""The ghost game with worrying back, where states come back: every state that can be reached.

A founded card may become a moved card again, so the graph has cycles, and a state that was left
behind is not thereby dead. All that is asked here is about the root: states that are reached and
not refuted are kept on a list, and the root is lost when the list runs empty without a win.
(``DEAD`` in the table: refuted; ``OPEN``: reached.)
"""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1, U4, ctz
from yukonsolve.kernels.ghost_relax import relax_ghosts
from yukonsolve.kernels.ghost_search import FULL_TABLE, PAUSED, is_full
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
    G_FULL,
    G_LEVEL,
    G_MOVED,
    G_NODES,
    G_PLACES,
    G_ROW,
    G_TOPS,
    G_UP,
    NOTHING,
    Ghosts,
    choices,
    make_child,
    may_go_up,
    may_leave,
    play_safe_ghosts,
)

MOST_SUCCESSORS = np.uint64(128)


@kernel
def row_of_key(g: Ghosts, key: np.uint64) -> None:
    """Rebuild row 0 from a key."""
    full = g.par[G_FULL]
    up = U0
    moved = U0
    for suit in range(4):
        lane = key & (np.uint64(0x11111111111111) << np.uint64(suit))
        mark = lane & (~lane + U1)
        up |= (mark - U1) & (np.uint64(0x11111111111111) << np.uint64(suit))
        moved |= lane ^ mark
    moved >>= U4
    up &= full
    left = moved | up
    bare = g.par[G_TOPS]
    while left != U0:
        under = np.uint64(g.dealt_on[ctz(left)])
        left &= left - U1
        if under != NOTHING:
            bare |= U1 << under
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
def reach(g: Ghosts, end: np.uint64) -> np.uint64:
    """Put the state in row 1 on the list unless it is known or dead; return the list's new end."""
    key = ghost_key(g, G_ROW)
    slot = ghost_slot(g, key)
    if verdict_at(g, slot) != UNSEEN:
        return end
    alive = relax_ghosts(g, G_ROW)
    keep_verdict(g, slot, key, OPEN if alive else DEAD)
    if alive:
        g.entries[end] = key
        end += U1
    return end


@kernel
def start_sweep(g: Ghosts) -> np.uint64:
    """Begin at row 0; return ``DEAD``, ``ALIVE`` or ``PAUSED``."""
    play_safe_ghosts(g, U0)
    g.par[G_LEVEL] = U0
    if g.rows[G_UP] == g.par[G_FULL]:
        return ALIVE
    key = ghost_key(g, U0)
    keep_verdict(g, ghost_slot(g, key), key, OPEN)
    if not relax_ghosts(g, U0):
        return DEAD
    g.entries[0] = key
    g.par[G_LEVEL] = U1
    return PAUSED


@kernel
def run_sweep(g: Ghosts, until: np.uint64) -> np.uint64:
    """Go on until ``G_NODES`` reaches ``until``; return the status. ``G_LEVEL``: the list's end."""
    par = g.par
    end = par[G_LEVEL]
    while end != U0:
        if par[G_NODES] >= until:
            par[G_LEVEL] = end
            return PAUSED
        if is_full(g) or end + MOST_SUCCESSORS > g.entries.size:
            par[G_LEVEL] = end
            return FULL_TABLE
        end -= U1
        row_of_key(g, g.entries[end])
        par[G_NODES] += U1
        leavers, kings, ready = choices(g, U0)
        while leavers | ready != U0:
            if leavers != U0:
                card = ctz(leavers)
                leavers &= leavers - U1
                if kings & (U1 << card) == U0 and not may_leave(g, U0, card):
                    continue
                make_child(g, U0, card, U0)
            else:
                card = ctz(ready)
                ready &= ready - U1
                if not may_go_up(g, U0, card):
                    continue
                make_child(g, U0, card, U1)
            if g.rows[G_ROW + G_UP] == par[G_FULL]:
                return ALIVE
            end = reach(g, end)
    return DEAD
