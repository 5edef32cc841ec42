"""Rule sets as data: one record says everything in which the games differ.

Nothing here knows how to play; the rule book and the kernels read the record.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from yukonsolve.cards import N_SUITS

UNLIMITED = 0
"""``Rules.passes`` when the stock may be run through any number of times."""

BUILDS = ("alternate", "suit")
SPACES = ("kings", "any")
FAMILIES = ("yukon", "klondike")


@dataclass(frozen=True)
class Rules:
    """One rule set.

    Parameters
    ----------
    name : str
        The preset it came from, for people.
    family : {"yukon", "klondike"}
        ``yukon``: any face-up card moves with everything on it, no stock.
        ``klondike``: only built runs move; there is a stock.
    build : {"alternate", "suit"}
        What may lie on what: one rank lower and of the other colour, or of the same suit.
    spaces : {"kings", "any"}
        Who may fill an empty column (with everything lying on it).
    worrying_back : bool
        Whether the top card of a foundation may return to the tableau.
    draw : int
        Cards turned from the stock at a time; 0 where there is no stock.
    passes : int
        Runs through the stock allowed; ``UNLIMITED`` (0) for no limit.
    n_ranks : int
        Ranks in the deck, 1..13; smaller decks serve as tests.
    n_columns : int
    face_down, face_up : tuple of int
        The deal's shape: cards face down and face up in each column. Cards left over are the stock.

    Examples
    --------
    >>> preset("yukon").face_up
    (1, 5, 5, 5, 5, 5, 5)
    """

    name: str
    family: str
    build: str
    spaces: str
    worrying_back: bool
    draw: int
    passes: int
    n_ranks: int = 13
    n_columns: int = 7
    face_down: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)
    face_up: tuple[int, ...] = (1, 5, 5, 5, 5, 5, 5)

    def __post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise ValueError(f"family must be one of {FAMILIES}, not {self.family!r}")
        if self.build not in BUILDS:
            raise ValueError(f"build must be one of {BUILDS}, not {self.build!r}")
        if self.spaces not in SPACES:
            raise ValueError(f"spaces must be one of {SPACES}, not {self.spaces!r}")
        if not 1 <= self.n_ranks <= 13:
            raise ValueError(f"n_ranks must be 1..13, not {self.n_ranks}")
        if not len(self.face_down) == len(self.face_up) == self.n_columns:
            raise ValueError("face_down and face_up must have one number a column")
        stock = self.n_cards - sum(self.face_down) - sum(self.face_up)
        if self.family == "yukon" and (stock or self.draw):
            raise ValueError("a Yukon-family game has no stock: the columns must take every card")
        if self.family == "klondike" and (stock < 0 or self.draw < 1 or self.passes < 0):
            raise ValueError("Klondike needs draw >= 1, passes >= 0 and room for the columns")

    @property
    def n_cards(self) -> int:
        """Cards in the deck."""
        return N_SUITS * self.n_ranks

    def describe(self) -> str:
        """Return the rules in words, the same order every time.

        Examples
        --------
        >>> preset("russian").describe()
        'build same suit, kings to spaces, no worrying back'
        """
        parts = [
            "build same suit" if self.build == "suit" else "build alternate colours",
            "any card to spaces" if self.spaces == "any" else "kings to spaces",
            "worrying back" if self.worrying_back else "no worrying back",
        ]
        if self.family == "klondike":
            passes = "unlimited passes" if self.passes == UNLIMITED else f"passes {self.passes}"
            parts = [f"draw {self.draw}", passes, *parts]
        return ", ".join(parts)


def _klondike(name: str, draw: int, passes: int) -> Rules:
    return Rules(
        name, "klondike", "alternate", "kings", True, draw, passes, face_up=(1, 1, 1, 1, 1, 1, 1)
    )


PRESETS: dict[str, Rules] = {
    "yukon": Rules("yukon", "yukon", "alternate", "kings", False, 0, UNLIMITED),
    "russian": Rules("russian", "yukon", "suit", "kings", False, 0, UNLIMITED),
    "klondike": _klondike("klondike", 1, UNLIMITED),
    "klondike-draw3": _klondike("klondike-draw3", 3, UNLIMITED),
    "klondike-vegas": _klondike("klondike-vegas", 3, 3),
}


def preset(name: str, **changes: Any) -> Rules:
    """Return a named rule set, with any of its fields changed.

    Parameters
    ----------
    name : str
        One of ``PRESETS``.
    **changes
        Fields of `Rules` to replace, e.g. ``spaces="any"``.

    Raises
    ------
    ValueError
        If the name or a value is unknown.

    Examples
    --------
    >>> preset("yukon", spaces="any").describe()
    'build alternate colours, any card to spaces, no worrying back'
    """
    try:
        base = PRESETS[name]
    except KeyError:
        raise ValueError(f"unknown rules {name!r}; known: {', '.join(PRESETS)}") from None
    return replace(base, **changes)
