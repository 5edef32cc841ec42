"""Klondike state: what is stored, why that is enough, and the exact key.

A card is in one of five conditions: **hidden** (at its dealt place under another dealt card),
**base** (the face-up end of what is left of a column as dealt), in the **stock**, **free** (on the
tableau, away from its dealt place) or **up** (on its foundation). Free and up cards together are
*loose*. A state stores the hidden, base, stock and up sets as bit masks, and the place in the
stock. It does not store where the free cards lie.

*Why the arrangement may be forgotten.* Take the possible parents of a card: the two cards of the
next rank and the other colour, or with same-suit building the one card of the next rank. Call a
set of possible parents with its possible children a *level*, ``nv`` the number of parents that are
visible (base or free) and ``nf`` the number of free children.

* Kings only to spaces. Every free card that is no king lies on a visible parent, so ``nf <= nv``.
  Some parent is bare exactly when ``nf < nv``, and then any parent of the level can be made the
  bare one: the run on it goes over to the bare one, which turns nothing and can be taken back.
  So in every arrangement the same cards can be bared, can land, and can go up; a base card moves
  with whatever lies on it; empty columns = columns without base less free kings. All arrangements
  with the same stored state therefore allow the same moves to the same stored states: forgetting
  them is exact (a bisimulation), with worrying back or without.
* Any card to spaces. A free card may also lie on the table. The columns without base must hold at
  least the free kings and ``max(0, nf - nv)`` cards of each level; every arrangement can be brought
  down to this least number by putting runs that lie on the table on bare parents. With a column to
  spare any run may be lifted off, so any visible card can be bared and any card can land (on the
  table, or on its parent once that is bared: the same stored state). Without one, ``nf < nv``
  decides as before. Exact again. A base card with nothing under it *is* a free card on the table.
* Same-suit building is the same with levels of one parent and one child.

A king with nothing under it is free as well: its column is as good as any. Face-up cards of a
given position that lie on the wrong card count as bases and hidden cards like any others; those
that lie on a right one are free (``RIDES`` when they come to light together with their base).

**Loosening.** A base or stock card that moves becomes loose for good. Everything else that can
happen moves loose cards up and down, which changes the four foundation heights and nothing else.
Hence the search goes from one *grid* of heights to the next (``klondike_grid.py``), each step
loosens one card more, and the graph of the search has no cycles.

**Key.** Cards loosened of each column, stock cards left, waste size, pass and the four heights, in
mixed radix: one word, exact, so that a hit in the table is a proof.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1, popcount
from yukonsolve.kernels.layout import U64Array

# A frame: the state at one level of the search, and its moves still to try.
HIDDEN = np.uint64(0)
BASE = np.uint64(1)
STOCK = np.uint64(2)
"""Cards in stock and waste."""
LEFT = np.uint64(3)
"""The same as places in the order of the stock at the start."""
WASTE = np.uint64(4)
"""Cards in the waste."""
PASS = np.uint64(5)
"""Redeals so far."""
CONFIG = np.uint64(6)
"""The key's part for columns and stock cards."""
UP = np.uint64(7)
END = np.uint64(8)
"""End of the level's moves in ``entries``."""
START = np.uint64(9)
MOVE = np.uint64(10)
"""The move that leads on to the next level."""
MOVE_UP = np.uint64(11)
FRAME = np.uint64(12)
FRAME_WORDS = 12
MAX_LEVELS = 64
"""Every level loosens a card."""

# Parameters and registers.
FULL = np.uint64(0)
KINGS = np.uint64(1)
SAME_SUIT = np.uint64(2)
ANY_SPACES = np.uint64(3)
WORRYING_BACK = np.uint64(4)
N_COLUMNS = np.uint64(5)
DRAW = np.uint64(6)
LAST_PASS = np.uint64(7)
"""Redeals allowed; ``UNLIMITED_PASSES`` for no limit."""
SWITCHES = np.uint64(8)
LEVEL = np.uint64(9)
NODES = np.uint64(10)
TABLE_MASK = np.uint64(11)
TABLE_COUNT = np.uint64(12)
STAMP = np.uint64(13)
MEMBERS = np.uint64(14)
"""Out: size of the grid last explored."""
WASTE_WEIGHT = np.uint64(15)
PASS_WEIGHT = np.uint64(16)
HEIGHT_WEIGHTS = np.uint64(17)
"""Four words."""
RANDOM = np.uint64(21)
"""State of the random numbers that shuffle the moves; 0 for no shuffling."""
KEY = np.uint64(22)
"""Out: the exact key of the grid last entered."""
TALON = np.uint64(23)
"""Cards in stock and waste at the start."""
COLUMN_RADIX = np.uint64(24)
"""The key's radix for the columns together."""
GHOST_ON = np.uint64(25)
"""Whether states are looked up in the ghost game."""
GHOST_NODES = np.uint64(26)
GHOST_LIMIT = np.uint64(27)
GHOST_STAMP = np.uint64(28)
GHOST_COUNT = np.uint64(29)
WASTE_BITS = np.uint64(30)
"""Bits of a table entry that say which wastes were searched; 0: the waste is part of the key."""
PAR_WORDS = 40

