"""Kill a batch at random moments, go on each time, and compare with a run that was left alone.

    python benchmarks/kill_test.py --record results/checks/kill_test.json

Each of the kills is one of: kill -9 of one worker, of all workers, of the main process, of the
main process and its workers, Ctrl-C once, Ctrl-C twice. Now and then a part or a journal is cut
short between two runs, as a failing disk would leave it. In the end every column but `seconds`
must be equal, no row lost and none twice.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import psutil
import pyarrow.parquet as pq

from yukonsolve.provenance import machine, solver_fingerprint, utc_now, versions
from yukonsolve.rules import PRESETS

KINDS = ["worker", "all workers", "parent", "parent and workers", "ctrl-c", "ctrl-c twice"]


def main() -> None:
    options = _options()
    chance = random.Random(options.random)
    with tempfile.TemporaryDirectory() as name:
        whole, killed = Path(name) / "whole", Path(name) / "killed"
        begun = time.monotonic()
        if _start(options, whole).wait():
            sys.exit("the run that was left alone failed")
        seconds = time.monotonic() - begun
        print(f"left alone: {seconds:.1f} s", flush=True)
        kinds = [KINDS[i % len(KINDS)] for i in range(options.kills)]
        chance.shuffle(kinds)
        done: Counter[str] = Counter()
        runs = cuts = 0
        pause = max(0.2, 1.4 * seconds / max(1, options.kills))
        while kinds:
            process = _start(options, killed)
            runs += 1
            while kinds and process.poll() is None:
                if not _wait(process, chance.uniform(0.02, pause)):
                    break
                kind = kinds.pop()
                _kill(process, kind)
                done[kind] += 1
                print(f"{sum(done.values()):>3} {kind}: {_rows(killed):,} rows", flush=True)
                if kind not in ("worker", "all workers"):
                    process.wait()
            _end(process)
            if process.returncode == 0 and kinds:
                print(f"finished before {len(kinds)} kills were done: take more --deals")
                break
            if runs % 5 == 0:
                cuts += _cut(killed, chance)
        if _start(options, killed).wait():
            sys.exit("the last run failed")
        verdict = _compare(whole, killed)
    record = {
        "command": shlex.join(["python", "benchmarks/kill_test.py", *sys.argv[1:]]),
        "rules": options.rules,
        "deals": options.deals,
        "jobs": options.jobs,
        "kills": dict(done),
        "kills_in_all": sum(done.values()),
        "runs": runs + 1,
        "files_cut_short": cuts,
        "seconds_left_alone": round(seconds, 1),
        "outcome": verdict,
        "solver": solver_fingerprint(PRESETS[options.rules].family),
        "versions": versions(),
        "machine": machine(),
        "finished_utc": utc_now(),
    }
    print(json.dumps(record, indent=2))
    if options.record is not None:
        options.record.parent.mkdir(parents=True, exist_ok=True)
        options.record.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    if verdict != "identical" or sum(done.values()) < options.kills:
        sys.exit(1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", default="russian", choices=list(PRESETS))
    parser.add_argument("--deals", type=int, default=300_000)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--max-nodes", type=int, help="node limit a deal")
    parser.add_argument("--random", type=int, default=1, help="start of the random moments")
    parser.add_argument("--record", type=Path, metavar="FILE")
    return parser.parse_args()


def _start(options: argparse.Namespace, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "yukonsolve", "batch", options.rules]
    command += ["--seeds", f"1-{options.deals}", "--jobs", str(options.jobs), "--out", str(folder)]
    if options.max_nodes:
        command += ["--max-nodes", str(options.max_nodes)]
    quiet = subprocess.DEVNULL
    # A process group of its own, so that Ctrl-C reaches main process and workers, and not us.
    return subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True)


def _workers(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Return its child processes: workers, and the one that will make the report."""
    try:
        return psutil.Process(process.pid).children()
    except psutil.NoSuchProcess:
        return []


def _wait(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait for workers and then for some time; false if the run has ended meanwhile."""
    while len(_workers(process)) < 2:
        if process.poll() is not None:
            return False
        time.sleep(0.01)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return True
    return False


def _kill(process: subprocess.Popen[bytes], kind: str) -> None:
    workers = _workers(process)
    if kind in ("parent", "parent and workers"):
        process.kill()
    if kind.startswith("ctrl-c"):
        process.send_signal(signal.SIGINT)
        for worker in workers:
            _send(worker, signal.SIGINT)
        if kind == "ctrl-c twice":
            time.sleep(0.35)  # sooner they would count as one
            process.send_signal(signal.SIGINT)
    elif kind != "parent":
        for worker in workers[-1:] if kind == "worker" else workers:
            _send(worker, signal.SIGKILL)


def _send(worker: psutil.Process, number: int) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        worker.send_signal(number)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.kill()
    process.wait()
    time.sleep(0.1)


def _rows(folder: Path) -> int:
    return sum(pq.read_metadata(path).num_rows for path in folder.glob("part-*.parquet"))


def _cut(folder: Path, chance: random.Random) -> int:
    """Cut the end off a part or a journal."""
    files = sorted([*folder.glob("part-*.parquet"), *folder.glob("_journal-*")])
    if not files:
        return 0
    path = chance.choice(files)
    data = path.read_bytes()
    path.write_bytes(data[: chance.randrange(len(data) + 1)])
    print(f"    {path.name} cut short", flush=True)
    return 1


def _compare(whole: Path, killed: Path) -> str:
    one, two = (pq.read_table(folder).drop_columns(["seconds"]) for folder in (whole, killed))
    names = [sorted(path.name for path in folder.iterdir()) for folder in (whole, killed)]
    if names[0] != names[1]:
        return f"other files: {sorted(set(names[0]) ^ set(names[1]))}"
    if one.num_rows != two.num_rows:
        return f"{two.num_rows} rows, not {one.num_rows}"
    return "identical" if one == two else "rows differ"


if __name__ == "__main__":
    main()
