"""Put results folders that split a run into one, where they overlap checking one by the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from yukonsolve.disk import StoreError
from yukonsolve.folder import (
    count_parts,
    differences,
    part_path,
    read_manifest,
    read_selection,
    read_whole_part,
)
from yukonsolve.rows import UNDECIDED, VERDICTS, Rows, better, replaced
from yukonsolve.selection import Selection

_OF_ONE_FOLDER = {"first", "last", "count", "numbers_sha256", "part_rows"}


class Shard:
    """One finished folder to be merged; reads the parts it is asked about, and keeps the last.

    Parameters
    ----------
    folder : Path

    Raises
    ------
    StoreError
        If it is no results folder, or is not finished.

    Examples
    --------
    >>> Shard(Path("results/a")).numbers.describe("native")  # doctest: +SKIP
    'native:1 to native:1000'
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)
        self.identity: dict[str, Any] = self.manifest["identity"]
        self.numbers = read_selection(folder, self.identity)
        self._part_rows = int(self.identity["part_rows"])
        self._kept: tuple[int, Rows] = (-1, Rows.of([]))
        there, wanted = count_parts(folder, len(self.numbers), self._part_rows)
        if there < wanted:
            raise StoreError(f"{folder} is not finished: run its batch again first")

    def rows(self, first: int, last: int) -> Rows:
        """Return the rows with numbers from ``first`` to ``last``."""
        ends = np.array([first, last], np.uint64)
        if last < self.numbers.first or first > self.numbers.last:
            return Rows.of([])
        ends = np.clip(ends, np.uint64(self.numbers.first), np.uint64(self.numbers.last))
        begin, end = self.numbers.places(ends).tolist()
        found = []
        for part in range(begin // self._part_rows, end // self._part_rows + 1):
            if part * self._part_rows < len(self.numbers):
                if self._kept[0] != part:
                    self._kept = part, read_whole_part(part_path(self.folder, part)).rows
                rows = self._kept[1]
                inside = (rows.numbers >= np.uint64(first)) & (rows.numbers <= np.uint64(last))
                found.append(rows.take(inside))
        return Rows.join(found)


class Merge:
    """Finished folders of one run, seen as one.

    Parameters
    ----------
    folders : list of Path
        Two or more. Where they overlap, the better answer counts, or the first of equal ones.

    Raises
    ------
    StoreError
        If a folder is not finished, or was made otherwise than the first one.

    Examples
    --------
    >>> merge = Merge([Path("results/a"), Path("results/b")])  # doctest: +SKIP
    >>> merge.check()  # doctest: +SKIP
    []
    """

    def __init__(self, folders: list[Path]) -> None:
        self.shards = [Shard(folder) for folder in folders]
        first = self.shards[0]
        for shard in self.shards[1:]:
            one, two = (_common(s.identity) for s in (first, shard))
            found = differences(one, two, f"in {first.folder}", f"in {shard.folder}")
            if found:
                raise StoreError(f"cannot be merged: {'; '.join(found)}")
        self.identity = _common(first.identity)
        self.keep_moves = bool(self.identity.pop("keep_moves"))
        self.part_rows = max(int(shard.identity["part_rows"]) for shard in self.shards)
        self.numbers = _union([shard.numbers for shard in self.shards])
        self.overlapping = 0

    def check(self) -> list[str]:
        """Return a line for each deal about which two folders contradict each other."""
        found: list[str] = []
        self.overlapping = 0
        for _ in self._pieces(found):
            pass
        return found

    def pieces(self) -> Iterator[Rows]:
        """Yield the rows in order, a part's worth at a time."""
        return self._pieces([])

    def sources(self) -> list[dict[str, Any]]:
        """Return what the manifest of the merged folder says about each folder."""
        keys = ("first", "last", "count", "numbers_sha256")
        return [
            {"folder": shard.folder.name}
            | {key: shard.identity[key] for key in keys if key in shard.identity}
            | {key: shard.manifest[key] for key in ("runs", "retries") if key in shard.manifest}
            for shard in self.shards
        ]

    def _pieces(self, contradictions: list[str]) -> Iterator[Rows]:
        for begin in range(0, len(self.numbers), self.part_rows):
            numbers = self.numbers.slice(begin, begin + self.part_rows)
            best = Rows.of([])
            origin = np.empty(0, np.int64)
            for place, shard in enumerate(self.shards):
                rows = shard.rows(int(numbers[0]), int(numbers[-1]))
                both = np.isin(best.numbers, rows.numbers)
                if both.any():
                    self._compare(best, origin, both, rows, place, contradictions)
                new = rows.take(~np.isin(rows.numbers, best.numbers))
                best, origin = _inserted(best, origin, new, place)
            yield best

    def _compare(
        self,
        best: Rows,
        origin: npt.NDArray[np.int64],
        both: npt.NDArray[np.bool_],
        rows: Rows,
        place: int,
        contradictions: list[str],
    ) -> None:
        """Look at the deals two folders share; put the better answers into ``best``."""
        old = best.take(both)
        new = rows.take(np.isin(rows.numbers, old.numbers))
        self.overlapping += len(old)
        was, now = old.values["verdict"], new.values["verdict"]
        for i in np.flatnonzero((was != now) & (was != UNDECIDED) & (now != UNDECIDED)).tolist():
            first = self.shards[int(origin[both][i])]
            contradictions.append(
                f"{self.identity['numbering']}:{int(old.numbers[i])} is {VERDICTS[was[i]]} in "
                f"{first.folder} and {VERDICTS[now[i]]} in {self.shards[place].folder}"
            )
        mask = better(old, new)
        chosen = replaced(old, mask, new)
        places = np.flatnonzero(both)
        best.values[places] = chosen.values
        if chosen.moves is not None:
            best.moves = list(best.moves or [None] * len(best))
            for at, text in zip(places.tolist(), chosen.moves, strict=True):
                best.moves[at] = text
        origin[places[mask]] = place


def _inserted(
    best: Rows, origin: npt.NDArray[np.int64], new: Rows, place: int
) -> tuple[Rows, npt.NDArray[np.int64]]:
    joined = Rows.join([best, new])
    order = np.argsort(joined.numbers, kind="stable")
    origins = np.concatenate([origin, np.full(len(new), place)])
    return joined.take(order), origins[order]


def _common(identity: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in identity.items() if key not in _OF_ONE_FOLDER}


def _union(selections: list[Selection]) -> Selection:
    """Return the numbers of all selections; ranges that touch make one range without a list."""
    merged: range | None = None
    for selection in sorted(selections, key=lambda s: s.first):
        if not selection.is_range:
            break
        if merged is None:
            merged = range(selection.first, selection.last + 1)
        elif selection.first <= merged.stop:
            merged = range(merged.start, max(merged.stop, selection.last + 1))
        else:
            break
    else:
        assert merged is not None  # there is at least one folder
        return Selection(merged)
    return Selection(np.concatenate([s.slice(0, len(s)) for s in selections]))
