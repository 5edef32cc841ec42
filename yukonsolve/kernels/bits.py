"""Sets of cards as 64-bit masks, and the few operations on them.

Card ``c`` is bit ``c`` (= ``4 * rank + suit``), so a rank is a nibble and "one rank lower" is a
shift by 4. Within a nibble clubs and spades (bits 0 and 3) are black, diamonds and hearts (1 and 2)
red. Everything is ``uint64``: one signed operand would make numba check for wrap-around.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from yukonsolve.jit import kernel

U0 = np.uint64(0)
U1 = np.uint64(1)
U2 = np.uint64(2)
U3 = np.uint64(3)
U4 = np.uint64(4)
REDS = np.uint64(0x6666666666666)
BLACKS = np.uint64(0x9999999999999)
NIBBLE_ONES = np.uint64(0x1111111111111)
NIBBLE = np.uint64(0xF)


@intrinsic
def _ctz(typingctx: Any, value: Any) -> Any:
    """Return the index of the lowest set bit (64 for an empty set)."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), codegen


@intrinsic
def _popcount(typingctx: Any, value: Any) -> Any:
    """Return the number of set bits."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


# The stubs of numba would have an intrinsic called with its typing context.
ctz: Callable[[np.uint64], np.uint64] = cast(Any, _ctz)
popcount: Callable[[np.uint64], np.uint64] = cast(Any, _popcount)


@kernel
def children(cards: np.uint64, same_suit: np.uint64) -> np.uint64:
    """Return every card that may be built on some card of the set."""
    if same_suit != U0:
        return cards >> U4
    red = cards & REDS
    black = cards & BLACKS
    red_any = ((red >> U1) | (red >> U2)) & NIBBLE_ONES
    black_any = (black | (black >> U3)) & NIBBLE_ONES
    return ((red_any * np.uint64(9)) | (black_any * np.uint64(6))) >> U4


@kernel
def parents(cards: np.uint64, same_suit: np.uint64) -> np.uint64:
    """Return every card on which some card of the set may be built (may exceed a small deck)."""
    if same_suit != U0:
        return cards << U4
    red = cards & REDS
    black = cards & BLACKS
    red_any = ((red >> U1) | (red >> U2)) & NIBBLE_ONES
    black_any = (black | (black >> U3)) & NIBBLE_ONES
    return ((red_any * np.uint64(9)) | (black_any * np.uint64(6))) << U4


@kernel
def next_up(up: np.uint64, full: np.uint64) -> np.uint64:
    """Return, per suit, the card the foundation takes next; ``up`` holds a prefix of each suit."""
    return ((up << U4) | NIBBLE) & ~up & full
