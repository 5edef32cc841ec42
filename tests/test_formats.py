"""Reading and writing deals: every form both ways, and every slip named."""

from __future__ import annotations

import csv
import json
import random
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yukonsolve.cards import CARD_NAMES, card_text, parse_card
from yukonsolve.deal import Deal, deal_from_deck, deck_of, deck_text
from yukonsolve.formats import DealError, board_text, read_deal, read_deals, solvitaire_json
from yukonsolve.numbering import native_deck
from yukonsolve.rulebook import apply, legal_moves, start, to_deal
from yukonsolve.rules import Rules, preset

DATA = Path(__file__).parent / "data"
YUKON, RUSSIAN, KLONDIKE = preset("yukon"), preset("russian"), preset("klondike")
DECK = deck_text(native_deck(0))

YUKON_24 = """7C
<4C> KH 5C 3H 8S JD
<5H> <AH> 6S TC 3S 4S 9D
<QC> <7S> <2S> 7D TS JH 4H 2H
<5D> <2C> <KD> <6C> 8C AD TD KS QD
<2D> <QH> <JS> <9C> <6H> AC 4D KC 6D 3D
<7H> <9S> <5S> <3C> <JC> <TH> 9H QS 8H 8D AS
"""
KLONDIKE_24 = """Talon: TC TS AD 4D QS 3H 3S JH TD KC 8H 8S 4S 4H KS 6D 8D 7C JD 9D 2H QD 3D AS
5C
<7H> 9H
<2D> <9S> AC
<5D> <QH> <5S> 8C
<QC> <2C> <JS> <3C> 7D
<5H> <7S> <KD> <9C> <JC> 6S
<4C> <AH> <2S> <6C> <6H> <TH> KH
"""
KLONDIKE_24_DIGITS = (
    "051073022052121053041093094123021074013011054114132024081031091061072111063064103133101104"
    "012042124033034113102131083084044043134062082071112092023122032014"
)
KLONDIKE_24_JSON = """{"tableau piles": [["5C"],["7h","9H"],["2d","9s","AC"],["5d","Qh","5s","8C"],
["Qc","2c","Js","3c","7D"],["5h","7s","Kd","9c","Jc","6S"],
["4c","Ah","2s","6c","6h","10h","KH"]],
 "stock": ["AS","3D","QD","2H","9D","JD","7C","8D","6D","KS","4H","4S","8S","8H","KC","10D","JH",
"3S","3H","QS","4D","AD","10S","10C"], "waste": [], "foundations": []}"""


def errors(text: str, rules: Rules = YUKON, source: str = "x") -> list[str]:
    with pytest.raises(DealError) as caught:
        read_deals(text, rules, source)
    messages = caught.value.messages
    assert str(caught.value) == "\n".join(messages)
    for message in messages:
        assert "\n" not in message
        place, line, _ = message.split(":", 2)
        assert place == source
        assert int(line) >= 1
    return messages


def position(rules: Rules, number: int, steps: int) -> Deal:
    """Return a half-played game."""
    rng = random.Random(number)
    now = start(deal_from_deck(native_deck(number, rules.n_cards), rules), rules)
    for _ in range(steps):
        moves = legal_moves(now, rules)
        if not moves:
            break
        up = [move for move in moves if move.target in "CDHS" and move.target]
        now = apply(now, rng.choice(up or moves), rules)
    return to_deal(now)


# one deal, many forms


def test_forms_of_one_klondike_deal():
    """Published forms of one deal, whose stock reads differently from either end."""
    deals = [
        read_deal(text, KLONDIKE).deal
        for text in (
            "pysolfc:24",
            KLONDIKE_24,
            KLONDIKE_24_DIGITS,
            KLONDIKE_24_JSON,
            "exact:66282993386965919432730154548295170077536241814116675177494593455272",
        )
    ]
    # PySolFC deals right to left; Microsoft deal 24 in fc-solve's layout is the same board.
    assert deals[1] == deals[2] == deals[3] == deals[4]
    assert deals[0] == deals[1]
    assert deals[0].stock[0] == parse_card("TC")


