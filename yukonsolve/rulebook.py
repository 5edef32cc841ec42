"""The rule book: every rule in plain Python, slow and meant to be read.

It is the judge: each line a search finds is replayed here, and the kernels are tested against it.
For that reason it shares no code with them, prunes nothing and orders nothing cleverly.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from yukonsolve.board import Board, can_build, can_fill_space, movable_places
from yukonsolve.cards import SUITS, rank_of, suit_of
from yukonsolve.deal import Deal
from yukonsolve.position import (
    DRAW,
    REDEAL,
    WASTE,
    Move,
    Position,
    Step,
    canonical,
    is_won,
    parse_move,
    start,
    to_deal,
)
from yukonsolve.refusals import refusal
from yukonsolve.rules import UNLIMITED, Rules

__all__ = [
    "DRAW",
    "REDEAL",
    "IllegalMove",
    "Move",
    "Position",
    "TooManyStatesError",
    "apply",
    "can_build",
    "can_fill_space",
    "canonical",
    "find_line",
    "is_won",
    "legal_moves",
    "parse_move",
    "replay",
    "solve_small",
    "start",
    "to_deal",
    "wins",
]


class IllegalMove(ValueError):  # noqa: N818 - a player's word
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


class TooManyStatesError(RuntimeError):
    """`solve_small` or `find_line` met more states than it was allowed."""


def legal_moves(position: Position, rules: Rules) -> list[Move]:
    """Return every legal move, save moves of a whole column to an empty one.

    Those lead to the same position up to the order of the columns. `replay` accepts them.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> rules = preset("yukon", n_ranks=2, n_columns=2, face_down=(0, 1), face_up=(3, 4))
    >>> deal = Deal(((1, 4, 3), (6, 7, 5, 2, 0)), (0, 1))
    >>> [str(move) for move in legal_moves(start(deal, rules), rules)]
    ['AS:1>S', 'AC:2>C']
    """
    columns = position.columns
    moves = []
    for i, column in enumerate(columns):
        if not column:
            continue
        source = str(i + 1)
        if position.foundations[suit_of(column[-1])] == rank_of(column[-1]):
            moves.append(Move(column[-1], source, SUITS[suit_of(column[-1])]))
        for place in movable_places(column, position.face_down[i], rules):
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


def _lies_well(card: int, column: Sequence[int], rules: Rules) -> bool:
    return can_build(card, column[-1], rules) if column else can_fill_space(card, rules)


def apply(position: Position, move: Move, rules: Rules) -> Position:
    """Return the position after a legal move.

    Raises
    ------
    ValueError
        If it is illegal.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> before = Position(((4, 0), ()), (1, 0), (0, 0, 0, 0))
    >>> apply(before, parse_move("AC:1>C"), preset("yukon"))[:3]
    (((4,), ()), (0, 0), (1, 0, 0, 0))
    """
    board = Board(position, rules)
    if not board.play(move):
        raise ValueError(f"{move}: {refusal(board, move)}")
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
    board = Board(start(deal, rules), rules)
    tokens = list(tokens)
    moves: list[Step] = []
    problem = None
    try:
        moves.extend(map(parse_move, tokens))
    except ValueError as error:
        problem = str(error)
    _play(board, moves)
    if problem is not None:
        raise IllegalMove(len(moves) + 1, tokens[len(moves)], problem)
    return board.position()


def wins(deal: Deal, rules: Rules, moves: Sequence[Step]) -> bool:
    """Play a line and return whether it brings every card to its foundation.

    Raises
    ------
    IllegalMove
        As for `replay`.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> rules = preset("yukon", n_ranks=1, n_columns=1, face_down=(0,), face_up=(4,))
    >>> wins(Deal(((3, 2, 1, 0),), (0,)), rules, [(0, "1", "C"), (1, "1", "D")])
    False
    """
    board = Board(start(deal, rules), rules)
    _play(board, moves)
    return sum(board.foundations) == rules.n_cards


def _play(board: Board, moves: Sequence[Step]) -> None:
    made = board.play_line(moves)
    if made < len(moves):
        move = Move(*moves[made])
        raise IllegalMove(made + 1, str(move), refusal(board, move) or "the rules refuse it")


def describe_line(tokens: Sequence[str], rules: Rules) -> str:
    """Return how long a line is and, where there is a stock, what it costs there.

    Draws, passes through the stock begun, and cards brought back from the foundations.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> describe_line(["draw", "redeal", "draw", "AC:W>C"], preset("klondike"))
    '4 moves: 2 draws, 2 passes, 0 worried back'
    """
    text = f"{len(tokens)} moves"
    back = sum(token.partition(":")[2][:1] in tuple(SUITS) for token in tokens)
    if rules.family != "klondike":
        return f"{text}, {back} worried back" if rules.worrying_back else text
    draws, redeals = tokens.count("draw"), tokens.count("redeal")
    passes = redeals + 1 if draws else 0
    words = "pass" if passes == 1 else "passes"
    return f"{text}: {draws} draws, {passes} {words}, {back} worried back"


def solve_small(deal: Deal, rules: Rules, max_states: int = 1_000_000) -> bool:
    """Decide a tiny deal by visiting every position that can be reached.

    Raises
    ------
    TooManyStatesError
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
    TooManyStatesError
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
                    raise TooManyStatesError(f"more than {max_states} positions")
                seen.add(key)
                queue.append((after, (move, line)))
