"""Deal numbers: from a numbering and a number to a deck.

Deal 24 of one program is not deal 24 of another, so a number is always named with its numbering:
``native:7``, ``pysolfc:24``. Each function here returns the deck in our dealing order
(`yukonsolve.deal`), whatever order the program deals in.

``native`` is SplitMix64 and an unbiased Fisher-Yates shuffle, written out here so that it never
changes with a library. `yukonsolve.decks` makes the same decks a batch at a time. Numbers that only
Klondike players meet are read in `yukonsolve.klondike_numbers`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

from yukonsolve.deal import dealing_order
from yukonsolve.klondike_numbers import (
    LAST_GREENFELT,
    PERMUTATIONS,
    collection_cards,
    exact_cards,
    exact_number,
    greenfelt_cards,
)
from yukonsolve.rules import Rules

Deck = tuple[int, ...]
Places = tuple[tuple[int, int], ...]

_MASK = 0xFFFFFFFFFFFFFFFF
_GAMMA = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB


@dataclass(frozen=True)
class Numbering:
    """One way of numbering deals.

    Parameters
    ----------
    name : str
        As written before the colon.
    first, last : int
        The numbers it covers.
    families : tuple of str
        The rule families it deals for.
    deck : callable
        From a number and rules to a deck in our dealing order.
    in_batches : bool
        Whether a results folder, which has 64 bits for a number, can hold deals by these numbers.

    Examples
    --------
    >>> NUMBERINGS["kpat"].last
    2147483647
    >>> [name for name, numbering in NUMBERINGS.items() if not numbering.in_batches]
    ['microsoft', 'exact']
    """

    name: str
    first: int
    last: int
    families: tuple[str, ...]
    deck: Callable[[int, Rules], Deck]
    in_batches: bool = True


def native_deck(number: int, n_cards: int = 52) -> Deck:
    """Return the deck of a native number.

    Examples
    --------
    >>> from yukonsolve.deal import deck_text
    >>> deck_text(native_deck(0)[:6])
    '4C9S3CKCAHKD'
    """
    deck = list(range(n_cards))
    state = number
    for i in range(n_cards - 1, 0, -1):
        n = i + 1
        while True:
            state = (state + _GAMMA) & _MASK
            z = ((state ^ (state >> 30)) * _MIX_1) & _MASK
            z = ((z ^ (z >> 27)) * _MIX_2) & _MASK
            m = ((z ^ (z >> 31)) >> 32) * n
            # Refusing the few low remainders makes every place equally likely; the first test
            # spares the division nearly always.
            low = m & 0xFFFFFFFF
            if low >= n or low >= (1 << 32) % n:
                break
        j = m >> 32
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)


def _microsoft(number: int) -> Iterator[int]:
    """Yield the Microsoft generator's values, with PySolFC's ways past 2**31."""
    x = number if number < 1 << 32 else number - (1 << 32)
    wide = number >= 1 << 32
    while True:
        x = (214013 * x + 2531011) & (0x1FFFFFFFF if wide else 0xFFFFFFFF)
        if wide:
            yield ((x >> 16) & 0xFFFF) + 1
        elif number < 1 << 31:
            yield (x >> 16) & 0x7FFF
        else:
            yield ((x >> 16) & 0x7FFF) | 0x8000


def _microsoft_stream(number: int) -> list[int]:
    """Return the Microsoft deck of a number in the order it is dealt."""
    deck = list(range(52))
    values = _microsoft(number)
    for k in range(51, 0, -1):
        j = next(values) % (k + 1)
        deck[k], deck[j] = deck[j], deck[k]
    return deck[::-1]


_CSHD = (0, 3, 2, 1)
_CHSD = (0, 2, 3, 1)


def _pysolfc(number: int, rules: Rules) -> Deck:
    if 1 <= number < 32000:
        return _pysolfc_ms(number, rules)
    deck = [4 * rank + suit for suit in _CSHD for rank in range(13)]
    values = random.Random(number)  # PySolFC's own generator is Python's
    for k in range(51, 0, -1):
        j = int(values.random() * (k + 1))
        deck[k], deck[j] = deck[j], deck[k]
    return _dealt(deck[::-1], _pysolfc_places(rules.family), rules)


def _pysolfc_ms(number: int, rules: Rules) -> Deck:
    return _dealt(_microsoft_stream(number), _pysolfc_places(rules.family), rules)


def _kpat(number: int, rules: Rules) -> Deck:
    return _dealt(_microsoft_stream(number), _row_places(rules.family), rules)


def _solvitaire(number: int, rules: Rules) -> Deck:
    deck = [4 * rank + suit for rank in range(13) for suit in _CHSD]
    values = _mersenne(number)
    top = 0xFFFFFFFF
    for i in range(51, 0, -1):
        # Boost's integer distribution: equal buckets, values past the last one drawn again.
        bucket = top // (i + 1) + (top % (i + 1) == i)
        j = next(values) // bucket
        while j > i:
            j = next(values) // bucket
        deck[i], deck[j] = deck[j], deck[i]
    table = [(column, row) for row in range(7) for column in range(6, row - 1, -1)]
    # The table is dealt from place 27 down, the stock from place 28 up.
    return _dealt(deck[27::-1] + deck[28:], (*table, *_STOCK), rules)


def _mersenne(seed: int) -> Iterator[int]:
    """Yield MT19937's values from its one-number seed, which `random.seed` cannot set."""
    key = [seed & 0xFFFFFFFF]
    for i in range(1, 624):
        key.append((1812433253 * (key[-1] ^ (key[-1] >> 30)) + i) & 0xFFFFFFFF)
    twister = random.Random()
    twister.setstate((3, (*key, 624), None))
    while True:
        yield twister.getrandbits(32)


