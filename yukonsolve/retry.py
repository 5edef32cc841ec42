"""Try a finished folder's undecided deals again, with other limits.

Answers are gathered in ``_retry-KKK-PPPPPP.bin``, one journal a part (K counts the folder's
retries). When every undecided deal of a part has been tried, the part is written anew with the
better answers and takes the place of the old one in one step; the part itself says which retry it
went through. A kill at any moment therefore leaves the old part and the journal, or the new part.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from yukonsolve.disk import StoreError, lock_folder, write_all, write_whole
from yukonsolve.folder import (
    LOCK,
    MANIFEST,
    count_parts,
    differences,
    identity_digest,
    part_path,
    read_manifest,
    read_selection,
)
from yukonsolve.journal import encode_rows, parse_journal
from yukonsolve.parts import read_part, write_part
from yukonsolve.rows import ERROR, UNDECIDED, VERDICTS, Row, Rows, better, replaced
from yukonsolve.selection import Selection
from yukonsolve.stats import Tally

_MAY_DIFFER = {"limits", "version", "solver", "first", "last", "count", "numbers_sha256"}
_ROW_SHAPE = {"keep_moves", "part_rows"}


class Retry:
    """A finished results folder open for a retry; used like a `yukonsolve.store.Store`.

    Parameters
    ----------
    folder : Path
    identity : dict
        As for a store; its limits are the new ones. A newer solver may do the retry.
    run : dict
        How this run was started; kept in the manifest.
    numbers : Selection, optional
        If given, it must be the folder's.

    Raises
    ------
    StoreError
        If the folder is none, is not finished, holds other rules or another numbering, or nothing
        about the retry is new.

    Examples
    --------
    >>> with Retry(Path("results/yukon"), identity, run) as retry:  # doctest: +SKIP
    ...     retry.add(rows)
    """

    def __init__(
        self,
        folder: Path,
        identity: dict[str, Any],
        run: dict[str, Any],
        numbers: Selection | None = None,
    ) -> None:
        self.folder = folder
        self.notes: list[str] = []
        self._todo: dict[int, Rows] = {}
        self._fresh: dict[int, Rows] = {}
        self._journals: dict[int, BinaryIO] = {}
        self._manifest = read_manifest(folder)
        self._lock: BinaryIO | None = lock_folder(folder / LOCK)
        try:
            self._open(identity, run, numbers)
        except BaseException:
            self._lock.close()
            self._lock = None
            raise

    def __enter__(self) -> Retry:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def tally(self) -> Tally:
        """Answers of this run, and of an earlier one as far as no part held them yet."""
        return Tally(*self._counts.tolist())

    @property
    def wanted(self) -> int:
        """What the tally will amount to in the end."""
        return self._wanted

    @property
    def complete(self) -> bool:
        """Whether every undecided deal has been tried."""
        return not self._todo

    def missing(self) -> Iterator[int]:
        """Yield the numbers still to be tried, in order."""
        for part in sorted(self._todo):
            numbers = self._todo[part].numbers
            yield from numbers[~np.isin(numbers, self._fresh[part].numbers)].tolist()

    def add(self, rows: Rows | Iterable[Row]) -> None:
        """Keep answers; a part whose undecided deals have all been tried is written anew."""
        if not isinstance(rows, Rows):
            rows = Rows.of(rows)
        for part in sorted(self._todo):
            here = np.isin(rows.numbers, self._todo[part].numbers)
            here &= ~np.isin(rows.numbers, self._fresh[part].numbers)
            if not here.any():
                continue
            news = rows.take(here).in_order()
            if part not in self._journals:
                path = self._journal_path(part)
                self._journals[part] = path.open("ab", buffering=0)
            write_all(self._journals[part], encode_rows(news))
            self._fresh[part] = Rows.join([self._fresh[part], news])
            self._count(news)
            if len(self._fresh[part]) == len(self._todo[part]):
                self._fold(part)

    def close(self, ended: str | None = None) -> None:
        """Close the files and note in the manifest when the run ended."""
        if self._lock is None:
            return
        for journal in self._journals.values():
            os.fsync(journal.fileno())
            journal.close()
        self._journals.clear()
        self._manifest["runs"][-1]["ended_utc"] = ended
        if self.complete:
            self._entry |= {"undecided_after": self._undecided, "ended_utc": ended}
        self._write_manifest()
        with contextlib.suppress(OSError):
            (self.folder / LOCK).unlink()
        self._lock.close()
        self._lock = None

    # Below: how the promises at the top are kept.

    def _open(
        self, identity: dict[str, Any], run: dict[str, Any], numbers: Selection | None
    ) -> None:
        there = self._manifest["identity"]
        fixed = {key: value for key, value in there.items() if key not in _MAY_DIFFER | _ROW_SHAPE}
        mine = {key: value for key, value in identity.items() if key not in _MAY_DIFFER}
        if found := differences(fixed, mine, "there", "here"):
            raise StoreError(f"{self.folder} holds another run: {'; '.join(found)}")
        self._digest = identity_digest(there)
        self._keep_moves = bool(there["keep_moves"])
        self.numbers = read_selection(self.folder, there)
        if numbers is not None and numbers != self.numbers:
            raise StoreError(f"{self.folder} holds other deals: leave the numbers out")
        self._rows_a_part = int(there["part_rows"])
        keys = ("limits", "version", "solver")
        new: dict[str, Any] = {key: identity[key] for key in keys if key in identity}
        self._manifest.setdefault("retries", [])
        self._begin(new, run)
        self._manifest["runs"].append(run | {"ended_utc": None})
        self._write_manifest()

    def _begin(self, new: dict[str, Any], run: dict[str, Any]) -> None:
        """Go on with the folder's open retry if it is this one; else begin another."""
        retries = self._manifest["retries"]
        last = retries[-1] if retries else None
        going_on = last is not None and last["ended_utc"] is None and new.items() <= last.items()
        if last is not None and not going_on:
            self._take_stock(len(retries))
            for part in list(self._todo):  # what an unfinished retry found out is kept
                if len(self._fresh[part]):
                    self._fold(part)
        self._take_stock(len(retries) + (0 if going_on else 1))
        if not going_on:
            before = last or self._manifest["identity"]
            failed = any((rows.values["reason"] == ERROR).any() for rows in self._todo.values())
            if new == {key: before.get(key) for key in new} and not failed:
                raise StoreError(
                    "the undecided deals have been tried with these very limits: give larger ones"
                )
            facts = {"undecided_before": self._undecided, "command": run.get("command")}
            times = {"started_utc": run.get("started_utc"), "ended_utc": None}
            retries.append(new | facts | times)
        self._entry = retries[-1]
        for part in list(self._todo):
            if len(self._fresh[part]) == len(self._todo[part]):
                self._fold(part)
        self._wanted = sum(len(rows) for rows in self._todo.values())
        self._counts = np.zeros(len(VERDICTS), np.int64)
        for rows in self._fresh.values():
            self._count(rows)

    def _take_stock(self, retry: int) -> None:
        """Find what is to be tried in retry number ``retry``, and what has been."""
        self._retry = retry
        self._undecided = 0
        self._todo.clear()
        self._fresh.clear()
        finished, n_parts = count_parts(self.folder, len(self.numbers), self._rows_a_part)
        if finished < n_parts:
            raise StoreError(
                f"{self.folder} is not complete ({finished} of {n_parts} parts): run the same "
                "batch without --retry-undecided first"
            )
        for part in range(n_parts):
            try:
                there = read_part(self._part_path(part))
            except ValueError as error:
                raise StoreError(
                    f"{self.folder} is not complete ({error}): run the same batch without "
                    "--retry-undecided first"
                ) from None
            if there.mark != self._mark(part):
                raise StoreError(f"{self._part_path(part)} belongs to another run")
            rows = there.rows.take(there.rows.values["verdict"] == UNDECIDED)
            self._undecided += len(rows)
            if len(rows) and there.retry < retry:
                self._todo[part] = rows
                self._fresh[part] = self._read_journal(part)
        mine = {self._journal_path(part).name for part in self._todo}
        for path in list(self.folder.iterdir()):
            old = path.name.startswith("_retry-") and path.name not in mine
            if path.suffix == ".tmp" or old:
                path.unlink()

    def _read_journal(self, part: int) -> Rows:
        path = self._journal_path(part)
        if not path.exists():
            return Rows.of([])
        rows, whole = parse_journal(path.read_bytes())
        rows = rows.take(np.isin(rows.numbers, self._todo[part].numbers)).in_order()
        if not whole:
            self.notes.append(f"{path.name} holds torn rows: their deals are tried again")
            write_whole(path, encode_rows(rows) if len(rows) else b"")
        return rows

    def _count(self, rows: Rows) -> None:
        self._counts += np.bincount(rows.values["verdict"], minlength=len(VERDICTS))

    def _fold(self, part: int) -> None:
        """Write a part anew with the better answers."""
        journal = self._journals.pop(part, None)
        if journal is not None:
            journal.close()
        old = read_part(self._part_path(part)).rows
        fresh = self._fresh[part].in_order()
        places = np.searchsorted(old.numbers, fresh.numbers)
        tried = old.take(places)
        best = replaced(tried, better(tried, fresh), fresh)
        new = Rows(old.values.copy(), old.moves)
        new.values[places] = best.values
        if best.moves is not None:
            new.moves = list(old.moves or [None] * len(old))
            for place, text in zip(places.tolist(), best.moves, strict=True):
                new.moves[place] = text
        path = self._part_path(part)
        write_part(path, new, self._keep_moves, self._mark(part), self._retry)
        self._journal_path(part).unlink(missing_ok=True)
        del self._todo[part]
        del self._fresh[part]
        self._undecided -= int((best.values["verdict"] != UNDECIDED).sum())

    def _part_path(self, part: int) -> Path:
        return part_path(self.folder, part)

    def _journal_path(self, part: int) -> Path:
        return self.folder / f"_retry-{self._retry:03}-{part:06}.bin"

    def _mark(self, part: int) -> str:
        return f"{self._digest}/{part}"

    def _write_manifest(self) -> None:
        text = json.dumps(self._manifest, indent=2) + "\n"
        write_whole(self.folder / MANIFEST, text.encode())
