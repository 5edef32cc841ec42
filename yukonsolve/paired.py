"""Two runs on the same deals: which deals flip, and what that says of the difference.

Two rule sets on the same deals are compared by the deals that flip, not by their two intervals:
what makes a deal easy makes it easy under both, so the difference is known far better than either
rate. Undecided deals are counted apart, and every figure is bracketed over all ways they may fall.
"""

from __future__ import annotations

from dataclasses import dataclass

from yukonsolve.rows import VERDICTS
from yukonsolve.stats import Interval
from yukonsolve.summary import Run

SHOWN_LOST = 20
"""Deals named in an alarm."""

_SOLVABLE, _UNSOLVABLE, _UNDECIDED = range(len(VERDICTS))


@dataclass(frozen=True, eq=False)
class Pair:
    """Two runs on the same deals; the stricter one is ``first`` where one is.

    Parameters
    ----------
    first, second : Run
    deals : int
        Deals that have a row in both.
    table : tuple of tuple of int
        ``table[i][j]``: deals with verdict ``i`` in the first and ``j`` in the second run, both
        in the order of `yukonsolve.rows.VERDICTS`.
    looser : str or None
        ``"second"`` if every win under the first rules is one under the second, ``"equal"`` if the
        rules are equal, ``None`` if neither follows.
    p_value : Interval
        Least and greatest p of McNemar's exact test.
    difference : Interval
        95 % interval of the second rate less the first.
    needed : Interval or None
        95 % interval of the share of deals winnable under the second rules that the first ones
        lose; only where the second are looser, and some deal is solvable under them.
    lost : tuple of int
        Wins that the looser rules have lost: impossible, so one run is wrong. At most
        ``SHOWN_LOST`` of them; ``lost_count`` has their number.
    lost_count : int
    """

    first: Run
    second: Run
    deals: int
    table: tuple[tuple[int, ...], ...]
    looser: str | None
    p_value: Interval
    difference: Interval
    needed: Interval | None
    lost: tuple[int, ...]
    lost_count: int

    @property
    def gained(self) -> int:
        """Deals unsolvable in the first and solvable in the second run."""
        return self.table[_UNSOLVABLE][_SOLVABLE]

    @property
    def given_up(self) -> int:
        """Deals solvable in the first and unsolvable in the second run."""
        return self.table[_SOLVABLE][_UNSOLVABLE]

    @property
    def open(self) -> int:
        """Deals undecided in one run or both."""
        return sum(self.table[_UNDECIDED]) + sum(row[_UNDECIDED] for row in self.table[:2])

    @property
    def running(self) -> bool:
        """Whether one of the runs is not complete."""
        return self.first.running or self.second.running
