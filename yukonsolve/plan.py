"""How many deals a win rate takes, how many of them may stay undecided, and how long that is.

The half width of an interval is made of two parts: chance, which shrinks with the number of deals,
and half of the undecided share, which does not. Both are counted here as a report counts them
(`yukonsolve.stats.bracket`), only with shares of deals in place of whole deals.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from yukonsolve.stats import wilson_end, z_of

MOST_DEALS = 10**12
_MORE = (1.0, 1.05, 1.25, 1.5, 2.0)


class PlanError(ValueError):
    """No number of deals does; the message is one line."""


@dataclass(frozen=True)
class Step:
    """One way to reach a half width.

    Parameters
    ----------
    deals : int
    undecided : int
        Deals that may stay undecided.
    seconds : float or None
        Time at the measured speed, all jobs busy.
    """

    deals: int
    undecided: int
    seconds: float | None


def half_width(
    deals: float, rate: float, undecided: float = 0.0, confidence: float = 0.95
) -> float:
    """Return the half width of the bracketed Wilson interval.

    Parameters
    ----------
    deals : float
    rate : float
        Share of wins, half of the undecided share included.
    undecided : float
        Share of deals that stay undecided.
    confidence : float

    Examples
    --------
    >>> round(100 * half_width(960_400, 0.5), 4)
    0.1
    """
    won = min(max(rate - undecided / 2, 0.0), 1 - undecided)
    # Sums of shares may pass 1 by a rounding.
    shares = (won, min(won + undecided, 1.0))
    low, high = (
        wilson_end(share, deals, z) for share, z in zip(shares, z_of(confidence), strict=True)
    )
    return (high - low) / 2


def deals_needed(target: float, rate: float, undecided: float = 0.0) -> int:
    """Return the least number of deals for a half width.

    Parameters
    ----------
    target : float
        Half width wanted, as a fraction.
    rate, undecided : float
        As for `half_width`.

    Raises
    ------
    PlanError
        If no number of deals is enough.

    Examples
    --------
    >>> deals_needed(0.001, 0.9)
    345735
    """
    if undecided / 2 >= target:
        raise PlanError(
            f"half of {_percent(undecided)} undecided is {_percent(undecided / 2)}, which leaves "
            f"nothing of +-{_percent(target)} however many deals: "
            f"less than {_percent(2 * target)} may stay undecided"
        )
    too_few, enough = 0, 1
    while half_width(enough, rate, undecided) > target:
        too_few, enough = enough, 2 * enough
        if too_few > MOST_DEALS:
            raise PlanError(f"+-{_percent(target)} takes more than {MOST_DEALS:,} deals")
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        if half_width(middle, rate, undecided) > target:
            too_few = middle
        else:
            enough = middle
    return enough


def undecided_allowed(deals: int, target: float, rate: float) -> int:
    """Return how many deals may stay undecided without passing a half width.

    Examples
    --------
    >>> undecided_allowed(350_000, 0.001, 0.9)
    4
    """
    allowed, too_many = 0, deals + 1
    if half_width(deals, rate) > target:
        return 0
    while too_many - allowed > 1:
        middle = (allowed + too_many) // 2
        if half_width(deals, rate, middle / deals) > target:
            too_many = middle
        else:
            allowed = middle
    return allowed


def plan(
    target: float,
    rate: float,
    undecided: float = 0.0,
    seconds_a_deal: float | None = None,
    jobs: int = 1,
) -> list[Step]:
    """Return ways to reach a half width, fewest deals first.

    Parameters
    ----------
    target, rate, undecided : float
        As for `deals_needed`.
    seconds_a_deal : float, optional
        Mean over deals.
    jobs : int
        Deals searched at the same time, where there are so many.

    Raises
    ------
    PlanError
        If no number of deals is enough.

    Examples
    --------
    >>> [step.deals for step in plan(0.001, 0.9)][:2]
    [345735, 370000]
    """
    least = deals_needed(target, rate, undecided)
    steps = []
    for more in _MORE:
        deals = least if more == 1 else _rounded_up(least * more)
        # More jobs than deals have nothing to do.
        busy = min(jobs, deals)
        seconds = None if seconds_a_deal is None else deals * seconds_a_deal / busy
        steps.append(Step(deals, undecided_allowed(deals, target, rate), seconds))
    return steps


def _rounded_up(value: float) -> int:
    """Return the value rounded up to two significant digits."""
    step: int = 10 ** max(0, math.floor(math.log10(value)) - 1)
    return int(math.ceil(value / step) * step)


def _percent(share: float) -> str:
    return f"{100 * share:.6g} %"


def duration_text(seconds: float) -> str:
    """Return a time for people.

    Examples
    --------
    >>> duration_text(59), duration_text(5400), duration_text(3e6)
    ('59 s', '1 h 30 min', '34 days 17 h')
    """
    if seconds < 60:
        return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.2g} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    if minutes < 48 * 60:
        return f"{minutes // 60} h {minutes % 60} min"
    hours = round(seconds / 3600)
    return f"{hours // 24:,} days {hours % 24} h"
