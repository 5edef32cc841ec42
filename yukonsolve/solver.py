"""Decide deals: the one public way from a deal to a replayed verdict.

A search is a series of tries (`yukonsolve.strategy`). Kernels run in slices of a few dozen
milliseconds, and limits, Ctrl-C and the caller's ``should_stop`` are looked at between slices.
Every win is replayed by the rule book before it leaves this module.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from yukonsolve import jit, rulebook
from yukonsolve.cards import card_text, suit_of
from yukonsolve.deal import Deal
from yukonsolve.kernels import layout, search
from yukonsolve.klondike import KlondikeEngine
from yukonsolve.rules import Rules
from yukonsolve.strategy import Strategy, Try, default_strategy
from yukonsolve.verdict import Limits, Reason, Result, Verdict
from yukonsolve.workspace import Workspace, deal_arrays

SLICE_S = 0.05
FIRST_SLICE_NODES = 256
SEED = 0x9E3779B97F4A7C15
"""Start of the search's own random numbers: the same on every run."""

_ANSWERS = {
    search.WON: (Verdict.SOLVABLE, Reason.REPLAYED),
    search.EXHAUSTED: (Verdict.UNSOLVABLE, Reason.EXHAUSTED),
    search.DEAD_AT_ROOT: (Verdict.UNSOLVABLE, Reason.DEAD_AT_ROOT),
}


class ReplayError(RuntimeError):
    """The rule book refused a line the search found: a fault in the program."""


class Solver:
    """A solver for one rule set; keeps its work arrays from deal to deal.

    Parameters
    ----------
    rules : Rules
        Any rule set; Klondike is handed on to `yukonsolve.klondike`.
    limits : Limits, optional
        Limits of each search.
    strategy : Strategy, optional
        Yukon family: the series of tries; the rule set's own by default.
    switches : sequence of str, optional
        Names of the pruning rules in force (``yukonsolve.workspace.RULE_BITS``,
        ``yukonsolve.klondike_space.RULE_BITS``); all by default.

    Examples
    --------
    >>> from yukonsolve.deal import deal_from_deck
    >>> from yukonsolve.numbering import deck_of_number
    >>> from yukonsolve.rules import preset
    >>> rules = preset("russian")
    >>> deal = deal_from_deck(deck_of_number("pysolfc", 57, rules), rules)
    >>> Solver(rules).solve(deal).verdict.value
    'unsolvable'
    """

    def __init__(
        self,
        rules: Rules,
        limits: Limits | None = None,
        strategy: Strategy | None = None,
        switches: Sequence[str] | None = None,
    ) -> None:
        self.rules = rules
        self.limits = limits or Limits()
        self._klondike: KlondikeEngine | None = None
        if rules.family == "klondike":
            self._klondike = KlondikeEngine(rules, self.limits, switches)
            self.max_nodes = self._klondike.max_nodes
            return
        self.strategy = strategy or default_strategy(rules)
        self.max_nodes = self.limits.max_nodes or self.strategy.max_nodes
        self._space = Workspace(rules, self.limits.max_memory_bytes, switches)
        for i, weight in enumerate(self.strategy.weights):
            self._space.work.par[int(layout.WEIGHTS) + i] = weight

    def warm_up(self) -> float:
        """Compile (or load from the cache) every kernel; return the seconds it took.

        Examples
        --------
        >>> from yukonsolve.rules import preset
        >>> Solver(preset("yukon")).warm_up() >= 0
        True
        """
        begun = time.perf_counter()
        if self._klondike is not None:
            self._klondike.warm_up()
            jit.mark_cache_warm(self.rules.family)
            return time.perf_counter() - begun
        w = self._space.work
        cards, shape = deal_arrays(Deal(((0,),), (0,)))
        search.prepare(w, cards, shape)
        search.start(w, np.uint64(0))
        search.run(w, np.uint64(0), np.uint64(0))
        search.unroll(w)
        self._space.grow_table()
        self._space.reset()
        jit.mark_cache_warm(self.rules.family)
        return time.perf_counter() - begun

    def solve(self, deal: Deal, should_stop: Callable[[], bool] | None = None) -> Result:
        """Decide one deal.

        Parameters
        ----------
        deal : Deal
            A fresh deal or any position.
        should_stop : callable, optional
            Polled between slices (about 20 times a second); true ends the search as
            ``interrupted``.

        Returns
        -------
        Result

        Raises
        ------
        ReplayError
            If the rule book refuses a line found: a fault in the program, never to be ignored.
        """
        if self._klondike is not None:
            result = self._klondike.search(deal, should_stop)
            if result.moves is not None:
                self._replay(deal, result.moves)
            return result
        begun = time.perf_counter()
        space = self._space
        space.reset()
        par = space.work.par
        par[layout.NODES] = 0
        arrays = deal_arrays(deal)
        search.prepare(space.work, *arrays)
        clock = _Clock(begun, self.limits.timeout_s, should_stop)
        entries = 0
        reason = Reason.NODES
        for number, attempt in enumerate(self.strategy.tries()):
            left = self.max_nodes - int(par[layout.NODES])
            if left <= 0:
                break
            status, stop = self._run_try(attempt, number, left, clock)
            entries = max(entries, int(space.work.par[layout.TABLE_COUNT]))
            if stop is not None:
                reason = stop
                break
            if status in _ANSWERS:
                verdict, reason = _ANSWERS[status]
                nodes = int(space.work.par[layout.NODES])
                moves = None
                seconds = time.perf_counter() - begun
                if verdict is Verdict.SOLVABLE:
                    moves = self._line(deal, arrays)
                return Result(verdict, reason, nodes, seconds, entries, moves)
        nodes = int(space.work.par[layout.NODES])
        seconds = time.perf_counter() - begun
        return Result(Verdict.UNDECIDED, reason, nodes, seconds, entries, None)

    def _run_try(
        self, attempt: Try, number: int, nodes_left: int, clock: _Clock
    ) -> tuple[int, Reason | None]:
        """Run one try; return the kernel's status, and the limit that stopped it, if any."""
        space = self._space
        par = space.work.par
        par[layout.NOISE] = attempt.noise
        after = int(layout.PROBE_AFTER)
        par[after], par[after + 1] = attempt.probe_after, attempt.nest_after
        par[layout.RANDOM] = (SEED * (number + 1)) & 0xFFFFFFFFFFFFFFFF
        end = int(par[layout.NODES]) + min(attempt.nodes, nodes_left)
        status = search.start(space.work, np.uint64(attempt.root_probes))
        if status != search.PAUSED:
            return status, None
        clock.slice_nodes = FIRST_SLICE_NODES
        while True:
            reached = int(par[layout.NODES])
            if reached >= end:
                return search.PAUSED, None
            stop = clock.stop()
            if stop is not None:
                return search.PAUSED, stop
            until = min(end, reached + clock.slice_nodes)
            status = search.run(space.work, np.uint64(until), np.uint64(attempt.probes))
            if status == search.GROW_TABLE:
                if not space.grow_table():
                    return status, Reason.MEMORY
            elif status == search.GROW_STACK:
                if not space.grow_stack():
                    return status, Reason.MEMORY
            elif status != search.PAUSED:
                return status, None
            clock.adapt()

    def _line(self, deal: Deal, arrays: tuple[np.ndarray, np.ndarray]) -> tuple[str, ...]:
        """Return the line just found as move tokens, replayed by the rule book."""
        space = self._space
        # Two moves a level at most, and each card's own way up.
        space.room_for_line(3 * int(space.work.par[layout.LEVEL]) + 256)
        layout.load(space.work, *arrays)
        count = int(search.unroll(space.work))
        tokens = tokens_of(deal, space.work.out[:count].tolist())
        self._replay(deal, tokens)
        return tokens

    def _replay(self, deal: Deal, tokens: Sequence[str]) -> None:
        """Have the rule book play a line to its end."""
        try:
            final = rulebook.replay(deal, self.rules, tokens)
        except rulebook.IllegalMove as error:
            raise ReplayError(f"the rule book refuses a line of the search: {error}") from error
        if not rulebook.is_won(final, self.rules):
            raise ReplayError("the rule book does not find a line of the search won")


