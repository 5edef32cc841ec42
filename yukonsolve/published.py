"""Claims about win rates that have been published, by name, and how to read one's own.

What each is about is as far as its source tells; where it does not say whether worrying back is
allowed, both are taken to be meant.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from yukonsolve.claims import Claim
from yukonsolve.rules import PRESETS, preset
from yukonsolve.rulesets import title
from yukonsolve.stats import Interval

ALL = "all"
"""In place of a name: every published claim that is about one of the runs."""

_STUDIED = ("family", "build", "spaces", "worrying_back", "draw", "passes")


def _at(percent: float, high: float | None = None) -> Interval:
    return Interval(percent / 100, (percent if high is None else high) / 100)


def _about(name: str, *fields: str, **changes: Any) -> dict[str, Any]:
    rules = preset(name, **changes)
    return {"about": {f: getattr(rules, f) for f in fields}, "about_in_words": title(rules)}


def _game(name: str, words: str) -> dict[str, Any]:
    """Return what a claim is about that says nothing of worrying back."""
    fields = ("family", "build", "spaces", "draw", "passes")
    return _about(name, *fields) | {"about_in_words": words}


def _study(
    name: str,
    centre: float,
    half: float,
    source: str,
    rules: str = "klondike-draw3",
    **changes: Any,
) -> Claim:
    share = Interval((centre - half) / 100, (centre + half) / 100)
    about = _about(rules, *_STUDIED, **changes)
    return Claim(name, share, "study", source=source, **about)


_YUKON = _game("yukon", "Yukon with kings to spaces")
_RUSSIAN = _game("russian", "Russian with kings to spaces")
_DRAW_1 = _game("klondike", "Klondike draw 1")
_DRAW_3 = _game("klondike-draw3", "Klondike draw 3")

_CP = "Dang, Gent, Nightingale, Ulrich-Oltean, Waller, CP 2025, doi 10.4230/LIPIcs.CP.2025.9"
_JAIR = "Blake & Gent, JAIR 85 (2026), arXiv 1906.12314"
_PAGE = "a rules page, without a sample"

_CLAIMS = (
    Claim(
        "morehead",
        _at(25),
        words="about every fourth game comes out",
        source="Morehead and Mott-Smith, as a German rules page reports it",
        **_YUKON,
    ),
    Claim("yukon-80-90", _at(80, 90), source=_PAGE, **_YUKON),
    Claim("yukon-85", _at(85), source=_PAGE, **_YUKON),
    Claim(
        "yukon-good-players",
        _at(50, 100),
        "play",
        who="good players",
        words="good players over 50 %",
        source=_PAGE,
        **_YUKON,
    ),
    Claim("yukon-people", _at(25, 40), "play", source=_PAGE, **_YUKON),
    Claim("yukon-one-in-ten", _at(10), words="1 in 10", source=_PAGE, **_YUKON),
    Claim(
        "russian-average-player",
        _at(5),
        "play",
        who="an average player",
        source="T. Warfield, 2002",
        **_RUSSIAN,
    ),
    Claim(
        "russian-good-players",
        _at(10, 20),
        "play",
        who="good players",
        source="T. Warfield, 2002",
        **_RUSSIAN,
    ),
    Claim(
        "russian-autoplayer",
        _at(4.05),
        "play",
        who="a plain autoplayer",
        words="won 405 of 10,000",
        source="a count of games",
        **_RUSSIAN,
    ),
    Claim("klondike-people-draw1", _at(33), "play", source="a large site", **_DRAW_1),
    Claim("klondike-people-draw3", _at(11), "play", source="a large site", **_DRAW_3),
    Claim(
        "klondike-expert",
        _at(36.6),
        "play",
        who="a human expert who sees every card",
        source="published experiment",
        **_DRAW_3,
    ),
    Claim(
        "klondike-hidden-2009",
        _at(36.97),
        "play",
        who="the best peer-reviewed program that does not see the face-down cards",
        source="2009, 2,281 s a game",
        **_DRAW_3,
    ),
    Claim(
        "klondike-hidden-lonelybot",
        _at(47.58 - 0.80, 47.58 + 0.80),
        "play",
        who="the best program claimed that does not see the face-down cards",
        source="lonelybot, 3 s a game",
        **_DRAW_3,
    ),
    _study("draw3-cp2025", 81.942, 0.080, _CP),
    _study("draw3-lonelybot", 81.95, 0.03, "lonelybot README (2024-26)"),
    _study("draw3-no-worrying-back-cp2025", 81.536, 0.055, _CP, worrying_back=False),
    _study("draw1-cp2025", 90.454, 0.090, _CP, "klondike"),
    _study("draw1-no-worrying-back", 90.204, 0.093, _JAIR, "klondike", worrying_back=False),
    _study("draw2", 88.620, 0.135, _JAIR, draw=2),
    _study("draw4", 69.337, 0.098, _JAIR, draw=4),
    _study("draw5", 53.434, 0.099, _JAIR, draw=5),
    _study("draw6", 35.854, 0.095, _JAIR, draw=6),
    _study("draw7", 23.779, 0.084, _JAIR, draw=7),
    _study("draw3-any-card", 94.959, 0.045, _JAIR, spaces="any"),
    _study("draw3-in-suit", 6.895, 0.050, _JAIR, build="suit"),
    _study("draw3-in-suit-any-card", 40.762, 0.097, _JAIR, build="suit", spaces="any"),
    Claim(
        "solvitaire-10000",
        Interval(0.8131, 0.8133),
        "study",
        source="public per-deal data: 8,131 solvable, 1,867 unsolvable, 2 undecided",
        deals=("solvitaire", 1, 10_000),
        **_about("klondike-draw3", *_STUDIED),
    ),
    Claim(
        "solvitaire-10000-no-worrying-back",
        Interval(0.8094, 0.8094),
        "study",
        source=f"8,094 solvable, 1,906 unsolvable; {_CP}",
        deals=("solvitaire", 1, 10_000),
        **_about("klondike-draw3", *_STUDIED, worrying_back=False),
    ),
)

CLAIMS: dict[str, Claim] = {claim.name: claim for claim in _CLAIMS}
"""Every published claim, by name."""


def claims_asked(text: str) -> list[tuple[Claim, bool]]:
    """Return claims, and whether each is to be shown even if no run is what it is about.

    Takes what `read_claim` takes, and ``all``.

    Examples
    --------
    >>> [(claim.name, always) for claim, always in claims_asked("morehead")]
    [('morehead', True)]
    """
    if text.strip().lower() == ALL:
        return [(claim, False) for claim in CLAIMS.values()]
    return [(read_claim(text), True)]


def read_claim(text: str) -> Claim:
    """Return the claim that a text stands for.

    Parameters
    ----------
    text : str
        The name of a published claim; or ``NAME: SHARE``, where the share is a fraction (0.25), a
        percentage (25%), a range (25-40%) or a centre with its half width (81.9+-0.1%), which
        makes it the result of a study; or ``NAME [RULES]: SHARE`` with a preset's name for a claim
        that is about those rules only. A published name with another share keeps what the
        published claim is about.

    Raises
    ------
    ValueError
        If it is none of these.

    Examples
    --------
    >>> read_claim("morehead").share == read_claim("morehead: 25%").share
    True
    >>> read_claim("my page [russian]: 10-20 %").share_in_words
    '10 % to 20 %'
    """
    known = CLAIMS.get(text.strip().lower())
    if known is not None:
        return known
    match = re.fullmatch(r"\s*(.*?)\s*(?:\[\s*([\w-]+)\s*\])?\s*:([^:]*)", text, re.DOTALL)
    if match is None or not match[1]:
        raise ValueError(
            f"no published claim is named {text[:60]!r}; "
            "see --claim help, or give a share: 'NAME: 25%'"
        )
    name, rules, share_text = match[1], match[2], match[3].strip()
    share, measured = _read_share(share_text)
    known = CLAIMS.get(name.lower())
    if known is not None and rules is None:
        same = (round(share.low, 9), round(share.high, 9)) == _rounded(known.share)
        return known if same else replace(known, share=share, words="", source="", deals=None)
    about: dict[str, Any] = {}
    if rules is not None:
        if rules not in PRESETS:
            raise ValueError(f"unknown rules {rules!r}; known: {', '.join(PRESETS)}")
        about = _game(rules, title(PRESETS[rules]))
    return Claim(name, share, "study" if measured else "either", **about)


def _rounded(share: Interval) -> tuple[float, float]:
    return round(share.low, 9), round(share.high, 9)


_NUMBER = r"(\d+(?:\.\d+)?|\.\d+)"
_PERCENT = r"\s*(%?)\s*"
_SHARE = re.compile(
    rf"{_NUMBER}{_PERCENT}(?:(\+-|\+/-|±|-|–|\.\.|to)\s*{_NUMBER}{_PERCENT})?", re.ASCII
)


def _read_share(text: str) -> tuple[Interval, bool]:
    """Return a share, and whether it was given with a half width."""
    match = _SHARE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text[:40]!r} is no share; write 0.25, 25%, 25-40% or 81.9+-0.1%")
    one, percent_1, sign, two, percent_2 = match.groups()
    scale = 100 if percent_1 or percent_2 else 1
    low = high = float(one) / scale
    measured = sign in ("+-", "+/-", "±")
    if measured:
        low, high = low - float(two) / scale, high + float(two) / scale
    elif two is not None:
        high = float(two) / scale
    if not 0 <= low <= high <= 1:
        raise ValueError(f"{text!r} is no share of deals: 0 to 1, or 0% to 100%, low end first")
    return Interval(low, high), measured


def claims_text() -> str:
    """Return the published claims as lines for people.

    Examples
    --------
    >>> claims_text().splitlines()[0].split()[:2]
    ['morehead', '25']
    """
    lines = []
    for claim in CLAIMS.values():
        what = {
            "study": "can be won, measured",
            "play": f"won by {claim.who}",
            "either": "does not say by whom",
        }[claim.kind]
        words = f' ("{claim.words}")' if claim.words else ""
        lines.append(
            f"{claim.name:<34}{claim.share_in_words:<23}{claim.about_in_words}: {what}{words}; "
            f"{claim.source}"
        )
    return "\n".join(lines)
