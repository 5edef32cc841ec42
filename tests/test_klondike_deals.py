"""Klondike on full decks: reference verdicts, reported faults, states on winning lines."""

from __future__ import annotations

import csv
import json
import random

import numpy as np
import pytest
from click.testing import CliRunner
from klondike_tools import DATA, decide, engine, reference_deals

from yukonsolve import rulebook
from yukonsolve.cli import main
from yukonsolve.deal import deal_from_deck
from yukonsolve.folder import pieces
from yukonsolve.formats import read_deal
from yukonsolve.kernels import klondike_layout as layout
from yukonsolve.kernels import klondike_relax, klondike_search
from yukonsolve.klondike import KlondikeEngine
from yukonsolve.numbering import deck_of_number
from yukonsolve.position import parse_move, start, to_deal
from yukonsolve.rules import preset
from yukonsolve.solver import Solver
from yukonsolve.verdict import Limits, Reason, Verdict

RESULTS = DATA.parent.parent / "results"
PRESET = {"draw1": preset("klondike"), "draw3": preset("klondike-draw3")}


def check_reference(column, deals):
    solver = Solver(PRESET[column], Limits(max_nodes=30_000_000, max_memory_bytes=4 << 30))
    undecided = 0
    for deal, row in deals:
        got = solver.solve(deal).verdict.value
        assert {got, row[column]} != {"solvable", "unsolvable"}, row
        undecided += got == "undecided"
    return undecided


@pytest.mark.parametrize("column", PRESET)
def test_reference_verdicts(column):
    deals = list(reference_deals(PRESET[column]))[:150]
    # Left out for their length.
    easy = [(deal, row) for deal, row in deals if row["solvitaire_seed"] not in {"16", "135"}]
    assert check_reference(column, easy) == 0


@pytest.mark.slow
@pytest.mark.parametrize("column", PRESET)
def test_all_reference_verdicts(column):
    assert check_reference(column, reference_deals(PRESET[column])) == 0


def published_draw_3_verdicts():
    with (DATA / "klondike_draw3_verdicts.csv").open(encoding="utf-8", newline="") as file:
        return {int(row["solvitaire_seed"]): row for row in csv.DictReader(file)}


def test_published_draw_3_verdicts_are_those_of_our_results():
    rows = [row for rows in pieces(RESULTS / "klondike-draw3-solvitaire") for row in rows]
    ours = {row.number: row.verdict for row in rows}
    published = published_draw_3_verdicts()
    assert len(published) == 5000
    known = {n: row["draw3"] for n, row in published.items() if row["draw3"] != "undecided"}
    assert {n: ours[n] for n in known} == known


@pytest.mark.slow
def test_published_draw_3_verdicts():
    """Every third; the first thousand are checked above."""
    rules = PRESET["draw3"]
    deals = (
        (deal_from_deck(deck_of_number("solvitaire", number, rules), rules), row)
        for number, row in published_draw_3_verdicts().items()
        if number > 1000 and number % 3 == 0
    )
    assert check_reference("draw3", deals) <= 1


REPORTED = {
    "R01": "011061012013133132131021051014053042134023043033032062031034022052024041054064"
    "063044121122123124111112113114101102103104091092093094081082083084071072073074",
    "R04": "122021053133044042092074131071132062123061011022101013064091114073063082034041"
    "014024103121094113102031033134072111084032023052012081112124043104083093051054",
    "R05": "092054023042061044011043122063014053021101104093123032133024103111082072124051"
    "083102134041084033081022074062052121064114071031034132073131094091012113013112",
    "R09": "112102084034131094032082053011013071114033023103122092083041014121064072113132"
    "024093073042012111022104133134031063074061021051044054123043052101124081091062",
    "R15": "062023101081092122013042034134071021102051012091072133032112123024082063131124"
    "074094041031061093054022064113121043014132052073084033103114053083011111104044",
    "R-A": "051073022052121053041093094123021074013011054114132024081031091061072111063064"
    "103133101104012042124033034113102131083084044043134062082071112092023122032014",
    "R-B": "041023134124133071102114063072031033121092131043082044122083084064061051093094"
    "054073042013091104032101113062022103052034021132012074112111123011053024081014",
    "R-C": "092041122094064032023014102114083031052111084053081132062082073074113093021013"
    "133112104061033103072054091044071131042022051012034124121043024011123101134063",
}


@pytest.mark.parametrize(
    ("name", "changes", "won"),
    [
        ("R01", {"draw": 3}, True),
        ("R01", {"draw": 1}, True),
        ("R01", {"draw": 3, "worrying_back": False}, False),
        ("R01", {"draw": 1, "worrying_back": False}, False),
        ("R04", {"draw": 3}, True),
        ("R05", {"draw": 3}, True),
        ("R09", {"draw": 3}, True),
        ("R15", {"draw": 1}, False),
        ("R-A", {"draw": 1}, True),
        ("R-A", {"draw": 3}, True),
        ("R-B", {"draw": 1}, False),
        ("R-B", {"draw": 3}, False),
        ("R-C", {"draw": 3}, False),
    ],
    ids=str,
)
def test_reported_deals(name, changes, won):
    rules = preset("klondike", **changes)
    deal = read_deal(REPORTED[name], rules, name).deal
    result = Solver(rules, Limits(max_nodes=3_000_000)).solve(deal)
    assert result.verdict is (Verdict.SOLVABLE if won else Verdict.UNSOLVABLE)


