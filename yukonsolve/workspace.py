"""Work arrays of the search: made once a process, grown on demand up to the memory cap."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from yukonsolve.deal import Deal
from yukonsolve.kernels import ghosts, layout
from yukonsolve.kernels.ghost_table import rehash_ghosts
from yukonsolve.kernels.layout import U64Array, Work
from yukonsolve.kernels.table import rehash
from yukonsolve.rules import Rules
from yukonsolve.strategy import ghosts_apply

FIRST_TABLE_ENTRIES = 1 << 13
FIRST_LEVELS = 1 << 9
FIRST_ENTRIES = 1 << 14
FIRST_GHOST_ENTRIES = 1 << 14
NO_LIMIT = 1 << 62
GHOST_LEVELS = 128
"""A line of ghosts has at most two moves a card."""
GHOST_MOVES = 64 * GHOST_LEVELS

RULE_BITS: dict[str, int] = {
    "safe": int(layout.RULE_SAFE),
    "dead-end": int(layout.RULE_DEAD_END),
    "lateral": int(layout.RULE_LATERAL),
    "pair": int(layout.RULE_PAIR),
    "king": int(layout.RULE_KING),
    "landing": int(layout.RULE_LANDING),
    "nested": int(layout.RULE_NESTED),
    "suit-worry": int(layout.RULE_SUIT_WORRY),
    "ghosts": int(layout.RULE_GHOSTS),
}
"""Every pruning rule by name; each can be switched off."""


def _words(count: int) -> U64Array:
    return np.zeros(count, dtype=np.uint64)


class Workspace:
    """The arrays, and the parameters of the rule set in them.

    Parameters
    ----------
    rules : Rules
        A Yukon-family rule set.
    max_bytes : int
        Cap on table and stack together.
    switches : sequence of str, optional
        Pruning rules in force; all of ``RULE_BITS`` by default.
    """

    def __init__(self, rules: Rules, max_bytes: int, switches: Sequence[str] | None = None) -> None:
        self.max_bytes = max_bytes
        self.switches = switches
        rows = _words(FIRST_LEVELS * layout.ROW_WORDS)
        self.work = Work(
            rows=rows,
            row_bytes=rows.view(np.uint8),
            par=_words(layout.PAR_WORDS),
            above=_words(64),
            node_above=_words(64),
            parents_of=_words(64),
            allowed=_words(64),
            hold=_words(64),
            saved=_words(128),
            home=np.zeros(64, dtype=np.uint8),
            table=_words(2 * FIRST_TABLE_ENTRIES),
            entries=_words(FIRST_ENTRIES),
            frames=_words(layout.FRAME_WORDS * FIRST_LEVELS),
            out=_words(1 << 12),
            ghosts=ghosts.Ghosts(
                par=_words(ghosts.G_PAR_WORDS),
                place=np.zeros(64, dtype=np.uint8),
                card_at=np.zeros(64, dtype=np.uint8),
                dealt_on=np.zeros(64, dtype=np.uint8),
                dealt_above=_words(64),
                rows=_words(GHOST_LEVELS * ghosts.G_ROW_WORDS),
                # With worrying back: a list of states, which the table counts too.
                entries=_words(FIRST_GHOST_ENTRIES if rules.worrying_back else GHOST_MOVES),
                frames=_words(2 * GHOST_LEVELS),
                table=_words(FIRST_GHOST_ENTRIES),
            ),
        )
        par = self.work.par
        full = (1 << rules.n_cards) - 1
        par[layout.FULL] = full
        par[layout.SAME_SUIT] = rules.build == "suit"
        par[layout.N_COLUMNS] = rules.n_columns
        par[layout.SPACE_CARDS] = full if rules.spaces == "any" else full & ~(full >> 4)
        par[layout.WORRYING_BACK] = rules.worrying_back
        par[layout.NODE_LIMIT] = NO_LIMIT
        par[layout.SWITCHES] = sum(
            RULE_BITS[name] for name in (RULE_BITS if switches is None else switches)
        )
        par[layout.TABLE_MASK] = FIRST_TABLE_ENTRIES - 1
        ghost_par = self.work.ghosts.par
        ghost_par[ghosts.G_FULL] = full
        ghost_par[ghosts.G_KINGS] = full & ~(full >> 4)
        ghost_par[ghosts.G_COLUMNS] = rules.n_columns
        ghost_par[ghosts.G_BACK] = rules.worrying_back
        ghost_par[ghosts.G_TABLE_MASK] = FIRST_GHOST_ENTRIES - 1
        in_force = bool(int(par[layout.SWITCHES]) & RULE_BITS["ghosts"])
        self.has_ghosts = in_force and ghosts_apply(rules)
        """Whether the ghost game may be asked under these rules."""

        self._first = self.work
        self._most_entries = 0

    def reset(self) -> None:
        """Give grown arrays back, so that each deal starts alike whatever came before it."""
        first = self._first
        if self.work.table is not first.table:
            # Generations may have wrapped while a larger table was in use.
            first.table.fill(0)
            first.par[layout.TABLE_MASK] = FIRST_TABLE_ENTRIES - 1
        first.ghosts.par[ghosts.G_QUERY] = 0
        if self.work.ghosts.table is not first.ghosts.table:
            first.ghosts.table.fill(0)
            first.ghosts.par[ghosts.G_TABLE_MASK] = FIRST_GHOST_ENTRIES - 1
        # A deal that uses a table begins it anew; one that does not has no entries in it.
        first.par[layout.TABLE_COUNT] = 0
        first.ghosts.par[ghosts.G_COUNT] = 0
        self.work = first
        self._most_entries = 0

    @property
    def bytes_used(self) -> int:
        """Bytes of table and stack now."""
        w = self.work
        arrays = (w.table, w.rows, w.entries, w.frames, w.ghosts.table, w.ghosts.entries)
        return sum(array.nbytes for array in arrays)

    @property
    def entries(self) -> int:
        """Most states that were seen in both tables together since `reset`.

        They are looked at when this is read, and before ghosts are dropped.
        """
        par, ghost_par = self.work.par, self.work.ghosts.par
        now = int(par[layout.TABLE_COUNT]) + int(ghost_par[ghosts.G_COUNT])
        return max(self._most_entries, now)

    def grow_table(self) -> bool:
        """Double the table; return whether the cap allowed it."""
        w = self.work
        # Old and new table exist together while entries move over.
        if self.bytes_used + 2 * w.table.nbytes > self.max_bytes:
            return False
        old = w.table
        self.work = w._replace(table=_words(2 * old.size))
        self.work.par[layout.TABLE_MASK] = old.size - 1
        rehash(self.work, old)
        return True

    def grow_ghosts(self) -> bool:
        """Double the table of ghost verdicts; return whether the cap allowed it."""
        g = self.work.ghosts
        old = g.table
        # Old and new arrays exist together while entries move over.
        listed = 2 * old.nbytes if g.par[ghosts.G_BACK] else 0
        if self.bytes_used + 2 * old.nbytes + listed > self.max_bytes:
            return False
        entries = g.entries
        if g.par[ghosts.G_BACK]:
            entries = _words(2 * old.size)
            entries[: g.entries.size] = g.entries
        g = g._replace(table=_words(2 * old.size), entries=entries)
        g.par[ghosts.G_TABLE_MASK] = g.table.size - 1
        rehash_ghosts(g, old)
        self.work = self.work._replace(ghosts=g)
        return True

    def drop_ghosts(self) -> bool:
        """Forget every ghost verdict, give grown arrays back; return whether there were any."""
        self._most_entries = self.entries
        first = self._first.ghosts
        grown = self.work.ghosts.table is not first.table
        first.table.fill(0)
        first.par[ghosts.G_TABLE_MASK] = FIRST_GHOST_ENTRIES - 1
        first.par[ghosts.G_COUNT] = 0
        self.work = self.work._replace(ghosts=first)
        return grown

    def grow_stack(self) -> bool:
        """Double the search stack; return whether the cap allowed it."""
        w = self.work
        if self.bytes_used + w.rows.nbytes + w.entries.nbytes + w.frames.nbytes > self.max_bytes:
            return False
        rows = _words(2 * w.rows.size)
        rows[: w.rows.size] = w.rows
        entries = _words(2 * w.entries.size)
        entries[: w.entries.size] = w.entries
        frames = _words(2 * w.frames.size)
        frames[: w.frames.size] = w.frames
        self.work = w._replace(
            rows=rows, row_bytes=rows.view(np.uint8), entries=entries, frames=frames
        )
        return True

    def room_for_line(self, length: int) -> None:
        """Make sure ``out`` holds a line of so many moves."""
        if self.work.out.size < length:
            self.work = self.work._replace(out=_words(2 * length))


def deal_arrays(deal: Deal) -> tuple[np.ndarray, np.ndarray]:
    """Return a deal as the two byte arrays that the ``load`` kernel reads.

    Examples
    --------
    >>> cards, shape = deal_arrays(Deal(((0, 4), (1,)), (1, 0)))
    >>> cards.tolist(), shape.tolist()
    ([0, 4, 1], [2, 2, 1, 1, 0, 0, 0, 0, 0])
    """
    cards = np.array([card for column in deal.columns for card in column], dtype=np.uint8)
    shape = np.array(
        [len(deal.columns), *map(len, deal.columns), *deal.face_down, *deal.foundations],
        dtype=np.uint8,
    )
    return cards, shape
