"""Two runs on the same deals: which deals flip, and what that says of the difference.

Two rule sets on the same deals are compared by the deals that flip, not by their two intervals:
what makes a deal easy makes it easy under both, so the difference is known far better than either
rate.

Undecided deals are bracketed: every figure is the least and the greatest over all ways they may
fall. Where one rule set is looser, a deal solvable under the stricter one is not taken to fall to
unsolvable under the looser one, nor the other way round; what is decided is taken as it stands, so
that a contradiction shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from yukonsolve.rows import VERDICTS
from yukonsolve.rulesets import is_looser, same_cards
from yukonsolve.stats import Difference, Interval, mcnemar, paired_difference, wilson
from yukonsolve.summary import CONFIDENCE, Run

SHOWN_LOST = 20
"""Deals named in an alarm."""

_SOLVABLE, _UNSOLVABLE, _UNDECIDED = range(len(VERDICTS))


@dataclass(frozen=True, eq=False)
class Pair:
    """Two runs on the same deals; the stricter one is ``first`` where one is.

    Parameters
    ----------
    first, second : Run
    deals : int
        Deals that have a row in both.
    table : tuple of tuple of int
        ``table[i][j]``: deals with verdict ``i`` in the first and ``j`` in the second run, both
        in the order of `yukonsolve.rows.VERDICTS`.
    looser : str or None
        ``"second"`` if every win under the first rules is one under the second, ``"equal"`` if the
        rules are equal, ``None`` if neither follows.
    p_value : Interval
        Least and greatest p of McNemar's exact test.
    difference : Difference
        95 % interval of the second rate less the first.
    needed : Interval or None
        95 % interval of the share of deals winnable under the second rules that the first ones
        lose; only where the second are looser, and some deal is solvable under them.
    lost : tuple of int
        Wins that the looser rules have lost: impossible, so one run is wrong. At most
        ``SHOWN_LOST`` of them; ``lost_count`` has their number.
    lost_count : int
    """

    first: Run
    second: Run
    deals: int
    table: tuple[tuple[int, ...], ...]
    looser: str | None
    p_value: Interval
    difference: Difference
    needed: Interval | None
    lost: tuple[int, ...]
    lost_count: int

    @property
    def gained(self) -> int:
        """Deals unsolvable in the first and solvable in the second run."""
        return self.table[_UNSOLVABLE][_SOLVABLE]

    @property
    def given_up(self) -> int:
        """Deals solvable in the first and unsolvable in the second run."""
        return self.table[_SOLVABLE][_UNSOLVABLE]

    @property
    def open(self) -> int:
        """Deals undecided in one run or both."""
        return sum(self.table[_UNDECIDED]) + sum(row[_UNDECIDED] for row in self.table[:2])

    @property
    def running(self) -> bool:
        """Whether one of the runs is not complete."""
        return self.first.running or self.second.running


def compare_all(runs: list[Run]) -> list[Pair]:
    """Return a comparison of every two runs that have deals in common.

    Examples
    --------
    >>> compare_all([])
    []
    """
    found = (compare(one, two) for one, two in combinations(runs, 2))
    return [pair for pair in found if pair is not None]


def compare(one: Run, two: Run) -> Pair | None:
    """Compare two runs; ``None`` if they have no deals in common.

    Equal numbers are equal deals where the numbering is the same and the rules deal the same way.

    Parameters
    ----------
    one, two : Run
        In any order.

    Examples
    --------
    >>> from yukonsolve.summary import read_run
    >>> strict, loose = (read_run(Path(d)) for d in ("a", "b"))  # doctest: +SKIP
    >>> compare(strict, loose).gained  # doctest: +SKIP
    37
    """
    if one.numbering != two.numbering or not same_cards(one.rules, two.rules):
        return None
    if is_looser(one.rules, two.rules) and not is_looser(two.rules, one.rules):
        one, two = two, one
    first, second = one.columns, two.columns
    if not len(first.number) or not len(second.number):
        return None
    places = np.searchsorted(second.number, first.number)
    np.minimum(places, len(second.number) - 1, out=places)
    common = second.number[places] == first.number
    if not common.any():
        return None
    numbers = first.number[common]
    was, now = first.verdict[common], second.verdict[places[common]]
    counts = np.bincount(was * len(VERDICTS) + now, minlength=len(VERDICTS) ** 2)
    table = tuple(tuple(row) for row in counts.reshape(len(VERDICTS), -1).tolist())
    looser = None
    if is_looser(two.rules, one.rules):
        looser = "equal" if is_looser(one.rules, two.rules) else "second"
    wrong = np.zeros(len(numbers), bool)
    if looser:
        wrong |= (was == _SOLVABLE) & (now == _UNSOLVABLE)
    if looser == "equal":
        wrong |= (was == _UNSOLVABLE) & (now == _SOLVABLE)
    fourfolds = list(_ways_to_fall(table, looser))
    differences = [
        paired_difference(first_only, second_only, len(numbers), CONFIDENCE)
        for _, first_only, second_only, _ in fourfolds
    ]
    return Pair(
        first=one,
        second=two,
        deals=len(numbers),
        table=table,
        looser=looser,
        p_value=_p_values(fourfolds),
        difference=Difference(min(d.low for d in differences), max(d.high for d in differences)),
        needed=_needed(fourfolds) if looser == "second" else None,
        lost=tuple(numbers[wrong][:SHOWN_LOST].tolist()),
        lost_count=int(wrong.sum()),
    )


_Fourfold = tuple[int, int, int, int]
"""Deals won under both, the first only, the second only, neither."""


def _ways_to_fall(table: tuple[tuple[int, ...], ...], looser: str | None) -> Iterator[_Fourfold]:
    """Yield the fourfold tables in which all open deals of a kind fall the same way.

    Every figure asked for is greatest and least at such a corner; the tests try all ways.
    """
    kinds = []
    for i, j in product(range(len(VERDICTS)), repeat=2):
        ends = [
            2 * a + b
            for a, b in product((0, 1), repeat=2)
            if i in (a, _UNDECIDED) and j in (b, _UNDECIDED)
        ]
        if len(ends) > 1:
            ends = [end for end in ends if end not in _IMPOSSIBLE[looser]]
        if table[i][j]:
            kinds.append((table[i][j], ends))
    seen = set()
    for choice in product(*(ends for _, ends in kinds)):
        fourfold = [0, 0, 0, 0]
        for (count, _), end in zip(kinds, choice, strict=True):
            fourfold[end] += count
        both, first_only, second_only, neither = fourfold
        seen.add((both, first_only, second_only, neither))
    yield from sorted(seen)


_IMPOSSIBLE: dict[str | None, set[int]] = {None: set(), "second": {1}, "equal": {1, 2}}
"""Places of a fourfold table where no open deal can fall."""


def _p_values(fourfolds: list[_Fourfold]) -> Interval:
    tests = [mcnemar(first_only, second_only) for _, first_only, second_only, _ in fourfolds]
    ahead = [second_only - first_only for _, first_only, second_only, _ in fourfolds]
    # Deals fall one by one: where either side may come out ahead, they may also be level.
    most = 1.0 if min(ahead) <= 0 <= max(ahead) else max(tests)
    return Interval(min(tests), most)


def _needed(fourfolds: list[_Fourfold]) -> Interval | None:
    shares = [
        wilson(second_only, both + second_only, CONFIDENCE)
        for both, _, second_only, _ in fourfolds
        if both + second_only
    ]
    if not shares:
        return None
    return Interval(min(share.low for share in shares), max(share.high for share in shares))
