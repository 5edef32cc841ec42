"""A results folder: Parquet parts, one manifest, and a journal for the part being worked on.

Layout of a folder (names with an underscore are skipped by Parquet readers)::

    part-000000.parquet   deals first .. first + part_rows - 1, sorted by number
    part-000001.parquet   the next part_rows deals, and so on
    _manifest.json        rules, numbering, range, limits, versions, machine, commands
    _journal-000002.jsonl rows of a part that is not finished yet

Which deal lies in which part depends on the range alone, so the finished dataset is the same
whatever the number of processes and however often the run was stopped. A row is in the journal as
soon as it is known; when a part is full its journal is sorted, written whole under another name,
synced and renamed. A reader therefore never meets half a part, and ``kill -9`` costs at most the
rows that no process had handed over.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from yukonsolve.folder import (
    FORMAT,
    LOCK,
    MANIFEST,
    Row,
    StoreError,
    encode_rows,
    lock_folder,
    parse_journal,
    part_number,
    read_manifest,
    schema,
    sync,
    write_all,
    write_whole,
)
from yukonsolve.stats import Tally

__all__ = ["PART_ROWS", "Row", "Store", "StoreError"]

PART_ROWS = 10_000
_METADATA_KEY = b"yukonsolve"
_encode = json.JSONEncoder(separators=(",", ":")).encode


class Store:
    """A results folder open for writing.

    Parameters
    ----------
    folder : Path
        Created if it does not exist.
    identity : dict
        What every row depends on (rules, numbering, limits, solver ...), plain JSON values. A
        folder is only continued with an equal identity.
    numbers : range
        Deal numbers of the whole run, step 1.
    run : dict
        How this session was started (command, machine, versions, start); kept in the manifest.
    keep_moves : bool
        Whether rows carry their move lists.
    part_rows : int
        Deals a part.

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
        numbers: range,
        run: dict[str, Any],
        keep_moves: bool = False,
        part_rows: int = PART_ROWS,
    ) -> None:
        self.folder = folder
        self.numbers = numbers
        self.keep_moves = keep_moves
        self.part_rows = part_rows
        self.notes: list[str] = []
        self._counts: Counter[str] = Counter()
        self._done: dict[int, bytearray] = {}
        self._journals: dict[int, BinaryIO] = {}
        self._finished: set[int] = set()
        self._lock: BinaryIO | None = None
        self._identity = identity | {
            "first": numbers.start,
            "last": numbers.stop - 1,
            "keep_moves": keep_moves,
            "part_rows": part_rows,
        }
        self._digest = hashlib.sha256(_encode(self._identity).encode()).hexdigest()[:32]
        self._open(run)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def tally(self) -> Tally:
        """Verdicts of every row the folder holds."""
        return Tally(*(self._counts[v] for v in ("solvable", "unsolvable", "undecided")))

    @property
    def complete(self) -> bool:
        """Whether every part is written."""
        return len(self._finished) == self._n_parts

    def missing(self) -> Iterator[int]:
        """Yield the numbers without a row, in order, each once."""
        for part in range(self._n_parts):
            if part not in self._finished:
                done = self._done.get(part)
                for place, number in enumerate(self._part_numbers(part)):
                    if done is None or not done[place]:
                        yield number

    def add(self, rows: Iterable[Row]) -> None:
        """Keep rows; a part that becomes full is written. A number that has a row is ignored."""
        fresh: dict[int, list[Row]] = {}
        for row in rows:
            part, place = divmod(row.number - self.numbers.start, self.part_rows)
            if part in self._finished:
                continue
            done = self._bitmap(part)
            if not done[place]:
                done[place] = 1
                self._counts[row.verdict] += 1
                fresh.setdefault(part, []).append(row)
        for part, news in fresh.items():
            # Unbuffered: what is handed over survives this process, and forked workers inherit no
            # half-filled buffer.
            if part not in self._journals:
                self._journals[part] = self._journal_path(part).open("ab", buffering=0)
            write_all(self._journals[part], encode_rows(news))
            if all(self._done[part]):
                self._finish(part)

    def close(self, ended: str | None = None) -> None:
        """Close the files and note in the manifest when the session ended."""
        if self._lock is None:
            return
        for journal in self._journals.values():
            os.fsync(journal.fileno())
            journal.close()
        self._journals.clear()
        self._manifest["runs"][-1]["ended_utc"] = ended
        self._write_manifest()
        with contextlib.suppress(OSError):
            (self.folder / LOCK).unlink()
        self._lock.close()
        self._lock = None

    # Below: how the promises at the top are kept.

    @property
    def _n_parts(self) -> int:
        return -(-len(self.numbers) // self.part_rows)

    def _part_numbers(self, part: int) -> range:
        return self.numbers[part * self.part_rows : (part + 1) * self.part_rows]

    def _part_path(self, part: int) -> Path:
        return self.folder / f"part-{part:06}.parquet"

    def _journal_path(self, part: int) -> Path:
        return self.folder / f"_journal-{part:06}.jsonl"

    def _bitmap(self, part: int) -> bytearray:
        if part not in self._done:
            self._done[part] = bytearray(len(self._part_numbers(part)))
        return self._done[part]

    def _open(self, run: dict[str, Any]) -> None:
        exists = (self.folder / MANIFEST).exists()
        if not exists and self.folder.exists() and any(self.folder.iterdir()):
            names = {path.name for path in self.folder.iterdir()}
            # A run killed in its first moments leaves these two at most.
            if not names <= {LOCK, MANIFEST + ".tmp"}:
                raise StoreError(f"{self.folder} is not empty and is no results folder")
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = lock_folder(self.folder / LOCK)
        try:
            if exists:
                self._manifest = read_manifest(self.folder)
                self._check_identity()
                self._take_stock()
            else:
                self._manifest = {"format": FORMAT, "identity": self._identity, "runs": []}
            self._manifest["runs"].append(run | {"ended_utc": None})
            self._write_manifest()
        except BaseException:
            self._lock.close()
            self._lock = None
            raise

    def _check_identity(self) -> None:
        there = self._manifest["identity"]
        differing = [
            f"{name} is {_encode(there.get(name))} there, {_encode(mine)} here"
            for name, mine in self._identity.items()
            if there.get(name) != mine
        ]
        if differing:
            raise StoreError(f"{self.folder} holds another run: {'; '.join(differing)}")

    def _take_stock(self) -> None:
        """Read what an earlier session left; what cannot be trusted is noted and made again."""
        names = sorted(path.name for path in self.folder.iterdir())
        for name in names:
            path = self.folder / name
            if name.endswith(".tmp"):
                path.unlink()
            elif name.startswith("part-"):
                part = part_number(name)
                verdicts = self._read_part(part) if part is not None else None
                if verdicts is None or part is None:
                    self.notes.append(f"{name} is damaged or foreign: its deals are solved again")
                    path.unlink()
                else:
                    self._finished.add(part)
                    self._counts.update(verdicts)
        for name in names:
            if name.startswith("_journal-"):
                part = part_number(name)
                if part is None or part in self._finished or part >= self._n_parts:
                    (self.folder / name).unlink()
                    continue
                rows = self._read_journal(part)
                done = self._bitmap(part)
                for row in rows:
                    done[row.number - self._part_numbers(part).start] = 1
                    self._counts[row.verdict] += 1
                if all(done):
                    self._finish(part)

    def _read_part(self, part: int) -> Counter[str] | None:
        """Return the verdicts of a finished part, or ``None`` if it is not exactly as written."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            with pq.ParquetFile(self._part_path(part), page_checksum_verification=True) as file:
                table = file.read(use_threads=False)
        except (pa.ArrowException, OSError):
            return None
        mark = (table.schema.metadata or {}).get(_METADATA_KEY, b"").decode()
        if mark != self._mark(part) or table.schema.names != schema(self.keep_moves).names:
            return None
        expected = self._part_numbers(part) if part < self._n_parts else range(0)
        if table.column("number").to_pylist() != list(expected):
            return None
        return Counter(table.column("verdict").to_pylist())

    def _read_journal(self, part: int) -> list[Row]:
        """Return a journal's rows, each number once; a torn line is cut off the file."""
        path = self._journal_path(part)
        data = path.read_bytes()
        numbers = self._part_numbers(part)
        rows = {row.number: row for row in parse_journal(data) if row.number in numbers}
        if data and (len(rows) != data.count(b"\n") or not data.endswith(b"\n")):
            self.notes.append(f"{path.name} holds a torn row: its deal is solved again")
            write_whole(path, encode_rows(list(rows.values())) if rows else b"")
        return list(rows.values())

    def _finish(self, part: int) -> None:
        """Turn a full journal into a part: written whole, synced, renamed."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        journal = self._journals.pop(part, None)
        if journal is not None:
            journal.close()
        rows = sorted(self._read_journal(part))
        if len(rows) != len(self._part_numbers(part)):
            raise StoreError(f"{self._journal_path(part)} was changed by another program")
        layout = schema(self.keep_moves)
        columns = dict(zip(Row._fields, zip(*rows, strict=True), strict=True))
        table = pa.table(
            [pa.array(columns[field.name], field.type) for field in layout],
            schema=layout.with_metadata({_METADATA_KEY: self._mark(part).encode()}),
        )
        temporary = self._part_path(part).with_suffix(".tmp")
        pq.write_table(table, temporary, compression="zstd", write_page_checksum=True)
        sync(temporary)
        temporary.replace(self._part_path(part))
        sync(self.folder)
        self._journal_path(part).unlink()
        self._finished.add(part)
        self._done.pop(part, None)

    def _mark(self, part: int) -> str:
        return f"{self._digest}/{part}"

    def _write_manifest(self) -> None:
        self._manifest["complete"] = self.complete
        text = json.dumps(self._manifest, indent=2) + "\n"
        write_whole(self.folder / MANIFEST, text.encode())
