from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pysol_cards.cards import CardRenderer
from pysol_cards.deal_game import Game
from pysol_cards.random_base import RandomBase

from yukonsolve.deal import deal_from_deck, deck_text
from yukonsolve.decks import native_decks
from yukonsolve.formats import read_deal
from yukonsolve.numbering import (
    NUMBERINGS,
    deck_of_number,
    exact_number_of,
    native_deck,
    parse_deal_name,
)
from yukonsolve.rules import preset
from yukonsolve.text_board import board_text

DATA = Path(__file__).parent / "data"
YUKON, RUSSIAN, KLONDIKE = preset("yukon"), preset("russian"), preset("klondike")

NATIVE = dict(line.split() for line in (DATA / "native.txt").read_text().splitlines())


def board(numbering, number, rules) -> str:
    return board_text(deal_from_deck(deck_of_number(numbering, number, rules), rules), rules)


@pytest.mark.parametrize("number", NATIVE)
def test_native_vectors(number):
    assert deck_text(deck_of_number("native", int(number), YUKON)) == NATIVE[number]
    assert deck_text(deck_of_number("native", number, KLONDIKE)) == NATIVE[number]


@pytest.mark.parametrize(("first", "count"), [(0, 2000), (2**40 - 7, 50), (2**64 - 3, 3), (5, 0)])
def test_native_by_the_batch(first, count):
    decks = native_decks(first, count)
    assert decks.shape == (count, 52)
    assert decks.dtype == np.uint8
    assert [tuple(deck) for deck in decks.tolist()] == [
        native_deck(first + i) for i in range(count)
    ]


@pytest.mark.parametrize("number", [3512739, 5200627])
def test_native_refused_draws(number):
    """Among the first twelve million numbers only these two refuse a draw."""
    assert tuple(native_decks(number - 1, 3)[1].tolist()) == native_deck(number)


def test_native_small_decks():
    rules = preset("yukon", n_ranks=3, n_columns=3, face_down=(0, 1, 2), face_up=(1, 4, 4))
    decks = [deck_of_number("native", n, rules) for n in range(200)]
    assert all(sorted(deck) == list(range(12)) for deck in decks)
    assert len(set(decks)) == 200
    assert [tuple(deck) for deck in native_decks(0, 200, 12).tolist()] == decks


def test_native_is_even():
    """Every card should come to every place about equally often."""
    decks = native_decks(0, 52_000)
    for place in (0, 25, 51):
        counts = np.bincount(decks[:, place], minlength=52)
        assert ((counts - 1000) ** 2 / 1000).sum() < 110  # 51 degrees of freedom


@pytest.mark.parametrize("range_", [(-1, 1), (2**64 - 1, 2)])
def test_native_batch_range(range_):
    with pytest.raises(ValueError, match="native numbers"):
        native_decks(*range_)


PYSOLFC_YUKON = {
    1: """3D
<JD> AS QH TD 7D 8C
<2D> <7C> AH 4H 4S 6D TC
<9H> <5H> <5S> 3C AC TH 8S 6S
<JC> <KD> <AD> <3H> 4C 4D 8H 8D 9C
<5D> <KC> <QC> <2S> <9D> 5C 7S 2C QS 2H
<7H> <9S> <KH> <KS> <QD> <JS> TS 3S JH 6C 6H
""",
    24: """7C
<4C> KH 5C 3H 8S JD
<5H> <AH> 6S TC 3S 4S 9D
<QC> <7S> <2S> 7D TS JH 4H 2H
<5D> <2C> <KD> <6C> 8C AD TD KS QD
<2D> <QH> <JS> <9C> <6H> AC 4D KC 6D 3D
<7H> <9S> <5S> <3C> <JC> <TH> 9H QS 8H 8D AS
""",
}


@pytest.mark.parametrize("number", PYSOLFC_YUKON)
def test_pysolfc_yukon_and_russian_share_a_board(number):
    for rules in (YUKON, RUSSIAN):
        assert board("pysolfc", number, rules) == PYSOLFC_YUKON[number]


def test_pysolfc_klondike():
    assert (
        board("pysolfc", 1, KLONDIKE)
        == """Talon: 4H AC 4D 7S 3S TD 4S TH 8H 2C JH 7D 6D 8S 8D QS 6C 3D 8C TC 6S 9C 2H 6H
QH
<7H> TS
<5D> <9S> 5C
<JC> <KC> <KH> 4C
<9H> <KD> <QC> <KS> 3C
<2D> <5H> <AD> <2S> <QD> AH
<JD> <7C> <5S> <3H> <9D> <JS> AS
"""
    )


