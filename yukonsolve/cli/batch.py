"""``yukonsolve batch``: solve a range of deals into a results folder."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from yukonsolve.cli.common import (
    BAD_INPUT,
    FAILED,
    INTERRUPTED,
    fail,
    limit_options,
    limits_from,
    ready_solver,
    rule_options,
    rules_from,
)
from yukonsolve.cli.interrupts import Interrupts
from yukonsolve.cli.progress import Progress
from yukonsolve.numbering import NUMBERINGS, deck_of_number
from yukonsolve.rules import Rules
from yukonsolve.verdict import Limits

if TYPE_CHECKING:
    from yukonsolve.store import Store

LAST_NUMBER = 2**64 - 1  # the number column is an unsigned 64-bit integer
LONG_DEAL_S = 30.0
PROCESS_BYTES = 200 * 2**20
"""What a worker takes besides its table: Python, numba, the kernels."""


def _seeds(ctx: click.Context, param: click.Parameter, value: str) -> range:
    match = re.fullmatch(r"(\d{1,30})(?:-(\d{1,30}))?", value.strip(), re.ASCII)
    if match is None:
        raise click.BadParameter(f"{value!r} is no range; write 1-1000", ctx, param)
    first, last = int(match[1]), int(match[2] or match[1])
    if last < first:
        raise click.BadParameter(f"{value!r} runs backwards", ctx, param)
    if last - first >= 2**40:
        raise click.BadParameter(f"{value!r} is more than one folder can hold", ctx, param)
    return range(first, last + 1)


@click.command()
@rule_options
@click.option(
    "--seeds",
    callback=_seeds,
    required=True,
    metavar="A-B",
    help="Deal numbers, both ends included.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    metavar="DIR",
    help="Results folder; an unfinished one is continued.",
)
@click.option("--jobs", type=click.IntRange(1, 4096), help="Processes. [default: usable cores]")
@click.option(
    "--numbering",
    type=click.Choice(list(NUMBERINGS)),
    default="native",
    show_default=True,
    help="What the numbers mean.",
)
@click.option("--keep-moves", is_flag=True, help="Keep the moves of every win.")
@limit_options
def batch(
    seeds: range, out: Path, jobs: int | None, numbering: str, keep_moves: bool, **options: Any
) -> None:
    """Solve a range of deals, one row each, into a folder of Parquet files.

    The folder's content does not depend on --jobs or on interruptions: run the same command again
    and it goes on where it stopped. Ctrl-C once keeps what is finished; twice ends at once.

    Exit status: 0 every deal has its row, 1 error, 2 usage or another run's folder, 130
    interrupted.

    \b
    Example:
      yukonsolve batch yukon --seeds 1-1000 --out results/yukon --jobs 2
    """
    from yukonsolve.provenance import usable_cores, utc_now
    from yukonsolve.store import Store, StoreError

    rules = rules_from(options)
    limits = limits_from(options)
    jobs = jobs or usable_cores()
    _check_numbers(seeds, numbering, rules)
    _check_memory(limits, jobs)
    solver = ready_solver(rules, limits)
    identity = _identity(rules, limits, numbering, solver.max_nodes)
    del solver  # its work arrays: every worker has its own
    try:
        store = Store(out, identity, seeds, _session(jobs), keep_moves)
    except StoreError as error:
        fail(BAD_INPUT, str(error))
    except OSError as error:
        fail(BAD_INPUT, f"{out}: {error.strerror or error}")
    with Interrupts() as interrupts:
        try:
            _run(store, rules, limits, numbering, jobs, interrupts)
            store.close(utc_now())
        except OSError as error:
            fail(FAILED, f"{error}; rows up to here are kept, the same command goes on")
        kept = store.tally.total
    if interrupts.seen:
        click.echo(f"interrupted: {kept:,} of {len(seeds):,} deals are kept in {out}", err=True)
        click.echo("the same command goes on from here", err=True)
        raise SystemExit(INTERRUPTED)
    from yukonsolve.report import report_text, summarize

    click.echo(report_text(summarize(out)))


def _run(
    store: Store,
    rules: Rules,
    limits: Limits,
    numbering: str,
    jobs: int,
    interrupts: Interrupts,
) -> None:
    from yukonsolve.pool import Pool, PoolError
    from yukonsolve.worker import Job

    total = len(store.numbers)
    there = store.tally.total
    click.echo(f"{rules.name}: {rules.describe()}", err=True)
    click.echo(
        f"{numbering}:{store.numbers[0]} to {numbering}:{store.numbers[-1]}, {jobs} jobs, "
        f"at most {jobs} x {limits.max_memory_bytes / 2**20:,.0f} MiB of table",
        err=True,
    )
    for line in store.notes:
        click.echo(f"note: {line}", err=True)
    if there:
        click.echo(f"going on: {there:,} of {total:,} deals are there", err=True)
    if there == total:
        return
    progress = Progress(total, there)
    pool = Pool(Job(rules, limits, numbering, store.keep_moves), jobs, progress.note)
    named: set[int] = set()
    try:
        for rows in pool.rows(store.missing(), total - there, interrupts):
            store.add(rows)
            progress.show(store.tally)
            for number, seconds in pool.long_deals(LONG_DEAL_S):
                if number not in named:
                    named.add(number)
                    progress.note(f"{numbering}:{number} has taken {seconds:.0f} s so far")
    except PoolError as error:
        fail(FAILED, f"{error}; rows up to here are kept")
    finally:
        progress.close()
        # Whatever ended the loop, the rows are on disk and the folder is free again.
        if not store.complete:
            store.close()


def _check_numbers(seeds: range, numbering: str, rules: Rules) -> None:
    try:
        if seeds[-1] > LAST_NUMBER:
            raise ValueError(f"numbers go up to {LAST_NUMBER} here, not {seeds[-1]}")
        for number in (seeds[0], seeds[-1]):
            deck_of_number(numbering, number, rules)
    except ValueError as error:
        fail(BAD_INPUT, f"--seeds: {error}")


def _check_memory(limits: Limits, jobs: int) -> None:
    from yukonsolve.provenance import usable_memory_bytes

    need = jobs * (limits.max_memory_bytes + PROCESS_BYTES)
    have = usable_memory_bytes()
    if need > have:
        fail(
            BAD_INPUT,
            f"{jobs} jobs of {limits.max_memory_bytes / 2**20:,.0f} MiB may need "
            f"{need / 2**30:.1f} GiB and there are {have / 2**30:.1f} GiB: "
            "lower --jobs or --max-memory",
        )


def _identity(rules: Rules, limits: Limits, numbering: str, max_nodes: int) -> dict[str, Any]:
    """Return what every row depends on; two runs with equal values may share a folder."""
    from yukonsolve.provenance import solver_fingerprint, version

    values = asdict(rules)
    return {
        "rules": {k: list(v) if isinstance(v, tuple) else v for k, v in values.items()},
        "rules_in_words": rules.describe(),
        "numbering": numbering,
        "limits": asdict(limits) | {"max_nodes": max_nodes},
        "version": version(),
        "solver": solver_fingerprint(),
    }


def _session(jobs: int) -> dict[str, Any]:
    from yukonsolve.provenance import command_line, machine, utc_now, versions

    return {
        "command": command_line(),
        "jobs": jobs,
        "machine": machine(),
        "versions": versions(),
        "started_utc": utc_now(),
    }
