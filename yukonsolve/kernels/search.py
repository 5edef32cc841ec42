"""Depth-first search that can be left and entered again after any number of states.

The stack is in the work arrays: a row a level, and the moves still to try. A state is entered in
the table when it is searched; every state entered is either expanded or refuted by a proved rule
before the stack empties, so an empty stack means that no winning line exists (``EXHAUSTED``).
Everything that keeps the search from finishing has its own status and is never taken for an
answer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1, U2, U3, ctz
from yukonsolve.kernels.expand import CARD_BITS, SECOND, U6, do_packed, expand
from yukonsolve.kernels.ghost_search import is_full, lost_as_ghost
from yukonsolve.kernels.ghosts import G_QUERY
from yukonsolve.kernels.layout import (
    ASKED,
    BEGUN,
    ENTRY,
    FIRST,
    FOUNDATION,
    FRAME,
    GENERATION,
    KEY0,
    KEY1,
    LEVEL,
    NO_CARD,
    NODES,
    PROBE_AFTER,
    ROW,
    RULE_DEAD_END,
    RULE_NESTED,
    RULE_SAFE,
    SWITCHES,
    TABLE_COUNT,
    TABLE_MASK,
    TABLEAU,
    Work,
    columns_above,
    load,
)
from yukonsolve.kernels.moves import copy_row, do_move, play_safe, safe_cards
from yukonsolve.kernels.probes import probe
from yukonsolve.kernels.table import insert

WON = 1
EXHAUSTED = 2
DEAD_AT_ROOT = 3
PAUSED = 4
GROW_TABLE = 5
GROW_STACK = 6
GROW_GHOSTS = 7

MAX_SUCCESSORS = np.uint64(1024)
"""More successors than any state has: one check of the room on the stack serves an expansion."""
MAX_GENERATION = np.uint64(255)


@kernel
def new_generation(w: Work) -> None:
    """Empty the transposition table."""
    w.par[TABLE_COUNT] = U0
    w.par[GENERATION] += U1
    if w.par[GENERATION] > MAX_GENERATION:
        for i in range(w.table.size):
            w.table[i] = U0
        w.par[GENERATION] = U1


@kernel
def prepare(w: Work, cards: NDArray[np.uint8], shape: NDArray[np.uint8]) -> None:
    """Load a deal into row 0 and play its safe foundation moves."""
    load(w, cards, shape)
    play_safe(w, U0)


@kernel
def start(w: Work, probe_switches: np.uint64) -> int:
    """Begin a try at row 0, which must hold a loaded state with its safe moves played.

    ``probe_switches``: the probes to ask at the root, 0 for none.
    """
    par = w.par
    new_generation(w)
    par[LEVEL] = U0
    if w.rows[TABLEAU] == U0:
        return WON
    columns_above(w, U0, w.above)
    if par[SWITCHES] & RULE_DEAD_END != U0 and probe(w, U0, probe_switches) == U0:
        return DEAD_AT_ROOT
    insert(w, w.rows[KEY0], w.rows[KEY1])
    for i in range(FRAME):
        w.frames[i] = U0
    w.frames[BEGUN] = par[NODES]
    w.frames[0] = expand(w, U0, U0)
    par[NODES] += U1
    return PAUSED


@kernel
def run(w: Work, until: np.uint64, probe_switches: np.uint64) -> int:
    """Search on until ``NODES`` reaches ``until`` or something must be settled.

    ``probe_switches``: the probes to ask, 0 for none. They are asked at every state when
    ``PROBE_AFTER`` is 0; else about a state whose subtree has grown to so many states, and once
    more, nested, at the number in the word after it. A state refuted then takes its subtree along.
    """
    par = w.par
    frames = w.frames
    level = par[LEVEL]
    guarded = w.ghosts.par[G_QUERY] != U0
    while True:
        end = frames[FRAME * level]
        if end == frames[FRAME * level + FIRST]:
            if level == U0:
                par[LEVEL] = level
                return EXHAUSTED
            level -= U1
            continue
        if probe_switches != U0 and par[PROBE_AFTER] != U0:
            asked = frames[FRAME * level + ASKED]
            grown = par[NODES] - frames[FRAME * level + BEGUN]
            if asked < U2 and grown >= par[PROBE_AFTER + asked]:
                frames[FRAME * level + ASKED] = asked + U1
                questions = probe_switches
                if asked != U0:
                    questions |= RULE_NESTED & par[SWITCHES]
                columns_above(w, level * ROW, w.above)
                if probe(w, level * ROW, questions) == U0:
                    frames[FRAME * level] = frames[FRAME * level + FIRST]
                    continue
        if par[NODES] >= until:
            par[LEVEL] = level
            return PAUSED
        if U3 * par[TABLE_COUNT] > U2 * par[TABLE_MASK]:
            par[LEVEL] = level
            return GROW_TABLE
        if (
            end + MAX_SUCCESSORS > w.entries.size
            or (level + U3) * ROW > w.rows.size
            or FRAME * (level + U3) > frames.size
        ):
            par[LEVEL] = level
            return GROW_STACK
        if guarded and is_full(w.ghosts):
            par[LEVEL] = level
            return GROW_GHOSTS
        entry = w.entries[end - U1]
        frames[FRAME * level] = end - U1
        o = level * ROW
        copy_row(w, o)
        o += ROW
        do_packed(w, o, entry)
        frames[FRAME * level + ENTRY] = entry
        if w.rows[o + TABLEAU] == U0:
            par[LEVEL] = level + U1
            return WON
        if insert(w, w.rows[o + KEY0], w.rows[o + KEY1]) != U0:
            continue
        par[NODES] += U1
        if guarded and lost_as_ghost(w, w.ghosts, o):
            continue
        if probe_switches != U0 and par[PROBE_AFTER] == U0:
            columns_above(w, o, w.above)
            if probe(w, o, probe_switches) == U0:
                continue
        level += U1
        frames[FRAME * level] = end - U1
        frames[FRAME * level + FIRST] = end - U1
        frames[FRAME * level + BEGUN] = par[NODES]
        frames[FRAME * level + ASKED] = U0
        frames[FRAME * level] = expand(w, o, end - U1)


@kernel
def record(w: Work, o: np.uint64, count: np.uint64, card: np.uint64, to: np.uint64) -> np.uint64:
    """Do one move in row ``o`` and write it to ``out``."""
    do_move(w, o, card, to)
    w.out[count] = card | (to << U6)
    return count + U1


@kernel
def play_safe_recorded(w: Work, o: np.uint64, count: np.uint64) -> np.uint64:
    """Play the safe foundation moves of row ``o`` and write them to ``out``."""
    if w.par[SWITCHES] & RULE_SAFE == U0:
        return count
    ready = safe_cards(w, o)
    while ready != U0:
        count = record(w, o, count, ctz(ready), FOUNDATION)
        ready = safe_cards(w, o)
    return count


@kernel
def unroll(w: Work) -> np.uint64:
    """Write the line from row 0 to the current level to ``out``; return its length.

    Works in row 0, which must hold the state as loaded (``load``) and is lost.
    """
    count = play_safe_recorded(w, U0, U0)
    for level in range(w.par[LEVEL]):
        entry = w.frames[FRAME * np.uint64(level) + ENTRY]
        count = record(w, U0, count, entry & CARD_BITS, (entry >> U6) & CARD_BITS)
        card = (entry >> SECOND) & CARD_BITS
        if card != NO_CARD:
            count = record(w, U0, count, card, (entry >> (SECOND + U6)) & CARD_BITS)
        count = play_safe_recorded(w, U0, count)
    return count
