from __future__ import annotations

import pytest

from yukonsolve.rules import PRESETS, preset

KINGS_ROW = {"face_down": (0,) * 4, "face_up": (4,) * 4, "n_columns": 4, "n_ranks": 4}


@pytest.mark.parametrize("name", PRESETS)
def test_presets_use_every_card(name):
    rules = preset(name)
    assert rules.name == name
    on_table = sum(rules.face_down) + sum(rules.face_up)
    assert rules.n_cards - on_table == (24 if rules.family == "klondike" else 0)


def test_foundation_cards_return_in_klondike_only():
    assert [name for name in PRESETS if preset(name).worrying_back] == [
        "klondike",
        "klondike-draw3",
        "klondike-vegas",
    ]


def test_words_name_everything_that_differs():
    assert preset("klondike-vegas").describe() == (
        "draw 3, passes 3, build alternate colours, kings to spaces, worrying back"
    )
    words = {preset(name).describe() for name in PRESETS}
    assert len(words) == len(PRESETS)


def test_equal_rules_hash_equal():
    assert hash(preset("yukon")) == hash(preset("yukon"))
    assert preset("yukon") != preset("yukon", spaces="any")


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("yukno", {}),
        ("yukon", {"family": "spider"}),
        ("yukon", {"build": "colour"}),
        ("yukon", {"spaces": "queens"}),
        ("yukon", {"n_ranks": 0}),
        ("yukon", {"n_ranks": 14}),
        ("yukon", {"n_columns": 6}),
        ("yukon", {"draw": 1}),
        ("yukon", {"n_ranks": 12}),
        ("klondike", {"draw": 0}),
        ("klondike", {"passes": -1}),
        ("klondike", {"n_ranks": 6}),
    ],
)
def test_impossible_rules_are_refused(name, changes):
    with pytest.raises(ValueError, match=r"rules|must|needs|no stock"):
        preset(name, **changes)


def test_small_decks_are_rules_too():
    assert preset("russian", **KINGS_ROW).n_cards == 16
