"""Successors of a state: generation, refutation, ordering.

Every successor is made, brought to rest (``play_safe``), looked up, tested for a dead end and
scored before any is searched. Ordering can only permute: it never adds or drops a successor.

**Lateral fold** (rule ``lateral``). A move of Z from a face-up card A it may be built on to
another such card is *lateral*: it turns nothing and can be taken back. It is not a successor by
itself, but only together with a move it made possible: one that uses A uncovered (a landing on A,
A going up), one onto the end of Z's tail from below Z in Z's old column, or another lateral move
of A or of a card under A in that column.

*Proof.* A lateral move l commutes with every move m that was possible before it and still is after
it: m cannot cover l's destination (after l that card is covered); if m moves Z itself, m alone
does the work of both; every other m moves other links. So in a winning line with the fewest
laterals before the first other move n, none can be pushed past n, and each one serves a later one
of them or n. Take the first move d of that stretch which was not possible at the start; the
laterals before it were, and commute. A move becomes possible through its destination being
uncovered (one lateral, off that card) or through mover and destination having come apart (one
lateral between them). If d needs one lateral, begin with it: (lateral, d) is in the list. If it
needs two, begin with the uncovering one; the parting one moves the uncovered card or a card under
it in the same column: that pair is in the list. A lateral never empties a column and reveals
nothing, so there is no third way.
"""

from __future__ import annotations

import numpy as np

from yukonsolve.jit import kernel
from yukonsolve.kernels.bits import U0, U1, U2, U3, U4, children, ctz, next_up, popcount
from yukonsolve.kernels.ghost_search import known
from yukonsolve.kernels.ghost_table import ALIVE, DEAD
from yukonsolve.kernels.ghosts import G_QUERY
from yukonsolve.kernels.layout import (
    BASES,
    BELOW,
    ENDS,
    FACE_UP,
    FOUNDATION,
    FULL,
    KEY0,
    KEY1,
    N_COLUMNS,
    NO_CARD,
    NOISE,
    RANDOM,
    ROW,
    RULE_DEAD_END,
    RULE_LATERAL,
    RULE_SUIT_WORRY,
    SAME_SUIT,
    SPACE_CARDS,
    SWITCHES,
    TABLE,
    TABLEAU,
    U8,
    VALUE,
    WEIGHTS,
    WORRYING_BACK,
    Work,
    columns_above,
)
from yukonsolve.kernels.moves import copy_row, do_move, play_safe
from yukonsolve.kernels.relax import relax
from yukonsolve.kernels.stack import sort_entries
from yukonsolve.kernels.table import find, insert

U6 = np.uint64(6)
CARD_BITS = np.uint64(63)
SECOND = np.uint64(12)
SCORE = np.uint64(24)
SCORE_ZERO = np.uint64(1 << 30)
ALIVE_BONUS = np.uint64(200)


@kernel
def pack(card: np.uint64, to: np.uint64, card2: np.uint64, to2: np.uint64) -> np.uint64:
    """Return one or two moves as 24 bits; ``NO_CARD`` for an absent second."""
    return card | (to << U6) | (card2 << SECOND) | (to2 << (SECOND + U6))


@kernel
def do_packed(w: Work, o: np.uint64, entry: np.uint64) -> None:
    """Do the one or two moves of a packed entry, then the safe foundation moves."""
    do_move(w, o, entry & CARD_BITS, (entry >> U6) & CARD_BITS)
    card = (entry >> SECOND) & CARD_BITS
    if card != NO_CARD:
        do_move(w, o, card, (entry >> (SECOND + U6)) & CARD_BITS)
    play_safe(w, o)


@kernel
def random_step(w: Work) -> np.uint64:
    """Return the next word of the search's own generator (xorshift64*)."""
    x = w.par[RANDOM]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    w.par[RANDOM] = x
    return x * np.uint64(0x2545F4914F6CDD1D)


@kernel
def consider(w: Work, o: np.uint64, end: np.uint64, move: np.uint64) -> np.uint64:
    """Make a successor of row ``o``, and put it on the move stack unless it is seen or dead.

    Returns the new end of the stack; the won state is pushed like any other, with the top score.
    """
    rows = w.rows
    par = w.par
    child = o + ROW
    copy_row(w, o)
    do_packed(w, child, move)
    tableau = rows[child + TABLEAU]
    if tableau == U0:
        w.entries[end] = move | (((SCORE_ZERO << U1) - U1) << SCORE)
        return end + U1
    if find(w, rows[child + KEY0], rows[child + KEY1]) != U0:
        return end
    known_alive = False
    if w.ghosts.par[G_QUERY] != U0:
        verdict = known(w, w.ghosts, child)
        if verdict == DEAD:
            return end
        known_alive = verdict == ALIVE
    value = U0
    if par[SWITCHES] & RULE_DEAD_END != U0:
        columns_above(w, child, w.above)
        if relax(w, child, w.above, w.parents_of) == U0:
            insert(w, rows[child + KEY0], rows[child + KEY1])
            return end
        value = par[VALUE]
    before = rows[o + TABLEAU]
    down_before = popcount(before & ~rows[o + FACE_UP])
    down_after = popcount(tableau & ~rows[child + FACE_UP])
    score = SCORE_ZERO
    score += par[WEIGHTS] * (down_before - down_after)
    score += par[WEIGHTS + U1] * (popcount(before) - popcount(tableau))
    score += par[WEIGHTS + U2] * (par[N_COLUMNS] - popcount(rows[child + BASES]))
    score -= par[WEIGHTS + U3] * value
    if known_alive:
        score += ALIVE_BONUS
    if par[NOISE] != U0:
        score += ((random_step(w) >> np.uint64(40)) * par[NOISE]) >> np.uint64(24)
    w.entries[end] = move | (score << SCORE)
    return end + U1


