"""Which deal numbers a run is about: a range, or a sorted list of single numbers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

LAST_NUMBER = 2**64 - 1
"""The number column is an unsigned 64-bit integer."""


class Selection:
    """Numbers in order, each once.

    Parameters
    ----------
    numbers : range or iterable of int
        A range has step 1. Other numbers may come in any order and more than once; without gaps
        they are the same selection as the range.

    Raises
    ------
    ValueError
        If there are none, or one does not fit into 64 bits.

    Examples
    --------
    >>> Selection([3, 1, 2, 2]) == Selection(range(1, 4))
    True
    >>> Selection([9, 5]).identity()["count"]
    2
    """

    def __init__(self, numbers: range | Iterable[int]) -> None:
        self._range: range | None = numbers if isinstance(numbers, range) else None
        self._list: npt.NDArray[np.uint64] = np.empty(0, np.uint64)
        if self._range is None:
            if isinstance(numbers, np.ndarray):
                self._list = np.unique(numbers.astype(np.uint64))
            else:
                given = list(numbers)
                if given and not 0 <= min(given) <= max(given) <= LAST_NUMBER:
                    raise ValueError(f"numbers are 0..{LAST_NUMBER}")
                self._list = np.unique(np.array(given, np.uint64))
            if len(self._list) and self.last - self.first + 1 == len(self._list):
                self._range = range(self.first, self.last + 1)
                self._list = np.empty(0, np.uint64)
        if not len(self):
            raise ValueError("no numbers")
        if self.first < 0 or self.last > LAST_NUMBER:
            raise ValueError(f"numbers are 0..{LAST_NUMBER}")

    def __len__(self) -> int:
        return len(self._list) if self._range is None else len(self._range)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Selection) and self.identity() == other.identity()

    def __hash__(self) -> int:
        return hash((self.first, self.last, len(self)))

    @property
    def is_range(self) -> bool:
        """Whether there are no gaps."""
        return self._range is not None

    @property
    def first(self) -> int:
        """The smallest number."""
        return int(self._list[0]) if self._range is None else self._range[0]

    @property
    def last(self) -> int:
        """The largest number."""
        return int(self._list[-1]) if self._range is None else self._range[-1]

    def slice(self, begin: int, end: int) -> npt.NDArray[np.uint64]:
        """Return the numbers at some places."""
        if self._range is None:
            return self._list[begin:end]
        piece = self._range[begin:end]
        if not piece:
            return np.empty(0, np.uint64)
        numbers: npt.NDArray[np.uint64] = np.arange(len(piece), dtype=np.uint64)
        numbers += np.uint64(piece[0])
        return numbers

    def places(self, numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Return the place of each number, all of which must be in the selection."""
        if self._range is None:
            return np.searchsorted(self._list, numbers)
        places: npt.NDArray[np.int64] = (numbers - np.uint64(self._range[0])).astype(np.int64)
        return places

    def identity(self) -> dict[str, Any]:
        """Return what tells this selection from any other, as plain JSON values."""
        ends: dict[str, Any] = {"first": self.first, "last": self.last}
        if self._range is not None:
            return ends
        digest = hashlib.sha256(self._list.astype("<u8").tobytes()).hexdigest()[:32]
        return ends | {"count": len(self), "numbers_sha256": digest}

    def describe(self, numbering: str) -> str:
        """Return the selection in words.

        Examples
        --------
        >>> Selection(range(1, 9)).describe("native")
        'native:1 to native:8'
        """
        ends = f"{numbering}:{self.first} to {numbering}:{self.last}"
        return ends if self.is_range else f"{len(self):,} numbers from {ends}"

    def text(self) -> str:
        """Return the numbers one a line."""
        return "".join(f"{number}\n" for number in self.slice(0, len(self)).tolist())


def parse_numbers(text: str) -> list[int]:
    r"""Return the numbers of a list: one a line, ``#`` starts a comment.

    Raises
    ------
    ValueError
        One message line for each line that is no number.

    Examples
    --------
    >>> parse_numbers("7\n\n# lost\n12  # long\n")
    [7, 12]
    """
    numbers: list[int] = []
    bad: list[str] = []
    for place, line in enumerate(text.splitlines(), 1):
        word = line.partition("#")[0].strip()
        if not word:
            continue
        if re.fullmatch(r"\d{1,20}", word, re.ASCII) and int(word) <= LAST_NUMBER:
            numbers.append(int(word))
        else:
            bad.append(f"line {place}: {word[:40]!r} is no number from 0 to {LAST_NUMBER}")
    if bad:
        raise ValueError("\n".join(bad))
    return numbers
