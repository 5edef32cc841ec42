"""Claims about win rates, and what a run says of them.

A claim may be about three things, which must not be mixed:

* ``study``: the share of deals that can be won by someone who sees every card, measured;
* ``play``: the share that somebody wins, who may not see every card or not find every win;
* ``either``: the source does not tell; then both readings are judged.

What can be won bounds what is won from above and not from below. So a run can refute a claim about
play only by showing that fewer deals can be won at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from yukonsolve.stats import Interval
from yukonsolve.summary import Run

REFUTED = "refuted"
CONSISTENT = "consistent"
PARTLY = "partly refuted"
AGREES = "agrees"
DIFFERS = "differs"


@dataclass(frozen=True)
class Claim:
    """A claimed win rate.

    Parameters
    ----------
    name : str
        One word, to ask for it.
    share : Interval
        What is claimed; both ends are equal for a single figure.
    kind : {"study", "play", "either"}
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
