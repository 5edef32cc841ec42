"""The ghost game with worrying back: as its words say, looser than the real game, from the root."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from ghost_tools import (
    ALIVE,
    DEAD,
    GhostKernel,
    PlainGhosts,
    State,
    TooManyGhostsError,
    answer,
    begun_deal,
    cards_in,
    native,
    tiny_ghost_deals,
)
from kernel_tools import Kernel, random_deal, rules_for

from yukonsolve import rulebook, workspace
from yukonsolve.deal import Deal
from yukonsolve.kernels import ghost_search, ghost_sweep, ghost_table, ghosts, layout, moves
from yukonsolve.position import parse_move, start, to_deal
from yukonsolve.refuter import Refuter
from yukonsolve.rules import preset
from yukonsolve.slices import Clock
from yukonsolve.solver import Solver
from yukonsolve.strategy import Strategy, Try
from yukonsolve.verdict import Limits, Reason, Verdict
from yukonsolve.workspace import deal_arrays

U = np.uint64
PAUSED = int(ghost_search.PAUSED)
BACK = preset("yukon", worrying_back=True)
STRICT = preset("yukon")


NEED_WORRYING_BACK = [
    Deal(((11, 3, 7, 4, 8, 9, 10), ()), (6, 0), foundations=(1, 2, 2, 0)),
    Deal(((11, 3, 7, 4, 9, 10), (8, 6)), (4, 1), foundations=(1, 2, 1, 0)),
    Deal(((5, 11, 1, 10, 8, 0), (7, 4, 3, 9)), (5, 2), foundations=(0, 0, 2, 0)),
    Deal(((9, 6, 11, 5, 0, 4, 1, 8), (10,)), (6, 0), foundations=(0, 0, 1, 2)),
]
"""Lost without worrying back, in the real game and in the ghost game, and won with it."""

NOT_SAFE_YET = [
    Deal(((11, 9, 10, 3, 7, 8, 6),), (0,), foundations=(2, 2, 1, 0)),
    Deal(((12, 2, 8, 10, 11, 14, 9), (13, 15, 6)), (1, 2), foundations=(2, 2, 0, 2)),
    Deal(((13, 11, 4, 8, 14), (15, 10, 0, 12, 9)), (0, 0), foundations=(0, 2, 2, 2)),
    Deal(((11, 8, 10, 2, 6), (9,), ()), (3, 0, 0), foundations=(2, 2, 0, 2)),
]
"""Won as ghosts (the last two in the real game as well), but not if a card goes up at once on which
nothing on the tableau could be built: what stands on it must come down, and hold another."""
HOST_COMES_BACK = [
    Deal(((6, 3, 5), (9, 11, 7, 1, 8, 10, 4, 2, 0)), (1, 2)),
    Deal(((8, 4, 1, 9, 2, 6, 10, 7, 3), (0, 11, 5)), (0, 2)),
    Deal(((15, 12, 10, 4, 1, 5, 0), (14, 6, 11, 9, 13, 8)), (4, 0), foundations=(0, 0, 1, 2)),
]
"""Won as ghosts, but not by a relaxation in which a card cannot land on one dealt above it that has
only been up and come down."""


class Kernels(dict):
    """A ghost kernel for each deck size and number of columns."""

    def of(self, rules) -> GhostKernel:
        key = rules.n_ranks, rules.n_columns
        if key not in self:
            self[key] = GhostKernel(rules)
        return self[key]


# The sweep plays the ghost game of the docstring.


def whole_row(g):
    """Row 0: moved, founded and bare cards, and where the fragment of each card ends."""
    moved, up, bare, places = map(int, g.rows[: ghosts.G_ROW_WORDS])
    deck = cards_in(int(g.par[ghosts.G_FULL]))
    return moved, up, bare, {c: int(ghosts.fragment_end(g, U(c), U(places))) for c in deck}


def check_a_state(game, kernel, state):
    """The row made from a key, and which cards find room, one by one."""
    g = kernel.g
    kernel.put(game, state)
    key = U(ghost_table.ghost_key(g, U(0)))
    ghost_sweep.row_of_key(g, key)
    assert ghost_table.ghost_key(g, U(0)) == key
    moved, up, bare, ends = whole_row(g)
    assert (cards_in(moved), cards_in(up)) == state
    assert cards_in(bare) == {c for c in game.deck if game.is_bare(c, state)} | state.up
    for card, end in ends.items():
        # A founded card that comes down is a fragment by itself.
        assert end == (card if card in state.up else game.fragment_end(card, state)), (state, card)
    assert int(ghosts.free_spaces(g, U(moved), U(up))) == game.spaces(state)
    returned = {card for after in game.returns(state) for card in state.up - after.up}
    for card in state.up - game.kings:
        if card + 4 not in state.up:
            leaves = bool(ghosts.may_leave(g, U(0), U(card)))
            assert leaves == (card in returned), (game.columns, state, card)


def check_sweeps(deal, kernel, rng, most, others):
    """The sweep of the root, in one piece and in slices, and of other states of the game."""
    game = PlainGhosts(deal, back=True)
    try:
        won = game.explore(most)
    except TooManyGhostsError:
        return None
    expected = {True: ALIVE, False: DEAD}
    spent = set()
    for size in (1 << 40, 1, 5):
        kernel.load(deal)
        assert kernel.sweep(slice_nodes=size) == expected[won[game.root]], deal
        verdicts = kernel.verdicts()
        spent.add((int(kernel.g.par[ghosts.G_NODES]), frozenset(verdicts.items())))
        for state, verdict in verdicts.items():
            assert not (won[state] and verdict == DEAD), (deal, state)
    assert len(spent) == 1
    some = sorted(won, key=lambda state: tuple(map(sorted, state)))
    for state in rng.sample(some, min(others, len(some))):
        check_a_state(game, kernel, state)
        kernel.put(game, state)
        if not kernel.may_be_won():
            assert not won[state], (deal, state)
        kernel.load(deal)
        kernel.put(game, state)
        assert kernel.sweep() == expected[won[state]], (deal, state)
    return won


def check_many_sweeps(seed, count, most, ranks=(2, 3, 3, 4), columns=(2, 3, 4), others=20):
    """Return how many deals are won with worrying back only."""
    rng = random.Random(seed)
    kernels = Kernels()
    roots = []
    needed = 0
    for deal, rules in tiny_ghost_deals(rng, count, ranks, columns, back=True):
        won = check_sweeps(deal, kernels.of(rules), rng, most, others)
        if won is None:
            continue
        game = PlainGhosts(deal)
        roots.append(won[game.root])
        # Whatever is lost with worrying back is lost without.
        stricter = game.explore(most)
        assert all(won[state] for state in stricter if stricter[state]), deal
        needed += won[game.root] and not stricter[game.root]
    assert min(roots.count(True), roots.count(False)) > count // 20
    return needed


def test_the_sweep_plays_the_ghost_game_of_its_docstring():
    check_many_sweeps(1, 300, 300)


def test_the_sweep_wins_what_needs_worrying_back():
    kernels = Kernels()
    for deal in NEED_WORRYING_BACK:
        kernel = kernels.of(rules_for(deal, worrying_back=True))
        won = check_sweeps(deal, kernel, random.Random(1), 300, 300)
        game = PlainGhosts(deal)
        assert won[game.root]
        assert not game.explore(300)[game.root]


@pytest.mark.parametrize("deal", [*NOT_SAFE_YET, *HOST_COMES_BACK])
def test_the_sweep_wins_what_spoiled_rules_lose(deal):
    won = check_sweeps(
        deal, GhostKernel(rules_for(deal, worrying_back=True)), random.Random(1), 500, 500
    )
    assert won[PlainGhosts(deal).root]
    if deal in NOT_SAFE_YET[2:]:
        rules = rules_for(deal, worrying_back=True)
        assert rulebook.solve_small(deal, rules)
        for strategy in (None, *TRIES):
            assert Solver(rules, strategy=strategy).solve(deal).verdict is Verdict.SOLVABLE


@pytest.mark.slow
def test_the_sweep_plays_hundreds_of_ghost_games():
    assert check_many_sweeps(2, 800, 1500, others=40) > 4


@pytest.mark.slow
def test_the_sweep_plays_larger_ghost_games():
    check_many_sweeps(3, 30, 8000, ranks=(4, 5), columns=(3, 4), others=100)


def test_the_image_of_a_state_follows_worrying_back():
    """Moved cards are those whose links are not dealt ones, founded-at-first ones included."""
    rng = random.Random(4)
    returned = 0
    for _ in range(150):
        make = rng.choice((random_deal, begun_deal))
        deal = make(rng, rng.choice((2, 3, 4)), rng.choice((3, 4)))
        kernel = Kernel(rules_for(deal, worrying_back=True), switches=())
        kernel.load(deal)
        w = kernel.space.work
        ghosts.load_ghosts(w.ghosts, *deal_arrays(deal))
        below = w.row_bytes[int(layout.BELOW) :]
        game = PlainGhosts(deal, back=True)
        moved: set[int] = set()
        for _ in range(60):
            founded = cards_in(int(w.par[layout.FULL] & ~w.rows[layout.TABLEAU]))
            state = State(frozenset(moved), founded)
            assert game.is_valid(state)
            ghost_search.image_of_root(w, w.ghosts)
            image = whole_row(w.ghosts)
            assert (cards_in(image[0]), cards_in(image[1])) == state, deal
            ghost_sweep.row_of_key(w.ghosts, U(ghost_table.ghost_key(w.ghosts, U(0))))
            assert whole_row(w.ghosts) == image, (deal, state)
            entries = kernel.successors()
            if not entries:
                break
            down = [entry for entry in entries if entry & 63 in founded]
            entry = rng.choice(down or entries)
            card, to = entry & 63, entry >> 6 & 63
            returned += card in founded
            moves.do_move(w, U(0), U(card), U(to))
            moved.discard(card)
            if to != int(layout.FOUNDATION) and int(below[card]) != int(w.home[card]):
                moved.add(card)
    assert returned > 100


# Its losses are losses of the real game.


STRICTLY = Try(10**7, 0, strict=True)
SWEEP = Try(10**7, 0, ghosts_only=True)
TRIES = [
    Strategy(10**7, (SWEEP,), (Try(10**7, 0),)),
    Strategy(10**7, (STRICTLY, SWEEP), (Try(10**7, 300),)),
    Strategy(10**7, (replace(SWEEP, nodes=2), replace(STRICTLY, nodes=5)), (SWEEP, Try(40, 900))),
]
"""Each goes on to the end: with ghosts first, with a strict try, with many resumed sweeps."""


def check_brute_force(seed, count, max_states, ranks=(2, 2, 3, 3, 4)):
    rng = random.Random(seed)
    kernels = Kernels()
    solvers = {}
    decided = {True: 0, False: 0}
    caught = 0
    for deal, rules in tiny_ghost_deals(rng, count, ranks, (2, 3, 4), back=True):
        try:
            won = rulebook.solve_small(deal, rules, max_states)
        except rulebook.TooManyStatesError:
            continue
        kernel = kernels.of(rules)
        kernel.load(deal)
        dead = kernel.sweep() == DEAD
        assert not (won and dead), deal
        decided[won] += 1
        caught += dead
        key = rules.n_ranks, rules.n_columns
        for i, strategy in enumerate(TRIES):
            solver = solvers.setdefault((i, key), Solver(rules, strategy=strategy))
            expected = Verdict.SOLVABLE if won else Verdict.UNSOLVABLE
            assert solver.solve(deal).verdict is expected, (deal, strategy)
    assert min(decided.values()) > count // 10
    # Teeth: the sweep refutes nearly everything that is lost.
    assert caught > 0.8 * decided[False]


def test_no_winnable_tiny_deal_is_lost_to_the_sweep():
    check_brute_force(5, 300, 600)


@pytest.mark.slow
def test_no_winnable_tiny_deal_of_many_is_lost_to_the_sweep():
    check_brute_force(6, 500, 1500)


def check_positions(kernel, rules, deal, line, budget):
    """Load every position of a won line; return how many there are and how many were swept."""
    position = start(deal, rules)
    settled = returned = 0
    for token in (*line, None):
        kernel.load(to_deal(position))
        status = kernel.sweep(budget)
        assert status != DEAD, (deal, token)
        settled += status == ALIVE
        if token is not None:
            before = sum(position.foundations)
            position = rulebook.apply(position, parse_move(token), rules)
            returned += sum(position.foundations) < before
    return len(line) + 1, settled, returned


def check_tiny_lines(seed, count, max_states):
    """Shortest lines of deals that are won with worrying back only."""
    rng = random.Random(seed)
    kernels = Kernels()
    returned = states = 0
    for deal, rules in tiny_ghost_deals(rng, count, (3, 4, 4), (2, 3), back=True):
        kernel = kernels.of(rules)
        try:
            line = rulebook.find_line(deal, rules, max_states)
            if line is None or rulebook.solve_small(
                deal, replace(rules, worrying_back=False), max_states
            ):
                continue
        except rulebook.TooManyStatesError:
            continue
        some, settled, back = check_positions(kernel, rules, deal, line, 1 << 40)
        assert settled == some
        assert back > 0
        states += some
        returned += back
    return states


def test_no_state_on_a_line_that_needs_worrying_back_is_lost_to_the_sweep():
    assert check_tiny_lines(7, 600, 600) > 20


@pytest.mark.slow
def test_no_state_on_many_lines_that_need_worrying_back_is_lost_to_the_sweep():
    assert check_tiny_lines(8, 1000, 1500) > 70


def check_lines(numbers, noises, budget):
    """Put every state of winning lines of whole decks to the sweep."""
    kernel = GhostKernel(BACK)
    states = settled = returned = 0
    for noise in noises:
        strategy = Strategy(2000, (), (Try(2000, noise),))
        solver = Solver(BACK, strategy=strategy, switches=())
        for number in numbers:
            deal = native(number)
            line = solver.solve(deal).moves
            if line is not None:
                counts = check_positions(kernel, BACK, deal, line, budget)
                states += counts[0]
                settled += counts[1]
                returned += counts[2]
    # Answers as well as budgets that ran out.
    assert states // 50 < settled < states, (states, settled)
    return states, returned


def test_no_state_on_a_winning_line_is_lost_to_the_sweep():
    states, returned = check_lines(range(20), (0, 3000), 100)
    assert states > 1000
    assert returned > 20


@pytest.mark.slow
def test_no_state_on_many_winning_lines_is_lost_to_the_sweep():
    states, returned = check_lines(range(1000, 1500), (0, 3000, 50_000), 300)
    assert states > 40_000
    assert returned > 1000


def check_relation(numbers, budget):
    """What the sweep refutes the stricter ghost game refutes."""
    loose, strict = GhostKernel(BACK), GhostKernel(STRICT)
    lost = 0
    for number in numbers:
        loose.load(native(number))
        if loose.sweep(budget) == DEAD:
            lost += 1
            strict.load(native(number))
            assert strict.ask() == DEAD, number
    return lost


def test_what_is_lost_with_worrying_back_is_lost_without():
    assert check_relation(range(1, 60), 30_000) > 0


@pytest.mark.slow
def test_what_is_lost_with_worrying_back_is_lost_without_for_many_deals():
    assert check_relation(range(1, 401), 100_000) > 10


# Tries, limits, and the same answer every time.


NUMBERS = (121, 1, 27, 357, 8, 152)
"""Lost, won, and left undecided within the tries below."""
ASKED = Strategy(
    30_000,
    (
        Try(100, 0),
        Try(300, 0, strict=True),
        Try(50, 0, ghosts_only=True),
        Try(300, 2000),
        Try(2000, 0, ghosts_only=True),
    ),
    (Try(300, 2000), Try(4000, 0, ghosts_only=True)),
)
"""A sweep is taken up again and again, with other tries in between."""
SWEPT = Strategy(40_000, (Try(40_000, 0, ghosts_only=True),), (Try(1, 0),))


def answers_of(numbers, strategy=ASKED):
    """Each deal by itself, in a workspace of its own."""
    return {n: answer(Solver(BACK, strategy=strategy).solve(native(n))) for n in numbers}


def test_what_came_before_changes_nothing():
    alone = answers_of(NUMBERS)
    assert len({verdict for verdict, *_ in alone.values()}) == 3
    solver = Solver(BACK, strategy=ASKED)
    solver.warm_up()
    for number in (*NUMBERS, *reversed(NUMBERS)):
        assert answer(solver.solve(native(number))) == alone[number], number


@pytest.mark.parametrize("size", [1, 7, 1000, 10**9])
def test_slices_change_nothing(monkeypatch, size):
    whole = answers_of(NUMBERS)
    fixed = property(lambda clock: size, lambda clock, value: None)
    monkeypatch.setattr(Clock, "slice_nodes", fixed, raising=False)
    assert answers_of(NUMBERS) == whole


def test_a_sweep_taken_up_again_is_the_same_sweep():
    piece, other = Try(30, 0, ghosts_only=True), Try(1, 0)
    swept = 0
    for number in NUMBERS:
        whole = Solver(BACK, strategy=SWEPT).solve(native(number))
        if whole.verdict is Verdict.UNSOLVABLE:
            rounds = max(0, whole.nodes - 1) // 30
            for between, spent in ((), 0), ((other,), rounds):
                strategy = Strategy(40_000, (piece, *between) * (rounds + 1), (other,))
                pieces = Solver(BACK, strategy=strategy).solve(native(number))
                assert pieces.verdict is whole.verdict
                assert pieces.nodes == whole.nodes + spent
            swept += rounds
    assert swept > 30


def test_a_list_that_grows_changes_no_sweep(monkeypatch):
    roomy = answers_of(NUMBERS, SWEPT)
    assert max(entries for _, _, _, entries, _ in roomy.values()) > 1000
    guarded = answers_of(NUMBERS)
    monkeypatch.setattr(workspace, "FIRST_GHOST_ENTRIES", 256)
    assert answers_of(NUMBERS, SWEPT) == roomy
    assert answers_of(NUMBERS) == guarded


def test_a_long_list_is_kept_when_it_grows():
    kernel = GhostKernel(BACK)
    kernel.load(native(152))
    status = kernel.sweep(3000)
    assert status == PAUSED
    g = kernel.g
    end = int(g.par[ghosts.G_LEVEL])
    listed, verdicts = g.entries[:end].tolist(), kernel.verdicts()
    assert end > 20
    assert kernel.space.grow_ghosts()
    assert kernel.g.entries.size == kernel.g.table.size == 2 * g.table.size
    assert kernel.g.entries[:end].tolist() == listed
    assert kernel.verdicts() == verdicts
    assert kernel.sweep_on(status, 1 << 40) == DEAD


def test_the_list_and_the_table_stay_below_the_cap():
    space = workspace.Workspace(BACK, 3 << 20)
    while space.grow_ghosts():
        assert space.bytes_used <= space.max_bytes
        assert space.work.ghosts.entries.size == space.work.ghosts.table.size
    limits = Limits(max_memory_bytes=1 << 20)
    result = Solver(BACK, limits, SWEPT).solve(native(152))
    assert (result.verdict, result.reason) == (Verdict.UNDECIDED, Reason.MEMORY)


def test_a_sweep_whose_list_made_room_for_the_search_begins_anew(monkeypatch):
    monkeypatch.setattr(workspace, "FIRST_TABLE_ENTRIES", 1 << 12)
    monkeypatch.setattr(workspace, "FIRST_GHOST_ENTRIES", 1 << 8)
    stopped = []
    make_room = Refuter.make_room

    def watched(refuter):
        stopped.append(refuter._status)
        return make_room(refuter)

    monkeypatch.setattr(Refuter, "make_room", watched)
    whole = Solver(BACK, strategy=SWEPT).solve(native(705))
    assert whole.verdict is Verdict.UNSOLVABLE
    # Room for the list; for a larger table only without it; then for the list once more.
    limits = Limits(max_memory_bytes=workspace.Workspace(BACK, 1 << 30).bytes_used + (160 << 10))
    piece, search, sweep = Try(whole.nodes - 10, 0, ghosts_only=True), Try(3000, 0), SWEPT.first[0]
    strategy = Strategy(40_000, (piece, search, sweep), (Try(1, 0),))
    result = Solver(BACK, limits, strategy).solve(native(705))
    assert stopped == [PAUSED]
    assert result.verdict is Verdict.UNSOLVABLE
    assert result.nodes == piece.nodes + search.nodes + whole.nodes


def test_generations_of_the_table_wrap():
    kernel = GhostKernel(BACK)
    found = {}
    for i in range(200):
        number = (121, 1, 8)[i % 3]
        kernel.load(native(number))
        status = kernel.sweep(10_000 if i % 7 else 50)
        if i % 7:
            spent = int(kernel.g.par[ghosts.G_NODES])
            assert found.setdefault(number, (status, spent)) == (status, spent), i
    assert [found[n][0] for n in (121, 8)] == [DEAD, DEAD]


def test_a_win_without_worrying_back_is_a_win():
    strategy = Strategy(20_000, (Try(20_000, 0, strict=True),), (Try(1, 0),))
    solver = Solver(BACK, strategy=strategy)
    wins = others = 0
    for number in range(1, 25):
        result = solver.solve(native(number))
        alone = Solver(STRICT, Limits(max_nodes=20_000)).solve(native(number))
        if alone.verdict is Verdict.SOLVABLE:
            assert answer(result) == answer(alone)
            final = rulebook.replay(native(number), STRICT, result.moves)
            assert rulebook.is_won(final, STRICT)
            wins += 1
        else:
            assert result.verdict is not Verdict.SOLVABLE
            others += 1
    assert min(wins, others) > 1


def test_a_loss_without_worrying_back_says_nothing():
    """Here it takes worrying back to win."""
    first = Strategy(10**7, (Try(10**7, 0, strict=True),), (Try(10**7, 0),))
    for deal in NEED_WORRYING_BACK:
        strict = Solver(rules_for(deal)).solve(deal)
        assert strict.verdict is Verdict.UNSOLVABLE
        for strategy in (None, first):
            result = Solver(rules_for(deal, worrying_back=True), strategy=strategy).solve(deal)
            assert result.verdict is Verdict.SOLVABLE
            if strategy is first:
                assert result.nodes > strict.nodes


@pytest.mark.parametrize("number", [27, 152, 121])
def test_node_limits_are_kept(number):
    """As without worrying back: a question asked of the ghosts may still be answered."""
    question = max(attempt.guard for attempt in Solver(STRICT)._engine.strategy.first)
    most = []
    for limit in (1, 249, 1000, 1001, 1003, 1400, 5000, 22_000):
        result = Solver(BACK, Limits(max_nodes=limit)).solve(native(number))
        assert result.nodes <= limit + question
        if result.verdict is Verdict.UNDECIDED:
            assert result.reason is Reason.NODES
            assert result.nodes >= limit
        most.append(result.nodes)
    assert most == sorted(most)


@pytest.mark.parametrize("attempt", [Try(10**7, 0, strict=True), Try(10**7, 0, ghosts_only=True)])
def test_a_stopped_try_answers_nothing(attempt):
    strategy = Strategy(10**7, (attempt,), (Try(1, 0),))
    solver = Solver(BACK, strategy=strategy)
    for calls in (1, 2, 3):
        left = iter(range(calls))
        stopped = solver.solve(native(152), lambda left=left: next(left, None) is None)
        assert (stopped.verdict, stopped.reason) == (Verdict.UNDECIDED, Reason.INTERRUPTED)
    late = Solver(BACK, Limits(timeout_s=1e-9), strategy).solve(native(152))
    assert (late.verdict, late.reason) == (Verdict.UNDECIDED, Reason.TIME)
    assert late.seconds < 1
    # What was left behind does not show.
    assert answer(solver.solve(native(121))) == answers_of([121], strategy)[121]