def test_forms_of_one_yukon_deal():
    named = read_deal(YUKON_24, YUKON, "board.txt")
    assert named.name == "board.txt"
    assert (named.numbering, named.number) == (None, None)
    by_number = read_deal("pysolfc:24", YUKON)
    assert named.deal == by_number.deal
    assert named.deck == by_number.deck
    assert (by_number.name, by_number.numbering, by_number.number) == ("pysolfc:24", "pysolfc", 24)
    again = read_deal(deck_text(by_number.deck or ()), YUKON)
    assert again.deal == named.deal
    assert board_text(named.deal, YUKON) == YUKON_24


def test_bare_numbers_are_native():
    named = read_deal("7", YUKON)
    assert (named.name, named.numbering, named.number) == ("7", "native", 7)
    assert named.deck == native_deck(7)


SPELLINGS = [
    str.lower,
    lambda deck: deck.replace("T", "10"),
    lambda deck: " ".join(deck[i : i + 2] for i in range(0, 104, 2)),
    lambda deck: ", ".join(deck[i : i + 2] for i in range(0, 104, 2)) + "\r\n",
    lambda deck: deck[:50] + "\t" + deck[50:],
    lambda deck: f"\ufeff\n# a deal\n  {deck}  # the one\n\n",
    lambda deck: deck.replace("S", "♠").replace("H", "♥"),
]


@pytest.mark.parametrize("change", SPELLINGS)
def test_spellings_of_a_deck_string(change):
    assert read_deal(change(DECK), YUKON).deck == native_deck(0)


LAYOUTS = [
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text.replace("\n", "\r"),
    lambda text: text.rstrip("\n"),
    lambda text: "\ufeff" + text,
    lambda text: text.replace("\n", "  \t\n\n"),
    lambda text: text.replace(" ", "\t"),
    lambda text: "# deal 24\n" + text.replace("\n", "   # a column\n"),
    lambda text: "".join(f": {line}\n" for line in text.splitlines()),
    lambda text: text.replace("T", "10"),
    lambda text: text.lower(),
    lambda text: text.replace("<", "< ").replace(">", " >"),
    lambda text: text.replace("> <", "><"),
    lambda text: text + "Foundations: H-0 C-0 D-0 S-0\n",
    lambda text: text + "Founds:\nWaste:\n",
]


@pytest.mark.parametrize("change", LAYOUTS)
def test_layouts_of_a_board(change):
    """A line end, a blank or a byte order mark must not change the deal."""
    assert read_deal(change(YUKON_24), YUKON).deal == read_deal("pysolfc:24", YUKON).deal


@pytest.mark.parametrize("change", [*LAYOUTS[:3], lambda text: text.replace("Talon", "STOCK")])
def test_layouts_of_a_klondike_board(change):
    assert read_deal(change(KLONDIKE_24), KLONDIKE).deal == read_deal("pysolfc:24", KLONDIKE).deal


def test_foundations_line():
    deal = Deal(((), (51,), *((),) * 5), (0,) * 7, foundations=(13, 13, 13, 12))
    for line in ("H-13 C-13 D-13 S-12", "HK CK DK SQ", "h-k, c-K d-13 s-q", "♥-K C-K D-K S-12"):
        assert read_deal(f"Foundations: {line}\n:\nKS\n:\n:\n:\n:\n:", YUKON).deal == deal
    text = board_text(deal, YUKON)
    assert text.splitlines()[0] == "Foundations: H-K C-K D-K S-Q"
    assert text.splitlines()[1:3] == [":", "KS"]
    assert read_deal(text, YUKON).deck is None


def test_klondike_waste_is_top_last():
    deal = position(KLONDIKE, 3, 0)
    drawn = replace(deal, stock=deal.stock[3:], waste=deal.stock[:3])
    text = board_text(drawn, KLONDIKE)
    assert text.splitlines()[2] == "Waste: " + " ".join(map(card_text, deal.stock[:3]))
    assert read_deal(text, KLONDIKE).deal == drawn
    assert json.loads(solvitaire_json(drawn, KLONDIKE))["stock"][-1].replace("10", "T") == (
        card_text(deal.stock[3])
    )


# round trips

NUMBERS = st.integers(0, 2**64 - 1)
RULES = st.sampled_from([YUKON, RUSSIAN, KLONDIKE, preset("klondike-draw3")])
FORMS = st.sampled_from([board_text, solvitaire_json])


