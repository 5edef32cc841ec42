"""Explanations: only true facts, chains that really close, the right words and exit codes."""

from __future__ import annotations

import json
import random
import re

import numpy as np
import pytest
from click.testing import CliRunner
from kernel_tools import Kernel, random_deal, rules_for
from test_solver import deal_of_row, reference_rows

from yukonsolve import rulebook
from yukonsolve.cards import parse_card
from yukonsolve.chains import HOST, LAND, OPEN, SPACE, UP, Fact
from yukonsolve.cli import main
from yukonsolve.explain import explain
from yukonsolve.kernels.moves import safe_cards
from yukonsolve.position import start, to_deal
from yukonsolve.reasons import KING, LANDING, NEVER, PAIR, Answer, Question
from yukonsolve.rules import preset
from yukonsolve.shallow import KernelProbes, at_rest
from yukonsolve.solver import Solver
from yukonsolve.verdict import Limits, Verdict
from yukonsolve.wording import MAX_LINES

CARD = r"([A2-9TJQK][CDHS])"


class Checker:
    """Checks a chain of reasons against the bare columns, sharing nothing with what made it."""

    def __init__(self, proof, rules):
        self.rules = rules
        self.columns = proof.position.columns
        self.face_down = proof.position.face_down
        self.foundations = proof.position.foundations
        self.answers = proof.answers
        self.chain = proof.chain
        self.place = {c: (i, j) for i, col in enumerate(self.columns) for j, c in enumerate(col)}

    def check(self):
        first = next(iter(self.chain))
        assert first.kind == UP
        assert first.card in self.place
        for fact, why in self.chain.items():
            getattr(self, f"check_{fact.kind}")(fact, why)

    def has(self, *facts):
        for fact in facts:
            assert fact in self.chain, fact

    def never_open(self, card):
        if card in self.place:
            self.has(Fact(OPEN, card))
        else:
            assert not self.rules.worrying_back

    def parents(self, card):
        return {on for on in range(self.rules.n_cards) if rulebook.can_build(card, on, self.rules)}

    def no_space(self):
        if self.rules.spaces == "any":
            self.has(Fact(SPACE, 1))

    def no_space_for(self, card):
        at_bottom = self.place[card][1] == 0
        if not rulebook.can_fill_space(card, self.rules) or at_bottom:
            return
        if Fact(SPACE, 1) in self.chain:
            return
        # Only a king that waits for another may do with "never two".
        (answer,) = (a for a in self.answers if a.question.kind == KING)
        assert card in answer.question.cards
        assert card != answer.choice
        self.has(Fact(SPACE, 2), Fact(UP, answer.choice))

    def check_up(self, fact, why):
        suit = fact.card % 4
        stuck = why.cards[0]
        assert stuck % 4 == suit
        assert 4 * self.foundations[suit] + suit <= stuck <= fact.card
        if why.how == "after":
            return self.has(Fact(OPEN, stuck))
        assert why.how == "held"
        rider, others = why.cards[1], set(why.cards[2:])
        assert Answer(Question(LANDING, (rider, stuck)), stuck) in self.answers
        self.has(Fact(UP, rider))
        self.no_space()
        for on in self.parents(rider) - {stuck}:
            if Answer(Question(LANDING, (rider, on)), NEVER) not in self.answers:
                assert on in others
                self.never_open(on)

    def check_open(self, fact, why):
        column, place = self.place[fact.card]
        upper, *between = why.cards
        cards = self.columns[column]
        assert tuple(between) == cards[place + 1 : cards.index(upper)]
        down = cards[: self.face_down[column]]
        assert set(between) <= set(down)
        assert cards.index(upper) > place
        self.has(Fact(LAND, upper), Fact(UP, upper))

    def check_land(self, fact, why):
        card = fact.card
        if why.how == "face-down":
            column, place = self.place[card]
            assert place < self.face_down[column]
            return self.has(Fact(OPEN, card))
        if why.how == "hosts":
            assert set(why.cards) == self.parents(card)
            self.has(*(Fact(HOST, card, on) for on in why.cards))
        else:
            assert why.how == "wait"
            first, on = why.cards
            pair = Question(PAIR, tuple(sorted((card, first))))
            assert Answer(pair, first) in self.answers
            assert on in self.parents(card)
            self.has(Fact(UP, first))
            self.never_open(on)
            self.no_space()
        self.no_space_for(card)

    def check_host(self, fact, why):
        card, host = fact.card, fact.host
        column, place = self.place[card]
        cards = self.columns[column]
        if why.how == "lies":
            assert place > 0
            assert cards[place - 1] == host
        elif why.how == "founded":
            assert self.foundations[host % 4] > host // 4
            assert not self.rules.worrying_back
        elif why.how == "struck":
            assert Answer(Question(LANDING, (card, host)), NEVER) in self.answers
        elif why.how == "covered":
            self.has(Fact(OPEN, host))
        else:
            assert why.how == "inside"
            assert cards.index(host) > place
            self.has(*(Fact(LAND, on) for on in cards[place + 1 : cards.index(host) + 1]))
            if self.rules.worrying_back:
                self.has(Fact(UP, host))

    def check_space(self, fact, why):
        empty = sum(not column for column in self.columns)
        bottoms = {column[0] for column in self.columns if column}
        assert set(why.cards) <= bottoms
        assert empty + len(bottoms) - len(why.cards) < fact.card
        for card in why.cards:
            self.has(Fact(LAND, card), Fact(UP, card))


