"""Pictures for people who look rather than read: what all of them have in common.

Drawn with matplotlib where that is installed. Pictures are as narrow as a phone, so text stays
readable when a page shrinks them. Text is drawn as paths: a picture looks the same everywhere.
Nothing in a file depends on when or where it was drawn.
"""

from __future__ import annotations

import io
import re
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 4.8
"""Inches; at a phone's width text is drawn at three quarters of its size."""
PNG_DPI = 200
TITLE_WIDTH = 42
"""Characters of a line in bold."""
GREY = "#555555"
_STYLE = {
    "font.family": ["DejaVu Sans"],  # comes with matplotlib
    "font.size": 11,
    "text.parse_math": False,  # names are no formulas
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#D8D8D8",
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    "svg.fonttype": "path",
    "svg.hashsalt": "yukonsolve",
}
_LINE = 0.21
"""Inches of a line of text."""
_PATH = re.compile(r' d="[^"]*"')
_FRACTION = re.compile(r"(\.\d\d)\d+")


class PicturesMissingError(Exception):
    """Matplotlib is not installed.

    Examples
    --------
    >>> print(PicturesMissingError())
    pictures need matplotlib: pip install 'yukonsolve[pictures]'
    """

    def __init__(self) -> None:
        super().__init__("pictures need matplotlib: pip install 'yukonsolve[pictures]'")


def require_matplotlib() -> None:
    """Raise `PicturesMissingError` unless pictures can be drawn.

    Examples
    --------
    >>> require_matplotlib()
    """
    try:
        import matplotlib.figure
    except ImportError:
        raise PicturesMissingError from None
    del matplotlib


@dataclass(frozen=True)
class Picture:
    """A drawn picture, what it shows in a caption, and what it says for those who cannot see it.

    Parameters
    ----------
    name : str
        For the name of a file.
    caption, alt : str
        ``caption`` tells how to read the picture, ``alt`` what is to be seen.
    figure : matplotlib.figure.Figure
    """

    name: str
    caption: str
    alt: str
    figure: Figure

    def svg(self) -> str:
        """Return the picture as SVG, with ``alt`` as its description."""
        text = self._saved("svg", metadata={"Date": None, "Creator": None}).decode("utf-8")
        # Matplotlib has no place for a description that screen readers find.
        head, _, rest = text.partition("<svg ")
        attributes, _, body = rest.partition(">")
        alt, caption = _plain(self.alt), _plain(self.caption)
        label = f'role="img" aria-label={quoteattr(alt)}'
        title = f"<title>{escape(caption)}</title><desc>{escape(alt)}</desc>"
        return f"{head}<svg {label} {attributes}>\n {title}{_PATH.sub(_shorter, body)}"

    def png(self) -> bytes:
        """Return the picture as PNG."""
        return self._saved("png", dpi=PNG_DPI, metadata={"Software": None})

    def _saved(self, form: str, **options: Any) -> bytes:
        data = io.BytesIO()
        with style(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing")  # drawn as a box
            self.figure.savefig(data, format=form, **options)
        return data.getvalue()


class Sheet(NamedTuple):
    """A figure with its title and empty panels; ``legend`` says where a legend goes."""

    figure: Figure
    panels: list[Axes]
    legend: dict[str, Any]


def sheet(
    title: str, heights: Sequence[float], *, legend_lines: int, left: float, above: float
) -> Sheet:
    """Return a sheet with panels below each other.

    Parameters
    ----------
    title : str
    heights : sequence of float
        Of the panels, in inches.
    legend_lines : int
        Lines that the legend will take.
    left, above : float
        Inches left of the panels and above the first one.

    Examples
    --------
    >>> with style():
    ...     len(sheet("Two", [1.0, 2.0], legend_lines=0, left=0.5, above=0.1).panels)
    2
    """
    from matplotlib.figure import Figure

    lines = wrapped(title, TITLE_WIDTH)
    below, end = 0.55, 0.36
    top = 0.08 + 1.15 * _LINE * len(lines)
    height = top + _LINE * legend_lines + above + sum(heights) + below * len(heights)
    figure = Figure(figsize=(WIDTH, height))
    figure.text(0.1 / WIDTH, 1 - 0.08 / height, "\n".join(lines), weight="bold", size=12, va="top")
    place = top + _LINE * legend_lines + above
    panels = []
    for panel in heights:
        box = (left / WIDTH, 1 - (place + panel) / height, 1 - (left + end) / WIDTH, panel / height)
        panels.append(figure.add_axes(box))
        place += panel + below
    legend = {
        "loc": "upper left",
        "bbox_to_anchor": (0.1 / WIDTH, 1 - top / height),
        "borderpad": 0.0,
        "borderaxespad": 0.0,
        "labelspacing": 0.25,
    }
    return Sheet(figure, panels, legend)


def wrapped(text: str, width: int) -> list[str]:
    r"""Return the lines of a text, at least one, with nothing in them that cannot be drawn.

    Examples
    --------
    >>> wrapped("one two\0three", 9)
    ['one', 'two?three']
    """
    return textwrap.wrap(_plain(text), width) or [""]


def _shorter(path: re.Match[str]) -> str:
    # A hundredth of a point is not to be seen, and its digits are half of a file.
    return _FRACTION.sub(r"\1", path.group())


def _plain(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)


@contextmanager
def style() -> Iterator[None]:
    """Draw in the style of all pictures, whatever the settings of the user.

    Examples
    --------
    >>> with style():
    ...     pass
    """
    require_matplotlib()
    import matplotlib.style

    with matplotlib.style.context(["default", _STYLE]):
        yield
