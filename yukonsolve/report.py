"""From the rows of a results folder to its report, as text or as JSON."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yukonsolve.folder import read_manifest, read_rows
from yukonsolve.stats import Tally, bracket

if TYPE_CHECKING:
    import pyarrow as pa

CONFIDENCE = 0.95


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
    table = read_rows(folder, ["verdict", "reason", "nodes", "seconds"])
    verdicts = _counts(table, "verdict")
    tally = Tally(*(verdicts.get(v, 0) for v in ("solvable", "unsolvable", "undecided")))
    first, last = identity["first"], identity["last"]
    summary: dict[str, Any] = {
        "rules": identity["rules"],
        "rules_in_words": identity["rules_in_words"],
        "numbering": identity["numbering"],
        "first": first,
        "last": last,
        "deals": tally.total,
        "deals_wanted": last - first + 1,
        "complete": tally.total == last - first + 1,
        "limits": identity["limits"],
        "solvable": tally.solvable,
        "unsolvable": tally.unsolvable,
        "undecided": tally.undecided,
        "reasons": _counts(table, "reason"),
    }
    if tally.total:
        summary["win_rate"] = _win_rate(tally)
        for name in ("nodes", "seconds"):
            summary[name] = _spread(table, name)
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
        f"Deals: {s['numbering']}:{s['first']} to {s['numbering']}:{s['last']}, {s['deals']:,} "
        + ("in all" if s["complete"] else f"of {s['deals_wanted']:,}: NOT COMPLETE"),
        f"Limits: {_limits_text(s['limits'])}",
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


def _counts(table: pa.Table, name: str) -> dict[str, int]:
    counted = table.column(name).value_counts().to_pylist()
    return {entry["values"]: entry["counts"] for entry in sorted(counted, key=_by_count)}


def _by_count(entry: dict[str, Any]) -> tuple[int, str]:
    return -entry["counts"], entry["values"]


def _spread(table: pa.Table, name: str) -> dict[str, float]:
    import numpy as np

    values = table.column(name).to_numpy()
    median, p90 = np.quantile(values, [0.5, 0.9])
    figures = {"median": median, "p90": p90, "max": values.max(), "total": values.sum()}
    return {key: float(value) for key, value in figures.items()}


def _whole(value: float) -> float:
    return int(value) if value.is_integer() else value  # a median may lie between two


def _limits_text(limits: dict[str, Any]) -> str:
    parts = [
        f"{limits['max_nodes']:,} nodes",
        f"{limits['max_memory_bytes'] / 2**20:,.0f} MiB a process",
    ]
    if limits["timeout_s"] is not None:
        parts.append(f"{limits['timeout_s']:g} s (results under a time limit are not reproducible)")
    return ", ".join(parts)
