from __future__ import annotations

import pytest

from yukonsolve.cards import CARD_NAMES, card_text, is_red, parse_card, rank_of, suit_of


@pytest.mark.parametrize("card", range(52))
def test_written_form_reads_back(card):
    assert parse_card(card_text(card)) == card == 4 * rank_of(card) + suit_of(card)
    assert parse_card(card_text(card).lower()) == card


def test_codes_are_rank_major_in_suit_order():
    assert CARD_NAMES[:5] == ("AC", "AD", "AH", "AS", "2C")
    assert CARD_NAMES[51] == "KS"


def test_red_cards():
    assert [is_red(parse_card(card)) for card in ("AC", "AD", "AH", "AS")] == [
        False,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("10h", "TH"),
        ("1S", "AS"),
        ("11d", "JD"),
        ("12c", "QC"),
        ("13C", "KC"),
        ("qD", "QD"),
        ("A♠", "AS"),
        ("10♥", "TH"),
        ("t♢", "TD"),
        (" kc ", "KC"),
    ],
)
def test_other_spellings(text, same):
    assert card_text(parse_card(text)) == same


@pytest.mark.parametrize("text", ["", "S", "10", "14S", "0C", "AX", "CA", "AC5", "<7H>", "##"])
def test_no_card(text):
    with pytest.raises(ValueError, match="unknown card"):
        parse_card(text)
