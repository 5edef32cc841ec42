"""Answers to many deals: one array a column, as they leave the bulk kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yukonsolve.position import Step, parse_move, token_of
from yukonsolve.verdict import Reason, Result, Verdict

VERDICTS: tuple[Verdict, ...] = tuple(Verdict)
REASONS: tuple[Reason, ...] = tuple(Reason)
_VERDICT_PLACE = {verdict: place for place, verdict in enumerate(VERDICTS)}
_REASON_PLACE = {reason: place for place, reason in enumerate(REASONS)}


@dataclass(frozen=True)
class Answers:
    """Answers to consecutive deals.

    Parameters
    ----------
    verdicts, reasons : ndarray of uint8
        Places in ``VERDICTS`` and ``REASONS``.
    nodes, seconds, entries : ndarray
        As in `yukonsolve.verdict.Result`.
    moves : dict
        The steps of each win by its place.

    Examples
    --------
    >>> lost = Result(Verdict.UNSOLVABLE, Reason.EXHAUSTED, 7, 0.1, 5, None)
    >>> answers = Answers.of(lost)
    >>> len(answers), answers.result(0) == lost
    (1, True)
    """

    verdicts: NDArray[np.uint8]
    reasons: NDArray[np.uint8]
    nodes: NDArray[Any]
    seconds: NDArray[np.float64]
    entries: NDArray[Any]
    moves: dict[int, tuple[Step, ...]]

    @classmethod
    def of(cls, result: Result) -> Answers:
        """Return one result as arrays."""
        return cls(
            np.array([place_of(result.verdict)], np.uint8),
            np.array([place_of(result.reason)], np.uint8),
            np.array([result.nodes], np.int64),
            np.array([result.seconds]),
            np.array([result.table_entries], np.int64),
            {} if result.moves is None else {0: tuple(map(parse_move, result.moves))},
        )

    def __len__(self) -> int:
        return len(self.verdicts)

    def result(self, place: int) -> Result:
        """Return one answer by itself."""
        moves = self.moves.get(place)
        return Result(
            VERDICTS[self.verdicts[place]],
            REASONS[self.reasons[place]],
            int(self.nodes[place]),
            float(self.seconds[place]),
            int(self.entries[place]),
            None if moves is None else tuple(map(token_of, moves)),
        )


def place_of(value: Verdict | Reason) -> int:
    """Return the place of a verdict in ``VERDICTS``, or of a reason in ``REASONS``.

    Examples
    --------
    >>> place_of(Verdict.UNSOLVABLE), place_of(Reason.REPLAYED)
    (1, 0)
    """
    return _VERDICT_PLACE[value] if isinstance(value, Verdict) else _REASON_PLACE[value]
