"""``yukonsolve export``: the rows of results folders as text."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from yukonsolve.cli.common import BAD_INPUT, FAILED, fail


@click.command()
@click.argument(
    "folders", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "jsonl"]),
    default="csv",
    show_default=True,
    help="CSV with a header line, or one JSON object a line.",
)
@click.option(
    "--only",
    type=click.Choice(["solvable", "unsolvable", "undecided"]),
    help="Only the deals with this verdict.",
)
@click.option("--numbers", is_flag=True, help="Only the deal numbers, one a line.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write to a file, which appears when it is whole. [default: standard output]",
)
def export(
    folders: tuple[Path, ...], form: str, only: str | None, numbers: bool, output: Path | None
) -> None:
    """Write the rows of one or more results folders, finished or not, as text.

    Rows come in the order of the folders and, within one, of the numbers. What --numbers writes
    can be read by batch --seeds-file.

    \b
    Example:
      yukonsolve export results/yukon --format jsonl -o yukon.jsonl
      yukonsolve export results/yukon --only solvable --numbers
    """
    from yukonsolve.disk import StoreError
    from yukonsolve.export import export as write

    try:
        if output is None:
            write(folders, sys.stdout, form, only, numbers)
            sys.stdout.flush()  # while a full disk can still be told
            return
        temporary = output.with_name(output.name + ".tmp")
        try:
            with temporary.open("w", encoding="utf-8", newline="") as file:
                rows = write(folders, file, form, only, numbers)
            temporary.replace(output)
        finally:
            temporary.unlink(missing_ok=True)
        click.echo(f"{rows:,} rows written to {output}", err=True)
    except StoreError as error:
        fail(BAD_INPUT, str(error))
    except BrokenPipeError:
        raise
    except OSError as error:
        fail(FAILED, f"{output or 'standard output'}: {error.strerror or error}")