def by_pysol_cards(game: str, number: int, which: int) -> str:
    return str(Game(game, number, which).calc_layout_string(CardRenderer(True)))


# pysol-cards takes the Microsoft generator for 32000 too, PySolFC itself does not.
SOME = [*range(1, 200), 31998, 31999, *range(32001, 32100), 10**9, 2**32 - 1, 2**33, 10**15, 10**20]


@pytest.mark.parametrize("rules", [YUKON, KLONDIKE], ids=lambda rules: rules.name)
def test_pysolfc_against_pysol_cards(rules):
    for number in SOME:
        theirs = by_pysol_cards(rules.name, number, RandomBase.DEALS_PYSOLFC)
        assert board("pysolfc", number, rules).split() == theirs.split(), number


def test_pysolfc_microsoft_numbers_against_pysol_cards():
    for number in [1, 24, 31999, 32000, 32001, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**33 - 1]:
        theirs = by_pysol_cards("yukon", number, RandomBase.DEALS_MS)
        assert board("pysolfc", f"ms{number}", YUKON).split() == theirs.split(), number


def test_pysolfc_changes_generator_at_32000():
    assert deck_of_number("pysolfc", 31999, YUKON) == deck_of_number("pysolfc", "ms31999", YUKON)
    assert deck_of_number("pysolfc", 32000, YUKON) != deck_of_number("pysolfc", "ms32000", YUKON)


def test_kpat_yukon():
    assert (
        board("kpat", 24, YUKON)
        == """4C
<5H> 7S JS JC AC 4D
<QC> <2C> 5S TH 9H QS KC
<5D> <QH> <6C> KH 5C 3H 8H KS
<2D> <9S> <9C> <6S> TC 3S 8S 6D JD
<7H> <2S> <3C> <7D> <TS> JH 4S 8D 9D QD
<AH> <KD> <6H> <8C> <AD> <TD> 4H 7C 2H 3D AS
"""
    )


def test_kpat_klondike():
    assert (
        board("kpat", 24, KLONDIKE)
        == """Talon: TC TS AD 4D QS 3H 3S JH TD KC 8H 8S 4S 4H KS 6D 8D 7C JD 9D 2H QD 3D AS
4C
<5H> 7S
<QC> <2C> JS
<5D> <QH> <5S> 6H
<2D> <9S> <6C> <JC> 6S
<7H> <2S> <9C> <TH> <7D> AC
<AH> <KD> <3C> <KH> <8C> <9H> 5C
"""
    )


