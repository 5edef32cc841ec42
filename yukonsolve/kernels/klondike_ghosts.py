"""The ghost game: a looser game with a far smaller graph, whose losses are losses.

In the ghost game a stock card is always at hand, may stand in for a parent wherever it would have
room, and may be taken back at any time. Only hidden and base cards and the four foundation heights
make up a state: which stock cards lie on the tableau is left open. Count the *capacity* of the
cards of one rank and colour as parents: those that are visible, and as many *ghosts*, stock cards
of that rank and colour that are not up, as find room on the capacity above after the real children
have taken theirs (kings: as there are empty columns). A state is *valid* when the real free cards
find room everywhere. Moves: a loose or stock card goes up or comes down; a base card lands or goes
up; all that is asked is that the state after it is valid (a base card must find room before the
card under it is turned). A state with no hidden card counts as won.

*Proof that it is looser.* Map a state of the real game, whatever lies where, to its hidden cards,
base cards and heights. The real state shows an arrangement of the free cards with some stock cards
among them as parents. From the kings down, the ghosts of every rank and colour are at least as many
as those: there are no fewer places above, and the real children take the same. So its image is
valid. A real move of a stock card to the tableau leaves the image as it is; every other real move
is a move of the ghost game between images. Hence a won real game gives a won ghost game, for every
draw, every number of passes, with worrying back or without; kings only to spaces. (With levels of
one card the same holds for same-suit building.)

**Rule** ``ghosts``. A state whose image is lost is lost. The ghost game has at most some ten
thousands of states a deal, so verdicts on it are remembered and cost little. The safe rule holds in
it for the same reason as in the real game, stock cards included, since nothing depends on the order
of the stock: no card that is not in U can lie on a card of U.
"""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import NIBBLE, U0, U1, U2, U3, U4, ctz, popcount
from yukonsolve.kernels.klondike_expand import known_beside
from yukonsolve.kernels.klondike_ghost_table import ALIVE, DEAD, UNKNOWN, ghost_key, note, recall
from yukonsolve.kernels.klondike_grid import U16, is_safe, next_cards
from yukonsolve.kernels.klondike_layout import (
    FULL,
    GHOST_LIMIT,
    GHOST_NODES,
    KINGS,
    MEMBERS,
    N_COLUMNS,
    NO_CARD,
    SAME_SUIT,
    STAMP,
    TALON,
    KWork,
    heights,
    lies_free,
)

G_HIDDEN = U0
G_BASE = U1
G_CONFIG = U2
G_UP = U3
G_END = U4
G_START = np.uint64(5)
G_FIRST_KEY = np.uint64(6)
G_TOP_KEY = np.uint64(7)
G_FRAME = np.uint64(8)

OPENED = U3
"""Beside what the table says of a state: it was unknown, and its moves are written down."""


@kernel
def fits(
    free: np.uint64,
    visible: np.uint64,
    ghosts: np.uint64,
    spaces: np.uint64,
    same_suit: np.uint64,
    at: np.uint64,
) -> bool:
    """Whether the real free cards find room; ``at`` is four times the king's rank."""
    kings = ghosts >> at & NIBBLE
    here = visible >> at & NIBBLE
    if same_suit != U0:
        above = here | kings if spaces != U0 else here
        while at != U0 and free & ((U1 << at) - U1) != U0:
            at -= U4
            real = free >> at & NIBBLE
            if real & ~above != U0:
                return False
            above = (visible >> at & NIBBLE) | (ghosts >> at & above & ~real)
        return True
    red = (here >> U1 & U1) + (here >> U2 & U1)
    black = (here & U1) + (here >> U3)
    red += min((kings >> U1 & U1) + (kings >> U2 & U1), spaces)
    black += min((kings & U1) + (kings >> U3), spaces)
    while at != U0 and free & ((U1 << at) - U1) != U0:
        at -= U4
        real = free >> at & NIBBLE
        here = visible >> at & NIBBLE
        more = ghosts >> at & NIBBLE
        red_real = (real >> U1 & U1) + (real >> U2 & U1)
        black_real = (real & U1) + (real >> U3)
        if red_real > black or black_real > red:
            return False
        red_more = min((more >> U1 & U1) + (more >> U2 & U1), black - red_real)
        black_more = min((more & U1) + (more >> U3), red - black_real)
        red = (here >> U1 & U1) + (here >> U2 & U1) + red_more
        black = (here & U1) + (here >> U3) + black_more
    return True


