"""``yukonsolve plan``: how many deals a figure takes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click

from yukonsolve.cli.common import BAD_INPUT, FAILED, fail

_SHARE = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*(%?)", re.ASCII)


def _share(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """Read 0.9 or 90%."""
    if value is None:
        return None
    match = _SHARE.fullmatch(value.strip())
    share = float(match[1]) / (100 if match[2] else 1) if match else -1.0
    if not 0 <= share < 1:
        raise click.BadParameter(f"{value!r} is no share below 1; write 0.9 or 90%", ctx, param)
    return share


def _points(ctx: click.Context, param: click.Parameter, value: str) -> float:
    """Read percentage points, 0.1 or 0.1%."""
    match = _SHARE.fullmatch(value.strip())
    points = float(match[1]) if match else 0.0
    if not 0 < points < 50:
        message = (
            f"{value!r} is no half width; write percentage points above 0 and below 50, "
            "such as 0.1 or 0.1%"
        )
        raise click.BadParameter(message, ctx, param)
    return points / 100


@click.command()
@click.option(
    "--half-width",
    callback=_points,
    required=True,
    metavar="PERCENT",
    help="Half width wanted, in percentage points, half of the undecided share included.",
)
@click.option(
    "--rate",
    callback=_share,
    metavar="SHARE",
    help="Win rate expected, 0.9 or 90%. [default: that of --like]",
)
@click.option(
    "--undecided",
    callback=_share,
    metavar="SHARE",
    help="Share expected to stay undecided, 0.005 or 0.5%. [default: that of --like, or 0]",
)
@click.option(
    "--seconds-a-deal",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Mean time of one deal. [default: that of --like]",
)
@click.option(
    "--like",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Take rate, undecided share and speed from a results folder.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 1_000_000),
    default=1,
    show_default=True,
    help="Deals solved at the same time.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def plan(
    half_width: float,
    rate: float | None,
    undecided: float | None,
    seconds_a_deal: float | None,
    like: Path | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Say how many deals a win rate takes, how many may stay undecided, and how long that is.

    The interval is the 95 % Wilson interval; an undecided deal widens it at both ends, so half of
    the undecided share is part of the half width.

    Exit status: 0 done, 1 no number of deals is enough, 2 usage.

    \b
    Example:
      yukonsolve plan --half-width 0.1 --rate 0.9
      yukonsolve plan --half-width 0.7 --like results/yukon --undecided 0.5% --jobs 2
    """
    from yukonsolve.plan import PlanError
    from yukonsolve.plan import plan as steps_of

    if like is not None:
        from yukonsolve.disk import StoreError
        from yukonsolve.summary import read_run

        try:
            run = read_run(like)
        except StoreError as error:
            fail(BAD_INPUT, str(error))
        if run.seconds is None:
            fail(BAD_INPUT, f"{like}: there are no deals in it yet")
        tally = run.tally
        open_share = tally.undecided / tally.total
        rate = tally.solvable / tally.total + open_share / 2 if rate is None else rate
        undecided = open_share if undecided is None else undecided
        seconds_a_deal = run.seconds.mean if seconds_a_deal is None else seconds_a_deal
    if rate is None:
        raise click.UsageError("give --rate, or --like with a results folder")
    undecided = undecided or 0.0
    try:
        steps = steps_of(half_width, rate, undecided, seconds_a_deal, jobs)
    except PlanError as error:
        fail(FAILED, str(error))
    if as_json:
        click.echo(
            json.dumps(
                {
                    "half_width": half_width,
                    "rate": rate,
                    "undecided": undecided,
                    "confidence": 0.95,
                    "seconds_a_deal": seconds_a_deal,
                    "jobs": jobs,
                    "plans": [
                        {"deals": s.deals, "undecided_allowed": s.undecided, "seconds": s.seconds}
                        for s in steps
                    ],
                }
            )
        )
        return
    from yukonsolve.markdown import table
    from yukonsolve.plan import duration_text

    least = steps[0]
    stay = f"if {100 * undecided:.3g} % stay undecided" if undecided else "if every one is decided"
    click.echo(
        f"A win rate of about {100 * rate:.4g} % to +-{100 * half_width:.4g} % "
        f"(95 % Wilson interval, half of the undecided share included)\n"
        f"takes {least.deals:,} deals {stay}. More deals leave room for more undecided ones:\n"
    )
    columns = ["Deals", "Undecided at most", "Share"]
    rows = [
        [f"{s.deals:,}", f"{s.undecided:,}", f"{100 * s.undecided / s.deals:.3f} %"] for s in steps
    ]
    if seconds_a_deal is not None:
        columns.append(f"Time, {jobs:,} {'job' if jobs == 1 else 'jobs'}")
        for row, step in zip(rows, steps, strict=True):
            row.append(duration_text(step.seconds or 0.0))
    click.echo(table(columns, rows, left=0))
    if seconds_a_deal is not None:
        where = f", the mean in {like}" if like is not None else ""
        click.echo(
            f"\nTime is for {seconds_a_deal:.3g} s a deal{where}: a few hard deals carry most of "
            "it, so it may be off."
        )
