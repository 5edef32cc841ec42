"""``yukonsolve merge``: one results folder from several that split a run."""

from __future__ import annotations

from pathlib import Path

import click

from yukonsolve.cli.common import BAD_INPUT, FAILED, INTERRUPTED, fail, run_facts
from yukonsolve.cli.interrupts import Interrupts
from yukonsolve.cli.report import print_report

_SHOWN = 100


@click.command()
@click.argument(
    "folders", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    metavar="DIR",
    help="The new results folder; an unfinished merge is continued.",
)
def merge(folders: tuple[Path, ...], out: Path) -> None:
    """Put finished results folders that split a run into one.

    Rules, numbering, limits and solver must be the same in all. Where folders overlap they must
    agree: contradictions are named and nothing is written. Where one of them is undecided the
    other's answer is taken.

    Exit status: 0 merged, 1 contradictions or an error, 2 folders that do not belong together, 130
    interrupted.

    \b
    Example:
      yukonsolve merge results/a results/b --out results/yukon
    """
    from yukonsolve.disk import StoreError
    from yukonsolve.merge import Merge
    from yukonsolve.provenance import utc_now
    from yukonsolve.store import Store

    if out.resolve() in {folder.resolve() for folder in folders}:
        raise click.UsageError("--out must be another folder than those to be merged")
    try:
        merged = Merge(list(folders))
        contradictions = merged.check()
        if contradictions:
            more = len(contradictions) - _SHOWN
            lines = contradictions[:_SHOWN] + ([f"and {more:,} more"] if more > 0 else [])
            fail(FAILED, f"{len(contradictions):,} contradictions, nothing is written", *lines)
        if merged.overlapping:
            click.echo(f"{merged.overlapping:,} deals in two folders, no contradiction", err=True)
        if not merged.numbers.is_range:
            click.echo("note: the numbers have gaps", err=True)
        with Interrupts() as interrupts:
            store = Store(
                out,
                merged.identity,
                merged.numbers,
                run_facts() | {"merged_from": merged.sources()},
                merged.keep_moves,
                merged.part_rows,
            )
            with store:
                for rows in merged.pieces():
                    if interrupts.seen:
                        click.echo("interrupted: the same command goes on from here", err=True)
                        raise SystemExit(INTERRUPTED)
                    store.add(rows)
                store.close(utc_now())
    except StoreError as error:
        fail(BAD_INPUT, str(error))
    except OSError as error:
        fail(FAILED, str(error))
    print_report(out)