@settings(max_examples=60)
@given(NUMBERS, RULES, st.integers(0, 120), FORMS)
def test_any_position_reads_back(number, rules, steps, form):
    deal = position(rules, number, steps)
    named = read_deal(form(deal, rules), rules)
    assert named.deal == deal
    assert named.deck == deck_of(deal, rules)


TINY = [
    {"n_ranks": 1, "n_columns": 2, "face_down": (0, 0), "face_up": (1, 3)},
    {"n_ranks": 2, "n_columns": 2, "face_down": (0, 1), "face_up": (2, 5)},
    {"n_ranks": 3, "n_columns": 3, "face_down": (0, 1, 2), "face_up": (1, 4, 4)},
]


@settings(max_examples=40)
@given(NUMBERS, st.sampled_from(TINY), st.integers(0, 8), FORMS)
def test_small_decks_read_back(number, shape, steps, form):
    rules = preset("yukon", **shape)
    deal = position(rules, number, steps)
    assert read_deal(form(deal, rules), rules).deal == deal
    deck = native_deck(number, rules.n_cards)
    assert read_deal(deck_text(deck), rules).deck == deck


@settings(max_examples=60)
@given(st.permutations(range(52)), RULES)
def test_any_deck_reads_back(deck, rules):
    named = read_deal(deck_text(tuple(deck)), rules)
    assert named.deck == tuple(deck)
    assert named.deal == deal_from_deck(tuple(deck), rules)


@settings(max_examples=200)
@given(st.text(max_size=60) | st.text(alphabet='23TKACDHS<>:#{}[]"-, \n', max_size=120))
def test_no_text_brings_the_reader_down(text):
    with pytest.raises(DealError):
        read_deals("?" + text, KLONDIKE)


GOOD = [YUKON_24, KLONDIKE_24, KLONDIKE_24_JSON, KLONDIKE_24_DIGITS, DECK, f"{DECK}\nnative:7"]


@settings(max_examples=300)
@given(st.sampled_from(GOOD), RULES, st.data())
def test_a_slip_of_the_pen_is_refused_or_harmless(text, rules, data):
    """Whatever is read after an edit has every card once."""
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 3))
        new = data.draw(st.text(alphabet='A2T0KCDHScdhs<>:#[]", \n', max_size=3))
        text = text[:at] + new + text[at + length :]
    try:
        deals = read_deals(text, rules, "x")
    except DealError:
        return
    for deal in (named.deal for named in deals):
        up = [4 * rank + suit for suit in range(4) for rank in range(deal.foundations[suit])]
        lying = [card for column in deal.columns for card in column]
        assert sorted([*up, *lying, *deal.stock, *deal.waste]) == list(range(52))
        assert len(deal.columns) == 7
        assert not (deal.stock or deal.waste) or rules.family == "klondike"


# lists of deals


def test_a_list_of_deals():
    text = f"\ufeff# three deals\r\n\r\n{DECK}\r\npysolfc:24 # a board\r\n  kpat:3\r\n7"
    deals = read_deals(text, YUKON, "deals.txt")
    assert [deal.name for deal in deals] == [DECK, "pysolfc:24", "kpat:3", "7"]
    assert [deal.line for deal in deals] == [3, 4, 5, 6]
    assert [deal.number for deal in deals] == [None, 24, 3, 7]
    assert read_deals(text.split("\r\n"), YUKON) == deals
    assert read_deals(iter(text.splitlines(keepends=True)), YUKON) == deals


def test_a_file_that_is_one_board():
    assert len(read_deals(YUKON_24, YUKON)) == 1
    assert read_deals("\n# deal 24\n" + YUKON_24, YUKON)[0].line == 3
    assert len(read_deals(KLONDIKE_24_JSON, KLONDIKE)) == 1


def test_all_bad_lines_are_named():
    text = f"{DECK}\n{DECK[:-2]}\nnative:x\n{DECK}\nzz\nfoo:3\n{DECK[2:]}{DECK[2:4]}"
    assert errors(text, source="deals.txt") == [
        "deals.txt:2: 51 of 52 cards given; missing: QD",
        "deals.txt:3: native: 'x' is not a number",
        "deals.txt:5: no deal: 'zz' is no deck string, number or board",
        "deals.txt:6: unknown numbering 'foo'; known: native, pysolfc, kpat, solvitaire, "
        "greenfelt, microsoft, exact",
        "deals.txt:7: 9S appears twice (card 1, card 52); missing: 4C",
    ]


