from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from fakes import FakeSolver, module

from yukonsolve import pool as pool_module
from yukonsolve import worker
from yukonsolve.deal import deal_from_deck
from yukonsolve.pool import Pool
from yukonsolve.rows import Row
from yukonsolve.rules import preset
from yukonsolve.store import Store
from yukonsolve.verdict import Limits
from yukonsolve.worker import Job, WorkersError

RULES = preset("yukon")
JOB = Job(RULES, Limits())
NUMBERS = range(1, 201)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="fakes reach workers by fork")


def deck(number: int) -> tuple[int, ...]:
    cards = list(range(52))
    random.Random(number).shuffle(cards)
    return tuple(cards)


def decks(job: Job, numbers: range) -> np.ndarray:
    return np.array([deck(n) for n in numbers], dtype=np.uint8)


@pytest.fixture(autouse=True)
def fake(monkeypatch):
    monkeypatch.setitem(sys.modules, "yukonsolve.solver", module())
    monkeypatch.setattr(worker, "_decks", decks)
    monkeypatch.setattr(FakeSolver, "trouble", {})
    monkeypatch.setattr(FakeSolver, "pause_s", 0.0)


def trouble(number: int, what: str) -> None:
    FakeSolver.trouble[deal_from_deck(deck(number), RULES).columns] = what


def run(jobs: int, numbers=NUMBERS, notes: list[str] | None = None, **options) -> dict[int, Row]:
    pool = Pool(JOB, jobs, notes.append if notes is not None else None)
    rows: dict[int, Row] = {}
    for arrived in pool.rows(numbers, len(numbers), **options):
        for row in arrived:
            assert row.number not in rows
            rows[row.number] = row._replace(seconds=0.0)
    return rows


def test_rows_do_not_depend_on_the_number_of_workers():
    one = run(1)
    assert sorted(one) == list(NUMBERS)
    assert run(2) == one
    assert run(3, [*NUMBERS[::3], *NUMBERS[1::3], *NUMBERS[2::3]]) == one
    assert {row.verdict for row in one.values()} == {"solvable", "unsolvable", "undecided"}


def test_lists_are_sent_in_short_pieces(monkeypatch):
    monkeypatch.setattr(pool_module, "LIST_DEALS", 3)
    sent: list[int] = []

    class Watched(Pool):
        def _start(self, slot: int) -> None:
            super()._start(slot)
            pipe = self._workers[slot].pipe
            self._workers[slot].pipe = WatchedPipe(pipe, sent)

    odd = range(1, 201, 2)
    rows = {row.number for piece in Watched(JOB, 2).rows(odd, len(odd)) for row in piece}
    assert rows == set(odd)
    assert max(sent) == 3


@pytest.mark.parametrize(
    ("deal_seconds", "left", "size"),
    [
        (1e-4, 10**6, 2000),  # as much as is not too long
        (1e-6, 10**6, 5000),  # nor too many
        (1e-4, 3200, 400),  # a fair share of what is left for two workers
        (1e-4, 20, 100),  # but worth the way
        (0.03, 100, 6),
        (30.0, 100, 1),
    ],
)
def test_chunks_fit_what_is_left(deal_seconds, left, size):
    two = Pool(JOB, 2)
    two._deal_seconds, two._left = deal_seconds, left
    assert two._chunk_size() == size


class WatchedPipe:
    """A pipe that notes how long the number lists are that go into it."""

    def __init__(self, pipe, sent: list[int]) -> None:
        self._pipe = pipe
        self._sent = sent

    def send(self, numbers) -> None:
        if numbers is not None:
            self._sent.append(len(numbers))
        self._pipe.send(numbers)

    def __getattr__(self, name: str):
        return getattr(self._pipe, name)


def test_no_numbers_is_no_work():
    assert run(2, range(0)) == {}


@pytest.mark.parametrize("what", ["crash", "kill"])
def test_a_deal_that_ends_its_worker_is_given_up_and_no_other(what):
    expected = run(1)
    trouble(57, what)
    notes: list[str] = []
    rows = run(2, notes=notes)
    assert rows.pop(57)[:3] == (57, "undecided", "error")
    expected.pop(57)
    assert rows == expected
    assert "trying it alone" in notes[0]
    assert "57" in notes[-1]
    assert "given up" in notes[-1]


def test_a_deal_that_fails_is_recorded_and_named():
    expected = run(1)
    trouble(57, "raise")
    notes: list[str] = []
    rows = run(2, notes=notes)
    assert rows.pop(57).reason == "error"
    expected.pop(57)
    assert rows == expected
    assert notes == ["deal 57 failed: RuntimeError: the rule book refuses a line"]


