"""Solve many numbers in worker processes; the only user of ``multiprocessing``.

Why not ``concurrent.futures``: there one killed worker loses everything in flight and hides which
deal it was at. Here each worker has its own pipe and says on a shared board which number it is
working on, so a death costs one chunk, the deal is known, and nobody else notices.

The caller compiles the kernels first: workers are forked where that is possible and start with
them. Workers ignore Ctrl-C (the parent tells them to stop) and end with the parent, however that
ends.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing as mp
import os
import platform
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import connection as mp_connection
from typing import Any

from yukonsolve.rows import Rows
from yukonsolve.worker import Job, WorkersError, error_row, work

CHUNK_SECONDS = 0.2
CHUNK_DEALS = 5000
LEAST_SECONDS = 0.01
"""Chunks grow short at the end, so that all workers end together, but no shorter than this."""
AHEAD = 2
"""Chunks at each worker: a second one waits, so that none is idle while this process writes a part.

No more than one, since a long deal keeps what waits behind it from workers that are free.
"""
LIST_DEALS = 1000
"""Longest list of numbers to send: were a worker's pipe full both ways, neither side could move."""
STOP_SECONDS = 1.0
_CRASHES_ALLOWED = 1
# SIGKILL comes from outside (a user, the system short of memory): the deal is hardly to blame.
_KILLS_ALLOWED = 10
_EMPTY_DEATHS_ALLOWED = 20


@dataclass
class _Worker:
    process: Any
    pipe: Any
    slot: int
    chunks: deque[Sequence[int]] = field(default_factory=deque)


