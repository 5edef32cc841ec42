"""Klondike against brute force: every rule set on tiny positions, each pruning rule off in turn."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest
from klondike_tools import decide, random_position, tiny_rules

from yukonsolve import rulebook
from yukonsolve.cards import parse_card
from yukonsolve.deal import Deal
from yukonsolve.klondike_space import RULE_BITS, KeyTooLongError

VARIANTS = list(itertools.product(("alternate", "suit"), ("kings", "any"), (True, False)))


def check_against_brute_force(variant, seed, count, max_states, ranks=(2, 3, 3, 3)):
    rng = random.Random(f"{variant}{seed}")
    decided = {True: 0, False: 0}
    while sum(decided.values()) < count:
        n_ranks, n_columns = rng.choice(ranks), rng.choice([2, 3, 3, 4])
        draw, passes = rng.choice([1, 2, 3, 3, 4]), rng.choice([0, 0, 1, 2, 3])
        rules = tiny_rules(n_ranks, n_columns, draw, passes, *variant)
        deal = random_position(rng, n_ranks, n_columns, wild=rng.random() < 0.4)
        try:
            won = rulebook.solve_small(deal, rules, max_states)
        except rulebook.TooManyStatesError:
            continue
        decided[won] += 1
        switches = None
        if rng.random() < 0.3:
            switches = [name for name in RULE_BITS if rng.random() < 0.5]
        assert decide(deal, rules, switches) == won, (deal, rules, switches)
    # The sample has teeth only if both answers occur.
    assert min(decided.values()) > count // 20


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_tiny_positions_against_brute_force(variant):
    check_against_brute_force(variant, 1, 40, 600)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_thousands_of_tiny_positions_against_brute_force(variant):
    check_against_brute_force(variant, 2, 400, 1000)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_larger_tiny_positions_against_brute_force(variant):
    check_against_brute_force(variant, 3, 15, 10_000, ranks=(4, 5))


def check_rule_off(variant, rule, seed, count):
    """Switching a rule off changes no verdict, on decks too large for brute force."""
    rng = random.Random(f"{variant}{rule}{seed}")
    switches = [] if rule == "all" else [name for name in RULE_BITS if name != rule]
    for _ in range(count):
        n_ranks, n_columns = rng.choice([4, 5, 6]), rng.choice([3, 4])
        draw, passes = rng.choice([1, 2, 3]), rng.choice([0, 0, 0, 1, 2, 3])
        rules = tiny_rules(n_ranks, n_columns, draw, passes, *variant)
        deal = random_position(rng, n_ranks, n_columns, 9, wild=rng.random() < 0.2)
        assert decide(deal, rules, switches) == decide(deal, rules), (deal, rules)


@pytest.mark.parametrize("rule", [*RULE_BITS, "all"])
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_each_rule_off(variant, rule):
    check_rule_off(variant, rule, 1, 20)


@pytest.mark.slow
@pytest.mark.parametrize("rule", [*RULE_BITS, "all"])
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_each_rule_off_on_many(variant, rule):
    check_rule_off(variant, rule, 2, 200)


def looser(rules, rng):
    """The same rules with one thing allowed more."""
    choices = []
    if rules.passes:
        choices += [replace(rules, passes=rules.passes + 1), replace(rules, passes=0)]
    else:
        choices += [replace(rules, draw=k) for k in range(1, rules.draw) if rules.draw % k == 0]
    if not rules.worrying_back:
        choices.append(replace(rules, worrying_back=True))
    if rules.spaces == "kings":
        choices.append(replace(rules, spaces="any"))
    return rng.choice(choices) if choices else rules


def test_looser_rules_never_lose_a_win():
    """More passes, a divisor of the draw, worrying back, any card to spaces."""
    rng = random.Random(4)
    flips = 0
    for _ in range(800):
        n_ranks, n_columns = rng.choice([4, 5, 6]), rng.choice([3, 4])
        rules = tiny_rules(
            n_ranks, n_columns, rng.choice([2, 3, 4, 6]), rng.choice([0, 1, 2]),
            rng.choice(["alternate", "suit"]), rng.choice(["kings", "any"]), rng.random() < 0.5,
        )  # fmt: skip
        deal = random_position(rng, n_ranks, n_columns, 9)
        more = looser(rules, rng)
        strict, free = decide(deal, rules), decide(deal, more)
        assert free or not strict, (deal, rules, more)
        flips += free and not strict
    assert flips > 15


def talon(*cards: str) -> Deal:
    """The three lowest clubs in the stock, the four of clubs on the table, all else up."""
    stock = tuple(parse_card(card) for card in cards)
    return Deal(((parse_card("4C"),),), (0,), stock, (), (0, 4, 4, 4))


@pytest.mark.parametrize(
    ("stock", "draw", "passes", "won"),
    [
        ("AC 2C 3C", 1, 1, True),
        ("3C 2C AC", 1, 1, True),  # the last card drawn comes first off the waste
        ("2C 3C AC", 1, 1, False),
        ("2C 3C AC", 1, 2, True),
        ("2C AC 3C", 3, 1, False),  # only 3C is ever on top
        ("2C AC 3C", 3, 0, False),
        ("3C 2C AC", 3, 1, True),
        ("2C AC 3C", 2, 1, True),  # AC, then 2C under it, then the short last draw
        ("AC 2C 3C", 2, 1, False),
        ("AC 2C 3C", 2, 0, False),  # 2C and 3C are all that comes up: the short last draw is 3C
    ],
)
def test_short_draws_and_redeals(stock, draw, passes, won):
    deal = talon(*stock.split())
    rules = tiny_rules(4, 1, draw, passes, worrying_back=False)
    assert rulebook.solve_small(deal, rules) == won
    assert decide(deal, rules) == won


def test_a_stock_too_large_for_the_key_is_refused():
    rules = replace(tiny_rules(13, 4), face_up=(1, 1, 1, 1))
    deal = Deal(tuple((i,) for i in range(4)), (0,) * 4, tuple(range(4, 52)))
    with pytest.raises(KeyTooLongError, match="48 stock cards"):
        decide(deal, rules)


FALSE_FORCED = Deal(
    ((parse_card("AD"), parse_card("2D")), (parse_card("5C"), parse_card("4H"), parse_card("3C"))),
    (1, 1),
    tuple(parse_card(card) for card in ["4S", "5S", "5H", "3D", "4D", "5D", "4C"]),
    (),
    (2, 0, 3, 3),
)
"""4H is safe once 3C is up, for then nothing can land on it; but 2D must land on 3C first."""


def test_a_safe_card_does_not_force_the_steps_before_it():
    rules = tiny_rules(5, 2, worrying_back=False)
    assert rulebook.solve_small(FALSE_FORCED, rules)
    assert decide(FALSE_FORCED, rules)
