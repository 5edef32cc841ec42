"""Parquet parts: written whole under another name, synced and renamed; read with every check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from yukonsolve.disk import sync
from yukonsolve.rows import NO_LENGTH, REASONS, ROW_TYPE, VERDICTS, Rows

if TYPE_CHECKING:
    import pyarrow as pa

_MARK = b"yukonsolve"
_RETRY = b"yukonsolve_retry"
_NAMES = {"verdict": VERDICTS, "reason": REASONS}
"""The columns of words, and the words in them."""


class Part(NamedTuple):
    """What a part holds: rows, the mark of its run and place, the last retry it went through."""

    rows: Rows
    mark: str
    retry: int


def get_ready() -> None:
    """Import pyarrow, which is otherwise done where the first part is read or written.

    Examples
    --------
    >>> get_ready()
    """
    import pyarrow.parquet  # noqa: F401


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


def table_of(rows: Rows, keep_moves: bool) -> pa.Table:
    """Return rows as an Arrow table with the columns of a part.

    Examples
    --------
    >>> table_of(Rows.of([]), False).num_rows
    0
    """
    import pyarrow as pa

    # From buffers and not by pa.array: that would look for pandas and import it where it is.
    layout = schema(keep_moves)
    values = rows.values
    arrays = []
    for field in layout:
        if field.name == "moves":
            array = pa.array(rows.moves or [None] * len(rows), field.type)
        elif field.name in _NAMES:
            array = _named(_NAMES[field.name], values[field.name])
        else:
            column = np.ascontiguousarray(values[field.name])
            valid = None
            if field.name == "solution_length":
                valid = pa.py_buffer(np.packbits(column != NO_LENGTH, bitorder="little"))
            array = pa.Array.from_buffers(field.type, len(rows), [valid, pa.py_buffer(column)])
        arrays.append(array)
    return pa.Table.from_arrays(arrays, schema=layout)


def _named(names: tuple[str, ...], codes: npt.NDArray[np.uint8]) -> pa.Array:
    """Return strings, each by its place in ``names``."""
    import pyarrow as pa

    words = np.array([name.encode() for name in names])
    lengths = np.array([len(name) for name in names], np.int32)[codes]
    offsets = np.zeros(len(codes) + 1, np.int32)
    np.cumsum(lengths, out=offsets[1:])
    padded = words[codes].tobytes()
    # Names hold no zero byte, which is what numpy pads them with.
    data = padded.replace(b"\0", b"")
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.string(), len(codes), buffers)


def rows_of(table: pa.Table) -> Rows:
    """Return the rows of an Arrow table with the columns of a part as `read_part` meets them.

    Raises
    ------
    ValueError
        If a verdict or reason is unknown.

    Examples
    --------
    >>> len(rows_of(_as_read(True).empty_table()))
    0
    """
    values = np.empty(table.num_rows, ROW_TYPE)
    columns = {name: table.column(name).combine_chunks() for name in table.schema.names}
    if table.num_rows:
        for name in ("number", "nodes", "seconds", "table_entries", "solution_length"):
            values[name] = _plain(columns[name], ROW_TYPE[name])
        values["solution_length"][_is_null(columns["solution_length"])] = NO_LENGTH
        for name, known in _NAMES.items():
            coded = columns[name]
            codes = np.array([known.index(word) for word in coded.dictionary.to_pylist()], np.uint8)
            places = _plain(coded.indices, np.dtype(np.int32))
            if places.min() < 0 or places.max() >= len(codes):
                raise ValueError(f"its {name} points past the names there are")
            values[name] = codes[places]
    moves = table.column("moves").to_pylist() if "moves" in table.schema.names else None
    return Rows(values, moves)


def _as_read(keep_moves: bool) -> pa.Schema:
    """Return the columns of a part as `read_part` meets them."""
    import pyarrow as pa

    named = pa.dictionary(pa.int32(), pa.string())
    fields = [
        pa.field(field.name, named, False) if field.name in _NAMES else field
        for field in schema(keep_moves)
    ]
    return pa.schema(fields)


def _plain(array: pa.Array, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return the values of an array of numbers, anything where there is none."""
    # From the buffer and not by to_numpy, for the same reason as in `table_of`.
    return np.frombuffer(array.buffers()[1], dtype, len(array), array.offset * dtype.itemsize)


def _is_null(array: pa.Array) -> npt.NDArray[np.bool_]:
    """Return where an array has no value."""
    valid = array.buffers()[0]
    if valid is None:
        return np.zeros(len(array), bool)
    bits = np.unpackbits(np.frombuffer(valid, np.uint8), bitorder="little")
    null: npt.NDArray[np.bool_] = bits[array.offset : array.offset + len(array)] == 0
    return null


def write_part(path: Path, rows: Rows, keep_moves: bool, mark: str, retry: int = 0) -> None:
    """Write a part under another name and have it reach the disk; then rename it.

    Parameters
    ----------
    path : Path
    rows : Rows
        In order.
    keep_moves : bool
    mark : str
        Names the run and the place in it.
    retry : int
        The last ``--retry-undecided`` these rows went through.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "part-000000.parquet"
    >>> write_part(path, Rows.of([]), False, "run/0")
    >>> read_part(path).mark
    'run/0'
    """
    import pyarrow.parquet as pq

    table = table_of(rows, keep_moves)
    metadata = {_MARK: mark.encode()} | ({_RETRY: b"%d" % retry} if retry else {})
    table = table.replace_schema_metadata(metadata)
    temporary = path.with_suffix(".tmp")
    # A dictionary pays for names only: of numbers that hardly repeat it makes the file larger.
    options = {"use_dictionary": list(_NAMES), "write_page_checksum": True}
    pq.write_table(table, temporary, compression="zstd", **options)
    sync(temporary)
    temporary.replace(path)
    sync(path.parent)


def read_part(path: Path) -> Part:
    """Return a part, every checksum verified.

    Raises
    ------
    ValueError
        If it is not a part exactly as it was written.

    Examples
    --------
    >>> read_part(Path("no-such-part"))
    Traceback (most recent call last):
        ...
    ValueError: ...Failed to open local file 'no-such-part'...
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        # Names as places in a dictionary: to encode strings would import all of pyarrow.compute.
        with pq.ParquetFile(
            path, read_dictionary=list(_NAMES), page_checksum_verification=True
        ) as file:
            table = file.read(use_threads=False)
        metadata = table.schema.metadata or {}
        mark = metadata.get(_MARK, b"").decode()
        if table.schema.remove_metadata() not in (_as_read(False), _as_read(True)):
            raise ValueError("its columns are not those of a part")
        return Part(rows_of(table), mark, int(metadata.get(_RETRY, b"0")))
    except (pa.ArrowException, OSError, ValueError, LookupError) as error:
        # A name changed by a flipped bit is a KeyError.
        raise ValueError((str(error) or "damaged").splitlines()[0]) from None