def test_one_deal_is_not_two():
    with pytest.raises(DealError, match=r"^x:2: 2 deals given, one is expected$"):
        read_deal("1\n2\n", YUKON, "x")


def test_reference_deals():
    with (DATA / "yukon_family.csv").open(newline="") as file:
        decks = [row["cards"] for row in csv.DictReader(file)]
    deals = read_deals(decks, YUKON)
    assert [deck_text(deal.deck or ()) for deal in deals] == decks


def test_long_lists_are_read_fast():
    text = "\n".join(deck_text(native_deck(i)) for i in range(1000))
    took = []
    for _ in range(5):
        begun = time.perf_counter()
        assert len(read_deals(text, YUKON)) == 1000
        took.append(time.perf_counter() - begun)
    assert min(took) < 0.06  # 0.013 on a quiet machine


# slips


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing here\n", "\ufeff", "   "])
def test_empty_files(text):
    assert errors(text) == ["x:1: the text holds no deal"]


@pytest.mark.parametrize("text", ["junk", "hello, world", "?", "[]x", "Yukon 24", "--help"])
def test_junk(text):
    assert errors(text)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("AS\n", "\n", "x:1: 51 of 52 cards given; missing: AS"),
        ("AS\n", "AS AS\n", "53 cards given, the deck has 52; AS appears twice (column 7 card 11,"),
        ("QS", "QC", "QC appears twice (column 4 card 1, column 7 card 8); missing: QS"),
        ("9D", "9X", "x:3: unknown card '9X' (column 3 card 7)"),
        ("9D", "14S", "x:3: unknown card '14S' (column 3 card 7)"),
        ("9D", "9D5", "x:3: unknown card '9D5' (column 3 card 7)"),
        ("9D", "<9D>", "x:3: 9D, the last card of column 3, is face down"),
        ("TC 3S", "<TC> 3S", "x:3: TC is face down above a face-up card (column 3 card 4)"),
        ("<5H>", "<>", "x:3: unknown card '<>' (column 3 card 1): a hidden card must be named"),
        ("<5H>", "<??>", "x:3: unknown card '<??>' (column 3 card 1): a hidden card must be named"),
        ("<5H>", "<5H", "x:3: unknown card '<' (column 3 card 1)"),
        ("7C\n", "", "x:1: 6 columns given, yukon has 7"),
        ("7C\n", ":\n7C\n", "x:1: 8 columns given, yukon has 7"),
        ("7C\n", "Talon: 7C\n:\n", "x:1: yukon has no stock, 1 cards given for it"),
        ("7C\n", "Waste: 7C\n:\n", "x:1: yukon has no waste, 1 cards given for it"),
        ("7C\n", "Foundations: S-1\n7C\n", "AS appears twice (column 7 card 11, foundation S)"),
        ("7C\n", "Foundations: S-14\n7C\n", "x:1: unknown foundation 'S-14'"),
        ("7C\n", "Foundations: X-1\n7C\n", "x:1: unknown foundation 'X-1'"),
        ("7C\n", "Founds: S-0 S-0\n7C\n", "x:1: foundation S is given twice"),
        ("7C\n", "Talon:\nStock:\n7C\n", "x:2: a second line for the stock"),
        ("7C\n", "Freecells:\n7C\n", "x:1: unknown line 'Freecells:'"),
        ("7C\n", "7C\nnative:7\n", "x:2: unknown line 'native:'"),
    ],
)
def test_slips_in_a_board(old, new, what):
    assert old in YUKON_24
    messages = errors(YUKON_24.replace(old, new, 1))
    (message,) = messages
    assert what.removeprefix("x:1: ") in message
    assert what[:2] != "x:" or message.startswith(what[:4])


def test_several_faults_of_a_board_are_one_line():
    text = YUKON_24.replace("9D", "9X").replace("QS", "QC").replace("7C\n", "", 1)
    (message,) = errors(text)
    assert message == (
        "x:2: unknown card '9X' (column 2 card 7); "
        "6 columns given, yukon has 7 (':' on a line of its own is an empty one); "
        "51 of 52 cards given; QC appears twice (column 3 card 1, column 6 card 8); "
        "missing: 7C 9D QS"
    )
    (many,) = errors("\n".join(["<AX> AX"] * 7))
    assert many.count("unknown card") == 8
    assert many.endswith("; and 7 more faults")
    assert "; line 2: unknown card" in many


