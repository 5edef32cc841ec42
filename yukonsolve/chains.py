"""Chains of reasons: the fewest facts that together keep a card from ever going up.

A fact says that something never happens: a card never goes *up*, is never *open* (uncovered),
never *lands* elsewhere, never lands on one *host*, never comes into a *space*. Each is so for one
of a few reasons, and a reason leans on other facts. A set of facts in which each has a reason that
leans only on facts of the set proves them all: whichever of them failed first would need another
to have failed before. So a chain of reasons may close in a circle.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from yukonsolve.cards import N_SUITS, suit_of
from yukonsolve.reasons import Relaxed, twin

UP = "up"
OPEN = "open"
LAND = "land"
HOST = "host"
SPACE = "space"

ATTEMPTS = 200
"""Chains put together at random; the shortest is kept."""


class Fact(NamedTuple):
    """What never happens.

    Parameters
    ----------
    kind : {"up", "open", "land", "host", "space"}
    card : int
        The card; for ``space`` how many empty columns there never are.
    host : int
        For ``host`` the card it never lands on.
    """

    kind: str
    card: int
    host: int = -1


class Why(NamedTuple):
    """A reason for a fact.

    Parameters
    ----------
    how : str
        ``under`` (cards lie on it), ``after`` (a lower card of its suit is stuck), ``held`` (a
        card that lands on it and never leaves again), ``face-down``, ``hosts`` (each host
        fails), ``wait`` (its twin goes first), ``lies`` (on that host already), ``founded`` (the
        host is on its foundation), ``struck`` (an answer forbids it), ``covered`` (the host is
        never open), ``inside`` (the host lies above it and they never part), ``bases`` (the cards
        on the table never leave).
    cards : tuple of int
        The cards the reason names.
    needs : tuple of Fact
        What it leans on.
    """

    how: str
    cards: tuple[int, ...]
    needs: tuple[Fact, ...]


Chain = dict[Fact, Why]
"""Facts and the reason of each, from the fact to be shown down."""


def reasons_for(fact: Fact, end: Relaxed) -> Iterator[Why]:
    """Yield every reason for a fact that the end of a relaxation allows.

    Examples
    --------
    >>> from yukonsolve.position import Position
    >>> from yukonsolve.reasons import Setting, relax
    >>> from yukonsolve.rules import preset
    >>> rules = preset("yukon", n_ranks=2, n_columns=1, face_down=(0,), face_up=(8,))
    >>> stuck = Position(((0, 4, 1, 2, 3, 5, 6, 7),), (0,), (0, 0, 0, 0))
    >>> end = relax(Setting(stuck, rules))
    >>> [why.cards for why in reasons_for(Fact("open", 0), end)]
    [(4,)]
    """
    if fact.kind == UP:
        yield from _why_not_up(fact.card, end)
    elif fact.kind == OPEN:
        yield from _why_not_open(fact.card, end)
    elif fact.kind == LAND:
        yield from _why_not_landing(fact.card, end)
    elif fact.kind == HOST:
        yield from _why_not_there(fact.card, fact.host, end)
    else:
        stay = [base for base in sorted(end.setting.bases) if not end.leaves(base)]
        yield Why("bases", tuple(stay), _never_leave(*stay))


def _never_leave(*cards: int) -> tuple[Fact, ...]:
    return tuple(Fact(kind, card) for card in cards for kind in (LAND, UP))


def _why_not_up(card: int, end: Relaxed) -> Iterator[Why]:
    """Look for cards of the suit, up to this one, that are never open or are held."""
    lower = N_SUITS * end.setting.position.foundations[suit_of(card)] + suit_of(card)
    for stuck in range(lower, card + 1, N_SUITS):
        if stuck not in end.open:
            yield Why("after", (stuck,), (Fact(OPEN, stuck),))
        for rider in sorted(end.given.hold.get(stuck, ())):
            if not end.can_step_off(rider, stuck):
                # Where the rider lay before it landed counts as well: it could go back there.
                others = [on for on in end.setting.parents[rider] if on != stuck]
                others = [on for on in others if (rider, on) not in end.given.struck]
                needs = [Fact(UP, rider)]
                for on in others:
                    needs += _never_open(on, end)
                if end.setting.any_space:
                    needs.append(Fact(SPACE, 1))
                yield Why("held", (stuck, rider, *others), tuple(needs))


def _why_not_open(card: int, end: Relaxed) -> Iterator[Why]:
    """Look for the card on it that never leaves, through face-down cards."""
    above = end.setting.above[card]
    for place, upper in enumerate(above):
        if not end.leaves(upper):
            yield Why("under", (upper, *above[:place]), _never_leave(upper))
        if upper not in end.setting.face_down or upper in end.open:
            return


def _why_not_landing(card: int, end: Relaxed) -> Iterator[Why]:
    setting = end.setting
    if card in setting.face_down and card not in end.open:
        yield Why("face-down", (), (Fact(OPEN, card),))
    spaces: tuple[Fact, ...] = ()
    if card in setting.fills_space and card not in setting.bases:
        spaces = (Fact(SPACE, 1),)
        if end.spaces:
            first = end.given.first_king
            if card not in end.given.kings_wait or end.spaces > 1 or end.is_up(first):
                return
            spaces = (Fact(SPACE, 2), Fact(UP, first))
    parents = setting.parents[card]
    if end.must_wait(card):
        for on in parents:
            if on not in end.open:
                needs = (Fact(UP, twin(card)), *_never_open(on, end), *spaces)
                if setting.any_space and Fact(SPACE, 1) not in needs:
                    needs += (Fact(SPACE, 1),)
                yield Why("wait", (twin(card), on), needs)
    hosts = tuple(Fact(HOST, card, on) for on in parents)
    if all(any(True for _ in reasons_for(host, end)) for host in hosts):
        yield Why("hosts", parents, hosts + spaces)


def _never_open(card: int, end: Relaxed) -> tuple[Fact, ...]:
    return (Fact(OPEN, card),) if card in end.setting.tableau else ()


def _why_not_there(card: int, host: int, end: Relaxed) -> Iterator[Why]:
    setting = end.setting
    if (card, host) in end.given.struck:
        yield Why("struck", (host,), ())
    if host == setting.below[card]:
        yield Why("lies", (host,), ())
    if host in setting.founded:
        if host not in end.open:
            yield Why("founded", (host,), ())
        return
    if host not in end.open:
        yield Why("covered", (host,), (Fact(OPEN, host),))
    if not end.comes_apart(card, host):
        chain = setting.above[card]
        between = chain[: chain.index(host) + 1]
        needs = [Fact(LAND, upper) for upper in between]
        if setting.rules.worrying_back:
            needs.append(Fact(UP, host))
        yield Why("inside", (host,), tuple(needs))


def shortest_chain(end: Relaxed, attempts: int = ATTEMPTS) -> Chain:
    """Return a short closed chain of reasons why a dead position's foundations stop.

    The first fact is that some card never goes up.

    Examples
    --------
    >>> from yukonsolve.position import Position
    >>> from yukonsolve.reasons import Setting, relax
    >>> from yukonsolve.rules import preset
    >>> rules = preset("yukon", n_ranks=2, n_columns=1, face_down=(0,), face_up=(8,))
    >>> stuck = Position(((0, 4, 1, 2, 3, 5, 6, 7),), (0,), (0, 0, 0, 0))
    >>> next(iter(shortest_chain(relax(Setting(stuck, rules)))))
    Fact(kind='up', card=0, host=-1)
    """
    n_ranks = end.setting.rules.n_ranks
    roots = [
        Fact(UP, N_SUITS * height + suit)
        for suit, height in enumerate(end.heights)
        if height < n_ranks
    ]
    rng = random.Random(0)
    known: dict[Fact, list[Why]] = {}
    best: Chain = {}
    for attempt in range(attempts):
        root = roots[attempt % len(roots)]
        chain = _grow(root, end, known, rng, attempt >= len(roots))
        if not best or _length(chain) < _length(best):
            best = chain
    return best


def _grow(
    root: Fact, end: Relaxed, known: dict[Fact, list[Why]], rng: random.Random, shaken: bool
) -> Chain:
    """Close a chain from its first fact on, preferring reasons that need little new."""
    chain: Chain = {}
    asked = {root}
    todo = [root]
    while todo:
        fact = todo.pop()
        if fact not in known:
            known[fact] = list(reasons_for(fact, end))
        options = known[fact]
        costs = [
            float(sum(_weight(need) for need in why.needs if need not in asked)) for why in options
        ]
        if shaken:
            costs = [cost * rng.uniform(0.3, 1) + rng.uniform(0, 1) for cost in costs]
        why = options[costs.index(min(costs))]
        chain[fact] = why
        fresh = [need for need in why.needs if need not in asked]
        asked.update(fresh)
        todo.extend(reversed(fresh))
    return chain


def _weight(fact: Fact) -> int:
    return {UP: 1, OPEN: 2, LAND: 3, HOST: 1, SPACE: 12}[fact.kind]


def _length(chain: Chain) -> tuple[int, int]:
    """Return roughly how many lines a chain takes to tell, then how many facts."""
    told = sum(1 for fact, why in chain.items() if fact.kind == LAND and why.how != "face-down")
    spaces = sum(1 for fact in chain if fact.kind == SPACE)
    return told + spaces, len(chain)