@pytest.mark.parametrize(
    ("name", "preset_name", "verdict"),
    [
        ("greenfelt:815", "draw3", Verdict.SOLVABLE),
        ("greenfelt:4", "draw1", Verdict.UNSOLVABLE),
    ],
)
def test_reported_games_of_a_site_by_number(name, preset_name, verdict):
    """The second is the one whose high score table made a player believe in a win."""
    rules = PRESET[preset_name]
    assert Solver(rules).solve(read_deal(name, rules).deal).verdict == verdict


def test_reported_deal_needs_four_passes():
    """R04: the tool of the report needed four passes, the reporter claimed that three do.

    They do not; plain search with every rule off says so too. Three redeals are four passes.
    """
    for passes, won in ((3, False), (4, True)):
        rules = preset("klondike-vegas", passes=passes)
        deal = read_deal(REPORTED["R04"], rules, "R04").deal
        assert decide(deal, rules) == won
        assert decide(deal, rules, [], 10**9) == won


def positions_of(line, deal, rules):
    position = start(deal, rules)
    yield position
    for token in line:
        position = rulebook.apply(position, parse_move(token), rules)
        yield position


def refuted(judge, deal):
    judge.space.load(deal)
    w = judge.space.work
    up = w.frames[layout.UP]
    return klondike_search.root_is_lost(w) or not klondike_relax.relax(w, np.uint64(0), up)


def check_winning_lines(changes, numbers):
    rules = preset("klondike", **changes)
    judge = engine(rules)
    states = 0
    for number in numbers:
        deal = deal_from_deck(deck_of_number("native", number, rules), rules)
        result = KlondikeEngine(rules, Limits(max_nodes=5000), [], 10**9).search(deal)
        if result.moves is None:
            continue
        for position in positions_of(result.moves, deal, rules):
            states += 1
            assert not refuted(judge, to_deal(position)), (number, position)
    return states


LINES = [
    {"draw": draw, "build": build, "worrying_back": back}
    for draw in (1, 3)
    for build in ("alternate", "suit")
    for back in (True, False)
]


@pytest.mark.parametrize("changes", LINES, ids=str)
def test_no_state_on_a_winning_line_is_called_dead(changes):
    """Lines found with every pruning rule off; plain search wins few same-suit deals."""
    few = changes["build"] == "suit"
    assert check_winning_lines(changes, range(25 if few else 12)) > (20 if few else 500)


@pytest.mark.slow
@pytest.mark.parametrize("changes", LINES, ids=str)
def test_no_state_on_many_winning_lines_is_called_dead(changes):
    assert check_winning_lines(changes, range(100, 600)) > 1000


def test_limits_leave_a_deal_undecided():
    rules = PRESET["draw3"]
    deal = deal_from_deck(deck_of_number("solvitaire", 598, rules), rules)
    seen = []
    assert Solver(rules, Limits(max_nodes=5000)).solve(deal).reason is Reason.NODES
    assert Solver(rules, Limits(timeout_s=0.05)).solve(deal).reason is Reason.TIME
    assert Solver(rules, Limits(max_memory_bytes=2 << 20)).solve(deal).reason is Reason.MEMORY
    result = Solver(rules).solve(deal, lambda: bool(seen.append(1)) or len(seen) > 3)
    assert result.reason is Reason.INTERRUPTED
    assert result.verdict is Verdict.UNDECIDED


def test_the_same_search_twice():
    rules = PRESET["draw3"]
    numbers = random.Random(1).sample(range(1000), 20)
    deals = [deal_from_deck(deck_of_number("native", n, rules), rules) for n in numbers]
    judge = Solver(rules, Limits(max_nodes=20_000))
    first = [(r.verdict, r.nodes, r.moves) for r in map(judge.solve, deals)]
    again = [(r.verdict, r.nodes, r.moves) for r in map(judge.solve, deals[::-1])][::-1]
    assert first == again


def test_worrying_back_never_loses_a_win():
    back, forth = PRESET["draw1"], preset("klondike", worrying_back=False)
    for deal, _ in list(reference_deals(back))[:100]:
        if decide(deal, forth):
            assert decide(deal, back)


def test_a_stock_no_game_has_is_refused_in_one_line():
    names = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]
    board = json.dumps({"tableau piles": [[name] for name in names[:7]], "stock": names[7:]})
    result = CliRunner().invoke(main, ["solve", "klondike-draw3", "-"], input=board)
    assert result.exit_code == 2
    assert "45 stock cards are too many for the exact key" in result.output
    assert "Traceback" not in result.output
