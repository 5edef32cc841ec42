"""The grid of foundation heights that loose cards span, and what each member of it allows.

With hidden, base and stock cards fixed, a state is its four foundation heights (the set ``up``).
Loose cards go up when they can be bared and come back when there is room; ``explore`` collects
every set of heights that can be reached. With worrying back each such step can be taken back, so
the whole grid is one state of the search; without, it is what can be reached from its lowest
member.

**Safe rule.** A card X of rank r that can go up is sent up at once, and is never brought down, when
the two opposite-colour cards of rank r - 2 and the other same-colour card of rank r - 3 are up
(where those ranks exist); with same-suit building always.

*Proof.* Let U be X and everything below it in X's suit, the opposite colour up to rank r - 1 and
the other suit of X's colour up to rank r - 2. Only cards of U can ever land on cards of U. Those
not up at the start are each next on their foundations: X, at most two of rank r - 1, one of rank r
- 2. Take a winning line and change it so: X goes up first; no card of U ever comes down; where the
line moves another card of U that is not up, that card goes up instead (after the one lying on it,
if any, which is in U and next as well); the line's later moves of it are dropped. Every card of U
is up at the latest when it is up in the line, what is left on the tableau is a part of what the
line has there, and the same cards are turned, so every other move stays legal. Each card of U takes
one move, and at least one in the line: the new line is no longer. ∎ The stock is not touched at
other times, so the rule holds for any draw and any passes as long as X comes from the tableau.
(Taken from the stock, X changes what else can be drawn; with draw 1 and unlimited passes it does
not.)
Without worrying back it is also enough that both opposite cards of rank r - 1 are up: nothing can
land on X any more, so X's own moves can be dropped.

``explore`` brings every member to rest under this rule. From a state at rest, a shortest winning
line goes to a state nearer the win, and bringing that to rest takes it no farther away; so some
member from which the shortest line loosens a card is found.
"""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import (
    NIBBLE,
    NIBBLE_ONES,
    REDS,
    U0,
    U1,
    U2,
    U3,
    U4,
    ctz,
    popcount,
)
from yukonsolve.kernels.klondike_layout import (
    ANY_SPACES,
    BASE,
    FULL,
    HIDDEN,
    KINGS,
    MEMBERS,
    N_COLUMNS,
    RULE_SAFE,
    SAME_SUIT,
    STAMP,
    STOCK,
    SWITCHES,
    WORRYING_BACK,
    KWork,
    heights,
)

U16 = np.uint64(16)
NINE = np.uint64(9)
SIX = np.uint64(6)


@kernel
def room(free: np.uint64, visible: np.uint64, same_suit: np.uint64) -> np.uint64:
    """Return every card whose level has a bare parent (``nf < nv``)."""
    if same_suit != U0:
        return (visible >> U4) & ~free
    parents = visible >> U4
    red_any = (parents >> U1 | parents >> U2) & ~(free | free >> U3)
    red_both = (parents >> U1 & parents >> U2) & ~(free & free >> U3)
    black_any = (parents | parents >> U3) & ~(free >> U1 | free >> U2)
    black_both = (parents & parents >> U3) & ~(free >> U1 & free >> U2)
    return ((red_any | red_both) & NIBBLE_ONES) * NINE | (
        (black_any | black_both) & NIBBLE_ONES
    ) * SIX


@kernel
def bared(landing: np.uint64, visible: np.uint64, same_suit: np.uint64) -> np.uint64:
    """Return the visible cards that can be bared, given the cards with room to land."""
    if same_suit != U0:
        return visible & (landing << U4 | NIBBLE)
    over = landing << U4
    # A level with room frees all its visible parents: black children have red parents.
    return visible & ((over & NIBBLE_ONES) * SIX | ((over >> U1) & NIBBLE_ONES) * NINE | NIBBLE)


