"""The order in which the moves on a search's stack are tried."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U1


@kernel
def sort_entries(entries: NDArray[np.uint64], first: np.uint64, end: np.uint64) -> None:
    """Sort a short stretch of a move stack, best last (insertion sort; score, then move)."""
    i = first + U1
    while i < end:
        entry = entries[i]
        j = i
        while j > first and entries[j - U1] > entry:
            entries[j] = entries[j - U1]
            j -= U1
        entries[j] = entry
        i += U1
