"""Reading deals: one deal in any form, or a file of deals.

The form is told from the text alone: a deck string (``7CKH..``, two characters a card), a number
with its numbering (``pysolfc:24``), a text board (`yukonsolve.text_board`), Solvitaire JSON
(`yukonsolve.json_board`) or, for Klondike, the 156 digits of Klondike-Solver.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from yukonsolve.board import movable_places
from yukonsolve.cards import CARD_NAMES, parse_card
from yukonsolve.deal import Deal, deal_from_deck, deck_of
from yukonsolve.deal_checks import DealError, RawBoard, checked_deal, count_problems
from yukonsolve.json_board import parse_json, solvitaire_json
from yukonsolve.numbering import deck_of_number, parse_deal_name
from yukonsolve.rules import Rules
from yukonsolve.text_board import LABELS, board_text, is_board_line, is_hidden_row, parse_board

__all__ = ["DealError", "NamedDeal", "board_text", "read_deal", "read_deals", "solvitaire_json"]

_CODES = {name: code for code, name in enumerate(CARD_NAMES)}
_CARD = re.compile(r"(?:1[0-3]|[1-9ATJQK])[CDHS♣♧♦♢♥♡♠♤]", re.IGNORECASE)
_NUMBERED = re.compile(r"([A-Za-z][\w.-]*)\s*:\s*([\w.+-]*)")
_COMMENT = re.compile(r"(?:^|(?<=\s))#")
_LONGEST_NUMBER = 40
"""Longer rows of digits are Klondike-Solver decks."""


class NamedDeal(NamedTuple):
    """A deal and where it came from.

    Parameters
    ----------
    name : str
        The deal as given, or the source for a board.
    deal : Deal
    deck : tuple of int or None
        The deck that deals it; ``None`` for a position that is no fresh deal.
    line : int
        Line of the source it starts on, from 1.
    numbering : str or None
    number : int or str or None
        The deal's number, if it was given by number.
    note : str
        What the giver of a board may not have meant; empty if there is nothing.
    """

    name: str
    deal: Deal
    deck: tuple[int, ...] | None
    line: int
    numbering: str | None = None
    number: int | str | None = None
    note: str = ""


def read_deal(text: str, rules: Rules, source: str = "<deal>") -> NamedDeal:
    """Read one deal in any form.

    Parameters
    ----------
    text : str
    rules : Rules
    source : str
        What to call the text in messages.

    Raises
    ------
    DealError
        If the text is no deal, or more than one.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> read_deal("pysolfc:24", preset("yukon")).deal.columns[0]
    (24,)
    """
    deals = read_deals(text, rules, source)
    if len(deals) > 1:
        raise DealError([f"{source}:{deals[1].line}: {len(deals)} deals given, one is expected"])
    return deals[0]


def read_deals(text: str | Iterable[str], rules: Rules, source: str = "<deals>") -> list[NamedDeal]:
    r"""Read a file of deals: one a line, or a single board.

    Parameters
    ----------
    text : str or iterable of str
        The text or its lines. Blank lines and ``#`` comments are skipped.
    rules : Rules
    source : str
        What to call the text in messages.

    Raises
    ------
    DealError
        If there is no deal, or naming every line that is none.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> [deal.number for deal in read_deals("native:7\nnative:8\n", preset("yukon"))]
    [7, 8]
    """
    if not isinstance(text, str):
        text = "\n".join([line.rstrip("\r\n") for line in text])
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    deals: list[NamedDeal] = []
    errors: list[str] = []
    board = None
    for number, line in enumerate(lines, 1):
        deal = _plain_deck(line, rules, number)
        if deal is not None:
            deals.append(deal)
            continue
        line = _content(line)
        if not line:
            continue
        if board is None:
            # Looked at once, at the first line that is not simply a deck.
            board = _board_of(lines, rules)
        if board:
            return [_checked(board[0], rules, source)]
        try:
            if is_board_line(line):
                raise DealError([f"a line of a board in a list of deals: {line[:40]!r}"])
            deals.append(_read_line(line, rules, number))
        except DealError as error:
            errors += [f"{source}:{number}: {what}" for what in error.messages]
        except ValueError as error:
            errors.append(f"{source}:{number}: {error}")
    if errors:
        raise DealError(errors)
    if not deals:
        raise DealError([f"{source}:1: the text holds no deal"])
    return deals


def _plain_deck(line: str, rules: Rules, number: int) -> NamedDeal | None:
    """Return the deal of a faultless deck string: the fast way through a long file."""
    if len(line) != 2 * rules.n_cards:
        return None
    try:
        deck = tuple([_CODES[line[i : i + 2]] for i in range(0, len(line), 2)])
    except KeyError:
        return None
    if len(set(deck)) != rules.n_cards or max(deck) >= rules.n_cards:
        return None
    return NamedDeal(line, deal_from_deck(deck, rules), deck, number)


def _content(line: str) -> str:
    """Return a line without its comment and outer blanks."""
    line = line.strip()
    if "#" in line and not is_hidden_row(line):
        line = _COMMENT.split(line, maxsplit=1)[0].rstrip()
    return line


def _board_of(lines: list[str], rules: Rules) -> list[RawBoard]:
    """Return the one board that the lines are, or nothing if they are a list of deals."""
    content = [(number, _content(line)) for number, line in enumerate(lines, 1)]
    content = [(number, line) for number, line in content if line]
    first, opening = content[0]
    if opening[0] in "{[":
        return [parse_json("\n".join(lines[first - 1 :]), first)]
    marked = sum(is_board_line(line) for _, line in content)
    if marked:
        # One stray line must not make a board of a long list: most lines decide.
        whole = sum(_is_deal_name(line) and not is_board_line(line) for _, line in content)
        return [parse_board(content)] if 2 * whole < len(content) else []
    if len(content) > 1 and not any(_is_whole_deal(line, rules) for _, line in content):
        return [parse_board(content)]
    return []


def _is_whole_deal(line: str, rules: Rules) -> bool:
    """Return whether a line means a whole deal rather than a column of a board."""
    return _is_deal_name(line) or 2 * len(_CARD.findall(line)) > rules.n_cards


def _is_deal_name(line: str) -> bool:
    """Return whether a line is written as only a deal is: a number, or cards without blanks."""
    if line.isdigit() or _NUMBERED.fullmatch(line):
        return True
    return len(_CARD.findall(line)) > len(line.split())


def _checked(board: RawBoard, rules: Rules, source: str) -> NamedDeal:
    deal = checked_deal(board, rules, source)
    note = ""
    if board.stock is board.waste is None and _wants_stock(deal, rules):
        note = f"{source}: no stock is given: taken as a position whose stock and waste are empty"
    return NamedDeal(source, deal, deck_of(deal, rules), board.line, note=note)


def _wants_stock(deal: Deal, rules: Rules) -> bool:
    """Return whether a position without a stock may be a mistake: a board of another game."""
    if rules.family != "klondike":
        return False
    # An endgame of runs alone explains itself.
    return any(deal.face_down) or any(
        movable_places(column, 0, rules).start for column in deal.columns if column
    )


def _read_line(line: str, rules: Rules, number: int) -> NamedDeal:
    """Read a whole deal on one line; the caller adds source and line to the messages."""
    digits = line.isascii() and line.isdigit()
    if digits and len(line) > _LONGEST_NUMBER:
        deck = _digit_deck(line, rules)
    elif digits or (_NUMBERED.fullmatch(line) and line.partition(":")[0].lower() not in LABELS):
        numbering, which = parse_deal_name(line)
        deck = deck_of_number(numbering, which, rules)
        return NamedDeal(line, deal_from_deck(deck, rules), deck, number, numbering, which)
    else:
        deck = _card_deck(line, rules)
    return NamedDeal(line, deal_from_deck(deck, rules), deck, number)


def _card_deck(line: str, rules: Rules) -> tuple[int, ...]:
    """Read a deck string in a free spelling: any case, ``10``, blanks and commas."""
    places: list[tuple[int, str]] = []
    problems: list[str] = []
    for word in re.split(r"[\s,;]+", line):
        at = 0
        while at < len(word):
            match = _CARD.match(word, at)
            place = f"card {len(places) + 1}"
            if match is None:
                # Without blanks two characters are taken, the length of a card.
                wrong = word if at == 0 and len(word) <= 4 else word[at : at + 2]
                problems.append(f"unknown card {wrong!r} ({place})")
                places.append((-1, place))
                at += len(wrong)
            else:
                places.append((parse_card(match[0]), place))
                at = match.end()
    if all(card < 0 for card, _ in places):
        raise DealError([f"no deal: {line[:40]!r} is no deck string, number or board"])
    return _counted(places, problems, rules)


def _digit_deck(line: str, rules: Rules) -> tuple[int, ...]:
    """Read a Klondike-Solver deck: three digits a card, rank 01..13 and suit 1..4 (C D H S)."""
    if rules.family != "klondike":
        raise DealError([f"{len(line)} digits are a Klondike-Solver deck, not one of {rules.name}"])
    if len(line) in (67, 68):  # no whole cards, but the length of nearly all numbers below 52!
        raise DealError([f"{len(line)} digits want their numbering: write microsoft:N or exact:N"])
    places: list[tuple[int, str]] = []
    problems: list[str] = []
    for i in range(0, len(line), 3):
        group = line[i : i + 3]
        place = f"card {len(places) + 1}"
        rank, suit = int(group[:2]), int(group[2:] or 0)
        known = 1 <= rank <= 13 and 1 <= suit <= 4
        places.append((4 * (rank - 1) + suit - 1 if known else -1, place))
        if not known:
            problems.append(f"unknown card {group!r} ({place})")
    return _counted(places, problems, rules)


def _counted(places: list[tuple[int, str]], problems: list[str], rules: Rules) -> tuple[int, ...]:
    problems = problems[:8] + count_problems(places, rules)
    if problems:
        raise DealError(["; ".join(problems)])
    return tuple([card for card, _ in places])