def test_a_board_line_makes_no_board_of_a_list():
    assert errors(f"{DECK}\nnative:7\n<7H> 9S\n{DECK}\nnative:x\n") == [
        "x:3: a line of a board in a list of deals: '<7H> 9S'",
        "x:5: native: 'x' is not a number",
    ]
    tall = "Foundations: S-0\n" + " ".join(DECK[i : i + 2] for i in range(0, 104, 2)) + "\n:" * 6
    assert len(read_deal(tall, YUKON).deal.columns[0]) == 52


def test_a_deck_line_before_a_board_is_not_dropped():
    assert errors(f"{DECK}\n{YUKON_24}")
    assert errors(f"{KLONDIKE_24_JSON}\n{DECK}", KLONDIKE)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda deck: deck[:-2], "51 of 52 cards given; missing: QD"),
        (lambda deck: deck + "AS", "53 cards given, the deck has 52; AS appears twice (card 15,"),
        (lambda deck: "9S" + deck[2:], "9S appears twice (card 1, card 2); missing: 4C"),
        (lambda deck: deck.replace("KH", "KX"), "unknown card 'KX' (card 16)"),
        (lambda deck: "AC" * 52, "AC appears 52 times"),
        (lambda deck: deck[:-1], "unknown card 'Q' (card 52)"),
    ],
)
def test_slips_in_a_deck_string(change, what):
    assert any(message.startswith(f"x:1: {what}") for message in errors(change(DECK)))


def test_other_slips():
    assert errors("native:18446744073709551616") == [
        "x:1: native numbers are 0..18446744073709551615, not 18446744073709551616"
    ]
    assert "pysolfc:msN" in errors("ms:24")[0]
    small = preset("yukon", **TINY[1])
    assert errors("ACADAHAS2C2D2HKS", small) == [
        "x:1: not in the deck of 8 cards: KS (card 8); missing: 2S"
    ]
    for text in ("AX" * 5000, "\n".join(["<AX> AX " * 50] * 50)):
        (message,) = errors(text)
        assert len(message) < 900


def test_reduced_decks_are_named_card_by_card():
    text = """{"tableau piles":[["3d","2c","Ac","2H"],["4h","3h","2S"],["4d","3C"],["AS"]],
    "stock":["3S","4S","4C","2D","AH","AD"]}"""
    four = errors(text, KLONDIKE)
    rest = "16 of 52 cards given; missing: 5C 5D 5H 5S 6C"
    assert four[0].startswith(f"x:1: 4 columns given, klondike has 7; {rest}")
    padded = errors(text.replace('["AS"]]', '["AS"],[],[],[]]'), KLONDIKE)
    assert padded == [four[0].replace("4 columns given, klondike has 7; ", "")]


def test_a_deck_of_31_cards_is_not_filled_up():
    digits = (
        "062122133041014042081034084111053124132083091113022071074023082033131021061043064092054134"
    )
    (message,) = errors(digits + "122", KLONDIKE)
    assert message.startswith("x:1: 31 of 52 cards given; QD appears twice (card 2, card 31)")
    assert errors(KLONDIKE_24_DIGITS, YUKON) == [
        "x:1: 156 digits are a Klondike-Solver deck, not one of yukon"
    ]
    assert errors(KLONDIKE_24_DIGITS[:-1], KLONDIKE)
    assert errors("7" * 68, KLONDIKE) == [
        "x:1: 68 digits want their numbering: write microsoft:N or exact:N"
    ]
    assert "unknown card '145' (card 1)" in errors("145" + KLONDIKE_24_DIGITS[3:], KLONDIKE)[0]


def test_misread_card_names_the_pair():
    (message,) = errors(KLONDIKE_24.replace("<QC>", "<QS>"), KLONDIKE)
    assert message == "x:1: QS appears twice (column 5 card 1, stock card 5); missing: QC"


# Solvitaire JSON


def test_json_case_of_the_rank_is_free():
    text = KLONDIKE_24_JSON.replace("Qh", "qh").replace('"KH"', '"kH"').replace("10h", "Th")
    assert read_deal(text, KLONDIKE).deal == read_deal(KLONDIKE_24, KLONDIKE).deal