class Pool:
    """A set of workers for one job.

    Parameters
    ----------
    job : Job
    jobs : int
        Worker processes.
    note : callable
        Takes one line about something the user should know (a deal that crashed a worker).

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> from yukonsolve.verdict import Limits
    >>> pool = Pool(Job(preset("russian"), Limits()), jobs=2)
    >>> for rows in pool.rows(range(1, 101), 100):  # doctest: +SKIP
    ...     print(len(rows))
    """

    def __init__(self, job: Job, jobs: int, note: Callable[[str], None] | None = None) -> None:
        self._job = job
        self._note = note or (lambda line: None)
        self._jobs = jobs
        self._context: Any = mp.get_context(start_method())
        self._stop = self._context.RawValue(ctypes.c_int8, 0)
        self._busy = self._context.RawArray(ctypes.c_int8, jobs)
        self._current = self._context.RawArray(ctypes.c_uint64, jobs)
        self._workers: dict[int, _Worker] = {}
        self._deaths: Counter[int] = Counter()
        self._empty_deaths = 0
        self._again: deque[Sequence[int]] = deque()
        self._deal_seconds = 0.0
        self._watched: dict[int, tuple[int, float]] = {}

    def rows(
        self, numbers: Iterable[int], total: int, stop: Callable[[], object] = lambda: False
    ) -> Iterator[Rows]:
        """Yield rows as they come, in no particular order.

        Parameters
        ----------
        numbers : iterable of int
            Each number once.
        total : int
            How many there are; only steers the chunk size towards the end.
        stop : callable
            Polled about five times a second; once it is true, workers hand over the rows they have
            and the deals they were at are dropped.

        Yields
        ------
        Rows
            Empty now and then, so that the caller can show signs of life.

        Raises
        ------
        WorkersError
            If workers keep dying without solving anything.
        """
        source = iter(numbers)
        self._left = total
        deadline = None
        try:
            for slot in range(self._jobs):
                self._start(slot)
            arrived: list[Rows] = []
            while True:
                if deadline is None and stop():
                    self._stop.value = 1
                    deadline = time.monotonic() + STOP_SECONDS
                if deadline is None:
                    self._hand_out(source)
                yield Rows.join(arrived)  # now that every worker has something to do
                working = [w for w in self._workers.values() if w.chunks]
                if not working or (deadline is not None and time.monotonic() > deadline):
                    return
                ready = mp_connection.wait(
                    [w.pipe for w in working] + [w.process.sentinel for w in working], timeout=0.2
                )
                arrived = []
                for worker in working:
                    if worker.pipe in ready:
                        arrived.append(self._receive(worker))
                    elif worker.process.sentinel in ready:
                        arrived.append(self._bury(worker))
        finally:
            self._shut_down()

    def long_deals(self, seconds: float) -> list[tuple[int, float]]:
        """Return (number, seconds so far) of deals that workers have been at for that long."""
        now = time.monotonic()
        found = []
        for slot in range(self._jobs):
            number = self._current[slot] if self._busy[slot] else -1
            if number < 0 or self._watched.get(slot, (-1, now))[0] != number:
                self._watched[slot] = (number, now)
            elif now - self._watched[slot][1] >= seconds:
                found.append((number, now - self._watched[slot][1]))
        return found

    def _start(self, slot: int) -> None:
        mine, theirs = self._context.Pipe()
        self._busy[slot] = 0
        process = self._context.Process(
            target=work,
            args=(self._job, slot, theirs, self._stop, self._busy, self._current, os.getpid()),
            daemon=True,
        )
        process.start()
        theirs.close()  # so that the death of the worker closes the pipe
        self._workers[slot] = _Worker(process, mine, slot)

    def _hand_out(self, source: Iterator[int]) -> None:
        for worker in self._workers.values():
            while len(worker.chunks) < self._ahead():
                chunk = self._again.popleft() if self._again else self._take(source)
                if not chunk:
                    return
                worker.chunks.append(chunk)
                try:
                    worker.pipe.send(chunk)
                except OSError:  # it has died; its sentinel tells in the next round
                    break

    def _chunk_size(self) -> int:
        if not self._deal_seconds:
            return 4
        fair = self._left // (4 * self._jobs)
        most = min(CHUNK_DEALS, int(CHUNK_SECONDS / self._deal_seconds))
        return max(1, min(most, max(fair, int(LEAST_SECONDS / self._deal_seconds))))

    def _ahead(self) -> int:
        """Return how many chunks to leave at each worker."""
        size = self._chunk_size()
        if self._left <= 8 * self._jobs * size:
            return 1  # near the end more would only keep deals from workers that are free
        return AHEAD

    def _take(self, source: Iterator[int]) -> Sequence[int]:
        chunk = list(islice(source, self._chunk_size()))
        self._left -= len(chunk)
        if chunk and chunk[-1] - chunk[0] + 1 == len(chunk):
            return range(chunk[0], chunk[-1] + 1)
        first, *rest = _short_lists(chunk) or [[]]
        self._again.extend(rest)
        return first

    def _receive(self, worker: _Worker) -> Rows:
        try:
            rows, notes, seconds = worker.pipe.recv()
        except (EOFError, OSError):
            return self._bury(worker)
        worker.chunks.popleft()
        for line in notes:
            self._note(line)
        if len(rows):
            self._empty_deaths = 0
            mean = seconds / len(rows)
            old = self._deal_seconds or mean
            self._deal_seconds = max(1e-6, 0.8 * old + 0.2 * mean)
        return rows  # type: ignore[no-any-return]

    def _bury(self, worker: _Worker) -> Rows:
        """Replace a dead worker, give its deals out again; return the row of a deal given up."""
        worker.process.join(1.0)
        code = worker.process.exitcode
        worker.pipe.close()
        lost = list(worker.chunks)
        rows = Rows.of([])
        if self._busy[worker.slot]:
            culprit = int(self._current[worker.slot])
            self._deaths[culprit] += 1
            lost = [[n for n in chunk if n != culprit] for chunk in lost]
            killed = code == -getattr(signal, "SIGKILL", 9)
            if self._deaths[culprit] > (_KILLS_ALLOWED if killed else _CRASHES_ALLOWED):
                rows = Rows.of([error_row(culprit)])
                self._note(f"deal {culprit} ended its worker again ({_cause(code)}): given up")
            else:
                self._again.append([culprit])
                self._note(f"a worker ended at deal {culprit} ({_cause(code)}): trying it alone")
        else:
            self._empty_deaths += 1
            if self._empty_deaths > _EMPTY_DEATHS_ALLOWED:
                raise WorkersError(f"workers end before they solve anything ({_cause(code)})")
        for chunk in lost:
            self._again.extend(_short_lists(chunk))
        self._start(worker.slot)
        return rows

    def _shut_down(self) -> None:
        workers = list(self._workers.values())
        for worker in workers:
            if worker.chunks:
                worker.process.kill()
            else:
                # Closing the pipe would not do: later workers inherited its other end.
                with contextlib.suppress(OSError):
                    worker.pipe.send(None)
        for worker in workers:
            worker.process.join(0.5)
            if worker.process.exitcode is None:
                worker.process.kill()
                worker.process.join()
            worker.process.close()
            worker.pipe.close()


def _short_lists(numbers: Sequence[int]) -> list[Sequence[int]]:
    """Return numbers in pieces that may be sent; a range is sent as its two ends."""
    if isinstance(numbers, range):
        return [numbers] if numbers else []
    return [numbers[i : i + LIST_DEALS] for i in range(0, len(numbers), LIST_DEALS)]


def start_method() -> str:
    """Return how processes are started here.

    Examples
    --------
    >>> start_method() in mp.get_all_start_methods()
    True
    """
    # A forked worker has the compiled kernels at once; elsewhere it reads them from the cache.
    if platform.system() == "Linux":
        return "fork"
    return "forkserver" if "forkserver" in mp.get_all_start_methods() else "spawn"


def _cause(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit status {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
