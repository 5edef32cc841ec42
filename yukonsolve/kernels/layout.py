"""Yukon-family state: array layout, loading, the exact key.

**State.** In Yukon and Russian any face-up card moves with everything on it, so a column is a
chain of "lies on" links and a move re-hangs one link. A state is one row of ``ROW`` 64-bit words:

====================  ==========================================================================
``KEY0, KEY1``        the exact key (below)
``ENDS``              uncovered cards of the columns
``FACE_UP``           face-up cards on the tableau
``TABLEAU``           cards not on a foundation
``BASES``             cards that lie on the table itself; columns without one are empty
bytes ``BELOW + c``   what card c lies on: a card, ``TABLE``, or ``GONE`` when founded
bytes ``ABOVE + c``   what lies on card c, or ``TABLE`` (= nothing)
====================  ==========================================================================

**Key.** Two bits a card say what it lies on: 0 its dealt place (or founded: the heights tell), 1
or 2 the first or second card it may be built on, 3 the table of a column that had been empty.
Cards 0..31 fill ``KEY0``, cards 32..51 the low 40 bits of ``KEY1``; foundation heights are the
next 16 bits.

*Why it is exact.* A face-up card can only lie where it was dealt, on one of at most two cards, or
on the table, so codes and heights give back every link. A card is face down exactly when it was
dealt so and what was dealt on it still lies there with code 0; hence a card that comes back to a
card that was dealt face down takes code 1 or 2, and one that comes back to a card dealt face up
takes 0 again. A card dealt on the table has code 0 whenever it lies on the table. Column order
never enters.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1, U2, U3, U4, ctz, parents
from yukonsolve.kernels.ghosts import Ghosts

U8 = np.uint64(8)

KEY0 = np.uint64(0)
KEY1 = np.uint64(1)
ENDS = np.uint64(2)
FACE_UP = np.uint64(3)
TABLEAU = np.uint64(4)
BASES = np.uint64(5)
BELOW = np.uint64(48)
ABOVE = np.uint64(104)
ROW = np.uint64(20)
ROW_WORDS = 20

GONE = np.uint64(61)
FOUNDATION = np.uint64(62)
TABLE = np.uint64(63)
NO_CARD = np.uint64(63)

KEY_SPLIT = np.uint64(32)
HEIGHTS = np.uint64(40)

# Parameters and registers, in ``Work.par``.
SAME_SUIT = np.uint64(0)
N_COLUMNS = np.uint64(1)
FULL = np.uint64(2)
SPACE_CARDS = np.uint64(3)
"""Mask of the cards that may fill an empty column: the kings, or every card."""
WORRYING_BACK = np.uint64(4)
SWITCHES = np.uint64(5)
"""Bit set of the pruning rules in force (``RULE_...``)."""
GENERATION = np.uint64(6)
TABLE_COUNT = np.uint64(7)
TABLE_MASK = np.uint64(8)
LEVEL = np.uint64(9)
NODES = np.uint64(10)
RANDOM = np.uint64(11)
NOISE = np.uint64(12)
VALUE = np.uint64(13)
"""Out: the value of the last relaxation (sum over cards of the round in which they go up)."""
WAIT = np.uint64(14)
HOLD = np.uint64(15)
KINGS_WAIT = np.uint64(16)
FIRST_KING = np.uint64(17)
SINGLE = np.uint64(18)
"""Out: cards that first landed in the last relaxation while one of their parents was open."""
REACHED = np.uint64(19)
"""Out: cards that the last relaxation put up."""
QUESTIONS = np.uint64(20)
"""Out: relaxations run by the probes so far."""
NODE_LIMIT = np.uint64(21)
"""What ``NODES`` may reach in this try: questions to the ghost game must not go beyond it."""
WEIGHTS = np.uint64(24)
"""Ordering weights, four words: reveal, foundation, empty column, value."""
PROBE_AFTER = np.uint64(28)
"""Subtree sizes at which a state is probed, plainly and (next word) nested; 0: at every state."""
PAR_WORDS = 40

# A level's frame, in ``Work.frames``.
FRAME = np.uint64(5)
FRAME_WORDS = 5
FIRST = np.uint64(1)
"""Start of the level's moves in ``entries``; word 0 is their end."""
ENTRY = np.uint64(2)
"""The move that led to the level."""
BEGUN = np.uint64(3)
"""``NODES`` when the level was entered."""
ASKED = np.uint64(4)
"""How many times the level's state has been probed."""

