"""Positions and moves of the rule book, as plain tuples and text.

A move is written ``CARD:FROM>TO``: columns are ``1``, ``2``, .., foundations ``C D H S``, the waste
``W``; a card moves with everything lying on it. Klondike adds ``draw`` and ``redeal``. An uncovered
card is turned up at once, without a move.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from yukonsolve.cards import card_text, parse_card
from yukonsolve.deal import Deal
from yukonsolve.rules import Rules

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


Step = tuple[int, str, str]
"""A `Move`, or a plain tuple like it: those come apart faster."""
DRAW = Move(-1, "draw", "")
REDEAL = Move(-1, "redeal", "")


@lru_cache(maxsize=4096)
def parse_move(token: str) -> Move:
    """Read a move token.

    Raises
    ------
    ValueError
        If the text is no move.

    Examples
    --------
    >>> parse_move("8c:5>03")
    Move(card=28, source='5', target='3')
    """
    word = token.strip()
    if word.lower() in (DRAW.source, REDEAL.source):
        return Move(-1, word.lower(), "")
    card, colon, way = word.upper().partition(":")
    source, arrow, target = way.partition(">")
    if not (colon and arrow and source and target):
        raise ValueError("a move is written CARD:FROM>TO, draw or redeal")
    return Move(parse_card(card), _place_name(source), _place_name(target))


@lru_cache(maxsize=4096)
def token_of(step: Step) -> str:
    """Return a move as its token.

    Examples
    --------
    >>> token_of((28, "5", "3"))
    '8C:5>3'
    """
    return str(Move(*step))


def _place_name(word: str) -> str:
    """Return a number of a column without leading zeros, and any other word as it is."""
    return word.lstrip("0") or "0" if word.isascii() and word.isdigit() else word


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
    pairs = zip(deal.face_down, deal.columns, strict=True)
    face_down = tuple([down if down < len(col) else max(0, len(col) - 1) for down, col in pairs])
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
