"""What a search answers: the verdict, why it stopped, and the limits it ran under."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Verdict(str, Enum):
    """The three answers. A limit always gives ``UNDECIDED``, never one of the other two."""

    SOLVABLE = "solvable"
    UNSOLVABLE = "unsolvable"
    UNDECIDED = "undecided"


class Reason(str, Enum):
    """Why the search ended."""

    REPLAYED = "replayed"
    """Solvable: a move list was found and the rule book replayed it."""
    EXHAUSTED = "exhausted"
    """Unsolvable: every line was searched or refuted by a proved rule."""
    DEAD_AT_ROOT = "dead-at-root"
    """Unsolvable: a proved rule refutes the deal before any move is made."""
    NODES = "nodes"
    """Undecided: the node limit was reached."""
    TIME = "time"
    """Undecided: the time limit was reached."""
    MEMORY = "memory"
    """Undecided: the transposition table reached its cap."""
    INTERRUPTED = "interrupted"
    """Undecided: the user interrupted the run."""
    ERROR = "error"
    """Undecided: the search failed on this deal (batch only; the deal is named in the log)."""


@dataclass(frozen=True)
class Limits:
    """Limits of one search.

    Parameters
    ----------
    max_nodes : int or None
        States expanded, over all tries. ``None`` takes the rule set's default.
    timeout_s : float or None
        Wall-clock seconds. ``None`` means none: only node limits are reproducible.
    max_memory_bytes : int
        Cap on the transposition table and search stack of one process.

    Examples
    --------
    >>> Limits(max_nodes=1000).timeout_s is None
    True
    """

    max_nodes: int | None = None
    timeout_s: float | None = None
    max_memory_bytes: int = 1 << 30


@dataclass(frozen=True)
class Result:
    """The outcome of one search.

    Parameters
    ----------
    verdict : Verdict
    reason : Reason
    nodes : int
        States expanded.
    seconds : float
        Wall-clock time of the search, compilation and replay excluded.
    table_entries : int
        Most entries the transposition table held at once.
    moves : tuple of str or None
        Move tokens ``CARD:FROM>TO``, replayed by the rule book; ``None`` unless solvable.
    """

    verdict: Verdict
    reason: Reason
    nodes: int
    seconds: float
    table_entries: int
    moves: tuple[str, ...] | None