def check_words(lines, position):
    """What the lines say about places, read back from the text."""
    place = {card: (i, j) for i, col in enumerate(position.columns) for j, card in enumerate(col)}

    def above(upper, lower):
        (i, j), (k, n) = place[parse_card(upper)], place[parse_card(lower)]
        return i == k and j > n

    facts = 0
    for line in lines:
        for lower, upper in re.findall(rf"{CARD} is never uncovered: {CARD} lies on it", line):
            assert above(upper, lower), line
            facts += 1
        pattern = rf"{CARD}[,]? \(?which lies under {CARD} in column (\d)"
        for lower, upper, column in re.findall(pattern, line):
            assert above(upper, lower), line
            assert place[parse_card(lower)][0] == int(column) - 1
            facts += 1
        for host, card in re.findall(rf"{CARD} \(which lies on top of {CARD} and", line):
            assert above(host, card), line
            facts += 1
    return facts


def explained(deal, rules, max_nodes=20_000):
    result = Solver(rules, Limits(max_nodes=max_nodes)).solve(deal)
    found = explain(deal, rules, result)
    for proof in found.proofs:
        Checker(proof, rules).check()
    return result, found


@pytest.mark.parametrize(
    ("column", "name", "spaces", "last", "kinds"),
    [
        ("yukon", "yukon", "kings", 60, {"blocked", "questions", "nested-questions"}),
        ("yukon_any", "yukon", "any", 60, set()),
        ("russian", "russian", "kings", 44, {"blocked", "search"}),
        ("russian_any", "russian", "any", 20, {"blocked", "search"}),
    ],
)
def test_reference_losses(column, name, spaces, last, kinds):
    rules = preset(name, spaces=spaces)
    seen = set()
    for row in reference_rows()[:last]:
        if row[column] != "unsolvable":
            continue
        deal = deal_of_row(row, rules)
        result, found = explained(deal, rules)
        if result.verdict is Verdict.UNDECIDED:
            assert found.kind == "undecided"
            continue
        seen.add(found.kind)
        if found.kind in ("blocked", "questions"):
            assert found.proofs
            facts = check_words(found.lines, found.proofs[0].position)
            assert facts
        if found.kind == "blocked":
            assert len(found.lines) <= MAX_LINES + 1
        if found.kind == "search":
            assert f"{result.nodes:,} states" in found.lines[0]
    assert seen >= kinds


@pytest.mark.parametrize("build", ["alternate", "suit"])
@pytest.mark.parametrize("spaces", ["kings", "any"])
@pytest.mark.parametrize("back", [False, True])
def test_tiny_decks(build, spaces, back):
    rng = random.Random(f"{build}{spaces}{back}")
    kinds = set()
    solvers = {}
    for _ in range(60):
        deal = random_deal(rng, rng.choice([3, 4, 5]), rng.choice([3, 4]))
        rules = rules_for(deal, build, spaces, back)
        solver = solvers.setdefault((rules.n_ranks, rules.n_columns), Solver(rules))
        result = solver.solve(deal)
        found = explain(deal, rules, result)
        for proof in found.proofs:
            Checker(proof, rules).check()
        assert (found.kind == "solvable") == (result.verdict is Verdict.SOLVABLE)
        kinds.add(found.kind)
    assert kinds >= {"solvable", "blocked"}
    if (build, spaces, back) == ("alternate", "kings", False):
        assert "questions" in kinds


