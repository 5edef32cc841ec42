"""Probes: failed-literal tests on top of the dead-end test.

The relaxation forgets that moves use things up. A probe puts one such fact back by splitting on a
question that every winning line answers. Dead under both answers: the state is dead. Dead under
one: the other is forced and kept as a condition; go on until nothing changes.

**Who lands first?** (rule ``pair``) X and Y of one rank and colour share the parents A and B. If Y does not
land on A or B before X does, then until X is founded Y can land only once both A and B have been
open: X, landed and not yet up, lies on one of them all the time, and Y needs the other. With any card to spaces
X may step aside into an empty column, so the condition ends when a column can be empty. With worrying back
it ends for good once X has been up. Holds also when one of the two, or both, start on A or B.

**Which king first?** (rule ``king``) With fewer than two empty columns, some king is the first to move into one.
A king on the table leaves only for its foundation, so until that king is up another needs a second column to
have become empty.

**Does X ever land on P?** (rule ``landing``) No: strike that landing. Yes: P goes up only after X has left it
again: X is founded, or X's other parent has been open, or (any card to spaces) a column can be empty. With
worrying back P may go up before X lands and come back, so the rule is off there.
"""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1, U2, U3, U4, ctz, popcount
from yukonsolve.kernels.layout import (
    BASES,
    FIRST_KING,
    FULL,
    HOLD,
    KINGS_WAIT,
    N_COLUMNS,
    QUESTIONS,
    RULE_KING,
    RULE_LANDING,
    RULE_NESTED,
    RULE_PAIR,
    SAME_SUIT,
    SINGLE,
    TABLEAU,
    WAIT,
    WORRYING_BACK,
    Work,
)
from yukonsolve.kernels.relax import relax


@kernel
def ask(w: Work, o: np.uint64) -> np.uint64:
    """Run the relaxation under the conditions in force; return 1 when still alive."""
    w.par[QUESTIONS] += U1
    return relax(w, o, w.above, w.allowed)


@kernel
def clear_conditions(w: Work) -> None:
    """Drop every condition."""
    for i in range(52):
        w.allowed[i] = w.parents_of[i]
        w.hold[i] = U0
    w.par[WAIT] = U0
    w.par[HOLD] = U0
    w.par[KINGS_WAIT] = U0
    w.par[FIRST_KING] = U0


@kernel
def probe(w: Work, o: np.uint64, switches: np.uint64) -> np.uint64:
    """Return 0 when the state at word ``o`` is proved dead, 1 when it may be won.

    ``w.above`` must hold the state's chains. ``switches`` says which questions to ask; with none
    this is the plain dead-end test.
    """
    par = w.par
    if switches == U0:
        return relax(w, o, w.above, w.parents_of)
    clear_conditions(w)
    alive = ask_all(w, o, switches)
    clear_conditions(w)
    return alive


@kernel
def ask_all(w: Work, o: np.uint64, switches: np.uint64) -> np.uint64:
    """Ask every question under the conditions in force until nothing changes."""
    par = w.par
    if ask(w, o) == U0:
        return U0
    tableau = w.rows[o + TABLEAU]
    single = par[SINGLE]
    changed = True
    while changed:
        changed = False
        if switches & RULE_PAIR != U0 and par[SAME_SUIT] == U0:
            cards = single & tableau
            while cards != U0:
                x = ctz(cards)
                cards &= cards - U1
                y = x ^ U3
                x_bit = U1 << x
                y_bit = U1 << y
                if tableau & y_bit == U0 or par[WAIT] & (x_bit | y_bit) != U0:
                    continue
                cards &= ~y_bit
                par[WAIT] |= y_bit
                x_first = ask(w, o)
                par[WAIT] = (par[WAIT] & ~y_bit) | x_bit
                y_first = ask(w, o)
                par[WAIT] &= ~x_bit
                if x_first == U0 and y_first == U0:
                    return U0
                if x_first == U0:
                    par[WAIT] |= x_bit
                    changed = True
                elif y_first == U0:
                    par[WAIT] |= y_bit
                    changed = True
        if switches & RULE_LANDING != U0 and par[WORRYING_BACK] == U0:
            cards = single & tableau
            while cards != U0:
                x = ctz(cards)
                cards &= cards - U1
                x_bit = U1 << x
                hosts = w.allowed[x] & tableau
                while hosts != U0:
                    p = ctz(hosts)
                    hosts &= hosts - U1
                    p_bit = U1 << p
                    if w.hold[p] & x_bit != U0:
                        continue
                    w.allowed[x] &= ~p_bit
                    never = ask(w, o)
                    w.allowed[x] |= p_bit
                    w.hold[p] |= x_bit
                    par[HOLD] |= p_bit
                    does = ask(w, o)
                    if never == U0 and does == U0:
                        return U0
                    if never == U0:
                        changed = True
                        continue
                    w.hold[p] &= ~x_bit
                    if w.hold[p] == U0:
                        par[HOLD] &= ~p_bit
                    if does == U0:
                        w.allowed[x] &= ~p_bit
                        changed = True
        if switches & RULE_KING != U0 and par[KINGS_WAIT] == U0:
            bases = w.rows[o + BASES]
            all_kings = par[FULL] & ~(par[FULL] >> U4)
            kings = all_kings & tableau & ~bases
            spaces = par[N_COLUMNS] - popcount(bases)
            # A founded king that may come back could be first: no question then.
            settled = par[WORRYING_BACK] == U0 or tableau & all_kings == all_kings
            if spaces < U2 and popcount(kings) > U1 and settled:
                alive = U0
                only = U0
                rest = kings
                while rest != U0:
                    king = ctz(rest)
                    rest &= rest - U1
                    par[KINGS_WAIT] = kings & ~(U1 << king)
                    par[FIRST_KING] = U1 << king
                    if ask(w, o) != U0:
                        alive += U1
                        only = U1 << king
                par[KINGS_WAIT] = U0
                par[FIRST_KING] = U0
                if alive == U0:
                    return U0
                if alive == U1:
                    par[KINGS_WAIT] = kings & ~only
                    par[FIRST_KING] = only
                    changed = True
    return U1
