"""The Yukon and Russian engine: tries and limits.

A search is a series of tries (`yukonsolve.strategy`). Kernels run in slices of a few dozen
milliseconds; limits, Ctrl-C and the caller's ``should_stop`` are looked at between slices.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from yukonsolve.answers import Answers
from yukonsolve.bulk import ANSWERS, Bulk
from yukonsolve.deal import Deal, deal_from_deck
from yukonsolve.kernels import layout, search
from yukonsolve.refuter import Refuter
from yukonsolve.rules import Rules
from yukonsolve.slices import FIRST_SLICE_NODES, Clock
from yukonsolve.strategy import Strategy, Try, default_strategy
from yukonsolve.tokens import tokens_of
from yukonsolve.verdict import Limits, Reason, Result, Verdict
from yukonsolve.workspace import Workspace, deal_arrays

SEED = 0x9E3779B97F4A7C15
"""Start of the search's own random numbers: the same on every run."""


class YukonEngine:
    """Searches one rule set of the Yukon family; lines it finds are not replayed yet.

    Parameters
    ----------
    rules : Rules
    limits : Limits
    strategy : Strategy, optional
        The series of tries; the rule set's own by default.
    switches : sequence of str, optional
        Names of the pruning rules in force (``yukonsolve.workspace.RULE_BITS``); all by default.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> YukonEngine(preset("yukon"), Limits(max_nodes=9)).max_nodes
    9
    """

    def __init__(
        self,
        rules: Rules,
        limits: Limits,
        strategy: Strategy | None = None,
        switches: Sequence[str] | None = None,
    ) -> None:
        self.rules = rules
        self.limits = limits
        self.strategy = strategy or default_strategy(rules)
        self.max_nodes = limits.max_nodes or self.strategy.max_nodes
        self._space = Workspace(rules, limits.max_memory_bytes, switches)
        self._refuter = Refuter(self._space)
        self._strict: YukonEngine | None = None
        for i, weight in enumerate(self.strategy.weights):
            self._space.work.par[int(layout.WEIGHTS) + i] = weight

    def warm_up(self) -> None:
        """Compile (or load from the cache) every kernel.

        Examples
        --------
        >>> from yukonsolve.rules import preset
        >>> YukonEngine(preset("yukon"), Limits()).warm_up()
        """
        w = self._space.work
        cards, shape = deal_arrays(Deal(((0,),), (0,)))
        search.prepare(w, cards, shape)
        search.start(w, np.uint64(0))
        search.run(w, np.uint64(0), np.uint64(0))
        search.unroll(w)
        rules = self.rules
        bulk = Bulk(rules, next(self.strategy.tries()), SEED, self.max_nodes, timed=False)
        bulk.settle(self._space, np.zeros((0, rules.n_cards), dtype=np.uint8))
        tokens_of(Deal(((0,),), (0,)), [])
        self._refuter.load((cards, shape))
        self._refuter.warm_up()
        self._space.grow_table()
        self._space.reset()
        if any(attempt.strict for attempt in self.strategy.first):
            self._strict_engine().warm_up()

    def search(self, deal: Deal, should_stop: Callable[[], bool] | None = None) -> Result:
        """Decide one deal; see `yukonsolve.solver.Solver.solve`.

        Examples
        --------
        >>> from yukonsolve.rules import preset
        >>> deal = Deal(((),) * 7, (0,) * 7, foundations=(13,) * 4)
        >>> YukonEngine(preset("yukon"), Limits()).search(deal).verdict.value
        'solvable'
        """
        begun = time.perf_counter()
        space = self._space
        space.reset()
        par = space.work.par
        par[layout.NODES] = 0
        arrays = deal_arrays(deal)
        search.prepare(space.work, *arrays)
        clock = Clock(begun, self.limits.timeout_s, should_stop)
        entries = 0
        reason = Reason.NODES
        self._refuter.load(arrays)
        for number, attempt in enumerate(self.strategy.tries()):
            left = self.max_nodes - int(par[layout.NODES])
            if left <= 0:
                break
            if attempt.strict:
                found = self._search_strictly(deal, min(attempt.nodes, left), clock)
                par[layout.NODES] += found.nodes
                entries = max(entries, found.table_entries)
                if found.verdict is Verdict.SOLVABLE:
                    spent, seconds = int(par[layout.NODES]), time.perf_counter() - begun
                    return replace(found, nodes=spent, seconds=seconds, table_entries=entries)
                # Not the memory cap: what follows is another search, with the memory for itself.
                over = (Reason.TIME, Reason.INTERRUPTED)
                status, stop = search.PAUSED, found.reason if found.reason in over else None
            elif attempt.ghosts_only:
                lost, stop = self._refuter.refute(attempt, left, clock)
                status = search.EXHAUSTED if lost else search.PAUSED
            else:
                status, stop = self._run_try(attempt, number, left, clock)
            entries = max(entries, space.entries)
            if stop is not None:
                reason = stop
                break
            if status in ANSWERS:
                verdict, reason = ANSWERS[status]
                nodes = int(space.work.par[layout.NODES])
                seconds = time.perf_counter() - begun
                moves = self._line(deal, arrays) if verdict is Verdict.SOLVABLE else None
                return Result(verdict, reason, nodes, seconds, entries, moves)
        nodes = int(space.work.par[layout.NODES])
        seconds = time.perf_counter() - begun
        return Result(Verdict.UNDECIDED, reason, nodes, seconds, entries, None)

    def survey(
        self, decks: NDArray[np.uint8], should_stop: Callable[[], bool] | None = None
    ) -> Iterator[Answers]:
        """Decide many decks; yield the answers in order, as many at a time as come.

        The same answers, nodes and moves as `search` deck by deck. What the first try settles
        soon never leaves the kernel (`yukonsolve.bulk`).

        Examples
        --------
        >>> from yukonsolve.rules import preset
        >>> decks = np.arange(52, dtype=np.uint8).reshape(1, 52)
        >>> [answers.result(0).verdict.value
        ...  for answers in YukonEngine(preset("yukon"), Limits()).survey(decks)]
        ['solvable']
        """
        first = next(self.strategy.tries())
        bulk = None
        # The bulk kernel plays plain tries only.
        if first == Try(first.nodes, first.noise):
            timed = self.limits.timeout_s is not None
            bulk = Bulk(self.rules, first, SEED, self.max_nodes, timed)
        done = 0
        while done < len(decks):
            if should_stop is not None and should_stop():
                return
            alone = bulk is None
            if bulk is not None:
                answers, alone = bulk.settle(self._space, decks[done:])
                if len(answers):
                    yield answers
                    done += len(answers)
            if alone:
                deal = deal_from_deck(tuple(decks[done].tolist()), self.rules)
                result = self.search(deal, should_stop)
                if result.reason is Reason.INTERRUPTED:
                    return
                yield Answers.of(result)
                done += 1

    def _run_try(
        self, attempt: Try, number: int, nodes_left: int, clock: Clock
    ) -> tuple[int, Reason | None]:
        """Run one try; return the kernel's status, and the limit that stopped it, if any."""
        space = self._space
        par = space.work.par
        par[layout.NOISE] = attempt.noise
        self._refuter.guard(attempt.guard)
        after = int(layout.PROBE_AFTER)
        par[after], par[after + 1] = attempt.probe_after, attempt.nest_after
        par[layout.RANDOM] = (SEED * (number + 1)) & 0xFFFFFFFFFFFFFFFF
        end = int(par[layout.NODES]) + min(attempt.nodes, nodes_left)
        par[layout.NODE_LIMIT] = end
        in_force = int(par[layout.SWITCHES])
        probes = np.uint64(attempt.probes & in_force)
        status = search.start(space.work, np.uint64(attempt.root_probes & in_force))
        if status != search.PAUSED:
            return status, None
        growths = {
            search.GROW_TABLE: space.grow_table,
            search.GROW_GHOSTS: space.grow_ghosts,
            search.GROW_STACK: space.grow_stack,
        }
        clock.slice_nodes = FIRST_SLICE_NODES
        while True:
            reached = int(par[layout.NODES])
            if reached >= end:
                return search.PAUSED, None
            stop = clock.stop()
            if stop is not None:
                return search.PAUSED, stop
            until = min(end, reached + clock.slice_nodes)
            status = search.run(space.work, np.uint64(until), probes)
            grow = growths.get(status)
            if grow is not None:
                # Ghost verdicts only save time: they make room for the search itself.
                grown = grow() or (self._refuter.make_room() and grow())
                if not grown and status != search.GROW_GHOSTS:
                    return status, Reason.MEMORY
            elif status != search.PAUSED:
                return status, None
            else:
                clock.adapt()

    def _search_strictly(self, deal: Deal, nodes: int, clock: Clock) -> Result:
        """Search the deal without worrying back: a win there is a win."""
        timeout_s = None
        if clock.deadline is not None:
            timeout_s = max(clock.deadline - time.perf_counter(), 1e-3)
        engine = self._strict_engine()
        engine.limits = replace(self.limits, max_nodes=nodes, timeout_s=timeout_s)
        engine.max_nodes = nodes
        result = engine.search(deal, clock.should_stop)
        engine._space.reset()  # what has grown counts towards this engine's cap
        return result

    def _strict_engine(self) -> YukonEngine:
        if self._strict is None:
            rules = replace(self.rules, worrying_back=False)
            self._strict = YukonEngine(rules, self.limits, switches=self._space.switches)
        return self._strict

    def _line(
        self, deal: Deal, arrays: tuple[NDArray[np.uint8], NDArray[np.uint8]]
    ) -> tuple[str, ...]:
        """Return the line just found as move tokens."""
        space = self._space
        # Two moves a level at most, and each card's own way up.
        space.room_for_line(3 * int(space.work.par[layout.LEVEL]) + 256)
        layout.load(space.work, *arrays)
        count = int(search.unroll(space.work))
        return tokens_of(deal, space.work.out[:count].tolist())
