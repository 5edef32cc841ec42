"""Decide deals: the one public way from a deal to a replayed verdict.

The two engines search; every win is replayed here by the rule book before anyone sees it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from yukonsolve import jit, rulebook
from yukonsolve.answers import Answers
from yukonsolve.deal import Deal, deal_from_deck
from yukonsolve.decks import native_decks
from yukonsolve.position import Step, parse_move
from yukonsolve.rules import Rules
from yukonsolve.strategy import Strategy
from yukonsolve.verdict import Limits, Reason, Result
from yukonsolve.yukon import YukonEngine

if TYPE_CHECKING:
    from yukonsolve.klondike import KlondikeEngine


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
        self._engine: YukonEngine | KlondikeEngine
        if rules.family == "klondike":
            # Its kernels take a while to import; Yukon need not wait for them.
            from yukonsolve.klondike import KlondikeEngine

            self._engine = KlondikeEngine(rules, self.limits, switches)
        else:
            self._engine = YukonEngine(rules, self.limits, strategy, switches)
        self.max_nodes = self._engine.max_nodes

    def warm_up(self) -> float:
        """Compile (or load from the cache) every kernel; return the seconds it took.

        Examples
        --------
        >>> from yukonsolve.rules import preset
        >>> Solver(preset("yukon")).warm_up() >= 0
        True
        """
        begun = time.perf_counter()
        self._engine.warm_up()
        native_decks(0, 0)
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
        result = self._engine.search(deal, should_stop)
        if result.moves is not None:
            self._replay(deal, list(map(parse_move, result.moves)))
        return result

    def survey(
        self, decks: NDArray[np.uint8], should_stop: Callable[[], bool] | None = None
    ) -> Iterator[Answers]:
        """Decide many fresh deals; yield the answers in order, as many at a time as come.

        The same answers as `solve` deck by deck; cheaper where most deals are settled at once
        (their ``seconds`` are shares of a call's, by the states each took).

        Parameters
        ----------
        decks : ndarray of uint8, shape (n, cards)
            Decks in dealing order.
        should_stop : callable, optional
            As for `solve`; the iteration ends early, without an answer to the deal it was at.

        Raises
        ------
        ReplayError
            As for `solve`.

        Examples
        --------
        >>> from yukonsolve.decks import native_decks
        >>> from yukonsolve.rules import preset
        >>> pieces = Solver(preset("russian")).survey(native_decks(1, 3))
        >>> [piece.result(i).verdict.value for piece in pieces for i in range(len(piece))]
        ['unsolvable', 'unsolvable', 'unsolvable']
        """
        if isinstance(self._engine, YukonEngine):
            done = 0
            for answers in self._engine.survey(decks, should_stop):
                for place, steps in answers.moves.items():
                    self._replay(self._deal(decks[done + place]), steps)
                done += len(answers)
                yield answers
            return
        for deck in decks:
            if should_stop is not None and should_stop():
                return
            result = self.solve(self._deal(deck), should_stop)
            if result.reason is Reason.INTERRUPTED:
                return
            yield Answers.of(result)

    def _deal(self, deck: NDArray[np.uint8]) -> Deal:
        return deal_from_deck(tuple(deck.tolist()), self.rules)

    def _replay(self, deal: Deal, moves: Sequence[Step]) -> None:
        """Have the rule book play a line to its end."""
        try:
            won = rulebook.wins(deal, self.rules, moves)
        except rulebook.IllegalMove as error:
            raise ReplayError(f"the rule book refuses a line of the search: {error}") from error
        if not won:
            raise ReplayError("the rule book does not find a line of the search won")
