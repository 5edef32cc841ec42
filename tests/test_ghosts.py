"""The ghost game of Yukon: as its words say, looser than the real game, and the same every time."""

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
from yukonsolve.decks import native_decks
from yukonsolve.kernels import ghost_search, ghost_table, ghosts, layout, moves, search
from yukonsolve.rules import preset
from yukonsolve.slices import Clock
from yukonsolve.solver import Solver
from yukonsolve.strategy import Strategy, Try
from yukonsolve.verdict import Limits, Verdict
from yukonsolve.workspace import deal_arrays

U = np.uint64
YUKON = preset("yukon")


# The kernel's ghost game is the one in the docstring.


def check_the_whole_game(deal, rules, kernel, rng, most):
    """Root, every state of the game, every verdict in the table, every relaxation."""
    game = PlainGhosts(deal)
    try:
        won = game.explore(most)
    except TooManyGhostsError:
        return None
    kernel.load(deal)
    assert kernel.ask() == (ALIVE if won[game.root] else DEAD), deal
    for state, verdict in kernel.verdicts().items():
        assert verdict == (ALIVE if won[state] else DEAD), (deal, state)
    # Questions about states of one deal share the table, those given up too.
    kernel.load(deal)
    some = sorted(won, key=lambda state: tuple(map(sorted, state)))
    rng.shuffle(some)
    for budget in (1, 3, 1 << 40):
        for state in some[:150]:
            kernel.put(game, state)
            if budget == 1:
                check_each_move(game, kernel, state)
            if not kernel.may_be_won():
                assert not won[state], (deal, state)
            status = kernel.ask(budget)
            if status in (ALIVE, DEAD):
                assert status == (ALIVE if won[state] else DEAD), (deal, state, budget)
            else:
                assert budget < 1 << 40
        for state, verdict in kernel.verdicts().items():
            if verdict in (ALIVE, DEAD):
                assert verdict == (ALIVE if won[state] else DEAD), (deal, state)
    return won


def check_each_move(game, kernel, state):
    """Whether cards find room, one by one: seldom does a single one decide a game."""
    for card in set(game.deck) - state.up:
        if card not in state.moved | game.kings:
            with_it = [card, *({game.partner(card)} & state.moved)]
            leaves = bool(ghosts.may_leave(kernel.g, U(0), U(card)))
            assert leaves == game.fit(with_it, state), (game.columns, state, card)
        if game.is_bare(card, state):
            riders = [c for c in game.children[card] if c in state.moved]
            goes_up = bool(ghosts.may_go_up(kernel.g, U(0), U(card)))
            assert goes_up == game.fit(riders, state, without=card), (game.columns, state, card)


def check_many_games(seed, count, most, ranks=(3, 4), columns=(2, 3, 4)):
    rng = random.Random(seed)
    kernels = {}
    roots = []
    states = {True: 0, False: 0}
    for deal, rules in tiny_ghost_deals(rng, count, ranks, columns):
        key = rules.n_ranks, rules.n_columns
        kernel = kernels.setdefault(key, GhostKernel(rules))
        won = check_the_whole_game(deal, rules, kernel, rng, most)
        if won is not None:
            roots.append(won[PlainGhosts(deal).root])
            for verdict in won.values():
                states[verdict] += 1
    assert min(roots.count(True), roots.count(False)) > count // 20
    assert min(states.values()) > 5 * count


def test_the_kernel_plays_the_ghost_game_of_its_docstring():
    check_many_games(1, 250, 300)


@pytest.mark.slow
def test_the_kernel_plays_hundreds_of_ghost_games():
    check_many_games(2, 600, 1500)


@pytest.mark.slow
def test_the_kernel_plays_larger_ghost_games():
    check_many_games(3, 25, 10_000, ranks=(4, 5), columns=(3, 4, 5))


def row_of(g):
    """Row 0: moved, founded, bare cards on the tableau, and each one's fragment end."""
    moved, up, bare, places = g.rows[: ghosts.G_ROW_WORDS]
    tableau = cards_in(int(g.par[ghosts.G_FULL] & ~up))
    ends = {c: int(ghosts.fragment_end(g, U(c), places)) for c in tableau}
    return int(moved), int(up), cards_in(int(bare)) & tableau, ends


