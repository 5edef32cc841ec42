"""What lies in a results folder besides its parts: the manifest, the numbers, the lock.

Also the ways to read a folder without changing it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from yukonsolve.disk import StoreError
from yukonsolve.journal import parse_journal
from yukonsolve.parts import Part, read_part
from yukonsolve.rows import Rows
from yukonsolve.selection import Selection, parse_numbers

FORMAT = 1
MANIFEST = "_manifest.json"
NUMBERS = "_numbers.txt"
LOCK = "_lock"
_encode = json.JSONEncoder(separators=(",", ":")).encode


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
    yukonsolve.disk.StoreError: no-such-folder is no results folder: it has no _manifest.json
    """
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StoreError(f"{folder} is no results folder: it has no {MANIFEST}") from None
    except NotADirectoryError:
        raise StoreError(f"{folder} is a file, not a results folder") from None
    except (OSError, ValueError) as error:
        raise StoreError(f"{folder / MANIFEST} cannot be read: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise StoreError(f"{folder / MANIFEST} has another format than this version reads")
    return manifest


def read_selection(folder: Path, identity: dict[str, Any]) -> Selection:
    """Return the numbers that a results folder is about.

    Parameters
    ----------
    folder : Path
    identity : dict
        From the folder's manifest.

    Raises
    ------
    StoreError
        If the list of numbers is not the one the folder was made with.

    Examples
    --------
    >>> read_selection(Path("."), {"first": 3, "last": 5}) == Selection([3, 4, 5])
    True
    """
    if "count" not in identity:
        return Selection(range(identity["first"], identity["last"] + 1))
    path = folder / NUMBERS
    try:
        selection = Selection(parse_numbers(path.read_text(encoding="ascii")))
    except (OSError, ValueError) as error:
        message = str(error).splitlines()[0]
        raise StoreError(f"{path} cannot be read: {message}") from None
    if any(identity.get(key) != value for key, value in selection.identity().items()):
        raise StoreError(f"{path} does not hold the numbers that {MANIFEST} speaks of")
    return selection


def pieces(folder: Path) -> Iterator[Rows]:
    """Yield every row a folder holds, in order, a part at a time, unfinished parts included.

    Raises
    ------
    StoreError
        If a finished part cannot be read.

    Examples
    --------
    >>> sum(len(rows) for rows in pieces(Path("results/russian")))  # doctest: +SKIP
    100000
    """
    parts = {part_number(path.name): path for path in folder.glob("part-*.parquet")}
    journals = {part_number(path.name): path for path in folder.glob("_journal-*.bin")}
    for part in sorted(p for p in parts.keys() | journals.keys() if p is not None):
        if part in parts:
            yield read_whole_part(parts[part]).rows
        else:
            yield parse_journal(journals[part].read_bytes())[0].in_order()


def read_whole_part(path: Path) -> Part:
    """Return a finished part; one that cannot be read is an error of one line.

    Raises
    ------
    StoreError
        If it cannot be read.

    Examples
    --------
    >>> read_whole_part(Path("results/x/part-000000.parquet"))
    Traceback (most recent call last):
        ...
    yukonsolve.disk.StoreError: results/x/part-000000.parquet cannot be read (...
    """
    try:
        return read_part(path)
    except ValueError as error:
        raise StoreError(f"{path} cannot be read ({error}); run batch again") from None


def part_number(name: str) -> int | None:
    """Return the part that a file of a results folder belongs to.

    Examples
    --------
    >>> part_number("part-000012.parquet"), part_number("part-x.parquet")
    (12, None)
    """
    digits = name.partition("-")[2].partition(".")[0]
    return int(digits) if digits.isascii() and digits.isdigit() else None


def part_path(folder: Path, part: int) -> Path:
    """Return the file of a part; `part_number` is the way back.

    Examples
    --------
    >>> part_path(Path("out"), 12).name
    'part-000012.parquet'
    """
    return folder / f"part-{part:06}.parquet"


def count_parts(folder: Path, deals: int, part_rows: int) -> tuple[int, int]:
    """Return how many parts are written, and how many a finished folder of so many deals has.

    Examples
    --------
    >>> count_parts(Path("no-such-folder"), 25, 10)
    (0, 3)
    """
    wanted = -(-deals // part_rows)
    return sum(part_path(folder, part).exists() for part in range(wanted)), wanted


def part_rows_of(folder: Path) -> int | None:
    """Return the rows a part has in a folder that an earlier run began.

    Raises
    ------
    StoreError
        If its manifest cannot be read.

    Examples
    --------
    >>> part_rows_of(Path("no-such-folder"))
    """
    if not (folder / MANIFEST).exists():
        return None
    rows = read_manifest(folder)["identity"].get("part_rows")
    if not isinstance(rows, int) or rows < 1:
        raise StoreError(f"{folder / MANIFEST} cannot be used: part_rows is {_encode(rows)}")
    return rows


def identity_digest(identity: dict[str, Any]) -> str:
    """Return a digest of an identity; every part carries it.

    Examples
    --------
    >>> len(identity_digest({"first": 1}))
    32
    """
    return hashlib.sha256(_encode(identity).encode()).hexdigest()[:32]


def differences(first: dict[str, Any], second: dict[str, Any], here: str, there: str) -> list[str]:
    """Return in words how two identities differ.

    Parameters
    ----------
    first, second : dict
    here, there : str
        Where the first and the second are.

    Examples
    --------
    >>> differences({"numbering": "native"}, {"numbering": "kpat"}, "there", "here")
    ['numbering is "native" there, "kpat" here']
    """
    found = []
    for name in [*first, *(name for name in second if name not in first)]:
        one, two = first.get(name), second.get(name)
        if isinstance(one, dict) and isinstance(two, dict):
            found += [f"{name}: {line}" for line in differences(one, two, here, there)]
        elif one != two:
            found.append(f"{name} is {_encode(one)} {here}, {_encode(two)} {there}")
    return found
