"""The PySolFC text board, both ways: one column a line, ``<7H>`` face down.

``Talon:`` (or ``Stock:``), ``Waste:`` and ``Foundations: H-0 C-0 D-0 S-0`` carry the rest. Any
position can be written so, half-played games too. A line with only ``:`` is an empty column.
"""

from __future__ import annotations

import re

from yukonsolve.cards import CARD_NAMES, RANKS, SUITS, parse_card
from yukonsolve.deal import Deal, deck_of
from yukonsolve.deal_checks import Pile, RawBoard
from yukonsolve.rules import Rules

_LABEL = re.compile(r"([A-Za-z][A-Za-z0-9 ]*):(.*)", re.DOTALL)
_WORD = re.compile(r"<[^<>]*>|[^\s,<>]+|[<>]")
_HEIGHT = re.compile(r"([CDHS♣♦♥♠])-?(\w+)", re.IGNORECASE)
_PILES = {"talon": "stock", "stock": "stock", "waste": "waste"}
_FOUNDATIONS = ("foundations", "foundation", "founds")
LABELS = (*_PILES, *_FOUNDATIONS)


def is_board_line(line: str) -> bool:
    """Return whether a line can only be part of a board.

    Examples
    --------
    >>> is_board_line("<7H> 9S"), is_board_line("Talon: TC"), is_board_line("native:7")
    (True, True, False)
    """
    label = _LABEL.match(line)
    return (
        line.startswith(":")
        or "<" in line
        or (label is not None and label[1].strip().lower() in LABELS)
        or is_hidden_row(line)
    )


def is_hidden_row(line: str) -> bool:
    """Return whether a line shows hidden cards as ``##``, as some programs print them.

    Examples
    --------
    >>> is_hidden_row("## ## 7H"), is_hidden_row("## a heading")
    (True, False)
    """
    words = [word for word in line.split() if word != "##"]
    return "##" in line and bool(words) and all(_card(word) >= 0 for word in words)


def parse_board(lines: list[tuple[int, str]]) -> RawBoard:
    """Read the lines of a board, comments and blank lines already left out.

    Parameters
    ----------
    lines : list of (int, str)
        Line numbers and texts.

    Examples
    --------
    >>> board = parse_board([(1, "<2C> AC"), (2, ":"), (3, "Foundations: H-2")])
    >>> [pile.cards for pile in board.columns], board.foundations
    ([[4, 0], []], [0, 0, 2, 0])
    """
    board = RawBoard(lines[0][0] if lines else 1, is_text=True)
    seen: set[str] = set()
    for number, line in lines:
        label = _LABEL.match(line)
        if label is None:
            pile = Pile(f"column {len(board.columns) + 1}", number)
            board.columns.append(pile)
            _read_cards(line.removeprefix(":"), pile, board)
            continue
        word = label[1].strip().lower()
        kind = "foundations" if word in _FOUNDATIONS else _PILES.get(word)
        if kind is None:
            board.problems.append((number, f"unknown line {label[1][:40] + ':'!r}"))
        elif kind in seen:
            board.problems.append((number, f"a second line for the {kind}"))
        elif kind == "foundations":
            _read_foundations(label[2], number, board)
        else:
            pile = Pile(kind, number)
            _read_cards(label[2], pile, board)
            if kind == "stock":
                board.stock = pile
            else:
                board.waste = pile
        seen.add(kind or "")
    return board


def _card(word: str) -> int:
    try:
        return parse_card(word)
    except ValueError:
        return -1


def _read_cards(text: str, pile: Pile, board: RawBoard) -> None:
    for word in _WORD.findall(text):
        down = word.startswith("<")
        card = _card(word.strip("<>"))
        pile.add(card, down)
        if card < 0:
            place = f"{pile.name} card {len(pile.cards)}"
            hint = ""
            if word in ("<>", "#", "##", "<##>", "?", "??", "<?>", "<??>"):
                hint = ": a hidden card must be named, as in <7H>"
            board.problems.append((pile.line, f"unknown card {word[:40]!r} ({place}){hint}"))
        elif down and not pile.name.startswith("column"):
            what = f"{CARD_NAMES[card]} is marked face down ({pile.name} card {len(pile.cards)})"
            board.problems.append((pile.line, what))


def _read_foundations(text: str, number: int, board: RawBoard) -> None:
    given: set[str] = set()
    for word in re.split(r"[\s,]+", text.strip()):
        if not word:
            continue
        match = _HEIGHT.fullmatch(word)
        height = _height(match[2]) if match else None
        if match is None or height is None:
            what = f"unknown foundation {word[:40]!r}: write H-0 up to H-13"
            board.problems.append((number, what))
            continue
        suit = parse_card("A" + match[1])
        if SUITS[suit] in given:
            board.problems.append((number, f"foundation {SUITS[suit]} is given twice"))
        given.add(SUITS[suit])
        board.foundations[suit] = height


def _height(word: str) -> int | None:
    """Return the cards on a foundation whose last rank, or number of cards, is written so."""
    if word == "0":
        return 0
    card = _card(word + "C")
    return None if card < 0 else card // 4 + 1


def board_text(deal: Deal, rules: Rules) -> str:
    """Return a deal, or any position, as a text board that `parse_board` reads back.

    Examples
    --------
    >>> from yukonsolve.deal import deal_from_deck
    >>> from yukonsolve.rules import preset
    >>> rules = preset("klondike")
    >>> print(board_text(deal_from_deck(tuple(range(52)), rules), rules)[:59])
    Talon: 8C 8D 8H 8S 9C 9D 9H 9S TC TD TH TS JC JD JH JS QC Q
    """
    lines = []
    # Even empty foundations are named where nothing else would mark the text as a board.
    plain = rules.family != "klondike" and not any(deal.face_down)
    if plain or deck_of(deal, rules) is None:
        order = (2, 0, 1, 3)
        heights = " ".join(
            f"{SUITS[suit]}-{_height_text(deal.foundations[suit])}" for suit in order
        )
        lines.append(f"Foundations: {heights}")
    if rules.family == "klondike":
        lines.append(" ".join(["Talon:", *(CARD_NAMES[card] for card in deal.stock)]))
    if deal.waste:
        lines.append(" ".join(["Waste:", *(CARD_NAMES[card] for card in deal.waste)]))
    for column, down in zip(deal.columns, deal.face_down, strict=True):
        words = [f"<{CARD_NAMES[card]}>" for card in column[:down]]
        words += [CARD_NAMES[card] for card in column[down:]]
        lines.append(" ".join(words) or ":")
    return "\n".join(lines) + "\n"


def _height_text(height: int) -> str:
    return RANKS[height - 1] if height else "0"