def test_a_proof_by_first_moves():
    rng = random.Random(7)
    solver = None
    while True:
        deal = random_deal(rng, 3, 3)
        rules = rules_for(deal)
        solver = solver or Solver(rules)
        found = explain(deal, rules, solver.solve(deal))
        if found.kind == "first-moves":
            break
    position, _ = at_rest(start(deal, rules), rules)
    options = KernelProbes(rules).successors(position)
    assert f"each of the {len(options)} first moves loses" in " ".join(found.lines)
    for tokens, _ in options:
        assert tokens[0].split(":")[0] in " ".join(found.lines)


def test_first_moves_are_all_there():
    """Every legal move is listed, alone or after the sideways move that makes it possible."""
    rng = random.Random(4)
    seen = 0
    while seen < 10:
        deal = random_deal(rng, 4, 3)
        rules = rules_for(deal)
        position, _ = at_rest(start(deal, rules), rules)
        listed = KernelProbes(rules).successors(position)
        if not listed:
            continue
        seen += 1
        for tokens, _ in listed:
            rulebook.replay(rulebook.to_deal(position), rules, tokens)
        firsts = {tokens[0].split(":")[0] for tokens, _ in listed}
        for move in rulebook.legal_moves(position, rules):
            column = position.columns[int(move.source) - 1]
            place = column.index(move.card)
            down = position.face_down[int(move.source) - 1]
            under = column[place - 1] if place > down else None
            sideways = under is not None and rulebook.can_build(move.card, under, rules)
            if move.target in "CDHS" or not sideways:
                assert str(move).split(":")[0] in firsts


def test_safe_moves_are_the_kernels():
    rng = random.Random(5)
    for _ in range(200):
        deal = random_deal(rng, 4, 4)
        rules = rules_for(deal, rng.choice(["alternate", "suit"]), "kings", rng.random() < 0.5)
        position, played = at_rest(start(deal, rules), rules)
        assert sum(position.foundations) == len(played)
        kernel = Kernel(rules)
        kernel.load(to_deal(position))
        assert int(safe_cards(kernel.space.work, np.uint64(0))) == 0


def run(*arguments):
    return CliRunner().invoke(main, ["explain", *arguments])


def deck(row):
    return reference_rows()[row - 1]["cards"]


def test_solvable():
    answer = run("yukon", deck(2))
    assert answer.exit_code == 0
    assert "can be won" in answer.stdout
    assert "`solve`" in answer.stdout


def test_undecided():
    answer = run("yukon", deck(428), "--max-nodes", "50")
    assert answer.exit_code == 20
    assert "node limit" in answer.stdout


def test_unsolvable():
    answer = run("yukon", deck(172))
    assert answer.exit_code == 10
    assert "2C is never uncovered: 8C lies on it" in answer.stdout


def test_questions_in_words():
    answer = run("yukon", deck(122))
    assert answer.exit_code == 10
    assert "9C and 9S share TD and TH: which of the two lands there first?" in answer.stdout
    assert answer.stdout.rstrip().endswith("No answer is left, so the deal is lost.")


def test_nested_questions_say_what_was_left_to_the_program():
    answer = run("yukon", deck(43))
    assert answer.exit_code == 10
    assert "which the program checked" in answer.stdout


def test_json():
    answer = run("yukon", deck(213), "--json")
    row = json.loads(answer.stdout)
    assert row["verdict"] == "unsolvable"
    assert row["kind"] == "blocked"
    assert row["deck"] == deck(213)
    assert not any("The other" in line for line in row["lines"])
    assert answer.exit_code == 10


@pytest.mark.parametrize("arguments", [("klondike", "native:1"), ("yukon", "native:x"), ("yukon",)])
def test_bad_input(arguments):
    answer = run(*arguments)
    assert answer.exit_code == 2
    assert answer.stdout == ""
