"""Slices of a search: how long to let a kernel run, and whether to stop in between."""

from __future__ import annotations

import time
from collections.abc import Callable

from yukonsolve.verdict import Reason

SLICE_S = 0.05
FIRST_SLICE_NODES = 256


class Clock:
    """Time limit, interruption, and how many nodes make a slice.

    Parameters
    ----------
    begun : float
        When the search began (``time.perf_counter``).
    timeout_s : float or None
    should_stop : callable or None

    Examples
    --------
    >>> Clock(time.perf_counter(), None, lambda: True).stop().value
    'interrupted'
    """

    def __init__(
        self, begun: float, timeout_s: float | None, should_stop: Callable[[], bool] | None
    ) -> None:
        self.deadline = None if timeout_s is None else begun + timeout_s
        self.should_stop = should_stop
        self.slice_nodes = FIRST_SLICE_NODES
        self.last = begun

    def stop(self) -> Reason | None:
        """Return why to stop now, if at all."""
        self.last = time.perf_counter()
        if self.deadline is not None and self.last >= self.deadline:
            return Reason.TIME
        if self.should_stop is not None and self.should_stop():
            return Reason.INTERRUPTED
        return None

    def adapt(self) -> None:
        """Size the next slice by how long the last one took."""
        took = max(time.perf_counter() - self.last, 1e-6)
        target = SLICE_S
        if self.deadline is not None:
            target = min(target, max(self.deadline - time.perf_counter(), 1e-3))
        factor = min(4.0, max(0.1, target / took))
        self.slice_nodes = max(16, int(self.slice_nodes * factor))
