"""Ask questions until a position is refuted, and keep only the steps that it takes.

The questions are those of `yukonsolve.reasons`; how dead a position is under some answers is for
the caller to say, so the same search finds proofs by plain questions and by questions inside
questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from yukonsolve.reasons import (
    KINDS,
    KING,
    LANDING,
    PAIR,
    Answer,
    Conditions,
    Question,
    Setting,
    twin,
)


def questions(
    setting: Setting, about: set[int], answers: Sequence[Answer], kinds: Sequence[str] = KINDS
) -> Iterator[Question]:
    """Yield the questions about some cards that are worth asking and not settled by the answers.

    Examples
    --------
    >>> from yukonsolve.position import Position
    >>> from yukonsolve.rules import preset
    >>> rules = preset("yukon", n_ranks=2, n_columns=2, face_down=(0, 0), face_up=(4, 4))
    >>> setting = Setting(Position(((1, 4, 3, 0), (6, 7, 5, 2)), (0, 0), (0, 0, 0, 0)), rules)
    >>> [question.cards for question in questions(setting, {0}, ())]
    [(0, 3), (0, 5), (0, 6), (4, 5, 7)]
    """
    given = Conditions.of(answers)
    rules = setting.rules
    back = rules.worrying_back
    if PAIR in kinds and rules.build == "alternate":
        for card in sorted(setting.tableau):
            pair = {card, twin(card)}
            worth = pair <= setting.tableau and bool(pair & about)
            if card < twin(card) and worth and not pair & given.wait:
                yield Question(PAIR, (card, twin(card)))
    if LANDING in kinds and not back:
        for card in sorted(about & setting.tableau):
            for host in setting.parents[card]:
                known = (card, host) in given.struck or card in given.hold.get(host, ())
                if host in setting.tableau and not known:
                    yield Question(LANDING, (card, host))
    kings = setting.kings & setting.tableau - setting.bases
    # A king that may come back from its foundation could be first: no question then.
    may_return = back and bool(setting.kings & setting.founded)
    settled = bool(given.kings_wait) or may_return
    if KING in kinds and setting.spaces < 2 and len(kings) > 1 and not settled:
        yield Question(KING, tuple(sorted(kings)))


class Step(NamedTuple):
    """A question that has at most one answer left.

    Parameters
    ----------
    question : Question or None
        ``None``: the answers in force are enough by themselves.
    given : tuple of Answer
        The earlier forced answers it leans on.
    refuted : tuple of Answer
        The answers that kill the position.
    forced : Answer or None
        The one left; ``None`` where none is: the position is lost.
    """

    question: Question | None
    given: tuple[Answer, ...]
    refuted: tuple[Answer, ...]
    forced: Answer | None


Refutes = Callable[[Sequence[Answer]], bool]


def refute(
    setting: Setting,
    about: set[int],
    refutes: Refutes,
    kinds: Sequence[str] = KINDS,
    weigh: Callable[[Step], int] = lambda step: 1,
) -> list[Step] | None:
    """Ask questions, in layers, until the position is refuted; return the steps that it takes.

    Parameters
    ----------
    setting : Setting
    about : set of int
        The cards to ask about: ``relax(setting).single``.
    refutes : callable
        Whether the position is dead under some answers.
    kinds : sequence of str
    weigh : callable, optional
        How long a step is to tell; of several proofs the shortest is given.

    Returns
    -------
    list of Step or None
        Forced answers in order and then the contradiction, nothing in it that is not needed;
        ``None`` when the questions do not refute the position.

    Examples
    --------
    >>> from yukonsolve.position import Position
    >>> from yukonsolve.rules import preset
    >>> from yukonsolve.reasons import relax
    >>> rules = preset("yukon", n_ranks=1, n_columns=1, face_down=(0,), face_up=(4,))
    >>> setting = Setting(Position(((0, 1, 2, 3),), (0,), (0, 0, 0, 0)), rules)
    >>> refute(setting, set(), lambda answers: relax(setting, answers).dead) is None
    True
    """
    answers: list[Answer] = []
    steps: list[Step] = []
    while True:
        if refutes(answers):
            return _needed(steps, Step(None, tuple(answers), (), None), refutes)
        layer = []
        final = []
        for question in questions(setting, about, answers, kinds):
            options = [Answer(question, choice) for choice in question.choices]
            alive = [option for option in options if not refutes([*answers, option])]
            refuted = tuple(option for option in options if option not in alive)
            if not alive:
                final.append(Step(question, tuple(answers), refuted, None))
            elif len(alive) == 1:
                layer.append(Step(question, tuple(answers), refuted, alive[0]))
        if final:
            proofs = [_needed(steps, step, refutes) for step in final]
            fewest = min(map(len, proofs))
            proofs = [proof for proof in proofs if len(proof) == fewest]
            return min(proofs, key=lambda proof: sum(map(weigh, proof)))
        if not layer:
            return None
        steps += layer
        answers += [step.forced for step in layer if step.forced is not None]


def _needed(steps: list[Step], final: Step, refutes: Refutes) -> list[Step]:
    """Return the steps that the last one leans on, each leaning on as few as possible."""
    wanted: set[Answer] = set()
    kept = []
    for step in (final, *reversed(steps)):
        if step is final or step.forced in wanted:
            slim = _slimmed(step, wanted, refutes)
            wanted |= set(slim.given)
            kept.append(slim)
    return kept[::-1]


def _slimmed(step: Step, wanted: set[Answer], refutes: Refutes) -> Step:
    """Drop the given answers that a step can do without, those needed anyway last."""
    given = list(step.given)
    for answer in sorted(step.given, key=lambda answer: answer in wanted):
        fewer = [other for other in given if other != answer]
        ends = [[*fewer, option] for option in step.refuted] or [fewer]
        if all(refutes(end) for end in ends):
            given = fewer
    return step._replace(given=tuple(given))
