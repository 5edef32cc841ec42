"""Rows of results: one deal as a named tuple, many deals as one array.

Rows travel from a worker to the disk as arrays, a chunk at a time, so that what surrounds the
kernels costs next to nothing a deal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from yukonsolve import answers as columns
from yukonsolve.answers import Answers
from yukonsolve.position import token_of
from yukonsolve.stats import Tally
from yukonsolve.verdict import Reason, Verdict

VERDICTS: tuple[str, ...] = tuple(verdict.value for verdict in columns.VERDICTS)
REASONS: tuple[str, ...] = tuple(reason.value for reason in columns.REASONS)
UNDECIDED = VERDICTS.index(Verdict.UNDECIDED.value)
ERROR = REASONS.index(Reason.ERROR.value)
NO_LENGTH = -1
"""Stands for a ``solution_length`` that is ``None``."""

ROW_TYPE = np.dtype(
    [
        ("number", "<u8"),
        ("nodes", "<i8"),
        ("seconds", "<f8"),
        ("table_entries", "<i8"),
        ("solution_length", "<i4"),
        ("verdict", "u1"),  # place in VERDICTS
        ("reason", "u1"),  # place in REASONS
    ]
)
_VERDICT_CODE = {name: code for code, name in enumerate(VERDICTS)}
_REASON_CODE = {name: code for code, name in enumerate(REASONS)}


class Row(NamedTuple):
    """One deal's row; the field names are the Parquet columns.

    ``seconds`` is wall-clock time of the search; ``solution_length`` counts moves and is ``None``
    unless the deal is solvable; ``moves`` holds the tokens separated by blanks where they are kept.
    """

    number: int
    verdict: str
    reason: str
    nodes: int
    seconds: float
    table_entries: int
    solution_length: int | None
    moves: str | None


class Rows:
    """Many rows as one array, and their moves where they are kept.

    Parameters
    ----------
    values : ndarray
        Of type ``ROW_TYPE``.
    moves : list of str or None, optional
        One entry a row; ``None`` for no moves at all.

    Examples
    --------
    >>> rows = Rows.of([Row(7, "solvable", "replayed", 9, 0.1, 5, 90, None)])
    >>> len(rows), next(iter(rows)).reason
    (1, 'replayed')
    """

    __slots__ = ("moves", "values")

    def __init__(self, values: npt.NDArray[np.void], moves: list[str | None] | None = None) -> None:
        self.values = values
        self.moves = moves

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Rows:
        """Return single rows as an array."""
        rows = list(rows)
        values = [
            (
                row.number,
                row.nodes,
                row.seconds,
                row.table_entries,
                NO_LENGTH if row.solution_length is None else row.solution_length,
                _VERDICT_CODE[row.verdict],
                _REASON_CODE[row.reason],
            )
            for row in rows
        ]
        moves = [row.moves for row in rows]
        return cls(np.array(values, ROW_TYPE), moves if any(moves) else None)

    @classmethod
    def of_answers(cls, numbers: Sequence[int], answers: Answers, keep_moves: bool) -> Rows:
        """Return the answers to deals of these numbers as rows."""
        values = np.empty(len(answers), ROW_TYPE)
        values["number"] = numbers
        values["nodes"] = answers.nodes
        values["seconds"] = answers.seconds
        values["table_entries"] = answers.entries
        values["verdict"] = answers.verdicts
        values["reason"] = answers.reasons
        values["solution_length"] = NO_LENGTH
        for place, steps in answers.moves.items():
            values["solution_length"][place] = len(steps)
        if not (keep_moves and answers.moves):
            return cls(values)
        moves: list[str | None] = [None] * len(answers)
        for place, steps in answers.moves.items():
            moves[place] = " ".join(map(token_of, steps))
        return cls(values, moves)

    @classmethod
    def join(cls, pieces: Sequence[Rows]) -> Rows:
        """Return the rows of all pieces, one after the other."""
        if len(pieces) == 1:
            return pieces[0]
        values = np.concatenate([np.empty(0, ROW_TYPE), *(piece.values for piece in pieces)])
        if all(piece.moves is None for piece in pieces):
            return cls(values)
        lists = (p.moves if p.moves is not None else [None] * len(p) for p in pieces)
        return cls(values, [text for texts in lists for text in texts])

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Row]:
        moves = self.moves if self.moves is not None else [None] * len(self)
        for value, text in zip(self.values.tolist(), moves, strict=True):
            number, nodes, seconds, entries, length, verdict, reason = value
            yield Row(
                number,
                VERDICTS[verdict],
                REASONS[reason],
                nodes,
                seconds,
                entries,
                None if length == NO_LENGTH else length,
                text,
            )

    @property
    def numbers(self) -> npt.NDArray[np.uint64]:
        """The deals' numbers."""
        return self.values["number"]

    @property
    def tally(self) -> Tally:
        """How many rows have each verdict."""
        return Tally(*np.bincount(self.values["verdict"], minlength=len(VERDICTS)).tolist())

    def take(self, places: npt.NDArray[np.intp] | npt.NDArray[np.bool_] | slice) -> Rows:
        """Return the rows at some places, or where a mask is true."""
        if self.moves is None:
            return Rows(self.values[places])
        chosen = np.arange(len(self))[places].tolist()
        return Rows(self.values[places], [self.moves[place] for place in chosen])

    def in_order(self) -> Rows:
        """Return the rows sorted by number, the first one of each number only."""
        if (self.numbers[1:] > self.numbers[:-1]).all():
            return self
        _, first = np.unique(self.numbers, return_index=True)
        return self.take(first)


def better(old: Rows, new: Rows) -> npt.NDArray[np.bool_]:
    """Return where the second of two answers about the same deals is the better one.

    A decided deal beats an undecided one; of two undecided ones the longer search tells more, and
    a failed one tells nothing. Two decided answers are equally good: the old one stays.

    Parameters
    ----------
    old, new : Rows
        Equal numbers in equal order.

    Examples
    --------
    >>> old = Rows.of([Row(7, "undecided", "nodes", 9, 0.1, 5, None, None)])
    >>> new = Rows.of([Row(7, "unsolvable", "exhausted", 99, 0.2, 8, None, None)])
    >>> better(old, new).tolist(), better(new, old).tolist()
    ([True], [False])
    """
    was, now = old.values, new.values
    longer = (now["nodes"] > was["nodes"]) | (was["reason"] == ERROR)
    gained = (now["verdict"] != UNDECIDED) | ((now["reason"] != ERROR) & longer)
    gain: npt.NDArray[np.bool_] = (was["verdict"] == UNDECIDED) & gained
    return gain


def replaced(old: Rows, mask: npt.NDArray[np.bool_], new: Rows) -> Rows:
    """Return ``old`` with the rows of ``new`` where the mask is true.

    Examples
    --------
    >>> old = Rows.of([Row(7, "undecided", "nodes", 9, 0.1, 5, None, None)])
    >>> new = Rows.of([Row(7, "unsolvable", "exhausted", 99, 0.2, 8, None, None)])
    >>> [row.verdict for row in replaced(old, better(old, new), new)]
    ['unsolvable']
    """
    values = np.where(mask, new.values, old.values)
    if old.moves is None and new.moves is None:
        return Rows(values)
    none: list[str | None] = [None] * len(old)
    pairs = zip(mask.tolist(), old.moves or none, new.moves or none, strict=True)
    return Rows(values, [after if use else before for use, before, after in pairs])
