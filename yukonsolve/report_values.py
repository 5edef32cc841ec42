"""A report as plain values: one JSON object, or CSV with one line a run.

Shares are fractions of one; the ends of intervals are rounded outward to nine places.
"""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any

from yukonsolve.claims import Judgement
from yukonsolve.paired import Pair
from yukonsolve.report import Report
from yukonsolve.rows import VERDICTS
from yukonsolve.rulesets import json_rules
from yukonsolve.stats import Interval
from yukonsolve.summary import CONFIDENCE, Run, Spread

_SPREADS = ("nodes", "seconds", "solution_length")


def report_json(report: Report) -> str:
    """Return a report as one line of JSON.

    Examples
    --------
    >>> from yukonsolve.report import build_report
    >>> sorted(json.loads(report_json(build_report([]))))
    ['alarms', 'claims', 'command', 'pairs', 'runs', 'yukonsolve']
    """
    return json.dumps(
        {
            "yukonsolve": report.tool_version,
            "command": report.command,
            "runs": [run_values(run) for run in report.runs],
            "pairs": [_pair_values(pair) for pair in report.pairs],
            "alarms": [_alarm_values(pair) for pair in report.alarms],
            "claims": [_claim_values(judgement) for judgement in report.judgements],
        }
    )


def run_values(run: Run) -> dict[str, Any]:
    """Return what a run says as plain JSON values.

    Examples
    --------
    >>> from yukonsolve.summary import read_run
    >>> run_values(read_run(Path("results/russian")))["solvable"]  # doctest: +SKIP
    67516
    """
    return {
        "label": run.label,
        "folder": str(run.folder),
        "rules": json_rules(run.rules),
        "rules_in_words": run.rules_in_words,
        "numbering": run.numbering,
        "first": run.numbers.first,
        "last": run.numbers.last,
        "deals": run.tally.total,
        "deals_wanted": run.wanted,
        "complete": not run.running,
        "running": run.running,
        "gaps": run.gaps,
        "limits": run.limits,
        "retries": list(run.retries),
        "solvable": run.tally.solvable,
        "unsolvable": run.tally.unsolvable,
        "undecided": run.tally.undecided,
        "undecided_reasons": run.reasons,
        "win_rate": _interval_values(run.interval, "Wilson"),
        "clopper_pearson": _interval_values(run.exact_interval, "Clopper-Pearson"),
        **{name: _spread_values(getattr(run, name)) for name in _SPREADS},
        "commands": list(run.commands),
        "machines": list(run.machines),
        "versions": list(run.versions),
        "solver": run.solver,
        "started_utc": run.started_utc,
        "ended_utc": run.ended_utc,
    }


def report_csv(report: Report) -> str:
    """Return the runs of a report as CSV with a header line; what is missing is an empty field.

    Examples
    --------
    >>> from yukonsolve.report import build_report
    >>> report_csv(build_report([])).split(",")[:2]
    ['label', 'folder']
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_CSV_COLUMNS)
    for run in report.runs:
        flat = _flat(run_values(run))
        writer.writerow([_csv_cell(flat.get(name)) for name in _CSV_COLUMNS])
    return text.getvalue()


_CSV_COLUMNS = (
    "label",
    "folder",
    *(f"rules.{name}" for name in ("name", "build", "spaces", "worrying_back", "draw", "passes")),
    "rules_in_words",
    "numbering",
    "first",
    "last",
    "deals",
    "deals_wanted",
    "running",
    "gaps",
    "solvable",
    "unsolvable",
    "undecided",
    *(f"{name}.{end}" for name in ("win_rate", "clopper_pearson") for end in ("low", "high")),
    *(
        f"{name}.{key}"
        for name in _SPREADS
        for key in ("median", "p90", "p99", "max", "mean", "total")
    ),
    "started_utc",
    "ended_utc",
)


def _flat(values: dict[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            flat |= {f"{name}.{key}": inner for key, inner in value.items()}
        else:
            flat[name] = value
    return flat


def _csv_cell(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _interval_values(interval: Interval | None, method: str) -> dict[str, Any] | None:
    if interval is None:
        return None
    low, high = interval.as_percent()
    centre, half = interval.as_midpoint()
    return {
        **_ends(interval),
        "low_percent": low,
        "high_percent": high,
        "centre_percent": centre,
        "half_width_percent": half,
        "confidence": CONFIDENCE,
        "method": f"{method}; undecided lost at the low end, won at the high end",
    }


def _ends(interval: Interval) -> dict[str, float]:
    return {
        "low": math.floor(interval.low * 1e9) / 1e9,
        "high": math.ceil(interval.high * 1e9) / 1e9,
    }


def _spread_values(spread: Spread | None) -> dict[str, float] | None:
    if spread is None:
        return None
    keys = ("median", "p90", "p99", "max", "mean", "total")
    values = {key: getattr(spread, key) for key in keys}
    return {key: int(v) if v.is_integer() else v for key, v in values.items()}


def _pair_values(pair: Pair) -> dict[str, Any]:
    return {
        "first": pair.first.label,
        "second": pair.second.label,
        "deals": pair.deals,
        "running": pair.running,
        "looser": pair.looser,
        "counts": {
            one: dict(zip(VERDICTS, counts, strict=True))
            for one, counts in zip(VERDICTS, pair.table, strict=True)
        },
        "gained": pair.gained,
        "given_up": pair.given_up,
        "open": pair.open,
        "mcnemar_p": {"low": pair.p_value.low, "high": pair.p_value.high},
        "difference": _ends(pair.difference)
        | {"confidence": CONFIDENCE, "method": "Tango; undecided bracketed; second less first"},
        "needed": None if pair.needed is None else _ends(pair.needed),
        "lost_count": pair.lost_count,
        "lost": list(pair.lost),
    }


def _alarm_values(pair: Pair) -> dict[str, Any]:
    return {
        "stricter": pair.first.label,
        "looser": pair.second.label,
        "numbering": pair.first.numbering,
        "lost_count": pair.lost_count,
        "lost": list(pair.lost),
    }


def _claim_values(judgement: Judgement) -> dict[str, Any]:
    claim = judgement.claim
    return {
        "name": claim.name,
        "low": round(claim.share.low, 9),
        "high": round(claim.share.high, 9),
        "kind": claim.kind,
        "about": claim.about_in_words or None,
        "words": claim.words or None,
        "source": claim.source or None,
        "run": judgement.run.label,
        "applies": bool(judgement.readings),
        "why_not": judgement.why_not or None,
        "readings": [
            {
                "of": reading.of,
                "verdict": reading.verdict,
                "sentence": reading.sentence,
                "left_over": None if reading.left_over is None else _ends(reading.left_over),
            }
            for reading in judgement.readings
        ],
    }
