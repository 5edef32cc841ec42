"""The kernels' state against the rule book's, in step on random walks."""

from __future__ import annotations

import itertools
import random

import pytest
from kernel_tools import Kernel, as_position, random_deal, rules_for

from yukonsolve import rulebook
from yukonsolve.deal import deal_from_deck
from yukonsolve.position import start, to_deal
from yukonsolve.rules import preset

VARIANTS = list(itertools.product(("alternate", "suit"), ("kings", "any"), (False, True)))


def in_form(position):
    return as_position(position.columns, position.face_down, position.foundations)


def full_deal(rng, rules):
    deck = list(range(52))
    rng.shuffle(deck)
    return deal_from_deck(tuple(deck), rules)


def make_case(variant, size, seed):
    build, spaces, back = variant
    rng = random.Random(f"{variant}{size}{seed}")
    if size == "full":
        rules = preset("russian" if build == "suit" else "yukon", spaces=spaces, worrying_back=back)
        return rng, full_deal(rng, rules), rules
    deal = random_deal(rng, rng.choice([2, 3, 4, 6]), rng.choice([3, 4, 5]))
    return rng, deal, rules_for(deal, build, spaces, back)


@pytest.mark.parametrize("size", ["full", "tiny"])
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_walks_in_step(variant, size):
    """Same successors, same states, equal keys exactly for equal states, parent untouched."""
    key_of: dict = {}
    state_of: dict = {}
    for seed in range(3 if size == "full" else 25):
        rng, deal, rules = make_case(variant, size, seed)
        kernel = Kernel(rules, switches=())
        key_of.clear()
        state_of.clear()
        for _ in range(2):
            position = start(deal, rules)
            kernel.load(deal)
            for _ in range(60):
                state = in_form(position)
                assert kernel.position() == state
                key = kernel.key()
                assert key_of.setdefault(state, key) == key
                assert state_of.setdefault(key, state) == state
                moves = rulebook.legal_moves(position, rules)
                after = {in_form(rulebook.apply(position, m, rules)): m for m in moves}
                before = kernel.space.work.rows[:20].copy()
                entries = {}
                for entry in kernel.successors():
                    kernel.child(entry)
                    entries[kernel.position(1)] = entry
                assert (kernel.space.work.rows[:20] == before).all()
                assert set(entries) == set(after)
                if not after:
                    break
                chosen = rng.choice(sorted(after))
                position = rulebook.apply(position, after[chosen], rules)
                kernel.child(entries[chosen])
                kernel.space.work.rows[:20] = kernel.space.work.rows[20:40]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_position_can_be_a_start(variant):
    """A half-played position loads as what it is."""
    rng, deal, rules = make_case(variant, "full", 99)
    position = start(deal, rules)
    kernel = Kernel(rules)
    for _ in range(40):
        moves = rulebook.legal_moves(position, rules)
        if not moves:
            break
        position = rulebook.apply(position, rng.choice(moves), rules)
        kernel.load(to_deal(position))
        assert kernel.position() == in_form(position)
        assert kernel.key()[0] == 0
