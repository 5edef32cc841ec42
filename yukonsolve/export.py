"""Write the rows of results folders as text, a part at a time."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from yukonsolve.folder import pieces, read_manifest
from yukonsolve.rows import VERDICTS, Row

FORMATS = ("csv", "jsonl")


def export(
    folders: Iterable[Path],
    to: TextIO,
    form: str = "csv",
    only: str | None = None,
    numbers_only: bool = False,
) -> int:
    """Write rows in the order of the folders and, within one, of the numbers.

    Parameters
    ----------
    folders : iterable of Path
        They need not be finished.
    to : text file
    form : {"csv", "jsonl"}
        Columns are those of a part; CSV has a header line, and an empty field for null.
    only : {"solvable", "unsolvable", "undecided"}, optional
        Rows with this verdict alone.
    numbers_only : bool
        Write only the numbers, one a line.

    Returns
    -------
    int
        Rows written.

    Raises
    ------
    StoreError
        If a folder is none, or cannot be read.

    Examples
    --------
    >>> import sys
    >>> export([], sys.stdout)
    number,verdict,reason,nodes,seconds,table_entries,solution_length
    0
    """
    folders = list(folders)
    moves = any(read_manifest(folder)["identity"]["keep_moves"] for folder in folders)
    names = Row._fields if moves else Row._fields[:-1]
    written = 0
    writer = csv.writer(to, lineterminator="\n")
    if form == "csv" and not numbers_only:
        writer.writerow(names)
    for folder in folders:
        for rows in pieces(folder):
            if only is not None:
                rows = rows.take(rows.values["verdict"] == VERDICTS.index(only))
            written += len(rows)
            if numbers_only:
                to.writelines(f"{number}\n" for number in rows.numbers.tolist())
            elif form == "csv":
                writer.writerows(row[: len(names)] for row in rows)
            else:
                cut = (dict(zip(names, row, strict=False)) for row in rows)
                to.writelines(f"{json.dumps(values)}\n" for values in cut)
    return written
