"""The dead-end test and the probes again, slow and readable, for telling people why.

The same conditions as in `yukonsolve.kernels.relax` and `yukonsolve.kernels.probes`, where their
proofs are, written over sets of cards and without any code of theirs; tests hold the two together.
Yukon family only.

The relaxation forgets that moves use things up and asks what could ever happen: which cards could
be *open* (uncovered), *land* on the tableau, go *up*. What stays out never happens. A probe puts a
question that play must answer one way or another, and runs the relaxation under each answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from yukonsolve.board import can_build, can_fill_space
from yukonsolve.cards import N_SUITS, rank_of, suit_of
from yukonsolve.position import Position
from yukonsolve.rules import Rules

PAIR = "pair"
KING = "king"
LANDING = "landing"
KINDS = (PAIR, KING, LANDING)
"""The kinds of questions."""
NEVER = -1
"""The answer "it never lands there"."""


class Question(NamedTuple):
    """A question that every winning line answers.

    Parameters
    ----------
    kind : {"pair", "king", "landing"}
        Which of the twins lands first; which king is first into an empty column; whether a card
        ever lands on another.
    cards : tuple of int
        The twins; the kings; the card and the one it may land on.
    """

    kind: str
    cards: tuple[int, ...]

    @property
    def choices(self) -> tuple[int, ...]:
        """The answers: the card that is first; or the card landed on, and ``NEVER``."""
        return (self.cards[1], NEVER) if self.kind == LANDING else self.cards


class Answer(NamedTuple):
    """A question and one of its choices."""

    question: Question
    choice: int


class Setting:
    """A position with everything about it that the relaxation asks for.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> rules = preset("yukon", n_ranks=2, n_columns=2, face_down=(0, 1), face_up=(3, 4))
    >>> setting = Setting(Position(((1, 4, 3), (6, 7, 5, 2, 0)), (0, 1), (0, 0, 0, 0)), rules)
    >>> sorted(setting.ends), setting.above[5], setting.below[6]
    ([0, 3], (2, 0), None)
    """

    def __init__(self, position: Position, rules: Rules) -> None:
        self.position = position
        self.rules = rules
        self.below: dict[int, int | None] = {}
        self.above: dict[int, tuple[int, ...]] = {}
        self.column_of: dict[int, int] = {}
        self.face_down: set[int] = set()
        self.ends: set[int] = set()
        self.bases: set[int] = set()
        for number, column in enumerate(position.columns):
            for place, card in enumerate(column):
                self.below[card] = column[place - 1] if place else None
                self.above[card] = column[place + 1 :]
                self.column_of[card] = number
            if column:
                self.bases.add(column[0])
                self.ends.add(column[-1])
                # A column's last card is never face down.
                down = min(position.face_down[number], len(column) - 1)
                self.face_down.update(column[:down])
        self.tableau = set(self.below)
        cards = range(rules.n_cards)
        self.founded = set(cards) - self.tableau
        self.spaces = rules.n_columns - len(self.bases)
        self.kings = {card for card in cards if rank_of(card) == rules.n_ranks - 1}
        self.parents = {
            card: tuple(on for on in cards if can_build(card, on, rules)) for card in cards
        }
        self.fills_space = {card for card in cards if can_fill_space(card, rules)}
        self.any_space = rules.spaces == "any"


@dataclass
class Conditions:
    """What the answers in force add to the relaxation."""

    struck: set[tuple[int, int]] = field(default_factory=set)
    """Landings (card, host) that never take place."""
    hold: dict[int, set[int]] = field(default_factory=dict)
    """For a host, the cards that land on it and must have left again before it goes up."""
    wait: set[int] = field(default_factory=set)
    """Cards that land second of their pair: until the twin is up they need both hosts open."""
    kings_wait: set[int] = field(default_factory=set)
    """Kings that need a second empty column until the first king is up."""
    first_king: int = NEVER

    @classmethod
    def of(cls, answers: Sequence[Answer]) -> Conditions:
        """Return the conditions that some answers make."""
        made = cls()
        for (kind, cards), choice in answers:
            if kind == PAIR:
                made.wait.add(cards[0] if choice == cards[1] else cards[1])
            elif kind == KING:
                made.kings_wait = set(cards) - {choice}
                made.first_king = choice
            elif choice == NEVER:
                made.struck.add((cards[0], cards[1]))
            else:
                made.hold.setdefault(choice, set()).add(cards[0])
        return made


@dataclass
class Relaxed:
    """The relaxation's end: everything that could ever happen."""

    setting: Setting
    given: Conditions
    heights: list[int]
    open: set[int]
    landed: set[int]
    single: set[int]
    """Cards that first landed while only one of their hosts was open: worth a question."""
    spaces: int

    @property
    def dead(self) -> bool:
        """Whether some card never goes up, so that the position is lost."""
        return any(height < self.setting.rules.n_ranks for height in self.heights)

    def is_up(self, card: int) -> bool:
        """Return whether the card could go up."""
        return rank_of(card) < self.heights[suit_of(card)]

    def leaves(self, card: int) -> bool:
        """Return whether the card could leave what it lies on."""
        return card in self.landed or self.is_up(card)

    def is_held(self, host: int) -> bool:
        """Return whether a card on ``host`` keeps it from going up (rule ``landing``)."""
        return any(not self.can_step_off(card, host) for card in self.given.hold.get(host, ()))

    def can_step_off(self, card: int, host: int) -> bool:
        """Return whether a card that has landed on ``host`` could leave it again."""
        others = (on for on in self.setting.parents[card] if on != host)
        elsewhere = any(on in self.open and (card, on) not in self.given.struck for on in others)
        aside = self.setting.any_space and self.spaces > 0
        return self.is_up(card) or elsewhere or aside

    def must_wait(self, card: int) -> bool:
        """Return whether the card, second of its pair, may not land yet (rule ``pair``)."""
        if card not in self.given.wait or self.is_up(twin(card)):
            return False
        both = all(on in self.open for on in self.setting.parents[card])
        return not both and not (self.setting.any_space and self.spaces > 0)

    def comes_apart(self, card: int, host: int) -> bool:
        """Return whether a host lying above the card in its column could get out of there."""
        chain = self.setting.above[card]
        if host not in chain:
            return True
        if any(between in self.landed for between in chain[: chain.index(host) + 1]):
            return True
        return self.setting.rules.worrying_back and self.is_up(host)

    def lands(self, card: int) -> bool:
        """Return whether the card could land on an open card, and note ``single`` if so."""
        parents = self.setting.parents[card]
        if not any(on in self.open for on in parents) or self.must_wait(card):
            return False
        hosts = [on for on in parents if on in self.open and (card, on) not in self.given.struck]
        for host in hosts:
            if host != self.setting.below[card] and self.comes_apart(card, host):
                if len(hosts) == 1:
                    self.single.add(card)
                return True
        return False


