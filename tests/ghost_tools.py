"""The ghost game of Yukon in sets and dicts, and the kernel's, to hold against each other.

`PlainGhosts` is written from the words at the head of `yukonsolve.kernels.ghosts` alone: no masks,
no safe cards, no relaxation, no order. It visits every state. With ``back`` the top of a foundation
comes down as well, and what can be won is found backwards from the wins.
"""

from __future__ import annotations

import itertools
import random
from typing import NamedTuple

import numpy as np
from kernel_tools import random_deal, rules_for

from yukonsolve.deal import Deal, deal_from_deck
from yukonsolve.kernels import ghost_relax, ghost_search, ghost_sweep, ghost_table, ghosts
from yukonsolve.numbering import deck_of_number
from yukonsolve.rules import Rules, preset
from yukonsolve.verdict import Result
from yukonsolve.workspace import Workspace, deal_arrays

U = np.uint64
YUKON = preset("yukon")
DEAD, ALIVE = int(ghost_table.DEAD), int(ghost_table.ALIVE)
BLACK = (0, 3)
"""Suits: clubs and spades."""


class State(NamedTuple):
    """Cards off their dealt place, and cards on a foundation."""

    moved: frozenset[int]
    up: frozenset[int]

    @property
    def gone(self) -> frozenset[int]:
        return self.moved | self.up


class TooManyGhostsError(RuntimeError):
    """The game is larger than the caller wanted."""