@kernel
def valid(w: KWork, base: np.uint64, loose: np.uint64, up: np.uint64) -> bool:
    """Whether a state of the ghost game is valid; ``loose`` leaves stock cards out."""
    par = w.par
    free = loose & ~up
    columns = par[N_COLUMNS] - popcount(base)
    kings = popcount(free & par[KINGS])
    if kings > columns:
        return False
    return fits(
        free, free | base, par[TALON] & ~up, columns - kings, par[SAME_SUIT], ctz(par[KINGS])
    )


@kernel
def come_to_rest(w: KWork, base: np.uint64, loose: np.uint64, up: np.uint64) -> np.uint64:
    """Return the cards up once every safe loose or stock card has gone up."""
    talon = w.par[TALON]
    while True:
        ready = next_cards(up) & (loose | talon)
        fresh = U0
        while ready != U0:
            card = ctz(ready)
            ready &= ready - U1
            if is_safe(w, card, up) and valid(w, base, loose, up | U1 << card):
                fresh = U1 << card
                break
        if fresh == U0:
            return up
        up |= fresh


@kernel
def explore_ghosts(w: KWork, o: np.uint64) -> np.uint64:
    """Collect the grid of frame ``o`` and what can land or go up at its members; return its top."""
    par = w.par
    grid = w.grid
    stamps = w.stamps
    talon = par[TALON]
    base = w.ghost_frames[o + G_BASE]
    loose = par[FULL] & ~(w.ghost_frames[o + G_HIDDEN] | base | talon)
    kings = par[KINGS]
    same_suit = par[SAME_SUIT]
    king_at = ctz(kings)
    par[STAMP] += U1
    stamp = par[STAMP] << U16
    top = w.ghost_frames[o + G_UP]
    grid[U0] = top
    best = heights(top)
    stamps[best] = stamp
    count = U1
    i = U0
    while i < count:
        up = grid[i]
        free = loose & ~up
        visible = free | base
        ghosts = talon & ~up
        spaces = par[N_COLUMNS] - popcount(base) - popcount(free & kings)
        landing = U0
        lift = U0
        ready = next_cards(up)
        rest = base
        while rest != U0:
            card = ctz(rest)
            bit = U1 << card
            rest ^= bit
            if bit & kings != U0:
                if spaces != U0 and fits(
                    free | bit, visible, ghosts, spaces - U1, same_suit, king_at
                ):
                    landing |= bit
            elif fits(free | bit, visible, ghosts, spaces, same_suit, king_at):
                landing |= bit
            if bit & ready & ~landing != U0 and fits(
                free, visible ^ bit, ghosts, spaces, same_suit, king_at
            ):
                lift |= bit
        w.landings[i] = landing
        w.lifts[i] = lift
        steps = (ready & (loose | talon)) | (up & ~(up >> U4))
        while steps != U0:
            card = ctz(steps)
            steps &= steps - U1
            bit = U1 << card
            after = up ^ bit
            if after & bit == U0:
                if is_safe(w, card, after):
                    continue
                packed = heights(after)
                if stamps[packed] >> U16 == par[STAMP] or not valid(w, base, loose, after):
                    continue
            else:
                if stamps[heights(after)] >> U16 == par[STAMP] or not valid(w, base, loose, after):
                    continue
                after = come_to_rest(w, base, loose, after)
                packed = heights(after)
                if stamps[packed] >> U16 == par[STAMP]:
                    continue
            stamps[packed] = stamp | count
            grid[count] = after
            count += U1
            if packed > best:
                best = packed
                top = after
        i += U1
    par[MEMBERS] = count
    return top