@kernel
def tail_end(w: Work, card: np.uint64, ends: np.uint64) -> np.uint64:
    """Return the uncovered card of the column that ``card`` lies in."""
    return ctz((w.node_above[card] | (U1 << card)) & ends)


@kernel
def push_lateral(
    w: Work, o: np.uint64, end: np.uint64, card: np.uint64, frm: np.uint64, to: np.uint64
) -> np.uint64:
    """Push every successor that begins with the lateral move of ``card`` from ``frm`` to ``to``."""
    par = w.par
    same_suit = par[SAME_SUIT]
    below = o * U8 + BELOW
    face_up = w.rows[o + FACE_UP]
    tableau = w.rows[o + TABLEAU]
    ends = w.rows[o + ENDS]
    from_bit = U1 << frm
    up = par[FULL] & ~tableau
    if next_up(up, par[FULL]) & from_bit != U0:
        end = consider(w, o, end, pack(card, to, frm, FOUNDATION))
    # Landings on the card left bare, from anywhere but under it.
    movers = children(from_bit, same_suit) & face_up & ~(U1 << card)
    while movers != U0:
        mover = ctz(movers)
        movers &= movers - U1
        if w.node_above[mover] & from_bit == U0:
            end = consider(w, o, end, pack(card, to, mover, frm))
    if par[WORRYING_BACK] != U0:
        tops = children(from_bit, same_suit) & up & ~(up >> U4)
        while tops != U0:
            end = consider(w, o, end, pack(card, to, ctz(tops), frm))
            tops &= tops - U1
    # From below the old place onto the moved tail, and laterals of the rest of the old column.
    tail = tail_end(w, card, ends)
    tail_bit = U1 << tail
    mover = frm
    while mover != TABLE and face_up & (U1 << mover) != U0:
        under = np.uint64(w.row_bytes[below + mover])
        under_bit = U0 if under == TABLE else U1 << under
        good = w.parents_of[mover]
        if good & tail_bit != U0:
            end = consider(w, o, end, pack(card, to, mover, tail))
        if under_bit & good & face_up != U0:
            hosts = good & ends & ~under_bit & ~tail_bit & ~(U1 << to)
            while hosts != U0:
                host = ctz(hosts)
                hosts &= hosts - U1
                end = consider(w, o, end, pack(card, to, mover, host))
        mover = under
    return end


@kernel
def expand(w: Work, o: np.uint64, first: np.uint64) -> np.uint64:
    """Push the successors of row ``o`` from ``first`` on, best last; return the stack's new end."""
    par = w.par
    rows = w.rows
    same_suit = par[SAME_SUIT]
    below = o * U8 + BELOW
    ends = rows[o + ENDS]
    face_up = rows[o + FACE_UP]
    tableau = rows[o + TABLEAU]
    bases = rows[o + BASES]
    up = par[FULL] & ~tableau
    fold = par[SWITCHES] & RULE_LATERAL
    columns_above(w, o, w.node_above)
    end = first
    movers = children(ends, same_suit) & face_up
    while movers != U0:
        card = ctz(movers)
        movers &= movers - U1
        under = np.uint64(w.row_bytes[below + card])
        under_bit = U0 if under == TABLE else U1 << under
        hosts = w.parents_of[card] & ends & ~under_bit & ~w.node_above[card]
        while hosts != U0:
            host = ctz(hosts)
            hosts &= hosts - U1
            if fold != U0 and under_bit & w.parents_of[card] & face_up != U0:
                end = push_lateral(w, o, end, card, under, host)
            else:
                end = consider(w, o, end, pack(card, host, NO_CARD, NO_CARD))
    ready = next_up(up, par[FULL]) & ends
    while ready != U0:
        end = consider(w, o, end, pack(ctz(ready), FOUNDATION, NO_CARD, NO_CARD))
        ready &= ready - U1
    space = popcount(bases) < par[N_COLUMNS]
    if space:
        movers = par[SPACE_CARDS] & face_up & ~bases
        while movers != U0:
            end = consider(w, o, end, pack(ctz(movers), TABLE, NO_CARD, NO_CARD))
            movers &= movers - U1
    worry = par[WORRYING_BACK] != U0
    if worry and (same_suit == U0 or par[SWITCHES] & RULE_SUIT_WORRY == U0):
        tops = up & ~(up >> U4)
        while tops != U0:
            card = ctz(tops)
            tops &= tops - U1
            hosts = w.parents_of[card] & ends
            while hosts != U0:
                end = consider(w, o, end, pack(card, ctz(hosts), NO_CARD, NO_CARD))
                hosts &= hosts - U1
            if space and (par[SPACE_CARDS] >> card) & U1 != U0:
                end = consider(w, o, end, pack(card, TABLE, NO_CARD, NO_CARD))
    sort_entries(w.entries, first, end)
    return end
