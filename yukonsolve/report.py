"""A report: runs, the comparisons of those on the same deals, and judged claims."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from yukonsolve.claims import Judgement, judge
from yukonsolve.disk import StoreError
from yukonsolve.paired import Pair, compare_all
from yukonsolve.provenance import version
from yukonsolve.published import claims_asked
from yukonsolve.summary import Run, label_runs, read_run


@dataclass(frozen=True, eq=False)
class Report:
    """Everything a report says, before it is put into words.

    Parameters
    ----------
    runs : tuple of Run
        In the order given.
    pairs : tuple of Pair
        Every two runs on the same deals.
    judgements : tuple of Judgement
        Every claim held against every run, claim by claim; of ``--claim all`` only where one
        applies.
    command : str
        That makes this report again.
    tool_version : str
    """

    runs: tuple[Run, ...]
    pairs: tuple[Pair, ...]
    judgements: tuple[Judgement, ...]
    command: str
    tool_version: str

    @property
    def alarms(self) -> tuple[Pair, ...]:
        """Pairs in which the looser rules lost a win, so that one of the two runs is wrong."""
        return tuple(pair for pair in self.pairs if pair.lost_count)


def build_report(
    folders: Sequence[Path], claims: Sequence[str] = (), options: Sequence[str] = ()
) -> Report:
    """Return the report of results folders, finished or not.

    Parameters
    ----------
    folders : sequence of Path
    claims : sequence of str
        As `yukonsolve.published.claims_asked` takes them.
    options : sequence of str
        Further words of the command that makes the report again.

    Raises
    ------
    StoreError
        If a folder is none, cannot be read, or is given twice.
    ValueError
        If a text is no claim.

    Examples
    --------
    >>> build_report([]).runs
    ()
    """
    _refuse_twice(folders)
    asked = [claim for text in claims for claim in claims_asked(text)]  # before reading millions
    runs = label_runs([read_run(folder) for folder in folders])
    judgements = []
    for claim, always in asked:
        judged = (judge(claim, run) for run in runs)
        judgements += [judgement for judgement in judged if always or judgement.readings]
    words = [word for text in claims for word in ("--claim", text)]
    return Report(
        tuple(runs),
        tuple(compare_all(runs)),
        tuple(judgements),
        shlex.join(["yukonsolve", "report", *(str(f) for f in folders), *words, *options]),
        version(),
    )


def _refuse_twice(folders: Sequence[Path]) -> None:
    seen: dict[Path, Path] = {}
    for folder in folders:
        place = folder.resolve()
        if place in seen:
            other = "" if folder == seen[place] else f" (also as {seen[place]})"
            raise StoreError(f"{folder}: the same folder is given twice{other}")
        seen[place] = folder