def test_workers_killed_at_random_cost_nothing(monkeypatch):
    expected = run(1)
    monkeypatch.setattr(FakeSolver, "pause_s", 0.005)
    pool = Pool(JOB, 2)
    chance = random.Random(5)
    rows: dict[int, Row] = {}
    kills = 0
    for arrived in pool.rows(NUMBERS, len(NUMBERS)):
        rows |= {row.number: row._replace(seconds=0.0) for row in arrived}
        if kills < 15 and chance.random() < 0.5:
            victim = chance.choice(list(pool._workers.values()))
            os.kill(victim.process.pid, signal.SIGKILL)
            kills += 1
    assert kills >= 5
    assert rows == expected


def test_workers_that_cannot_start_are_an_error(monkeypatch):
    monkeypatch.setattr(FakeSolver, "warm_up", lambda self: os._exit(9))
    with pytest.raises(WorkersError, match="exit status 9"):
        run(2)


def test_stop_keeps_finished_rows_and_drops_the_running_deal():
    expected = run(1)
    trouble(20, "forever")
    begun = time.monotonic()
    rows = run(1, NUMBERS, stop=lambda: time.monotonic() > begun + 0.5)
    assert sorted(rows) == list(range(1, 20))
    assert all(expected[number] == row for number, row in rows.items())


def test_stop_does_not_wait_for_a_deal_that_does_not_listen():
    trouble(5, "deaf")
    begun = time.monotonic()
    run(2, stop=lambda: time.monotonic() > begun + 0.2)
    assert time.monotonic() < begun + 30


def test_closing_early_leaves_no_worker():
    pool = Pool(JOB, 2)
    rows = pool.rows(NUMBERS, len(NUMBERS))
    next(rows)
    processes = [w.process.pid for w in pool._workers.values()]
    rows.close()
    for pid in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_long_deals_are_named():
    trouble(20, "forever")
    pool = Pool(JOB, 1)
    begun = time.monotonic()
    named: list[tuple[int, float]] = []
    for _ in pool.rows(NUMBERS, len(NUMBERS), named.__len__):
        named += pool.long_deals(0.3)
        assert time.monotonic() < begun + 30
    assert named[0][0] == 20
    assert named[0][1] >= 0.3


def test_workers_end_with_a_killed_parent(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(
        "import os, sys, time\n"
        "from fakes import FakeSolver, module\n"
        "sys.modules['yukonsolve.solver'] = module()\n"
        "FakeSolver.solve = lambda *_: time.sleep(60)\n"
        "from yukonsolve.pool import Pool\n"
        "from yukonsolve.rules import preset\n"
        "from yukonsolve.verdict import Limits\n"
        "from yukonsolve import worker\n"
        "pool = Pool(worker.Job(preset('yukon'), Limits()), 2)\n"
        "for _ in pool.rows(range(9), 9):\n"
        "    print(*[w.process.pid for w in pool._workers.values()], flush=True)\n"
    )
    environment = os.environ | {"PYTHONPATH": os.path.dirname(__file__)}  # noqa: PTH120
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=environment
    ) as parent:
        assert parent.stdout is not None
        workers = [int(pid) for pid in parent.stdout.readline().split()]
        parent.kill()
    assert len(workers) == 2
    deadline = time.monotonic() + 20
    while any(alive(pid) for pid in workers):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:  # noqa: PTH123
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_run_stopped_ten_times_ends_in_the_same_dataset(tmp_path, monkeypatch):
    def go(folder, seconds: float | None) -> bool:
        with Store(folder, {}, NUMBERS, {}, part_rows=30) as store:
            begun = time.monotonic()
            stop = threading.Event()
            for rows in Pool(JOB, 2).rows(store.missing(), 200, stop.is_set):
                store.add([row._replace(seconds=0.0) for row in rows])
                if seconds is not None and time.monotonic() > begun + seconds:
                    stop.set()
            return store.complete

    assert go(tmp_path / "whole", None)
    monkeypatch.setattr(FakeSolver, "pause_s", 0.004)
    for _ in range(10):
        go(tmp_path / "stopped", 0.05)
    assert go(tmp_path / "stopped", None)
    whole, stopped = (
        {path.name: path.read_bytes() for path in (tmp_path / name).glob("part-*")}
        for name in ("whole", "stopped")
    )
    assert len(whole) == 7
    assert stopped == whole


def test_a_chunk_in_bulk_has_the_rows_of_its_deals_one_by_one():
    from yukonsolve.solver import Solver
    from yukonsolve.worker import solve_chunk

    job = Job(preset("russian"), Limits(max_nodes=2000), keep_moves=True)
    solver = Solver(job.rules, job.limits)
    seen: list[int] = []
    bulk, notes = solve_chunk(job, solver, range(1, 201), lambda: False, seen.append)
    single = [
        row
        for number in range(1, 201)
        for row in solve_chunk(job, solver, [number], lambda: False, seen.append)[0]
    ]
    assert notes == []
    assert [row._replace(seconds=0) for row in bulk] == [row._replace(seconds=0) for row in single]
    assert sum(row.moves is not None for row in bulk) > 3
