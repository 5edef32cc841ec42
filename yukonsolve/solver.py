"""Decide deals: the one public way from a deal to a replayed verdict."""

from __future__ import annotations

from collections.abc import Callable

from yukonsolve.deal import Deal
from yukonsolve.rules import Rules
from yukonsolve.verdict import Limits, Result


class Solver:
    """A solver for one rule set; keeps its work arrays from deal to deal."""

    def __init__(self, rules: Rules, limits: Limits | None = None) -> None:
        self.rules = rules
        self.limits = limits or Limits()

    def warm_up(self) -> float:
        """Compile (or load from the cache) every kernel; return the seconds it took."""
        raise NotImplementedError

    def solve(self, deal: Deal, should_stop: Callable[[], bool] | None = None) -> Result:
        """Decide one deal. ``should_stop`` is polled at least five times a second."""
        raise NotImplementedError
