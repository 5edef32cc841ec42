"""Lines of the Klondike search as move tokens, by playing them on plain columns.

The search does not know where free cards lie. Here they lie somewhere, and where a step of the
search needs a card bared or a parent free, the run in the way goes over first: at most one extra
run move a step with kings only to spaces, a few more with any card to spaces.
"""

from __future__ import annotations

from collections.abc import Sequence

from yukonsolve.board import Board, can_build
from yukonsolve.cards import SUITS, card_text, suit_of
from yukonsolve.deal import Deal
from yukonsolve.position import DRAW, REDEAL, WASTE, Move, start
from yukonsolve.rules import Rules


class LineError(RuntimeError):
    """A step of the search cannot be played: a fault in the program."""


class Player:
    """A board on which steps of the search are played as ordinary moves.

    Parameters
    ----------
    deal : Deal
    rules : Rules

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> rules = preset("klondike", n_ranks=1, n_columns=1, face_down=(0,), face_up=(1,))
    >>> player = Player(Deal(((0,),), (0,), (1, 2, 3)), rules)
    >>> player.finish()
    >>> player.tokens
    ['AC:1>C', 'draw', 'AD:W>D', 'draw', 'AH:W>H', 'draw', 'AS:W>S']
    """

    def __init__(self, deal: Deal, rules: Rules) -> None:
        self.rules = rules
        self.board = Board(start(deal, rules), rules)
        self.tokens: list[str] = []

    def _make(self, move: Move) -> None:
        if not self.board.play(move):
            raise LineError(f"{move} is illegal")
        self.tokens.append(str(move))

    def _column_of(self, card: int) -> int:
        for i, column in enumerate(self.board.columns):
            if card in column:
                return i
        return -1

    def _bring(self, card: int) -> str:
        """Make a card available; return where it is now."""
        if self.board.foundations[suit_of(card)] > card >> 2:
            return SUITS[suit_of(card)]
        column = self._column_of(card)
        if column >= 0:
            return f"{column + 1}"
        turns = 0
        while not self.board.waste or self.board.waste[-1] != card:
            turns += not self.board.stock
            if turns > 1 and not self.board.stock:
                raise LineError(f"{card_text(card)} does not come to the top of the waste")
            self._make(DRAW if self.board.stock else REDEAL)
        return WASTE

    def _root(self, column: int) -> int:
        """Return the place of the lowest card of the run at the end of a column."""
        cards, place = self.board.columns[column], len(self.board.columns[column]) - 1
        while place > self.board.face_down[column] and can_build(
            cards[place], cards[place - 1], self.rules
        ):
            place -= 1
        return place

    def _bare_parent(self, card: int) -> int:
        """Return a column whose end the card may be built on, or -1."""
        for i, column in enumerate(self.board.columns):
            if column and can_build(card, column[-1], self.rules):
                return i
        return -1

    def _empty(self) -> int:
        """Return an empty column, made by putting a run that lies on the table on a parent."""
        columns = self.board.columns
        while [] not in columns:
            for i, column in enumerate(columns):
                target = self._bare_parent(column[0]) if self._root(i) == 0 else -1
                if target >= 0 and target != i:
                    self._make(Move(column[0], f"{i + 1}", f"{target + 1}"))
                    break
            else:
                raise LineError("no column can be emptied")
        return columns.index([])

    def up(self, card: int) -> None:
        """Send a card to its foundation, after baring it."""
        source = self._bring(card)
        if source not in (WASTE, *SUITS):
            column = self.board.columns[int(source) - 1]
            place = column.index(card)
            if place != len(column) - 1:
                over = column[place + 1]
                target = self._bare_parent(over)
                if target < 0:
                    target = self._empty()
                self._make(Move(over, f"{self._column_of(over) + 1}", f"{target + 1}"))
                source = f"{self._column_of(card) + 1}"
        self._make(Move(card, source, SUITS[suit_of(card)]))

    def land(self, card: int) -> None:
        """Put a card on the tableau, or over from its dealt place."""
        source = self._bring(card)
        target = self._bare_parent(card)
        if target < 0:
            target = self._empty()
            if source not in (WASTE, *SUITS):
                source = f"{self._column_of(card) + 1}"
        self._make(Move(card, source, f"{target + 1}"))

    def finish(self) -> None:
        """Send everything up, the lowest cards first."""
        for card in range(self.rules.n_cards):
            if self.board.foundations[suit_of(card)] <= card >> 2:
                self.up(card)


def tokens_of(deal: Deal, rules: Rules, steps: Sequence[tuple[int, bool]]) -> tuple[str, ...]:
    """Return steps of the search as tokens, with everything sent up at the end.

    Parameters
    ----------
    deal : Deal
    rules : Rules
    steps : sequence of (int, bool)
        A card, and whether it goes up (else it lands on the tableau).

    Raises
    ------
    LineError
        If a step cannot be played.
    """
    player = Player(deal, rules)
    for card, goes_up in steps:
        if goes_up:
            player.up(card)
        else:
            player.land(card)
    player.finish()
    return tuple(player.tokens)
