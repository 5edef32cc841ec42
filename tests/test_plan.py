from __future__ import annotations

import pytest

from yukonsolve.plan import PlanError, deals_needed, half_width, plan, undecided_allowed
from yukonsolve.stats import Tally, bracket


@pytest.mark.parametrize(
    ("rate", "about"),
    # "+-0.1 % total needs about 350,000 deals at 90 % and 960,000 at 50 %"
    [(0.9, 350_000), (0.5, 960_000)],
)
def test_good_practice_as_published(rate, about):
    assert deals_needed(0.001, rate) == pytest.approx(about, rel=0.015)


@pytest.mark.parametrize(
    ("won", "lost", "undecided", "half"),
    # Blake & Gent and Dang et al.: a million deals gave these half widths, in per cent, rounded up.
    [(819_382, 180_535, 83, 0.080), (901_702, 97_622, 676, 0.093), (68_945, 931_055, 0, 0.050)],
)
def test_published_studies_would_have_been_planned(won, lost, undecided, half):
    n = won + lost + undecided
    rate, share = (won + undecided / 2) / n, undecided / n
    assert half - 0.001 < 100 * half_width(n, rate, share) <= half
    assert deals_needed(half / 100, rate, share) <= n


@pytest.mark.parametrize("rate", [0.0, 0.01, 0.3, 0.9, 0.999])
@pytest.mark.parametrize("target", [0.05, 0.01, 0.001])
def test_a_planned_run_gets_the_half_width_a_report_gives(rate, target):
    """Count whole deals the way a report does; one deal is what rounding may cost."""
    for step in plan(target, rate):
        undecided = step.undecided
        won = min(max(round(rate * step.deals - undecided / 2), 0), step.deals - undecided)
        interval = bracket(Tally(won, step.deals - won - undecided, undecided))
        assert (interval.high - interval.low) / 2 <= target + 1 / step.deals


@pytest.mark.parametrize(("rate", "target"), [(0.9, 0.01), (0.5, 0.02), (0.05, 0.004)])
def test_fewer_deals_or_more_undecided_are_too_wide(rate, target):
    least = deals_needed(target, rate)
    assert half_width(least, rate) <= target < half_width(least - 1, rate)
    many = 2 * least
    allowed = undecided_allowed(many, target, rate)
    assert half_width(many, rate, allowed / many) <= target
    assert half_width(many, rate, (allowed + 1) / many) > target


def test_too_many_undecided_is_said_with_what_would_do():
    with pytest.raises(PlanError, match=r"less than 0.2 % may stay undecided"):
        deals_needed(0.001, 0.5, 0.005)


def test_undecided_deals_cost_deals():
    assert deals_needed(0.001, 0.9, 0.001) > 2 * deals_needed(0.001, 0.9)
    (first, *_) = plan(0.007, 0.9, 0.005, seconds_a_deal=2.0, jobs=4)
    assert first.seconds == first.deals * 2.0 / 4
    assert first.undecided == pytest.approx(0.005 * first.deals, abs=1)


def test_no_plan_is_shorter_than_a_deal():
    for step in plan(0.1, 0.9, seconds_a_deal=3.0, jobs=100_000):
        assert step.seconds == 3.0
