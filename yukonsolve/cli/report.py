"""``yukonsolve report``: what a results folder says."""

from __future__ import annotations

import json
from pathlib import Path

import click

from yukonsolve.cli.common import BAD_INPUT, fail


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def report(folder: Path, as_json: bool) -> None:
    """Report the win rate of a results folder, finished or not.

    The interval is the 95 % Wilson interval; its low end counts every undecided deal as lost, its
    high end as won. Percentages are rounded outward.

    \b
    Example:
      yukonsolve report results/russian
    """
    from yukonsolve.disk import StoreError
    from yukonsolve.report import report_text, summarize

    try:
        summary = summarize(folder)
    except StoreError as error:
        fail(BAD_INPUT, str(error))
    click.echo(json.dumps(summary) if as_json else report_text(summary))
