"""The dead-end test of the ghost game: the delete relaxation, with what a ghost state knows of it.

As in ``relax.py``, forget that moves use things up and grow to a fixpoint the cards that could come
``open`` (bare), those that could leave their dealt place, and the foundations. Three facts of the
ghost game are put back, each a condition on what a won line must have done before:

* A card with moved children goes up only after each of them is up or fits on the other parent, so
  of two moved children one must be up, and for the one that is left the other parent must be open.
* While the other card of its group has moved and is not up, a card leaves its place only when both
  parents are open, for the two of them lie on both.
* A card cannot land on a card dealt above it until one in between has left.

*Sound:* by induction over a won ghost line, whatever it does has been done by the relaxed line at
that time, and each condition asks only for what the line itself needed then. A founded parent is
never open, for it does not come back.
"""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1, U3, children, ctz, next_up, parents, popcount
from yukonsolve.kernels.ghosts import (
    G_BACK,
    G_BARE,
    G_BASES,
    G_FACE_UP,
    G_FULL,
    G_KINGS,
    G_MOVED,
    G_UP,
    G_VALUE,
    NOTHING,
    Ghosts,
    free_spaces,
)


@kernel
def relax_ghosts(g: Ghosts, o: np.uint64) -> bool:
    """Return whether the ghost state at word ``o`` may still be won; its value goes to ``par``."""
    par = g.par
    full = par[G_FULL]
    kings = par[G_KINGS]
    moved = g.rows[o + G_MOVED]
    founded = g.rows[o + G_UP]
    bare = g.rows[o + G_BARE]
    tableau = full & ~founded
    gone = moved | founded
    face_up = par[G_FACE_UP] | bare
    unmoved_bases = par[G_BASES] & ~gone
    spaces = free_spaces(g, moved, founded)
    open_ = bare & tableau
    back = par[G_BACK] != U0
    if back:
        open_ |= founded
    up = founded
    landed = moved
    left = gone
    value = U0
    turn = U0
    while True:
        turn += U1
        fresh = U0
        while True:
            ready = next_up(up, full) & open_
            asked = ready
            while asked != U0:
                bit = asked & (~asked + U1)
                asked ^= bit
                riders = children(bit, U0) & moved & ~up
                if riders != U0:
                    other = U1 << (ctz(bit) ^ U3)
                    if riders & (riders - U1) != U0 or other & open_ == U0:
                        ready ^= bit
            if ready == U0:
                break
            up |= ready
            fresh |= ready
            value += turn * popcount(ready)
            spaces += popcount(ready & moved & kings)
        if up == full:
            par[G_VALUE] = value
            return True
        can_leave = (face_up | open_) & tableau & ~landed
        candidates = children(open_, U0) & can_leave
        while candidates != U0:
            card = ctz(candidates)
            candidates &= candidates - U1
            bit = U1 << card
            hosts = parents(bit, U0) & full
            partner = U1 << (card ^ U3)
            if partner & moved & ~up != U0 and hosts & ~open_ != U0:
                continue
            under = np.uint64(g.dealt_on[card])
            hosts &= open_
            if under != NOTHING:
                hosts &= ~(U1 << under)
            chain = g.dealt_above[card]
            while hosts != U0:
                host = ctz(hosts)
                hosts &= hosts - U1
                between = chain & ~g.dealt_above[host]
                if (
                    chain & (U1 << host) == U0
                    or between & (landed | founded) != U0
                    or (back and between & up != U0)
                ):
                    landed |= bit
                    fresh |= bit
                    break
        if spaces != U0:
            movers = kings & can_leave & ~unmoved_bases & ~landed
            landed |= movers
            fresh |= movers
        if fresh == U0:
            return False
        fresh &= ~left
        left |= fresh
        while fresh != U0:
            under = np.uint64(g.dealt_on[ctz(fresh)])
            fresh &= fresh - U1
            if under != NOTHING:
                open_ |= U1 << under
            else:
                spaces += U1