RULE_SAFE = np.uint64(1)
RULE_DEAD_END = np.uint64(2)
RULE_LATERAL = np.uint64(4)
RULE_PAIR = np.uint64(8)
RULE_KING = np.uint64(16)
RULE_LANDING = np.uint64(32)
RULE_NESTED = np.uint64(64)
RULE_SUIT_WORRY = np.uint64(128)
RULE_GHOSTS = np.uint64(256)

U64Array = NDArray[np.uint64]


class Work(NamedTuple):
    """Work arrays of one search; made once a process and handed to every kernel."""

    rows: U64Array
    """State rows, one a level."""
    row_bytes: NDArray[np.uint8]
    """The same memory as bytes."""
    par: U64Array
    above: U64Array
    """Scratch: the set of cards lying above each card, for the state being tested."""
    node_above: U64Array
    """The same for the node being expanded."""
    parents_of: U64Array
    """Cards each card may be built on."""
    allowed: U64Array
    """Probes: the same less the landings struck out."""
    hold: U64Array
    """Probes: for each card, the landings on it that must be over before it goes up."""
    saved: U64Array
    """Probes: conditions kept while a question is asked inside another."""
    home: NDArray[np.uint8]
    """What each card was dealt on, if landing there again restores its dealt place."""
    table: U64Array
    """Transposition table: two words an entry."""
    entries: U64Array
    """Stack of moves still to try."""
    frames: U64Array
    """Frames, one a level."""
    out: U64Array
    ghosts: Ghosts
    """The ghost game of the same deal."""


@kernel
def columns_above(w: Work, o: np.uint64, above: U64Array) -> None:
    """Fill ``above[c]`` with the set of cards lying above each tableau card."""
    below = o * U8 + BELOW
    ends = w.rows[o + ENDS]
    while ends != U0:
        card = ctz(ends)
        ends &= ends - U1
        stack = U0
        while card != TABLE:
            above[card] = stack
            stack |= U1 << card
            card = np.uint64(w.row_bytes[below + card])


@kernel
def code_of(w: Work, card: np.uint64, under: np.uint64) -> np.uint64:
    """Return the two-bit code of a card lying on ``under``."""
    if np.uint64(w.home[card]) == under:
        return U0
    if under == TABLE:
        return U3
    return U1 + ((under & U3) >> U1)


@kernel
def load(w: Work, cards: NDArray[np.uint8], shape: NDArray[np.uint8]) -> None:
    """Fill row 0 and ``home`` from a deal.

    ``cards`` holds the columns one after another, bottom first; ``shape`` the column count, then
    each column's size, then each column's face-down count, then the four foundation heights.
    """
    full = w.par[FULL]
    n_columns = np.uint64(shape[0])
    for i in range(ROW_WORDS):
        w.rows[i] = U0
    for i in range(52):
        w.row_bytes[BELOW + np.uint64(i)] = GONE
        w.row_bytes[ABOVE + np.uint64(i)] = TABLE
        w.home[i] = FOUNDATION
        w.parents_of[i] = parents(U1 << np.uint64(i), w.par[SAME_SUIT]) & full
    place = U0
    ends = U0
    face_up = U0
    tableau = U0
    bases = U0
    for column in range(n_columns):
        size = np.uint64(shape[np.uint64(1 + column)])
        down = np.uint64(shape[np.uint64(1 + column) + n_columns])
        under = TABLE
        for i in range(size):
            card = np.uint64(cards[place])
            place += U1
            w.row_bytes[BELOW + card] = under
            if under == TABLE:
                bases |= U1 << card
                w.home[card] = TABLE
            else:
                w.row_bytes[ABOVE + under] = card
                # A card dealt on a face-down card can never be "back at its place".
                w.home[card] = under if np.uint64(i) > down else FOUNDATION
            tableau |= U1 << card
            if np.uint64(i) >= down:
                face_up |= U1 << card
            under = card
        if under != TABLE:
            ends |= U1 << under
    heights = U0
    for suit in range(4):
        heights |= np.uint64(shape[U1 + U2 * n_columns + np.uint64(suit)]) << (U4 * np.uint64(suit))
    w.rows[KEY1] = heights << HEIGHTS
    w.rows[ENDS] = ends
    w.rows[FACE_UP] = face_up
    w.rows[TABLEAU] = tableau
    w.rows[BASES] = bases