def test_json_stock_ends_with_the_first_card_drawn():
    """Reported: a stock written in draw order made another deal."""
    turned = json.loads(KLONDIKE_24_JSON)
    turned["stock"].reverse()
    assert read_deal(json.dumps(turned), KLONDIKE).deal.stock[0] == parse_card("AS")
    assert solvitaire_json(read_deal(KLONDIKE_24, KLONDIKE).deal, KLONDIKE) == json.dumps(
        json.loads(KLONDIKE_24_JSON)
    )


@pytest.mark.parametrize("key", ["foundations", "foundation"])
@pytest.mark.parametrize("shape", ["flat", "nested", "mixed up"])
def test_json_foundations(key, shape):
    heap = [[card_text(4 * r + s) for r in range(n)] for s, n in enumerate((13, 13, 12, 12))]
    names = [name.replace("T", "10") for pile in heap for name in pile]
    value = {"flat": names, "nested": heap, "mixed up": names[::3] + names[1::3] + names[2::3]}
    text = json.dumps({"tableau piles": [["Kh", "KS"], *[[]] * 6], key: value[shape]})
    deal = read_deal(text, KLONDIKE).deal
    assert deal.foundations == (13, 13, 12, 12)
    assert deal.columns[0] == (parse_card("KH"), parse_card("KS"))
    assert deal.face_down == (1, 0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{", "x:1: broken JSON"),
        ('{\n"tableau piles": [}', "x:2: broken JSON"),
        ("[]", "x:1: a JSON deal is an object"),
        ("{}", "x:1: the JSON has no list 'tableau piles'"),
        ('{"tableau piles": 3}', "x:1: the JSON has no list 'tableau piles'"),
        ('{"tableau piles": [3]}', "x:1: the JSON's column 1 is not a list of cards"),
        ('{"tableau piles": [[3]]}', "x:1: unknown card '3' (column 1 card 1)"),
        ('{"tableau piles": [[null, {}]]}', "x:1: unknown card 'None' (column 1 card 1)"),
        ('{"tableau piles": [["##"]]}', "a hidden card must be named"),
        ('{"tableau piles": [["2C", "AC"]], "cells": ["KH"]}', "x:1: unknown JSON key 'cells'"),
        ('{"tableau piles": [["2C", "ac"]]}', "AC, the last card of column 1, is face down"),
        ('{"tableau piles": [[]], "stock": "AC"}', "the JSON's stock is not a list"),
        (
            '{"tableau piles": [[]], "foundations": ["2C"]}',
            "foundation C is not a row from the ace",
        ),
        ('{"tableau piles": [[]], "foundations": 5}', "the JSON's foundations are not a list"),
        ('{"tableau piles": ' + "[" * 5000 + "]" * 5000 + "}", "x:1: "),
    ],
)
def test_json_slips(text, what):
    assert any(what in message for message in errors(text, KLONDIKE))


def test_printed_board_with_hidden_cards_is_refused_with_a_hint():
    text = YUKON_24.replace("<4C>", "##").replace("<5H> <AH>", "## ##")
    messages = errors(text)
    assert messages[0].startswith(
        "x:2: unknown card '##' (column 2 card 1): a hidden card must be named, as in <7H>; line 3"
    )


def test_every_card_once_in_what_is_written():
    text = board_text(read_deal("native:5", YUKON).deal, YUKON)
    words = [word.strip("<>") for word in text.split()]
    assert sorted(words) == sorted(CARD_NAMES)


@pytest.mark.parametrize(
    ("columns", "noted"),
    [
        ("KC QH\nKD\nKH\nKS\n:\n:\n:", False),
        ("<KC> QH\nKD\nKH\nKS\n:\n:\n:", True),
        ("QH KC\nKD\nKH\nKS\n:\n:\n:", True),
    ],
)
def test_an_endgame_of_runs_needs_no_stock(columns, noted):
    text = f"Foundations: C-Q D-Q H-J S-Q\n{columns}\n"
    assert bool(read_deal(text, KLONDIKE).note) == noted
    assert not read_deal(f"Talon:\n{text}", KLONDIKE).note
    assert not read_deal(text, preset("yukon")).note
