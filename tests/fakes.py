"""A stand-in for the solver, so that everything around it is tested in milliseconds."""

from __future__ import annotations

import hashlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, ClassVar

from yukonsolve.answers import Answers
from yukonsolve.cards import card_text
from yukonsolve.deal import Deal, deal_from_deck
from yukonsolve.verdict import Limits, Reason, Result, Verdict

ANSWERS = [
    (Verdict.SOLVABLE, Reason.REPLAYED),
    (Verdict.UNSOLVABLE, Reason.EXHAUSTED),
    (Verdict.UNDECIDED, Reason.NODES),
]


class FakeSolver:
    """Answers by a digest of the deal; ``trouble`` names what to do at certain deals."""

    trouble: ClassVar[dict[tuple[tuple[int, ...], ...], str]] = {}
    pause_s: ClassVar[float] = 0.0

    def __init__(self, rules: Any, limits: Limits | None = None) -> None:
        self.rules = rules
        self.limits = limits or Limits()
        self.max_nodes = self.limits.max_nodes or 1000

    def warm_up(self) -> float:
        return 0.25

    def solve(self, deal: Deal, should_stop: Callable[[], bool] | None = None) -> Result:
        begun = time.perf_counter()
        if self.pause_s:
            time.sleep(self.pause_s)
        self._make_trouble(self.trouble.get(deal.columns, ""))
        if self.trouble.get(deal.columns) == "forever":
            print("searching", file=sys.stderr, flush=True)  # noqa: T201
        while self.trouble.get(deal.columns) == "forever":
            if should_stop is not None and should_stop():
                return Result(Verdict.UNDECIDED, Reason.INTERRUPTED, 5, 0.1, 3, None)
            time.sleep(0.02)
        digest = hashlib.sha256(repr(deal.columns).encode()).digest()
        verdict, reason = ANSWERS[digest[0] % 3]
        tops = [card_text(deal.columns[i][-1]) for i in (0, 1)]
        moves = tuple(f"{card}:{i}>{card[1]}" for i, card in enumerate(tops, 1))
        seconds = time.perf_counter() - begun
        return Result(
            verdict,
            reason,
            digest[1],
            seconds,
            digest[2],
            moves if reason is Reason.REPLAYED else None,
        )

    def survey(
        self, decks: Any, should_stop: Callable[[], bool] | None = None
    ) -> Iterator[Answers]:
        for deck in decks:
            if should_stop is not None and should_stop():
                return
            result = self.solve(deal_from_deck(tuple(deck.tolist()), self.rules), should_stop)
            if result.reason is Reason.INTERRUPTED:
                return
            yield Answers.of(result)

    @staticmethod
    def _make_trouble(what: str) -> None:
        if what == "crash":
            os._exit(3)
        if what == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if what == "raise":
            raise RuntimeError("the rule book refuses a line")
        if what == "deaf":
            time.sleep(60)


def module() -> SimpleNamespace:
    """Return what stands in for ``yukonsolve.solver``."""
    return SimpleNamespace(Solver=FakeSolver)
