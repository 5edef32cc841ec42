"""A deal: a fully known starting arrangement, and its deck string.

Dealing order: row 0 to columns 1..7, row 1 to columns 2..7 and so on while a column still takes
a card of the first block (its face-down cards and one more), then, for the Yukon family, the other
face-up cards row by row; what is left over is the stock, first drawn first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

from yukonsolve.cards import CARD_NAMES
from yukonsolve.rules import Rules


@dataclass(frozen=True)
class Deal:
    """A starting arrangement; also any position reached from one.

    Parameters
    ----------
    columns : tuple of tuple of int
        Card codes of each column, the card nearest the table first.
    face_down : tuple of int
        How many cards of each column, from the table up, are face down.
    stock : tuple of int
        Klondike: cards still to be drawn, first drawn first.
    waste : tuple of int
        Klondike: cards drawn, last one available.
    foundations : tuple of int
        Cards on each foundation, in suit order C D H S.
    """

    columns: tuple[tuple[int, ...], ...]
    face_down: tuple[int, ...]
    stock: tuple[int, ...] = ()
    waste: tuple[int, ...] = ()
    foundations: tuple[int, ...] = (0, 0, 0, 0)


@lru_cache(maxsize=64)
def dealing_order(rules: Rules) -> tuple[tuple[int, int], ...]:
    """Return (column, place) of each card in dealing order; stock cards have column -1.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> dealing_order(preset("yukon"))[6:9]
    ((6, 0), (1, 1), (2, 1))
    """
    height = [0] * rules.n_columns
    order: list[tuple[int, int]] = []

    def rows(size: list[int]) -> None:
        while any(h < s for h, s in zip(height, size, strict=True)):
            row = min(h for h, s in zip(height, size, strict=True) if h < s)
            for column, full in enumerate(size):
                if height[column] == row and row < full:
                    order.append((column, row))
                    height[column] += 1

    first_block = [
        down + min(1, up) for down, up in zip(rules.face_down, rules.face_up, strict=True)
    ]
    if rules.family == "klondike":
        first_block = [d + u for d, u in zip(rules.face_down, rules.face_up, strict=True)]
    rows(first_block)
    # The rest goes one card a column and row, whatever the columns' heights.
    full = [d + u for d, u in zip(rules.face_down, rules.face_up, strict=True)]
    while any(h < s for h, s in zip(height, full, strict=True)):
        for column, size in enumerate(full):
            if height[column] < size:
                order.append((column, height[column]))
                height[column] += 1
    order.extend((-1, i) for i in range(rules.n_cards - len(order)))
    return tuple(order)


def deal_from_deck(deck: tuple[int, ...], rules: Rules) -> Deal:
    """Lay out a deck.

    Parameters
    ----------
    deck : tuple of int
        Every card once, in dealing order (not checked here; the readers do).
    rules : Rules
        Gives the shape of the deal.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> deal_from_deck(tuple(range(52)), preset("yukon")).columns[0]
    (0,)
    """
    if len(deck) != rules.n_cards:
        raise ValueError(f"{len(deck)} cards, the rules have {rules.n_cards}")
    *columns, stock = [pick(deck) for pick in _pickers(rules)]
    return Deal(tuple(columns), rules.face_down, stock)


@lru_cache(maxsize=64)
def _pickers(rules: Rules) -> tuple[Callable[[tuple[int, ...]], tuple[int, ...]], ...]:
    """Return what takes each column, and last the stock, out of a deck: lists of deals are long."""
    places: list[list[int]] = [[] for _ in range(rules.n_columns + 1)]
    for i, (column, _) in enumerate(dealing_order(rules)):
        places[column].append(i)
    # An itemgetter of one place would give a card, not a tuple.
    return tuple(
        itemgetter(*p) if len(p) > 1 else itemgetter(slice(p[0], p[0] + 1) if p else slice(0))
        for p in places
    )


def deck_of(deal: Deal, rules: Rules) -> tuple[int, ...] | None:
    """Return the deck that deals this arrangement, or ``None`` if it is not a fresh deal.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> rules = preset("yukon")
    >>> deck_of(deal_from_deck(tuple(range(52)), rules), rules) == tuple(range(52))
    True
    """
    shape = tuple(d + u for d, u in zip(rules.face_down, rules.face_up, strict=True))
    if (
        deal.face_down != rules.face_down
        or tuple(map(len, deal.columns)) != shape
        or deal.waste
        or any(deal.foundations)
    ):
        return None
    return tuple(
        deal.stock[place] if column < 0 else deal.columns[column][place]
        for column, place in dealing_order(rules)
    )


def deck_text(deck: tuple[int, ...]) -> str:
    """Return a deck as its deck string, two characters a card.

    Examples
    --------
    >>> deck_text((0, 51))
    'ACKS'
    """
    return "".join([CARD_NAMES[card] for card in deck])