def walk(kernel, rng):
    """Moves at random from row 0; yields the cards whose links are not those dealt, before each.

    Kept by hand: a card has its dealt link until it moves, and again when it is back on a card
    that was dealt face up.
    """
    w = kernel.space.work
    below = w.row_bytes[int(layout.BELOW) :]
    moved: set[int] = set()
    yield moved
    for _ in range(60):
        entries = kernel.successors()
        if not entries:
            return
        entry = rng.choice(entries)
        card, to = entry & 63, entry >> 6 & 63
        moves.do_move(w, U(0), U(card), U(to))
        moved.discard(card)
        if to != int(layout.FOUNDATION):
            home = int(w.home[card])
            if home == int(layout.FOUNDATION) or int(below[card]) != home:
                moved.add(card)
        yield moved


def test_the_image_of_a_state_is_made_of_its_moved_and_founded_cards():
    rng = random.Random(4)
    back = 0
    for _ in range(150):
        make = rng.choice((random_deal, begun_deal))
        deal = make(rng, rng.choice((3, 4, 5)), rng.choice((3, 4)))
        # Without the fold and the safe cards each entry is one move.
        kernel = Kernel(rules_for(deal), switches=())
        game = PlainGhosts(deal)
        kernel.load(deal)
        w = kernel.space.work
        ghosts.load_ghosts(w.ghosts, *deal_arrays(deal))
        twin = GhostKernel(kernel.rules)
        twin.load(deal)
        ever: set[int] = set()
        for moved in walk(kernel, rng):
            founded = w.par[layout.FULL] & ~w.rows[layout.TABLEAU]
            state = State(frozenset(moved), cards_in(int(founded)))
            assert game.is_valid(state)
            ghost_search.image_of_root(w, w.ghosts)
            twin.put(game, state)
            assert row_of(w.ghosts) == row_of(twin.g), (deal, state)
            empty = int(w.par[layout.N_COLUMNS]) - int(w.rows[layout.BASES]).bit_count()
            assert int(ghosts.free_spaces(w.ghosts, *w.ghosts.rows[:2])) == empty
            back += bool(ever - state.gone)
            ever |= moved
    # Cards did come back to where they were dealt.
    assert back > 50


# Its losses are losses of the real game.


REFUTE = Try(10**7, 0, ghosts_only=True)
GUARDED = [
    Strategy(10**7, (REFUTE,), (Try(10**7, 0, guard=1),)),
    Strategy(10**7, (REFUTE,), (Try(10**7, 500, guard=5000),)),
    Strategy(10**7, (), (Try(10**7, 500, guard=1),)),
    Strategy(10**7, (), (Try(10**7, 3000, guard=3),)),
    Strategy(10**7, (), (Try(10**7, 0, guard=5000),)),
    Strategy(10**7, (replace(REFUTE, nodes=3),), (Try(10**7, 500, guard=40),)),
]


def check_guarded_searches(seed, count, max_states, ranks=(3, 4)):
    rng = random.Random(seed)
    kernels = {}
    solvers = {}
    won_deals = lost_deals = caught = 0
    for deal, rules in tiny_ghost_deals(rng, count, ranks, columns=(3, 4)):
        try:
            won = rulebook.solve_small(deal, rules, max_states)
        except rulebook.TooManyStatesError:
            continue
        key = rules.n_ranks, rules.n_columns
        kernel = kernels.setdefault(key, GhostKernel(rules))
        kernel.load(deal)
        dead = kernel.ask() == DEAD
        assert not (won and dead), deal
        won_deals += won
        lost_deals += not won
        caught += dead
        for i, strategy in enumerate(GUARDED):
            if (i, key) not in solvers:
                solvers[i, key] = Solver(rules, strategy=strategy)
            solver = solvers[i, key]
            solver.rules = rules
            expected = Verdict.SOLVABLE if won else Verdict.UNSOLVABLE
            assert solver.solve(deal).verdict is expected, (deal, strategy)
    assert won_deals > count // 10
    assert lost_deals > count // 10
    # Teeth: the game refutes nearly everything that is lost.
    assert caught > 0.8 * lost_deals


def test_no_winnable_tiny_deal_is_lost_as_ghosts():
    check_guarded_searches(5, 200, 600)


