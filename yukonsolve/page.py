"""A report as one self-contained HTML page: nothing to load, no script."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from yukonsolve.gallery import gallery
from yukonsolve.phrases import (
    CLAIMS_JUDGED,
    RUNNING,
    alarm_text,
    limits_text,
    machine_text,
    pair_facts,
    reasons_text,
)
from yukonsolve.pictures import Picture, PicturesMissingError
from yukonsolve.report import Report
from yukonsolve.rows import VERDICTS
from yukonsolve.summary import Run, Spread

SPREADS = {"Median": "median", "p90": "p90", "p99": "p99", "Max": "max", "Total": "total"}
"""Columns of the table of efforts, and the figures in them."""


@dataclass(frozen=True)
class Shown:
    """A picture as the page holds it."""

    source: str
    caption: str
    alt: str
    width: int
    height: int

    @classmethod
    def of(cls, picture: Picture) -> Shown:
        """Return a picture as a data URI: inline, two SVG files would share their ids."""
        data = base64.b64encode(picture.svg().encode()).decode("ascii")
        width, height = (round(96 * inches) for inches in picture.figure.get_size_inches())
        source = f"data:image/svg+xml;base64,{data}"
        return cls(source, picture.caption, picture.alt, width, height)


def page(report: Report) -> str:
    """Return a report as HTML; without matplotlib it has no pictures and says so.

    Examples
    --------
    >>> html = page(Report((), (), (), "yukonsolve report", "0.1.0"))
    >>> html.splitlines()[0], "<script" in html
    ('<!DOCTYPE html>', False)
    """
    no_pictures = ""
    try:
        drawn = gallery(report, seconds=False)
        together, of_runs = drawn.together, drawn.of_runs
    except PicturesMissingError as error:
        no_pictures = f"{error}."
        together, of_runs = [], [[] for _ in report.runs]
    runs = [
        _run(f"run-{i}", run, pictures)
        for i, (run, pictures) in enumerate(zip(report.runs, of_runs, strict=True), 1)
    ]
    text = (
        _environment()
        .get_template("report.html")
        .render(
            report=report,
            title=_title(report),
            runs=runs,
            claims=_claims(report),
            pairs=[{"of": pair, "facts": pair_facts(pair)} for pair in report.pairs],
            alarms=[alarm_text(pair) for pair in report.alarms],
            claims_judged=CLAIMS_JUDGED,
            verdicts=VERDICTS,
            spread_names=list(SPREADS),
            together=[Shown.of(picture) for picture in together],
            no_pictures=no_pictures,
        )
    )
    return re.sub(r"\n{3,}", "\n\n", text)


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("yukonsolve"),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=False,
    )
    environment.filters["count"] = lambda number: f"{number:,}"
    # A line may not end between a number and its sign.
    environment.filters["tied"] = lambda text: text.replace(" %", "\N{NO-BREAK SPACE}%")
    return environment


def _title(report: Report) -> str:
    if len(report.runs) == 1:
        return f"How often can {report.runs[0].label} be won?"
    return "How often can these games be won?"


def _run(name: str, run: Run, pictures: list[Picture]) -> dict[str, Any]:
    return {
        "id": name,
        "label": run.label,
        "rate": "no deals yet" if run.interval is None else run.interval.in_words(),
        "running": run.running,
        "deals": run.deals_in_words,
        "tally": run.tally,
        "notes": _notes(run),
        "facts": _facts(run),
        "spreads": _spreads(run),
        "pictures": [Shown.of(picture) for picture in pictures],
        "commands": run.commands,
    }


def _notes(run: Run) -> list[str]:
    t = run.tally
    notes = [
        f"{t.solvable:,} of {t.total:,} deals can be won by someone who sees every card, "
        f"{t.unsolvable:,} cannot, {t.undecided:,} {'is' if t.undecided == 1 else 'are'} undecided."
    ]
    if run.running:
        gaps = f" {run.gaps:,} skipped deals count as undecided." if run.gaps else ""
        notes.append(f"Running, {t.total:,} of {run.wanted:,} deals: {RUNNING}{gaps}")
    if run.exact_interval is not None and run.near_an_end:
        notes.append(
            "Near 0 or 100 % also the Clopper-Pearson interval, which is never too narrow: "
            f"{run.exact_interval.in_words()}."
        )
    return notes


def _facts(run: Run) -> list[tuple[str, str]]:
    facts = [
        ("Rules", run.rules_in_words),
        ("Deals", run.deals_in_words),
        ("Limits a deal", limits_text(run.limits)),
        *(("Undecided deals tried again with", limits_text(limits)) for limits in run.retries),
    ]
    if run.reasons:
        facts.append(("Undecided because of", reasons_text(run.reasons)))
    facts += [("Machine", machine_text(machine)) for machine in run.machines]
    facts += [
        ("Versions", ", ".join(f"{name} {number}" for name, number in versions.items()))
        for versions in run.versions
    ]
    if run.started_utc:
        ends = (str(end).replace("T", " ") for end in (run.started_utc, run.ended_utc or "now"))
        facts.append(("Time", " to ".join(ends)))
    return facts


def _spreads(run: Run) -> list[tuple[str, list[str]]]:
    lines = []
    for name, spread in (
        ("nodes", run.nodes),
        ("time", run.seconds),
        ("moves of a solution", run.solution_length),
    ):
        if spread is not None:
            lines.append((name, _figures(spread, name == "time")))
            if spread is run.solution_length:
                lines[-1][1][-1] = ""  # moves of all deals together tell nobody anything
    return lines


def _figures(spread: Spread, small: bool) -> list[str]:
    values = [getattr(spread, name) for name in SPREADS.values()]
    if not small:
        return [f"{value:,.1f}".removesuffix(".0") for value in values]
    return [_time(value) for value in values]


def _time(seconds: float) -> str:
    """Return a time with a unit that makes it a number people read.

    Examples
    --------
    >>> _time(0.0000172), _time(0.25), _time(765.4), _time(7654.0)
    ('17.2 µs', '250 ms', '12.8 min', '2.13 h')
    """
    units = (("h", 3600.0), ("min", 60.0), ("s", 1.0), ("ms", 1e-3), ("µs", 1e-6))
    unit, size = next((pair for pair in units if seconds >= pair[1]), units[-1])
    return f"{seconds / size:,.3g} {unit}" if seconds < 3.6e6 else f"{seconds / size:,.0f} {unit}"


def _claims(report: Report) -> list[dict[str, Any]]:
    claims = []
    for _, group in groupby(report.judgements, key=lambda judgement: judgement.claim):
        judgements = list(group)
        claim = judgements[0].claim
        claims.append(
            {
                "name": claim.name,
                "share": claim.share_in_words,
                "words": claim.words,
                "source": claim.source,
                "applied": [j for j in judgements if j.readings],
                "others": [j.run.label for j in judgements if not j.readings],
            }
        )
    return claims
