"""The readable relaxation and probes must agree with the kernels, condition by condition."""

from __future__ import annotations

import itertools
import random

import pytest
from kernel_tools import ALL_PROBES, Kernel, random_deal, rules_for

from yukonsolve import rulebook
from yukonsolve.deal import deal_from_deck
from yukonsolve.kernels import layout, probes
from yukonsolve.numbering import deck_of_number
from yukonsolve.position import start, to_deal
from yukonsolve.reasons import KING, LANDING, PAIR, Setting, relax
from yukonsolve.refutation import refute
from yukonsolve.rules import preset

RULE_SETS = list(itertools.product(("alternate", "suit"), ("kings", "any"), (False, True)))
BITS = {
    PAIR: int(layout.RULE_PAIR),
    KING: int(layout.RULE_KING),
    LANDING: int(layout.RULE_LANDING),
}


def full_rules(build, spaces, back):
    return preset("russian" if build == "suit" else "yukon", spaces=spaces, worrying_back=back)


def walk(rules, rng, number):
    """The positions of a random walk from a numbered deal."""
    position = start(deal_from_deck(deck_of_number("native", number, rules), rules), rules)
    yield position
    while moves := rulebook.legal_moves(position, rules):
        position = rulebook.apply(position, rng.choice(moves), rules)
        yield position


def probed_dead(setting, kinds=(PAIR, KING, LANDING)):
    def refutes(answers):
        return relax(setting, answers).dead

    return refute(setting, relax(setting).single, refutes, kinds) is not None


def single_cards(kernel):
    bits = int(kernel.space.work.par[layout.SINGLE])
    return {card for card in range(52) if bits >> card & 1}


@pytest.mark.parametrize("variant", RULE_SETS)
def test_relaxation_on_full_decks(variant):
    """The verdict, what goes up, and which cards are worth a question."""
    rules = full_rules(*variant)
    kernel = Kernel(rules)
    rng = random.Random(f"{variant}")
    verdicts = []
    for number in range(18):
        for position in itertools.islice(walk(rules, rng, number), 0, 40, 7):
            relaxed = relax(Setting(position, rules))
            assert kernel.refutes(to_deal(position), 0) == relaxed.dead
            reached = int(kernel.space.work.par[layout.REACHED])
            assert reached == sum(1 << card for card in range(52) if relaxed.is_up(card))
            assert single_cards(kernel) == relaxed.single
            verdicts.append(relaxed.dead)
    assert len(verdicts) > 40
    assert True in verdicts


@pytest.mark.parametrize("variant", RULE_SETS)
def test_probes_on_tiny_decks(variant):
    rng = random.Random(f"tiny {variant}")
    kernels = {}
    only_by_probes = dict.fromkeys((*BITS, "all"), 0)
    for _ in range(100):
        deal = random_deal(rng, rng.choice([3, 4, 5]), rng.choice([2, 3, 4]))
        rules = rules_for(deal, *variant)
        kernel = kernels.setdefault((rules.n_ranks, rules.n_columns), Kernel(rules))
        setting = Setting(start(deal, rules), rules)
        dead = relax(setting).dead
        assert kernel.refutes(deal, 0) == dead
        for kinds, bits in [((kind,), bit) for kind, bit in BITS.items()] + [
            (tuple(BITS), ALL_PROBES)
        ]:
            refuted = probed_dead(setting, kinds)
            assert kernel.refutes(deal, bits) == refuted, (deal, kinds)
            only_by_probes["all" if len(kinds) > 1 else kinds[0]] += refuted and not dead
    if variant == ("alternate", "kings", False):
        assert all(only_by_probes.values())


@pytest.mark.parametrize("variant", [v for v in RULE_SETS if v[0] == "alternate"])
def test_probes_on_full_decks(variant):
    rules = full_rules(*variant)
    kernel = Kernel(rules)
    rng = random.Random(f"probes {variant}")
    refuted = 0
    for number in range(9):
        walked = list(itertools.islice(walk(rules, rng, number), 30))
        for position in (walked[0], walked[-1]):
            setting = Setting(position, rules)
            dead = kernel.refutes(to_deal(position), ALL_PROBES)
            assert dead == probed_dead(setting)
            refuted += dead and not relax(setting).dead
    if variant == ("alternate", "kings", False):
        assert refuted


def test_kernel_and_this_module_know_the_same_probes():
    assert sum(BITS.values()) == probes.PROBE_ALL
