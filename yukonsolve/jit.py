"""The one kernel decorator, and the cache folder its machine code lives in.

Three things measured on these kernels decide the options:

* ``_nrt=False`` switches numba's reference counting off. Counting every array that is passed to a
  helper costs two thirds of the running time; in return no kernel may allocate.
* ``error_model="numpy"`` drops the division checks.
* The cache folder is named by a digest of all kernel sources and of the versions, because numba
  itself does not notice that a helper in another file has changed and would run old code.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba import njit
from platformdirs import user_cache_path

_F = TypeVar("_F", bound=Callable[..., Any])

KERNEL_OPTIONS: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,
}


def source_digest() -> str:
    """Return a digest of everything the compiled kernels depend on.

    Examples
    --------
    >>> len(source_digest())
    16
    """
    digest = hashlib.sha256()
    here = Path(__file__).resolve().parent
    for path in [Path(__file__).resolve(), *sorted((here / "kernels").glob("*.py"))]:
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    digest.update(f"{numba.__version__} {np.__version__}".encode())
    digest.update(os.environ.get("NUMBA_BOUNDSCHECK", "0").encode())
    return digest.hexdigest()[:16]


def _choose_cache_dir() -> Path | None:
    """Return a writable folder for this digest, or ``None`` to run uncached."""
    root = os.environ.get("NUMBA_CACHE_DIR")
    base = Path(root) if root else user_cache_path("yukonsolve", appauthor=False) / "numba"
    folder = base / f"yukonsolve-{source_digest()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".write-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return None
    return folder


CACHE_DIR = _choose_cache_dir()
if CACHE_DIR is None:
    KERNEL_OPTIONS["cache"] = False
else:
    numba.config.CACHE_DIR = str(CACHE_DIR)  # type: ignore[attr-defined]


def cache_is_warm(family: str = "yukon") -> bool:
    """Return whether a family's compiled kernels for exactly these sources are on disk.

    Examples
    --------
    >>> cache_is_warm() in (True, False)
    True
    """
    marker = _marker(family)
    return marker is not None and marker.exists()


def mark_cache_warm(family: str = "yukon") -> None:
    """Record that every kernel of a family has been compiled into the cache.

    Examples
    --------
    >>> mark_cache_warm()
    """
    marker = _marker(family)
    if marker is not None:
        marker.touch()


def _marker(family: str) -> Path | None:
    """Return the file that says a family is compiled for this installation.

    Numba's cache belongs to the path and the time of each source file, so the same kernels
    installed elsewhere, or again, are compiled again.
    """
    if CACHE_DIR is None:
        return None
    digest = hashlib.sha256()
    for path in sorted((Path(__file__).resolve().parent / "kernels").glob("*.py")):
        digest.update(f"{path} {path.stat().st_mtime_ns}".encode())
    return CACHE_DIR / f"complete-{family}-{digest.hexdigest()[:16]}"


def kernel(function: _F) -> _F:
    """Compile a function that works on arrays its caller owns.

    Examples
    --------
    >>> @kernel  # doctest: +SKIP
    ... def twice(values):
    ...     for i in range(values.size):
    ...         values[i] *= 2
    """
    return njit(**KERNEL_OPTIONS)(function)  # type: ignore[no-any-return]
