"""The ghost game of Yukon: a looser game with a far smaller graph, whose losses are losses.

What makes hard Yukon deals hard is that thousands of arrangements of the loose cards are tried
around one obstacle. The ghost game leaves the arrangement out: of a card that has left its dealt
place it is only known that it has, not on which of its two parents it now lies.

**State.** A row of ``G_ROW`` words: ``G_MOVED``, the cards on the tableau that have left their
dealt place; ``G_UP``, the founded ones; ``G_BARE``, the cards that do not carry the card dealt on
them (those from which it has left, and the tops of the dealt columns); ``G_PLACES``, the same as
places, counted through the columns from the bottom up. The chain of cards still lying as dealt
from a card upwards is its *fragment*; it ends at the first bare card.

A state is *valid* when, in every group of two cards of one rank and colour and their two parents,
the moved ones find different parents that are bare, on the tableau and not the end of their own
fragment (``fits``). Empty columns: as many as are left by unmoved bases and moved kings.

**Moves.** A face-up card that has not moved leaves its place (the state must stay valid with it
among the moved, its parents taken as they were before it left; a king wants an empty column). A
bare card goes up, when its moved children fit on the other parent. Every move breaks a link or
puts a card up for good, so no state ever comes back: the graph has no cycles.

*Proof that it is looser* (kings only to spaces). Map a Yukon state to its founded
cards and the cards whose code is not 0 (``layout``). More generally let a ghost state *follow* a
real one when the founded cards are the same and its moved cards are those, and perhaps others that
are back on the card they were dealt on. In the real state every moved card lies on a parent, or on
the table for a king; the parent is face up, carries nothing else, so nothing dealt, and is not
above the card in its own column; so the ghost state is valid, and its empty columns are the real
ones. A real move of a card that counts as moved already leaves the ghost state as it is; it follows
the new real state too. A real first landing is a ghost move: the cards' real places after the move
are a fit, with the parents that were bare before it. A real move to the foundation finds no child
on the card, so the real places are a fit without it. So a won line gives a won line of ghosts, from
the image of any state on it. **Rule** ``ghosts``: a state whose image is lost is lost.

*Worrying back* adds one move: the top of a foundation comes down and counts as moved, when it fits
on its parents (a king wants an empty column). A real card that comes down lies on a bare parent, so
the proof holds; should it come down on the card it was dealt on, it is one of the "others". States
come back then, and the game is searched by ``ghost_sweep.py``, from the root only.

*Any card to spaces, same-suit building:* the rule is off (in same-suit building the real game
already has no arrangements).

*Safe cards.* A card goes up at once when no card that could lie on it is on the tableau: drop its
moves from any won ghost line, and put it up first. Fewer cards ask for parents, cards under it come
free earlier, and it was of no use as a parent. With worrying back also no card of its colour two
ranks lower may be on the tableau, as in ``moves.py`` and by the same proof: no card outside the set
dropped there ever asks for a parent in it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import (
    U0,
    U1,
    U2,
    U3,
    U4,
    children,
    ctz,
    next_up,
    parents,
    popcount,
)

U64Array = NDArray[np.uint64]

G_MOVED = np.uint64(0)
G_UP = np.uint64(1)
G_BARE = np.uint64(2)
G_PLACES = np.uint64(3)
G_ROW = np.uint64(4)
G_ROW_WORDS = 4

NOTHING = np.uint64(63)
"""What a card dealt on the table was dealt on."""

# Parameters and registers, in ``Ghosts.par``.
G_FULL = np.uint64(0)
G_KINGS = np.uint64(1)
G_COLUMNS = np.uint64(2)
G_FACE_UP = np.uint64(3)
"""Cards that were dealt face up."""
G_BASES = np.uint64(4)
"""Cards that were dealt on the table."""
G_TABLE_MASK = np.uint64(5)
G_COUNT = np.uint64(6)
G_GENERATION = np.uint64(7)
G_LEVEL = np.uint64(8)
G_NODES = np.uint64(9)
G_VALUE = np.uint64(10)
"""Out: the value of the last relaxation."""
G_QUERY = np.uint64(11)
"""Ghost states a question inside the real search may expand; 0: none are asked."""
G_BACK = np.uint64(12)
"""Whether worrying back is allowed."""
G_TOPS = np.uint64(13)
"""Cards that carried nothing when dealt, and those that were founded then."""
G_PAR_WORDS = 14

G_MAX_GENERATION = np.uint64(63)


class Ghosts(NamedTuple):
    """Arrays of the ghost game of one deal."""

    par: U64Array
    place: NDArray[np.uint8]
    """Each card's place, counted through the columns from the bottom up."""
    card_at: NDArray[np.uint8]
    """The card dealt at each place."""
    dealt_on: NDArray[np.uint8]
    """What each card was dealt on; ``NOTHING`` for the bottom card of a column."""
    dealt_above: U64Array
    """The set of cards dealt above each card in its column."""
    rows: U64Array
    """State rows, one a level, and one more."""
    entries: U64Array
    """Stack of moves still to try."""
    frames: U64Array
    """Start and end of each level's moves."""
    table: U64Array
    """Verdicts on states: key, verdict and generation in one word."""


