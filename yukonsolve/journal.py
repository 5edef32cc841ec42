"""Journals: rows appended a chunk at a time, each chunk with a checksum.

A chunk is a header (mark, rows, bytes of moves, checksum), the row array, and the moves as JSON
where there are any. What a kill or a full disk leaves of the last chunk fails its checksum and is
left out.
"""

from __future__ import annotations

import json
import struct
import zlib

import numpy as np

from yukonsolve.rows import REASONS, ROW_TYPE, VERDICTS, Rows

_MARK = b"YKJ1"
_HEADER = struct.Struct("<4sIII")
# The codes in the rows mean what these names say: a journal written with other names is not read.
_SEED = zlib.crc32(",".join(VERDICTS + REASONS).encode())


def encode_rows(rows: Rows) -> bytes:
    """Return rows as a chunk of a journal.

    Examples
    --------
    >>> from yukonsolve.rows import Row
    >>> chunk = encode_rows(Rows.of([Row(7, "solvable", "replayed", 9, 0.1, 5, 90, None)]))
    >>> len(chunk)
    54
    """
    body = rows.values.tobytes()
    moves = b"" if rows.moves is None else json.dumps(rows.moves).encode()
    check = zlib.crc32(moves, zlib.crc32(body, _SEED))
    return _HEADER.pack(_MARK, len(rows), len(moves), check) + body + moves


def parse_journal(data: bytes) -> tuple[Rows, bool]:
    """Return the rows of a journal that can be read, and whether those are all it holds.

    Examples
    --------
    >>> from yukonsolve.rows import Row
    >>> chunk = encode_rows(Rows.of([Row(7, "solvable", "replayed", 9, 0.1, 5, 90, None)]))
    >>> rows, whole = parse_journal(chunk + chunk[:-1])
    >>> len(rows), whole
    (1, False)
    """
    pieces: list[Rows] = []
    whole = True
    at = 0
    while at < len(data):
        piece, after = _parse_chunk(data, at)
        if piece is None:
            whole = False
            at = data.find(_MARK, at + 1)
            if at < 0:
                break
            continue
        pieces.append(piece)
        at = after
    return Rows.join(pieces), whole


def _parse_chunk(data: bytes, at: int) -> tuple[Rows | None, int]:
    if at + _HEADER.size > len(data):
        return None, at
    mark, n_rows, n_moves, check = _HEADER.unpack_from(data, at)
    begin = at + _HEADER.size
    middle = begin + n_rows * ROW_TYPE.itemsize
    end = middle + n_moves
    if mark != _MARK or end > len(data) or zlib.crc32(data[begin:end], _SEED) != check:
        return None, at
    values = np.frombuffer(data, ROW_TYPE, n_rows, begin)
    return Rows(values, json.loads(data[middle:end]) if n_moves else None), end