@kernel
def spaces_left(w: KWork, base: np.uint64, free: np.uint64, visible: np.uint64) -> np.uint64:
    """Return the number of columns that can be empty at once."""
    par = w.par
    columns = par[N_COLUMNS] - popcount(base)
    columns -= popcount(free & par[KINGS])
    if par[ANY_SPACES] == U0:
        return columns
    if par[SAME_SUIT] != U0:
        return columns - popcount(free & ~par[KINGS] & ~(visible >> U4))
    rest = free & ~par[KINGS]
    while rest != U0:
        card = ctz(rest)
        low = card & ~U3
        pair = SIX if (U1 << card) & REDS != U0 else NINE
        other = NINE if pair == SIX else SIX
        children = popcount(rest & (pair << low))
        above = popcount(visible & (other << (low + U4)))
        if children > above:
            columns -= children - above
        rest &= ~(pair << low)
    return columns


@kernel
def is_safe(w: KWork, card: np.uint64, up: np.uint64) -> bool:
    """Whether sending this card up next is safe."""
    if w.par[SWITCHES] & RULE_SAFE == U0:
        return False
    if w.need[card] & ~up == U0:
        return True
    return w.par[WORRYING_BACK] == U0 and w.need_no_return[card] & ~up == U0


@kernel
def next_cards(up: np.uint64) -> np.uint64:
    """Return, per suit, the card the foundation takes next (beyond a small deck too)."""
    return (up << U4 | NIBBLE) & ~up


@kernel
def rest(w: KWork, base: np.uint64, loose: np.uint64, up: np.uint64) -> np.uint64:
    """Return the cards up once every safe loose card has gone up."""
    par = w.par
    while True:
        free = loose & ~up
        ready = next_cards(up) & free
        if ready == U0:
            return up
        safe = U0
        left = ready
        while left != U0:
            card = ctz(left)
            left &= left - U1
            if is_safe(w, card, up):
                safe |= U1 << card
        if safe == U0:
            return up
        visible = free | base
        bare = bared(room(free, visible, par[SAME_SUIT]), visible, par[SAME_SUIT])
        if par[ANY_SPACES] != U0 and spaces_left(w, base, free, visible) != U0:
            bare = visible
        safe &= bare
        if safe == U0:
            return up
        up |= safe & (~safe + U1)


@kernel
def explore(w: KWork, o: np.uint64, start: np.uint64, at_rest: np.uint64) -> np.uint64:
    """Collect in ``grid`` all that can be reached from ``start``; return the canonical member.

    Notes for each member what can land and what can go up. ``at_rest``: whether to keep to
    members at rest; without, each step is one card up or down and ``came_from`` leads back.
    """
    par = w.par
    grid = w.grid
    stamps = w.stamps
    base = w.frames[o + BASE]
    stock = w.frames[o + STOCK]
    loose = par[FULL] & ~(w.frames[o + HIDDEN] | base | stock)
    kings = par[KINGS]
    same_suit = par[SAME_SUIT]
    any_spaces = par[ANY_SPACES]
    par[STAMP] += U1
    stamp = par[STAMP] << U16
    if at_rest != U0:
        start = rest(w, base, loose, start)
    grid[U0] = start
    w.came_from[U0] = U0
    packed = heights(start)
    stamps[packed] = stamp
    best = packed
    top = start
    count = U1
    i = U0
    while i < count:
        up = grid[i]
        free = loose & ~up
        visible = free | base
        landing = room(free, visible, same_suit)
        bare = bared(landing, visible, same_suit)
        if spaces_left(w, base, free, visible) != U0:
            landing |= kings
            if any_spaces != U0:
                landing = par[FULL]
                bare = visible
        ready = next_cards(up)
        w.landings[i] = landing & (base | stock)
        w.lifts[i] = ready & (base & bare | stock)
        steps = ready & loose & bare
        if par[WORRYING_BACK] != U0:
            steps |= up & ~(up >> U4) & landing
        while steps != U0:
            card = ctz(steps)
            steps &= steps - U1
            bit = U1 << card
            after = up ^ bit
            if at_rest != U0:
                if after & bit != U0:
                    after = rest(w, base, loose, after)
                elif is_safe(w, card, after):
                    continue
            packed = heights(after)
            if stamps[packed] >> U16 != par[STAMP]:
                stamps[packed] = stamp | count
                grid[count] = after
                w.came_from[count] = i
                count += U1
                if packed > best:
                    best = packed
                    top = after
        i += U1
    par[MEMBERS] = count
    return top if par[WORRYING_BACK] != U0 else start
