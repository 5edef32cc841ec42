"""The rule book against hand-made positions, known lines, and its own slow double."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from pathlib import Path

import pytest

from yukonsolve.board import Board
from yukonsolve.cards import SUITS, parse_card
from yukonsolve.deal import Deal, deal_from_deck
from yukonsolve.numbering import deck_of_number, native_deck
from yukonsolve.refusals import refusal
from yukonsolve.rulebook import (
    DRAW,
    REDEAL,
    IllegalMove,
    Move,
    Position,
    TooManyStatesError,
    apply,
    canonical,
    find_line,
    is_won,
    legal_moves,
    parse_move,
    replay,
    solve_small,
    start,
    to_deal,
)
from yukonsolve.rules import Rules, preset

DATA = Path(__file__).parent / "data"
YUKON, RUSSIAN, KLONDIKE = preset("yukon"), preset("russian"), preset("klondike")
TINY = {"n_ranks": 3, "n_columns": 3, "face_down": (0, 1, 2), "face_up": (1, 4, 4)}
TINY_KLONDIKE = {"n_ranks": 3, "n_columns": 3, "face_down": (0, 1, 2), "face_up": (1, 1, 1)}


def cards(text: str) -> tuple[int, ...]:
    return tuple(map(parse_card, text.split()))


def deal_of(*columns: str, stock: str = "", waste: str = "", up: str = "") -> Deal:
    """Write a deal by columns, ``-`` before a face-down card."""
    return Deal(
        tuple(cards(column.replace("-", "")) for column in columns),
        tuple(column.count("-") for column in columns),
        cards(stock),
        cards(waste),
        tuple(map(int, up.split())) if up else (0, 0, 0, 0),
    )


def moves_of(deal: Deal, rules: Rules) -> set[str]:
    return set(map(str, legal_moves(start(deal, rules), rules)))


def reason(deal: Deal, rules: Rules, *tokens: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        replay(deal, rules, tokens)
    assert caught.value.step == len(tokens)
    assert caught.value.token == tokens[-1]
    assert str(caught.value).startswith(f"step {len(tokens)}, {tokens[-1]}: ")
    return caught.value.reason


def seven(*columns: str) -> list[str]:
    return [*columns, *[""] * (7 - len(columns))]


# known lines

LINES = {
    name: line.split()
    for name, line in (
        entry.split(": ", 1)
        for entry in (DATA / "solutions.txt").read_text().splitlines()
        if not entry.startswith("#")
    )
}


def numbered(name: str) -> tuple[Deal, Rules]:
    rules = preset(name.split()[0])
    return deal_from_deck(deck_of_number("pysolfc", name.split()[1], rules), rules), rules


@pytest.mark.parametrize("name", LINES)
def test_known_line(name):
    deal, rules = numbered(name)
    line = LINES[name]
    assert len(line) == {"yukon 24": 93, "russian 16": 84}[name]
    final = replay(deal, rules, line)
    assert is_won(final, rules)
    assert not is_won(replay(deal, rules, line[:-1]), rules)
    position = start(deal, rules)
    for token in line:
        move = parse_move(token)
        assert move in legal_moves(position, rules)
        position = apply(position, move, rules)
    assert position == final


def refused_at(deal: Deal, rules: Rules, line: list[str]) -> int | None:
    """Return the step at which a line is refused; one that is not must not win."""
    try:
        final = replay(deal, rules, line)
    except IllegalMove as error:
        return error.step
    assert not is_won(final, rules)
    return None


@pytest.mark.parametrize("name", LINES)
def test_known_line_without_one_step(name):
    """Leaving a move out must be noticed, at the latest at the end."""
    deal, rules = numbered(name)
    line = LINES[name]
    for i in range(len(line)):
        step = refused_at(deal, rules, line[:i] + line[i + 1 :])
        assert step is None or step > i


def test_wrong_step_is_named():
    deal, rules = numbered("yukon 24")
    line = LINES["yukon 24"]
    assert reason(deal, rules, *line[:2], "6H:6>2") == (
        "6H does not go on JD (column 2): it needs a card one rank higher of the other colour"
    )
    assert reason(deal, RUSSIAN, line[0]) == (
        "8C does not go on 9D (column 3): it needs a card one rank higher of the same suit"
    )


def test_replay_is_quick():
    deal, rules = numbered("yukon 24")
    took = []
    for _ in range(20):
        begun = time.perf_counter()
        replay(deal, rules, LINES["yukon 24"])
        took.append(time.perf_counter() - begun)
    assert min(took) < 0.003  # 0.3 ms on a quiet machine


# what moves where


def test_yukon_moves_any_face_up_card_with_all_on_it():
    deal = deal_of(*seven("-2H 8C KD 3S", "9H", "9D", "9S"))
    assert moves_of(deal, YUKON) == {"8C:1>2", "8C:1>3"} | {f"KD:1>{i}" for i in (5, 6, 7)}
    after = replay(deal, YUKON, ["8C:1>2"])
    assert after.columns[1] == cards("9H 8C KD 3S")
    assert (after.columns[0], after.face_down[0]) == (cards("2H"), 0)


def test_russian_needs_the_same_suit():
    deal = deal_of(*seven("-2H 8C KD 3S", "9H", "9C", "9S"))
    assert moves_of(deal, RUSSIAN) == {"8C:1>3"} | {f"KD:1>{i}" for i in (5, 6, 7)}


def test_klondike_moves_built_runs_only():
    deal = deal_of(*seven("-2H 8C 7D 6S 5H", "9H", "7H", "6C 9C 8D 7S"))
    assert moves_of(deal, KLONDIKE) == {"8C:1>2", "6S:1>3"}
    assert "built run" in reason(deal, KLONDIKE, "6C:4>3")
    assert replay(deal, YUKON, ["6C:4>3"]).columns[3] == ()


def test_klondike_runs_follow_the_build_rule():
    deal = deal_of(*seven("-2H 8C 7C", "9C", "9H"))
    same_suit = preset("klondike", build="suit")
    assert moves_of(deal, same_suit) == {"8C:1>2"}
    assert moves_of(deal, KLONDIKE) == set()


def test_no_run_reaches_under_a_face_down_card():
    deal = deal_of(*seven("-8C 7D", "9H"))
    assert moves_of(deal, KLONDIKE) == set()
    assert reason(deal, KLONDIKE, "8C:1>2") == "8C lies face down in column 1"
    assert reason(deal, YUKON, "8C:1>2") == "8C lies face down in column 1"


@pytest.mark.parametrize("column", range(7))
def test_spaces_are_alike(column):
    """No column is special, and neither is the first."""
    columns = ["-2H KS 4D 5D", "-3H QD", "-4H 9D", "-6H 6D", "-7H 7D", "-8H 8D"]
    columns.insert(column, "")
    source = 2 if column == 0 else 1
    deal = deal_of(*columns)
    king = f"KS:{source}>{column + 1}"
    assert [m for m in moves_of(deal, YUKON) if m.endswith(f">{column + 1}")] == [king]
    assert replay(deal, YUKON, [king]).columns[column] == cards("KS 4D 5D")
    wrong = f"QD:{columns.index('-3H QD') + 1}>{column + 1}"
    assert "takes only a king, not QD" in reason(deal, YUKON, wrong)
    anyone = preset("yukon", spaces="any")
    assert wrong in moves_of(deal, anyone)
    assert f"4D:{source}>{column + 1}" in moves_of(deal, anyone)


def test_whole_columns_stay_but_may_be_replayed():
    deal = deal_of(*seven("KS 4D", "9H"))
    assert moves_of(deal, YUKON) == set()
    assert moves_of(deal, preset("yukon", spaces="any")) == {f"4D:1>{i}" for i in range(3, 8)}
    after = replay(deal, YUKON, ["KS:1>5"])
    assert canonical(after) == canonical(start(deal, YUKON))
    turned = deal_of(*seven("-2H KS 4D", "9H"))
    assert moves_of(turned, YUKON) == {f"KS:1>{i}" for i in range(3, 8)}


def test_the_highest_rank_of_a_small_deck_is_its_king():
    rules = preset("yukon", **TINY)
    deal = deal_of("3C 2D", "-3D 3H AS", "", up="2 1 2 0")
    assert "3H:2>3" in moves_of(deal, rules)
    assert reason(deal, rules, "4C:1>2") == "4C is not in this deck"


def test_foundations_take_single_cards_in_order():
    deal = deal_of(*seven("-5H 2C AS", "AC 3S"), up="0 0 0 0")
    assert moves_of(deal, YUKON) == {"AS:1>S"}
    assert reason(deal, YUKON, "AC:2>C") == "AC is covered by 3S in column 2"
    assert reason(deal, YUKON, "3S:2>S") == "foundation S wants AS next, not 3S"
    assert reason(deal, YUKON, "AS:1>H") == "AS does not belong on foundation H"


# worrying back


def test_worrying_back():
    deal = deal_of(*seven("-KD 4H", "-KC 4S"), up="3 0 0 0")
    assert moves_of(deal, YUKON) == set()
    back = preset("yukon", worrying_back=True)
    assert moves_of(deal, back) == {"3C:C>1"}
    after = replay(deal, back, ["3C:C>1"])
    assert (after.foundations, after.columns[0]) == ((2, 0, 0, 0), cards("KD 4H 3C"))
    assert "may not return" in reason(deal, YUKON, "3C:C>1")
    assert "2C is not on top of foundation C" in reason(deal, back, "2C:C>1")
    assert "3C is on a foundation already" in reason(deal, back, "3C:C>C")


def test_a_king_may_return_to_a_space():
    deal = deal_of(*seven("-KD 4H"), up="13 0 0 0")
    assert "KC:C>2" in moves_of(deal, preset("yukon", worrying_back=True))


def test_back_to_the_card_just_turned():
    """A reported deal that needs a foundation card back at once on the card it uncovered."""
    rules = KLONDIKE
    deal = deal_of(
        "AC",
        "-6C 2C",
        "-AD -5C 2H",
        "-AH -AS -4H 3C",
        "-KH -5H -3H -3S 2S",
        "-KD -4D -3D -2D -4C 6S",
        "-KC -KS -6D -5D -5S -6H 4S",
        stock="QC QD QH QS JC JD JH JS TC TD TH TS 9C 9D 9H 9S 8C 8D 8H 8S 7C 7D 7H 7S",
    )
    line = ["AC:1>C", "2C:2>C", "3C:4>C", "3C:C>4", "2H:3>4", "4H:4>3"]
    after = replay(deal, rules, line)
    assert after.columns[2] == cards("AD 5C 4H 3C 2H")
    assert "may not return" in reason(deal, preset("klondike", worrying_back=False), *line[:4])


# stock and waste


@pytest.mark.parametrize("length", range(1, 8))
@pytest.mark.parametrize("draw", [1, 2, 3, 4])
def test_waste_order(length, draw):
    """The last draw may be short, and a redeal keeps the order."""
    talon = cards("5C 6D 7H 8S 9C TD JH")[:length]
    deal = replace(deal_of(*seven("KC")), stock=talon)
    rules = preset("klondike", draw=draw)
    position = start(deal, rules)
    for _ in range(3):
        drawn = 0
        while position.stock:
            position = apply(position, DRAW, rules)
            drawn = min(drawn + draw, length)
            assert position.waste == talon[:drawn]
            assert position.stock == talon[drawn:]
        assert DRAW not in legal_moves(position, rules)
        position = apply(position, REDEAL, rules)
        assert (position.stock, position.waste) == (talon, ())


def test_tops_of_a_short_talon():
    deal = deal_of(*seven("KC"), stock="AC 2C 3C 4C 5C")
    rules = preset("klondike-draw3")
    assert replay(deal, rules, ["draw"]).waste[-1] == parse_card("3C")
    assert replay(deal, rules, ["draw", "draw"]).waste[-1] == parse_card("5C")
    again = replay(deal, rules, ["draw", "draw", "redeal", "draw"])
    assert again.waste == cards("AC 2C 3C")


def test_playing_a_card_shifts_the_next_pass():
    deal = deal_of(*seven("KC", "-KS 6D"), stock="AC 2C 5C 4C 3C 7H")
    rules = preset("klondike-draw3")
    line = ["draw", "5C:W>2", "draw", "redeal", "draw"]
    assert replay(deal, rules, line).waste == cards("AC 2C 4C")
    assert reason(deal, rules, "draw", "2C:W>C").startswith("2C is not on top of the waste")
    assert "still in the stock" in reason(deal, rules, "draw", "7H:W>1")


@pytest.mark.parametrize("passes", [1, 2, 3])
def test_passes_allow_one_redeal_less(passes):
    deal = deal_of(*seven("KC"), stock="5C 6C")
    rules = preset("klondike", draw=2, passes=passes)
    line = ["draw"] + ["redeal", "draw"] * (passes - 1)
    final = replay(deal, rules, line)
    assert final.pass_number == passes
    assert REDEAL not in legal_moves(final, rules)
    assert reason(deal, rules, *line, "redeal") == f"this is pass {passes} of {passes}"
    assert replay(deal, KLONDIKE, ["draw", "draw", "redeal"] * 5).pass_number == 1


def test_redeals_come_after_the_last_card():
    deal = deal_of(*seven("KC"), stock="5C 6C")
    assert reason(deal, KLONDIKE, "draw", "redeal") == "the stock still has 1 cards"
    assert reason(deal, KLONDIKE, "draw", "draw", "draw") == "the stock is empty"
    bare = deal_of(*seven("KC"))
    assert reason(bare, KLONDIKE, "redeal") == "the waste is empty"
    assert legal_moves(start(bare, KLONDIKE), KLONDIKE) == []
    assert reason(bare, YUKON, "draw") == "this game has no stock"


# tokens and reasons


@pytest.mark.parametrize("token", ["8C:5>3", "AC:6>C", "9H:W>2", "6C:C>5", "draw", "redeal"])
def test_tokens_read_back(token):
    assert str(parse_move(token)) == token
    assert parse_move(token.lower()) == parse_move(f" {token} ")


@pytest.mark.parametrize("token", ["", "8C", "8C:5", "8C:5>", ":5>3", "XX:5>3", "8C>3:5", "deal"])
def test_no_token(token):
    assert reason(deal_of(*seven("8C")), YUKON, token)


def test_the_first_fault_is_named():
    """Whether it is a move that is refused or a word that is none."""
    deal = deal_of(*seven("-KD 8C", "9H", "9D"))
    assert reason(deal, YUKON, "8C:1>2", "8C:2>3", "9S").startswith("a move is written")
    with pytest.raises(IllegalMove, match="step 2, 8C:1>3: 8C is not in column 1"):
        replay(deal, YUKON, ["8C:1>2", "8C:1>3", "9S"])


@pytest.mark.parametrize(
    ("token", "why"),
    [
        ("8C:8>2", "there is no column 8"),
        ("8C:1>0", "there is no column 0"),
        ("8C:1>X", "there is no column X"),
        ("8C:X>1", "there is no column X"),
        ("8C:1>W", "there is no column W"),
        ("8C:²>2", "there is no column ²"),
        ("8C:1>1", "8C is in column 1 already"),
        ("9H:1>2", "9H is not in column 1; it is in column 2"),
        ("AD:1>2", "AD is not in column 1; it is on its foundation"),
        ("TC:1>2", "TC is not in column 1; it is not on the board"),
        ("8C:W>2", "8C is not on top of the waste; it is in column 1"),
    ],
)
def test_reasons(token, why):
    assert reason(deal_of(*seven("8C", "9H"), up="0 2 0 0"), YUKON, token) == why


# the two halves of the rule book agree


def every_token(rules: Rules) -> list[Move]:
    places = [str(i + 1) for i in range(rules.n_columns)] + list(SUITS)
    moves = [
        Move(card, source, target)
        for card in range(rules.n_cards)
        for source in [*places, "W"]
        for target in places
    ]
    return [*moves, DRAW, REDEAL]


def raises_value_error(position: Position, move: Move, rules: Rules) -> bool:
    try:
        apply(position, move, rules)
    except ValueError as error:
        return str(move) in str(error)
    return False


def pointless(position: Position, move: Move) -> bool:
    """Return whether a move takes a whole column to an empty one."""
    if not (move.source.isdigit() and move.target.isdigit()):
        return False
    column = position.columns[int(move.source) - 1]
    return column[:1] == (move.card,) and not position.columns[int(move.target) - 1]


def walk(rules: Rules, number: int, steps: int):
    """Yield the positions of a game played at random."""
    rng = random.Random(number)
    position = start(deal_from_deck(native_deck(number, rules.n_cards), rules), rules)
    for _ in range(steps):
        yield position
        moves = legal_moves(position, rules)
        if not moves:
            return
        position = apply(position, rng.choice(moves), rules)


VARIANTS = [
    preset("yukon", **TINY),
    preset("yukon", **TINY, spaces="any", worrying_back=True),
    preset("russian", **TINY, worrying_back=True),
    preset("klondike", **TINY_KLONDIKE),
    preset("klondike-vegas", **TINY_KLONDIKE, spaces="any", build="suit"),
]


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: rules.name + "-" + rules.spaces)
def test_listed_moves_are_those_the_referee_lets_pass(rules):
    tokens = every_token(rules)
    for number in range(6):
        for position in walk(rules, number, 25):
            moves = legal_moves(position, rules)
            assert len(set(moves)) == len(moves)
            board = Board(position, rules)
            allowed = {move for move in tokens if refusal(board, move) is None}
            assert {move for move in tokens if Board(position, rules).play(move)} == allowed
            assert {m for m in allowed if not pointless(position, m)} == set(moves)


@pytest.mark.parametrize("rules", [YUKON, RUSSIAN, *VARIANTS], ids=lambda rules: rules.describe())
def test_a_refused_move_changes_nothing(rules):
    tokens = every_token(rules)
    for position in walk(rules, 3, 25):
        board = Board(position, rules)
        refused = [move for move in tokens if refusal(board, move) is not None]
        assert not any(board.play(move) for move in refused)
        assert board.position() == position
        assert all(raises_value_error(position, move, rules) for move in refused[::97])


@pytest.mark.parametrize("rules", [YUKON, RUSSIAN, *VARIANTS], ids=lambda rules: rules.describe())
def test_positions_stay_whole(rules):
    for number in range(5):
        for position in walk(rules, number, 60):
            up = [4 * r + s for s in range(4) for r in range(position.foundations[s])]
            lying = [card for column in position.columns for card in column]
            everything = sorted([*up, *lying, *position.stock, *position.waste])
            assert everything == list(range(rules.n_cards))
            for column, down in zip(position.columns, position.face_down, strict=True):
                assert down < len(column) or down == len(column) == 0
            assert start(to_deal(position), rules) == position._replace(pass_number=1)


def test_canonical_positions_are_equal_for_any_column_order():
    rng = random.Random(3)
    for position in walk(YUKON, 3, 40):
        order = rng.sample(range(7), 7)
        moved = position._replace(
            columns=tuple(position.columns[i] for i in order),
            face_down=tuple(position.face_down[i] for i in order),
        )
        assert canonical(moved) == canonical(position)
        assert canonical(position) == canonical(canonical(position))


def test_face_down_cards_make_another_position():
    one = Position((cards("2C AC"), cards("KS")), (1, 0), (0, 0, 0, 0))
    other = one._replace(face_down=(0, 0))
    assert canonical(one) != canonical(other)


# brute force


def test_one_column():
    rules = preset("yukon", n_ranks=2, n_columns=1, face_down=(0,), face_up=(8,))
    assert solve_small(deal_of("2S 2H 2D 2C AS AH AD AC"), rules)
    assert not solve_small(deal_of("AC 2H 2D 2C AS AH AD 2S"), rules)
    line = find_line(deal_of("2S 2H 2D 2C AS AH AD AC"), rules)
    assert line is not None
    assert line[0] == "AC:1>C"
    assert len(line) == 8


def test_the_build_rule_decides():
    shape = {"n_ranks": 3, "n_columns": 2, "face_down": (0, 0), "face_up": (6, 6)}
    # Only 2H on 3S frees AC, and with it the space that 3S needs.
    deal = deal_of("-2S AC 2H", "-3C -3H -2C -AH 3S", up="0 3 0 1")
    assert solve_small(deal, preset("yukon", **shape))
    assert find_line(deal, preset("russian", **shape)) is None
    line = find_line(deal, preset("yukon", **shape))
    assert line is not None
    assert line[:4] == ["2H:1>2", "AC:1>C", "2S:1>S", "3S:2>1"]


def test_a_second_pass_decides():
    shape = {"n_ranks": 3, "n_columns": 2, "face_down": (0, 1), "face_up": (1, 1)}
    rules = preset("klondike", **shape, draw=2, passes=1)
    won_later = 0
    for number in range(12):
        deal = deal_from_deck(native_deck(number, 12), rules)
        if not solve_small(deal, rules):
            line = find_line(deal, replace(rules, passes=2))
            assert line is not None
            assert line.count("redeal") == 1
            won_later += 1
    assert won_later == 3


def test_found_lines_are_legal_wins():
    rules = preset("russian", **TINY)
    solved = 0
    for number in range(40):
        deal = deal_from_deck(native_deck(number, 12), rules)
        line = find_line(deal, rules)
        assert solve_small(deal, rules) == (line is not None)
        if line is not None:
            solved += 1
            assert is_won(replay(deal, rules, line), rules)
    assert 0 < solved < 40


def test_too_many_states_is_an_error_not_an_answer():
    deal = deal_from_deck(native_deck(1), YUKON)
    with pytest.raises(TooManyStatesError):
        solve_small(deal, YUKON, max_states=50)


def never_worse(rules: Rules, numbers: range, changes: list[dict[str, object]]) -> bool:
    """Check that each change only adds wins, and return whether it added one anywhere."""
    gained = False
    for number in numbers:
        deal = deal_from_deck(native_deck(number, rules.n_cards), rules)
        wins = [solve_small(deal, replace(rules, **change)) for change in changes]
        assert wins == sorted(wins), number
        gained |= wins[0] != wins[-1]
    return gained


def test_any_card_to_a_space_never_loses():
    changes = [{"spaces": "kings"}, {"spaces": "any"}]
    assert never_worse(preset("russian", **TINY), range(40, 55), changes)


def test_smaller_draws_and_more_passes_never_lose():
    shape = {"n_ranks": 3, "n_columns": 2, "face_down": (0, 1), "face_up": (1, 1)}
    rules = preset("klondike", **shape, worrying_back=False)
    assert never_worse(rules, range(2, 6), [{"draw": 3}, {"draw": 1}])
    changes = [{"draw": 2, "passes": passes} for passes in (1, 2, 0)]
    assert never_worse(rules, range(6), changes)


def test_worrying_back_never_loses():
    rules = preset("russian", **TINY)
    never_worse(rules, range(30), [{"worrying_back": False}, {"worrying_back": True}])


def test_column_order_does_not_matter():
    rules = preset("russian", **TINY)
    for number in range(40):
        deal = deal_from_deck(native_deck(number, 12), rules)
        turned = replace(deal, columns=deal.columns[::-1], face_down=deal.face_down[::-1])
        assert solve_small(deal, rules) == solve_small(turned, rules)


def test_columns_must_fit_the_rules():
    with pytest.raises(ValueError, match="2 columns given"):
        start(deal_of("AC", "2C"), YUKON)
