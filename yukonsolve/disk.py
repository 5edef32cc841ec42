"""Writing so that a kill or a full disk leaves the old state or the new one, never half of each."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO


class StoreError(Exception):
    """A results folder cannot be used; the message is one line."""


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
