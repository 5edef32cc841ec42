"""The solver's promises: reference verdicts, limits, determinism, replayed lines."""

from __future__ import annotations

import csv
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from yukonsolve import bulk, rulebook, yukon
from yukonsolve.cards import parse_card
from yukonsolve.deal import Deal, deal_from_deck
from yukonsolve.decks import native_decks
from yukonsolve.kernels import layout
from yukonsolve.numbering import deck_of_number
from yukonsolve.rules import preset
from yukonsolve.solver import ReplayError, Solver
from yukonsolve.tokens import tokens_of
from yukonsolve.verdict import Limits, Reason, Verdict

DATA = Path(__file__).parent / "data"
COLUMNS = {
    "yukon": ("yukon", "kings"),
    "yukon_any": ("yukon", "any"),
    "russian": ("russian", "kings"),
    "russian_any": ("russian", "any"),
}
HARD = 428
"""A row of the reference set that no limit used here decides."""


def reference_rows():
    with (DATA / "yukon_family.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def deal_of_row(row, rules):
    deck = row["cards"]
    cards = tuple(parse_card(deck[i : i + 2]) for i in range(0, 104, 2))
    return deal_from_deck(cards, rules)


def numbered(rules, number, numbering="native"):
    return deal_from_deck(deck_of_number(numbering, number, rules), rules)


def check_reference(column, rows, limits):
    name, spaces = COLUMNS[column]
    rules = preset(name, spaces=spaces)
    judge = Solver(rules, limits)
    undecided = 0
    for row in rows:
        result = judge.solve(deal_of_row(row, rules))
        got = result.verdict.value
        assert {got, row[column]} != {"solvable", "unsolvable"}, (row["id"], column)
        undecided += result.verdict is Verdict.UNDECIDED
        assert (result.moves is not None) == (result.verdict is Verdict.SOLVABLE)
    return undecided


@pytest.mark.parametrize("column", COLUMNS)
def test_reference_verdicts(column):
    undecided = check_reference(column, reference_rows()[:150], Limits(max_nodes=30_000))
    assert undecided <= (10 if column == "yukon" else 1)


@pytest.mark.slow
@pytest.mark.parametrize("column", COLUMNS)
def test_all_reference_verdicts(column):
    undecided = check_reference(column, reference_rows(), Limits())
    assert undecided <= {"yukon": 15, "yukon_any": 3}.get(column, 0)


RUSSIAN_WON = {16, 33, 35, 44, 47, 74, 85, 92, 103, 112}


def test_russian_ground_truth():
    rules = preset("russian")
    judge = Solver(rules)
    won = {
        n
        for n in range(1, 161)
        if judge.solve(numbered(rules, n, "pysolfc")).verdict is Verdict.SOLVABLE
    }
    assert won == RUSSIAN_WON


def test_yukon_ground_truth():
    rules = preset("yukon")
    judge = Solver(rules)
    lost = {
        n
        for n in range(1, 41)
        if judge.solve(numbered(rules, n, "pysolfc")).verdict is Verdict.UNSOLVABLE
    }
    assert lost == {10, 28}


def hard_deal():
    return deal_of_row(reference_rows()[HARD - 1], preset("yukon"))


def test_the_same_node_limit_gives_the_same_answer_and_nodes():
    """Whatever was solved before: the table a hard deal grew leaves no trace."""
    rules = preset("yukon")
    deals = [numbered(rules, n) for n in range(12)] + [hard_deal()]
    limits = Limits(max_nodes=25_000)
    fresh = [Solver(rules, limits).solve(deal) for deal in deals]
    one = Solver(rules, limits)
    reused = [one.solve(deal) for deal in reversed(deals)][::-1]
    for a, b in zip(fresh, reused, strict=True):
        assert (a.verdict, a.reason, a.nodes, a.moves) == (b.verdict, b.reason, b.nodes, b.moves)


@pytest.mark.parametrize("max_nodes", [1, 2, 17, 251, 5000])
def test_node_limit(max_nodes):
    result = Solver(preset("yukon"), Limits(max_nodes=max_nodes)).solve(hard_deal())
    assert result.verdict is Verdict.UNDECIDED
    assert result.reason is Reason.NODES
    assert result.nodes == max_nodes


def test_more_nodes_never_flip_a_verdict():
    rules = preset("yukon")
    solvers = [Solver(rules, Limits(max_nodes=n)) for n in (10, 100, 1000, 10_000)]
    for number in range(40):
        deal = numbered(rules, number)
        verdicts = [s.solve(deal).verdict for s in solvers]
        decided = [v for v in verdicts if v is not Verdict.UNDECIDED]
        assert len(set(decided)) <= 1, number
        assert verdicts[len(verdicts) - len(decided) :] == decided, number


def test_time_limit():
    result = Solver(preset("yukon"), Limits(max_nodes=10**9, timeout_s=0.2)).solve(hard_deal())
    assert result.verdict is Verdict.UNDECIDED
    assert result.reason is Reason.TIME


def test_memory_limit():
    limits = Limits(max_nodes=10**7, max_memory_bytes=1 << 20)
    result = Solver(preset("yukon"), limits).solve(hard_deal())
    assert result.verdict is Verdict.UNDECIDED
    assert result.reason is Reason.MEMORY


@pytest.mark.parametrize("back", [False, True])
def test_ghosts_at_the_memory_cap_end_no_search(back):
    """Native 43 and 52 are won, but not before the ghost game fills a table of a megabyte."""
    rules = preset("yukon", worrying_back=back)
    solver = Solver(rules, Limits(max_nodes=60_000, max_memory_bytes=1 << 20))
    won = [solver.solve(numbered(rules, number)) for number in (43, 52)]
    assert [result.verdict for result in won] == [Verdict.SOLVABLE] * 2
    limited = solver.solve(numbered(rules, 27))
    assert (limited.verdict, limited.reason) == (Verdict.UNDECIDED, Reason.NODES)
    assert limited.nodes >= 60_000
    for before, number in zip(won, (43, 52), strict=True):
        again = solver.solve(numbered(rules, number))
        assert replace(again, seconds=0) == replace(before, seconds=0)


def test_what_needs_more_memory_than_the_cap_says_so():
    """Without a node left to spend on: the tables may not grow, and the search needs them to."""
    rules = preset("yukon", worrying_back=True)
    result = Solver(rules, Limits(max_memory_bytes=1)).solve(numbered(rules, 141))
    assert (result.verdict, result.reason) == (Verdict.UNDECIDED, Reason.MEMORY)
    assert result.nodes < Solver(rules).max_nodes


def test_a_search_without_worrying_back_at_the_memory_cap_ends_no_search():
    rules = preset("yukon", worrying_back=True)
    strict = Solver(preset("yukon"), Limits(max_memory_bytes=1)).solve(numbered(rules, 50))
    assert strict.reason is Reason.MEMORY
    limits = Limits(max_nodes=strict.nodes + 9000, max_memory_bytes=1)
    result = Solver(rules, limits).solve(numbered(rules, 50))
    assert (result.verdict, result.reason) == (Verdict.UNDECIDED, Reason.NODES)


def test_interruption():
    calls = iter([False, False, True])
    result = Solver(preset("yukon"), Limits(max_nodes=10**9)).solve(
        hard_deal(), lambda: next(calls)
    )
    assert result.verdict is Verdict.UNDECIDED
    assert result.reason is Reason.INTERRUPTED


def test_a_line_the_rule_book_refuses_never_leaves(monkeypatch):
    """The replay is a real gate, not a formality."""
    monkeypatch.setattr(yukon, "tokens_of", lambda deal, line: tokens_of(deal, line)[:-1])
    with pytest.raises(ReplayError, match="won"):
        Solver(preset("yukon")).solve(numbered(preset("yukon"), 2))
    monkeypatch.setattr(yukon, "tokens_of", lambda deal, line: tokens_of(deal, line)[1:])
    with pytest.raises(ReplayError, match="refuses"):
        Solver(preset("yukon")).solve(numbered(preset("yukon"), 2))


def test_a_won_position_needs_no_moves():
    rules = preset("yukon")
    deal = Deal(((),) * 7, (0,) * 7, foundations=(13, 13, 13, 13))
    result = Solver(rules).solve(deal)
    assert result.verdict is Verdict.SOLVABLE
    assert result.moves == ()


def test_suffixes_of_a_solution_are_solvable():
    rules = preset("yukon")
    judge = Solver(rules)
    deal = numbered(rules, 2)
    moves = judge.solve(deal).moves
    assert moves is not None
    for cut in range(0, len(moves), 9):
        here = rulebook.to_deal(rulebook.replay(deal, rules, moves[:cut]))
        assert judge.solve(here).verdict is Verdict.SOLVABLE


@pytest.mark.parametrize("name", ["russian", "yukon"])
@pytest.mark.parametrize("max_nodes", [3000, 40])
def test_a_survey_is_solving_deck_by_deck(name, max_nodes):
    rules = preset(name)
    limits = Limits(max_nodes=max_nodes)
    decks = native_decks(500, 300 if name == "russian" else 60)
    judge = Solver(rules, limits)
    results = answers_of(Solver(rules, limits), decks)
    assert len(results) == len(decks)
    for index, got in enumerate(results):
        want = judge.solve(deal_from_deck(tuple(decks[index].tolist()), rules))
        for field in ("verdict", "reason", "nodes", "table_entries", "moves"):
            assert getattr(got, field) == getattr(want, field), (index, field)


def answers_of(solver, decks):
    pieces = list(solver.survey(decks))
    return [piece.result(place) for piece in pieces for place in range(len(piece))]


@pytest.mark.parametrize(
    ("limit", "value"), [("CALL_NODES", 30), ("DEAL_NODES", 20), ("LINE_MOVES", 4096)]
)
def test_calls_of_any_size_give_the_same_answers(monkeypatch, limit, value):
    solver = Solver(preset("yukon"), Limits(max_nodes=400))
    decks = native_decks(1, 100)
    expected = [replace(answer, seconds=0) for answer in answers_of(solver, decks)]
    assert sum(answer.moves is not None for answer in expected) > 50
    monkeypatch.setattr(bulk, limit, value)
    assert [replace(answer, seconds=0) for answer in answers_of(solver, decks)] == expected


def test_a_survey_stops_between_calls(monkeypatch):
    monkeypatch.setattr(bulk, "CALL_NODES", 100)
    calls = iter([False] * 5 + [True] * 3)
    pieces = list(Solver(preset("russian")).survey(native_decks(1, 300), lambda: next(calls)))
    assert 0 < sum(map(len, pieces)) < 300


@pytest.mark.parametrize("rules", [preset("yukon", worrying_back=True), preset("russian")])
def test_tokens_are_those_of_the_rule_book(rules):
    """Random play of the rule book, told card to card as the kernels do, gives its tokens back."""
    chance = random.Random(7)
    for number in range(40):
        deal = numbered(rules, number)
        position = rulebook.start(deal, rules)
        line, tokens = [], []
        for _ in range(60):
            moves = [m for m in rulebook.legal_moves(position, rules) if goes_first(position, m)]
            if not moves:
                break
            move = chance.choice(moves)
            column = position.columns[int(move.target) - 1] if move.target.isdigit() else None
            to = layout.FOUNDATION if column is None else column[-1] if column else layout.TABLE
            line.append(move.card | int(to) << 6)
            tokens.append(str(move))
            position = rulebook.apply(position, move, rules)
        assert tokens_of(deal, line) == tuple(tokens)


def goes_first(position, move):
    """Return whether a move to an empty column is to the first one."""
    if not move.target.isdigit() or position.columns[int(move.target) - 1]:
        return True
    return position.columns.index(()) == int(move.target) - 1


CHECK_WITHOUT_NRT_SWITCH = """
from yukonsolve import jit
jit.KERNEL_OPTIONS.pop("_nrt")
jit.KERNEL_OPTIONS["cache"] = False
from yukonsolve.deal import deal_from_deck
from yukonsolve.kernels import layout
from yukonsolve.numbering import deck_of_number
from yukonsolve.rules import preset
from yukonsolve.solver import Solver
rules = preset("russian")
deal = deal_from_deck(deck_of_number("pysolfc", 16, rules), rules)
print(Solver(rules).solve(deal).verdict.value)
"""


@pytest.mark.slow
@pytest.mark.parametrize("bounds_check", ["0", "1"])
def test_kernels_compile_without_the_internal_option(bounds_check, tmp_path):
    """``_nrt=False`` is an internal option of numba: we must be able to do without it."""
    env = os.environ | {"NUMBA_BOUNDSCHECK": bounds_check, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", CHECK_WITHOUT_NRT_SWITCH],
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "solvable"
