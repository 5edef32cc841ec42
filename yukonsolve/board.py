"""The rule book's table: a board changed move by move, legal moves only.

`yukonsolve.rulebook` is the way in. Like it, this module shares no code with the kernels. Every
win of every batch is played here, so `Board.play_line` asks no question twice and leaves the words
for a refusal to `yukonsolve.refusals`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from yukonsolve.cards import CARD_NAMES, N_SUITS, SUITS, is_red, rank_of, suit_of
from yukonsolve.position import DRAW, WASTE, Position, Step
from yukonsolve.rules import UNLIMITED, Rules

SPACE = -1
"""Stands for an empty column among the cards that a card may be put on."""


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


@lru_cache(maxsize=16)
def _landings(rules: Rules) -> tuple[frozenset[int], ...]:
    """Return for each card the cards it may be put on, and ``SPACE`` if it may fill a space."""
    deck = range(len(CARD_NAMES))
    return tuple(
        frozenset(onto for onto in deck if can_build(card, onto, rules))
        | frozenset([SPACE] if can_fill_space(card, rules) else [])
        for card in deck
    )


COLUMN_NAMES = tuple(map(str, range(1, len(CARD_NAMES) + 1)))
"""The columns' names in moves."""


class Board:
    """A position on the table, changed move by move.

    Parameters
    ----------
    position : Position
    rules : Rules

    Examples
    --------
    >>> from yukonsolve.position import parse_move
    >>> from yukonsolve.rules import preset
    >>> board = Board(Position(((4, 0), ()), (1, 0), (0, 0, 0, 0)), preset("yukon"))
    >>> board.play(parse_move("2C:1>C")), board.play(parse_move("AC:1>C")), board.columns
    (False, True, [[4], []])
    """

    def __init__(self, position: Position, rules: Rules) -> None:
        columns, face_down, foundations, stock, waste, self.pass_number = position
        self.rules = rules
        self.columns = list(map(list, columns))
        self.stock = list(stock)
        self.waste = list(waste)
        # By the names that moves have for them.
        self._columns = dict(zip(COLUMN_NAMES, self.columns))  # noqa: B905 - more names than columns
        self._face_down = dict(zip(COLUMN_NAMES, face_down))  # noqa: B905
        # The card each foundation takes next: a height would have to be compared with a rank.
        self._wanted = {
            name: N_SUITS * height + suit
            for suit, (name, height) in enumerate(zip(SUITS, foundations, strict=True))
        }
        self._landings = _landings(rules)
        self._runs_only = rules.family != "yukon"

    @property
    def face_down(self) -> tuple[int, ...]:
        """Cards face down in each column."""
        return tuple(self._face_down.values())

    @property
    def foundations(self) -> tuple[int, ...]:
        """Cards on each foundation."""
        return tuple([rank_of(card) for card in self._wanted.values()])

    def position(self) -> Position:
        """Return what lies where."""
        return Position(
            tuple(map(tuple, self.columns)),
            self.face_down,
            self.foundations,
            tuple(self.stock),
            tuple(self.waste),
            self.pass_number,
        )

    def column(self, name: str) -> list[int] | None:
        """Return a column by its name in a move, or ``None`` if there is none of that name."""
        return self._columns.get(name)

    def play(self, move: Step) -> bool:
        """Make a move and return true if it is legal; else change nothing and return false."""
        return self.play_line([move]) == 1

    def play_line(self, moves: Sequence[Step]) -> int:
        """Make moves one after the other until one is illegal; return how many were made."""
        # Names of this function's own: every win of every batch is played here.
        columns, face_down = self._columns, self._face_down
        wanted, landings, runs_only = self._wanted, self._landings, self._runs_only
        made = 0
        for card, source, target in moves:
            try:
                column = columns[source]
            except KeyError:  # it is no column
                if not self._play_single(card, source, target):
                    break
                made += 1
                continue
            down = face_down[source]
            if target in wanted:
                place = len(column) - 1
                if wanted[target] != card or place < down or column[-1] != card:
                    break
                wanted[target] = card + N_SUITS
                column.pop()
            else:
                other = columns.get(target)
                if other is None or other is column:
                    break
                if (other[-1] if other else SPACE) not in landings[card]:
                    break
                try:
                    place = column.index(card)
                except ValueError:  # it lies elsewhere
                    break
                if place < down or (runs_only and not self._is_run(source, place)):
                    break
                other += column[place:]
                del column[place:]
            if place == down and place:
                face_down[source] = place - 1
            made += 1
        return made

    def _is_run(self, name: str, place: int) -> bool:
        return place in movable_places(self._columns[name], self._face_down[name], self.rules)

    def _play_single(self, card: int, source: str, target: str) -> bool:
        """Turn the stock, or play the top card of waste or foundation, as `play` does."""
        if card < 0:
            return self._turn(source)
        if source == WASTE:
            if not self.waste or self.waste[-1] != card:
                return False
        elif not self.rules.worrying_back or self._wanted.get(source) != card + N_SUITS:
            return False
        column = self.column(target)
        if column is not None:
            if (column[-1] if column else SPACE) not in self._landings[card]:
                return False
            column.append(card)
        elif source == WASTE and self._wanted.get(target) == card:
            self._wanted[target] = card + N_SUITS
        else:
            return False
        if source == WASTE:
            self.waste.pop()
        else:
            self._wanted[source] = card
        return True

    def _turn(self, word: str) -> bool:
        """Draw from the stock or begin it anew, as `play` does."""
        rules = self.rules
        if rules.family != "klondike":
            return False
        if word == DRAW.source:
            if not self.stock:
                return False
            # The last draw of a pass may be short: it turns what is left.
            self.waste.extend(self.stock[: rules.draw])
            del self.stock[: rules.draw]
            return True
        limited = rules.passes != UNLIMITED
        if self.stock or not self.waste or (limited and self.pass_number >= rules.passes):
            return False
        self.stock, self.waste = self.waste, []
        if limited:
            self.pass_number += 1
        return True
