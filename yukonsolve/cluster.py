"""Solve numbers on the workers of a dask.distributed scheduler; the only user of ``distributed``.

The same chunks as `yukonsolve.pool`, handed to a scheduler instead of to processes here. A worker
needs this package in the same version, and nothing else: no file is shared. Each of its threads
has its own solver (kernels run without Python's lock). Kernels come from the worker's own cache,
or are compiled by its first chunk.

What a lost worker was at is given to another one by the scheduler. A chunk whose workers die again
and again is cut into single deals, and a deal that still ends them becomes an ``error`` row.
"""

from __future__ import annotations

import itertools
import queue
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from distributed import Client, get_worker
from distributed.scheduler import KilledWorker

from yukonsolve.provenance import solver_fingerprint
from yukonsolve.rows import Rows
from yukonsolve.worker import Job, WorkersError, error_row, solve_chunk

if TYPE_CHECKING:
    from yukonsolve.solver import Solver

CHUNK_SECONDS = 1.0
CHUNK_DEALS = 20_000
LEAST_SECONDS = 0.05
"""The shortest chunk towards the end: a task costs some milliseconds here and there."""
CHUNKS_A_THREAD = 3
CONNECT_SECONDS = 10.0
ASK_SECONDS = 2.0
_here = threading.local()


def solve_there(job: Job, numbers: Sequence[int], fingerprint: str) -> Any:
    """Solve a chunk; runs in a worker of the cluster.

    Parameters
    ----------
    job : Job
    numbers : sequence of int
    fingerprint : str
        The solver that is wanted; another one gives no rows but a line about that.

    Returns
    -------
    tuple or str
        (rows, notes, seconds), or why there are none.

    Examples
    --------
    >>> solve_there(job, range(1, 9), fingerprint)  # doctest: +SKIP
    """
    worker = get_worker()
    key = worker.get_current_task()

    def cancelled() -> bool:
        # Also when the run that asked has been killed: the scheduler then drops its tasks.
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    if getattr(_here, "ready_for", None) != (job, fingerprint):
        mine = solver_fingerprint(job.rules.family)
        if mine != fingerprint:
            return f"{worker.address} has another version of the solver: {mine}, not {fingerprint}"
        _here.solver, _here.ready_for = _ready_solver(job), (job, fingerprint)
    started = time.perf_counter()
    rows, notes = solve_chunk(job, _here.solver, numbers, cancelled, lambda number: None)
    return rows, notes, time.perf_counter() - started


def _ready_solver(job: Job) -> Solver:
    from yukonsolve.solver import Solver

    solver = Solver(job.rules, job.limits)
    solver.warm_up()
    return solver


