"""Check verdicts against the reference deals, then time the solver on the same deals.

    python benchmarks/run.py russian --record
    python benchmarks/run.py --list

A run that contradicts a reference verdict fails and is not timed. Compilation is timed apart.
One process, one deal after another; `yukonsolve batch` is what uses several cores.
"""

from __future__ import annotations

import argparse
import csv
import json
import shlex
import statistics
import subprocess
import sys
import time
from dataclasses import asdict
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

from yukonsolve.cards import parse_card
from yukonsolve.deal import Deal, deal_from_deck
from yukonsolve.provenance import machine, solver_fingerprint, utc_now, versions
from yukonsolve.rules import preset
from yukonsolve.verdict import Limits, Result

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "tests" / "data" / "yukon_family.csv"
RESULTS = ROOT / "results" / "benchmarks"


class BenchmarkSet(NamedTuple):
    preset: str
    spaces: str
    column: str
    deals: int


SETS = {
    "russian": BenchmarkSet("russian", "kings", "russian", 1000),
    "russian-any": BenchmarkSet("russian", "any", "russian_any", 1000),
    "yukon": BenchmarkSet("yukon", "kings", "yukon", 200),
    "yukon-any": BenchmarkSet("yukon", "any", "yukon_any", 200),
}


def main() -> None:
    options = _options()
    if options.list:
        for name, what in SETS.items():
            print(f"{name:<12} {what.deals:>5} deals, {what.preset}, {what.spaces} to spaces")
        return
    for name in options.sets or list(SETS):
        target = RESULTS / f"{datetime.now(timezone.utc):%Y-%m-%d}-{name}.json"
        if options.record and target.exists() and not options.force:
            sys.exit(f"{target.relative_to(ROOT)} exists; --force replaces it")
        record = run(name, options.deals, options.repeats, options.max_nodes)
        print(summary(record))
        if options.record:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
            print(f"recorded in {target.relative_to(ROOT)}")


def run(name: str, deals: int | None, repeats: int, max_nodes: int | None) -> dict[str, Any]:
    """Verify a set, time it, and return the record."""
    from yukonsolve.solver import Solver

    what = SETS[name]
    rules = preset(what.preset, spaces=what.spaces)
    solver = Solver(rules, Limits(max_nodes=max_nodes))
    started = utc_now()
    warm_up_s = solver.warm_up()
    with REFERENCE.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))[: deals or what.deals]
    cases = [(row["id"], read_deck(row["cards"]), row[what.column]) for row in rows]
    fresh = [deal_from_deck(deck, rules) for _, deck, _ in cases]

    results, seconds = solve_all(solver, fresh)
    against = [
        f"{id_}: {result.verdict.value} here, {known} in the reference"
        for (id_, _, known), result in zip(cases, results, strict=True)
        if "undecided" not in (known, result.verdict.value) and known != result.verdict.value
    ]
    if against:
        sys.exit(f"{name}: verdicts contradict the reference\n" + "\n".join(against))
    times = [seconds]
    for _ in range(repeats - 1):
        again, seconds = solve_all(solver, fresh)
        if [(r.verdict, r.nodes) for r in again] != [(r.verdict, r.nodes) for r in results]:
            sys.exit(f"{name}: a second run gave other verdicts or node counts")
        times.append(seconds)

    nodes = sum(result.nodes for result in results)
    verdicts = [result.verdict.value for result in results]
    middle = statistics.median(times)
    return {
        "set": name,
        "command": shlex.join(["python", "benchmarks/run.py", *sys.argv[1:]]),
        "started_utc": started,
        "revision": revision(),
        "solver": solver_fingerprint(),
        "machine": machine(),
        "versions": versions(),
        "rules": rules.describe(),
        "limits": asdict(solver.limits) | {"max_nodes": solver.max_nodes},
        "deals": len(cases),
        "verdicts": {v: verdicts.count(v) for v in ("solvable", "unsolvable", "undecided")},
        "decided_share": 1 - verdicts.count("undecided") / len(cases),
        "undecided_ids": [
            id_ for (id_, _, _), v in zip(cases, verdicts, strict=True) if v == "undecided"
        ],
        "nodes": nodes,
        "warm_up_seconds": round(warm_up_s, 3),
        "run_seconds": [round(t, 4) for t in times],
        "deals_per_second": round(len(cases) / middle, 2),
        "seconds_per_deal": round(middle / len(cases), 7),
        "nodes_per_second": round(nodes / middle),
        "slowest_deal_seconds": round(max(result.seconds for result in results), 4),
    }


def solve_all(solver: Any, deals: list[Deal]) -> tuple[list[Result], float]:
    begun = time.perf_counter()
    results = [solver.solve(deal) for deal in deals]
    return results, time.perf_counter() - begun


def read_deck(text: str) -> tuple[int, ...]:
    return tuple(parse_card(text[i : i + 2]) for i in range(0, len(text), 2))


def revision() -> str | None:
    """Return the commit, marked when the tree differs from it."""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def summary(record: dict[str, Any]) -> str:
    counts = ", ".join(f"{n:,} {verdict}" for verdict, n in record["verdicts"].items())
    return (
        f"{record['set']}: {record['deals']:,} deals verified: {counts}; "
        f"decided {100 * record['decided_share']:.2f} %\n"
        f"  {record['deals_per_second']:,.1f} deals/s, {record['nodes_per_second']:,} nodes/s, "
        f"{record['seconds_per_deal']:.6f} s a deal (median of {len(record['run_seconds'])} runs); "
        f"slowest deal {record['slowest_deal_seconds']:.3f} s; "
        f"kernels ready in {record['warm_up_seconds']:.2f} s"
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(SETS)}; default all")
    parser.add_argument("--list", action="store_true", help="list the sets and end")
    parser.add_argument("--repeats", type=int, default=3, help="timed runs (default 3)")
    parser.add_argument("--deals", type=int, help="only the first N deals")
    parser.add_argument("--max-nodes", type=int, help="node limit a deal")
    parser.add_argument("--record", action="store_true", help="write results/benchmarks/...json")
    parser.add_argument("--force", action="store_true", help="replace today's record")
    options = parser.parse_args()
    unknown = set(options.sets) - set(SETS)
    if unknown:
        parser.error(f"unknown set {', '.join(sorted(unknown))}; known: {', '.join(SETS)}")
    return options


if __name__ == "__main__":
    main()
