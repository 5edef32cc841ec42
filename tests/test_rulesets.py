from __future__ import annotations

import random
from dataclasses import asdict, replace
from itertools import product

import pytest
from klondike_tools import random_position, tiny_rules

from yukonsolve.deal import Deal
from yukonsolve.numbering import NUMBERINGS, deck_of_number
from yukonsolve.rulebook import solve_small
from yukonsolve.rules import PRESETS, preset
from yukonsolve.rulesets import (
    is_looser,
    json_rules,
    rules_from_values,
    same_cards,
    title,
)

CHOICES = [
    replace(tiny_rules(draw=draw, passes=passes), build=build, spaces=spaces, worrying_back=back)
    for draw, passes, build, spaces, back in product(
        (1, 2, 3), (0, 1, 2), ("alternate", "suit"), ("kings", "any"), (False, True)
    )
]
SEEDS = (84, 111, 135, 155, 320)
"""Of deals that some of these rules win and some lose, small enough to search under all."""


def tiny_deal(seed: int) -> Deal:
    return random_position(random.Random(seed), 3, 3, most_talon=6)


@pytest.fixture(scope="module")
def won() -> list[set[int]]:
    """For each of some tiny deals: which rule sets win it, by the rule book's whole search."""
    deals = [tiny_deal(seed) for seed in SEEDS]
    found = [{i for i, rules in enumerate(CHOICES) if solve_small(d, rules)} for d in deals]
    assert all(0 < len(wins) < len(CHOICES) for wins in found)
    return found


def test_looser_rules_win_whatever_stricter_ones_win(won):
    for (i, a), (j, b) in product(enumerate(CHOICES), repeat=2):
        if is_looser(a, b):
            assert all(i in wins for wins in won if j in wins), f"{title(a)} / {title(b)}"


def test_what_is_not_called_looser_loses_a_win_somewhere(won):
    """Each refusal of a step rests on a deal that shows it, not on caution."""
    refused = {
        ("build", "suit", "alternate"),
        ("build", "alternate", "suit"),
        ("spaces", "kings", "any"),
        ("worrying_back", False, True),
        ("draw", 2, 1),
        ("draw", 3, 2),
        ("passes", 1, 2),
    }
    shown = set()
    for (i, a), (j, b) in product(enumerate(CHOICES), repeat=2):
        differing = [key for key, value in asdict(a).items() if value != getattr(b, key)]
        if len(differing) == 1:
            key = differing[0]
            step = (key, getattr(a, key), getattr(b, key))
            if step in refused:
                assert not is_looser(a, b)
                if any(j in wins and i not in wins for wins in won):
                    shown.add(step)
    assert shown == refused


def test_drawing_three_may_win_what_drawing_two_loses():
    two, three = (tiny_rules(draw=draw, passes=1, build="suit") for draw in (2, 3))
    deal = tiny_deal(174)
    assert solve_small(deal, three)
    assert not solve_small(deal, two)
    assert not is_looser(two, three)


def test_no_passes_limit_is_the_most_passes():
    assert is_looser(preset("klondike-draw3"), preset("klondike-vegas"))
    assert not is_looser(preset("klondike-vegas"), preset("klondike-draw3"))


def test_the_order_is_one():
    for a in CHOICES:
        assert is_looser(a, a)
    for a, b in product(CHOICES, repeat=2):
        if is_looser(a, b) and is_looser(b, a):
            assert a == b
        if is_looser(a, b):
            assert all(is_looser(a, c) for c in CHOICES if is_looser(b, c))


@pytest.mark.parametrize("numbering", NUMBERINGS)
def test_same_cards_is_what_the_numberings_deal(numbering):
    every = [*PRESETS.values(), preset("klondike", spaces="any"), preset("yukon", spaces="any")]
    for a, b in product(every, repeat=2):
        if not {a.family, b.family} <= set(NUMBERINGS[numbering].families):
            continue
        if same_cards(a, b):
            for number in (1, 7, 40_000):
                assert deck_of_number(numbering, number, a) == deck_of_number(numbering, number, b)
    assert not same_cards(preset("yukon"), preset("klondike"))


def test_rules_survive_a_manifest():
    for rules in (*PRESETS.values(), *CHOICES):
        values = {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(rules).items()}
        assert rules_from_values(values) == rules
    with pytest.raises(ValueError, match="lack spaces"):
        rules_from_values({k: v for k, v in asdict(preset("yukon")).items() if k != "spaces"})


def test_titles_tell_rule_sets_apart():
    named = {rules: title(rules) for rules in (*CHOICES, *PRESETS.values())}
    for a, b in product(named, repeat=2):
        if named[a] == named[b]:
            assert replace(a, name=b.name) == b


def test_json_rules_are_those_of_solve():
    assert json_rules(preset("klondike-draw3")) == {
        "name": "klondike-draw3",
        "build": "alternate",
        "spaces": "kings",
        "worrying_back": True,
        "draw": 3,
        "passes": "unlimited",
    }
    assert json_rules(preset("russian"))["draw"] is None
