"""The Solvitaire JSON board, both ways.

Piles are bottom first and a lower-case suit letter is a face-down card. The **last** card of
``stock`` is drawn first, the last card of ``waste`` lies on top.
"""

from __future__ import annotations

import json
from typing import Any

from yukonsolve.cards import SUITS, card_text, parse_card, rank_of, suit_of
from yukonsolve.deal import Deal
from yukonsolve.deal_checks import Pile, RawBoard
from yukonsolve.rules import Rules

_FOUNDATIONS = ("foundations", "foundation")
_KNOWN = ("tableau piles", "stock", "waste", *_FOUNDATIONS)


def parse_json(text: str, line: int = 1) -> RawBoard:
    """Read a Solvitaire JSON board, or lonelybot's near copy of it.

    Parameters
    ----------
    text : str
    line : int
        Number of the text's first line.

    Examples
    --------
    >>> board = parse_json('{"tableau piles": [["2c", "AC"]], "stock": ["KS", "3H"]}')
    >>> board.columns[0].down, board.stock.cards == [parse_card("3H"), parse_card("KS")]
    ([True, False], True)
    """
    board = RawBoard(line)
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        board.problems.append((line + error.lineno - 1, f"broken JSON: {error.msg}"))
        return board
    except (RecursionError, ValueError):
        board.problems.append((line, "broken JSON: nested too deeply or a number too long"))
        return board
    if not isinstance(found, dict):
        board.problems.append((line, "a JSON deal is an object with 'tableau piles'"))
        return board
    for key, value in found.items():
        if key not in _KNOWN and value not in ([], {}, None):
            board.problems.append((line, f"unknown JSON key {key[:40]!r}"))
    piles = found.get("tableau piles")
    if not isinstance(piles, list):
        board.problems.append((line, "the JSON has no list 'tableau piles'"))
        piles = []
    board.columns = [_pile(f"column {i}", cards, board) for i, cards in enumerate(piles, 1)]
    if "stock" in found:
        board.stock = _pile("stock", found["stock"] or [], board)
        board.stock.cards.reverse()
    if "waste" in found:
        board.waste = _pile("waste", found["waste"] or [], board)
    for pile in (board.stock, board.waste):
        if pile is not None:
            # The case of a suit says nothing here: stock cards are hidden and waste cards are not.
            pile.down = [False] * len(pile.cards)
    for key in _FOUNDATIONS:
        _read_foundations(found.get(key) or [], board)
    return board


def _pile(name: str, cards: Any, board: RawBoard) -> Pile:
    pile = Pile(name, board.line)
    if not isinstance(cards, list):
        board.problems.append((board.line, f"the JSON's {name} is not a list of cards"))
        return pile
    for word in cards:
        place = f"{name} card {len(pile.cards) + 1}"
        try:
            card = parse_card(word) if isinstance(word, str) else -1
        except ValueError:
            card = -1
        pile.add(card, card >= 0 and word.strip()[-1].islower())
        if card < 0:
            hidden = word in ("##", "#", "??", "?")
            hint = ": a hidden card must be named, as in 7h" if hidden else ""
            board.problems.append((board.line, f"unknown card {str(word)[:40]!r} ({place}){hint}"))
    return pile


def _read_foundations(value: Any, board: RawBoard) -> None:
    """Read founded cards, as one list or a list a suit, from the ace up without gaps."""
    if not isinstance(value, list):
        board.problems.append((board.line, "the JSON's foundations are not a list"))
        return
    flat = [card for entry in value for card in (entry if isinstance(entry, list) else [entry])]
    cards = _pile("foundations", flat, board).cards
    ranks = [
        sorted(rank_of(card) for card in cards if card >= 0 and suit_of(card) == suit)
        for suit in range(4)
    ]
    for suit, found in enumerate(ranks):
        if found != list(range(len(found))):
            names = " ".join(card_text(4 * rank + suit) for rank in found)
            what = f"foundation {SUITS[suit]} is not a row from the ace up: {names}"
            board.problems.append((board.line, what))
        elif found:
            board.foundations[suit] = len(found)


def solvitaire_json(deal: Deal, rules: Rules) -> str:
    """Return a deal as Solvitaire JSON, one line.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> solvitaire_json(Deal(((40, 36),), (1,)), preset("klondike"))[:32]
    '{"tableau piles": [["Jc", "10C"]'
    """
    columns = [
        [_word(card, i < down) for i, card in enumerate(column)]
        for column, down in zip(deal.columns, deal.face_down, strict=True)
    ]
    board: dict[str, Any] = {"tableau piles": columns}
    if rules.family == "klondike":
        board["stock"] = [_word(card) for card in reversed(deal.stock)]
        board["waste"] = [_word(card) for card in deal.waste]
    board["foundations"] = [
        _word(4 * rank + suit) for suit in range(4) for rank in range(deal.foundations[suit])
    ]
    return json.dumps(board)


def _word(card: int, down: bool = False) -> str:
    name = card_text(card).replace("T", "10")
    return name[:-1] + name[-1].lower() if down else name
