"""``yukonsolve explain``: why a deal cannot be won, in a player's words."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import click

from yukonsolve.cli.common import (
    BAD_INPUT,
    INTERRUPTED,
    fail,
    limit_options,
    limits_from,
    read_one,
    ready_solver,
    rule_options,
    rules_from,
)
from yukonsolve.cli.interrupts import Interrupts, leave
from yukonsolve.cli.solve import EXIT_STATUS


@click.command()
@rule_options
@click.argument("deal", metavar="DEAL")
@limit_options
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object, with every reason to its end."
)
def explain(deal: str, as_json: bool, **options: Any) -> None:
    """Say why a Yukon or Russian deal cannot be won.

    The deal is solved first. Reasons are looked for in this order: cards that can never move or go
    up, questions that play cannot answer, first moves that all lose. Where only the search itself
    knows, it says so.

    Exit status: 0 solvable, 10 unsolvable, 20 undecided, 1 error, 2 usage or bad input, 130
    interrupted.

    \b
    Example:
      yukonsolve explain russian native:1
    """
    from yukonsolve.deal import deck_text
    from yukonsolve.explain import explain as explained

    rules = rules_from(options)
    limits = limits_from(options)
    if rules.family != "yukon":
        fail(BAD_INPUT, f"explain knows Yukon and Russian deals only, not {rules.name}")
    named = read_one(deal, rules)
    solver = ready_solver(rules, limits)
    with Interrupts() as interrupts:
        result = solver.solve(named.deal, interrupts)
        if interrupts.seen:
            click.echo("interrupted", err=True)
            leave(INTERRUPTED)
        found = explained(named.deal, rules, result, full=as_json)
    if as_json:
        row = {
            "rules": asdict(rules),
            "deal": named.name,
            "deck": None if named.deck is None else deck_text(named.deck),
            "verdict": result.verdict.value,
            "reason": result.reason.value,
            "nodes": result.nodes,
            "kind": found.kind,
            "lines": found.lines,
        }
        click.echo(json.dumps(row, separators=(",", ":")))
    else:
        words = f"{rules.name}: {rules.describe()}"
        click.echo(f"{result.verdict.value}: {named.name} ({words})")
        for line in found.lines:
            click.echo(line)
    raise SystemExit(EXIT_STATUS[result.verdict])
