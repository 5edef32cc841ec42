"""What one worker process of `yukonsolve.pool` does: numbers in, rows out."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from yukonsolve.answers import Answers
from yukonsolve.rows import Row, Rows
from yukonsolve.rules import Rules
from yukonsolve.verdict import Limits, Reason, Verdict

if TYPE_CHECKING:
    from yukonsolve.solver import Solver


@dataclass(frozen=True)
class Job:
    """What every worker needs to know.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> Job(preset("yukon"), Limits()).numbering
    'native'
    """

    rules: Rules
    limits: Limits
    numbering: str = "native"
    keep_moves: bool = False


class WorkersError(Exception):
    """Workers cannot be kept alive or reached; the message is one line."""


class Executor(Protocol):
    """Where deals are solved: worker processes here, or a cluster's."""

    def rows(
        self, numbers: Iterable[int], total: int, stop: Callable[[], object] = ...
    ) -> Iterator[Rows]:
        """Yield rows as they come, in no particular order, and none now and then."""

    def long_deals(self, seconds: float) -> list[tuple[int, float]]:
        """Return (number, seconds so far) of deals that take that long."""


def error_row(number: int) -> Row:
    """Return the row of a deal whose search failed.

    Examples
    --------
    >>> error_row(7).reason
    'error'
    """
    return Row(number, Verdict.UNDECIDED.value, Reason.ERROR.value, 0, 0.0, 0, None, None)


def work(job: Job, slot: int, pipe: Any, stop: Any, busy: Any, current: Any, parent: int) -> None:
    """Answer chunks of numbers until ``None`` comes or the pipe ends.

    Parameters
    ----------
    job : Job
    slot : int
        This worker's place on the shared board.
    pipe : Connection
        Takes number sequences, gives (rows, notes, seconds).
    stop, busy, current : ctypes
        The board: whether to stop; per worker, whether a search runs and on which number.
    parent : int
        Process id to end with.

    Examples
    --------
    >>> work(job, 0, pipe, stop, busy, current, os.getppid())  # doctest: +SKIP
    """
    from yukonsolve.solver import Solver

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    solver = Solver(job.rules, job.limits)
    solver.warm_up()
    while True:
        try:
            numbers = pipe.recv()
        except (EOFError, OSError):
            return
        if numbers is None:
            return
        started = time.perf_counter()

        def at(number: int) -> None:
            current[slot] = number
            busy[slot] = 1

        rows, notes = solve_chunk(job, solver, numbers, lambda: bool(stop.value), at)
        busy[slot] = 0
        pipe.send((rows, notes, time.perf_counter() - started))


def solve_chunk(
    job: Job,
    solver: Solver,
    numbers: Sequence[int],
    should_stop: Callable[[], bool],
    at: Callable[[int], None],
) -> tuple[Rows, list[str]]:
    """Solve a chunk of numbers, in order, until told to stop.

    Parameters
    ----------
    job : Job
    solver : Solver
    numbers : sequence of int
    should_stop : callable
        Polled before each deal and during each search.
    at : callable
        Told each number before its search.

    Returns
    -------
    rows : Rows
        Of the deals that came to an end.
    notes : list of str
        Lines about deals that failed.

    Examples
    --------
    >>> solve_chunk(job, solver, range(1, 9), lambda: False, print)  # doctest: +SKIP
    """
    notes: list[str] = []
    pieces: list[Rows] = []
    if isinstance(numbers, range):
        pieces, well = _in_bulk(job, solver, numbers, should_stop, at)
        if well:
            return Rows.join(pieces), notes
        # A deal failed: it is met again, named and passed over below.
        numbers = numbers[sum(map(len, pieces)) :]
    for number in numbers:
        if should_stop():
            break
        at(number)
        row = _solve_one(job, solver, number, should_stop, notes)
        if row is None:
            break
        pieces.append(Rows.of([row]))
    return Rows.join(pieces), notes


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def _in_bulk(
    job: Job,
    solver: Solver,
    numbers: range,
    should_stop: Callable[[], bool],
    at: Callable[[int], None],
) -> tuple[list[Rows], bool]:
    """Return rows of the first deals, up to a stop or a failure, and whether there was none."""
    pieces: list[Rows] = []
    left = numbers
    at(left[0])
    try:
        for answers in solver.survey(_decks(job, numbers), should_stop):
            pieces.append(Rows.of_answers(left[: len(answers)], answers, job.keep_moves))
            left = left[len(answers) :]
            if left:
                at(left[0])
    except Exception:  # one deal's failure must not end a run of millions
        return pieces, False
    return pieces, True


def _decks(job: Job, numbers: range) -> NDArray[np.uint8]:
    from yukonsolve.decks import native_decks
    from yukonsolve.numbering import deck_of_number

    if job.numbering == "native":
        return native_decks(numbers[0], len(numbers), job.rules.n_cards)
    decks = [deck_of_number(job.numbering, number, job.rules) for number in numbers]
    return np.array(decks, dtype=np.uint8)


def _solve_one(
    job: Job, solver: Solver, number: int, should_stop: Callable[[], bool], notes: list[str]
) -> Row | None:
    """Return a deal's row, or ``None`` if the search was stopped."""
    from yukonsolve.deal import deal_from_deck

    deck = tuple(_decks(job, range(number, number + 1))[0].tolist())
    try:
        result = solver.solve(deal_from_deck(deck, job.rules), should_stop)
    except Exception as error:  # one deal's failure must not end a run of millions
        notes.append(f"deal {number} failed: {type(error).__name__}: {error}")
        return error_row(number)
    if result.reason is Reason.INTERRUPTED:
        return None
    return next(iter(Rows.of_answers([number], Answers.of(result), job.keep_moves)))
