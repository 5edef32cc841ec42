from __future__ import annotations

import random
from dataclasses import replace

import pytest

from yukonsolve.deal import Deal, deal_from_deck, dealing_order, deck_of, deck_text
from yukonsolve.rules import PRESETS, preset

SMALL = {
    "yukon": {"n_ranks": 3, "n_columns": 3, "face_down": (0, 1, 2), "face_up": (1, 4, 4)},
    "klondike": {"n_ranks": 3, "n_columns": 3, "face_down": (0, 1, 2), "face_up": (1, 1, 1)},
}


@pytest.mark.parametrize("name", PRESETS)
def test_shape_and_way_back(name):
    rules = preset(name)
    deck = tuple(random.Random(1).sample(range(52), 52))
    deal = deal_from_deck(deck, rules)
    shape = tuple(d + u for d, u in zip(rules.face_down, rules.face_up, strict=True))
    assert tuple(map(len, deal.columns)) == shape
    assert deck_of(deal, rules) == deck
    assert sorted(dealing_order(rules))[-1] == (6, shape[6] - 1)


def test_yukon_rows():
    columns = deal_from_deck(tuple(range(52)), preset("yukon")).columns
    # The Klondike triangle first, then four rows on columns 2 to 7.
    assert columns[0] == (0,)
    assert columns[1] == (1, 7, 28, 34, 40, 46)
    assert columns[6] == (6, 12, 17, 21, 24, 26, 27, 33, 39, 45, 51)


def test_klondike_stock_is_drawn_in_deck_order():
    deal = deal_from_deck(tuple(range(52)), preset("klondike"))
    assert deal.columns[6] == (6, 12, 17, 21, 24, 26, 27)
    assert deal.stock == tuple(range(28, 52))


@pytest.mark.parametrize("name", SMALL)
def test_small_decks(name):
    rules = preset(name, **SMALL[name])
    deck = tuple(range(12))
    deal = deal_from_deck(deck, rules)
    assert deal.columns[2][:2] == (2, 4)
    assert deck_of(deal, rules) == deck


def test_a_column_of_one_card_and_an_empty_one():
    rules = preset("yukon", n_ranks=1, n_columns=3, face_down=(0, 0, 0), face_up=(1, 0, 3))
    assert deal_from_deck((0, 1, 2, 3), rules).columns == ((0,), (), (1, 2, 3))


def test_positions_have_no_deck():
    rules = preset("klondike")
    deal = deal_from_deck(tuple(range(52)), rules)
    assert deck_of(replace(deal, stock=deal.stock[1:], waste=deal.stock[:1]), rules) is None
    turned = replace(deal, face_down=(0, 0, 2, 3, 4, 5, 6))
    assert deck_of(turned, rules) is None
    assert deck_of(Deal(((),) * 7, (0,) * 7, foundations=(13, 13, 13, 13)), rules) is None


def test_a_deck_of_another_size_is_refused():
    with pytest.raises(ValueError, match="51 cards"):
        deal_from_deck(tuple(range(51)), preset("yukon"))


def test_deck_text():
    assert deck_text(tuple(range(4, 8))) == "2C2D2H2S"
