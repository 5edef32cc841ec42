"""Nothing winnable is called dead: brute force, winning lines, looser rules, relabelled suits."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest
from kernel_tools import ALL_PROBES, EVERY_RULE, NESTED, Kernel, random_deal, rules_for

from yukonsolve import rulebook
from yukonsolve.cards import parse_card
from yukonsolve.deal import Deal, deal_from_deck
from yukonsolve.numbering import deck_of_number
from yukonsolve.position import parse_move, start, to_deal
from yukonsolve.rules import preset
from yukonsolve.solver import Solver
from yukonsolve.strategy import Strategy, Try, ghosts_apply
from yukonsolve.verdict import Limits, Reason, Verdict
from yukonsolve.workspace import RULE_BITS

VARIANTS = list(itertools.product(("alternate", "suit"), ("kings", "any"), (False, True)))
ONE_SEARCH = Strategy(10**7, (), (Try(10**7, 0),))
GROWN = Strategy(10**7, (), (Try(10**7, 300, ALL_PROBES, 0, probe_after=3, nest_after=10),))
NOISY_PROBED = Strategy(10**7, (), (Try(10**7, 1000, ALL_PROBES, probe_after=0),))

GHOSTED = Strategy(10**7, (Try(10**7, 0, ghosts_only=True),), (Try(10**7, 300, guard=100),))
GUARDED = Strategy(10**7, (), (Try(10**7, 1000, guard=20),))


def cards(text: str) -> tuple[int, ...]:
    return tuple(parse_card(word) for word in text.split())


def decide(deal, rules, strategy=ONE_SEARCH, switches=None):
    result = Solver(rules, strategy=strategy, switches=switches).solve(deal)
    assert result.verdict is not Verdict.UNDECIDED
    return result.verdict is Verdict.SOLVABLE


FALSE_SAFE = Deal(
    (cards("3D 2C 3C"), cards("AD AH 3S 3H"), cards("2D 2H 2S")),
    (0, 1, 2),
    foundations=(1, 0, 0, 1),
)
"""Here the FreeCell rule for safe foundation moves loses: AH must land on 2S with its tail."""


@pytest.mark.parametrize("back", [False, True])
def test_the_false_safe_foundation_position(back):
    rules = rules_for(FALSE_SAFE, worrying_back=back)
    assert rulebook.solve_small(FALSE_SAFE, rules)
    for strategy in (ONE_SEARCH, EVERY_RULE, GHOSTED, GUARDED):
        assert decide(FALSE_SAFE, rules, strategy)


STRATEGIES = {
    "plain": ONE_SEARCH,
    "every": EVERY_RULE,
    "grown": GROWN,
    "ghosts": GHOSTED,
    "guarded": GUARDED,
}


def tiny_deals(seed: int, count: int):
    rng = random.Random(seed)
    for _ in range(count):
        yield random_deal(rng, rng.choice([2, 3, 3, 3]), rng.choice([2, 3, 4]))


def check_against_brute_force(variant, seed, count, max_states, sizes=None):
    solvers = {}
    decided = {True: 0, False: 0}
    rng = random.Random(seed)
    deals = tiny_deals(seed, count)
    if sizes:
        deals = (random_deal(rng, rng.choice(sizes), rng.choice([3, 4, 5])) for _ in range(count))
    for deal in deals:
        rules = rules_for(deal, *variant)
        try:
            won = rulebook.solve_small(deal, rules, max_states)
        except rulebook.TooManyStatesError:
            continue
        decided[won] += 1
        for name, strategy in STRATEGIES.items():
            if name in ("ghosts", "guarded") and not ghosts_apply(rules):
                continue  # it would be "plain" again
            solver = solvers.setdefault(
                (name, rules.n_ranks, rules.n_columns), Solver(rules, strategy=strategy)
            )
            solver.rules = rules
            result = solver.solve(deal)
            assert (result.verdict is Verdict.SOLVABLE) == won, (name, deal, result)
            assert result.verdict is not Verdict.UNDECIDED
    # The sample has teeth only if both answers occur.
    assert min(decided.values()) > count // 50


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_tiny_decks_against_brute_force(variant):
    check_against_brute_force(variant, 2026, 500, 600)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_thousands_of_tiny_decks_against_brute_force(variant):
    check_against_brute_force(variant, 7, 1500, 1500)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_larger_tiny_decks_against_brute_force(variant):
    check_against_brute_force(variant, 11, 100, 4000, sizes=[4, 5])


@pytest.mark.parametrize("rule", [*RULE_BITS, "all"])
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_each_rule_off(variant, rule):
    """Switching a rule off changes no verdict, on decks too large for brute force."""
    rng = random.Random(f"{variant}{rule}")
    switches = [] if rule == "all" else [name for name in RULE_BITS if name != rule]
    solvers = {}
    limits = Limits(max_nodes=20_000)
    # Where ghosts refute the root no other rule is tried.
    strategy = GHOSTED if rule == "ghosts" else NOISY_PROBED
    for _ in range(25):
        deal = random_deal(rng, rng.choice([4, 5, 6]), rng.choice([3, 4]))
        rules = rules_for(deal, *variant)
        for name, off in (("off", switches), ("on", None)):
            key = (name, rules.n_ranks, rules.n_columns)
            if key not in solvers:
                solvers[key] = Solver(rules, limits, strategy, off)
        answers = {
            name: solvers[name, rules.n_ranks, rules.n_columns].solve(deal).verdict
            for name in ("on", "off")
        }
        if Verdict.UNDECIDED not in answers.values():
            assert answers["on"] is answers["off"], (deal, answers)


NEEDS_EVERY_PROBE = (
    "TS7CKD4SQD5H8S4H2HKH2DTH7H6C6H8D8H3D5S8CTDKSQC7SAS6D"
    "2CTC9DQS3C3S6S9CAC2SADJH9S5DJS4CJCKC7DQH9H4DAHJD5C3H"
)
"""A lost deal whose refutation at the root uses every kind of question."""


@pytest.mark.parametrize("rule", ["pair", "king", "landing", "nested", "dead-end"])
def test_a_switch_really_switches(rule):
    """So that the tests with a rule off test something."""
    rules = preset("yukon")
    deck = tuple(parse_card(NEEDS_EVERY_PROBE[i : i + 2]) for i in range(0, 104, 2))
    deal = deal_from_deck(deck, rules)
    strategy = Strategy(200, (), (Try(50, 0, root_probes=ALL_PROBES | NESTED),))
    assert Solver(rules, strategy=strategy).solve(deal).reason is Reason.DEAD_AT_ROOT
    others = [name for name in RULE_BITS if name != rule]
    off = Solver(rules, strategy=strategy, switches=others).solve(deal)
    assert off.reason is not Reason.DEAD_AT_ROOT


def positions_of(line, deal, rules):
    position = start(deal, rules)
    yield position
    for token in line:
        position = rulebook.apply(position, parse_move(token), rules)
        yield position


def check_winning_lines(variant, numbers, tries):
    build, spaces, back = variant
    rules = preset("russian" if build == "suit" else "yukon", spaces=spaces, worrying_back=back)
    kernel = Kernel(rules)
    states = 0
    for number in numbers:
        deal = deal_from_deck(deck_of_number("native", number, rules), rules)
        for noise in tries:
            strategy = Strategy(10**6, (), (Try(2000, noise),))
            result = Solver(rules, Limits(max_nodes=2000), strategy).solve(deal)
            if result.moves is None:
                continue
            for position in positions_of(result.moves, deal, rules):
                states += 1
                here = to_deal(position)
                assert not kernel.refutes(here, ALL_PROBES), (number, noise, position)
                if states % 50 == 0:
                    assert not kernel.refutes(here, ALL_PROBES | NESTED), (number, noise, position)
    return states


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_no_state_on_a_winning_line_is_called_dead(variant):
    assert check_winning_lines(variant, range(60), (0, 3000)) > 300


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_no_state_on_many_winning_lines_is_called_dead(variant):
    states = check_winning_lines(variant, range(1000, 1700), (0, 1000, 5000, 50_000))
    # Where probes are in force by default the sample must be large.
    assert states > (200_000 if variant[0] == "alternate" else 10_000)


LOOSER = [
    ({"spaces": "kings"}, {"spaces": "any"}),
    ({"worrying_back": False}, {"worrying_back": True}),
    ({"spaces": "kings", "worrying_back": False}, {"spaces": "any", "worrying_back": True}),
]


@pytest.mark.parametrize("name", ["yukon", "russian"])
@pytest.mark.parametrize(("strict", "loose"), LOOSER, ids=str)
def test_looser_rules_never_lose_a_win(name, strict, loose):
    tight = Solver(preset(name, **strict), Limits(max_nodes=3000))
    free = Solver(preset(name, **loose), Limits(max_nodes=20_000))
    flips = 0
    for number in range(120):
        deal = deal_from_deck(deck_of_number("native", number, tight.rules), tight.rules)
        if tight.solve(deal).verdict is Verdict.SOLVABLE:
            assert free.solve(deal).verdict is not Verdict.UNSOLVABLE, number
        else:
            flips += free.solve(deal).verdict is Verdict.SOLVABLE
    # Any card to spaces does win more; worrying back never does in Russian.
    if loose.get("spaces") == "any":
        assert flips > 0


def test_worrying_back_decides_some_tiny_deal():
    """A strict case, so that the relation above is not idle."""
    rng = random.Random(5)
    for _ in range(4000):
        deal = random_deal(rng, 4, 3)
        if decide(deal, rules_for(deal, worrying_back=True)) and not decide(deal, rules_for(deal)):
            return
    pytest.fail("no deal needs worrying back")


LATERAL_ONTO_THE_TAIL = [
    Deal(((15, 9, 1, 8, 6, 14, 2, 4, 0, 3, 13, 11, 5), (10, 12, 7), ()), (4, 0, 0)),
    Deal(((13, 17, 12, 6), (3, 19, 11), (7, 18, 15, 10, 0, 16, 4, 14, 8, 9, 1, 2, 5)), (0, 0, 11)),
    Deal(((8,), (18, 2, 10, 11, 6, 15), (1, 9, 5, 3, 19, 12, 13, 4, 17, 14, 0, 7, 16)), (0, 2, 3)),
]
"""Won, but lost by a lateral fold that forgets moves onto the tail just moved."""
ASIDE_INTO_A_SPACE = Deal(
    ((17,), (14, 3, 8, 11, 10, 0, 12, 5, 13, 9, 4, 1), (18, 15, 6, 19, 7, 2, 16)), (0, 4, 6)
)
"""Won with any card to spaces, but not if ``landing`` forgets that X may step aside into one."""


@pytest.mark.parametrize("deal", [*LATERAL_ONTO_THE_TAIL, ASIDE_INTO_A_SPACE])
@pytest.mark.parametrize(
    "strategy", [ONE_SEARCH, NOISY_PROBED, GROWN, EVERY_RULE, GHOSTED, GUARDED]
)
def test_deals_that_spoiled_rules_lose(deal, strategy):
    spaces = "any" if deal is ASIDE_INTO_A_SPACE else "kings"
    assert decide(deal, rules_for(deal, spaces=spaces), strategy)


def relabel(deal: Deal, suits: tuple[int, ...]) -> Deal:
    """The deal with suit s renamed to suits[s]."""
    columns = tuple(tuple(c & ~3 | suits[c & 3] for c in column) for column in deal.columns)
    return replace(deal, columns=columns)


@pytest.mark.parametrize("name", ["yukon", "russian"])
def test_relabelled_suits_and_permuted_columns_keep_the_verdict(name):
    """Yukon: the 8 relabellings that keep "same colour"; Russian: all 24."""
    rules = preset(name, spaces="any" if name == "russian" else "kings")
    solver = Solver(rules, Limits(max_nodes=20_000))
    suits = [
        p
        for p in itertools.permutations(range(4))
        if name == "russian" or ((p[0] in (1, 2)) == (p[3] in (1, 2)))
    ]
    assert len(suits) == (24 if name == "russian" else 8)
    rng = random.Random(3)
    for number in range(12):
        deal = deal_from_deck(deck_of_number("native", number, rules), rules)
        verdict = solver.solve(deal).verdict
        if verdict is Verdict.UNDECIDED:
            continue
        for p in suits:
            order = rng.sample(range(7), 7)
            twin = relabel(deal, p)
            twin = Deal(
                tuple(twin.columns[i] for i in order), tuple(twin.face_down[i] for i in order)
            )
            assert solver.solve(twin).verdict in (verdict, Verdict.UNDECIDED), (number, p, order)
