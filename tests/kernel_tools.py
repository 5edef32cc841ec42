"""Look into the kernels from Python: rows as positions, tiny decks, single refutations."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from yukonsolve.deal import Deal
from yukonsolve.kernels import expand, layout, probes, search
from yukonsolve.kernels.moves import copy_row
from yukonsolve.rules import Rules
from yukonsolve.strategy import Strategy, Try
from yukonsolve.workspace import Workspace, deal_arrays

U = np.uint64
ALL_PROBES = probes.PROBE_ALL
NESTED = probes.PROBE_NESTED
EVERY_RULE = Strategy(10**7, (), (Try(10**7, 300, ALL_PROBES, ALL_PROBES | NESTED, probe_after=0),))
"""Every rule at every state, in one search: the hardest test of soundness."""


class Kernel:
    """One workspace, and the state in its row 0."""

    def __init__(self, rules: Rules, switches: Sequence[str] | None = None) -> None:
        self.rules = rules
        self.space = Workspace(rules, 1 << 30, switches)

    def load(self, deal: Deal) -> None:
        layout.load(self.space.work, *deal_arrays(deal))

    def key(self, row: int = 0) -> tuple[int, int]:
        words = self.space.work.rows[row * layout.ROW_WORDS :]
        return int(words[0]), int(words[1])

    def position(self, row: int = 0) -> tuple[object, tuple[int, ...]]:
        """Columns (cards, face-down count) in sorted order, and the foundations."""
        w = self.space.work
        words = [int(x) for x in w.rows[row * layout.ROW_WORDS : (row + 1) * layout.ROW_WORDS]]
        first_byte = row * layout.ROW_WORDS * 8
        below = w.row_bytes[first_byte + int(layout.BELOW) :][:52]
        ends, face_up, tableau = (
            words[int(i)] for i in (layout.ENDS, layout.FACE_UP, layout.TABLEAU)
        )
        columns = []
        for card in range(52):
            if ends >> card & 1:
                column = [card]
                while below[column[-1]] != int(layout.TABLE):
                    column.append(int(below[column[-1]]))
                column.reverse()
                down = sum(1 for c in column if not face_up >> c & 1)
                assert not any(face_up >> c & 1 for c in column[:down])
                columns.append((tuple(column), down))
        assert sum(len(c) for c, _ in columns) == tableau.bit_count()
        columns += [((), 0)] * (self.rules.n_columns - len(columns))
        full = (1 << self.rules.n_cards) - 1
        up = full & ~tableau
        heights = tuple(sum(up >> (4 * r + s) & 1 for r in range(13)) for s in range(4))
        packed = words[int(layout.KEY1)] >> int(layout.HEIGHTS)
        assert heights == tuple(packed >> 4 * s & 15 for s in range(4))
        return tuple(sorted(columns)), heights

    def successors(self) -> list[int]:
        """Packed moves that lead from row 0 to states not refuted."""
        w = self.space.work
        search.new_generation(w)
        end = int(expand.expand(w, U(0), U(0)))
        return [int(e) for e in w.entries[:end]]

    def child(self, entry: int) -> None:
        """Put the successor of row 0 by a packed move into row 1."""
        w = self.space.work
        copy_row(w, U(0))
        expand.do_packed(w, U(layout.ROW_WORDS), U(entry))

    def refutes(self, deal: Deal, questions: int) -> bool:
        """Whether the dead-end test with these probes calls the position dead."""
        self.load(deal)
        w = self.space.work
        layout.columns_above(w, U(0), w.above)
        return int(probes.probe(w, U(0), U(questions))) == 0


def as_position(columns: Sequence, face_down: Sequence[int], foundations: Sequence[int]):
    """The rule book's position in the form of `Kernel.position`."""
    piles = ((tuple(c), int(d)) for c, d in zip(columns, face_down, strict=True))
    return tuple(sorted(piles)), tuple(foundations)


def random_deal(rng: random.Random, n_ranks: int, n_columns: int) -> Deal:
    """A tiny deal of any shape, empty columns included."""
    n = 4 * n_ranks
    cards = list(range(n))
    rng.shuffle(cards)
    cuts = sorted(rng.randrange(n + 1) for _ in range(n_columns - 1))
    columns = tuple(tuple(cards[a:b]) for a, b in zip([0, *cuts], [*cuts, n], strict=True))
    return Deal(columns, tuple(rng.randrange(len(c)) if c else 0 for c in columns))


def rules_for(
    deal: Deal, build: str = "alternate", spaces: str = "kings", worrying_back: bool = False
) -> Rules:
    """Yukon-family rules for a deck of exactly this deal's size and shape."""
    n_cards = sum(map(len, deal.columns)) + sum(deal.foundations)
    n_ranks = n_cards // 4
    n_columns = len(deal.columns)
    # The shape is only for laying out decks; positions bring their own columns.
    up = [0] * n_columns
    up[0] = 4 * n_ranks
    return Rules(
        "tiny", "yukon", build, spaces, worrying_back, 0, 0,
        n_ranks=n_ranks, n_columns=n_columns, face_down=(0,) * n_columns, face_up=tuple(up),
    )  # fmt: skip
