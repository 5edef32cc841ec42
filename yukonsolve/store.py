"""A results folder: Parquet parts, one manifest, and a journal for the part being worked on.

Layout of a folder (names with an underscore are skipped by Parquet readers)::

    part-000000.parquet   the first part_rows deals, sorted by number
    part-000001.parquet   the next part_rows deals, and so on
    _manifest.json        rules, numbering, numbers, limits, versions, machine, commands
    _numbers.txt          the numbers, where they are no range
    _journal-000002.bin   rows of a part that is not finished yet

Which deal lies in which part depends on the numbers alone, so the finished dataset is the same
whatever the number of processes and however often the run was stopped. A row is in the journal as
soon as it is known; when a part is full its journal is sorted, written whole under another name,
synced and renamed. A reader therefore never meets half a part, and ``kill -9`` costs at most the
rows that no process had handed over.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from yukonsolve.disk import StoreError, lock_folder, write_all, write_whole
from yukonsolve.folder import (
    FORMAT,
    LOCK,
    MANIFEST,
    NUMBERS,
    differences,
    identity_digest,
    part_number,
    part_path,
    part_rows_of,
    read_manifest,
)
from yukonsolve.journal import encode_rows, parse_journal
from yukonsolve.parts import read_part, write_part
from yukonsolve.rows import VERDICTS, Row, Rows
from yukonsolve.selection import Selection
from yukonsolve.stats import Tally

__all__ = ["PART_ROWS", "Row", "Rows", "Store", "StoreError"]

PART_ROWS = 50_000
"""Deals a part of a new folder."""


class Store:
    """A results folder open for writing.

    Parameters
    ----------
    folder : Path
        Created if it does not exist.
    identity : dict
        What every row depends on (rules, numbering, limits, solver ...), plain JSON values. A
        folder is only continued with an equal identity.
    numbers : Selection or range
        Deal numbers of the whole run.
    run : dict
        How this run was started (command, machine, versions, start); kept in the manifest.
    keep_moves : bool
        Whether rows carry their move lists.
    part_rows : int, optional
        Deals a part; by default as the folder has it, and ``PART_ROWS`` in a new one.

    Raises
    ------
    StoreError
        If the folder belongs to another run, or another process is writing to it.

    Examples
    --------
    >>> import tempfile
    >>> with Store(Path(tempfile.mkdtemp()) / "out", {}, range(1, 3), {}) as store:
    ...     store.add([Row(1, "solvable", "replayed", 9, 0.1, 5, 90, None)])
    ...     list(store.missing())
    [2]
    """

    def __init__(
        self,
        folder: Path,
        identity: dict[str, Any],
        numbers: Selection | range,
        run: dict[str, Any],
        keep_moves: bool = False,
        part_rows: int | None = None,
    ) -> None:
        self.folder = folder
        self.numbers = numbers if isinstance(numbers, Selection) else Selection(numbers)
        self.keep_moves = keep_moves
        self.part_rows = part_rows or part_rows_of(folder) or PART_ROWS
        self.notes: list[str] = []
        self._counts = np.zeros(len(VERDICTS), np.int64)
        self._done: dict[int, npt.NDArray[np.bool_]] = {}
        self._journals: dict[int, BinaryIO] = {}
        self._finished: set[int] = set()
        self._lock: BinaryIO | None = None
        self._identity = (
            identity
            | self.numbers.identity()
            | {"keep_moves": keep_moves, "part_rows": self.part_rows}
        )
        self._digest = identity_digest(self._identity)
        self._open(run)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def tally(self) -> Tally:
        """Verdicts of every row the folder holds."""
        return Tally(*self._counts.tolist())

    @property
    def wanted(self) -> int:
        """Rows of the finished folder."""
        return len(self.numbers)

    @property
    def complete(self) -> bool:
        """Whether every part is written."""
        return len(self._finished) == self._n_parts

    def missing(self) -> Iterator[int]:
        """Return the numbers without a row, in order, each once."""
        return chain.from_iterable(map(self._missing_of, range(self._n_parts)))

    def add(self, rows: Rows | Iterable[Row]) -> None:
        """Keep rows; a part that becomes full is written. A number that has a row is ignored."""
        if not isinstance(rows, Rows):
            rows = Rows.of(rows)
        places = self.numbers.places(rows.numbers)
        if not (places[1:] > places[:-1]).all():
            rows = rows.in_order()
            places = self.numbers.places(rows.numbers)
        while len(places):
            part = int(places[0]) // self.part_rows
            here = int(np.searchsorted(places, (part + 1) * self.part_rows))
            self._add_to_part(part, rows.take(slice(here)), places[:here] - part * self.part_rows)
            rows, places = rows.take(slice(here, None)), places[here:]

    def close(self, ended: str | None = None, **facts: Any) -> None:
        """Close the files and note in the manifest when the run ended.

        Parameters
        ----------
        ended : str, optional
            The time, if the run came to its end.
        **facts
            More for the run's entry in the manifest.
        """
        if self._lock is None:
            return
        for journal in self._journals.values():
            os.fsync(journal.fileno())
            journal.close()
        self._journals.clear()
        self._manifest["runs"][-1] |= {"ended_utc": ended, **facts}
        self._write_manifest()
        with contextlib.suppress(OSError):
            (self.folder / LOCK).unlink()
        self._lock.close()
        self._lock = None

    # Below: how the promises at the top are kept.

    @property
    def _n_parts(self) -> int:
        return -(-len(self.numbers) // self.part_rows)

    def _part_numbers(self, part: int) -> npt.NDArray[np.uint64]:
        return self.numbers.slice(part * self.part_rows, (part + 1) * self.part_rows)

    def _part_path(self, part: int) -> Path:
        return part_path(self.folder, part)

    def _journal_path(self, part: int) -> Path:
        return self.folder / f"_journal-{part:06}.bin"

    def _bitmap(self, part: int) -> npt.NDArray[np.bool_]:
        if part not in self._done:
            self._done[part] = np.zeros(len(self._part_numbers(part)), bool)
        return self._done[part]

    def _missing_of(self, part: int) -> list[int]:
        if part in self._finished:
            return []
        numbers = self._part_numbers(part)
        done = self._done.get(part)
        missing: list[int] = (numbers if done is None else numbers[~done]).tolist()
        return missing

    def _add_to_part(self, part: int, rows: Rows, places: npt.NDArray[np.integer[Any]]) -> None:
        if part in self._finished:
            return
        done = self._bitmap(part)
        there = done[places]
        if there.any():
            rows, places = rows.take(~there), places[~there]
        if len(rows):
            self._append(part, rows)
            done[places] = True
            if done.all():
                self._finish(part)

    def _count(self, rows: Rows) -> None:
        self._counts += np.bincount(rows.values["verdict"], minlength=len(VERDICTS))

    def _append(self, part: int, rows: Rows) -> None:
        # Unbuffered: what is handed over survives this process, and forked workers inherit no
        # half-filled buffer.
        if part not in self._journals:
            self._journals[part] = self._journal_path(part).open("ab", buffering=0)
        write_all(self._journals[part], encode_rows(rows))
        self._count(rows)

    def _open(self, run: dict[str, Any]) -> None:
        exists = (self.folder / MANIFEST).exists()
        if not exists and self.folder.exists() and any(self.folder.iterdir()):
            names = {path.name for path in self.folder.iterdir()}
            # A run killed in its first moments leaves these at most.
            if not names <= {LOCK, NUMBERS, NUMBERS + ".tmp", MANIFEST + ".tmp"}:
                raise StoreError(f"{self.folder} is not empty and is no results folder")
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = lock_folder(self.folder / LOCK)
        try:
            if exists:
                self._manifest = read_manifest(self.folder)
                self._check_identity()
                self._take_stock()
            else:
                if not self.numbers.is_range:
                    write_whole(self.folder / NUMBERS, self.numbers.text().encode())
                self._manifest = {"format": FORMAT, "identity": self._identity, "runs": []}
            self._manifest["runs"].append(run | {"ended_utc": None})
            self._write_manifest()
        except BaseException:
            self._lock.close()
            self._lock = None
            raise

    def _check_identity(self) -> None:
        differing = differences(self._manifest["identity"], self._identity, "there", "here")
        if differing:
            raise StoreError(f"{self.folder} holds another run: {'; '.join(differing)}")

    def _take_stock(self) -> None:
        """Read what an earlier run left; what cannot be trusted is noted and made again."""
        names = sorted(path.name for path in self.folder.iterdir())
        for name in names:
            path = self.folder / name
            if name.endswith(".tmp"):
                path.unlink()
            elif name.startswith("part-"):
                part = part_number(name)
                rows = self._read_part(part) if part is not None else None
                if rows is None or part is None:
                    self.notes.append(f"{name} is damaged or foreign: its deals are solved again")
                    path.unlink()
                else:
                    self._finished.add(part)
                    self._count(rows)
        for name in names:
            if name.startswith("_journal-"):
                part = part_number(name)
                if part is None or part in self._finished or part >= self._n_parts:
                    (self.folder / name).unlink()
                    continue
                rows = self._read_journal(part)
                done = self._bitmap(part)
                done[self.numbers.places(rows.numbers) - part * self.part_rows] = True
                self._count(rows)
                if done.all():
                    self._finish(part)

    def _read_part(self, part: int) -> Rows | None:
        """Return the rows of a finished part, or ``None`` if it is not exactly as written."""
        try:
            there = read_part(self._part_path(part))
        except ValueError:
            return None
        same = np.array_equal(there.rows.numbers, self._part_numbers(part))
        return there.rows if same and there.mark == self._mark(part) else None

    def _read_journal(self, part: int) -> Rows:
        """Return a journal's rows, each number once; what is torn is cut off the file."""
        path = self._journal_path(part)
        rows, whole = parse_journal(path.read_bytes())
        rows = rows.take(np.isin(rows.numbers, self._part_numbers(part))).in_order()
        if not whole:
            self.notes.append(f"{path.name} holds torn rows: their deals are solved again")
            write_whole(path, encode_rows(rows) if len(rows) else b"")
        return rows

    def _finish(self, part: int) -> None:
        """Turn a full journal into a part."""
        journal = self._journals.pop(part, None)
        if journal is not None:
            journal.close()
        rows = self._read_journal(part)
        if len(rows) != len(self._part_numbers(part)):
            raise StoreError(f"{self._journal_path(part)} was changed by another program")
        write_part(self._part_path(part), rows, self.keep_moves, self._mark(part))
        self._journal_path(part).unlink()
        self._finished.add(part)
        self._done.pop(part, None)

    def _mark(self, part: int) -> str:
        return f"{self._digest}/{part}"

    def _write_manifest(self) -> None:
        self._manifest["complete"] = self.complete
        text = json.dumps(self._manifest, indent=2) + "\n"
        write_whole(self.folder / MANIFEST, text.encode())
