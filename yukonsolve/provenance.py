"""What a result was made with: versions, machine, and a fingerprint of the solver's own sources."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shlex
import sys
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path

_ROOTS = ("solver", "numbering")
# Found by their look: parsing every module takes twenty times as long, at the start of every batch.
_IMPORT = re.compile(r"^ *from yukonsolve\.?([\w.]*) import (\([^)]*\)|.*)$", re.MULTILINE)
_ALIAS = re.compile(r" as \w+")
_OTHER_FAMILY = {"yukon": "klondike", "klondike": "yukon"}


def version() -> str:
    """Return the version of this package.

    Examples
    --------
    >>> version().count(".")
    2
    """
    return metadata.version("yukonsolve")


def versions() -> dict[str, str]:
    """Return the versions that a result may depend on, without importing the packages.

    Examples
    --------
    >>> list(versions())
    ['yukonsolve', 'python', 'numba', 'numpy']
    """
    return {
        "yukonsolve": version(),
        "python": platform.python_version(),
        "numba": metadata.version("numba"),
        "numpy": metadata.version("numpy"),
    }


def solver_fingerprint(family: str = "yukon") -> str:
    """Return a digest of the sources that decide a family's verdicts and node counts.

    A results folder is only continued by the solver that began it; during development the version
    number alone would not tell two solvers apart.

    Parameters
    ----------
    family : {"yukon", "klondike"}

    Examples
    --------
    >>> len(solver_fingerprint())
    16
    """
    digest = hashlib.sha256()
    for name, path in sorted(solver_sources(family).items()):
        digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def solver_sources(family: str = "yukon") -> dict[str, Path]:
    """Return the modules that decide a family's results: what solver and numbers import.

    Parameters
    ----------
    family : {"yukon", "klondike"}
        The engine of the other family is left out.

    Examples
    --------
    >>> sources = solver_sources("yukon")
    >>> "kernels.search" in sources, "formats" in sources, "klondike" in sources
    (True, False, False)
    """
    root = Path(__file__).resolve().parent
    other = _OTHER_FAMILY.get(family, "no family")
    found: dict[str, Path] = {}
    waiting = list(_ROOTS)
    while waiting:
        name = waiting.pop()
        path = root.joinpath(*name.split(".")).with_suffix(".py")
        if name in found or name.split(".")[-1].startswith(other) or not path.exists():
            continue
        found[name] = path
        for inside, listed in _IMPORT.findall(path.read_text(encoding="utf-8")):
            words = re.findall(r"\w+", _ALIAS.sub("", listed))
            names = [f"{inside}.{word}".lstrip(".") for word in words]
            waiting += [inside, *names] if inside else names
    return found


def cpu_name() -> str:
    """Return the processor's name as the system gives it.

    Examples
    --------
    >>> bool(cpu_name())
    True
    """
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine() or "unknown"


def usable_cores() -> int:
    """Return the number of cores this process may run on, which may be fewer than there are.

    Examples
    --------
    >>> usable_cores() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def usable_memory_bytes() -> int:
    """Return the memory of the machine, or of this process's control group if that is less.

    Examples
    --------
    >>> usable_memory_bytes() > 0
    True
    """
    total = _machine_memory_bytes()
    for path in _cgroup_limit_files():
        try:
            text = path.read_text(encoding="ascii").strip()
        except OSError:
            continue
        if text.isdigit():  # "max": no limit
            total = min(total, int(text))
    return total


def _machine_memory_bytes() -> int:
    # The system's own answer where there is one: importing psutil takes 0.01 s at every start.
    if {"SC_PAGE_SIZE", "SC_PHYS_PAGES"} <= getattr(os, "sysconf_names", {}).keys():
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    import psutil

    return int(psutil.virtual_memory().total)


def _cgroup_limit_files() -> list[Path]:
    """Return the limit files of this process's group and of every group around it."""
    files = [Path("/sys/fs/cgroup/memory/memory.limit_in_bytes")]
    try:
        lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return files
    for line in lines:
        _, controllers, name = line.split(":", 2)
        own = Path(name.lstrip("/"))
        for group in [own, *own.parents]:
            if not controllers:
                files.append(Path("/sys/fs/cgroup") / group / "memory.max")
            elif "memory" in controllers.split(","):
                files.append(Path("/sys/fs/cgroup/memory") / group / "memory.limit_in_bytes")
    return files


def machine() -> dict[str, object]:
    """Return the machine as far as a reader of timings needs it.

    Examples
    --------
    >>> sorted(machine())
    ['cores', 'cpu', 'memory_bytes', 'system']
    """
    return {
        "cpu": cpu_name(),
        "cores": usable_cores(),
        "memory_bytes": usable_memory_bytes(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def command_line() -> str:
    """Return the command as it could be typed again.

    Examples
    --------
    >>> bool(command_line())
    True
    """
    return shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])


def utc_now() -> str:
    """Return the time in UTC, to the second.

    Examples
    --------
    >>> utc_now().endswith("Z")
    True
    """
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