class PlainGhosts:
    """The ghost game of one deal, with worrying back or without."""

    def __init__(self, deal: Deal, back: bool = False) -> None:
        self.back = back
        self.columns = deal.columns
        n_ranks = (sum(map(len, deal.columns)) + sum(deal.foundations)) // 4
        self.deck = range(4 * n_ranks)
        self.kings = {c for c in self.deck if c // 4 == n_ranks - 1}
        self.bases = {column[0] for column in deal.columns if column}
        self.dealt_on_it = {}
        self.dealt_face_up = set()
        for column, down in zip(deal.columns, deal.face_down, strict=True):
            self.dealt_on_it.update(itertools.pairwise(column))
            self.dealt_face_up.update(column[down:])
        self.parents = {c: [p for p in self.deck if self.may_hold(p, c)] for c in self.deck}
        self.children = {p: [c for c in self.deck if self.may_hold(p, c)] for p in self.deck}
        founded = (4 * rank + suit for suit in range(4) for rank in range(deal.foundations[suit]))
        self.root = State(frozenset(), frozenset(founded))

    @staticmethod
    def may_hold(parent: int, card: int) -> bool:
        return parent // 4 == card // 4 + 1 and (parent % 4 in BLACK) != (card % 4 in BLACK)

    @staticmethod
    def partner(card: int) -> int:
        """The other card of the same rank and colour."""
        return card // 4 * 4 + {0: 3, 3: 0, 1: 2, 2: 1}[card % 4]

    def is_bare(self, card: int, state: State) -> bool:
        """Whether a card is on the tableau without the card that was dealt on it."""
        rider = self.dealt_on_it.get(card)
        return card not in state.up and (rider is None or rider in state.gone)

    def fragment_end(self, card: int, state: State) -> int:
        while not self.is_bare(card, state):
            card = self.dealt_on_it[card]
        return card

    def hosts(self, card: int, state: State) -> list[int]:
        """The parents that may hold a card."""
        end = self.fragment_end(card, state)
        return [p for p in self.parents[card] if self.is_bare(p, state) and p != end]

    def fit(self, cards: list[int], state: State, without: int | None = None) -> bool:
        """Whether cards find different parents."""
        if not cards:
            return True
        choices = ([h for h in self.hosts(c, state) if h != without] for c in cards)
        return any(len(set(places)) == len(cards) for places in itertools.product(*choices))

    def spaces(self, state: State) -> int:
        """The number of empty columns."""
        return len(self.columns) - len(self.bases - state.gone) - len(self.kings & state.moved)

    def is_valid(self, state: State) -> bool:
        return self.spaces(state) >= 0 and all(
            self.fit([c for c in (card, self.partner(card)) if c in state.moved], state)
            for card in self.deck
            if card not in self.kings
        )

    def successors(self, state: State) -> list[State]:
        found = []
        for card in self.deck:
            if card in state.up:
                continue
            bare = self.is_bare(card, state)
            if card not in state.moved and (bare or card in self.dealt_face_up):
                if card in self.kings:
                    # One that was dealt on the table lies there already.
                    leaves = card not in self.bases and self.spaces(state) > 0
                else:
                    others = {self.partner(card)} & state.moved
                    leaves = self.fit([card, *others], state)
                if leaves:
                    found.append(State(state.moved | {card}, state.up))
            if bare and (card < 4 or card - 4 in state.up):
                riders = [c for c in self.children[card] if c in state.moved]
                if self.fit(riders, state, without=card):
                    found.append(State(state.moved - {card}, state.up | {card}))
        return found + (self.returns(state) if self.back else [])

    def returns(self, state: State) -> list[State]:
        """The states in which the top of one foundation has come down."""
        found = []
        for card in state.up:
            if card + 4 in state.up:
                continue
            after = State(state.moved | {card}, state.up - {card})
            if card in self.kings:
                fits = self.spaces(state) > 0
            else:
                fits = self.fit([card, *({self.partner(card)} & state.moved)], after)
            if fits:
                found.append(after)
        return found

    def graph(self, most: int) -> dict[State, list[State]]:
        """Every state that can be reached, with its successors."""
        graph: dict[State, list[State]] = {}
        frontier = [self.root]
        while frontier:
            for state in frontier:
                graph[state] = self.successors(state)
            if len(graph) > most:
                raise TooManyGhostsError
            reached = {s for state in frontier for s in graph[state]}
            # Some have roads of different lengths.
            frontier = [s for s in reached if s not in graph]
        assert all(map(self.is_valid, graph))
        return graph

    def explore(self, most: int) -> dict[State, bool]:
        """Every state that can be reached, and whether it can be won."""
        graph = self.graph(most)
        before: dict[State, list[State]] = {state: [] for state in graph}
        for state, after in graph.items():
            for child in after:
                before[child].append(state)
        wins = [state for state in graph if len(state.up) == len(self.deck)]
        won = set(wins)
        while wins:
            fresh = {s for state in wins for s in before[state]} - won
            won |= fresh
            wins = list(fresh)
        return {state: state in won for state in graph}


def mask(cards) -> int:
    return sum(1 << card for card in cards)


def cards_in(bits: int) -> frozenset[int]:
    return frozenset(c for c in range(52) if bits >> c & 1)


class GhostKernel:
    """One workspace, and the ghost game of the deal last loaded."""

    def __init__(self, rules: Rules) -> None:
        self.space = Workspace(rules, 1 << 30)

    @property
    def g(self) -> ghosts.Ghosts:
        return self.space.work.ghosts

    def load(self, deal: Deal) -> None:
        """Begin the game at the deal; nothing is known."""
        self.space.reset()
        ghosts.load_ghosts(self.g, *deal_arrays(deal))

    def row(self, row: int = 0) -> tuple[int, int, int, int]:
        """Moved, founded, bare tableau cards, and these as places."""
        words = self.g.rows[row * ghosts.G_ROW_WORDS :][: ghosts.G_ROW_WORDS]
        moved, up, bare, places = map(int, words)
        return moved, up, bare & ~up, places

    def put(self, game: PlainGhosts, state: State) -> None:
        """Put a state into row 0, every word of it from the plain game."""
        bare = {c for c in game.deck if game.is_bare(c, state)}
        places = enumerate(card for column in game.columns for card in column)
        words = (
            mask(state.moved),
            mask(state.up),
            mask(bare),
            mask(place for place, card in places if card in bare),
        )
        self.g.rows[: ghosts.G_ROW_WORDS] = words

    def ask(self, budget: int = 1 << 40) -> int:
        """Search from row 0: `DEAD`, `ALIVE`, or ``PAUSED`` when the budget is spent."""
        status = int(ghost_search.start_ghosts(self.g))
        until = U(int(self.g.par[ghosts.G_NODES]) + budget)
        while status == ghost_search.PAUSED or status == ghost_search.FULL_TABLE:
            if status == ghost_search.FULL_TABLE:
                assert self.space.grow_ghosts()
            elif int(self.g.par[ghosts.G_NODES]) >= until:
                ghost_search.give_up(self.g)
                return int(ghost_search.PAUSED)
            status = int(ghost_search.run_ghosts(self.g, until))
        return status

    def sweep(self, budget: int = 1 << 40, slice_nodes: int = 1 << 40) -> int:
        """Sweep what row 0 reaches; ``PAUSED`` when the budget is spent, and to be gone on with."""
        status = int(ghost_sweep.start_sweep(self.g))
        return self.sweep_on(status, budget, slice_nodes)

    def sweep_on(self, status: int, budget: int, slice_nodes: int = 1 << 40) -> int:
        """Go on with a sweep."""
        end = int(self.g.par[ghosts.G_NODES]) + budget
        while status == ghost_search.PAUSED or status == ghost_search.FULL_TABLE:
            done = int(self.g.par[ghosts.G_NODES])
            if status == ghost_search.FULL_TABLE:
                assert self.space.grow_ghosts()
            elif done >= end:
                return int(ghost_search.PAUSED)
            status = int(ghost_sweep.run_sweep(self.g, U(min(end, done + slice_nodes))))
        return status

    def may_be_won(self) -> bool:
        """The relaxation of the state in row 0."""
        return bool(ghost_relax.relax_ghosts(self.g, U(0)))

    def verdicts(self) -> dict[State, int]:
        """Everything the table says, with the states read back from the keys."""
        generation = int(self.g.par[ghosts.G_GENERATION])
        full = int(self.g.par[ghosts.G_FULL])
        found = {}
        for word in self.g.table.tolist():
            if word >> int(ghost_table.GENERATION_AT) != generation:
                continue
            key = word & int(ghost_table.KEY_MASK)
            moved, up = key >> 4, 0
            for suit in range(4):
                ranks = [rank for rank in range(14) if key >> (4 * rank + suit) & 1]
                up |= mask(4 * rank + suit for rank in range(ranks[0]))
                if ranks[0]:
                    moved &= ~(1 << (4 * (ranks[0] - 1) + suit))
            state = State(cards_in(moved & full), cards_in(up))
            assert state not in found
            found[state] = word >> int(ghost_table.VERDICT_AT) & 3
        assert len(found) == int(self.g.par[ghosts.G_COUNT])
        return found


def begun_deal(rng: random.Random, n_ranks: int, n_columns: int) -> Deal:
    """A tiny position with foundations begun."""
    heights = tuple(rng.choice((0, 0, 1, 2)) for _ in range(4))
    deal = random_deal(rng, n_ranks, n_columns)
    columns = tuple(tuple(c for c in col if c // 4 >= heights[c % 4]) for col in deal.columns)
    down = (rng.randrange(len(c)) if c else 0 for c in columns)
    return Deal(columns, tuple(down), foundations=heights)


def deeper(rng: random.Random, deal: Deal) -> Deal:
    """The same columns with few cards face up: more of these are lost."""
    down = (max(0, len(c) - rng.choice((1, 1, 2))) for c in deal.columns)
    return Deal(deal.columns, tuple(down), foundations=deal.foundations)


def kings_down(rng: random.Random, deal: Deal) -> Deal:
    """The same with some kings dealt on the table."""
    n_ranks = (sum(map(len, deal.columns)) + sum(deal.foundations)) // 4
    columns = []
    for column in deal.columns:
        kings = [card for card in column if card // 4 == n_ranks - 1]
        if kings and rng.random() < 0.7:
            king = rng.choice(kings)
            column = (king, *(card for card in column if card != king))
        columns.append(column)
    return Deal(tuple(columns), deal.face_down, foundations=deal.foundations)


def tiny_ghost_deals(rng: random.Random, count: int, ranks, columns, back: bool = False):
    """Tiny deals and positions, with their rules."""
    for _ in range(count):
        make = rng.choice((random_deal, random_deal, begun_deal))
        deal = make(rng, rng.choice(ranks), rng.choice(columns))
        if rng.random() < 0.5:
            deal = deeper(rng, deal)
        if back and rng.random() < 0.4:
            deal = kings_down(rng, deal)
        yield deal, rules_for(deal, worrying_back=back)


def native(number: int) -> Deal:
    """A deal of Yukon by its native number; worrying back or not, it is the same."""
    return deal_from_deck(deck_of_number("native", number, YUKON), YUKON)


def answer(result: Result) -> tuple[object, ...]:
    """All of a result but the time it took."""
    return result.verdict, result.reason, result.nodes, result.table_entries, result.moves
