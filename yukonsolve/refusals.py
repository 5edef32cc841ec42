"""Why the rule book refuses a move, in a player's words; shares no code with the kernels."""

from __future__ import annotations

from yukonsolve.board import Board, can_build, can_fill_space, movable_places
from yukonsolve.cards import SUITS, card_text, rank_of, suit_of
from yukonsolve.position import DRAW, WASTE, Move
from yukonsolve.rules import UNLIMITED


def refusal(board: Board, move: Move) -> str | None:
    """Return why a move is illegal, or ``None`` if it is legal.

    Examples
    --------
    >>> from yukonsolve.position import Position, parse_move
    >>> from yukonsolve.rules import preset
    >>> board = Board(Position(((4, 0), ()), (1, 0), (0, 0, 0, 0)), preset("yukon"))
    >>> refusal(board, parse_move("2C:1>2"))
    '2C lies face down in column 1'
    """
    if move.card < 0:
        return _refuse_turn(board, move)
    if rank_of(move.card) >= board.rules.n_ranks:
        return f"{card_text(move.card)} is not in this deck"
    return _refuse_source(board, move) or _refuse_target(board, move)


def _refuse_turn(board: Board, move: Move) -> str | None:
    rules = board.rules
    if rules.family != "klondike":
        return "this game has no stock"
    if move == DRAW:
        return None if board.stock else "the stock is empty"
    if board.stock:
        return f"the stock still has {len(board.stock)} cards"
    if not board.waste:
        return "the waste is empty"
    if rules.passes != UNLIMITED and board.pass_number >= rules.passes:
        return f"this is pass {board.pass_number} of {rules.passes}"
    return None


def _refuse_source(board: Board, move: Move) -> str | None:
    card, source = move.card, move.source
    name = card_text(card)
    if source == WASTE:
        if not board.waste or board.waste[-1] != card:
            return f"{name} is not on top of the waste; {_place_of(board, card)}"
        return None
    if source in SUITS:
        if not board.rules.worrying_back:
            return "a foundation card may not return to the columns under these rules"
        height = board.foundations[suit_of(card)]
        if source != SUITS[suit_of(card)] or height != rank_of(card) + 1:
            return f"{name} is not on top of foundation {source}; {_place_of(board, card)}"
        return None
    column = board.column(source)
    if column is None:
        return f"there is no column {source}"
    if card not in column:
        return f"{name} is not in column {source}; {_place_of(board, card)}"
    place, down = column.index(card), board.face_down[int(source) - 1]
    if place < down:
        return f"{name} lies face down in column {source}"
    if move.target in SUITS and place != len(column) - 1:
        return f"{name} is covered by {card_text(column[place + 1])} in column {source}"
    if place not in movable_places(column, down, board.rules):
        return f"the cards on {name} in column {source} are not a built run"
    return None


def _refuse_target(board: Board, move: Move) -> str | None:
    card, target = move.card, move.target
    name = card_text(card)
    if target in SUITS:
        if move.source in SUITS:
            return f"{name} is on a foundation already"
        if target != SUITS[suit_of(card)]:
            return f"{name} does not belong on foundation {target}"
        height = board.foundations[suit_of(card)]
        if height != rank_of(card):
            next_card = card_text(4 * height + suit_of(card))
            return f"foundation {target} wants {next_card} next, not {name}"
        return None
    column = board.column(target)
    if column is None:
        return f"there is no column {target}"
    if target == move.source:
        return f"{name} is in column {target} already"
    if not column:
        if can_fill_space(card, board.rules):
            return None
        return f"column {target} is empty and takes only a king, not {name}"
    if can_build(card, column[-1], board.rules):
        return None
    wanted = "of the same suit" if board.rules.build == "suit" else "of the other colour"
    return (
        f"{name} does not go on {card_text(column[-1])} (column {target}): "
        f"it needs a card one rank higher {wanted}"
    )


def _place_of(board: Board, card: int) -> str:
    for i, column in enumerate(board.columns):
        if card in column:
            return f"it is in column {i + 1}"
    if board.foundations[suit_of(card)] > rank_of(card):
        return "it is on its foundation"
    if card in board.waste:
        return "it is further down in the waste"
    return "it is still in the stock" if card in board.stock else "it is not on the board"
