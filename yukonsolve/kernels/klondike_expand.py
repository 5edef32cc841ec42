"""Moves of a grid: which cards can be loosened at which of its members.

**One result a grid.** If a card can land (or go up) at two members that differ by one card up or
down, both results lie in the same grid of the state after it, or without worrying back the lower
one leads to the higher; one of them will do. With kings only to spaces this holds because a step
is legal exactly when both ends of it are (``nf <= nv`` on every level, no more free kings than
columns); with any card to spaces it is used only where a spare column is left in any case. A card
that can both land and go up needs only to land: it can go up from there (with any card to spaces
again only where a spare column is left).

**Forced** (rule ``safe``). If at some member a base card can go up safely, that is the only move
(proof in ``klondike_grid.py``); with draw 1 and unlimited passes a stock card as well. Without
worrying back only the lowest member counts: the steps to another one cannot be taken back.

**Last card** (rule ``last``). Draw 2 or more, unlimited passes, waste stored as empty: the last
card of the stock, if it can go up safely, goes up. *Proof.* Without it every other card stays
within reach whenever it was: those are found by counting from the front, and the new last
card is reached in addition. When the line takes the last card, which leaves the whole stock in the
waste, the changed line draws to the end instead.

**Space** (rule ``space``, kings only to spaces). A base card y with nothing under it may land only
when no column is empty and a king moves into its column in the same step; going up is free.
*Proof.* While y lies on a parent instead of at its place, all it changes is that its column is
empty and one parent is taken. Take a winning line that lands y. If its column is never needed,
leave the landing out: when y goes up, it goes up from its place. Else put the landing off until
just before the king that needs the column: y covers nothing before, every move stays legal, and the
landing itself too, since the line had y on a parent then. That king comes from a column or the
stock, or down from its foundation; for the last case the rule is off while a king of the grid is
up.
"""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1, U2, U4, ctz
from yukonsolve.kernels.klondike_grid import is_safe, next_cards, spaces_left
from yukonsolve.kernels.klondike_layout import (
    ANY_SPACES,
    BASE,
    DRAW,
    FULL,
    HIDDEN,
    KINGS,
    LAST_PASS,
    LEFT,
    MEMBERS,
    NO_CARD,
    RULE_LAST,
    RULE_SAFE,
    RULE_SPACE,
    STAMP,
    STOCK,
    SWITCHES,
    UNLIMITED_PASSES,
    WASTE,
    WORRYING_BACK,
    KWork,
    heights,
)
from yukonsolve.kernels.klondike_stock import UNREACHABLE, take

CARD_BITS = np.uint64(63)
KING_SHIFT = np.uint64(6)
WASTE_AT = np.uint64(13)
PASS_AT = np.uint64(19)
LIFTED = np.uint64(1 << 12)
U16 = np.uint64(16)
INDEX = np.uint64(0xFFFF)


@kernel
def spare_columns(w: KWork, o: np.uint64, up: np.uint64) -> np.uint64:
    """Return how many columns can be empty at this member."""
    base = w.frames[o + BASE]
    free = w.par[FULL] & ~(w.frames[o + HIDDEN] | base | w.frames[o + STOCK] | up)
    return spaces_left(w, base, free, free | base)


@kernel
def emit(
    w: KWork,
    o: np.uint64,
    end: np.uint64,
    cards: np.uint64,
    king: np.uint64,
    up: np.uint64,
    lift: bool,
) -> np.uint64:
    """Write a move for each card of a set: landing, or going up."""
    stock = w.frames[o + STOCK]
    while cards != U0:
        card = ctz(cards)
        bit = U1 << card
        cards ^= bit
        move = card | king << KING_SHIFT
        taken = U0
        if stock & bit != U0:
            taken = take(w, o, card)
        elif king != NO_CARD and stock & (U1 << king) != U0:
            taken = take(w, o, king)
        move |= taken << WASTE_AT
        if lift:
            move |= LIFTED
        w.entries[end] = move
        w.entries[end + U1] = up | bit if lift else up
        end += U2
    return end


