"""Cards as small integers, and their one written form.

A card is ``4 * rank + suit``: rank 0 is the ace, 12 the king; suits are clubs, diamonds, hearts,
spades (``CDHS``) = 0..3. Clubs and spades are black. A smaller deck keeps the same codes and
simply stops at a lower rank. The written form is rank then suit, ten as ``T``: ``AC``, ``TH``.
"""

from __future__ import annotations

RANKS = "A23456789TJQK"
SUITS = "CDHS"
N_SUITS = 4

CARD_NAMES: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)

_RANK_WORDS = {name: i for i, name in enumerate(RANKS)} | {
    "1": 0,
    "10": 9,
    "11": 10,
    "12": 11,
    "13": 12,
}
_SUIT_WORDS = {name: i for i, name in enumerate(SUITS)} | {
    "♣": 0,
    "♧": 0,
    "♦": 1,
    "♢": 1,
    "♥": 2,
    "♡": 2,
    "♠": 3,
    "♤": 3,
}


def rank_of(card: int) -> int:
    """Return the rank of a card, 0 (ace) .. 12 (king).

    Examples
    --------
    >>> rank_of(parse_card("KH"))
    12
    """
    return card >> 2


def suit_of(card: int) -> int:
    """Return the suit of a card: 0 clubs, 1 diamonds, 2 hearts, 3 spades.

    Examples
    --------
    >>> suit_of(parse_card("KH"))
    2
    """
    return card & 3


def is_red(card: int) -> bool:
    """Return whether a card is a diamond or a heart.

    Examples
    --------
    >>> is_red(parse_card("2D")), is_red(parse_card("2S"))
    (True, False)
    """
    return (card & 3) in (1, 2)


def card_text(card: int) -> str:
    """Return the written form of a card.

    Examples
    --------
    >>> card_text(0), card_text(51)
    ('AC', 'KS')
    """
    return CARD_NAMES[card]


def parse_card(text: str) -> int:
    """Read one card.

    Parameters
    ----------
    text : str
        Rank then suit. Ranks ``A23456789TJQK`` in either case, also ``1``, ``10``, ``11``,
        ``12``, ``13``; suits ``CDHS`` in either case or the four symbols.

    Returns
    -------
    int
        The card code, ``4 * rank + suit``.

    Raises
    ------
    ValueError
        If the text is no card.

    Examples
    --------
    >>> parse_card("10h") == parse_card("TH")
    True
    """
    word = text.strip().upper()
    rank = _RANK_WORDS.get(word[:-1])
    suit = _SUIT_WORDS.get(word[-1:])
    if rank is None or suit is None:
        raise ValueError(f"unknown card {text.strip()!r}")
    return 4 * rank + suit
