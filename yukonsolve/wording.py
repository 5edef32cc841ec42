"""Chains of reasons and questions in a player's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from yukonsolve.cards import card_text, rank_of, suit_of
from yukonsolve.chains import HOST, LAND, OPEN, SPACE, UP, Chain, Fact
from yukonsolve.reasons import KING, LANDING, NEVER, PAIR, Answer, Question, Setting

SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
MAX_LINES = 15
ASSUMED = "assumed"
"""Where the answer comes from that a chain of reasons is to refute."""


def listed(cards: Sequence[int], word: str = "and") -> str:
    """Return cards as a list in words.

    Examples
    --------
    >>> listed((0, 5, 51))
    'AC, 2D and KS'
    """
    names = [card_text(card) for card in cards]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"


def question_text(question: Question, setting: Setting) -> str:
    """Return a question as a player would ask it.

    Examples
    --------
    >>> from yukonsolve.position import Position
    >>> from yukonsolve.rules import preset
    >>> setting = Setting(Position(((),) * 7, (0,) * 7, (13,) * 4), preset("yukon"))
    >>> question_text(Question(LANDING, (28, 33)), setting)
    'Does 8C ever land on 9D?'
    """
    cards = question.cards
    if question.kind == PAIR:
        hosts = listed(setting.parents[cards[0]])
        return f"{listed(cards)} share {hosts}: which of the two lands there first?"
    if question.kind == KING:
        return f"Which king is the first into an empty column: {listed(cards, 'or')}?"
    return f"Does {card_text(cards[0])} ever land on {card_text(cards[1])}?"


def assumption_text(answer: Answer, setting: Setting) -> str:
    """Return an answer, and what follows from it at once, as the start of a sentence.

    Examples
    --------
    >>> from yukonsolve.position import Position
    >>> from yukonsolve.rules import preset
    >>> setting = Setting(Position(((),) * 7, (0,) * 7, (13,) * 4), preset("yukon"))
    >>> assumption_text(Answer(Question(LANDING, (28, 33)), 33), setting)
    'If it does, 9D goes up only after 8C has left it again'
    """
    (kind, cards), choice = answer
    name = card_text(choice) if choice != NEVER else ""
    until = " or a column can be empty" if setting.any_space else ""
    if kind == PAIR:
        second = card_text(cards[0] if choice == cards[1] else cards[1])
        hosts = listed(setting.parents[choice])
        return (
            f"If {name} does, {second} can land only once both {hosts} have been uncovered, "
            f"or {name} is up{until}"
        )
    if kind == KING:
        others = listed([card for card in cards if card != choice])
        return f"If {name} is, {others} must wait for a second empty column, or until {name} is up"
    if choice == NEVER:
        return "If it never does"
    return f"If it does, {name} goes up only after {card_text(cards[0])} has left it again"


def conclusion_text(answer: Answer) -> str:
    """Return a forced answer as a sentence.

    Examples
    --------
    >>> conclusion_text(Answer(Question(LANDING, (28, 33)), NEVER))
    'So 8C never lands on 9D.'
    """
    (kind, cards), choice = answer
    if kind == PAIR:
        return f"So {card_text(choice)} is first."
    if kind == KING:
        return f"So {card_text(choice)} is first."
    never = "never lands" if choice == NEVER else "lands at some time"
    return f"So {card_text(cards[0])} {never} on {card_text(cards[1])}."


def tell(
    chain: Chain,
    setting: Setting,
    sources: Mapping[Answer, str] | None = None,
    max_lines: int | None = MAX_LINES,
) -> list[str]:
    """Return a chain of reasons as lines, each card explained once.

    Parameters
    ----------
    chain : Chain
    setting : Setting
    sources : mapping of Answer to str, optional
        Where each answer in force comes from: "assumed", "by 1".
    max_lines : int or None
        Longer chains are cut, and the last line says so; an assumption is not cut away.

    Examples
    --------
    >>> from yukonsolve.chains import shortest_chain
    >>> from yukonsolve.position import Position
    >>> from yukonsolve.reasons import relax
    >>> from yukonsolve.rules import preset
    >>> rules = preset("yukon", n_ranks=2, n_columns=1, face_down=(0,), face_up=(8,))
    >>> stuck = Setting(Position(((0, 1, 2, 3, 4, 5, 6, 7),), (0,), (0, 0, 0, 0)), rules)
    >>> print(tell(shortest_chain(relax(stuck)), stuck)[0])  # doctest: +ELLIPSIS
    The ... never start. A... is never uncovered: ... lies on it. ...
    """
    teller = _Teller(chain, setting, sources or {})
    lines = teller.lines()
    if max_lines is None or len(lines) <= max_lines:
        return lines
    cut = lines[max_lines - 1 :]
    kept = lines[: max_lines - 1]
    if not any(ASSUMED in line for line in kept):
        last = [line for line in cut if ASSUMED in line][:1]
        kept = kept[: len(kept) - len(last)] + last
    more = len(lines) - len(kept)
    return [*kept, f"The other {more} cards stay for reasons of this kind."]


class _Teller:
    """Walks a chain depth first; what a line mentions without a reason waits its turn."""

    def __init__(self, chain: Chain, setting: Setting, sources: Mapping[Answer, str]) -> None:
        self.chain = chain
        self.setting = setting
        self.sources = sources
        self.told: set[Fact] = set()
        self.fresh: list[Fact] = []

    def lines(self) -> list[str]:
        root = next(iter(self.chain))
        stuck = self.chain[root].cards[0]
        suit = SUIT_WORDS[suit_of(stuck)]
        stop = f"get past {card_text(stuck - 4)}" if rank_of(stuck) else "start"
        lines = []
        todo = [root if self.chain[root].how == "held" else Fact(OPEN, stuck)]
        while todo:
            fact = todo.pop(0)
            if fact in self.told:
                continue
            self.fresh = []
            lines.append(self.line(fact))
            todo = self.fresh + todo
        lines[0] = f"The {suit} never {stop}. {lines[0]}"
        return lines

    def later(self, fact: Fact) -> None:
        """Have a fact explained in a later line, if no line has yet."""
        if fact not in self.told:
            self.fresh.append(fact)

    def line(self, fact: Fact) -> str:
        """Return the line that explains a fact, with what belongs to the same card."""
        self.told.add(fact)
        name = card_text(fact.card)
        if fact.kind == OPEN:
            return self.covered_line(fact)
        if fact.kind == SPACE:
            why = self.chain[fact]
            for need in why.needs:
                self.later(need)
            never = "No column is ever empty" if fact.card == 1 else "Never are two columns empty"
            return f"{never}: {listed(why.cards)} never leave the table."
        if fact.kind == UP:
            return self.up_text(fact.card, name) + "."
        text = self.land_text(fact.card)
        other = Fact(UP, fact.card)
        if other in self.chain and other not in self.told:
            self.told.add(other)
            why = self.chain[other]
            # A card that is never uncovered neither lands nor goes up: once is enough.
            plain = why.how == "after" and why.cards[0] == fact.card
            if not (plain and self.chain[fact].how == "face-down"):
                text += f", and {self.up_text(fact.card, 'it')}"
        return text + "."

    def covered_line(self, fact: Fact) -> str:
        why = self.chain[fact]
        upper, *between = why.cards
        line = f"{card_text(fact.card)} is never uncovered: {card_text(upper)} lies on it"
        if between:
            line += f" ({listed(between)} face down between them)"
        needs = [need for need in why.needs if need not in self.told]
        if not needs:
            return f"{line} and never leaves."
        return f"{line}. {self.line(needs[0])}"

    def up_text(self, card: int, name: str) -> str:
        """Return why a card never goes up, as part of a sentence."""
        why = self.chain[Fact(UP, card)]
        stuck = why.cards[0]
        stuck_name = card_text(stuck)
        if why.how == "held":
            rider, *others = why.cards[1:]
            rider_name = card_text(rider)
            source = self.source(LANDING, (rider, stuck), stuck)
            ways = "up"
            if others:
                ways += f" or onto {listed(others, 'or')} (never uncovered)"
            if self.setting.any_space:
                ways += " or to an empty column (there is none)"
            for need in why.needs:
                self.later(need)
            start = f"{name} goes up" if stuck == card else f"{name} goes up after {stuck_name}"
            if stuck != card:
                start += f", and {stuck_name}"
            return f"{start} only once {rider_name} has landed on it{source} and gone on, {ways}"
        if stuck == card:
            self.later(Fact(OPEN, card))
            return f"{name} goes up only once uncovered, which it never is"
        return f"{name} goes up only after {stuck_name}, {self.where(stuck, card)}"

    def where(self, card: int, by: int) -> str:
        """Return why a card is never open: it lies under ``by``, or that is told elsewhere."""
        fact = Fact(OPEN, card)
        upper = self.chain[fact].cards[0]
        if upper == by:
            self.told.add(fact)
            column = self.setting.column_of[card] + 1
            return f"which lies under {card_text(by)} in column {column}"
        self.later(fact)
        return "which is never uncovered"

    def land_text(self, card: int) -> str:
        """Return why a card never lands elsewhere, as a sentence without its stop."""
        why = self.chain[Fact(LAND, card)]
        name = card_text(card)
        if why.how == "face-down":
            self.later(Fact(OPEN, card))
            return f"{name} is face down and never uncovered"
        if why.how == "wait":
            first, on = why.cards
            source = self.source(PAIR, tuple(sorted((card, first))), first)
            both = listed(self.setting.parents[card])
            for need in why.needs:
                self.later(need)
            return (
                f"{name} lands after {card_text(first)}{source}: until {card_text(first)} is up "
                f"it needs both {both} uncovered, and {card_text(on)} never is"
            )
        hosts = [need for need in why.needs if need.kind == HOST]
        spaces = [need for need in why.needs if need.kind != HOST]
        for need in spaces:
            self.later(need)
        places = [self.host_text(fact) for fact in hosts]
        if spaces and spaces[0].card == 2:
            king = card_text(spaces[1].card)
            places.append(f"in a second empty column while {king} is not up{self.kings_source()}")
        elif spaces:
            places.append("in an empty column (there never is one)")
        if not places:
            return f"{name} lies on the table and can land nowhere else"
        return f"{name} could land only {' or '.join(places)}"

    def host_text(self, fact: Fact) -> str:
        """Return a host and, in brackets, why the card never lands there."""
        self.told.add(fact)
        why = self.chain[fact]
        host = why.cards[0]
        if why.how == "lies":
            what = "where it lies"
        elif why.how == "founded":
            what = "already up"
        elif why.how == "struck":
            label = self.sources.get(Answer(Question(LANDING, (fact.card, host)), NEVER), ASSUMED)
            what = f"never, {label}"
        elif why.how == "covered":
            what = self.where(host, fact.card).removeprefix("which is ")
        else:
            for need in why.needs:
                self.later(need)
            what = f"which lies on top of {card_text(fact.card)} and never gets off it"
        return f"on {card_text(host)} ({what})"

    def source(self, kind: str, cards: tuple[int, ...], choice: int) -> str:
        """Return where a condition comes from, in brackets, with a blank before."""
        label = self.sources.get(Answer(Question(kind, cards), choice), "")
        return f" ({label})" if label else ""

    def kings_source(self) -> str:
        """Return where the condition on the kings comes from."""
        labels = [label for answer, label in self.sources.items() if answer.question.kind == KING]
        return f" ({labels[0]})" if labels else ""
