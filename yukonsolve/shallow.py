"""What the kernels are asked for explanations: answers inside answers, and first moves.

Nothing here decides a deal; it looks for a short way to show what a search has found.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from yukonsolve import rulebook
from yukonsolve.board import can_build
from yukonsolve.cards import N_SUITS, SUITS
from yukonsolve.kernels import expand, layout, probes, search
from yukonsolve.position import Move, Position, canonical, parse_move, to_deal
from yukonsolve.reasons import KING, LANDING, NEVER, PAIR, Answer, Setting
from yukonsolve.rules import Rules
from yukonsolve.tokens import tokens_of
from yukonsolve.workspace import RULE_BITS, Workspace, deal_arrays

_BYTES = 1 << 26
_NO_CARD = int(layout.NO_CARD)


class Successor(NamedTuple):
    """A first move, or a sideways move and the one it makes possible, and where they lead."""

    tokens: tuple[str, ...]
    after: Position


def at_rest(position: Position, rules: Rules) -> tuple[Position, list[int]]:
    """Play the foundation moves that are always safe; return the position and the cards.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> rules = preset("yukon", n_ranks=2, n_columns=2, face_down=(0, 0), face_up=(4, 4))
    >>> at_rest(Position(((1, 4, 3, 0), (6, 7, 5, 2)), (0, 0), (0, 0, 0, 0)), rules)[1]
    [0, 3, 2]
    """
    played = []
    while True:
        on_table = [card for column in position.columns for card in column]
        for column, cards in enumerate(position.columns, 1):
            if cards and _is_safe(cards[-1], position, on_table, rules):
                move = Move(cards[-1], str(column), SUITS[cards[-1] % N_SUITS])
                position = rulebook.apply(position, move, rules)
                played.append(move.card)
                break
        else:
            return position, played


def _is_safe(card: int, position: Position, on_table: Sequence[int], rules: Rules) -> bool:
    if position.foundations[card % N_SUITS] != card // N_SUITS:
        return False
    if rules.build == "suit":
        return True
    for other in on_table:
        if can_build(other, card, rules):
            return False
        steps = (between for between in range(rules.n_cards) if can_build(between, card, rules))
        if rules.worrying_back and any(can_build(other, between, rules) for between in steps):
            return False
    return True


class KernelProbes:
    """The kernels' probes and successors, for one rule set.

    Examples
    --------
    >>> from yukonsolve.deal import deal_from_deck
    >>> from yukonsolve.numbering import deck_of_number
    >>> from yukonsolve.position import start
    >>> from yukonsolve.rules import preset
    >>> rules = preset("yukon")
    >>> deal = deal_from_deck(deck_of_number("native", 7, rules), rules)
    >>> KernelProbes(rules).refutes(start(deal, rules), nested=True)
    False
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        # Without the dead-end test a state's successors are all there.
        names = [name for name in RULE_BITS if name != "dead-end"]
        self._space = Workspace(rules, _BYTES, names)

    def load(self, position: Position) -> None:
        """Put a position where the kernels work."""
        layout.load(self._space.work, *deal_arrays(to_deal(position)))

    def refutes(self, position: Position, nested: bool) -> bool:
        """Return whether the probes call a position dead."""
        self.load(position)
        w = self._space.work
        layout.columns_above(w, np.uint64(0), w.above)
        questions = probes.PROBE_ALL | (probes.PROBE_NESTED if nested else 0)
        return int(probes.probe(w, np.uint64(0), np.uint64(questions))) == 0

    def refutes_under(self, setting: Setting, answers: Sequence[Answer]) -> bool:
        """Return whether the loaded position is dead under answers, asking questions inside."""
        w = self._space.work
        layout.columns_above(w, np.uint64(0), w.above)
        probes.clear_conditions(w)
        for (kind, cards), choice in answers:
            if kind == KING:
                w.par[layout.KINGS_WAIT] = sum(1 << king for king in cards if king != choice)
                w.par[layout.FIRST_KING] = 1 << choice
                continue
            code, yes = cards[0], choice == cards[0]
            if kind == LANDING:
                place = setting.parents[cards[0]].index(cards[1])
                code, yes = int(probes.LANDING_QUESTIONS) + 2 * cards[0] + place, choice != NEVER
            else:
                assert kind == PAIR
            probes.assume(w, np.uint64(code), np.uint64(yes))
        alive = int(probes.settle(w, np.uint64(0), np.uint64(probes.PROBE_ALL)))
        probes.clear_conditions(w)
        return alive == 0

    def successors(self, position: Position) -> list[Successor]:
        """Return what play may do next, sideways moves joined with what they make possible.

        Successors that differ only in the order of the columns are given once.
        """
        self.load(position)
        w = self._space.work
        search.new_generation(w)
        end = int(expand.expand(w, np.uint64(0), np.uint64(0)))
        found = []
        seen = {canonical(position)}
        for entry in sorted(int(word) & 0xFFFFFF for word in w.entries[:end]):
            moves = [entry & 0xFFF]
            if entry >> 12 & 63 != _NO_CARD:
                moves.append(entry >> 12)
            tokens = tokens_of(to_deal(position), moves)
            after = position
            for token in tokens:
                after = rulebook.apply(after, parse_move(token), self.rules)
            after, _ = at_rest(after, self.rules)
            if canonical(after) not in seen:
                seen.add(canonical(after))
                found.append(Successor(tokens, after))
        return found


class Line(NamedTuple):
    """A move and why it loses: refuted at once, or by each of the moves after it.

    ``again``: it leads to a position that came up before, or only puts off what was looked at.
    """

    tokens: tuple[str, ...]
    after: Position
    replies: tuple[Line, ...]
    again: bool = False


class MoveTree:
    """Refutes a position by its moves, a few levels deep.

    Parameters
    ----------
    judge : KernelProbes
    room : int
        Most positions that may be gone into.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> rules = preset("yukon", n_ranks=1, n_columns=1, face_down=(0,), face_up=(4,))
    >>> start = Position(((0, 1, 2, 3),), (0,), (0, 0, 0, 0))
    >>> MoveTree(KernelProbes(rules), 10).grow(start, 1) is None
    True
    """

    def __init__(self, judge: KernelProbes, room: int) -> None:
        self.judge = judge
        self.room = room
        self.seen: set[Position] = set()

    def grow(self, position: Position, depth: int) -> tuple[Line, ...] | None:
        """Return every next move of a position with why it loses.

        ``None`` if some move is not refuted within ``depth`` moves and the room there is.
        """
        self.room -= 1
        if self.room < 0 or not any(position.columns):
            return None
        self.seen.add(canonical(position))
        lines = []
        for tokens, after in self.judge.successors(position):
            if canonical(after) in self.seen:
                lines.append(Line(tokens, after, (), again=True))
                continue
            self.seen.add(canonical(after))
            replies: tuple[Line, ...] | None = ()
            if not self.judge.refutes(after, nested=True):
                replies = self.grow(after, depth - 1) if depth > 1 else None
            if replies is None:
                return None
            lines.append(Line(tokens, after, replies))
        return tuple(lines)
