"""Why a deal cannot be won, in a player's words, as far as there are short words for it.

Tried in this order: cards that can never move or go up; questions that play cannot answer; the
same with further questions inside; first moves that each run into one of these. What none of them
settles was settled by the search alone, and that is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from yukonsolve.cards import card_text
from yukonsolve.chains import Chain, shortest_chain
from yukonsolve.deal import Deal
from yukonsolve.position import Position, parse_move, start
from yukonsolve.reasons import Answer, Setting, relax
from yukonsolve.refutation import Step, refute
from yukonsolve.rules import Rules
from yukonsolve.shallow import KernelProbes, Line, MoveTree, at_rest
from yukonsolve.verdict import Reason, Result, Verdict
from yukonsolve.wording import (
    ASSUMED,
    MAX_LINES,
    assumption_text,
    conclusion_text,
    listed,
    question_text,
    tell,
)

MOVES_DEPTH = 3
MOVES_POSITIONS = 10
MOVES_LINES = 40
"""Bounds of a proof by first moves: moves deep, positions gone into, lines."""
STEP_LINES = 12
"""Most lines to a chain of reasons under an answer."""
QUICK = 30
"""Attempts at a short chain when proofs are only compared."""

_LIMITS = {
    Reason.NODES: "the node limit was reached",
    Reason.TIME: "the time limit was reached",
    Reason.MEMORY: "the memory limit was reached",
}


@dataclass(frozen=True)
class Proof:
    """A chain of reasons, with what it is about."""

    position: Position
    answers: tuple[Answer, ...]
    chain: Chain


@dataclass(frozen=True)
class Explanation:
    """What there is to say about a deal.

    Parameters
    ----------
    kind : str
        ``solvable``, ``undecided``; for unsolvable deals ``blocked`` (cards that never move),
        ``questions``, ``nested-questions``, ``first-moves`` or ``search`` (no short reason).
    lines : tuple of str
        The words, a line each.
    proofs : tuple of Proof
        The chains of reasons the words tell, for checking.
    """

    kind: str
    lines: tuple[str, ...]
    proofs: tuple[Proof, ...] = ()


def explain(deal: Deal, rules: Rules, result: Result, full: bool = False) -> Explanation:
    """Say why a deal has the verdict it has.

    Parameters
    ----------
    deal : Deal
    rules : Rules
        A Yukon-family rule set.
    result : Result
        What the solver found.
    full : bool
        Tell chains of reasons to their end, however long.

    Examples
    --------
    >>> from yukonsolve.deal import deal_from_deck
    >>> from yukonsolve.numbering import deck_of_number
    >>> from yukonsolve.rules import preset
    >>> from yukonsolve.solver import Solver
    >>> rules = preset("russian")
    >>> deal = deal_from_deck(deck_of_number("pysolfc", 57, rules), rules)
    >>> print(explain(deal, rules, Solver(rules).solve(deal)).kind)
    blocked
    """
    if rules.family != "yukon":
        raise ValueError("only Yukon and Russian deals can be explained")
    if result.verdict is Verdict.SOLVABLE:
        moves = len(result.moves or ())
        return Explanation("solvable", (f"It can be won: `solve` prints the {moves} moves.",))
    if result.verdict is Verdict.UNDECIDED:
        limit = _LIMITS.get(result.reason, "it was interrupted")
        return Explanation("undecided", (f"Nothing is known: the search stopped, for {limit}.",))
    first = start(deal, rules)
    rested, played = at_rest(first, rules)
    views: list[tuple[Position, list[str]]] = [(first, [])]
    if played:
        opening = f"{listed(played)} can go up at once, and lose nothing by it; after that:"
        views.append((rested, [opening]))
    for position, opening_lines in views:
        found = _blocked(Setting(position, rules), None if full else MAX_LINES)
        if found:
            return _headed(found, opening_lines)
    for position, opening_lines in views:
        found = _asked(Setting(position, rules), None if full else STEP_LINES)
        if found:
            return _headed(found, opening_lines)
    judge = KernelProbes(rules)
    opening_lines = views[-1][1]
    found = _asked_nested(Setting(rested, rules), judge) or _first_moves(rested, rules, judge)
    if found:
        return _headed(found, opening_lines)
    return Explanation(
        "search",
        (
            "No short reason is known: every line was searched or refuted, and the search was "
            f"exhausted after {result.nodes:,} states.",
        ),
    )


def _headed(found: Explanation, opening: Sequence[str]) -> Explanation:
    return Explanation(found.kind, (*opening, *found.lines), found.proofs)


def _blocked(setting: Setting, max_lines: int | None) -> Explanation | None:
    end = relax(setting)
    if not end.dead:
        return None
    chain = shortest_chain(end)
    lines = tell(chain, setting, max_lines=max_lines)
    return Explanation("blocked", tuple(lines), (Proof(setting.position, (), chain),))


def _asked(setting: Setting, max_lines: int | None) -> Explanation | None:
    """Explain by questions, each answer with its own chain of reasons."""

    def weigh(step: Step) -> int:
        ends = [(*step.given, answer) for answer in step.refuted]
        return sum(len(shortest_chain(relax(setting, end), QUICK)) for end in ends)

    steps = refute(
        setting,
        relax(setting).single,
        lambda answers: relax(setting, answers).dead,
        weigh=weigh,
    )
    if steps is None:
        return None
    lines: list[str] = []
    proofs: list[Proof] = []
    labels: dict[Answer, str] = {}

    def chain_lines(answers: tuple[Answer, ...], assumed: Answer | None) -> list[str]:
        chain = shortest_chain(relax(setting, answers))
        proofs.append(Proof(setting.position, answers, chain))
        sources = labels if assumed is None else {**labels, assumed: ASSUMED}
        return ["   " + line for line in tell(chain, setting, sources, max_lines)]

    for number, step in enumerate(steps, 1):
        if step.question is None:
            lines.append(f"{number}. Now there is no way left.")
            lines += chain_lines(step.given, None)
            continue
        lines.append(f"{number}. {question_text(step.question, setting)}")
        for answer in step.refuted:
            lines.append(f"   {assumption_text(answer, setting)}:")
            lines += ["  " + line for line in chain_lines((*step.given, answer), answer)]
        lines.append("   " + _end_of(step))
        if step.forced is not None:
            labels[step.forced] = f"by {number}"
    return Explanation("questions", tuple(lines), tuple(proofs))


def _end_of(step: Step) -> str:
    if step.forced is not None:
        return conclusion_text(step.forced)
    return "No answer is left, so the deal is lost."


def _asked_nested(setting: Setting, judge: KernelProbes) -> Explanation | None:
    """Give the outer questions; what is under them stays with the program."""
    if not judge.refutes(setting.position, nested=True):
        return None
    judge.load(setting.position)
    steps = refute(
        setting,
        relax(setting).single,
        lambda answers: judge.refutes_under(setting, answers),
    )
    lines = ["Questions that play must answer leave no way, but only with more questions inside:"]
    if steps is None:
        lines.append("the program went through all of them; no short list was found.")
        return Explanation("nested-questions", tuple(lines))
    for number, step in enumerate(steps, 1):
        if step.question is None:
            lines.append(f"{number}. Now there is no way left.")
            continue
        lines.append(f"{number}. {question_text(step.question, setting)}")
        lines += [
            f"   {assumption_text(answer, setting)}: the deal is lost." for answer in step.refuted
        ]
        lines.append("   " + _end_of(step))
    lines.append("Each 'lost' above rests on questions inside it, which the program checked.")
    return Explanation("nested-questions", tuple(lines))


def _first_moves(position: Position, rules: Rules, judge: KernelProbes) -> Explanation | None:
    """List every first move with why it loses, if the list is short."""
    for depth in range(1, MOVES_DEPTH + 1):
        found = MoveTree(judge, MOVES_POSITIONS).grow(position, depth)
        if found:
            break
    else:
        return None
    proofs: list[Proof] = []
    count = f"each of the {len(found)} first moves" if len(found) > 1 else "the only first move"
    lines = [f"No card is stuck from the start, but {count} loses:"]
    lines += _move_lines(found, position, rules, proofs, "  ")
    if len(lines) > MOVES_LINES:
        return None
    return Explanation("first-moves", tuple(lines), tuple(proofs))


def _move_lines(
    found: Sequence[Line], before: Position, rules: Rules, proofs: list[Proof], margin: str
) -> list[str]:
    """Tell moves and their reasons; moves that lose for one reason share a line."""
    lines: list[str] = []
    groups: dict[str, list[str]] = {}
    for line in found:
        what = " and then ".join(move_text(token, before) for token in line.tokens)
        if line.again:
            groups.setdefault("leads to a position of this list.", []).append(what)
        elif line.replies:
            n = len(line.replies)
            count = f"each of the {n} moves" if n > 1 else "the only move"
            lines.append(f"{margin}{what}: then {count} that can follow loses:")
            lines += _move_lines(line.replies, line.after, rules, proofs, margin + "  ")
        else:
            reason = _short_reason(Setting(line.after, rules), proofs)
            groups.setdefault(reason, []).append(what)
    for reason, moves in groups.items():
        lines.append(f"{margin}{'; '.join(moves)}: {reason}")
    return lines


def _short_reason(setting: Setting, proofs: list[Proof]) -> str:
    """Return why a position is lost, in one line."""
    end = relax(setting)
    if end.dead:
        chain = shortest_chain(end, QUICK)
        proofs.append(Proof(setting.position, (), chain))
        opening, *rest = tell(chain, setting)
        more = f" ({len(rest)} more cards are stuck with it)" if rest else ""
        return opening + more
    steps = refute(setting, end.single, lambda answers: relax(setting, answers).dead)
    if steps is None:
        return "lost by questions inside questions, which the program checked."
    last = steps[-1].question
    if last is None:
        return "questions with one answer each leave no way."
    text = question_text(last, setting)
    earlier = f" (after {len(steps) - 1} more with one answer each)" if len(steps) > 1 else ""
    return f"a question without an answer{earlier}: {text}"


def move_text(token: str, before: Position) -> str:
    """Return a move in words.

    Examples
    --------
    >>> move_text("2C:1>2", Position(((4,), (9,)), (0, 0), (0, 0, 0, 0)))
    '2C onto 3D'
    """
    move = parse_move(token)
    name = card_text(move.card)
    if not move.target.isdigit():
        return f"{name} up"
    column = before.columns[int(move.target) - 1]
    return f"{name} onto {card_text(column[-1])}" if column else f"{name} to an empty column"
