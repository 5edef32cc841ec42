"""The pictures of a report: win rates, effort, the running estimate.

Colours are from the Okabe-Ito palette, and whatever differs in colour differs in shape or dashes
too, for eyes and printers that see no colours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from yukonsolve.curves import Running, Survival
from yukonsolve.pictures import GREY, TITLE_WIDTH, Picture, Sheet, sheet, style, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RUN, PUBLISHED, CLAIM = "run", "published", "claim"
_MARKERS = {  # colour, marker, face
    RUN: ("#0072B2", "o", "#0072B2"),
    PUBLISHED: ("#D55E00", "s", "#FFFFFF"),
    CLAIM: ("#000000", "D", "#FFFFFF"),
}
_KIND_WORDS = {RUN: "this report", PUBLISHED: "published", CLAIM: "claim"}
_LINES: dict[str, tuple[str, Any]] = {
    "solvable": ("#0072B2", "-"),
    "unsolvable": ("#D55E00", (0, (5, 1.5))),
    "undecided": ("#000000", (0, (1, 1.2))),
}


class Mark(NamedTuple):
    """A share with its interval, as fractions of one; a claim's ends may be equal."""

    kind: str
    label: str
    low: float
    high: float
    text: str


class Group(NamedTuple):
    """What is said about one set of rules."""

    title: str
    marks: Sequence[Mark]


def win_rates(groups: Sequence[Group]) -> Picture:
    """Draw win rates with their intervals below each other, from 0 to 100 %.

    Examples
    --------
    >>> mark = Mark(RUN, "native:1 to native:100", 0.2, 0.4, "20 % to 40 %")
    >>> win_rates([Group("Yukon", [mark])]).alt
    'Win rates. Yukon: native:1 to native:100 20 % to 40 %.'
    """
    heights = [_group_height(group) for group in groups]
    with style():
        page = _rates_sheet("Win rates", [sum(heights)])
        (axes,) = page.panels
        place = 0.0
        for group, height in zip(groups, heights, strict=True):
            _draw_group(axes, group, place)
            place += height
        axes.set_xlim(0, 1)
        axes.set_ylim(place, 0)
        axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
        _legend(page, {mark.kind for group in groups for mark in group.marks})
    return Picture("win-rates", _RATES_CAPTION, _said("Win rates.", groups), page.figure)


def close_ups(groups: Sequence[Group]) -> Picture:
    """Draw each group on an axis of its own, so narrow that its intervals can be told apart.

    Examples
    --------
    >>> marks = [Mark(RUN, "native:1 to native:10000", 0.8, 0.81, "80 % to 81 %"),
    ...          Mark(PUBLISHED, "Blake & Gent", 0.803, 0.804, "80.3 % to 80.4 %")]
    >>> close_ups([Group("Klondike", marks)]).name
    'win-rates-close-up'
    """
    with style():
        title = "Win rates, close up"
        page = _rates_sheet(title, [_group_height(group) for group in groups])
        for axes, group in zip(page.panels, groups, strict=True):
            _draw_group(axes, group, 0.0)
            low = min(mark.low for mark in group.marks)
            high = max(mark.high for mark in group.marks)
            margin = 0.12 * (high - low) or 0.01
            axes.set_xlim(max(0.0, low - margin), min(1.0, high + margin))
            axes.set_ylim(_group_height(group), 0)
            axes.locator_params(axis="x", nbins=5)
            axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.6g} %")
        _legend(page, {mark.kind for group in groups for mark in group.marks})
    caption = f"{_RATES_CAPTION} Each set of rules has a scale of its own."
    return Picture(
        "win-rates-close-up", caption, _said("Win rates, close up.", groups), page.figure
    )


