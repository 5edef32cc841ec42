"""Tiny Klondike positions, and an engine for each rule set without compiling twice."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from yukonsolve import rulebook
from yukonsolve.cards import parse_card
from yukonsolve.deal import Deal, deal_from_deck
from yukonsolve.klondike import KlondikeEngine
from yukonsolve.rules import Rules
from yukonsolve.verdict import Limits, Verdict

DATA = Path(__file__).parent / "data"


def tiny_rules(
    n_ranks: int = 3,
    n_columns: int = 3,
    draw: int = 1,
    passes: int = 0,
    build: str = "alternate",
    spaces: str = "kings",
    worrying_back: bool = True,
) -> Rules:
    """Klondike rules for tiny positions; the shape is not used to deal."""
    down, up = (0,) * n_columns, (1,) * n_columns
    return Rules(
        "tiny", "klondike", build, spaces, worrying_back, draw, passes,
        n_ranks=n_ranks, n_columns=n_columns, face_down=down, face_up=up,
    )  # fmt: skip


def random_position(
    rng: random.Random, n_ranks: int, n_columns: int, most_talon: int = 7, wild: bool = False
) -> Deal:
    """A tiny position: stock, waste, foundations, columns of any shape.

    ``wild``: face-up cards need not be built runs.
    """
    heights = [0] * 4
    if rng.random() < 0.4:
        heights = [min(rng.choice([0, 0, 1, 1, 2]), n_ranks - 1) for _ in range(4)]
    cards = [4 * r + s for s in range(4) for r in range(heights[s], n_ranks)]
    rng.shuffle(cards)
    talon = rng.randint(0, min(most_talon, len(cards)))
    stock, cards = cards[:talon], cards[talon:]
    drawn = rng.randint(0, talon) if rng.random() < 0.5 else 0
    cuts = sorted(rng.randrange(len(cards) + 1) for _ in range(n_columns - 1))
    columns = [tuple(cards[a:b]) for a, b in zip([0, *cuts], [*cuts, len(cards)], strict=True)]
    down = [len(c) - 1 if c else 0 for c in columns]
    if wild:
        down = [rng.randint(0, d) for d in down]
    return Deal(
        tuple(columns), tuple(down), tuple(stock[drawn:]), tuple(stock[:drawn]), tuple(heights)
    )


_ENGINES: dict[tuple[Rules, tuple[str, ...] | None, int], KlondikeEngine] = {}


def engine(
    rules: Rules, switches: Sequence[str] | None = None, ghosts_after: int = 0
) -> KlondikeEngine:
    """An engine made once; by default it asks the ghost game from the first state on."""
    key = (rules, None if switches is None else tuple(switches), ghosts_after)
    if key not in _ENGINES:
        limits = Limits(max_nodes=2_000_000)
        _ENGINES[key] = KlondikeEngine(rules, limits, switches, ghosts_after)
    return _ENGINES[key]


def decide(
    deal: Deal, rules: Rules, switches: Sequence[str] | None = None, ghosts_after: int = 0
) -> bool:
    """Decide with the engine; a win is replayed."""
    result = engine(rules, switches, ghosts_after).search(deal)
    assert result.verdict is not Verdict.UNDECIDED, (deal, rules, result)
    if result.moves is not None:
        assert rulebook.is_won(rulebook.replay(deal, rules, result.moves), rules)
    return result.verdict is Verdict.SOLVABLE


def reference_deals(rules: Rules, name: str = "klondike.csv") -> Iterator[tuple[Deal, dict]]:
    """The reference deals, each with its row."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            deck = row["cards"]
            cards = tuple(parse_card(deck[i : i + 2]) for i in range(0, 104, 2))
            yield deal_from_deck(cards, rules), row
