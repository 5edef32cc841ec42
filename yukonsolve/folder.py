"""The files of a results folder, one by one: rows, parts, journals, the manifest and the lock."""

from __future__ import annotations

import contextlib
import json
import os
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT = 1
MANIFEST = "_manifest.json"
LOCK = "_lock"
_encode = json.JSONEncoder(separators=(",", ":")).encode


class StoreError(Exception):
    """A results folder cannot be used; the message is one line."""


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


def schema(keep_moves: bool) -> pa.Schema:
    """Return the columns of a part.

    Examples
    --------
    >>> schema(False).names[:2]
    ['number', 'verdict']
    """
    import pyarrow as pa

    fields = [
        pa.field("number", pa.uint64(), nullable=False),
        pa.field("verdict", pa.string(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("nodes", pa.int64(), nullable=False),
        pa.field("seconds", pa.float64(), nullable=False),
        pa.field("table_entries", pa.int64(), nullable=False),
        pa.field("solution_length", pa.int32()),
    ]
    if keep_moves:
        fields.append(pa.field("moves", pa.string()))
    return pa.schema(fields)


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a results folder.

    Raises
    ------
    StoreError
        If there is none, or it cannot be read.

    Examples
    --------
    >>> read_manifest(Path("no-such-folder"))
    Traceback (most recent call last):
        ...
    yukonsolve.folder.StoreError: no-such-folder is no results folder: it has no _manifest.json
    """
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StoreError(f"{folder} is no results folder: it has no {MANIFEST}") from None
    except (OSError, ValueError) as error:
        raise StoreError(f"{folder / MANIFEST} cannot be read: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise StoreError(f"{folder / MANIFEST} has another format than this version reads")
    return manifest


def read_rows(folder: Path, columns: list[str]) -> pa.Table:
    """Return some columns of every row a folder holds, unfinished parts included.

    Parameters
    ----------
    folder : Path
    columns : list of str
        Names from `Row`.

    Raises
    ------
    StoreError
        If a finished part cannot be read.

    Examples
    --------
    >>> read_rows(Path("results/russian"), ["verdict"]).num_rows  # doctest: +SKIP
    100000
    """
    import pyarrow as pa

    wanted = pa.schema([schema(True).field(name) for name in columns])
    tables = [_read_columns(path, columns) for path in sorted(folder.glob("part-*.parquet"))]
    finished = {path.name[5:11] for path in folder.glob("part-*.parquet")}
    for path in sorted(folder.glob("_journal-*.jsonl")):
        if path.name[9:15] in finished:
            continue
        rows = sorted({row.number: row for row in parse_journal(path.read_bytes())}.values())
        values = [[getattr(row, name) for row in rows] for name in columns]
        arrays = [pa.array(v, f.type) for v, f in zip(values, wanted, strict=True)]
        tables.append(pa.table(arrays, schema=wanted))
    return pa.concat_tables([t.cast(wanted) for t in tables]) if tables else wanted.empty_table()


def _read_columns(path: Path, columns: list[str]) -> pa.Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_table(path, columns=columns, partitioning=None)
    except (pa.ArrowException, OSError) as error:
        message = str(error).splitlines()[0]
        raise StoreError(f"{path} cannot be read ({message}); run batch again") from None


def encode_rows(rows: list[Row]) -> bytes:
    r"""Return rows as journal lines.

    Examples
    --------
    >>> encode_rows([Row(7, "solvable", "replayed", 9, 0.1, 5, 90, None)])
    b'[7,"solvable","replayed",9,0.1,5,90,null]\n'
    """
    # One call for all rows, cut into lines afterwards: three times as fast as a call a row. No
    # text in a row holds a bracket.
    return (_encode(rows)[1:-1].replace("],[", "]\n[") + "\n").encode()


def parse_journal(data: bytes) -> list[Row]:
    r"""Return the rows of a journal that can be read, torn lines left out.

    Examples
    --------
    >>> len(parse_journal(b'[7,"solvable","replayed",9,0.1,5,90,null]\n[8,"solv'))
    1
    """
    if data.endswith(b"\n"):
        # All at once is much faster; whatever is wrong is left to the line by line way.
        with contextlib.suppress(ValueError, TypeError):
            text = data[:-1].decode("ascii").replace("\n", ",")
            return list(starmap(Row, json.loads(f"[{text}]")))
    parsed = (parse_row(line) for line in data.splitlines(keepends=True))
    return [row for row in parsed if row is not None]


def parse_row(line: bytes) -> Row | None:
    r"""Return the row of a journal line, or ``None`` if the line is torn.

    Examples
    --------
    >>> parse_row(b'[7,"solvable","replayed",9,0.1,5,90,null]\n').number
    7
    >>> parse_row(b'[7,"solvable","repl') is None
    True
    """
    if not line.endswith(b"\n"):
        return None
    try:
        row = Row(*json.loads(line))
    except (ValueError, TypeError):
        return None
    return row if isinstance(row.number, int) and isinstance(row.verdict, str) else None


def part_number(name: str) -> int | None:
    """Return the part that a file of a results folder belongs to.

    Examples
    --------
    >>> part_number("part-000012.parquet"), part_number("part-x.parquet")
    (12, None)
    """
    digits = name.partition("-")[2].partition(".")[0]
    return int(digits) if digits.isascii() and digits.isdigit() else None


def write_all(file: BinaryIO, data: bytes) -> None:
    """Write every byte; an unbuffered file may take fewer than it is given.

    Examples
    --------
    >>> import io
    >>> write_all(io.BytesIO(), b"row")
    """
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file in one step, so that a reader sees the old text or the new one.

    Examples
    --------
    >>> import tempfile
    >>> write_whole(Path(tempfile.mkdtemp()) / "text", b"whole")
    """
    temporary = path.with_name(path.name + ".tmp")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """Have a file, or a folder's list of names, reach the disk.

    Examples
    --------
    >>> sync(Path("."))
    """
    # Windows cannot open a folder to sync it; its renames are journalled anyway.
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        if not path.is_dir():
            raise
    finally:
        os.close(handle)


def lock_folder(path: Path) -> BinaryIO:
    """Keep a second writer out; the lock ends with this process and forked workers lack it.

    Raises
    ------
    StoreError
        If another process holds it.

    Examples
    --------
    >>> import tempfile
    >>> lock_folder(Path(tempfile.mkdtemp()) / "_lock").close()
    """
    file = path.open("ab")
    try:
        import fcntl
    except ImportError:  # Windows: two writers are then the user's care
        return file
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise StoreError(f"another process is writing to {path.parent}") from None
    return file