_STOCK: Places = tuple((-1, i) for i in range(24))


@lru_cache(maxsize=2)
def _pysolfc_places(family: str) -> Places:
    """Return where PySolFC deals each card: the face-down rows, then the face-up cards."""
    if family == "klondike":
        down = [(c, r) for r in range(6) for c in range(6, r, -1)]
        return (*down, *((c, c) for c in range(6, -1, -1)), *_STOCK)
    rows = [(c, r) for r in range(6) for c in range(r + 1, 7)]
    rows += [(c, c + r) for r in range(4) for c in range(1, 7)]
    rows += [(c, c + 4 if c else 0) for c in range(7)]
    return tuple(rows)


@lru_cache(maxsize=2)
def _row_places(family: str) -> Places:
    """Return where KPat deals each card: row by row over the final shape."""
    if family == "klondike":
        return (*((c, r) for r in range(7) for c in range(r, 7)), *_STOCK)
    return tuple((c, r) for r in range(11) for c in range(7) if r < (c + 5 if c else 1))


_COLUMN_PLACES: Places = (*((c, r) for c in range(7) for r in range(c + 1)), *_STOCK)
"""Klondike column by column."""


def _exact(number: int, rules: Rules) -> Deck:
    return _dealt(exact_cards(number), _COLUMN_PLACES, rules)


def _greenfelt(number: int, rules: Rules) -> Deck:
    return _dealt(greenfelt_cards(number), _row_places(rules.family), rules)


def _collection(number: int, rules: Rules) -> Deck:
    return _dealt(collection_cards(number), _row_places(rules.family), rules)


def _dealt(stream: list[int], places: Places, rules: Rules) -> Deck:
    """Return the deck that gives the cards of ``stream`` to ``places`` in our dealing order."""
    table = dict(zip(places, stream, strict=True))
    return tuple([table[place] for place in dealing_order(rules)])


def _native(number: int, rules: Rules) -> Deck:
    return native_deck(number, rules.n_cards)


_BOTH = ("yukon", "klondike")

NUMBERINGS: dict[str, Numbering] = {
    n.name: n
    for n in (
        Numbering("native", 0, _MASK, _BOTH, _native),
        Numbering("pysolfc", 0, 10**20, _BOTH, _pysolfc),
        Numbering("kpat", 1, (1 << 31) - 1, _BOTH, _kpat),
        Numbering("solvitaire", 0, (1 << 32) - 1, ("klondike",), _solvitaire),
        Numbering("greenfelt", 0, LAST_GREENFELT, ("klondike",), _greenfelt),
        Numbering("microsoft", 0, PERMUTATIONS - 1, ("klondike",), _collection, in_batches=False),
        Numbering("exact", 0, PERMUTATIONS - 1, ("klondike",), _exact, in_batches=False),
    )
}
"""Every numbering, by name."""

