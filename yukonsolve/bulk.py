"""Many decks of the Yukon family at a time: the first try of a strategy in one kernel call.

Nine in ten Russian deals are settled within microseconds, so a Python step a deal would cost more
than the search. A call takes some dozen milliseconds, the time in which Ctrl-C is noticed.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from yukonsolve.answers import Answers, place_of
from yukonsolve.deal import dealing_order
from yukonsolve.kernels import layout, search
from yukonsolve.kernels.lines import SCRATCH_BYTES
from yukonsolve.kernels.survey import survey
from yukonsolve.rules import Rules
from yukonsolve.slices import FIRST_SLICE_NODES
from yukonsolve.strategy import Try
from yukonsolve.tokens import steps_of_named
from yukonsolve.verdict import Reason, Verdict
from yukonsolve.workspace import Workspace

DEAL_NODES = 4000
"""States a deal may take here: some ten milliseconds."""
CALL_NODES = 15_000
"""States and deals after which a call ends."""
LINE_MOVES = 1 << 15
"""Moves of all the lines of a call."""

ANSWERS = {
    search.WON: (Verdict.SOLVABLE, Reason.REPLAYED),
    search.EXHAUSTED: (Verdict.UNSOLVABLE, Reason.EXHAUSTED),
    search.DEAD_AT_ROOT: (Verdict.UNSOLVABLE, Reason.DEAD_AT_ROOT),
}
"""What a search kernel's status says of the deal."""
_PLACES = np.zeros((2, max(ANSWERS) + 1), dtype=np.uint8)
for _status, _answer in ANSWERS.items():
    _PLACES[:, _status] = [place_of(value) for value in _answer]


class Bulk:
    """The arrays of bulk calls for one rule set.

    Parameters
    ----------
    rules : Rules
    first : Try
        Without probes.
    seed : int
        Start of the search's random numbers.
    max_nodes : int
        Limit of each deal.
    timed : bool
        Whether deals have a time limit, which is not looked at within a call.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> rules = preset("russian")
    >>> bulk = Bulk(rules, Try(5000, 0), 1, 5000, timed=False)
    >>> answers, _ = bulk.settle(Workspace(rules, 1 << 20), np.arange(52, dtype=np.uint8)[None])
    >>> answers.result(0).verdict.value
    'solvable'
    """

    def __init__(self, rules: Rules, first: Try, seed: int, max_nodes: int, timed: bool) -> None:
        self._first = first
        self._seed = seed
        most = FIRST_SLICE_NODES if timed else DEAL_NODES
        self._until = np.uint64(min(first.nodes, max_nodes, most))
        # Column after column, where in the deck each card of the layout comes from.
        sizes = [d + u for d, u in zip(rules.face_down, rules.face_up, strict=True)]
        starts = np.cumsum([0, *sizes])
        self._order = np.empty(rules.n_cards, dtype=np.uint8)
        for source, (column, place) in enumerate(dealing_order(rules)):
            self._order[starts[column] + place] = source
        shape = [rules.n_columns, *sizes, *rules.face_down, 0, 0, 0, 0]
        self._shape = np.array(shape, dtype=np.uint8)
        self._cards = np.empty(rules.n_cards, dtype=np.uint8)
        self._lines = np.empty(LINE_MOVES, dtype=np.uint32)
        self._scratch = np.empty(SCRATCH_BYTES, dtype=np.uint8)

    def settle(self, space: Workspace, decks: NDArray[np.uint8]) -> tuple[Answers, bool]:
        """Return the answers to the decks that one call settles, and whether the next wants more.

        Lines are not replayed yet. Of the call's time each deal gets its share by the states it
        took.

        Parameters
        ----------
        space : Workspace
        decks : ndarray of uint8, shape (n, cards)
            Decks in dealing order.
        """
        space.reset()
        par = space.work.par
        par[layout.NOISE] = self._first.noise
        par[layout.RANDOM] = self._seed
        decks = decks[: CALL_NODES + 1]
        codes = np.zeros(len(decks), dtype=np.uint8)
        nodes, entries, lengths = np.zeros((3, len(decks)), dtype=np.uint64)
        begun = time.perf_counter()
        n = int(
            survey(
                space.work, decks, self._order, self._cards, self._shape, self._until,
                np.uint64(CALL_NODES), codes, nodes, entries, lengths, self._lines, self._scratch,
            )
        )  # fmt: skip
        took = time.perf_counter() - begun
        wants_more = n < len(decks) and codes[n] != 0
        codes, nodes = codes[:n], nodes[:n].astype(np.int64)
        wins = np.flatnonzero(codes == search.WON)
        ends = np.cumsum(lengths[wins]).tolist()
        line = self._lines[: ends[-1] if ends else 0].tolist()
        moves = {
            win: steps_of_named(line[begin:end])
            for win, begin, end in zip(wins.tolist(), [0, *ends], ends, strict=False)
        }
        seconds = took * (nodes + 1) / max(1, int(nodes.sum()) + n)
        verdicts, reasons = _PLACES[:, codes]
        return Answers(verdicts, reasons, nodes, seconds, entries[:n], moves), wants_more