class Cluster:
    """A scheduler's workers, used like a `yukonsolve.pool.Pool`.

    Parameters
    ----------
    job : Job
    address : str
        Of the scheduler, ``tcp://host:8786``; or the path of its scheduler file.
    note : callable, optional
        Takes one line about something the user should know.

    Raises
    ------
    WorkersError
        If no scheduler answers.

    Examples
    --------
    >>> cluster = Cluster(job, "tcp://127.0.0.1:8786")  # doctest: +SKIP
    """

    def __init__(self, job: Job, address: str, note: Callable[[str], None] | None = None) -> None:
        self._job = job
        self._note = note or (lambda line: None)
        self._fingerprint = solver_fingerprint(job.rules.family)
        where = {"scheduler_file": address} if address.endswith(".json") else {"address": address}
        try:
            connect: Any = Client
            self._client = connect(**where, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            line = (str(error) or type(error).__name__).splitlines()[0]
            raise WorkersError(f"no scheduler at {address} ({line})") from None
        self._arrived: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._pending: dict[str, tuple[Any, Sequence[int]]] = {}
        self._again: deque[Sequence[int]] = deque()
        self._deal_seconds = 0.0
        self._threads = 0
        self._asked = -ASK_SECONDS
        self._run = uuid.uuid4().hex[:8]
        self._ids = itertools.count()

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
            Polled about five times a second; once it is true, chunks under way are dropped.

        Yields
        ------
        Rows
            Empty now and then, so that the caller can show signs of life.

        Raises
        ------
        WorkersError
            If the scheduler is lost, or a worker has another version of the solver.
        """
        source = iter(numbers)
        self._left = total
        try:
            while not stop():
                self._hand_out(source)
                if not self._pending:
                    return
                arrived: list[Rows] = []
                try:
                    arrived.append(self._receive(self._arrived.get(timeout=0.2)))
                    while True:
                        arrived.append(self._receive(self._arrived.get_nowait()))
                except queue.Empty:
                    pass
                yield Rows.join(arrived)
        finally:
            self._client.cancel([future for future, _ in self._pending.values()], force=True)
            self._client.close()

    def long_deals(self, seconds: float) -> list[tuple[int, float]]:
        """Return nothing: which deal a worker is at is not known here."""
        return []

    def _hand_out(self, source: Iterator[int]) -> None:
        now = time.monotonic()
        if now - self._asked >= ASK_SECONDS:
            self._asked = now
            if self._client.status != "running":
                raise WorkersError("the scheduler is gone")
            threads = sum(self._client.nthreads().values())
            if threads != self._threads:
                self._note(f"the cluster has {threads} threads")
            self._threads = threads
        size = self._chunk_size()
        ahead = CHUNKS_A_THREAD if self._left > 8 * max(1, self._threads) * size else 1
        while len(self._pending) < ahead * max(1, self._threads):
            chunk = self._again.popleft() if self._again else self._take(source)
            if not chunk:
                return
            key = f"yukonsolve-{self._run}-{next(self._ids)}"
            future = self._client.submit(
                solve_there, self._job, chunk, self._fingerprint, key=key, pure=False
            )
            self._pending[key] = future, chunk
            future.add_done_callback(self._arrived.put)

    def _chunk_size(self) -> int:
        if not self._deal_seconds:
            return 4
        fair = self._left // (4 * max(1, self._threads))
        most = min(CHUNK_DEALS, int(CHUNK_SECONDS / self._deal_seconds))
        return max(1, min(most, max(fair, int(LEAST_SECONDS / self._deal_seconds))))

    def _take(self, source: Iterator[int]) -> Sequence[int]:
        chunk = list(itertools.islice(source, self._chunk_size()))
        self._left -= len(chunk)
        if chunk and chunk[-1] - chunk[0] + 1 == len(chunk):
            return range(chunk[0], chunk[-1] + 1)
        return chunk

    def _receive(self, future: Any) -> Rows:
        _, chunk = self._pending.pop(future.key)
        if future.status in ("cancelled", "lost"):
            raise WorkersError("the scheduler is gone, or has dropped this run")
        if future.status == "error":
            error = future.exception()
            if not isinstance(error, KilledWorker):
                raise WorkersError(f"a worker fails: {type(error).__name__}: {error}")
            return self._lost(chunk)
        answer = future.result()
        if isinstance(answer, str):
            raise WorkersError(answer)
        rows, notes, seconds = answer
        for line in notes:
            self._note(line)
        if len(rows):
            mean = seconds / len(rows)
            self._deal_seconds = max(1e-6, 0.8 * (self._deal_seconds or mean) + 0.2 * mean)
        if len(rows) < len(chunk):  # it was cancelled over there; nobody here asked for that
            got = set(rows.numbers.tolist())
            self._again.append([number for number in chunk if number not in got])
        return rows  # type: ignore[no-any-return]

    def _lost(self, chunk: Sequence[int]) -> Rows:
        if len(chunk) > 1:
            self._note(f"workers end at deals {chunk[0]} to {chunk[-1]}: trying each alone")
            self._again.extend([number] for number in chunk)
            return Rows.of([])
        self._note(f"deal {chunk[0]} ends its workers: given up")
        return Rows.of([error_row(chunk[0])])
