"""From the rows of a results folder to its report, as text or as JSON."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yukonsolve.claims import Judgement
from yukonsolve.folder import pieces, read_manifest
from yukonsolve.paired import Pair
from yukonsolve.rows import REASONS, ROW_TYPE, VERDICTS
from yukonsolve.stats import Tally, bracket
from yukonsolve.summary import Run

if TYPE_CHECKING:
    import numpy.typing as npt

CONFIDENCE = 0.95


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
        Every claim held against every run, claim by claim.
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


def summarize(folder: Path) -> dict[str, Any]:
    """Return the figures of a results folder as plain JSON values.

    Parameters
    ----------
    folder : Path
        A folder that `yukonsolve.store.Store` wrote; it need not be complete.

    Returns
    -------
    dict
        Shares are fractions of one, rounded outward to nine places; times are seconds.

    Raises
    ------
    StoreError
        If the folder is none, or cannot be read.

    Examples
    --------
    >>> summarize(Path("results/russian"))["win_rate"]["low"]  # doctest: +SKIP
    0.073
    """
    manifest = read_manifest(folder)
    identity = manifest["identity"]
    values, reasons = _figures(folder)
    verdicts = Counter(values.pop("verdict").tolist())
    tally = Tally(*(verdicts[code] for code in range(len(VERDICTS))))
    first, last = identity["first"], identity["last"]
    wanted = identity.get("count", last - first + 1)
    summary: dict[str, Any] = {
        "rules": identity["rules"],
        "rules_in_words": identity["rules_in_words"],
        "numbering": identity["numbering"],
        "first": first,
        "last": last,
        "deals": tally.total,
        "deals_wanted": wanted,
        "complete": tally.total == wanted,
        "limits": identity["limits"],
        "retries": [retry["limits"] for retry in manifest.get("retries", [])],
        "solvable": tally.solvable,
        "unsolvable": tally.unsolvable,
        "undecided": tally.undecided,
        "reasons": reasons,
    }
    if tally.total:
        summary["win_rate"] = _win_rate(tally)
        for name in ("nodes", "seconds"):
            summary[name] = _spread(values[name])
        summary["nodes"] = {key: _whole(value) for key, value in summary["nodes"].items()}
    return summary


def report_text(summary: dict[str, Any]) -> str:
    """Return the report of `summarize` for people.

    Examples
    --------
    >>> print(report_text(summarize(Path("results/russian"))))  # doctest: +SKIP
    Rules: russian (build same suit, kings to spaces, no worrying back)
    """
    s = summary
    lines = [
        f"Rules: {s['rules']['name']} ({s['rules_in_words']})",
        f"Deals: {_range_text(s)}, {s['deals']:,} "
        + ("in all" if s["complete"] else f"of {s['deals_wanted']:,}: NOT COMPLETE"),
        f"Limits: {_limits_text(s['limits'])}",
        *(f"Undecided deals tried again: {_limits_text(limits)}" for limits in s["retries"]),
        "",
    ]
    total = max(1, s["deals"])
    lines += [
        f"{verdict:<11}{s[verdict]:>12,}  {100 * s[verdict] / total:7.3f} %"
        for verdict in ("solvable", "unsolvable", "undecided")
    ]
    undecided = {r: n for r, n in s["reasons"].items() if r in _UNDECIDED_REASONS}
    if undecided:
        why = ", ".join(f"{_UNDECIDED_REASONS[r]} {n:,}" for r, n in undecided.items())
        lines.append(f"           undecided because of: {why}")
    if "win_rate" in s:
        low, high = s["win_rate"]["low_percent"], s["win_rate"]["high_percent"]
        centre, half = s["win_rate"]["centre_percent"], s["win_rate"]["half_width_percent"]
        lines += [
            "",
            f"Win rate: {low} % to {high} % ({centre} +- {half}), 95 % Wilson interval,",
            "          undecided deals counted as lost at its low end and as won at its high end",
        ]
        if not s["complete"]:
            lines.append(
                "          running: the sample is not complete, do not stop on this figure"
            )
        lines += ["", f"{'':<11}{'median':>14}{'p90':>14}{'max':>14}{'total':>16}"]
        for name, style in (("nodes", ",.0f"), ("seconds", ",.6f")):
            values = [format(s[name][key], style) for key in ("median", "p90", "max")]
            total_text = format(s[name]["total"], ",.0f" if name == "nodes" else ",.1f")
            lines.append(f"{name:<11}" + "".join(f"{v:>14}" for v in values) + f"{total_text:>16}")
    return "\n".join(lines)


_UNDECIDED_REASONS = {
    "nodes": "node limit",
    "time": "time limit",
    "memory": "memory limit",
    "interrupted": "interrupted",
    "error": "error",
}


def _win_rate(tally: Tally) -> dict[str, Any]:
    interval = bracket(tally, CONFIDENCE)
    low, high = interval.as_percent()
    centre, half = interval.as_midpoint()
    return {
        "low": math.floor(interval.low * 1e9) / 1e9,
        "high": math.ceil(interval.high * 1e9) / 1e9,
        "low_percent": low,
        "high_percent": high,
        "centre_percent": centre,
        "half_width_percent": half,
        "confidence": CONFIDENCE,
        "method": "Wilson; undecided lost at the low end, won at the high end",
    }


def _figures(folder: Path) -> tuple[dict[str, npt.NDArray[Any]], dict[str, int]]:
    """Return three columns of a folder, and how often each reason occurs, most often first."""
    import numpy as np

    columns: dict[str, list[npt.NDArray[Any]]] = {"verdict": [], "nodes": [], "seconds": []}
    reasons: Counter[int] = Counter()
    for rows in pieces(folder):
        reasons.update(rows.values["reason"].tolist())
        for name, found in columns.items():
            found.append(rows.values[name].copy())
    none = {name: [np.empty(0, ROW_TYPE[name])] for name in columns}
    values = {name: np.concatenate(found or none[name]) for name, found in columns.items()}
    named = sorted((-count, REASONS[code]) for code, count in reasons.items())
    return values, {name: -count for count, name in named}


def _spread(values: npt.NDArray[Any]) -> dict[str, float]:
    import numpy as np

    median, p90 = np.quantile(values, [0.5, 0.9])
    figures = {"median": median, "p90": p90, "max": values.max(), "total": values.sum()}
    return {key: float(value) for key, value in figures.items()}


def _whole(value: float) -> float:
    return int(value) if value.is_integer() else value  # a median may lie between two


def _range_text(s: dict[str, Any]) -> str:
    ends = f"{s['numbering']}:{s['first']} to {s['numbering']}:{s['last']}"
    gaps = s["deals_wanted"] != s["last"] - s["first"] + 1
    return f"chosen numbers from {ends}" if gaps else ends


def _limits_text(limits: dict[str, Any]) -> str:
    parts = [
        f"{limits['max_nodes']:,} nodes",
        f"{limits['max_memory_bytes'] / 2**20:,.0f} MiB a process",
    ]
    if limits["timeout_s"] is not None:
        parts.append(f"{limits['timeout_s']:g} s (results under a time limit are not reproducible)")
    return ", ".join(parts)
