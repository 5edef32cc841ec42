"""Win rates from counts, and their differences: numbers in, numbers out.

Quantiles and distributions are scipy's. Most come from ``scipy.special``: ``scipy.stats``, whose
own intervals the tests hold these against, takes half a second to import, at the end of every run.

An undecided deal is neither dropped nor guessed: the low end of an interval counts every one as
lost, the high end as won, so the interval is right whichever way they fall.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal


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

    _least = 0
    _sign = ""

    def as_percent(self, digits: int = 3) -> tuple[str, str]:
        """Return both ends in per cent, rounded outward so that nothing is cut off.

        Examples
        --------
        >>> Interval(0.123456, 0.123456).as_percent(2)
        ('12.34', '12.35')
        """
        low, high = self._outward(digits)
        return f"{low:{self._sign}}", f"{high:{self._sign}}"

    def in_words(self) -> str:
        """Return the interval in per cent with as many digits as its width deserves.

        Examples
        --------
        >>> wilson(6815, 100_000).in_words(), wilson(1, 2).in_words()
        ('6.66 % to 6.98 %', '9.4 % to 90.6 %')
        """
        low, high = self.as_percent(self.digits)
        return f"{low} % to {high} %"

    @property
    def digits(self) -> int:
        """Decimal places of a percentage that the width of the interval deserves."""
        width = 100 * (self.high - self.low)
        return 3 if width <= 0 else min(6, max(1, 1 - math.floor(math.log10(width))))

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
        least, most = (Decimal(n).quantize(step) for n in (100 * self._least, 100))
        return max(low, least), min(high, most)


class Difference(Interval):
    """An interval for a difference of two shares, from -1 to 1; written with its sign.

    Examples
    --------
    >>> Difference(-0.25, 0.5).as_percent(1)
    ('-25.0', '+50.0')
    """

    _least = -1
    _sign = "+"


def wilson(successes: int, total: int, confidence: float = 0.95) -> Interval:
    """Return the Wilson interval of a share: every share that the score test does not reject.

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
    _check_share(successes, total)
    low, high = (wilson_end(successes / total, total, z) for z in z_of(confidence))
    # Where no deal was won, or every one, rounding must not leave the end beside it.
    return Interval(low if successes else 0.0, high if successes < total else 1.0)


def z_of(confidence: float) -> tuple[float, float]:
    """Return how many standard errors an interval reaches, down and up.

    Examples
    --------
    >>> [round(z, 2) for z in z_of(0.95)]
    [-1.96, 1.96]
    """
    from scipy.special import ndtri

    z = float(ndtri(0.5 + confidence / 2))
    return -z, z


def wilson_end(share: float, total: float, z: float) -> float:
    """Return an end of the Wilson interval (E. B. Wilson, JASA 22, 1927, 209-212).

    It solves ``(share - end)**2 == z**2 * end * (1 - end) / total``.

    Parameters
    ----------
    share : float
        From 0 to 1.
    total : float
    z : float
        Standard errors from the share, below zero for the low end.

    Examples
    --------
    >>> round(wilson_end(0.5, 10, -1.959964), 4)
    0.2366
    """
    reach = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return (share + z * z / (2 * total) + reach) / (1 + z * z / total)


def clopper_pearson(successes: int, total: int, confidence: float = 0.95) -> Interval:
    """Return the Clopper-Pearson interval of a share, which never covers less than it promises.

    Takes what `wilson` takes. It is the wider one; near 0 and 1 Wilson's may cover too little.

    Examples
    --------
    >>> clopper_pearson(0, 10).as_percent(1)
    ('0.0', '30.9')
    """
    _check_share(successes, total)
    from scipy.special import betaincinv

    lost, tail = total - successes, (1 - confidence) / 2
    return Interval(
        float(betaincinv(successes, lost + 1, tail)) if successes else 0.0,
        float(betaincinv(successes + 1, lost, 1 - tail)) if lost else 1.0,
    )


def _check_share(successes: int, total: int) -> None:
    if total < 1 or not 0 <= successes <= total:
        raise ValueError(f"no share: {successes} of {total}")


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


def mcnemar(first_only: int, second_only: int) -> float:
    """Return the p-value of McNemar's exact test, two-sided.

    Parameters
    ----------
    first_only, second_only : int
        Deals won under one of two rule sets and lost under the other. Without any there is nothing
        to test and the value is 1.

    Examples
    --------
    >>> mcnemar(0, 5)
    0.0625
    """
    if first_only == second_only == 0:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(first_only, first_only + second_only, 0.5).pvalue)


def paired_difference(
    first_only: int, second_only: int, total: int, confidence: float = 0.95
) -> Difference:
    """Return an interval for the second win rate less the first, of the same deals.

    Tango's score interval (T. Tango, Equivalence test and confidence interval for the difference
    in proportions for the paired-sample design, Statistics in Medicine 17, 1998, 891-908): all
    differences that the score test does not reject, as Wilson's is for one rate. It rests on
    the deals that flip alone and moves up with each that flips up, which is why it is taken and
    not Newcombe's: undecided deals can be bracketed by their two ends.

    Parameters
    ----------
    first_only, second_only : int
        Deals won under one of two rule sets and lost under the other.
    total : int
        All deals, at least one.
    confidence : float
        Coverage aimed at, as a fraction.

    Raises
    ------
    ValueError
        If the counts make no share.

    Examples
    --------
    >>> paired_difference(0, 20, 1000).in_words()
    '+1.2 % to +3.1 %'
    """
    if total < 1 or min(first_only, second_only) < 0 or first_only + second_only > total:
        raise ValueError(f"no shares: {first_only} and {second_only} of {total}")
    from scipy.optimize import brentq

    low, high = z_of(confidence)
    flips, ahead = first_only + second_only, second_only - first_only

    def score(difference: float) -> float:
        distance = ahead - total * difference
        if distance == 0:
            return 0.0
        # The likeliest share of deals won under the first rules only, given this difference.
        half = (2 * total - ahead) * difference - flips
        inner = half * half + 8 * total * first_only * difference * (1 - difference)
        share = (math.sqrt(max(inner, 0.0)) - half) / (4 * total)
        variance = total * (2 * share + difference * (1 - difference))
        return distance / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, distance)

    def end(start: float, aim: float) -> float:
        if start == ahead / total:  # every deal flips that way
            return start
        inside = start * (1 - 1e-12)
        return float(brentq(lambda d: score(d) - aim, inside, ahead / total, xtol=1e-13))

    return Difference(end(-1.0, high), end(1.0, low))
