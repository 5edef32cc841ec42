"""The dead-end test: forget that moves use things up, and see whether every card can get loose."""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1, children, ctz, popcount
from yukonsolve.kernels.klondike_grid import next_cards
from yukonsolve.kernels.klondike_layout import (
    ANY_SPACES,
    BASE,
    DRAW,
    FULL,
    HIDDEN,
    KINGS,
    LEFT,
    N_COLUMNS,
    NO_CARD,
    SAME_SUIT,
    STOCK,
    WASTE,
    WORRYING_BACK,
    KWork,
)


@kernel
def reachable_stock(w: KWork, o: np.uint64, gone: np.uint64) -> np.uint64:
    """Return stock cards that can be reached once any of ``gone`` may have been taken."""
    draw = w.par[DRAW]
    stock = w.frames[o + STOCK]
    if draw == U1:
        return stock
    left = w.frames[o + LEFT]
    waste = w.frames[o + WASTE]
    found = U0
    index = U1
    before = U0
    in_pass = U0
    previous = U0
    all_gone_since = U0
    while left != U0:
        place = ctz(left)
        left &= left - U1
        bit = U1 << w.order[place]
        if index % draw <= before or (index >= waste and (index - waste) % draw <= in_pass):
            found |= bit
        if gone & bit != U0:
            found |= previous
            before += U1
            if index > waste:
                in_pass += U1
            all_gone_since |= previous
        else:
            all_gone_since = U0
        previous = bit
        index += U1
    return found | previous


@kernel
def relax(w: KWork, o: np.uint64, up: np.uint64) -> np.uint64:
    """Return 1 when the state in frame ``o`` may still be won, 0 when it is dead."""
    par = w.par
    full = par[FULL]
    stock = w.frames[o + STOCK]
    hidden = w.frames[o + HIDDEN]
    base = w.frames[o + BASE]
    loose = full & ~(hidden | base | stock)
    kings = par[KINGS]
    visible = (loose & ~up) | base
    if par[WORRYING_BACK] != U0:
        visible |= up
    free_kings = popcount(loose & kings & ~up)
    spaces = par[N_COLUMNS] - popcount(base) - free_kings
    open_ = loose
    within = reachable_stock(w, o, U0)
    while True:
        ready = next_cards(up) & (open_ | base | within)
        while ready != U0:
            up |= ready
            ready = next_cards(up) & (open_ | base | within) & full
        landing = children(visible, par[SAME_SUIT])
        if spaces != U0 or up & kings != U0:
            landing |= kings
            if par[ANY_SPACES] != U0:
                landing = full
        fresh = (base | (within & ~open_)) & (landing | up)
        if fresh == U0:
            return U1 if up == full else U0
        open_ |= fresh
        visible |= fresh
        taken = fresh & stock
        fresh &= base
        base ^= fresh
        while fresh != U0:
            card = ctz(fresh)
            fresh &= fresh - U1
            under = w.under[card]
            if under == NO_CARD:
                spaces += U1
            else:
                shown = U1 << under
                base |= shown
                visible |= shown | w.rides[under]
                open_ |= w.rides[under]
        if taken != U0:
            within = reachable_stock(w, o, open_ & stock)
