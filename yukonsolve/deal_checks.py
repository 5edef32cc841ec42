"""Checks on what a reader found: every card exactly once, each in a place it can be in.

A slip in a deal must never lead to a verdict about another deal, so nothing is repaired here: each
fault is named with its place, and the deal is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from yukonsolve.cards import SUITS, card_text
from yukonsolve.deal import Deal
from yukonsolve.rules import Rules

_MOST_NAMED = 8


class DealError(ValueError):
    """A text that is no deal.

    Attributes
    ----------
    messages : list of str
        One line a bad deal, each ``source:line: what is wrong; what else``.

    Examples
    --------
    >>> DealError(["deals.txt:3: unknown card 'QX'"]).messages[0]
    "deals.txt:3: unknown card 'QX'"
    """

    def __init__(self, messages: list[str]) -> None:
        super().__init__("\n".join(messages))
        self.messages = messages


@dataclass
class Pile:
    """Cards as read, the card nearest the table first, and which of them are face down."""

    name: str
    line: int
    cards: list[int] = field(default_factory=list)
    down: list[bool] = field(default_factory=list)

    def add(self, card: int, down: bool = False) -> None:
        """Put a card on the pile; a code of -1 keeps the place of a card that cannot be read."""
        self.cards.append(card)
        self.down.append(down)


@dataclass
class RawBoard:
    """A board as read, not yet checked.

    Faults found while reading are (line, text) pairs in ``problems``; ``is_text`` tells a board
    with a column a line.
    """

    line: int
    columns: list[Pile] = field(default_factory=list)
    stock: Pile | None = None
    waste: Pile | None = None
    foundations: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    problems: list[tuple[int, str]] = field(default_factory=list)
    is_text: bool = False


def checked_deal(board: RawBoard, rules: Rules, source: str) -> Deal:
    """Return the deal of a board.

    Raises
    ------
    DealError
        If anything is wrong with the board: one line that names the faults.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> rules = preset("yukon", n_ranks=1, n_columns=1, face_down=(0,), face_up=(4,))
    >>> checked_deal(RawBoard(1, [Pile("column 1", 1, [3, 2, 1, 0], [False] * 4)]), rules, "x")
    Deal(columns=((3, 2, 1, 0),), face_down=(0,), stock=(), waste=(), foundations=(0, 0, 0, 0))
    """
    problems = list(board.problems)
    if problems and not board.columns:  # nothing could be read, so say only why
        raise DealError([_one_line(problems, source, board.line)])
    if len(board.columns) != rules.n_columns:
        columns = "column" if len(board.columns) == 1 else "columns"
        what = f"{len(board.columns)} {columns} given, {rules.name} has {rules.n_columns}"
        if len(board.columns) < rules.n_columns:
            what += " (':' on a line of its own is an empty one)" * board.is_text
        problems.append((board.line, what))
    loose = [pile for pile in (board.stock, board.waste) if pile and pile.cards]
    if rules.family != "klondike":
        problems += [
            (pile.line, f"{rules.name} has no {pile.name}, {len(pile.cards)} cards given for it")
            for pile in loose
        ]
    for column in board.columns:
        problems += [(column.line, what) for what in _column_problems(column)]
    places = [
        (card, f"{pile.name} card {i}")
        for pile in (*board.columns, *loose)
        for i, card in enumerate(pile.cards, 1)
    ]
    for suit, height in enumerate(board.foundations):
        places += [(4 * rank + suit, f"foundation {SUITS[suit]}") for rank in range(height)]
    problems += [(board.line, what) for what in count_problems(places, rules)]
    if problems:
        raise DealError([_one_line(problems, source, board.line)])
    return Deal(
        tuple(tuple(column.cards) for column in board.columns),
        tuple(sum(column.down) for column in board.columns),
        tuple(board.stock.cards) if board.stock else (),
        tuple(board.waste.cards) if board.waste else (),
        tuple(board.foundations),
    )


def _one_line(problems: list[tuple[int, str]], source: str, first_line: int) -> str:
    """Return the faults of one board as one message that begins at the first of them."""
    start = problems[0][0]
    # Faults of the whole board carry its first line, which says nothing.
    named = [
        what if line in (start, first_line) else f"line {line}: {what}"
        for line, what in problems[:_MOST_NAMED]
    ]
    more = len(problems) - _MOST_NAMED
    if more > 0:
        named.append("and another fault" if more == 1 else f"and {more} more faults")
    return f"{source}:{start}: {'; '.join(named)}"


def _column_problems(column: Pile) -> list[str]:
    if not any(column.down):
        return []
    if column.down[-1]:
        return [f"{_name(column.cards[-1])}, the last card of {column.name}, is face down"]
    first_up = column.down.index(False)
    return [
        f"{_name(card)} is face down above a face-up card ({column.name} card {i + 1})"
        for i, card in enumerate(column.cards)
        if column.down[i] and i > first_up
    ]


def _name(card: int) -> str:
    return card_text(card) if card >= 0 else "an unknown card"


def count_problems(places: list[tuple[int, str]], rules: Rules) -> list[str]:
    """Return what is wrong with a set of cards, each with its place; nothing if it is the deck.

    Parameters
    ----------
    places : list of (int, str)
        Every card and where it lies; -1 for a card that could not be read (reported already).
    rules : Rules

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> rules = preset("yukon", n_ranks=1, n_columns=1, face_down=(0,), face_up=(4,))
    >>> count_problems([(0, "card 1"), (1, "card 2"), (2, "card 3"), (2, "card 4")], rules)
    ['AH appears twice (card 3, card 4); missing: AS']
    """
    found: dict[int, list[str]] = {}
    strangers = []
    for card, place in places:
        if card >= rules.n_cards:
            strangers.append(f"{card_text(card)} ({place})")
        elif card >= 0:
            found.setdefault(card, []).append(place)
    lines = []
    if strangers:
        deck = f"the deck of {rules.n_cards} cards"
        lines.append(f"not in {deck}: {_some(strangers)}")
    parts = []
    if len(places) < rules.n_cards:
        parts.append(f"{len(places)} of {rules.n_cards} cards given")
    elif len(places) > rules.n_cards:
        parts.append(f"{len(places)} cards given, the deck has {rules.n_cards}")
    twice = [
        f"{card_text(card)} appears {_times(len(where))} ({_some(where)})"
        for card, where in sorted(found.items())
        if len(where) > 1
    ]
    parts += twice[:_MOST_NAMED]
    if len(twice) > _MOST_NAMED:
        parts.append(f"and {len(twice) - _MOST_NAMED} more cards appear twice")
    missing = [card_text(card) for card in range(rules.n_cards) if card not in found]
    if missing:
        parts.append(f"missing: {' '.join(missing)}")
    if parts:
        lines.append("; ".join(parts))
    return lines


def _times(n: int) -> str:
    return "twice" if n == 2 else f"{n} times"


def _some(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more