def effort(
    name: str, title: str, curves: dict[str, Survival], labels: dict[str, str], unit: str
) -> Picture:
    """Draw which share of the deals needs more than so much effort, a line for each verdict.

    Parameters
    ----------
    name, title : str
    curves : dict of str to Survival
        By verdict.
    labels : dict of str to str
        What the legend says of each verdict, such as its number of deals.
    unit : str
        ``"nodes"`` or ``"seconds"``.

    Examples
    --------
    >>> import numpy as np
    >>> from yukonsolve.curves import survival
    >>> curve = survival(np.array([1, 10, 10, 100]))
    >>> picture = effort("x-nodes", "x", {"solvable": curve}, {"solvable": "4 deals"}, "nodes")
    >>> picture.alt
    'Effort, x. solvable: 4 deals.'
    """
    least = min(curve.effort[curve.effort > 0].min(initial=1.0) for curve in curves.values())
    most = max(curve.effort.max() for curve in curves.values())
    rarest = min(curve.share[curve.share > 0].min(initial=1.0) for curve in curves.values())
    left = 1.0 if unit == "nodes" else 10.0 ** math.floor(math.log10(least))
    with style():
        page = sheet(title, [2.9], legend_lines=len(curves), left=1.2, above=0.36)
        (axes,) = page.panels
        for verdict, curve in curves.items():
            colour, dashes = _LINES[verdict]
            # Left of the first step every deal needs more; no effort at all lies off the axis.
            x = [left / 10, *curve.effort.clip(left / 10).tolist()]
            axes.step(
                x,
                [1.0, *curve.share.tolist()],
                where="post",
                color=colour,
                linestyle=dashes,
                linewidth=1.8,
                label=f"{verdict}: {labels[verdict]}",
            )
        axes.set_xscale("log", nonpositive="clip")
        axes.set_yscale("log", nonpositive="clip")
        axes.set_xlim(left, max(10 * left, most) * 1.3)
        axes.set_ylim(min(rarest, 0.1) * 0.8, 1.25)
        _decades(axes)
        axes.yaxis.set_major_formatter(
            lambda value, _: "all" if value > 0.9 else f"1 in {round(1 / value):,}"
        )
        axes.set_xlabel("nodes searched" if unit == "nodes" else "seconds of search")
        axes.set_title("Share of the deals that need more", loc="left", fontsize=11, color=GREY)
        page.figure.legend(**page.legend, handlelength=2.6)
    caption = (
        f"Which share of the deals of each verdict needs more than so many {unit}; both scales are "
        "logarithmic. Undecided deals were stopped where their line falls."
    )
    said = "; ".join(f"{verdict}: {labels[verdict]}" for verdict in curves)
    return Picture(name, caption, f"Effort, {title}. {said}.", page.figure)


def running_estimate(name: str, title: str, way: Running, text: str) -> Picture:
    """Draw the win rate and its band as the deals come in.

    Parameters
    ----------
    name, title : str
    way : Running
    text : str
        What is said of the last interval, such as ``"6.66 % to 6.98 %"``.

    Examples
    --------
    >>> import numpy as np
    >>> from yukonsolve.curves import running
    >>> way = running(np.array([0, 1, 0, 2], np.uint8), first=1)
    >>> running_estimate("x-running", "x", way, "9 % to 99 %").alt
    'Estimate deal by deal, x. After 4 deals: 9 % to 99 %.'
    """
    colour = _LINES["solvable"][0]
    last = f"{int(way.deals[-1]):,} deals: {text}"
    with style():
        page = sheet(title, [2.6], legend_lines=2, left=0.75, above=0.36)
        (axes,) = page.panels
        axes.fill_between(
            way.deals,
            way.low,
            way.high,
            color="#BBD9EA",
            linewidth=0,
            label="95 % Wilson band, pointwise, bracketed",
        )
        axes.fill_between(way.deals, way.share_low, way.share_high, color=colour, linewidth=0)
        axes.plot(
            way.deals,
            way.share_low,
            color=colour,
            linewidth=1.3,
            label="win rate after so many deals",
        )
        if (way.share_low != way.share_high).any():
            axes.plot(way.deals, way.share_high, color=colour, linewidth=1.3)
        for end in (way.low[-1], way.high[-1]):
            axes.axhline(float(end), color=GREY, linewidth=0.9, linestyle=(0, (4, 3)))
        axes.set_xscale("log")
        axes.set_xlim(float(way.deals[0]), max(float(way.deals[-1]), way.deals[0] + 1.0))
        _decades(axes)
        axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.4g} %")
        axes.set_xlabel("deals, in the order of their numbers")
        axes.set_title(f"after {last}", loc="left", fontsize=11, color=GREY)
        page.figure.legend(**page.legend)
    caption = (
        "Win rate after so many deals, taken in the order of their numbers and as wide as "
        "undecided deals make it, with its pointwise 95 % Wilson band, undecided deals bracketed. "
        "The band holds for a number of deals fixed beforehand, not for a stop where it looks "
        "good. Dashes: the interval after the last deal."
    )
    return Picture(name, caption, f"Estimate deal by deal, {title}. After {last}.", page.figure)


