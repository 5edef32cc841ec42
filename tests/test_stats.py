from __future__ import annotations

from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from yukonsolve.stats import Interval, Tally, bracket, clopper_pearson, wilson

# won, lost, undecided -> centre and half width as Blake & Gent and Dang et al. print them
PUBLISHED = [
    (819_382, 180_535, 83, "81.942", "0.080"),
    (901_702, 97_622, 676, "90.204", "0.093"),
    (949_577, 50_406, 17, "94.959", "0.045"),
    (68_945, 931_055, 0, "6.895", "0.050"),
    (407_620, 592_380, 0, "40.762", "0.097"),
]


@pytest.mark.parametrize(("won", "lost", "undecided", "centre", "half"), PUBLISHED)
def test_published_intervals_come_out(won, lost, undecided, centre, half):
    assert bracket(Tally(won, lost, undecided)).as_midpoint(3) == (centre, half)


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.sampled_from([0.8, 0.95, 0.999]))
def test_intervals_are_those_of_scipy_stats(won, lost, confidence):
    total = max(1, won + lost)
    result = binomtest(won, total)
    for own, method in ((wilson, "wilson"), (clopper_pearson, "exact")):
        theirs = result.proportion_ci(confidence, method=method)
        ends = own(won, total, confidence)
        assert (ends.low, ends.high) == pytest.approx(
            (theirs.low, theirs.high), rel=1e-9, abs=1e-11
        )


def test_lonelybot_line():
    # Its README prints 7 of 8 as 0.5291 <= 0.8750 <= 0.9776.
    interval = wilson(7, 8)
    assert (round(interval.low, 4), round(interval.high, 4)) == (0.5291, 0.9776)


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.999])
@pytest.mark.parametrize(
    ("won", "total"), [(0, 1), (1, 1), (3, 7), (0, 10**6), (68_945, 10**6), (10**9 - 1, 10**9)]
)
def test_interval_solves_wilsons_equation(won, total, confidence):
    """At either end the observed share is exactly z standard errors away."""
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    interval = wilson(won, total, confidence)
    for end in (interval.low, interval.high):
        if 0 < end < 1:
            distance = abs(won / total - end)
            assert distance == pytest.approx(z * (end * (1 - end) / total) ** 0.5, rel=1e-4)


def test_undecided_widen_both_ends():
    wide = bracket(Tally(50, 40, 10))
    assert wide.low == wilson(50, 100).low
    assert wide.high == wilson(60, 100).high


def test_no_deals_is_refused():
    with pytest.raises(ValueError, match="no share"):
        wilson(0, 0)
    with pytest.raises(ValueError, match="no share"):
        wilson(3, 2)


counts = st.integers(0, 10**6)


@given(counts, counts, counts)
def test_bracket_holds_every_possible_truth(won, lost, undecided):
    tally = Tally(won, lost, undecided)
    if not tally.total:
        return
    interval = bracket(tally)
    assert 0 <= interval.low <= won / tally.total + 1e-12
    assert 1 >= interval.high >= (won + undecided) / tally.total - 1e-12


@given(st.integers(0, 50), st.integers(1, 50))
def test_wilson_shrinks_with_more_deals(won, lost):
    few, many = wilson(won, won + lost), wilson(100 * won, 100 * (won + lost))
    assert many.high - many.low < few.high - few.low


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 6))
def test_rounding_is_outward(a, b, digits):
    low, high = min(a, b), max(a, b)
    low_text, high_text = Interval(low, high).as_percent(digits)
    assert float(low_text) <= low * 100 + 1e-9
    assert float(high_text) >= high * 100 - 1e-9
