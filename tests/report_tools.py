"""Results folders made to order, for tests of reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from yukonsolve.rules import Rules
from yukonsolve.selection import Selection
from yukonsolve.store import Row, Store

ANSWERS = {
    "s": ("solvable", "replayed", 90),
    "u": ("unsolvable", "exhausted", None),
    "?": ("undecided", "nodes", None),
}
LIMITS = {"max_nodes": 1000, "timeout_s": None, "max_memory_bytes": 2**30}
RUN = {
    "command": "yukonsolve batch made to order",
    "machine": {"cpu": "a processor", "cores": 2, "memory_bytes": 2**34, "system": "Linux x86_64"},
    "versions": {"yukonsolve": "0.1.0", "python": "3.11", "numba": "0.68", "numpy": "2.4"},
    "started_utc": "2026-01-02T03:04:05Z",
}


def make_folder(
    folder: Path,
    rules: Rules,
    verdicts: str,
    numbers: Sequence[int] | None = None,
    wanted: Selection | range | None = None,
    numbering: str = "native",
    limits: dict[str, Any] | None = None,
) -> Path:
    """Write one row a letter (``s``, ``u``, ``?``); deal i of them has 10 i nodes, i / 10 s."""
    numbers = list(numbers or range(1, len(verdicts) + 1))
    identity = {
        "rules": asdict(rules),
        "rules_in_words": rules.describe(),
        "numbering": numbering,
        "limits": limits or LIMITS,
        "version": "0.1.0",
        "solver": "0123456789abcdef",
    }
    with Store(folder, identity, wanted or Selection(numbers), RUN) as store:
        store.add(
            Row(n, *ANSWERS[v][:2], 10 * i, i / 10, 1, ANSWERS[v][2], None)
            for i, (n, v) in enumerate(zip(numbers, verdicts, strict=True), 1)
        )
        store.close("2026-01-02T04:05:06Z")
    return folder
