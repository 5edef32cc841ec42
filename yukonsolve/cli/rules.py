"""``yukonsolve rules``: the presets and the options that change them."""

from __future__ import annotations

import click

from yukonsolve.rules import PRESETS

OPTIONS = """\
Options that change a preset, for every command that takes RULES:
  --spaces kings|any      who may fill an empty column
  --worrying-back         foundation cards may return to the columns
  --no-worrying-back      they may not
  --build alternate|suit  Klondike only: build in alternate colours or in suit
  --draw N                Klondike only: cards drawn from the stock at a time
  --passes N|unlimited    Klondike only: runs through the stock"""


@click.command()
def rules() -> None:
    """List the rule sets and the options that change them.

    \b
    Example:
      yukonsolve rules
    """
    width = max(map(len, PRESETS))
    for name, preset in PRESETS.items():
        click.echo(f"{name:<{width}}  {preset.describe()}")
    click.echo()
    click.echo(OPTIONS)
