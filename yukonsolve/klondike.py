"""Decide Klondike deals: the engine behind `yukonsolve.solver.Solver` for that family.

One complete search; limits, Ctrl-C and the caller's ``should_stop`` are looked at between slices of
a few dozen milliseconds. Every win is replayed by the rule book before it leaves the solver.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from yukonsolve.deal import Deal
from yukonsolve.kernels import klondike_layout as layout
from yukonsolve.kernels import klondike_search as search
from yukonsolve.kernels.klondike_expand import LIFTED
from yukonsolve.klondike_line import tokens_of
from yukonsolve.klondike_space import KlondikeSpace
from yukonsolve.rules import Rules
from yukonsolve.slices import Clock
from yukonsolve.verdict import Limits, Reason, Result, Verdict

DEFAULT_MAX_NODES = 100_000_000
GHOSTS_AFTER = 256
"""Half the deals are won within so many states, and the ghost game would only cost time."""

_ANSWERS = {
    search.WON: (Verdict.SOLVABLE, Reason.REPLAYED),
    search.EXHAUSTED: (Verdict.UNSOLVABLE, Reason.EXHAUSTED),
    search.DEAD_AT_ROOT: (Verdict.UNSOLVABLE, Reason.DEAD_AT_ROOT),
}


class KlondikeEngine:
    """The search for one Klondike rule set; keeps its work arrays from deal to deal.

    Parameters
    ----------
    rules : Rules
        A Klondike-family rule set.
    limits : Limits
    switches : sequence of str, optional
        Names of the pruning rules in force (``yukonsolve.klondike_space.RULE_BITS``); all by
        default.
    ghosts_after : int
        States to search before the ghost game is asked: quick wins need no proofs.

    Examples
    --------
    >>> from yukonsolve.deal import deal_from_deck
    >>> from yukonsolve.numbering import deck_of_number
    >>> from yukonsolve.rules import preset
    >>> rules = preset("klondike-draw3")
    >>> deal = deal_from_deck(deck_of_number("solvitaire", 3, rules), rules)
    >>> result = KlondikeEngine(rules, Limits()).search(deal)
    >>> result.verdict.value, result.moves[0]
    ('solvable', 'draw')
    """

    def __init__(
        self,
        rules: Rules,
        limits: Limits,
        switches: Sequence[str] | None = None,
        ghosts_after: int = GHOSTS_AFTER,
    ) -> None:
        self.ghosts_after = ghosts_after
        self.rules = rules
        self.limits = limits
        self.max_nodes = limits.max_nodes or DEFAULT_MAX_NODES
        self.space = KlondikeSpace(rules, limits.max_memory_bytes, switches)

    def warm_up(self) -> None:
        """Compile (or load from the cache) every kernel."""
        space = self.space
        space.load(Deal(((),) * self.rules.n_columns, (0,) * self.rules.n_columns))
        search.start(space.work)
        search.run(space.work, np.uint64(0))
        search.root_is_lost(space.work)
        search.route(space.work, np.uint64(0), np.uint64(0), np.uint64(0))
        space.grow_table()

    def search(self, deal: Deal, should_stop: Callable[[], bool] | None = None) -> Result:
        """Decide one deal; the line of a win is not yet replayed.

        Parameters
        ----------
        deal : Deal
            A fresh deal or any position in its first pass.
        should_stop : callable, optional
            Polled between slices; true ends the search as ``interrupted``.
        """
        begun = time.perf_counter()
        space = self.space
        space.load(deal)
        par = space.work.par
        clock = Clock(begun, self.limits.timeout_s, should_stop)
        status = search.start(space.work)
        reason: Reason | None = None
        ghosts = space.ghosts
        while status not in _ANSWERS and reason is None:
            if ghosts and int(par[layout.NODES]) >= self.ghosts_after:
                ghosts = False
                par[layout.GHOST_ON] = 1
                if search.root_is_lost(space.work):
                    status = search.DEAD_AT_ROOT
                    break
            if status == search.GROW_TABLE:
                reason = None if space.grow_table() else Reason.MEMORY
            elif status == search.GROW_STACK:
                reason = None if space.grow_stack() else Reason.MEMORY
                if reason is None and int(par[layout.NODES]) == 0:
                    status = search.start(space.work)
                    continue
            reason = reason or clock.stop()
            reached = int(par[layout.NODES])
            if reason is None and reached >= self.max_nodes:
                reason = Reason.NODES
            if reason is None:
                until = min(self.max_nodes, reached + clock.slice_nodes)
                status = search.run(space.work, np.uint64(until))
                if status == search.PAUSED:
                    clock.adapt()
        nodes, entries = int(par[layout.NODES]), int(par[layout.TABLE_COUNT])
        seconds = time.perf_counter() - begun
        if reason is not None:
            return Result(Verdict.UNDECIDED, reason, nodes, seconds, entries, None)
        verdict, why = _ANSWERS[status]
        moves = tokens_of(deal, self.rules, self._steps()) if verdict is Verdict.SOLVABLE else None
        return Result(verdict, why, nodes, seconds, entries, moves)

    def _steps(self) -> list[tuple[int, bool]]:
        """Return the line just found as cards that go up or land."""
        w = self.space.work
        frames = w.frames.reshape(-1, layout.FRAME_WORDS)
        steps: list[tuple[int, bool]] = []
        levels = int(w.par[layout.LEVEL])
        moves = [(int(frame[layout.MOVE]), int(frame[layout.MOVE_UP])) for frame in frames[:levels]]
        up = int(frames[0][layout.UP])
        for level, (move, after) in enumerate(moves):
            card, king = move & 63, move >> 6 & 63
            lifted = bool(move & int(LIFTED))
            before = after & ~(1 << card) if lifted else after
            count = int(
                search.route(
                    w, np.uint64(level * layout.FRAME_WORDS), np.uint64(up), np.uint64(before)
                )
            )
            for step in w.out[:count][::-1].tolist():
                goes_up = not up >> step & 1
                steps.append((step, goes_up))
                up ^= 1 << step
            steps.append((card, lifted))
            if king != int(layout.NO_CARD):
                steps.append((king, False))
            up = after
        return steps