@pytest.mark.slow
def test_no_winnable_tiny_deal_of_many_is_lost_as_ghosts():
    check_guarded_searches(6, 1200, 1500)


@pytest.mark.slow
def test_no_winnable_larger_deal_is_lost_as_ghosts():
    check_guarded_searches(7, 40, 6000, ranks=(4, 5))


def winning_line(space, deal, noise, number):
    """A line found without ghosts: pairs of a card and where it goes."""
    arrays = deal_arrays(deal)
    space.reset()
    w = space.work
    par = w.par
    par[layout.NODES] = 0
    par[layout.NOISE] = noise
    par[layout.RANDOM] = 2 * number + 1
    search.prepare(w, *arrays)
    status = search.start(w, U(0))
    if status == search.PAUSED:
        status = search.run(w, U(2000), U(0))
    if status != search.WON:
        return None
    layout.load(w, *arrays)
    line = w.out[: int(search.unroll(w))].tolist()
    return [(move & 63, move >> 6 & 63) for move in line]


def check_lines(numbers, noises, seed):
    """Put every state of winning lines to the ghosts; return how many."""
    space = workspace.Workspace(YUKON, 1 << 30)
    for i, weight in enumerate((60, 40, 50, 4)):
        space.work.par[int(layout.WEIGHTS) + i] = weight
    rng = random.Random(seed)
    states = unknown = 0
    for number in numbers:
        deal = native(number)
        arrays = deal_arrays(deal)
        for noise in noises:
            line = winning_line(space, deal, noise, number)
            if line is None:
                continue
            # Once sharing what is known along the line, as a search does, and once afresh.
            for shared in (True, False):
                w = space.work
                layout.load(w, *arrays)
                ghosts.load_ghosts(w.ghosts, *arrays)
                for card, to in line:
                    if not shared:
                        ghosts.load_ghosts(w.ghosts, *arrays)
                    w.ghosts.par[ghosts.G_QUERY] = rng.choice((1, 20, 300, 600))
                    if ghost_search.is_full(w.ghosts):
                        assert space.grow_ghosts()
                        w = space.work
                    assert not ghost_search.lost_as_ghost(w, w.ghosts, U(0)), (number, noise, card)
                    assert ghost_search.known(w, w.ghosts, U(0)) != DEAD
                    unknown += ghost_search.known(w, w.ghosts, U(0)) != ALIVE
                    moves.do_move(w, U(0), U(card), U(to))
                    states += 1
                assert int(w.rows[layout.TABLEAU]) == 0
    # Answers as well as budgets that ran out, also while they were sought.
    assert states // 200 < unknown < states
    return states


def test_no_state_on_a_winning_line_is_lost_as_ghosts():
    assert check_lines(range(12), (0, 3000), 8) > 1000


@pytest.mark.slow
def test_no_state_on_many_winning_lines_is_lost_as_ghosts():
    assert check_lines(range(1000, 1700), (0, 1000, 5000, 50_000), 9) > 400_000


# The same deal, the same answer.


NUMBERS = (121, 1, 27, 357, 43, 184)
"""Lost, won, and left undecided by the ghosts; none is settled by a small table of them."""
ASKED = Strategy(
    12_000, (Try(3000, 0, ghosts_only=True),), (Try(300, 200, guard=60), Try(3000, 0, guard=400))
)
REFUTED = Strategy(25_000, (Try(25_000, 0, ghosts_only=True),), (Try(1, 0),))


def answers_of(numbers, strategy):
    """Each deal by itself, in a workspace of its own."""
    return {n: answer(Solver(YUKON, strategy=strategy).solve(native(n))) for n in numbers}


def test_what_came_before_changes_nothing():
    alone = answers_of(NUMBERS, ASKED)
    assert len({verdict for verdict, *_ in alone.values()}) == 3
    solver = Solver(YUKON, strategy=ASKED)
    for number in (*NUMBERS, *reversed(NUMBERS)):
        assert answer(solver.solve(native(number))) == alone[number], number


def test_a_quick_win_after_a_long_refutation_counts_its_own_entries():
    quick, long = 4, 184
    alone = answers_of([quick], None)[quick]
    solver = Solver(YUKON)
    assert solver.solve(native(long)).verdict is Verdict.UNSOLVABLE
    assert answer(solver.solve(native(quick))) == alone


