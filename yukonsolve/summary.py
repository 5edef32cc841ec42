"""What one results folder says: the data model of a report.

A report is built of four records, each plain data with no wording in it:

* `Run`, here: one folder's rules, numbers, counts, intervals, spreads and where it was made;
* `yukonsolve.paired.Pair`: two runs on the same deals;
* `yukonsolve.claims.Judgement`: one claim held against one run;
* `yukonsolve.report.Report`: all of them together.

Whoever prints (Markdown, JSON, CSV, HTML, pictures) reads these and no files. The columns that
pictures need are in ``Run.columns``, as numpy arrays of one entry a deal.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from yukonsolve.disk import StoreError
from yukonsolve.folder import MANIFEST, pieces, read_manifest, read_selection
from yukonsolve.rows import NO_LENGTH, REASONS, ROW_TYPE, UNDECIDED, VERDICTS
from yukonsolve.rules import Rules
from yukonsolve.rulesets import rules_from_values, title
from yukonsolve.selection import Selection
from yukonsolve.stats import Interval, Tally, bracket, clopper_pearson

CONFIDENCE = 0.95
"""Coverage of every interval in a report."""

NEAR_AN_END = 0.1
"""Win rates less than this away from 0 or 1 also get a Clopper-Pearson interval in the text."""


@dataclass(frozen=True)
class Spread:
    """How a figure is spread over deals.

    Examples
    --------
    >>> Spread.of(np.arange(1, 102)).median
    51.0
    """

    median: float
    p90: float
    p99: float
    max: float
    mean: float
    total: float

    @classmethod
    def of(cls, values: npt.NDArray[Any]) -> Spread:
        """Return the spread of at least one value."""
        median, p90, p99 = np.quantile(values, [0.5, 0.9, 0.99]).tolist()
        total = float(values.sum())
        return cls(median, p90, p99, float(values.max()), total / len(values), total)


@dataclass(frozen=True, eq=False)
class Columns:
    """The rows of a run, one entry a deal, in the order of the numbers; 29 bytes a deal.

    Parameters
    ----------
    number : ndarray of uint64
    verdict : ndarray of uint8
        Places in `yukonsolve.rows.VERDICTS`: 0 solvable, 1 unsolvable, 2 undecided.
    nodes : ndarray of int64
    seconds : ndarray of float64
    solution_length : ndarray of int32
        Moves, or -1 where there is no solution.
    """

    number: npt.NDArray[np.uint64]
    verdict: npt.NDArray[np.uint8]
    nodes: npt.NDArray[np.int64]
    seconds: npt.NDArray[np.float64]
    solution_length: npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Run:
    """What one results folder says.

    Parameters
    ----------
    folder : Path
        As it was given.
    label : str
        Short name, different for each run of a report; see `label_runs`.
    rules : Rules
    rules_in_words : str
        ``rules.describe()``.
    numbering : str
    numbers : Selection
        The numbers the whole run is about.
    limits : dict
        ``max_nodes``, ``timeout_s`` (``None``: none), ``max_memory_bytes``.
    retries : tuple of dict
        Limits of every retry of undecided deals.
    tally : Tally
        Verdicts of the rows there are.
    gaps : int
        Deals without a row before the last one that has a row. They are being searched, and may be
        the hard ones; the interval counts them as undecided.
    reasons : dict
        Why deals are undecided: reason to count, most often first.
    nodes, seconds : Spread or None
        Over all rows; ``None`` if there are none.
    solution_length : Spread or None
        Over the solvable deals; of the solution that was found, not of the shortest.
    commands : tuple of str
        That made the folder, each once.
    machines : tuple of dict
        ``cpu``, ``cores``, ``memory_bytes``, ``system``, each once.
    versions : tuple of dict
        ``yukonsolve``, ``python``, ``numba``, ``numpy``, each once.
    solver : str
        Fingerprint of the solver's sources.
    started_utc, ended_utc : str or None
    columns : Columns
        The rows themselves.
    """

    folder: Path
    label: str
    rules: Rules
    rules_in_words: str
    numbering: str
    numbers: Selection
    limits: dict[str, Any]
    retries: tuple[dict[str, Any], ...]
    tally: Tally
    gaps: int
    reasons: dict[str, int]
    nodes: Spread | None
    seconds: Spread | None
    solution_length: Spread | None
    commands: tuple[str, ...]
    machines: tuple[dict[str, Any], ...]
    versions: tuple[dict[str, str], ...]
    solver: str
    started_utc: str | None
    ended_utc: str | None
    columns: Columns

    @property
    def wanted(self) -> int:
        """Deals of the whole run."""
        return len(self.numbers)

    @property
    def running(self) -> bool:
        """Whether deals are missing, so that every figure may still move."""
        return self.tally.total < self.wanted

    @property
    def deals_in_words(self) -> str:
        """Numbering and range, e.g. ``native:1 to native:1000``."""
        return self.numbers.describe(self.numbering)

    @cached_property
    def interval(self) -> Interval | None:
        """95 % Wilson interval of the win rate, undecided deals bracketed."""
        return bracket(self._counted, CONFIDENCE) if self.tally.total else None

    @cached_property
    def exact_interval(self) -> Interval | None:
        """95 % Clopper-Pearson interval of the win rate, undecided deals bracketed."""
        return bracket(self._counted, CONFIDENCE, clopper_pearson) if self.tally.total else None

    @property
    def near_an_end(self) -> bool:
        """Whether the win rate is near 0 or 1, where the exact interval is worth a look."""
        i = self.interval
        return i is not None and not (i.low >= NEAR_AN_END and i.high <= 1 - NEAR_AN_END)

    @property
    def _counted(self) -> Tally:
        t = self.tally
        return Tally(t.solvable, t.unsolvable, t.undecided + self.gaps)


def read_run(folder: Path) -> Run:
    """Return what a results folder says; it need not be finished.

    Raises
    ------
    StoreError
        If it is none, or cannot be read.

    Examples
    --------
    >>> read_run(Path("results/russian")).tally.solvable  # doctest: +SKIP
    67516
    """
    if not folder.exists():
        raise StoreError(f"{folder}: there is no such folder")
    manifest = read_manifest(folder)
    try:
        identity = manifest["identity"]
        rules = rules_from_values(identity["rules"])
        numbers = read_selection(folder, identity)
        made = _made_by(manifest)
        columns, reasons = _read_columns(folder, len(numbers))
        verdicts = np.bincount(columns.verdict, minlength=len(VERDICTS)).tolist()
        lengths = columns.solution_length[columns.solution_length != NO_LENGTH]
        there = len(columns.number)
        return Run(
            folder=folder,
            label=title(rules),
            rules=rules,
            rules_in_words=rules.describe(),
            numbering=identity["numbering"],
            numbers=numbers,
            limits=identity["limits"],
            retries=tuple(retry["limits"] for retry in manifest.get("retries", [])),
            tally=Tally(*verdicts),
            gaps=int(numbers.places(columns.number[-1:])[0]) + 1 - there if there else 0,
            reasons=reasons,
            nodes=Spread.of(columns.nodes) if there else None,
            seconds=Spread.of(columns.seconds) if there else None,
            solution_length=Spread.of(lengths) if len(lengths) else None,
            commands=tuple(dict.fromkeys(run["command"] for run in made if "command" in run)),
            machines=_each_once(run.get("machine") for run in made),
            versions=_each_once(run.get("versions") for run in made),
            solver=identity.get("solver", ""),
            started_utc=min((r["started_utc"] for r in made if r.get("started_utc")), default=None),
            ended_utc=max((r["ended_utc"] for r in made if r.get("ended_utc")), default=None),
            columns=columns,
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        what = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise StoreError(f"{folder / MANIFEST} cannot be used: {what}") from None


def label_runs(runs: list[Run]) -> list[Run]:
    """Return runs with labels that differ: the title, and the folder where titles are the same.

    Examples
    --------
    >>> label_runs([])
    []
    """
    labels = [run.label for run in runs]
    for way in (lambda run: run.folder.name, lambda run: str(run.folder)):
        twice = {label for label, count in Counter(labels).items() if count > 1}
        labels = [
            f"{run.label} ({way(run)})" if label in twice else label
            for run, label in zip(runs, labels, strict=True)
        ]
    return [replace(run, label=label) for run, label in zip(runs, labels, strict=True)]


def _read_columns(folder: Path, wanted: int) -> tuple[Columns, dict[str, int]]:
    """Return the columns, filled part by part so that no row is ever held twice."""
    names = ("number", "verdict", "nodes", "seconds", "solution_length")
    columns = {name: np.empty(wanted, ROW_TYPE[name]) for name in names}
    reasons = np.zeros(len(REASONS), np.int64)
    there = 0
    for rows in pieces(folder):
        values = rows.values
        if there + len(values) > wanted:
            raise StoreError(f"{folder} holds more rows than its {MANIFEST} speaks of")
        for name, column in columns.items():
            column[there : there + len(values)] = values[name]
        undecided = values["verdict"] == UNDECIDED
        reasons += np.bincount(values["reason"][undecided], minlength=len(REASONS))
        there += len(values)
    numbers = columns["number"][:there]
    if not (numbers[1:] > numbers[:-1]).all():
        raise StoreError(f"{folder}: its rows are not in the order of their numbers")
    found = sorted((-count, REASONS[code]) for code, count in enumerate(reasons.tolist()) if count)
    return (
        Columns(**{name: column[:there] for name, column in columns.items()}),
        {name: -count for count, name in found},
    )


def _made_by(manifest: dict[str, Any]) -> list[dict[str, Any]]:
    """Return every run that made a folder, those of merged folders included."""
    found: list[dict[str, Any]] = []
    for run in manifest.get("runs", []):
        for source in run.get("merged_from", []):
            found += _made_by(source)
        found.append(run)
    return found


def _each_once(values: Any) -> tuple[Any, ...]:
    kept: list[Any] = []
    for value in values:
        if value is not None and value not in kept:
            kept.append(value)
    return tuple(kept)