UNLIMITED_PASSES = np.uint64(1 << 32)
NO_CARD = np.uint64(63)

RULE_SAFE = np.uint64(1)
RULE_SPACE = np.uint64(2)
RULE_DEAD_END = np.uint64(4)
RULE_LAST = np.uint64(8)
RULE_WASTE = np.uint64(16)
RULE_GHOSTS = np.uint64(32)


class KWork(NamedTuple):
    """Work arrays of one search; made once a process and handed to every kernel."""

    par: U64Array
    under: U64Array
    """Per card: the base that comes to light when this base leaves, or ``NO_CARD``."""
    rides: U64Array
    """Per card: free cards lying on it when it comes to light."""
    weight: U64Array
    """Per card: what its loosening adds to the key."""
    place: U64Array
    """Per card: its place in the order of the stock."""
    order: U64Array
    """Per place in the stock: its card."""
    need: U64Array
    """Per card: what must be up for the safe rule."""
    need_no_return: U64Array
    """The same for the rule that holds when nothing comes back."""
    frames: U64Array
    entries: U64Array
    """Two words a move: the packed move, and the cards up after it."""
    table: U64Array
    grid: U64Array
    """Members of the grid being explored, as sets of cards up."""
    landings: U64Array
    """Per member: base and stock cards that can land."""
    lifts: U64Array
    """Per member: base and stock cards that can go up."""
    stamps: U64Array
    """Per packed heights: stamp of the last grid it was in, and its place there."""
    came_from: U64Array
    ghost_frames: U64Array
    ghost_entries: U64Array
    verdicts: U64Array
    """Hash table of what is known about states of the ghost game."""
    out: U64Array


@kernel
def key_of(w: KWork, o: np.uint64, up: np.uint64) -> np.uint64:
    """Return the exact key of the frame at word ``o`` with these cards up."""
    par = w.par
    key = w.frames[o + CONFIG]
    key += w.frames[o + WASTE] * par[WASTE_WEIGHT] + w.frames[o + PASS] * par[PASS_WEIGHT]
    packed = heights(up)
    nibble = np.uint64(0xF)
    key += (packed & nibble) * par[HEIGHT_WEIGHTS]
    key += (packed >> np.uint64(4) & nibble) * par[HEIGHT_WEIGHTS + U1]
    key += (packed >> np.uint64(8) & nibble) * par[HEIGHT_WEIGHTS + np.uint64(2)]
    key += (packed >> np.uint64(12)) * par[HEIGHT_WEIGHTS + np.uint64(3)]
    return key


SUIT_ONES = np.uint64(0x1111111111111)


@kernel
def heights(up: np.uint64) -> np.uint64:
    """Return the four foundation heights, four bits each."""
    # Each suit's cards up are a prefix, so their number is where the next one lies.
    one = popcount(up & SUIT_ONES)
    two = popcount(up & (SUIT_ONES << U1))
    three = popcount(up & (SUIT_ONES << np.uint64(2)))
    four = popcount(up & (SUIT_ONES << np.uint64(3)))
    return one | two << np.uint64(4) | three << np.uint64(8) | four << np.uint64(12)


@kernel
def loosen(w: KWork, o: np.uint64, card: np.uint64, waste: np.uint64, redeals: np.uint64) -> None:
    """Make a base or stock card loose in the frame at word ``o``.

    ``waste`` and ``redeals`` are the place in the stock afterwards; for base cards they are unused.
    """
    f = w.frames
    bit = U1 << card
    f[o + CONFIG] += w.weight[card]
    if f[o + BASE] & bit != U0:
        f[o + BASE] ^= bit
        under = w.under[card]
        if under != NO_CARD:
            below = U1 << under
            f[o + HIDDEN] &= ~(below | w.rides[under])
            if w.under[under] != NO_CARD or not lies_free(w, below):
                f[o + BASE] |= below
        return
    f[o + STOCK] ^= bit
    f[o + LEFT] ^= U1 << w.place[card]
    f[o + WASTE] = waste
    f[o + PASS] = redeals


@kernel
def lies_free(w: KWork, bit: np.uint64) -> bool:
    """Whether this card counts as free when it lies on the table."""
    return w.par[ANY_SPACES] != U0 or bit & w.par[KINGS] != U0
