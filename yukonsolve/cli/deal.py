"""``yukonsolve deal``: print a deal in a form that other commands and programs read."""

from __future__ import annotations

from typing import Any

import click

from yukonsolve.cli.common import BAD_INPUT, fail, read_one, rule_options, rules_from


@click.command()
@rule_options
@click.argument("deal", metavar="DEAL")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "deck", "solvitaire"]),
    default="text",
    show_default=True,
    help="A board, a column a line, face-down cards in <>; a deck string; Solvitaire's JSON.",
)
def deal(deal: str, form: str, **options: Any) -> None:
    """Print the board of a deal.

    \b
    Example:
      yukonsolve deal yukon native:7
      yukonsolve deal yukon native:7 | yukonsolve solve yukon -
    """
    from yukonsolve import formats
    from yukonsolve.deal import deck_text

    rules = rules_from(options)
    named = read_one(deal, rules)
    if form == "text":
        click.echo(formats.board_text(named.deal, rules).rstrip("\n"))
    elif form == "solvitaire":
        click.echo(formats.solvitaire_json(named.deal, rules))
    elif named.deck is None:
        fail(BAD_INPUT, f"{named.name}: not a fresh deal, so it has no deck string")
    else:
        click.echo(deck_text(named.deck))