_PYSOLFC_MS = Numbering("pysolfc:ms", 1, (1 << 33) - 1, _BOTH, _pysolfc_ms)
_SHAPES = {
    "yukon": ((0, 1, 2, 3, 4, 5, 6), (1, 5, 5, 5, 5, 5, 5)),
    "klondike": ((0, 1, 2, 3, 4, 5, 6), (1, 1, 1, 1, 1, 1, 1)),
}


def parse_deal_name(text: str) -> tuple[str, int | str]:
    """Read a numbering and a number; a bare number is native.

    Returns
    -------
    tuple
        The numbering's name and the number: an int, or PySolFC's ``"msN"``.

    Raises
    ------
    ValueError
        If the numbering is unknown, or the number is no number or out of range.

    Examples
    --------
    >>> parse_deal_name("pysolfc:24"), parse_deal_name("7")
    (('pysolfc', 24), ('native', 7))
    """
    name, colon, number = text.strip().rpartition(":")
    name = name.strip().lower() if colon else "native"
    record, value = _resolve(name, number.strip().lower())
    return name, (f"ms{value}" if record is _PYSOLFC_MS else value)


def deck_of_number(numbering: str, number: int | str, rules: Rules) -> Deck:
    """Return the deck a number stands for, in our dealing order.

    Parameters
    ----------
    numbering : str
        One of ``NUMBERINGS``.
    number : int or str
        PySolFC also takes ``"msN"``, its name for Microsoft deals past 31999.
    rules : Rules

    Raises
    ------
    ValueError
        If the numbering is unknown or does not deal for these rules, or the number is out of
        range.

    Examples
    --------
    >>> from yukonsolve.deal import deck_text
    >>> from yukonsolve.rules import preset
    >>> deck_text(deck_of_number("pysolfc", 24, preset("yukon"))[:7])
    '7C4C5HQC5D2D7H'
    """
    record, value = _resolve(numbering, number)
    if record.deck is not _native:
        if rules.family not in record.families:
            families = " and ".join(record.families)
            raise ValueError(f"{record.name} numbers deal {families} only, not {rules.family}")
        if not _is_usual(rules):
            raise ValueError(f"{record.name} numbers deal the whole deck on its usual columns only")
    return record.deck(value, rules)


def exact_number_of(deck: Deck, rules: Rules) -> int | None:
    """Return the ``exact`` number of a deck; ``None`` if the rules are not those of whole Klondike.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> rules = preset("klondike")
    >>> exact_number_of(deck_of_number("exact", 815, rules), rules)
    815
    """
    if rules.family != "klondike" or not _is_usual(rules):
        return None
    return exact_number(_by_column(rules)(deck))


@lru_cache(maxsize=2)
def _by_column(rules: Rules) -> itemgetter[tuple[int, ...]]:
    """Return what takes the cards of a Klondike deck column by column."""
    at = {place: i for i, place in enumerate(dealing_order(rules))}
    return itemgetter(*[at[place] for place in _COLUMN_PLACES])


def _is_usual(rules: Rules) -> bool:
    return (rules.face_down, rules.face_up) == _SHAPES[rules.family] and rules.n_ranks == 13


def _resolve(name: str, number: int | str) -> tuple[Numbering, int]:
    """Return the numbering and the number meant, both checked."""
    record = NUMBERINGS.get(name)
    if record is None:
        hint = "; Microsoft deals are pysolfc:msN or kpat:N" if name == "ms" else ""
        known = ", ".join(NUMBERINGS)
        raise ValueError(f"unknown numbering {name[:40]!r}; known: {known}{hint}")
    if isinstance(number, str):
        digits = number
        if name == "pysolfc" and number.startswith("ms"):
            record, digits = _PYSOLFC_MS, number[2:]
        if not (digits.isascii() and digits.isdigit()):
            raise ValueError(f"{name}: {number[:40]!r} is not a number")
        if len(digits) > 80:
            raise ValueError(f"{name}: a number of {len(digits)} digits is out of range")
        number = int(digits)
    if not record.first <= number <= record.last:
        raise ValueError(f"{record.name} numbers are {record.first}..{record.last}, not {number}")
    return record, number
