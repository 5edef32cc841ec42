"""Which pictures a report has, and what is written on them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from yukonsolve.claims import Claim, judge
from yukonsolve.curves import running, survival
from yukonsolve.drawing import (
    CLAIM,
    PUBLISHED,
    RUN,
    Group,
    Mark,
    close_ups,
    effort,
    running_estimate,
    win_rates,
)
from yukonsolve.pictures import Picture
from yukonsolve.published import CLAIMS
from yukonsolve.report import Report
from yukonsolve.rows import UNDECIDED, VERDICTS
from yukonsolve.summary import Run

FEW_DECADES = 1000
"""The estimate is drawn from a thousandth of the deals on: before, it only jumps."""


class Gallery(NamedTuple):
    """The pictures of a report: of all runs together, and of each run."""

    together: list[Picture]
    of_runs: list[list[Picture]]

    @property
    def pictures(self) -> list[Picture]:
        """All of them."""
        return [*self.together, *(picture for of_run in self.of_runs for picture in of_run)]


def gallery(report: Report, seconds: bool = True) -> Gallery:
    """Draw all pictures of a report; runs without a deal have none.

    Parameters
    ----------
    report : Report
    seconds : bool
        Whether to draw the seconds too, which tell of the machine as much as of the deals.

    Raises
    ------
    PicturesMissingError
        If matplotlib is not installed.

    Examples
    --------
    >>> gallery(Report((), (), (), "", ""))
    Gallery(together=[], of_runs=[])
    """
    groups = rate_groups(report)
    together = [win_rates(groups)] if groups else []
    # Claims lie far off and would make a close view a far one.
    close = [
        group._replace(marks=[mark for mark in group.marks if mark.kind != CLAIM])
        for group in groups
    ]
    close = [group for group in close if any(mark.kind == PUBLISHED for mark in group.marks)]
    if close:
        together.append(close_ups(close))
    names = _names([run.label for run in report.runs])
    of_runs = [
        pictures_of(run, name, seconds) for run, name in zip(report.runs, names, strict=True)
    ]
    return Gallery(together, of_runs)


def write_pictures(pictures: Sequence[Picture], folder: Path) -> list[Path]:
    """Write each picture as SVG and as PNG; return the files.

    Examples
    --------
    >>> write_pictures([], Path("pictures"))  # doctest: +SKIP
    []
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for picture in pictures:
        for ending, data in (("svg", picture.svg().encode()), ("png", picture.png())):
            files.append(folder / f"{picture.name}.{ending}")
            files[-1].write_bytes(data)
    return files


def rate_groups(report: Report) -> list[Group]:
    """Return what is said of each run's win rate: by the run, by claims, by published figures.

    Examples
    --------
    >>> rate_groups(Report((), (), (), "", ""))
    []
    """
    groups = []
    for run in report.runs:
        if run.interval is None:
            continue
        words = run.deals_in_words + (" (running)" if run.running else "")
        marks = [Mark(RUN, words, run.interval.low, run.interval.high, run.interval.in_words())]
        marks += [_claimed(claim) for claim in _said_of(run, report)]
        groups.append(Group(run.label, marks))
    return groups


def pictures_of(run: Run, name: str, seconds: bool = True) -> list[Picture]:
    """Draw effort and running estimate of one run.

    Parameters
    ----------
    run : Run
    name : str
        What the names of its pictures begin with.
    seconds : bool

    Examples
    --------
    >>> from yukonsolve.summary import read_run
    >>> pictures_of(read_run(Path("results/russian")), "russian")[0].name  # doctest: +SKIP
    'russian-nodes'
    """
    if run.interval is None:
        return []
    columns = run.columns
    drawn = []
    efforts = [("nodes", columns.nodes), ("seconds", columns.seconds)]
    for unit, values in efforts if seconds else efforts[:1]:
        curves, labels = {}, {}
        for code, verdict in enumerate(VERDICTS):
            of_verdict = values[columns.verdict == code]
            if len(of_verdict):
                curves[verdict] = survival(of_verdict)
                middle = float(np.median(of_verdict))
                shown = f"{middle:,.0f} nodes" if unit == "nodes" else f"{middle:.2g} s"
                labels[verdict] = f"{_deals(len(of_verdict))}, median {shown}"
        drawn.append(effort(f"{name}-{unit}", f"{run.label}: {unit} a deal", curves, labels, unit))
    codes = in_order(run)
    way = running(codes, max(10, len(codes) // FEW_DECADES))
    title = f"{run.label}: the estimate as deals came in" + (" (running)" if run.running else "")
    drawn.append(running_estimate(f"{name}-running", title, way, run.interval.in_words()))
    return drawn


def in_order(run: Run) -> npt.NDArray[np.uint8]:
    """Return the verdicts in the order of the numbers; a deal left out so far is undecided.

    Examples
    --------
    >>> from yukonsolve.summary import read_run
    >>> len(in_order(read_run(Path("results/russian"))))  # doctest: +SKIP
    100000
    """
    there = run.columns.number
    codes = np.full(len(there) + run.gaps, UNDECIDED, np.uint8)
    codes[run.numbers.places(there)] = run.columns.verdict
    return codes


def _said_of(run: Run, report: Report) -> list[Claim]:
    """Return what was claimed of a run's rules: what was asked for, and published figures."""
    asked = [j.claim for j in report.judgements if j.run is run and j.readings]
    names = {claim.name for claim in asked}
    studies = (
        claim
        for claim in CLAIMS.values()
        if claim.kind == "study" and claim.deals is None and claim.name not in names
    )
    return asked + [claim for claim in studies if judge(claim, run).readings]


def _claimed(claim: Claim) -> Mark:
    if claim.kind == "study":
        kind, label = PUBLISHED, _IDENTIFIER.sub("", claim.source) or claim.name
    elif claim.kind == "play":
        kind, label = CLAIM, f"Won by {claim.who}" if claim.source else claim.name
    else:
        kind, label = CLAIM, f"{claim.name}: “{claim.words}”" if claim.words else claim.name
    return Mark(kind, label, claim.share.low, claim.share.high, claim.share_in_words)


_IDENTIFIER = re.compile(r", (?:doi|arXiv) \S+")


def _deals(count: int) -> str:
    return "1 deal" if count == 1 else f"{count:,} deals"


def _names(labels: Sequence[str]) -> list[str]:
    """Return a name for files for each label, all different.

    Examples
    --------
    >>> _names(["Russian, any card", "Russian: any/card", "\u2660"])
    ['russian-any-card', 'russian-any-card-2', 'run']
    """
    names = [re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-") or "run" for label in labels]
    seen: Counter[str] = Counter()
    different = []
    for name in names:
        seen[name] += 1
        different.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return different
