"""Probes: failed-literal tests on top of the dead-end test.

The relaxation forgets that moves use things up. A probe puts one such fact back by splitting on a
question that every winning line answers. Dead under both answers: the state is dead. Dead under
one: the other is forced and kept as a condition; go on until nothing changes.

**Who lands first?** (rule ``pair``) X and Y of one rank and colour share the parents A and B. If Y
does not land on A or B before X does, then until X is founded Y can land only once both A and B
have been open: X, landed and not yet up, lies on one of them all the time, and Y needs the other.
With any card to spaces X may step aside into an empty column, so the condition ends when a column
can be empty. With worrying back it ends for good once X has been up. Holds also when one of the
two, or both, start on A or B.

**Which king first?** (rule ``king``) With fewer than two empty columns, some king is the first to
move into one. A king on the table leaves only for its foundation, so until that king is up another
needs a second column to have become empty.

**Does X ever land on P?** (rule ``landing``) No: strike that landing. Yes: P goes up only after X
has left it again: X is founded, or X's other parent has been open, or (any card to spaces) a
column can be empty. With worrying back P may go up before X lands and come back, so the rule is
off there.
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

PROBE_ALL = int(RULE_PAIR | RULE_KING | RULE_LANDING)
PROBE_NESTED = int(RULE_NESTED)

LANDING_QUESTIONS = np.uint64(64)
N_QUESTIONS = np.uint64(64 + 128)


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
def save_conditions(w: Work) -> None:
    """Keep the conditions in force in ``saved``."""
    for i in range(52):
        w.saved[i] = w.allowed[i]
        w.saved[64 + i] = w.hold[i]
    w.saved[52] = w.par[WAIT]
    w.saved[53] = w.par[HOLD]
    w.saved[54] = w.par[KINGS_WAIT]
    w.saved[55] = w.par[FIRST_KING]


@kernel
def restore_conditions(w: Work) -> None:
    """Put the kept conditions in force again."""
    for i in range(52):
        w.allowed[i] = w.saved[i]
        w.hold[i] = w.saved[64 + i]
    w.par[WAIT] = w.saved[52]
    w.par[HOLD] = w.saved[53]
    w.par[KINGS_WAIT] = w.saved[54]
    w.par[FIRST_KING] = w.saved[55]


@kernel
def host_of(w: Work, question: np.uint64) -> np.uint64:
    """Return the bit of the host that a landing question is about (0 for none)."""
    card = (question - LANDING_QUESTIONS) >> U1
    hosts = w.parents_of[card]
    first = hosts & (~hosts + U1)
    return first if question & U1 == U0 else hosts ^ first


@kernel
def is_open_question(
    w: Work, o: np.uint64, question: np.uint64, switches: np.uint64, cards: np.uint64
) -> bool:
    """Return whether a question about one of ``cards`` is worth asking and not yet settled."""
    par = w.par
    tableau = w.rows[o + TABLEAU]
    if question < LANDING_QUESTIONS:
        # Each pair once, under its lower card.
        x_bit = U1 << question
        y_bit = U1 << (question ^ U3)
        if switches & RULE_PAIR == U0 or par[SAME_SUIT] != U0 or question & U2 != U0:
            return False
        if (x_bit | y_bit) & ~tableau != U0 or (x_bit | y_bit) & par[WAIT] != U0:
            return False
        return cards & (x_bit | y_bit) != U0
    card = (question - LANDING_QUESTIONS) >> U1
    if switches & RULE_LANDING == U0 or par[WORRYING_BACK] != U0:
        return False
    if cards & tableau & (U1 << card) == U0:
        return False
    host_bit = host_of(w, question) & tableau & w.allowed[card]
    if host_bit == U0:
        return False
    return w.hold[ctz(host_bit)] & (U1 << card) == U0


@kernel
def assume(w: Work, question: np.uint64, answer: np.uint64) -> None:
    """Put an answer in force: 1 "Y does not land before X" or "X lands on P", 0 the contrary."""
    par = w.par
    if question < LANDING_QUESTIONS:
        waits = question ^ U3 if answer != U0 else question
        par[WAIT] |= U1 << waits
        return
    card = (question - LANDING_QUESTIONS) >> U1
    host_bit = host_of(w, question)
    if answer == U0:
        w.allowed[card] &= ~host_bit
    else:
        w.hold[ctz(host_bit)] |= U1 << card
        par[HOLD] |= host_bit


@kernel
def withdraw(w: Work, question: np.uint64, answer: np.uint64) -> None:
    """Undo ``assume``."""
    par = w.par
    if question < LANDING_QUESTIONS:
        waits = question ^ U3 if answer != U0 else question
        par[WAIT] &= ~(U1 << waits)
        return
    card = (question - LANDING_QUESTIONS) >> U1
    host_bit = host_of(w, question)
    if answer == U0:
        w.allowed[card] |= host_bit
    else:
        host = ctz(host_bit)
        w.hold[host] &= ~(U1 << card)
        if w.hold[host] == U0:
            par[HOLD] &= ~host_bit


@kernel
def kings_in_question(w: Work, o: np.uint64, switches: np.uint64) -> np.uint64:
    """Return the kings one of which must be first into an empty column; 0 for no question."""
    par = w.par
    if switches & RULE_KING == U0 or par[KINGS_WAIT] != U0:
        return U0
    tableau = w.rows[o + TABLEAU]
    bases = w.rows[o + BASES]
    all_kings = par[FULL] & ~(par[FULL] >> U4)
    # A founded king that may come back could be first: no question then.
    if par[WORRYING_BACK] != U0 and all_kings & ~tableau != U0:
        return U0
    kings = all_kings & tableau & ~bases
    if par[N_COLUMNS] - popcount(bases) >= U2 or popcount(kings) < U2:
        return U0
    return kings


@kernel
def settle(w: Work, o: np.uint64, switches: np.uint64) -> np.uint64:
    """Ask every question under the conditions in force until nothing changes.

    Returns 0 when the state is dead under them; else 1, with the forced answers added to them.
    """
    par = w.par
    if ask(w, o) == U0:
        return U0
    cards = par[SINGLE]
    changed = True
    while changed:
        changed = False
        question = U0
        while question < N_QUESTIONS:
            if is_open_question(w, o, question, switches, cards):
                assume(w, question, U1)
                yes = ask(w, o)
                withdraw(w, question, U1)
                assume(w, question, U0)
                no = ask(w, o)
                if yes == U0 and no == U0:
                    return U0
                if no == U0 or yes != U0:
                    withdraw(w, question, U0)
                if no == U0:
                    assume(w, question, U1)
                changed |= yes != no
            question += U1
        kings = kings_in_question(w, o, switches)
        if kings != U0:
            alive = U0
            only = U0
            rest = kings
            while rest != U0:
                king_bit = rest & (~rest + U1)
                rest ^= king_bit
                par[KINGS_WAIT] = kings & ~king_bit
                par[FIRST_KING] = king_bit
                if ask(w, o) != U0:
                    alive += U1
                    only = king_bit
            if alive == U0:
                return U0
            par[KINGS_WAIT] = kings & ~only if alive == U1 else U0
            par[FIRST_KING] = only if alive == U1 else U0
            changed |= alive == U1
    return U1


@kernel
def settle_under(w: Work, o: np.uint64, switches: np.uint64) -> np.uint64:
    """Return what ``settle`` finds under the conditions in force, and leave them as they were."""
    alive = settle(w, o, switches)
    restore_conditions(w)
    return alive


@kernel
def settle_nested(w: Work, o: np.uint64, switches: np.uint64) -> np.uint64:
    """Like ``settle``, with every question asked again inside each answer."""
    par = w.par
    if settle(w, o, switches) == U0:
        return U0
    ask(w, o)
    cards = par[SINGLE]
    changed = True
    while changed:
        changed = False
        question = U0
        while question < N_QUESTIONS:
            if is_open_question(w, o, question, switches, cards):
                save_conditions(w)
                assume(w, question, U1)
                yes = settle_under(w, o, switches)
                assume(w, question, U0)
                no = settle_under(w, o, switches)
                if yes == U0 and no == U0:
                    return U0
                if yes != no:
                    assume(w, question, yes)
                    changed = True
                    if settle(w, o, switches) == U0:
                        return U0
            question += U1
        kings = kings_in_question(w, o, switches)
        if kings != U0:
            save_conditions(w)
            alive = U0
            only = U0
            rest = kings
            while rest != U0:
                king_bit = rest & (~rest + U1)
                rest ^= king_bit
                par[KINGS_WAIT] = kings & ~king_bit
                par[FIRST_KING] = king_bit
                if settle_under(w, o, switches) != U0:
                    alive += U1
                    only = king_bit
            if alive == U0:
                return U0
            if alive == U1:
                par[KINGS_WAIT] = kings & ~only
                par[FIRST_KING] = only
                changed = True
    return U1


@kernel
def probe(w: Work, o: np.uint64, switches: np.uint64) -> np.uint64:
    """Return 0 when the state at word ``o`` is proved dead, 1 when it may be won.

    ``w.above`` must hold the state's chains. ``switches`` says which questions to ask; with none
    this is the plain dead-end test.
    """
    if switches == U0:
        return relax(w, o, w.above, w.parents_of)
    clear_conditions(w)
    if switches & RULE_NESTED != U0:
        alive = settle_nested(w, o, switches)
    else:
        alive = settle(w, o, switches)
    clear_conditions(w)
    return alive
