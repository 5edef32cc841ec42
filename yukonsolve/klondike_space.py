"""Work arrays of the Klondike search, and how a deal gets into them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from yukonsolve.board import can_build
from yukonsolve.deal import Deal
from yukonsolve.kernels import klondike_layout as layout
from yukonsolve.kernels.klondike_layout import KWork
from yukonsolve.kernels.klondike_table import rehash
from yukonsolve.kernels.layout import U64Array
from yukonsolve.position import start
from yukonsolve.rules import UNLIMITED, Rules

FIRST_TABLE_ENTRIES = 1 << 12
FIRST_ENTRIES = 1 << 16
MOST_MEMBERS = 14**4 + 1
VERDICTS = 1 << 17
NO_CARD = int(layout.NO_CARD)

RULE_BITS: dict[str, int] = {
    "safe": int(layout.RULE_SAFE),
    "space": int(layout.RULE_SPACE),
    "dead-end": int(layout.RULE_DEAD_END),
    "last": int(layout.RULE_LAST),
    "waste": int(layout.RULE_WASTE),
    "ghosts": int(layout.RULE_GHOSTS),
}
"""Every pruning rule by name; each can be switched off."""


class KeyTooLongError(ValueError):
    """The exact key of a position would not fit into one word: a stock far above 24 cards."""


def _words(count: int) -> U64Array:
    return np.zeros(count, dtype=np.uint64)


class KlondikeSpace:
    """The arrays, and the parameters of the rule set in them.

    Parameters
    ----------
    rules : Rules
        A Klondike-family rule set.
    max_bytes : int
        Cap on table and stack together.
    switches : sequence of str, optional
        Pruning rules in force; all of ``RULE_BITS`` by default.
    """

    def __init__(self, rules: Rules, max_bytes: int, switches: Sequence[str] | None = None) -> None:
        self.rules = rules
        self.max_bytes = max_bytes
        self.work = KWork(
            par=_words(layout.PAR_WORDS),
            under=_words(64),
            rides=_words(64),
            weight=_words(64),
            place=_words(64),
            order=_words(64),
            need=_words(64),
            need_no_return=_words(64),
            frames=_words(layout.MAX_LEVELS * layout.FRAME_WORDS),
            entries=_words(FIRST_ENTRIES),
            table=_words(FIRST_TABLE_ENTRIES),
            grid=_words(MOST_MEMBERS),
            landings=_words(MOST_MEMBERS),
            lifts=_words(MOST_MEMBERS),
            stamps=_words(1 << 16),
            came_from=_words(MOST_MEMBERS),
            ghost_frames=_words(layout.MAX_LEVELS * 8),
            ghost_entries=_words(1 << 17),
            verdicts=_words(VERDICTS),
            out=_words(256),
        )
        par = self.work.par
        full = (1 << rules.n_cards) - 1
        par[layout.FULL] = full
        par[layout.KINGS] = full & ~(full >> 4)
        par[layout.SAME_SUIT] = rules.build == "suit"
        par[layout.ANY_SPACES] = rules.spaces == "any"
        par[layout.WORRYING_BACK] = rules.worrying_back
        par[layout.N_COLUMNS] = rules.n_columns
        par[layout.DRAW] = rules.draw
        par[layout.SWITCHES] = sum(
            RULE_BITS[name] for name in (RULE_BITS if switches is None else switches)
        )
        par[layout.TABLE_MASK] = FIRST_TABLE_ENTRIES - 1
        self._fill_needs(rules)
        self._first = self.work

    def _fill_needs(self, rules: Rules) -> None:
        if rules.build == "suit":
            return
        for card in range(52):
            rank, suit = card >> 2, card & 3
            opposite = (1, 2) if suit in (0, 3) else (0, 3)
            need = 0
            if rank >= 2:
                need |= sum(1 << 4 * (rank - 2) + other for other in opposite)
            if rank >= 3:
                need |= 1 << 4 * (rank - 3) + (suit ^ 3)
            self.work.need[card] = need
            if rank >= 1:
                self.work.need_no_return[card] = sum(
                    1 << 4 * (rank - 1) + other for other in opposite
                )

    def load(self, deal: Deal) -> None:
        """Put a deal, or any position in its first pass, into frame 0; empty the table.

        Raises
        ------
        KeyTooLongError
            If the exact key would not fit into one word.
        """
        position = start(deal, self.rules)
        first = self._first
        self.work = first
        first.table.fill(0)
        par = first.par
        par[layout.TABLE_MASK] = FIRST_TABLE_ENTRIES - 1
        par[layout.TABLE_COUNT] = 0
        par[layout.NODES] = 0
        kings = int(par[layout.KINGS])
        hidden = base = config = 0
        radix = 1
        for column, down in zip(position.columns, position.face_down, strict=True):
            steps, hides, shown = self._load_column(column, down, radix, kings)
            hidden |= hides
            base |= shown
            radix *= steps + 1
        par[layout.COLUMN_RADIX] = radix
        order = position.waste + position.stock
        stock = left = 0
        for place, card in enumerate(order):
            stock |= 1 << card
            left |= 1 << place
            first.place[card] = place
            first.order[place] = card
            first.weight[card] = radix << place
        par[layout.TALON] = stock
        self._new_ghosts(radix)
        radix <<= len(order)
        waste, draw = len(position.waste), self.rules.draw
        passes = self.rules.passes
        unlimited = passes == UNLIMITED or passes > len(order)
        if unlimited and (waste % draw == 0 or waste == len(order)):
            waste = 0
        par[layout.LAST_PASS] = layout.UNLIMITED_PASSES if unlimited else passes - 1
        bits = self._waste_bits(radix, len(order), unlimited)
        par[layout.WASTE_BITS] = bits
        weights = []
        for size in (
            1 if bits else len(order) + 1,
            1 if unlimited else passes,
            *(self.rules.n_ranks + 1,) * 4,
        ):
            # A part of one value weighs nothing.
            weights.append(radix if size > 1 else 0)
            radix *= size
        if radix >= 1 << 64:
            raise KeyTooLongError(f"{len(order)} stock cards are too many for the exact key")
        par[layout.WASTE_WEIGHT : layout.WASTE_WEIGHT + np.uint64(6)] = weights
        up = sum(
            1 << 4 * rank + suit
            for suit, height in enumerate(position.foundations)
            for rank in range(height)
        )
        first.frames[:9] = [hidden, base, stock, left, waste, 0, config, up, 0]

    def _waste_bits(self, radix: int, n_stock: int, unlimited: bool) -> int:
        """Return how many bits say which wastes were searched; 0 if they do not fit or help."""
        draw = self.rules.draw
        wanted = int(self.work.par[layout.SWITCHES]) & RULE_BITS["waste"]
        if not (wanted and unlimited and 1 < draw <= n_stock):
            return 0
        bits = (draw - 1) * (n_stock // draw + 1).bit_length()
        largest = radix * (self.rules.n_ranks + 1) ** 4 + 1
        return bits if largest << bits < 1 << 64 else 0

    def _new_ghosts(self, columns: int) -> None:
        """Forget the verdicts on the ghost game, and say whether it can be played at all."""
        par = self.work.par
        par[layout.GHOST_NODES] = par[layout.GHOST_COUNT] = par[layout.GHOST_ON] = 0
        par[layout.GHOST_STAMP] += np.uint64(1)
        if int(par[layout.GHOST_STAMP]) >> 22:
            self.work.verdicts.fill(0)
            par[layout.GHOST_STAMP] = 1
        playable = self.rules.spaces == "kings" and columns * 14**4 < 1 << 40
        self.ghosts = playable and bool(int(par[layout.SWITCHES]) & RULE_BITS["ghosts"])
        par[layout.GHOST_LIMIT] = 1_000_000

    def _load_column(
        self, column: Sequence[int], down: int, weight: int, kings: int
    ) -> tuple[int, int, int]:
        """Return steps to loosen a column, its hidden cards, and its base (as a set)."""
        w = self.work
        any_card = self.rules.spaces == "any"
        hidden = base = steps = 0
        lowest = int(layout.NO_CARD)
        place = 0
        while place < len(column):
            card = column[place]
            riders = 0
            top = place + 1
            while (
                top < len(column)
                and place >= down
                and can_build(column[top], column[top - 1], self.rules)
            ):
                riders |= 1 << column[top]
                top += 1
            w.under[card] = lowest
            w.rides[card] = riders
            w.weight[card] = weight
            hidden |= 1 << card | riders
            base = 1 << card
            if place or not (any_card or base & kings):
                steps += 1
            lowest = card
            place = top
        if not column:
            return 0, 0, 0
        hidden &= ~(base | int(w.rides[lowest]))
        if int(w.under[lowest]) == NO_CARD and (any_card or base & kings):
            base = 0
        return steps, hidden, base

    @property
    def bytes_used(self) -> int:
        """Bytes of table and stack now."""
        return self.work.table.nbytes + self.work.entries.nbytes

    def grow_table(self) -> bool:
        """Double the table; return whether the cap allowed it."""
        w = self.work
        # Old and new table exist together while entries move over.
        if self.bytes_used + 2 * w.table.nbytes > self.max_bytes:
            return False
        old = w.table
        self.work = w._replace(table=_words(2 * old.size))
        self.work.par[layout.TABLE_MASK] = 2 * old.size - 1
        rehash(self.work, old)
        return True

    def grow_stack(self) -> bool:
        """Double the room for moves; return whether the cap allowed it."""
        w = self.work
        if self.bytes_used + 2 * w.entries.nbytes > self.max_bytes:
            return False
        entries = _words(2 * w.entries.size)
        entries[: w.entries.size] = w.entries
        self.work = w._replace(entries=entries)
        return True
