"""Points of the curves a report draws: few enough to draw, each one exact.

A run of a million deals must not become a million points. Values are left out only where the next
one would be drawn on the same spot; none is averaged, smoothed or moved.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from yukonsolve.rows import UNDECIDED, VERDICTS
from yukonsolve.stats import Tally, bracket
from yukonsolve.verdict import Verdict

SPOTS_A_DECADE = 40
"""What lies within a fortieth of a factor ten is drawn on one spot: a pixel or two on a phone."""

_Floats = npt.NDArray[np.float64]
_SOLVABLE = VERDICTS.index(Verdict.SOLVABLE.value)


class Survival(NamedTuple):
    """Which share of deals needs more than so much; a step down at each ``effort``."""

    effort: _Floats
    share: _Floats


def survival(effort: npt.NDArray[np.generic]) -> Survival:
    """Return the share of values greater than each value, thinned to what can be told apart.

    Parameters
    ----------
    effort : ndarray
        Nodes or seconds, one a deal, in any order; at least one.

    Examples
    --------
    >>> curve = survival(np.array([1, 10, 10, 100]))
    >>> curve.effort.tolist(), curve.share.tolist()
    ([1.0, 10.0, 100.0], [0.75, 0.25, 0.0])
    """
    values, counts = np.unique(effort.astype(np.float64), return_counts=True)
    share = 1 - np.cumsum(counts) / len(effort)
    share[-1] = 0.0
    with np.errstate(divide="ignore"):
        spots = [np.floor(np.log10(axis) * SPOTS_A_DECADE) for axis in (values, share)]
    kept = np.ones(len(values), np.bool_)
    # A point is kept unless it shares its spot with the one before it, on both axes.
    kept[1:] = (spots[0][1:] != spots[0][:-1]) | (spots[1][1:] != spots[1][:-1])
    kept[-1] = True
    return Survival(values[kept], share[kept])


class Running(NamedTuple):
    """The win rate after so many deals: with undecided deals lost and won, and its interval."""

    deals: npt.NDArray[np.int64]
    share_low: _Floats
    share_high: _Floats
    low: _Floats
    high: _Floats


def running(verdicts: npt.NDArray[np.uint8], first: int = 10) -> Running:
    """Return how the win rate and its interval went as the deals came in.

    Of all counts that fall on one spot of a logarithmic axis the first, the last and those with the
    lowest and highest rate are kept, so that no swing is lost; the last count of all is among them.

    Parameters
    ----------
    verdicts : ndarray
        Places in ``VERDICTS``, in the order of the deals' numbers; at least one.
    first : int
        The count to begin at; from one deal on the rate only jumps.

    Examples
    --------
    >>> way = running(np.array([0, 1, 0, 2], np.uint8), first=1)
    >>> way.deals.tolist(), way.share_low.tolist(), way.share_high.tolist()
    ([1, 2, 3, 4], [1.0, 0.5, 0.6666666666666666, 0.5], [1.0, 0.5, 0.6666666666666666, 0.75])
    """
    total = len(verdicts)
    solvable = np.cumsum(verdicts == _SOLVABLE)
    undecided = np.cumsum(verdicts == UNDECIDED)
    deals = np.arange(1, total + 1)
    places = _extremes(solvable / deals, (solvable + undecided) / deals, min(first, total) - 1)
    ends = [
        bracket(Tally(int(won), int(count - won - left), int(left)))
        for won, left, count in zip(solvable[places], undecided[places], deals[places], strict=True)
    ]
    return Running(
        deals[places],
        solvable[places] / deals[places],
        (solvable + undecided)[places] / deals[places],
        np.array([end.low for end in ends]),
        np.array([end.high for end in ends]),
    )


def _extremes(low: _Floats, high: _Floats, start: int) -> npt.NDArray[np.intp]:
    """Return first, last, lowest and highest place of every spot from ``start`` on, in order."""
    spots = np.floor(np.log10(np.arange(start + 1, len(low) + 1)) * SPOTS_A_DECADE)
    edges = [start, *(start + 1 + np.flatnonzero(np.diff(spots))).tolist(), len(low)]
    places: set[int] = set()
    for begin, end in pairwise(edges):
        places |= {begin, end - 1}
        places |= {begin + int(low[begin:end].argmin()), begin + int(high[begin:end].argmax())}
    return np.array(sorted(places), np.intp)
