"""Kernel moves of the Yukon family as move tokens ``CARD:FROM>TO``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from yukonsolve.cards import SUITS, suit_of
from yukonsolve.deal import Deal
from yukonsolve.kernels.lines import HOME, SCRATCH_BYTES, name_moves
from yukonsolve.position import Step, token_of
from yukonsolve.workspace import deal_arrays


class _Steps(dict[int, Step]):
    """The step of each move that `name_moves` wrote, made when it is first met."""

    def __missing__(self, move: int) -> Step:
        card, *ways = move & 63, move >> 6 & 63, move >> 12
        home = SUITS[suit_of(card)]
        source, target = (home if way == int(HOME) else str(way + 1) for way in ways)
        step = self[move] = card, source, target
        return step


_STEPS = _Steps()


def steps_of_named(moves: Iterable[int]) -> tuple[Step, ...]:
    """Return moves that `yukonsolve.kernels.lines.name_moves` wrote as steps.

    Examples
    --------
    >>> steps_of_named([0 | 4 << 6 | 63 << 12, 51 | 0 << 6 | 2 << 12])
    ((0, '5', 'C'), (51, '1', '3'))
    """
    return tuple(map(_STEPS.__getitem__, moves))


def tokens_of(deal: Deal, line: Sequence[int]) -> tuple[str, ...]:
    """Return the moves of a line as tokens.

    Parameters
    ----------
    deal : Deal
    line : sequence of int
        ``card + 64 * destination``; destination a card, ``FOUNDATION`` or ``TABLE``.

    Examples
    --------
    >>> tokens_of(Deal(((0,), (4,)), (0, 0)), [62 * 64])
    ('AC:1>C',)
    """
    named = np.empty(len(line), dtype=np.uint32)
    scratch = np.empty(SCRATCH_BYTES, dtype=np.uint8)
    moves = np.array(line, dtype=np.uint64)
    name_moves(moves, np.uint64(len(line)), *deal_arrays(deal), scratch, named, np.uint64(0))
    return tuple(map(token_of, steps_of_named(named.tolist())))
