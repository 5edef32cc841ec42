"""``yukonsolve verify``: replay a move list by the rule book."""

from __future__ import annotations

import json
from typing import Any

import click

from yukonsolve.cli.common import (
    BAD_INPUT,
    FAILED,
    fail,
    read_one,
    read_text,
    rule_options,
    rules_from,
)


@click.command()
@rule_options
@click.argument("deal", metavar="DEAL")
@click.argument("moves", metavar="[MOVES-FILE|-]", default="-")
def verify(deal: str, moves: str, **options: Any) -> None:
    """Replay a move list and name the first illegal step.

    The list holds tokens CARD:FROM>TO separated by blanks or line ends (# starts a comment), or is
    what `solve --json` prints. It is read from standard input unless a file is named.

    Exit status: 0 legal and won, 1 illegal or not won, 2 bad input.

    \b
    Example:
      yukonsolve solve yukon native:7 --json | yukonsolve verify yukon native:7 -
    """
    from yukonsolve import rulebook

    rules = rules_from(options)
    if deal == moves == "-":
        raise click.UsageError("DEAL and MOVES-FILE cannot both come from standard input")
    named = read_one(deal, rules)
    tokens = _tokens(*read_text(moves))
    try:
        final = rulebook.replay(named.deal, rules, tokens)
    except rulebook.IllegalMove as error:
        fail(FAILED, f"illegal: {error}")
    if not rulebook.is_won(final, rules):
        up = sum(final.foundations)
        fail(FAILED, f"legal, but not won: {up} of {rules.n_cards} cards up")
    click.echo(f"legal and won: {rulebook.describe_line(tokens, rules)}")


def _tokens(text: str, source: str) -> list[str]:
    """Return the move tokens of a text, or end the command if it is no move list."""
    if text.lstrip()[:1] in ("{", "["):
        tokens = _json_tokens(text, source)
    else:
        tokens = [word for line in text.splitlines() for word in line.partition("#")[0].split()]
    if not tokens:
        fail(BAD_INPUT, f"{source}: no moves")
    for step, token in enumerate(tokens, 1):
        problem = _problem(token)
        if problem:
            # What begins so is no list of moves at all, and often the answer for people.
            hint = "; `solve --json` prints what verify reads" if step == 1 else ""
            fail(BAD_INPUT, f"{source}: step {step}, {token!r} is no move: {problem}{hint}")
    return tokens


def _json_tokens(text: str, source: str) -> list[str]:
    try:
        found = json.loads(text)
    except ValueError as error:
        if len(text.split("\n")) > 2 and text.lstrip()[0] == "{":
            fail(BAD_INPUT, f"{source}: more than one JSON line; give one move list")
        fail(BAD_INPUT, f"{source}: broken JSON: {error}")
    if isinstance(found, dict):
        found = found.get("moves")
        if found is None:
            fail(BAD_INPUT, f"{source}: the JSON line has no moves")
    if not isinstance(found, list) or not all(isinstance(token, str) for token in found):
        fail(BAD_INPUT, f"{source}: the moves are no list of tokens")
    return found


def _problem(token: str) -> str:
    from yukonsolve import rulebook

    try:
        rulebook.parse_move(token)
    except ValueError as error:
        return str(error)
    return ""