@kernel
def forced(w: KWork, o: np.uint64, end: np.uint64) -> np.uint64:
    """Write the forced move, if there is one; return the end of ``entries``."""
    par = w.par
    f = w.frames
    stock = f[o + STOCK]
    unlimited = par[LAST_PASS] == UNLIMITED_PASSES
    cards = f[o + BASE]
    if unlimited and stock != U0:
        if par[DRAW] == U1:
            cards |= stock
        elif par[SWITCHES] & RULE_LAST != U0 and f[o + WASTE] == U0:
            rest = stock
            while rest != U0:
                card = ctz(rest)
                rest &= rest - U1
                if f[o + LEFT] >> w.place[card] == U1:
                    cards |= U1 << card
    # Without worrying back the steps to another member cannot be taken back.
    members = par[MEMBERS] if par[WORRYING_BACK] != U0 else U1
    for i in range(members):
        ready = w.lifts[np.uint64(i)] & cards
        while ready != U0:
            card = ctz(ready)
            ready &= ready - U1
            if is_safe(w, card, w.grid[np.uint64(i)]):
                return emit(w, o, end, U1 << card, NO_CARD, w.grid[np.uint64(i)], True)
    return end


@kernel
def known_beside(w: KWork, o: np.uint64, i: np.uint64, sets: np.ndarray, spare: bool) -> np.uint64:
    """Return the union of ``sets`` over earlier members one step away whose results lead here."""
    if spare and spare_columns(w, o, w.grid[i]) < U2:
        return U0
    stamp = w.par[STAMP]
    up = w.grid[i]
    found = U0
    steps = up & ~(up >> U4)
    if w.par[WORRYING_BACK] != U0:
        steps |= next_cards(up) & w.par[FULL]
    while steps != U0:
        bit = steps & (~steps + U1)
        steps ^= bit
        word = w.stamps[heights(up ^ bit)]
        if word >> U16 != stamp:
            continue
        j = word & INDEX
        if j >= i and w.par[WORRYING_BACK] != U0:
            continue
        if spare and spare_columns(w, o, w.grid[j]) < U2:
            continue
        found |= sets[j]
    return found


@kernel
def expand(w: KWork, o: np.uint64, end: np.uint64) -> np.uint64:
    """Write the moves of the grid just explored; return the end of ``entries``.

    The move to try first is the last.
    """
    par = w.par
    f = w.frames
    count = par[MEMBERS]
    first = end
    if par[SWITCHES] & RULE_SAFE != U0:
        end = forced(w, o, end)
        if end != first:
            return end
    base = f[o + BASE]
    stock = f[o + STOCK]
    spare = par[ANY_SPACES] != U0
    # What can move at all, of the stock.
    movable = U0
    king_up = U0
    for i in range(count):
        movable |= w.landings[np.uint64(i)] | w.lifts[np.uint64(i)]
        king_up |= w.grid[np.uint64(i)] & par[KINGS]
    asked = movable & stock
    kings = U0
    bottoms = U0
    if par[SWITCHES] & RULE_SPACE != U0 and not spare and king_up == U0:
        rest = base
        while rest != U0:
            card = ctz(rest)
            rest &= rest - U1
            if w.under[card] == NO_CARD:
                bottoms |= U1 << card
        if bottoms & movable != U0:
            kings = par[KINGS] & (base | stock)
            asked |= kings & stock
    within = U0
    while asked != U0:
        card = ctz(asked)
        asked &= asked - U1
        if take(w, o, card) != UNREACHABLE:
            within |= U1 << card
    kings &= base | within
    for i in range(count):
        at = np.uint64(i)
        landing = w.landings[at] & (base | within)
        lift = w.lifts[at] & (base | within)
        if not spare or spare_columns(w, o, w.grid[at]) >= U2:
            lift &= ~landing | bottoms
        w.lifts[at] = lift
        w.landings[at] = landing
    for side in range(2):
        cards = stock if side == 0 else base
        for i in range(count):
            at = np.uint64(i)
            lift = w.lifts[at] & cards
            if lift != U0 and at != U0:
                lift &= ~known_beside(w, o, at, w.lifts, spare)
            if lift != U0:
                end = emit(w, o, end, lift, NO_CARD, w.grid[at], True)
        for i in range(count):
            at = np.uint64(i)
            landing = w.landings[at] & cards
            if landing != U0 and at != U0:
                landing &= ~known_beside(w, o, at, w.landings, spare)
            emptying = landing & bottoms
            if emptying != U0 and kings != U0 and spare_columns(w, o, w.grid[at]) == U0:
                rest = kings
                while rest != U0:
                    king = ctz(rest)
                    rest &= rest - U1
                    end = emit(w, o, end, emptying, king, w.grid[at], False)
            landing &= ~bottoms
            if landing != U0:
                end = emit(w, o, end, landing, NO_CARD, w.grid[at], False)
    return end
