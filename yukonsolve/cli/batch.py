"""``yukonsolve batch``: solve a range of deals into a results folder."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
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
    run_facts,
)
from yukonsolve.cli.interrupts import Interrupts
from yukonsolve.cli.numbers import number_options, numbers_from
from yukonsolve.cli.progress import Progress
from yukonsolve.cli.report import print_report
from yukonsolve.numbering import NUMBERINGS
from yukonsolve.rules import Rules
from yukonsolve.verdict import Limits

if TYPE_CHECKING:
    from yukonsolve.retry import Retry
    from yukonsolve.store import Store
    from yukonsolve.worker import Executor, Job

LONG_DEAL_S = 30.0
PROCESS_BYTES = 200 * 2**20
"""What a worker takes besides its table: Python, numba, the kernels."""


@click.command()
@rule_options
@number_options
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    metavar="DIR",
    help="Results folder; an unfinished one is continued.",
)
@click.option("--jobs", type=click.IntRange(1, 4096), help="Processes. [default: usable cores]")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Have the workers of a dask.distributed scheduler solve the deals, e.g. "
    "tcp://127.0.0.1:8786.",
)
@click.option(
    "--numbering",
    type=click.Choice([name for name, one in NUMBERINGS.items() if one.in_batches]),
    default="native",
    show_default=True,
    help="What the numbers mean; those of microsoft and exact are too long, see solve --deals.",
)
@click.option("--keep-moves", is_flag=True, help="Keep the moves of every win.")
@click.option(
    "--retry-undecided",
    is_flag=True,
    help="Run only the undecided deals of a finished folder again; give larger limits.",
)
@limit_options
@click.pass_context
def batch(
    ctx: click.Context,
    /,
    out: Path,
    jobs: int | None,
    cluster: str | None,
    numbering: str,
    keep_moves: bool,
    retry_undecided: bool,
    **options: Any,
) -> None:
    """Solve many deals, one row each, into a folder of Parquet files.

    The folder's content does not depend on --jobs or on interruptions: run the same command again
    and it goes on where it stopped. Ctrl-C once keeps what is finished; twice ends at once.

    With --retry-undecided the numbers are those of the folder, limits not given are the ones of
    its last run, and of two answers about a deal the better one is kept.

    Exit status: 0 every deal has its row, 1 error, 2 usage or another run's folder, 130
    interrupted.

    \b
    Example:
      yukonsolve batch yukon --seeds 1-1000 --out results/yukon --jobs 2
      yukonsolve batch yukon --out results/yukon --retry-undecided --max-nodes 100000000
    """
    # Nothing here is linear algebra, and a process without threads is the better one to fork.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from yukonsolve.disk import StoreError
    from yukonsolve.provenance import usable_cores, utc_now
    from yukonsolve.reporter import Reporter
    from yukonsolve.worker import Job

    rules = rules_from(options)
    limits = limits_from(options)
    numbers = numbers_from(options, numbering, rules, needed=not retry_undecided)
    if cluster is not None and jobs is not None:
        raise click.UsageError("--jobs and --cluster exclude each other")
    jobs = jobs or usable_cores()
    if retry_undecided:
        limits, numbering, keep_moves = _as_in_folder(ctx, out, limits, numbering, keep_moves)
    if cluster is None:
        _check_memory(limits, jobs)
    job = Job(rules, limits, numbering, keep_moves)
    executor = _executor(job, jobs, cluster)
    reporter = Reporter()
    ctx.call_on_close(reporter.close)
    solver = ready_solver(rules, limits, load=cluster is None)
    identity = _identity(rules, limits, numbering, solver.max_nodes)
    del solver  # its work arrays: every worker has its own
    run = run_facts() | ({"cluster": cluster} if cluster else {"jobs": jobs})
    store: Store | Retry
    try:
        if retry_undecided:
            from yukonsolve.retry import Retry

            store = Retry(out, identity, run, numbers)
        else:
            from yukonsolve.store import Store

            assert numbers is not None  # needed above
            store = Store(out, identity, numbers, run, keep_moves)
    except StoreError as error:
        fail(BAD_INPUT, str(error))
    except OSError as error:
        fail(BAD_INPUT, f"{out}: {error.strerror or error}")
    with Interrupts() as interrupts:
        try:
            _run(store, job, executor, interrupts)
            store.close(utc_now())
        except OSError as error:
            fail(FAILED, f"{error}; rows up to here are kept, the same command goes on")
        kept = store.tally.total
    if interrupts.seen:
        click.echo(f"interrupted: {kept:,} of {store.wanted:,} deals are kept in {out}", err=True)
        click.echo("the same command goes on from here", err=True)
        raise SystemExit(INTERRUPTED)
    print_report(out, reporter.text)
    gc.freeze()  # on the way out nothing need be looked through


def _executor(
    job: Job, jobs: int, cluster: str | None
) -> Callable[[Callable[[str], None]], Executor]:
    """Return a way to make the executor, which takes the function that prints notes."""
    what = f"at most {job.limits.max_memory_bytes / 2**20:,.0f} MiB of table"
    if cluster is None:
        from yukonsolve.pool import Pool

        processes = "1 job" if jobs == 1 else f"{jobs} jobs"
        click.echo(f"{processes}, {what} each", err=True)
        return lambda note: Pool(job, jobs, note)
    try:
        from yukonsolve.cluster import Cluster
    except ImportError:
        fail(BAD_INPUT, "--cluster needs dask.distributed: pip install 'yukonsolve[cluster]'")
    click.echo(f"workers of {cluster}, {what} a thread", err=True)
    return lambda note: Cluster(job, cluster, note)


def _run(
    store: Store | Retry,
    job: Job,
    executor: Callable[[Callable[[str], None]], Executor],
    interrupts: Interrupts,
) -> None:
    from yukonsolve.worker import WorkersError

    total = store.wanted
    there = store.tally.total
    click.echo(f"{job.rules.name}: {job.rules.describe()}", err=True)
    click.echo(f"{store.numbers.describe(job.numbering)}, {total:,} deals to decide", err=True)
    for line in store.notes:
        click.echo(f"note: {line}", err=True)
    if there:
        click.echo(f"going on: {there:,} of {total:,} deals are there", err=True)
    if there == total:
        return
    progress = Progress(total, there)
    named: set[int] = set()
    try:
        pool = executor(progress.note)
        for rows in pool.rows(store.missing(), total - there, interrupts):
            store.add(rows)
            progress.show(store.tally)
            for number, seconds in pool.long_deals(LONG_DEAL_S):
                if number not in named:
                    named.add(number)
                    progress.note(f"{job.numbering}:{number} has taken {seconds:.0f} s so far")
    except WorkersError as error:
        fail(FAILED, f"{error}; rows up to here are kept")
    finally:
        progress.close()
        # Whatever ended the loop, the rows are on disk and the folder is free again.
        if not store.complete:
            store.close()


def _as_in_folder(
    ctx: click.Context, out: Path, limits: Limits, numbering: str, keep_moves: bool
) -> tuple[Limits, str, bool]:
    """Return limits, numbering and keep_moves; what was not given is as it was in the folder."""
    from yukonsolve.disk import StoreError
    from yukonsolve.folder import read_manifest

    def given(name: str) -> bool:
        return ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT

    try:
        manifest = read_manifest(out)
    except StoreError as error:
        fail(BAD_INPUT, str(error))
    identity = manifest["identity"]
    last = (manifest.get("retries") or [identity])[-1]["limits"]
    return (
        Limits(
            limits.max_nodes if given("max_nodes") else last["max_nodes"],
            limits.timeout_s if given("timeout") else last["timeout_s"],
            limits.max_memory_bytes if given("max_memory") else last["max_memory_bytes"],
        ),
        numbering if given("numbering") else identity["numbering"],
        keep_moves if given("keep_moves") else identity["keep_moves"],
    )


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
        "solver": solver_fingerprint(rules.family),
    }
