"""Measure what surrounds the kernels in a batch, and the speed-up of a second process.

    python benchmarks/around.py --deals 200000 --record results/checks/around.json

Processor time, which other programs on the machine disturb little: of the whole command with one
job, processes, files and report included, and of the kernels alone for the same deals, timed in
this process call by call. Wall times of one job and two, each the best of the repeats, mean
something on an idle machine only; the load is recorded with them.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from yukonsolve import bulk
from yukonsolve.decks import native_decks
from yukonsolve.provenance import machine, solver_fingerprint, utc_now, versions
from yukonsolve.rules import preset
from yukonsolve.solver import Solver

PIECE = 5000


def main() -> None:
    options = _options()
    before = os.getloadavg()
    kernel = min(_kernel_seconds(options.rules, options.deals) for _ in range(options.repeat))
    runs = {
        jobs: [_run(options.rules, options.deals, jobs) for _ in range(options.repeat)]
        for jobs in (1, 2)
    }
    whole = min(cpu for _, cpu in runs[1])
    one, two = (min(wall for wall, _ in runs[jobs]) for jobs in (1, 2))
    record = {
        "command": " ".join(["python", "benchmarks/around.py", *sys.argv[1:]]),
        "rules": options.rules,
        "deals": options.deals,
        "kernel_cpu_seconds": round(kernel, 2),
        "whole_command_cpu_seconds": round(whole, 2),
        "around_per_kernel": round(whole / kernel - 1, 3),
        "wall_seconds_1_job": round(one, 2),
        "wall_seconds_2_jobs": round(two, 2),
        "speed_up": round(one / two, 2),
        "cpu_seconds_2_jobs": round(min(cpu for _, cpu in runs[2]), 2),
        "load_before_and_after": [round(before[0], 1), round(os.getloadavg()[0], 1)],
        "machine": machine(),
        "versions": versions(),
        "solver": solver_fingerprint(preset(options.rules).family),
        "date": utc_now(),
    }
    print(json.dumps(record, indent=2))
    if options.record:
        options.record.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rules", choices=("russian", "yukon"), default="russian")
    parser.add_argument("--deals", type=int, default=200_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--record", type=Path, metavar="FILE")
    return parser.parse_args()


def _kernel_seconds(rules: str, deals: int) -> float:
    """Return the processor time of all bulk calls, and of the searches that follow them."""
    solver = Solver(preset(rules))
    solver.warm_up()
    spent = [0.0]
    before: list[tuple[Any, str, Any]] = []
    for owner, name in ((bulk, "survey"), (solver._engine, "search")):
        before.append((owner, name, getattr(owner, name)))
        setattr(owner, name, _timed(getattr(owner, name), spent))
    for first in range(1, deals + 1, PIECE):
        for _ in solver.survey(native_decks(first, min(PIECE, deals + 1 - first))):
            pass
    for owner, name, function in before:
        setattr(owner, name, function)
    return spent[0]


def _timed(function: Callable[..., Any], spent: list[float]) -> Callable[..., Any]:
    def timed(*arguments: Any) -> Any:
        begun = time.process_time()
        try:
            return function(*arguments)
        finally:
            spent[0] += time.process_time() - begun

    return timed


def _run(rules: str, deals: int, jobs: int) -> tuple[float, float]:
    """Return wall and processor seconds of a whole command."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "yukonsolve", "batch", rules, "--seeds", f"1-{deals}"]
        command += ["--jobs", str(jobs), "--out", str(Path(folder) / "out")]
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        begun = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        wall = time.perf_counter() - begun
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime


if __name__ == "__main__":
    main()