@pytest.mark.parametrize("first", [REFUTED.first[0], Try(300, 0, guard=60)])
def test_a_survey_begins_with_the_first_try_too(first):
    solver = Solver(YUKON, strategy=Strategy(12_000, (first,), (Try(300, 200),)))
    pieces = list(solver.survey(native_decks(119, 4)))
    results = [piece.result(i) for piece in pieces for i in range(len(piece))]
    assert list(map(answer, results)) == [answer(solver.solve(native(n))) for n in range(119, 123)]


@pytest.mark.parametrize("size", [1, 7, 1000, 10**9])
def test_slices_change_nothing(monkeypatch, size):
    whole = answers_of(NUMBERS, ASKED)
    fixed = property(lambda clock: size, lambda clock, value: None)
    monkeypatch.setattr(Clock, "slice_nodes", fixed, raising=False)
    assert answers_of(NUMBERS, ASKED) == whole


def test_a_table_that_grows_changes_no_refutation(monkeypatch):
    roomy = answers_of(NUMBERS, REFUTED)
    guarded = answers_of(NUMBERS, ASKED)
    monkeypatch.setattr(workspace, "FIRST_GHOST_ENTRIES", 256)
    assert answers_of(NUMBERS, REFUTED) == roomy
    small = answers_of(NUMBERS, ASKED)
    solver = Solver(YUKON, strategy=ASKED)
    for number in (*NUMBERS, *reversed(NUMBERS)):
        # A question breaks off where the table is full: other nodes, but always the same.
        assert answer(solver.solve(native(number))) == small[number], number
        assert {small[number][0], guarded[number][0]} != {Verdict.SOLVABLE, Verdict.UNSOLVABLE}


def test_a_larger_table_holds_the_same_verdicts():
    kernel = GhostKernel(YUKON)
    seen = set()
    for number, budget in ((1, 100), (1, 1 << 40), (121, 1 << 40)):
        kernel.load(native(number))
        kernel.ask(budget)
        before = kernel.verdicts()
        seen |= set(before.values())
        assert kernel.space.grow_ghosts()
        assert kernel.verdicts() == before
    assert seen == {DEAD, ALIVE, int(ghost_table.OPEN)}


def test_generations_of_the_table_wrap():
    kernel = GhostKernel(YUKON)
    found = {}
    for i in range(200):
        number = (121, 1, 3)[i % 3]
        kernel.load(native(number))
        before = int(kernel.g.par[ghosts.G_NODES])
        # Now and then a search that is left unfinished.
        status = kernel.ask(1 << 40 if i % 7 else 100)
        if i % 7:
            spent = int(kernel.g.par[ghosts.G_NODES]) - before
            assert found.setdefault(number, (status, spent)) == (status, spent), i
    assert [found[n][0] for n in (121, 1, 3)] == [DEAD, ALIVE, ALIVE]


def test_a_switch_turns_the_ghosts_off():
    others = [name for name in workspace.RULE_BITS if name != "ghosts"]
    limits = Limits(max_nodes=10_000)
    on = Solver(YUKON, limits, ASKED).solve(native(184))
    off = Solver(YUKON, limits, ASKED, others).solve(native(184))
    assert on.verdict is Verdict.UNSOLVABLE
    assert off.verdict is Verdict.UNDECIDED


def test_a_stopped_refutation_answers_nothing():
    solver = Solver(YUKON, strategy=ASKED)
    calls = iter(range(10**6))
    stopped = solver.solve(native(121), lambda: next(calls) > 0)
    assert stopped.verdict is Verdict.UNDECIDED
    assert answer(solver.solve(native(121))) == answers_of([121], ASKED)[121]


@pytest.mark.parametrize("limit", [301, 1000, 5000])
def test_questions_keep_to_the_node_limit(limit):
    asking = Strategy(limit, (), (Try(10**6, 200, guard=10**6),))
    result = Solver(YUKON, strategy=asking).solve(native(488))
    assert (result.verdict, result.nodes) == (Verdict.UNDECIDED, limit)


def test_a_strategy_must_search_the_deal_itself():
    with pytest.raises(ValueError, match="search of the deal"):
        Strategy(100, (), (REFUTE,))