@kernel
def fits(g: Ghosts, hosts: np.uint64, cards: np.uint64, places: np.uint64) -> bool:
    """Return whether at most two cards of a group find different parents among ``hosts``.

    ``places``: the ``G_PLACES`` of the state, which tell where each card's own fragment ends.
    """
    if cards == U0:
        return True
    x = ctz(cards)
    cards &= cards - U1
    hosts_x = hosts & ~(U1 << fragment_end(g, x, places))
    if cards == U0:
        return hosts_x != U0
    hosts_y = hosts & ~(U1 << fragment_end(g, ctz(cards), places))
    return hosts_x != U0 and hosts_y != U0 and popcount(hosts_x | hosts_y) == U2


@kernel
def fragment_end(g: Ghosts, card: np.uint64, places: np.uint64) -> np.uint64:
    """Return the topmost card of the dealt chain that ``card`` still carries."""
    place = np.uint64(g.place[card])
    return np.uint64(g.card_at[place + ctz(places >> place)])


@kernel
def may_leave(g: Ghosts, o: np.uint64, card: np.uint64) -> bool:
    """Return whether an unmoved card that is no king finds room on its parents."""
    moved = g.rows[o + G_MOVED]
    bit = U1 << card
    hosts = parents(bit, U0) & g.rows[o + G_BARE] & ~g.rows[o + G_UP]
    return fits(g, hosts, bit | (moved & (U1 << (card ^ U3))), g.rows[o + G_PLACES])


@kernel
def may_go_up(g: Ghosts, o: np.uint64, card: np.uint64) -> bool:
    """Return whether a bare card's moved children find room without it."""
    riders = children(U1 << card, U0) & g.rows[o + G_MOVED]
    if riders == U0:
        return True
    if riders & (riders - U1) != U0:
        return False
    other = (U1 << (card ^ U3)) & g.rows[o + G_BARE] & ~g.rows[o + G_UP]
    return fits(g, other, riders, g.rows[o + G_PLACES])


@kernel
def free_spaces(g: Ghosts, moved: np.uint64, up: np.uint64) -> np.uint64:
    """Return the number of empty columns."""
    taken = popcount(g.par[G_BASES] & ~(moved | up)) + popcount(moved & g.par[G_KINGS])
    return g.par[G_COLUMNS] - taken


@kernel
def leave(g: Ghosts, o: np.uint64, card: np.uint64) -> None:
    """Take an unmoved card off the card it was dealt on."""
    under = np.uint64(g.dealt_on[card])
    if under != NOTHING:
        g.rows[o + G_BARE] |= U1 << under
        g.rows[o + G_PLACES] |= U1 << np.uint64(g.place[under])


@kernel
def go_up(g: Ghosts, o: np.uint64, card: np.uint64) -> None:
    """Put a card on its foundation."""
    bit = U1 << card
    if g.rows[o + G_MOVED] & bit != U0:
        g.rows[o + G_MOVED] &= ~bit
    else:
        leave(g, o, card)
    g.rows[o + G_UP] |= bit


