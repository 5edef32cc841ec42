"""Win rates from counts: numbers in, numbers out.

An undecided deal is neither dropped nor guessed: the low end of an interval counts every one as
lost, the high end as won, so the interval is right whichever way they fall.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from typing import Literal


@dataclass(frozen=True)
class Tally:
    """Counts of the three verdicts.

    Parameters
    ----------
    solvable, unsolvable, undecided : int
        Deals with each verdict.

    Examples
    --------
    >>> Tally(81, 18, 1).total
    100
    """

    solvable: int
    unsolvable: int
    undecided: int

    @property
    def total(self) -> int:
        """Deals counted, undecided ones included."""
        return self.solvable + self.unsolvable + self.undecided


@dataclass(frozen=True)
class Interval:
    """An interval for a share, as fractions of one.

    Examples
    --------
    >>> Interval(0.25, 0.75).as_percent(1)
    ('25.0', '75.0')
    """

    low: float
    high: float

    def as_percent(self, digits: int = 3) -> tuple[str, str]:
        """Return both ends in per cent, rounded outward so that nothing is cut off.

        Examples
        --------
        >>> Interval(0.123456, 0.123456).as_percent(2)
        ('12.34', '12.35')
        """
        low, high = self._outward(digits)
        return str(low), str(high)

    def as_midpoint(self, digits: int = 3) -> tuple[str, str]:
        """Return centre and half width in per cent, the half width rounded up.

        The ends are rounded outward first, which is how the published tables are made.

        Examples
        --------
        >>> bracket(Tally(819_382, 180_535, 83)).as_midpoint()
        ('81.942', '0.080')
        """
        low, high = self._outward(digits)
        step = Decimal(1).scaleb(-digits)
        centre = ((low + high) / 2).quantize(step, ROUND_HALF_UP)
        half = ((high - low) / 2).quantize(step, ROUND_CEILING)
        return str(centre), str(half)

    def _outward(self, digits: int) -> tuple[Decimal, Decimal]:
        step = Decimal(1).scaleb(-digits)
        low = (Decimal(self.low) * 100).quantize(step, ROUND_FLOOR)
        high = (Decimal(self.high) * 100).quantize(step, ROUND_CEILING)
        return max(low, Decimal(0).quantize(step)), min(high, Decimal(100).quantize(step))


def wilson(successes: int, total: int, confidence: float = 0.95) -> Interval:
    """Return the Wilson interval of a share.

    Parameters
    ----------
    successes, total : int
        ``0 <= successes <= total``; ``total`` at least 1.
    confidence : float
        Coverage aimed at, as a fraction.

    Raises
    ------
    ValueError
        If the counts make no share.

    Examples
    --------
    >>> wilson(5, 10).as_percent(1)
    ('23.6', '76.4')
    """
    return _of_share(successes, total, confidence, "wilson")


def clopper_pearson(successes: int, total: int, confidence: float = 0.95) -> Interval:
    """Return the Clopper-Pearson interval of a share, which never covers less than it promises.

    Takes what `wilson` takes. It is the wider one; near 0 and 1 Wilson's may cover too little.

    Examples
    --------
    >>> clopper_pearson(0, 10).as_percent(1)
    ('0.0', '30.9')
    """
    return _of_share(successes, total, confidence, "exact")


def _of_share(
    successes: int, total: int, confidence: float, method: Literal["wilson", "exact"]
) -> Interval:
    if total < 1 or not 0 <= successes <= total:
        raise ValueError(f"no share: {successes} of {total}")
    # Importing scipy takes longer than many a run, so only a report that needs it does.
    from scipy.stats import binomtest

    ends = binomtest(successes, total).proportion_ci(confidence, method=method)
    return Interval(float(ends.low), float(ends.high))


def bracket(
    tally: Tally,
    confidence: float = 0.95,
    method: Callable[[int, int, float], Interval] = wilson,
) -> Interval:
    """Return the interval of the win rate with undecided deals bracketed.

    Its low end is the low end of the interval with every undecided deal lost, its high end the
    high end with every one won.

    Parameters
    ----------
    tally : Tally
        At least one deal.
    confidence : float
        Coverage aimed at, as a fraction.
    method : {wilson, clopper_pearson}

    Examples
    --------
    >>> bracket(Tally(50, 40, 10)) == Interval(wilson(50, 100).low, wilson(60, 100).high)
    True
    """
    return Interval(
        method(tally.solvable, tally.total, confidence).low,
        method(tally.solvable + tally.undecided, tally.total, confidence).high,
    )