class _Clock:
    """Time limit, interruption, and how many nodes make a slice."""

    def __init__(
        self, begun: float, timeout_s: float | None, should_stop: Callable[[], bool] | None
    ) -> None:
        self.deadline = None if timeout_s is None else begun + timeout_s
        self.should_stop = should_stop
        self.slice_nodes = FIRST_SLICE_NODES
        self.last = begun

    def stop(self) -> Reason | None:
        """Return why to stop now, if at all."""
        self.last = time.perf_counter()
        if self.deadline is not None and self.last >= self.deadline:
            return Reason.TIME
        if self.should_stop is not None and self.should_stop():
            return Reason.INTERRUPTED
        return None

    def adapt(self) -> None:
        """Size the next slice by how long the last one took."""
        took = max(time.perf_counter() - self.last, 1e-6)
        target = SLICE_S
        if self.deadline is not None:
            target = min(target, max(self.deadline - time.perf_counter(), 1e-3))
        factor = min(4.0, max(0.1, target / took))
        self.slice_nodes = max(16, int(self.slice_nodes * factor))


def tokens_of(deal: Deal, line: Sequence[int]) -> tuple[str, ...]:
    """Return kernel moves as tokens ``CARD:FROM>TO``, by playing them on plain columns.

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
    columns = [list(column) for column in deal.columns]
    where = {card: i for i, column in enumerate(columns) for card in column}
    tokens = []
    for move in line:
        card, to = move & 63, move >> 6
        source = where.get(card, -1)
        start = f"{source + 1}" if source >= 0 else "CDHS"[suit_of(card)]
        tail = [card]
        if source >= 0:
            place = columns[source].index(card)
            tail = columns[source][place:]
            del columns[source][place:]
        if to == int(layout.FOUNDATION):
            where[card] = -1
            tokens.append(f"{card_text(card)}:{start}>{'CDHS'[suit_of(card)]}")
            continue
        target = columns.index([]) if to == int(layout.TABLE) else where[to]
        columns[target].extend(tail)
        for moved in tail:
            where[moved] = target
        tokens.append(f"{card_text(card)}:{start}>{target + 1}")
    return tuple(tokens)
