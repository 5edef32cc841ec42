"""The dead-end test: a delete relaxation on bit masks.

Forget that moves use things up and grow to a fixpoint:

* ``open``: cards that could become uncovered: the ends, and whatever lies under a card that can
  leave;
* ``landed``: cards that could land on the tableau: on an open card they may be built on, other
  than the one they lie on, or on the table once a column can be empty;
* ``up``: cards that could go up: the next of a suit, if open.

A card must be able to be face up to land. If the only open parent P lies above card Z in the same
chain, some card of (Z, P] must be able to land elsewhere, or P never leaves Z's own chain. If
``up`` does not reach the whole deck the state is dead (rule ``dead-end``).

*Proof.* By induction along a real line every real event is in the sets: a real landing needs its
destination uncovered at that time, which needs an end, or a card that left from above it; a real
foundation move needs the card uncovered and its predecessor up. With worrying back a founded card
may return, so it counts as open everywhere, also above Z in its own chain.

``VALUE``, the sum over cards of the round in which each goes up, also orders the search.

The conditions of the probes (``probes.py``) enter here: struck landings (``allowed``), cards that
must wait for both parents (``WAIT``), cards held back from their foundation (``HOLD``), and kings
that need a second empty column (``KINGS_WAIT``). Without probes they are empty and cost nothing.
"""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1, U2, U3, children, ctz, next_up, popcount
from yukonsolve.kernels.layout import (
    BASES,
    BELOW,
    ENDS,
    FACE_UP,
    FIRST_KING,
    FULL,
    HOLD,
    KINGS_WAIT,
    N_COLUMNS,
    REACHED,
    SAME_SUIT,
    SINGLE,
    SPACE_CARDS,
    TABLE,
    TABLEAU,
    U8,
    VALUE,
    WAIT,
    WORRYING_BACK,
    U64Array,
    Work,
)


@kernel
def relax(w: Work, o: np.uint64, above: U64Array, allowed: U64Array) -> np.uint64:
    """Return 1 when the state at word ``o`` may still be won, 0 when it is dead.

    ``above`` must hold the state's chains (``columns_above``).
    """
    row_bytes = w.row_bytes
    par = w.par
    below = o * U8 + BELOW
    full = par[FULL]
    same_suit = par[SAME_SUIT]
    back = par[WORRYING_BACK]
    space_cards = par[SPACE_CARDS]
    wait = par[WAIT]
    held = par[HOLD]
    kings_wait = par[KINGS_WAIT]
    first_king = par[FIRST_KING]
    bases = w.rows[o + BASES]
    tableau = w.rows[o + TABLEAU]
    face_up = w.rows[o + FACE_UP]
    open_ = w.rows[o + ENDS]
    up = full & ~tableau
    spaces = par[N_COLUMNS] - popcount(bases)
    landed = U0
    left = U0
    single = U0
    value = U0
    turn = U0
    any_space = U1 if space_cards == full else U0
    if back != U0:
        open_ |= up
    while True:
        turn += U1
        fresh = U0
        # To the foundations, as far as they go.
        ready = next_up(up, full) & open_
        while ready != U0:
            if ready & held != U0:
                stay = ready & held
                while stay != U0:
                    card = ctz(stay)
                    stay &= stay - U1
                    riders = w.hold[card]
                    while riders != U0:
                        rider = ctz(riders)
                        riders &= riders - U1
                        free = (up >> rider) & U1 != U0
                        free |= allowed[rider] & open_ & ~(U1 << card) != U0
                        free |= any_space != U0 and spaces != U0
                        if not free:
                            ready &= ~(U1 << card)
            if ready == U0:
                break
            up |= ready
            fresh |= ready
            value += turn * popcount(ready)
            if back != U0:
                open_ |= ready
            ready = next_up(up, full) & open_
        if up == full:
            par[VALUE] = value
            par[SINGLE] = single
            par[REACHED] = up
            return U1
        # Landings on open cards.
        can_move = (face_up | open_) & tableau & ~landed
        candidates = children(open_, same_suit) & can_move
        while candidates != U0:
            card = ctz(candidates)
            candidates &= candidates - U1
            bit = U1 << card
            hosts = allowed[card] & open_
            if bit & wait != U0 and up & (U1 << (card ^ U3)) == U0:
                both = w.parents_of[card] & ~open_ == U0
                if not both and not (any_space != U0 and spaces != U0):
                    continue
            n_hosts = popcount(hosts)
            hosts &= ~(U1 << np.uint64(row_bytes[below + card]))
            chain = above[card]
            while hosts != U0:
                host = ctz(hosts)
                hosts &= hosts - U1
                inside = chain & (U1 << host)
                if (
                    inside == U0
                    or chain & ~above[host] & landed != U0
                    or (back != U0 and up & inside != U0)
                ):
                    landed |= bit
                    fresh |= bit
                    if n_hosts == U1:
                        single |= bit
                    break
        # Into empty columns.
        if spaces != U0:
            movers = space_cards & can_move & ~bases & ~landed
            if kings_wait & movers != U0 and spaces < U2 and up & first_king == U0:
                movers &= ~kings_wait
            landed |= movers
            fresh |= movers
        if fresh == U0:
            par[VALUE] = value
            par[SINGLE] = single
            par[REACHED] = up
            return U0
        fresh &= ~left
        left |= fresh
        while fresh != U0:
            card = ctz(fresh)
            fresh &= fresh - U1
            under = np.uint64(row_bytes[below + card])
            if under < TABLE - U2:
                open_ |= U1 << under
            elif under == TABLE:
                spaces += U1