def test_solvitaire_seeds():
    with (DATA / "klondike.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            seed = row["solvitaire_seed"]
            assert deck_text(deck_of_number("solvitaire", seed, KLONDIKE)) == row["cards"]


# lonelybot's codes: of its own tests, of the report about Greenfelt 815, and of fc-solve's board 24
MICROSOFT = "37529377358585594134454298882350599254635682470701937210952436445911"
EXACT = {
    "pysolfc:24": "66282993386965919432730154548295170077536241814116675177494593455272",
    "greenfelt:0": "70781775317263119030027683441491840945148374294523658484644048341783",
    "greenfelt:815": "54605893934891402797250875638084106573966814513336615954662756441873",
    "solvitaire:0": "12954810653509400169295621394006691876957783508183809583464865425989",
    "solvitaire:22": "75815935119064350470717521029623259780400326814603147288883495865917",
    f"microsoft:{MICROSOFT}": "6555618124709432518914756628087920429793617258659043425228908599455",
}


@pytest.mark.parametrize("name", EXACT)
def test_exact_numbers(name):
    deck = deck_of_number(*parse_deal_name(name), KLONDIKE)
    assert deck_of_number("exact", EXACT[name], KLONDIKE) == deck
    assert exact_number_of(deck, KLONDIKE) == int(EXACT[name])


KLONDIKE_SOLVER_DECKS = {
    "greenfelt:4": "062023101081092122013042034134071021102051012091072133032112123024082063"
    "131124074094041031061093054022064113121043014132052073084033103114053083011111104044",
    "greenfelt:815": "112102084034131094032082053011013071114033023103122092083041014121064072"
    "113132024093073042012111022104133134031063074061021051044054123043052101124081091062",
    f"microsoft:{MICROSOFT}": "061123043093094014051011134053131104122033041042083114044133054103"
    "063101082113111132073032112023081084062024102072074092052012031091021121064013071034124022",
}


@pytest.mark.parametrize("name", KLONDIKE_SOLVER_DECKS)
def test_published_klondike_decks(name):
    digits = read_deal(KLONDIKE_SOLVER_DECKS[name], KLONDIKE)
    assert read_deal(name, KLONDIKE).deal == digits.deal


@given(st.integers(0, math.factorial(52) - 1))
@example(0)
@example(math.factorial(52) - 1)
def test_exact_numbers_there_and_back(number):
    deck = deck_of_number("exact", number, KLONDIKE)
    assert sorted(deck) == list(range(52))
    assert exact_number_of(deck, KLONDIKE) == number


@given(st.permutations(range(52)))
def test_every_deck_has_an_exact_number(cards):
    number = exact_number_of(tuple(cards), KLONDIKE)
    assert number is not None
    assert deck_of_number("exact", number, KLONDIKE) == tuple(cards)


def test_no_exact_number_but_of_whole_klondike():
    deck = deck_of_number("native", 7, KLONDIKE)
    assert exact_number_of(deck, preset("klondike-draw3", spaces="any")) is not None
    assert exact_number_of(deck, YUKON) is None
    assert exact_number_of(deck[:48], preset("klondike", n_ranks=12)) is None


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("7", ("native", 7)),
        ("native:0", ("native", 0)),
        (" PySolFC: 24 ", ("pysolfc", 24)),
        ("pysolfc:ms32000", ("pysolfc", "ms32000")),
        ("kpat:2147483647", ("kpat", 2147483647)),
        ("solvitaire:0007", ("solvitaire", 7)),
        ("18446744073709551615", ("native", 2**64 - 1)),
        ("Greenfelt:815", ("greenfelt", 815)),
        (f"microsoft: {MICROSOFT}", ("microsoft", int(MICROSOFT))),
        (f"exact:{math.factorial(52) - 1}", ("exact", math.factorial(52) - 1)),
    ],
)
def test_names(text, meant):
    assert parse_deal_name(text) == meant


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("ms:24", "unknown numbering 'ms'.*pysolfc:msN"),
        ("greenfield:4", "unknown numbering"),
        (":4", "unknown numbering"),
        ("", "not a number"),
        ("native:", "not a number"),
        ("native:-1", "not a number"),
        ("native:1e3", "not a number"),
        ("native:٣", "not a number"),
        ("native:ms3", "not a number"),
        ("native:18446744073709551616", r"0\.\.18446744073709551615, not 18446744073709551616"),
        ("native:" + "9" * 5000, "5000 digits"),
        ("kpat:0", r"1\.\.2147483647, not 0"),
        ("kpat:2147483648", "not 2147483648"),
        ("solvitaire:4294967296", "not 4294967296"),
        ("pysolfc:ms0", "pysolfc:ms numbers"),
        ("pysolfc:ms8589934592", "pysolfc:ms numbers"),
        ("pysolfc:100000000000000000001", "pysolfc numbers"),
        ("greenfelt:2147483647", r"0\.\.2147483646, not 2147483647"),
        ("greenfelt:-4", "not a number"),
        (f"microsoft:{math.factorial(52)}", r"microsoft numbers are 0\.\.8065\d{64}, not 8065"),
        (f"exact:{math.factorial(52)}", r"exact numbers are 0\.\.8065\d{64}, not 8065"),
        ("exact:" + "9" * 81, "81 digits"),
        ("exact:", "not a number"),
    ],
)
def test_bad_names(text, what):
    with pytest.raises(ValueError, match=what) as caught:
        parse_deal_name(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_numberings_of_one_game_or_shape():
    for name in ("solvitaire", "greenfelt", "microsoft", "exact"):
        with pytest.raises(ValueError, match=f"{name} numbers deal klondike only, not yukon"):
            deck_of_number(name, 1, YUKON)
    small = preset("yukon", n_ranks=3, n_columns=3, face_down=(0, 1, 2), face_up=(1, 4, 4))
    for name in ("pysolfc", "kpat"):
        with pytest.raises(ValueError, match="usual columns"):
            deck_of_number(name, 1, small)
    for name in ("solvitaire", "greenfelt", "microsoft", "exact"):
        for changes in ({"n_ranks": 12}, {"face_down": (0,) * 7, "face_up": (1,) * 7}):
            with pytest.raises(ValueError, match="usual columns"):
                deck_of_number(name, 1, preset("klondike", **changes))
    with pytest.raises(ValueError, match="native numbers"):
        deck_of_number("native", -1, YUKON)


@pytest.mark.parametrize("name", NUMBERINGS)
def test_ends_of_the_range(name):
    record = NUMBERINGS[name]
    for number in (record.first, record.last):
        assert sorted(deck_of_number(name, number, KLONDIKE)) == list(range(52))