@kernel
def play_safe_ghosts(g: Ghosts, o: np.uint64) -> None:
    """Put up every card that nothing could still be built on."""
    full = g.par[G_FULL]
    while True:
        up = g.rows[o + G_UP]
        unsafe = parents(full & ~up, U0)
        if g.par[G_BACK] != U0:
            unsafe |= parents(unsafe, U0)
        ready = next_up(up, full) & g.rows[o + G_BARE] & ~unsafe
        if ready == U0:
            return
        while ready != U0:
            go_up(g, o, ctz(ready))
            ready &= ready - U1


@kernel
def make_child(g: Ghosts, o: np.uint64, card: np.uint64, up: np.uint64) -> None:
    """Make the next row from the one at ``o``: ``card`` goes up, leaves its place or comes down."""
    child = o + G_ROW
    for i in range(G_ROW_WORDS):
        g.rows[child + np.uint64(i)] = g.rows[o + np.uint64(i)]
    bit = U1 << card
    if up != U0:
        go_up(g, child, card)
    else:
        if g.rows[child + G_UP] & bit != U0:
            g.rows[child + G_UP] ^= bit
        else:
            leave(g, child, card)
        g.rows[child + G_MOVED] |= bit
    play_safe_ghosts(g, child)


@kernel
def choices(g: Ghosts, o: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Return the cards of row ``o`` that might leave or come down, and that might go up.

    First those that leave their place or a foundation, kings among them; second these kings, who
    have room; third those that are next on a foundation. Whether the others find room is still to
    be asked (``may_leave``, ``may_go_up``).
    """
    par = g.par
    moved = g.rows[o + G_MOVED]
    up = g.rows[o + G_UP]
    bare = g.rows[o + G_BARE]
    on_top = bare & ~up
    unmoved = (par[G_FACE_UP] | bare) & par[G_FULL] & ~up & ~moved
    tops = up & ~(up >> U4) if par[G_BACK] != U0 else U0
    kings = U0
    if free_spaces(g, moved, up) != U0:
        kings = par[G_KINGS] & ((unmoved & ~par[G_BASES]) | tops)
    leavers = children(on_top, U0) & (unmoved | tops)
    return leavers | kings, kings, next_up(up, par[G_FULL]) & on_top


@kernel
def load_ghosts(g: Ghosts, cards: NDArray[np.uint8], shape: NDArray[np.uint8]) -> None:
    """Set the arrays for a deal (the same two arrays as `layout.load`) and forget all verdicts."""
    par = g.par
    par[G_COUNT] = U0
    par[G_NODES] = U0
    par[G_QUERY] = U0
    par[G_GENERATION] += U1
    if par[G_GENERATION] > G_MAX_GENERATION:
        for i in range(g.table.size):
            g.table[i] = U0
        par[G_GENERATION] = U1
    n_columns = np.uint64(shape[0])
    par[G_FACE_UP] = U0
    par[G_BASES] = U0
    place = U0
    tops = U0
    top_places = U0
    tableau = U0
    for column in range(n_columns):
        size = np.uint64(shape[np.uint64(1 + column)])
        down = np.uint64(shape[np.uint64(1 + column) + n_columns])
        for i in range(size):
            card = np.uint64(cards[place])
            bit = U1 << card
            g.place[card] = place
            g.card_at[place] = card
            tableau |= bit
            above = U0
            for j in range(np.uint64(i) + U1, size):
                above |= U1 << np.uint64(cards[place + np.uint64(j) - np.uint64(i)])
            g.dealt_above[card] = above
            if i == 0:
                g.dealt_on[card] = NOTHING
                par[G_BASES] |= bit
            else:
                g.dealt_on[card] = cards[place - U1]
            if np.uint64(i) >= down:
                par[G_FACE_UP] |= bit
            if above == U0:
                tops |= bit
                top_places |= U1 << place
            place += U1
    # A card that starts on a foundation and comes down is a fragment by itself.
    founded = par[G_FULL] & ~tableau
    rest = founded
    while rest != U0:
        card = ctz(rest)
        rest &= rest - U1
        g.place[card] = place
        g.card_at[place] = card
        g.dealt_on[card] = NOTHING
        g.dealt_above[card] = U0
        top_places |= U1 << place
        place += U1
    g.rows[G_MOVED] = U0
    g.rows[G_UP] = founded
    par[G_TOPS] = tops | founded
    g.rows[G_BARE] = tops | founded
    g.rows[G_PLACES] = top_places
