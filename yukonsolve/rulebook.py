"""The rule book: every rule in plain Python, slow and meant to be read.

It is the judge: each line a search finds is replayed here, and the kernels are tested against it.
For that reason it shares no code with them, prunes nothing and orders nothing cleverly.

A move is written ``CARD:FROM>TO``: columns are ``1``, ``2``, .., foundations ``C D H S``, the waste
``W``; a card moves with everything lying on it. Klondike adds ``draw`` and ``redeal``. An uncovered
card is turned up at once, without a move.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from yukonsolve.cards import SUITS, card_text, is_red, parse_card, rank_of, suit_of
from yukonsolve.deal import Deal
from yukonsolve.rules import UNLIMITED, Rules

WASTE = "W"


class Position(NamedTuple):
    """A position: what lies where. Hashable; equal positions are equal tuples.

    Parameters
    ----------
    columns : tuple of tuple of int
        Card codes of each column, the card nearest the table first.
    face_down : tuple of int
        How many cards of each column, from the table up, are face down.
    foundations : tuple of int
        Cards on each foundation, in suit order C D H S.
    stock : tuple of int
        Cards still to be drawn, first drawn first.
    waste : tuple of int
        Cards drawn, last one available.
    pass_number : int
        Which run through the stock this is, from 1. Not counted (always 1) when passes are
        unlimited, where it makes no difference.
    """

    columns: tuple[tuple[int, ...], ...]
    face_down: tuple[int, ...]
    foundations: tuple[int, ...]
    stock: tuple[int, ...] = ()
    waste: tuple[int, ...] = ()
    pass_number: int = 1


class Move(NamedTuple):
    """One move; its text is the move token.

    Examples
    --------
    >>> str(Move(0, "6", "C"))
    'AC:6>C'
    """

    card: int
    source: str
    target: str

    def __str__(self) -> str:
        if self.card < 0:
            return self.source
        return f"{card_text(self.card)}:{self.source}>{self.target}"


DRAW = Move(-1, "draw", "")
REDEAL = Move(-1, "redeal", "")


class IllegalMove(ValueError):
    """A move the rules refuse.

    Attributes
    ----------
    step : int
        Number of the move in the line, from 1.
    token : str
    reason : str
        Why not, in a player's words.
    """

    def __init__(self, step: int, token: str, reason: str) -> None:
        super().__init__(f"step {step}, {token}: {reason}")
        self.step = step
        self.token = token
        self.reason = reason


class TooManyStates(RuntimeError):
    """`solve_small` or `find_line` met more states than it was allowed."""


@lru_cache(maxsize=4096)
def parse_move(token: str) -> Move:
    """Read a move token.

    Raises
    ------
    ValueError
        If the text is no move.

    Examples
    --------
    >>> parse_move("8c:5>3")
    Move(card=28, source='5', target='3')
    """
    word = token.strip()
    if word.lower() in (DRAW.source, REDEAL.source):
        return Move(-1, word.lower(), "")
    card, colon, way = word.upper().partition(":")
    source, arrow, target = way.partition(">")
    if not (colon and arrow and source and target):
        raise ValueError("a move is written CARD:FROM>TO, draw or redeal")
    return Move(parse_card(card), source, target)


def start(deal: Deal, rules: Rules) -> Position:
    """Return the position a deal starts from.

    Examples
    --------
    >>> from yukonsolve.deal import deal_from_deck
    >>> from yukonsolve.rules import preset
    >>> start(deal_from_deck(tuple(range(52)), preset("yukon")), preset("yukon")).face_down
    (0, 1, 2, 3, 4, 5, 6)
    """
    if len(deal.columns) != rules.n_columns:
        raise ValueError(f"{len(deal.columns)} columns given, the rules have {rules.n_columns}")
    # A column's last card is never face down.
    face_down = tuple(
        min(down, max(0, len(column) - 1))
        for down, column in zip(deal.face_down, deal.columns, strict=True)
    )
    return Position(deal.columns, face_down, deal.foundations, deal.stock, deal.waste)


def to_deal(position: Position) -> Deal:
    """Return a position as a deal, forgetting only which pass it is.

    Examples
    --------
    >>> to_deal(Position(((0,),), (0,), (0, 0, 0, 0))).columns
    ((0,),)
    """
    return Deal(
        position.columns, position.face_down, position.stock, position.waste, position.foundations
    )


def canonical(position: Position) -> Position:
    """Return the position with its columns sorted: their order makes no difference to play.

    Examples
    --------
    >>> canonical(Position(((8,), (4,)), (0, 0), (0, 0, 0, 0))).columns
    ((4,), (8,))
    """
    pairs = sorted(zip(position.columns, position.face_down, strict=True))
    return position._replace(
        columns=tuple(column for column, _ in pairs), face_down=tuple(down for _, down in pairs)
    )


def is_won(position: Position, rules: Rules) -> bool:
    """Return whether every card is on its foundation.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> is_won(Position(((),) * 7, (0,) * 7, (13, 13, 13, 13)), preset("yukon"))
    True
    """
    return sum(position.foundations) == rules.n_cards


def can_build(card: int, onto: int, rules: Rules) -> bool:
    """Return whether ``card`` may be put on ``onto`` in a column.

    Examples
    --------
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
    >>> can_fill_space(parse_card("QH"), preset("yukon"))
    False
    """
    return rules.spaces == "any" or rank_of(card) == rules.n_ranks - 1


def legal_moves(position: Position, rules: Rules) -> list[Move]:
    """Return every legal move, save moves of a whole column to an empty one.

    Those lead to the same position up to the order of the columns. `replay` accepts them.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> rules = preset("yukon", n_ranks=2, n_columns=2, face_down=(0, 1), face_up=(3, 4))
    >>> deal = Deal(((1, 4, 3), (6, 7, 5, 2, 0)), (0, 1))
    >>> [str(move) for move in legal_moves(start(deal, rules), rules)]
    ['AC:2>C']
    """
    columns = position.columns
    moves = []
    for i, column in enumerate(columns):
        if not column:
            continue
        source = str(i + 1)
        if position.foundations[suit_of(column[-1])] == rank_of(column[-1]):
            moves.append(Move(column[-1], source, SUITS[suit_of(column[-1])]))
        for place in _movable(column, position.face_down[i], rules):
            for j, other in enumerate(columns):
                if j == i or (not other and place == 0):
                    continue
                if _lies_well(column[place], other, rules):
                    moves.append(Move(column[place], source, str(j + 1)))
    loose = []
    if position.waste:
        card = position.waste[-1]
        loose.append((card, WASTE))
        if position.foundations[suit_of(card)] == rank_of(card):
            moves.append(Move(card, WASTE, SUITS[suit_of(card)]))
    if rules.worrying_back:
        for suit, height in enumerate(position.foundations):
            if height:
                loose.append((4 * (height - 1) + suit, SUITS[suit]))
    for card, source in loose:
        for j, other in enumerate(columns):
            if _lies_well(card, other, rules):
                moves.append(Move(card, source, str(j + 1)))
    if position.stock:
        moves.append(DRAW)
    elif position.waste and (rules.passes == UNLIMITED or position.pass_number < rules.passes):
        moves.append(REDEAL)
    return moves


def _lies_well(card: int, column: tuple[int, ...], rules: Rules) -> bool:
    return can_build(card, column[-1], rules) if column else can_fill_space(card, rules)


def _movable(column: tuple[int, ...] | list[int], down: int, rules: Rules) -> range:
    """Return the places of a column whose card may be picked up with everything on it."""
    if rules.family == "yukon":
        return range(down, len(column))
    place = len(column) - 1
    while place > down and can_build(column[place], column[place - 1], rules):
        place -= 1
    return range(place, len(column))


def apply(position: Position, move: Move, rules: Rules) -> Position:
    """Return the position after a legal move; legality is not checked here.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> before = Position(((4, 0), ()), (1, 0), (0, 0, 0, 0))
    >>> apply(before, parse_move("AC:1>C"), preset("yukon"))[:3]
    (((4,), ()), (0, 0), (1, 0, 0, 0))
    """
    board = _Board(position)
    board.make(move, rules)
    return board.position()


def replay(deal: Deal, rules: Rules, tokens: Iterable[str]) -> Position:
    """Play a line and return the position it ends in.

    Parameters
    ----------
    deal : Deal
    rules : Rules
    tokens : iterable of str
        Move tokens.

    Raises
    ------
    IllegalMove
        At the first move the rules refuse, naming the step and the cards.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> replay(Deal(((4, 0), ()), (1, 0)), preset("yukon", n_columns=2, face_down=(0, 0),
    ...        face_up=(26, 26)), ["AC:1>C", "2C:1>C"]).foundations
    (2, 0, 0, 0)
    """
    board = _Board(start(deal, rules))
    for step, token in enumerate(tokens, 1):
        try:
            move = parse_move(token)
        except ValueError as error:
            raise IllegalMove(step, token, str(error)) from None
        reason = board.refusal(move, rules)
        if reason is not None:
            raise IllegalMove(step, token, reason)
        board.make(move, rules)
    return board.position()


class _Board:
    """A position on the table, changed move by move."""

    def __init__(self, position: Position) -> None:
        self.columns = [list(column) for column in position.columns]
        self.face_down = list(position.face_down)
        self.foundations = list(position.foundations)
        self.stock = list(position.stock)
        self.waste = list(position.waste)
        self.pass_number = position.pass_number

    def position(self) -> Position:
        return Position(
            tuple(map(tuple, self.columns)),
            tuple(self.face_down),
            tuple(self.foundations),
            tuple(self.stock),
            tuple(self.waste),
            self.pass_number,
        )

    def make(self, move: Move, rules: Rules) -> None:
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
            if (
                source != SUITS[suit_of(card)]
                or self.foundations[suit_of(card)] != rank_of(card) + 1
            ):
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
        if place not in _movable(column, down, rules):
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


def solve_small(deal: Deal, rules: Rules, max_states: int = 1_000_000) -> bool:
    """Decide a tiny deal by visiting every position that can be reached.

    Raises
    ------
    TooManyStates
        If there are more than ``max_states`` positions.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> rules = preset("yukon", n_ranks=1, n_columns=1, face_down=(0,), face_up=(4,))
    >>> solve_small(Deal(((3, 2, 1, 0),), (0,)), rules)
    True
    """
    return any(is_won(position, rules) for position, _ in _explore(deal, rules, max_states))


def find_line(deal: Deal, rules: Rules, max_states: int = 1_000_000) -> list[str] | None:
    """Return a shortest winning line of a tiny deal, or ``None`` if there is none.

    Raises
    ------
    TooManyStates
        If there are more than ``max_states`` positions.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> rules = preset("yukon", n_ranks=1, n_columns=1, face_down=(0,), face_up=(4,))
    >>> find_line(Deal(((3, 2, 1, 0),), (0,)), rules)
    ['AC:1>C', 'AD:1>D', 'AH:1>H', 'AS:1>S']
    """
    for position, line in _explore(deal, rules, max_states):
        if is_won(position, rules):
            tokens: list[str] = []
            while line is not None:
                move, line = line
                tokens.append(str(move))
            return tokens[::-1]
    return None


_Line = tuple[Move, "_Line | None"]
"""A line as its last move and the line before it."""


def _explore(deal: Deal, rules: Rules, max_states: int) -> Iterator[tuple[Position, _Line | None]]:
    """Yield every reachable position once, breadth first, with a line that leads to it."""
    first = start(deal, rules)
    queue: deque[tuple[Position, _Line | None]] = deque([(first, None)])
    seen = {canonical(first)}
    while queue:
        position, line = queue.popleft()
        yield position, line
        for move in legal_moves(position, rules):
            after = apply(position, move, rules)
            key = canonical(after)
            if key not in seen:
                if len(seen) >= max_states:
                    raise TooManyStates(f"more than {max_states} positions")
                seen.add(key)
                queue.append((after, (move, line)))
