"""The series of tries a search goes through: how long, how noisy, with which probes.

Every try starts anew at the root with an empty table, so each is a complete search cut off by its
budget, except that verdicts on ghost states (`kernels/ghosts.py`) are kept over the tries. Measured
on 1,000 Yukon deals: nine in ten winnable deals fall within a few hundred states to one of a few
short tries; nearly all lost ones to the ghost game, where it applies, and else to the probes at the
root or to one long search.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from yukonsolve.kernels.probes import PROBE_ALL, PROBE_NESTED
from yukonsolve.rules import Rules


@dataclass(frozen=True)
class Try:
    """One try.

    Parameters
    ----------
    nodes : int
        States it may expand.
    noise : int
        Size of the random part of the move scores; 0 for none.
    probes, root_probes : int
        Bit sets of the probes asked within the search and at the root.
    probe_after, nest_after : int
        Subtree sizes, in states, at which the state on top is probed, and probed with questions
        inside questions. ``probe_after=0`` probes every state as it is entered.
    ghosts_only : bool
        Search the ghost game from the root, in place of the real one: it can only refute.
    strict : bool
        Search the deal without worrying back, in a series of tries of its own: only a win counts.
    guard : int
        Ghost states that may be expanded to refute each new state; 0 for no such question.
    """

    nodes: int
    noise: int
    probes: int = 0
    root_probes: int = 0
    probe_after: int = 1000
    nest_after: int = 100_000
    ghosts_only: bool = False
    strict: bool = False
    guard: int = 0


@dataclass(frozen=True)
class Strategy:
    """A series of tries, and the default node limit.

    Parameters
    ----------
    max_nodes : int
        States expanded over all tries when the user sets no limit.
    first : tuple of Try
        The tries to begin with.
    then : tuple of Try
        Repeated after them for as long as the limits allow, budgets doubled each time round.
    weights : tuple of int
        Move scores: card turned up, card put up, empty column, relaxed value (subtracted).
    """

    max_nodes: int
    first: tuple[Try, ...]
    then: tuple[Try, ...]
    weights: tuple[int, int, int, int] = (60, 40, 50, 4)

    def __post_init__(self) -> None:
        if all(attempt.ghosts_only or attempt.strict for attempt in self.then):
            raise ValueError("the tries repeated must contain a search of the deal itself")

    def tries(self) -> Iterator[Try]:
        """Yield the tries, without end.

        Examples
        --------
        >>> strategy = Strategy(max_nodes=10, first=(), then=(Try(100, 0),))
        >>> [attempt.nodes for attempt, _ in zip(strategy.tries(), range(3))]
        [100, 200, 400]
        """
        yield from self.first
        factor = 1
        while True:
            for attempt in self.then:
                yield replace(attempt, nodes=factor * attempt.nodes)
            factor *= 2


ONE_SEARCH = Strategy(max_nodes=20_000_000, first=(), then=(Try(5_000_000, 0),))
"""For same-suit building: every move is irreversible, spaces are small, and noise gains nothing."""

MANY_TRIES = Strategy(
    max_nodes=2_500_000,
    first=(
        Try(250, 0),
        *(Try(250, 600),) * 15,
        Try(500, 2000, root_probes=PROBE_ALL | PROBE_NESTED),
        *(Try(500, 2000),) * 100,
        Try(400_000, 200, PROBE_ALL),
        *(Try(1000, 2000),) * 200,
        Try(6_000_000, 200, PROBE_ALL, probe_after=5000),
    ),
    then=(*(Try(1000, 2000),) * 500, Try(10_000_000, 200, PROBE_ALL, probe_after=5000)),
)
"""Beyond its default limit the one long search goes on: more nodes continue it, not restart it."""


GHOSTS_FIRST = Strategy(
    max_nodes=20_000_000,
    first=(
        Try(250, 0),
        *(Try(250, 600),) * 3,
        Try(20_000, 0, ghosts_only=True),
        Try(250, 600, root_probes=PROBE_ALL | PROBE_NESTED),
        Try(5_000_000, 0, ghosts_only=True),
        *(Try(20_000, 200, guard=2000),) * 20,
        Try(20_000_000, 200, guard=2000),
    ),
    then=(Try(20_000_000, 0, ghosts_only=True), Try(20_000_000, 200, guard=5000)),
)
"""Where the ghost game may be asked: it refutes nearly every lost deal that is left after a few
quick tries, and its lost states guard the search for the wins that are hard to find."""

SWEEP_FIRST = Strategy(
    max_nodes=20_000_000,
    first=(
        Try(250, 0),
        *(Try(250, 600),) * 3,
        Try(5_000_000, 0, strict=True),
        Try(20_000, 0, ghosts_only=True),
        Try(500, 2000, root_probes=PROBE_ALL | PROBE_NESTED),
        Try(5_000_000, 0, ghosts_only=True),
        *(Try(500, 2000),) * 100,
        Try(400_000, 200, PROBE_ALL),
        *(Try(1000, 2000),) * 200,
        Try(20_000_000, 200, PROBE_ALL, probe_after=5000),
    ),
    then=(*(Try(1000, 2000),) * 500, Try(20_000_000, 200, PROBE_ALL, probe_after=5000)),
)
"""With worrying back: nearly all wins need none and fall to the stricter game, and nearly all deals
lost there are lost to the ghost game, which refutes only at the root here; many tries find the
rest."""


def default_strategy(rules: Rules) -> Strategy:
    """Return the strategy for a rule set when the user asks for nothing special.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> default_strategy(preset("russian")) is ONE_SEARCH
    True
    """
    if rules.build == "suit":
        return ONE_SEARCH
    if not ghosts_apply(rules):
        return MANY_TRIES
    return SWEEP_FIRST if rules.worrying_back else GHOSTS_FIRST


def ghosts_apply(rules: Rules) -> bool:
    """Return whether the ghost game is proved looser than a Yukon-family rule set.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> ghosts_apply(preset("yukon")), ghosts_apply(preset("yukon", spaces="any"))
    (True, False)
    """
    return rules.build != "suit" and rules.spaces == "kings"