@kernel
def open_ghost(w: KWork, o: np.uint64, end: np.uint64) -> np.uint64:
    """Look a state of the ghost game up, or write its moves to ``ghost_entries``."""
    f = w.ghost_frames
    if f[o + G_HIDDEN] == U0:
        return ALIVE
    par = w.par
    base = f[o + G_BASE]
    loose = par[FULL] & ~(f[o + G_HIDDEN] | base | par[TALON])
    f[o + G_UP] = come_to_rest(w, base, loose, f[o + G_UP])
    key = ghost_key(w, f[o + G_CONFIG], f[o + G_UP])
    known = recall(w, key)
    if known != UNKNOWN:
        return known
    top_key = ghost_key(w, f[o + G_CONFIG], explore_ghosts(w, o))
    known = recall(w, top_key)
    if known != UNKNOWN:
        note(w, key, known)
        return known
    par[GHOST_NODES] += U1
    f[o + G_FIRST_KEY] = key
    f[o + G_TOP_KEY] = top_key
    f[o + G_START] = end
    count = par[MEMBERS]
    for i in range(count):
        at = np.uint64(i)
        for kind in range(2):
            sets = w.landings if kind == 1 else w.lifts
            cards = sets[at]
            if cards != U0 and at != U0:
                cards &= ~known_beside(w, U0, at, sets, False)
            while cards != U0:
                card = ctz(cards)
                cards &= cards - U1
                if end + U2 > w.ghost_entries.size:
                    return ALIVE
                w.ghost_entries[end] = card
                w.ghost_entries[end + U1] = w.grid[at] if kind == 1 else w.grid[at] | U1 << card
                end += U2
    f[o + G_END] = end
    return OPENED


@kernel
def ghost_lost(
    w: KWork, hidden: np.uint64, base: np.uint64, config: np.uint64, up: np.uint64
) -> bool:
    """Whether the ghost game is lost from here; false also when the limit is reached."""
    f = w.ghost_frames
    par = w.par
    f[G_HIDDEN] = hidden
    f[G_BASE] = base
    f[G_CONFIG] = config
    f[G_UP] = up
    o = U0
    found = open_ghost(w, o, U0)
    if found != OPENED:
        return found == DEAD
    while True:
        end = f[o + G_END]
        if end == f[o + G_START]:
            note(w, f[o + G_FIRST_KEY], DEAD)
            note(w, f[o + G_TOP_KEY], DEAD)
            if o == U0:
                return True
            o -= G_FRAME
            continue
        if par[GHOST_NODES] >= par[GHOST_LIMIT]:
            return False
        end -= U2
        f[o + G_END] = end
        card = w.ghost_entries[end]
        child = o + G_FRAME
        bit = U1 << card
        f[child + G_UP] = w.ghost_entries[end + U1]
        f[child + G_CONFIG] = f[o + G_CONFIG] + w.weight[card]
        f[child + G_HIDDEN] = f[o + G_HIDDEN]
        f[child + G_BASE] = f[o + G_BASE] ^ bit
        under = w.under[card]
        if under != NO_CARD:
            below = U1 << under
            f[child + G_HIDDEN] &= ~(below | w.rides[under])
            if w.under[under] != NO_CARD or not lies_free(w, below):
                f[child + G_BASE] |= below
        found = open_ghost(w, child, end)
        if found == OPENED:
            o = child
        elif found == ALIVE:
            while True:
                note(w, f[o + G_FIRST_KEY], ALIVE)
                note(w, f[o + G_TOP_KEY], ALIVE)
                if o == U0:
                    return False
                o -= G_FRAME
