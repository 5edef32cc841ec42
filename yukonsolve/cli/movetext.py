"""Move tokens as lines for people."""

from __future__ import annotations

from collections.abc import Sequence

from yukonsolve.cards import card_text, parse_card
from yukonsolve.deal import Deal


def move_lines(deal: Deal, tokens: Sequence[str]) -> list[str]:
    """Return one numbered line a move: cards, places, and the card that is turned up.

    Parameters
    ----------
    deal : Deal
        Where the moves start.
    tokens : sequence of str
        Legal moves ``CARD:FROM>TO``; this only tells what they do.

    Examples
    --------
    >>> move_lines(Deal(((4,), (8, 0)), (0, 1)), ["AC:2>C", "2C:1>C"])
    ['  1. AC      column 2 -> foundation   turns up 3C', '  2. 2C      column 1 -> foundation']
    """
    columns = [list(column) for column in deal.columns]
    face_down = list(deal.face_down)
    lines = []
    for number, token in enumerate(tokens, 1):
        if ":" not in token:  # Klondike's stock
            lines.append(f"{number:>3}. {token}")
            continue
        name, _, route = token.partition(":")
        source, _, target = route.partition(">")
        card = parse_card(name)
        moved, turned = [card], ""
        if source.isdigit():
            column = columns[int(source) - 1]
            place = column.index(card)
            moved = column[place:]
            del column[place:]
            if column and face_down[int(source) - 1] == len(column):
                face_down[int(source) - 1] -= 1
                turned = f"   turns up {card_text(column[-1])}"
        if target.isdigit():
            columns[int(target) - 1] += moved
        what = name + (f"(+{len(moved) - 1})" if len(moved) > 1 else "")
        lines.append(f"{number:>3}. {what:<8}{_place(source)} -> {_place(target)}{turned}")
    return lines


def _place(mark: str) -> str:
    if mark.isdigit():
        return f"column {mark}"
    return "waste" if mark == "W" else "foundation"
