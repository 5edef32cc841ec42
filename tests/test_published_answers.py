"""The answers in results/reference: their wins replay, and the solver still gives them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from yukonsolve import rulebook
from yukonsolve.cards import parse_card
from yukonsolve.deal import deal_from_deck
from yukonsolve.rules import preset
from yukonsolve.solver import Solver

ROOT = Path(__file__).resolve().parent.parent
FILES = {"yukon": "open-kings.jsonl", "yukon_any": "open-any.jsonl"}


def answers(column):
    path = ROOT / "results" / "reference" / FILES[column]
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def deal_and_rules(answer):
    rules = preset("yukon", spaces=answer["rules"]["spaces"])
    text = answer["deck"]
    deck = tuple(parse_card(text[i : i + 2]) for i in range(0, 104, 2))
    return deal_from_deck(deck, rules), rules


@pytest.mark.parametrize("column", FILES)
def test_every_open_reference_deal_has_an_answer(column):
    with (ROOT / "tests" / "data" / "yukon_family.csv").open(encoding="utf-8", newline="") as file:
        still_open = [row["cards"] for row in csv.DictReader(file) if row[column] == "undecided"]
    assert [answer["deck"] for answer in answers(column)] == still_open
    assert {answer["verdict"] for answer in answers(column)} <= {"solvable", "unsolvable"}


@pytest.mark.parametrize("column", FILES)
def test_published_wins_replay(column):
    wins = [answer for answer in answers(column) if answer["verdict"] == "solvable"]
    assert wins
    for answer in wins:
        deal, rules = deal_and_rules(answer)
        assert rulebook.replay(deal, rules, answer["moves"]).foundations == (13,) * 4


@pytest.mark.slow
@pytest.mark.parametrize("column", FILES)
def test_the_solver_gives_the_published_answers(column):
    for answer in answers(column):
        deal, rules = deal_and_rules(answer)
        result = Solver(rules).solve(deal)
        assert result.verdict.value == answer["verdict"]
