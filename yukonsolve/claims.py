"""Claims about win rates, and what a run says of them.

A claim may be about three things, which must not be mixed:

* ``study``: the share of deals that can be won by someone who sees every card, measured;
* ``play``: the share that somebody wins, who may not see every card or not find every win;
* ``either``: the source does not tell; then both readings are judged.

What can be won bounds what is won from above and not from below. So a run can refute a claim about
play only by showing that fewer deals can be won at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from yukonsolve.rulesets import title
from yukonsolve.stats import Interval
from yukonsolve.summary import Run

REFUTED = "refuted"
CONSISTENT = "consistent"
PARTLY = "partly refuted"
AGREES = "agrees"
DIFFERS = "differs"

CAN_BE_WON = "can be won"
IS_WON = "is won"


@dataclass(frozen=True)
class Claim:
    """A claimed win rate.

    Parameters
    ----------
    name : str
        One word, to ask for it.
    share : Interval
        What is claimed; both ends are equal for a single figure, a high end of 1 means "or more".
    kind : {"study", "play", "either"}
        See the top of this module.
    about : dict
        The fields of `yukonsolve.rules.Rules` that a run must have for the claim to be about it;
        empty for a claim about the rules of any run.
    about_in_words : str
        ``about`` for people; empty like it.
    who : str
        Who wins that share, for ``play``.
    words : str
        The claim as its source puts it.
    source : str
    deals : tuple of (str, int, int) or None
        Numbering, first and last number, for a count on those very deals.
    """

    name: str
    share: Interval
    kind: str = "either"
    about: dict[str, Any] = field(default_factory=dict)
    about_in_words: str = ""
    who: str = "people"
    words: str = ""
    source: str = ""
    deals: tuple[str, int, int] | None = None

    @property
    def share_in_words(self) -> str:
        """The claimed share in per cent.

        Examples
        --------
        >>> Claim("x", Interval(0.25, 0.25)).share_in_words
        '25 %'
        >>> Claim("x", Interval(0.8, 0.9)).share_in_words
        '80 % to 90 %'
        """
        low, high = (f"{100 * end:.6g} %" for end in (self.share.low, self.share.high))
        if self.share.high == 1 and low != high:
            return f"{low} or more"
        return low if low == high else f"{low} to {high}"


@dataclass(frozen=True)
class Reading:
    """What a run says of one reading of a claim.

    Parameters
    ----------
    of : {"can be won", "is won"}
    verdict : str
        ``can be won``: ``agrees`` (intervals overlap) or ``differs`` for a study, ``consistent``
        or ``refuted`` for other claims; ``is won``: ``consistent``, ``partly refuted`` (the upper
        part of a claimed range) or ``refuted``.
    sentence : str
        For people.
    left_over : Interval or None
        Of ``is won``: the share of deals that can be won and, if the claim is true, is not.
    """

    of: str
    verdict: str
    sentence: str
    left_over: Interval | None = None


@dataclass(frozen=True, eq=False)
class Judgement:
    """One claim held against one run.

    Parameters
    ----------
    claim : Claim
    run : Run
    readings : tuple of Reading
        Empty if the claim does not apply to the run.
    why_not : str
        Why it does not apply, for people; else empty.
    """

    claim: Claim
    run: Run
    readings: tuple[Reading, ...]
    why_not: str = ""


def judge(claim: Claim, run: Run) -> Judgement:
    """Hold a claim against a run.

    Nothing is said that the run's interval does not allow: a claim outside the interval is refuted
    (at its confidence, 95 %), one that touches it is consistent, which is no proof.

    Examples
    --------
    >>> from yukonsolve.summary import read_run
    >>> run = read_run(Path("results/yukon"))  # doctest: +SKIP
    >>> [r.verdict for r in judge(Claim("x", Interval(0.25, 0.25)), run).readings]  # doctest: +SKIP
    ['refuted', 'consistent']
    """
    why_not = _why_not(claim, run)
    interval = run.interval
    if why_not or interval is None:
        return Judgement(claim, run, (), why_not or "the run has no deals yet")
    if claim.deals is not None:
        readings = [_of_these_deals(claim, run)]
    elif claim.kind == "study":
        readings = [_measured(claim, interval)]
    else:
        readings = [_can_be_won(claim, interval)] if claim.kind == "either" else []
        readings.append(_is_won(claim, interval))
    if run.running:
        end = " The run is not complete, so this may still change."
        readings = [replace(reading, sentence=reading.sentence + end) for reading in readings]
    return Judgement(claim, run, tuple(readings))


def _why_not(claim: Claim, run: Run) -> str:
    if any(getattr(run.rules, name) != value for name, value in claim.about.items()):
        return f"it is about {claim.about_in_words}, this run is {title(run.rules)}"
    if claim.deals is not None:
        numbering, first, last = claim.deals
        if (run.numbering, run.numbers.first, run.numbers.last) != claim.deals:
            return f"it is about the deals {numbering}:{first} to {numbering}:{last}"
        if run.running or not run.numbers.is_range:
            return "it is about all of these deals, and the run does not have them all"
    return ""


def _of_these_deals(claim: Claim, run: Run) -> Reading:
    """Compare counts on the same deals: no interval, they are the whole of it."""
    total = run.tally.total
    low, high = run.tally.solvable, run.tally.solvable + run.tally.undecided
    theirs = [round(end * total) for end in (claim.share.low, claim.share.high)]
    meets = low <= theirs[1] and theirs[0] <= high
    sentence = (
        f"Of these {total:,} deals {_count(*theirs)} are said to be solvable; here it is "
        f"{_count(low, high)}. "
        + ("The counts agree." if meets else "The counts contradict each other: one is wrong.")
    )
    return Reading(CAN_BE_WON, AGREES if meets else DIFFERS, sentence)


def _count(low: int, high: int) -> str:
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _measured(claim: Claim, interval: Interval) -> Reading:
    meets = _overlap(claim.share, interval)
    sentence = (
        f"Measured elsewhere, with every card known: {claim.share_in_words}; here: "
        f"{interval.in_words()}. " + ("The intervals overlap: the two agree." if meets else _APART)
    )
    return Reading(CAN_BE_WON, AGREES if meets else DIFFERS, sentence)


_APART = (
    "The intervals do not overlap: the two differ, and either the rules or deals are not the same "
    "or one of them is wrong."
)


def _can_be_won(claim: Claim, interval: Interval) -> Reading:
    begin = "As the share of deals that can be won by someone who sees every card, "
    if _overlap(claim.share, interval):
        sentence = f"{begin}{claim.share_in_words} fits: {interval.in_words()} can."
        return Reading(CAN_BE_WON, CONSISTENT, sentence)
    more = "more" if claim.share.high < interval.low else "fewer"
    sentence = f"{begin}{claim.share_in_words} is refuted: {more} can, {interval.in_words()}."
    return Reading(CAN_BE_WON, REFUTED, sentence)


def _is_won(claim: Claim, interval: Interval) -> Reading:
    """Judge what somebody wins; what can be won bounds it from above only."""
    begin = f"As the share of deals that {claim.who} win{_s(claim.who)}, {claim.share_in_words} "
    most = interval.as_percent(interval.digits)[1]
    if claim.share.low > interval.high:
        sentence = f"{begin}is refuted: at most {most} % can be won at all, every card seen."
        return Reading(IS_WON, REFUTED, sentence)
    left = Interval(
        max(0.0, interval.low - claim.share.high), max(0.0, interval.high - claim.share.low)
    )
    if interval.high < claim.share.high < 1:
        sentence = (
            f"{begin}is possible up to {most} % and refuted above: no more can be won at all, "
            "every card seen."
        )
        return Reading(IS_WON, PARTLY, sentence, left)
    sentence = (
        f"{begin}is possible: {interval.in_words()} can be won by someone who sees every card, and "
        "how many of them are won a solver cannot tell. If it is so, "
        f"{left.in_words()} of all deals could be won and are not."
    )
    return Reading(IS_WON, CONSISTENT, sentence, left)


def _s(who: str) -> str:
    """Return the ending of a verb whose subject begins with an article."""
    return "s" if who.startswith(("a ", "an ", "the ")) else ""


def _overlap(one: Interval, two: Interval) -> bool:
    return one.low <= two.high and two.low <= one.high