_RATES_CAPTION = (
    "Dots are middles of 95 % intervals, bars their ends; undecided deals count as lost at the low "
    "end and as won at the high end. An interval narrower than its dot is hidden by it. A claimed "
    "range has a diamond at each end."
)
_ROW = 2.1
_LINE = 1.0
_DROP = 0.9
"""From a label to its interval, nearer than from the interval to the next label."""
_LINE_INCHES = 0.21
_WORDS_WIDTH = 46
"""Characters of a label and its figures together."""


def _group_height(group: Group) -> float:
    titles = len(wrapped(group.title, TITLE_WIDTH))
    labels = sum(len(_label(mark)) - 1 for mark in group.marks)
    return _LINE * (titles + labels) + _ROW * len(group.marks) + 0.5


def _label(mark: Mark) -> list[str]:
    return wrapped(mark.label, max(20, _WORDS_WIDTH - len(mark.text)))


def _draw_group(axes: Axes, group: Group, place: float) -> None:
    """Draw a title, and below it for each mark its words and, below those, its interval."""
    left = axes.get_yaxis_transform()
    words: dict[str, Any] = {"transform": left, "va": "center", "clip_on": False}
    background = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
    for line in wrapped(group.title, TITLE_WIDTH):
        place += _LINE
        axes.text(0, place, line, weight="bold", bbox=background, **words)
    for mark in group.marks:
        colour, marker, face = _MARKERS[mark.kind]
        for i, line in enumerate(_label(mark)):
            place += _LINE
            axes.text(0, place, line, bbox=background, **words)
            if i == 0:
                axes.text(1, place, mark.text, ha="right", bbox=background, **words)
        place += _DROP
        axes.plot([mark.low, mark.high], [place, place], color=colour, linewidth=2.5)
        points = [mark.low, mark.high] if mark.kind == CLAIM else [(mark.low + mark.high) / 2]
        axes.plot(
            points,
            [place] * len(points),
            marker=marker,
            linestyle="none",
            color=colour,
            markerfacecolor=face,
            markersize=6,
            markeredgewidth=1.5,
            clip_on=False,
        )
        place += _ROW - _LINE - _DROP


def _rates_sheet(title: str, heights: Sequence[float]) -> Sheet:
    inches = [_LINE_INCHES * height for height in heights]
    page = sheet(title, inches, legend_lines=1, left=0.3, above=0.05)
    for axes in page.panels:
        axes.yaxis.set_visible(False)
        axes.spines["left"].set_visible(False)
    return page


def _legend(page: Sheet, kinds: set[str]) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=colour, marker=marker, markerfacecolor=face, label=_KIND_WORDS[kind])
        for kind, (colour, marker, face) in _MARKERS.items()
        if kind in kinds
    ]
    page.figure.legend(handles=handles, ncols=3, columnspacing=1.2, **page.legend)


def _said(begin: str, groups: Sequence[Group]) -> str:
    parts = []
    for group in groups:
        marks = ", ".join(f"{mark.label} {mark.text}" for mark in group.marks)
        parts.append(f"{group.title}: {marks}.")
    return " ".join([begin, *parts])


def _decades(axes: Axes) -> None:
    """Put labels on the powers of ten of the horizontal axis, as many as there is room for."""
    low, high = (math.log10(end) for end in axes.get_xlim())
    powers = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
    axes.set_xticks([10.0**power for power in powers])
    axes.minorticks_off()
    step = 1 if len(powers) <= 5 else 2
    labels = [_amount(10.0**power) if i % step == 0 else "" for i, power in enumerate(powers)]
    axes.set_xticklabels(labels)


def _amount(value: float) -> str:
    """Return a power of ten as a short label.

    Examples
    --------
    >>> _amount(1e6), _amount(1e3), _amount(1e-3)
    ('1 million', '1,000', '0.001')
    """
    if value < 1:
        return f"{value:.10f}".rstrip("0")
    million = 1e6
    return f"{value / million:,.0f} million" if value >= million else f"{value:,.0f}"