def twin(card: int) -> int:
    """Return the card of the same rank and colour.

    Examples
    --------
    >>> twin(0), twin(5)
    (3, 6)
    """
    return card ^ 3


def relax(setting: Setting, answers: Sequence[Answer] = ()) -> Relaxed:
    """Run the relaxation under some answers to its end.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> rules = preset("yukon", n_ranks=2, n_columns=1, face_down=(0,), face_up=(8,))
    >>> stuck = Position(((0, 4, 1, 2, 3, 5, 6, 7),), (0,), (0, 0, 0, 0))
    >>> relax(Setting(stuck, rules)).dead
    True
    """
    back = setting.rules.worrying_back
    now = Relaxed(
        setting,
        Conditions.of(answers),
        heights=list(setting.position.foundations),
        open=setting.ends | setting.founded if back else set(setting.ends),
        landed=set(),
        single=set(),
        spaces=setting.spaces,
    )
    left: set[int] = set()
    while True:
        fresh = _go_up(now)
        if not now.dead:
            return now
        for card in sorted(setting.tableau - now.landed):
            turned = card not in setting.face_down or card in now.open
            if turned and now.lands(card):
                now.landed.add(card)
                fresh.add(card)
        if now.spaces:
            fresh |= _fill_spaces(now)
        if not fresh:
            return now
        for card in fresh - left:
            under = setting.below[card]
            if under is None:
                now.spaces += 1
            else:
                now.open.add(under)
        left |= fresh


def _go_up(now: Relaxed) -> set[int]:
    """Build the foundations as far as open cards go; return what went up."""
    gone: set[int] = set()
    moved = True
    while moved:
        moved = False
        for suit in range(N_SUITS):
            card = N_SUITS * now.heights[suit] + suit
            if card in now.setting.tableau and card in now.open and not now.is_held(card):
                now.heights[suit] += 1
                gone.add(card)
                moved = True
    return gone


def _fill_spaces(now: Relaxed) -> set[int]:
    """Let cards into the empty columns that there could be; return them."""
    setting, given = now.setting, now.given
    movers = {
        card
        for card in setting.fills_space & setting.tableau - setting.bases - now.landed
        if card not in setting.face_down or card in now.open
    }
    if now.spaces < 2 and given.kings_wait and not now.is_up(given.first_king):
        movers -= given.kings_wait
    now.landed |= movers
    return movers
