"""Klondike deals as one long number, and as a web site numbers them.

A number below 52! can name any order of the cards. lonelybot's ``exact`` does: it depends on no
random generator, so it is the number to exchange. The seeds of the Microsoft Solitaire Collection
are such numbers too, read by another rule. Both take one digit for every card but the first, in a
number system whose digits have 2, 3 .. 52 values, and swap two cards by it.

The numbers of the site Greenfelt are small and go through a random generator.

These are the bare orders; `yukonsolve.numbering` knows to which places the cards go.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

PERMUTATIONS = math.factorial(52)
"""Orders of the deck: numbers go up to one less."""

_HDCS = (2, 1, 0, 3)  # its own inverse: lonelybot's suits to ours and back
_PARK_MILLER = (1 << 31) - 1
LAST_GREENFELT = _PARK_MILLER - 1
"""Larger numbers would only repeat deals: the generator has no more seeds."""


def exact_cards(number: int) -> list[int]:
    """Return the order of the cards that an exact number names.

    Parameters
    ----------
    number : int
        0 to 52! - 1.

    Returns
    -------
    list of int
        Column by column, the card nearest the table first, then the stock, first drawn first.

    Examples
    --------
    >>> exact_cards(0)[:5]
    [51, 2, 1, 0, 3]
    """
    cards = [4 * rank + suit for rank in range(13) for suit in _HDCS]
    for i in range(1, 52):
        number, j = divmod(number, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def exact_number(cards: Sequence[int]) -> int:
    """Return the number that `exact_cards` reads as this order of the 52 cards.

    Examples
    --------
    >>> exact_number(exact_cards(815))
    815
    """
    order = [card - card % 4 + _HDCS[card % 4] for card in cards]
    place = [0] * 52
    for i, card in enumerate(order):
        place[card] = i
    number = 0
    for i in range(51, 0, -1):
        # Card i goes home to place i, the card from there into the gap: the last swap taken back.
        j = place[i]
        number = number * (i + 1) + j
        order[j] = order[i]
        place[order[i]] = j
    return number


def collection_cards(number: int) -> list[int]:
    """Return the cards of a Microsoft Solitaire Collection seed, in the order they are dealt.

    Parameters
    ----------
    number : int
        0 to 52! - 1.

    Examples
    --------
    >>> collection_cards(0)[:3]
    [3, 49, 45]
    """
    cards = [4 * rank + suit for suit in (3, 2, 0, 1) for rank in range(13)]
    for i in range(51, 0, -1):
        number, j = divmod(number, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards[::-1]


def greenfelt_cards(number: int) -> list[int]:
    """Return the cards of a Greenfelt number, in the order they are dealt.

    Examples
    --------
    >>> from yukonsolve.deal import deck_text
    >>> deck_text(tuple(greenfelt_cards(815)[:7]))
    'JDTD8S3SKC9S3D'
    """
    cards = [4 * rank + suit for suit in range(4) for rank in range(13)]
    for _ in range(7):
        for i in range(52):
            number = 16807 * number % _PARK_MILLER
            j = number % 52
            cards[i], cards[j] = cards[j], cards[i]
    return cards[::-1]
