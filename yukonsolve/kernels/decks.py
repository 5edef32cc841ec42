"""Deal native numbers: the shuffle of `yukonsolve.numbering.native_deck`, a batch at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
U27 = np.uint64(27)
U30 = np.uint64(30)
U31 = np.uint64(31)
U32 = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
TWO_32 = np.uint64(1 << 32)


@kernel
def deal_native(first: np.uint64, decks: NDArray[np.uint8]) -> None:
    """Fill row i of ``decks`` with the deck of native number ``first`` + i."""
    n_cards = np.uint64(decks.shape[1])
    for row in range(decks.shape[0]):
        state = first + np.uint64(row)
        for i in range(n_cards):
            decks[row, i] = i
        n = n_cards
        while n > U1:
            low = U0
            while True:
                state += GAMMA
                z = (state ^ (state >> U30)) * MIX_1
                z = (z ^ (z >> U27)) * MIX_2
                m = ((z ^ (z >> U31)) >> U32) * n
                low = m & LOW
                # Refusing the few low remainders makes every place equally likely.
                if low >= n or low >= TWO_32 % n:
                    break
            j = m >> U32
            n -= U1
            card = decks[row, n]
            decks[row, n] = decks[row, j]
            decks[row, j] = card
