"""The rule book's table: a board changed move by move, and why a move is refused.

`yukonsolve.rulebook` is the way in. Like it, this module shares no code with the kernels.
"""

from __future__ import annotations

from collections.abc import Sequence

from yukonsolve.cards import SUITS, card_text, is_red, rank_of, suit_of
from yukonsolve.position import DRAW, WASTE, Move, Position
from yukonsolve.rules import UNLIMITED, Rules


def can_build(card: int, onto: int, rules: Rules) -> bool:
    """Return whether ``card`` may be put on ``onto`` in a column.

    Examples
    --------
    >>> from yukonsolve.cards import parse_card
    >>> from yukonsolve.rules import preset
    >>> black_eight, red_nine = parse_card("8S"), parse_card("9H")
    >>> can_build(black_eight, red_nine, preset("yukon"))
    True
    >>> can_build(black_eight, red_nine, preset("russian"))
    False
    """
    if rank_of(onto) != rank_of(card) + 1:
        return False
    if rules.build == "suit":
        return suit_of(card) == suit_of(onto)
    return is_red(card) != is_red(onto)


def can_fill_space(card: int, rules: Rules) -> bool:
    """Return whether ``card`` may go to an empty column.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> can_fill_space(47, preset("yukon")), can_fill_space(51, preset("yukon"))
    (False, True)
    """
    return rules.spaces == "any" or rank_of(card) == rules.n_ranks - 1


def movable_places(column: Sequence[int], down: int, rules: Rules) -> range:
    """Return the places of a column whose card may be picked up with everything on it."""
    if rules.family == "yukon":
        return range(down, len(column))
    place = len(column) - 1
    while place > down and can_build(column[place], column[place - 1], rules):
        place -= 1
    return range(place, len(column))


class Board:
    """A position on the table, changed move by move."""

    def __init__(self, position: Position) -> None:
        self.columns = [list(column) for column in position.columns]
        self.face_down = list(position.face_down)
        self.foundations = list(position.foundations)
        self.stock = list(position.stock)
        self.waste = list(position.waste)
        self.pass_number = position.pass_number

    def position(self) -> Position:
        """Return what lies where."""
        return Position(
            tuple(map(tuple, self.columns)),
            tuple(self.face_down),
            tuple(self.foundations),
            tuple(self.stock),
            tuple(self.waste),
            self.pass_number,
        )

    def make(self, move: Move, rules: Rules) -> None:
        """Make a legal move, and turn up the card it uncovers."""
        if move.card < 0:
            self._turn(move, rules)
            return
        tail = self._pick_up(move)
        if move.target in SUITS:
            self.foundations[suit_of(move.card)] += 1
        else:
            self.columns[int(move.target) - 1].extend(tail)

    def _turn(self, move: Move, rules: Rules) -> None:
        if move == DRAW:
            # The last draw of a pass may be short: it turns what is left.
            self.waste.extend(self.stock[: rules.draw])
            del self.stock[: rules.draw]
            return
        self.stock, self.waste = self.waste, []
        if rules.passes != UNLIMITED:
            self.pass_number += 1

    def _pick_up(self, move: Move) -> list[int]:
        if move.source == WASTE:
            return [self.waste.pop()]
        if move.source in SUITS:
            self.foundations[suit_of(move.card)] -= 1
            return [move.card]
        i = int(move.source) - 1
        column = self.columns[i]
        place = column.index(move.card)
        tail = column[place:]
        del column[place:]
        if column and self.face_down[i] == place:
            self.face_down[i] -= 1
        return tail

    def refusal(self, move: Move, rules: Rules) -> str | None:
        """Return why a move is illegal, or ``None`` if it is legal."""
        if move.card < 0:
            return self._refuse_turn(move, rules)
        if rank_of(move.card) >= rules.n_ranks:
            return f"{card_text(move.card)} is not in this deck"
        return self._refuse_source(move, rules) or self._refuse_target(move, rules)

    def _refuse_turn(self, move: Move, rules: Rules) -> str | None:
        if rules.family != "klondike":
            return "this game has no stock"
        if move == DRAW:
            return None if self.stock else "the stock is empty"
        if self.stock:
            return f"the stock still has {len(self.stock)} cards"
        if not self.waste:
            return "the waste is empty"
        if rules.passes != UNLIMITED and self.pass_number >= rules.passes:
            return f"this is pass {self.pass_number} of {rules.passes}"
        return None

    def _refuse_source(self, move: Move, rules: Rules) -> str | None:
        card, source = move.card, move.source
        name = card_text(card)
        if source == WASTE:
            if not self.waste or self.waste[-1] != card:
                return f"{name} is not on top of the waste; {self._place_of(card)}"
            return None
        if source in SUITS:
            if not rules.worrying_back:
                return "a foundation card may not return to the columns under these rules"
            height = self.foundations[suit_of(card)]
            if source != SUITS[suit_of(card)] or height != rank_of(card) + 1:
                return f"{name} is not on top of foundation {source}; {self._place_of(card)}"
            return None
        column = self._column(source)
        if column is None:
            return f"there is no column {source}"
        if card not in column:
            return f"{name} is not in column {source}; {self._place_of(card)}"
        place, down = column.index(card), self.face_down[int(source) - 1]
        if place < down:
            return f"{name} lies face down in column {source}"
        if move.target in SUITS and place != len(column) - 1:
            return f"{name} is covered by {card_text(column[place + 1])} in column {source}"
        if place not in movable_places(column, down, rules):
            return f"the cards on {name} in column {source} are not a built run"
        return None

    def _refuse_target(self, move: Move, rules: Rules) -> str | None:
        card, target = move.card, move.target
        name = card_text(card)
        if target in SUITS:
            if move.source in SUITS:
                return f"{name} is on a foundation already"
            if target != SUITS[suit_of(card)]:
                return f"{name} does not belong on foundation {target}"
            height = self.foundations[suit_of(card)]
            if height != rank_of(card):
                next_card = card_text(4 * height + suit_of(card))
                return f"foundation {target} wants {next_card} next, not {name}"
            return None
        column = self._column(target)
        if column is None:
            return f"there is no column {target}"
        if target == move.source:
            return f"{name} is in column {target} already"
        if not column:
            if can_fill_space(card, rules):
                return None
            return f"column {target} is empty and takes only a king, not {name}"
        if can_build(card, column[-1], rules):
            return None
        wanted = "of the same suit" if rules.build == "suit" else "of the other colour"
        return (
            f"{name} does not go on {card_text(column[-1])} (column {target}): "
            f"it needs a card one rank higher {wanted}"
        )

    def _column(self, name: str) -> list[int] | None:
        if name.isascii() and name.isdigit() and 1 <= int(name) <= len(self.columns):
            return self.columns[int(name) - 1]
        return None

    def _place_of(self, card: int) -> str:
        for i, column in enumerate(self.columns):
            if card in column:
                return f"it is in column {i + 1}"
        if self.foundations[suit_of(card)] > rank_of(card):
            return "it is on its foundation"
        if card in self.waste:
            return "it is further down in the waste"
        return "it is still in the stock" if card in self.stock else "it is not on the board"
