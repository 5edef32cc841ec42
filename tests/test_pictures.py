"""Curves, and the pictures drawn of them."""

from __future__ import annotations

import struct
import sys
import time
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from yukonsolve import curves
from yukonsolve.curves import running, survival
from yukonsolve.drawing import (
    CLAIM,
    PUBLISHED,
    RUN,
    Group,
    Mark,
    close_ups,
    effort,
    running_estimate,
    win_rates,
)
from yukonsolve.pictures import PNG_DPI, WIDTH, Picture, PicturesMissingError, require_matplotlib
from yukonsolve.stats import Tally, bracket

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = 'a <b> & "c" $x^2 -- \u2190 \0 \U0001f0a1 end'
GROUPS = [
    Group(
        "Klondike draw 6, no worrying back",
        [
            Mark(RUN, "native:1 to native:100000", 0.35619, 0.36214, "35.619 % to 36.214 %"),
            Mark(PUBLISHED, "Blake & Gent", 0.35759, 0.35949, "35.854 % ± 0.095 %"),
            Mark(CLAIM, HOSTILE, 0.25, 0.25, "25 %"),
        ],
    )
]


def verdicts(total: int, seed: int = 1) -> np.ndarray:
    random = np.random.default_rng(seed)
    return random.choice(3, total, p=[0.6, 0.39, 0.01]).astype(np.uint8)


def efforts(total: int, seed: int = 1) -> np.ndarray:
    return np.exp(np.random.default_rng(seed).normal(6, 3, total)).astype(np.int64)


def pictures(total: int) -> list[Picture]:
    curve = survival(efforts(total))
    lines = dict.fromkeys(("solvable", "unsolvable", "undecided"), curve)
    way = running(verdicts(total))
    return [
        win_rates(GROUPS),
        close_ups(GROUPS),
        effort("e", "Klondike draw 6", lines, dict.fromkeys(lines, f"{total:,} deals"), "nodes"),
        effort("s", HOSTILE, lines, dict.fromkeys(lines, f"{total:,} deals"), "seconds"),
        running_estimate("r", "Klondike draw 6", way, "35.619 % to 36.214 %"),
    ]


@pytest.fixture(scope="module")
def drawn() -> list[Picture]:
    return pictures(5000)


# curves


@pytest.mark.parametrize("total", [1, 2, 9, 10, 1000])
def test_survival_is_never_further_off_than_a_spot(total):
    values = efforts(total)
    curve = survival(values)
    assert curve.share[-1] == 0
    assert (np.diff(curve.effort) > 0).all()
    for x, share in zip(curve.effort, curve.share, strict=True):
        assert share == pytest.approx((values > x).mean())
    # Between two points the curve says what it said at the first: nearly the truth.
    for x in np.unique(values):
        place = np.searchsorted(curve.effort, x, side="right") - 1
        truth = (values > x).mean()
        if truth:
            assert abs(np.log10(curve.share[place] / truth)) <= 1 / curves.SPOTS_A_DECADE


@pytest.mark.parametrize("total", [1, 2, 9, 10, 11, 3000])
def test_running_says_the_truth_wherever_it_speaks(total):
    codes = verdicts(total)
    way = running(codes)
    assert way.deals[0] == min(10, total)
    assert way.deals[-1] == total
    for place in {0, len(way.deals) // 2, len(way.deals) - 1}:
        seen = codes[: way.deals[place]]
        tally = Tally(*np.bincount(seen, minlength=3).tolist())
        interval = bracket(tally)
        assert (way.low[place], way.high[place]) == (interval.low, interval.high)
        assert way.share_low[place] == tally.solvable / tally.total
        assert way.share_high[place] == (tally.solvable + tally.undecided) / tally.total


def test_running_loses_no_swing():
    codes = verdicts(20_000)
    way = running(codes)
    rates = np.cumsum(codes == 0) / np.arange(1, len(codes) + 1)
    assert way.share_low.min() == rates[9:].min()
    assert way.share_low.max() == rates[9:].max()


def test_a_million_deals_take_seconds_and_little_room():
    begun = time.process_time()
    sizes = [len(picture.svg()) for picture in pictures(1_000_000)]
    assert max(sizes) < 300_000
    assert time.process_time() - begun < 30


# files


def test_svg_is_well_formed_and_says_what_it_shows(drawn):
    for picture in drawn:
        root = ET.fromstring(picture.svg())
        assert root.tag == f"{SVG}svg"
        assert root.get("role") == "img"
        assert root.get("aria-label") == root.find(f"{SVG}desc").text
        assert root.find(f"{SVG}title").text == picture.caption
        assert len(picture.svg()) < 300_000
        assert not list(root.iter(f"{SVG}text")), "text depends on the reader's fonts"


def test_names_and_values_are_drawn(drawn):
    text = drawn[0].svg()  # matplotlib notes the text of every path beside it
    for words in ("Klondike draw 6, no worrying back", "35.619 % to 36.214 %", "Blake &amp; Gent"):
        assert words in text
    assert "<!-- 35.619 % to 36.214 % -->" in text
    assert "35.854 % ± 0.095 %" in drawn[0].alt
    assert "<!-- 1 in 1,000 -->" in drawn[2].svg()
    assert "Win rate after so many deals" in drawn[4].caption
    assert "pointwise 95 % Wilson" in drawn[4].caption
    assert "<!-- after 5,000 deals: 35.619 % to 36.214 % -->" in drawn[4].svg()


def test_png_has_the_size_of_the_figure(drawn):
    for picture in drawn:
        data = picture.png()
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        width, height = struct.unpack(">II", data[16:24])
        assert width == round(WIDTH * PNG_DPI)
        assert height == pytest.approx(picture.figure.get_figheight() * PNG_DPI, abs=1)


def test_files_do_not_change_from_run_to_run(drawn):
    for picture, again in zip(drawn, pictures(5000), strict=True):
        assert picture.svg() == again.svg()
        assert picture.png() == again.png()
        assert "<dc:date>" not in picture.svg()


def test_nothing_is_drawn_outside_the_sheet(drawn):
    for picture in drawn:
        figure = picture.figure
        figure.canvas.draw()
        box = figure.get_tightbbox()
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= figure.get_figwidth()
        assert box.y1 <= figure.get_figheight()


@pytest.mark.parametrize(
    "values", [np.zeros(5), np.array([1.0]), np.array([0, 5e9]), np.full(3, 1e-6)]
)
@pytest.mark.parametrize("unit", ["nodes", "seconds"])
def test_odd_efforts_are_drawn(values, unit):
    curve = survival(values)
    picture = effort("e", "x", {"unsolvable": curve}, {"unsolvable": "some"}, unit)
    assert ET.fromstring(picture.svg()).tag == f"{SVG}svg"


@pytest.mark.parametrize("codes", [[0], [1], [2], [0] * 50, [1] * 50, [2] * 50])
def test_odd_runs_are_drawn(codes):
    way = running(np.array(codes, np.uint8))
    svg = running_estimate("r", "x", way, "").svg()
    assert ET.fromstring(svg).tag == f"{SVG}svg"


def test_a_missing_matplotlib_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(PicturesMissingError, match=r"pip install 'yukonsolve\[pictures\]'"):
        require_matplotlib()
    with pytest.raises(PicturesMissingError):
        win_rates(GROUPS)
