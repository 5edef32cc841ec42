"""``yukonsolve solve``: a verdict for one deal, or a row for each of many."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from yukonsolve.cards import card_text
from yukonsolve.cli.common import (
    BAD_INPUT,
    INTERRUPTED,
    fail,
    limit_options,
    limits_from,
    read_board,
    read_many,
    read_one,
    ready_solver,
    rule_options,
    rules_from,
)
from yukonsolve.cli.interrupts import Interrupts, leave
from yukonsolve.cli.movetext import move_lines
from yukonsolve.numbering import exact_number_of
from yukonsolve.rules import Rules
from yukonsolve.rulesets import json_rules
from yukonsolve.verdict import Reason, Result, Verdict

if TYPE_CHECKING:
    from yukonsolve.formats import NamedDeal
    from yukonsolve.solver import Solver

EXIT_STATUS = {Verdict.SOLVABLE: 0, Verdict.UNSOLVABLE: 10, Verdict.UNDECIDED: 20}
REASONS = {
    Reason.REPLAYED: "the moves below were replayed by the rule book",
    Reason.EXHAUSTED: "every line was searched or refuted",
    Reason.DEAD_AT_ROOT: "dead before the first move",
    Reason.NODES: "the node limit was reached",
    Reason.TIME: "the time limit was reached",
    Reason.MEMORY: "the memory limit was reached",
    Reason.INTERRUPTED: "interrupted",
    Reason.ERROR: "error",
}
HEARTBEAT_S = 5.0
FLUSH_S = 0.1
_encode = json.JSONEncoder(separators=(",", ":")).encode


@click.command()
@rule_options
@click.argument("deal", metavar="[DEAL]", required=False)
@click.option("--deals", metavar="FILE", help="Read deals from a file (-: standard input).")
@click.option(
    "--board", metavar="FILE", help="Read one text board from a file (-: standard input)."
)
@limit_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line for each deal.")
def solve(
    deal: str | None, deals: str | None, board: str | None, as_json: bool, **options: Any
) -> None:
    """Decide whether deals can be won; print the moves of a win.

    A file of deals has one a line: a deck string or a number with its numbering. Every deal is
    checked before any is searched.

    Exit status for one deal: 0 solvable, 10 unsolvable, 20 undecided. For several: 0 when every
    deal got its row. Always: 1 error, 2 usage or bad input, 130 interrupted.

    \b
    Example:
      yukonsolve solve yukon native:7
      yukonsolve solve russian --deals deals.txt --json
    """
    rules = rules_from(options)
    limits = limits_from(options)
    if sum(source is not None for source in (deal, deals, board)) != 1:
        raise click.UsageError("give exactly one of DEAL, --deals FILE and --board FILE")
    named = _read(deal, deals, board, rules)
    solver = ready_solver(rules, limits)
    with Interrupts() as interrupts:
        if as_json:
            status = _print_rows(named, solver, interrupts, _json_writer(rules))
        elif len(named) > 1:
            click.echo(f"# {rules.name}: {rules.describe()}")
            status = _print_rows(named, solver, interrupts, _short_line)
        else:
            status = _print_answer(named[0], rules, solver, interrupts)
    if interrupts.seen:
        leave(status)
    raise SystemExit(status)


def _read(deal: str | None, deals: str | None, board: str | None, rules: Rules) -> list[NamedDeal]:
    if deals is not None:
        return read_many(deals, rules)
    if deal is not None:
        return [read_one(deal, rules)] if deal != "-" else read_many("-", rules)
    assert board is not None
    return [read_board(board, rules)]


# Several deals, or one as JSON: a line each. This path adds microseconds to a deal, because easy
# deals take no more than that themselves.

_Line = Callable[["NamedDeal", Result], str]


def _solve(item: NamedDeal, solver: Solver, should_stop: Callable[[], bool]) -> Result:
    try:
        return solver.solve(item.deal, should_stop)
    except ValueError as error:  # no position of a game: a stock far above 24 cards
        fail(BAD_INPUT, f"{item.name}: {error}")


def _print_rows(named: list[NamedDeal], solver: Solver, interrupts: Interrupts, line: _Line) -> int:
    output = _Output(interrupts)
    verdict = Verdict.UNDECIDED
    done = 0
    for item in named:
        result = _solve(item, solver, output.should_stop)
        output.write(line(item, result))
        verdict = result.verdict
        done += 1
        if interrupts.seen:
            break
    output.flush()
    if interrupts.seen:
        click.echo(f"interrupted: {done} of {len(named)} deals have a row", err=True)
        return INTERRUPTED
    return EXIT_STATUS[verdict] if len(named) == 1 else 0


class _Output:
    """Standard output, flushed ten times a second even while one deal takes long."""

    def __init__(self, interrupts: Interrupts) -> None:
        self._interrupts = interrupts
        self._write = sys.stdout.write
        self.flush = sys.stdout.flush
        self._due = 0.0

    def write(self, line: str) -> None:
        self._write(line)
        self._flush_if_due()

    def should_stop(self) -> bool:
        self._flush_if_due()
        return self._interrupts.seen

    def _flush_if_due(self) -> None:
        now = time.monotonic()
        if now >= self._due:
            self.flush()
            self._due = now + FLUSH_S


def _json_writer(rules: Rules) -> _Line:
    head = f'{{"rules":{_encode(json_rules(rules))},"deal":'
    card_names = [card_text(card) for card in range(rules.n_cards)]

    def line(item: NamedDeal, result: Result) -> str:
        deck = exact = "null"
        if item.deck is not None:
            deck = '"' + "".join([card_names[card] for card in item.deck]) + '"'
            number = exact_number_of(item.deck, rules)
            if number is not None:
                exact = f'"{number}"'  # a string: most readers of JSON would round it
        moves = "null" if result.moves is None else _encode(result.moves)
        return (
            f'{head}{_encode(item.name)},"deck":{deck},"exact":{exact},'
            f'"verdict":"{result.verdict.value}",'
            f'"reason":"{result.reason.value}","nodes":{result.nodes},'
            f'"seconds":{result.seconds:.6f},"moves":{moves}}}\n'
        )

    return line


def _short_line(item: NamedDeal, result: Result) -> str:
    why = f"{len(result.moves)} moves" if result.moves is not None else result.reason.value
    return (
        f"{item.name}  {result.verdict.value}  {why}  "
        f"{result.nodes} nodes  {result.seconds:.3f} s\n"
    )


# One deal for people.


def _print_answer(item: NamedDeal, rules: Rules, solver: Solver, interrupts: Interrupts) -> int:
    result = _solve(item, solver, _Heartbeat(interrupts, solver))
    words = f"{rules.name}: {rules.describe()}"
    click.echo(f"{result.verdict.value}: {item.name} ({words})")
    sys.stdout.flush()
    click.echo(f"{REASONS[result.reason]}")
    if result.moves:
        click.echo("\n".join(move_lines(item.deal, result.moves)))
    counts = f"{result.nodes:,} nodes, {result.seconds:.3f} s"
    if result.moves is not None:
        from yukonsolve.rulebook import describe_line

        counts = f"{describe_line(result.moves, rules)}, {counts}"
    click.echo(counts)
    return INTERRUPTED if interrupts.seen else EXIT_STATUS[result.verdict]


@dataclass
class _Heartbeat:
    """Polled during a search; says on a terminal that the search is alive."""

    interrupts: Interrupts
    solver: Solver

    def __post_init__(self) -> None:
        self._begun = time.monotonic()
        self._due = self._begun + HEARTBEAT_S
        self._shown = sys.stderr.isatty()

    def __call__(self) -> bool:
        now = time.monotonic()
        if self._shown and now >= self._due:
            self._due = now + HEARTBEAT_S
            limit = self.solver.limits.timeout_s
            of = "" if limit is None else f" of {limit:g}"
            click.echo(f"searching: {now - self._begun:.0f}{of} s", err=True)
        return self.interrupts.seen
