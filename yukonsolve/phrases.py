"""What every readable form of a report says in the same words."""

from __future__ import annotations

from typing import Any

from yukonsolve.paired import SHOWN_LOST, Pair

RUNNING = (
    "the run is not complete. Its interval is right for the deals so far, but whoever stops when "
    "it looks good gets a wrong one."
)
CLAIMS_JUDGED = "What is refuted is so at 95 % confidence; what fits is not proved."
UNDECIDED_REASONS = {
    "nodes": "node limit",
    "time": "time limit",
    "memory": "memory limit",
    "interrupted": "interrupted",
    "error": "error",
}
"""Why a deal is undecided, for people."""


def reasons_text(reasons: dict[str, int]) -> str:
    """Return why deals are undecided.

    Examples
    --------
    >>> reasons_text({"nodes": 1200, "time": 3})
    'node limit 1,200, time limit 3'
    """
    return ", ".join(f"{UNDECIDED_REASONS.get(r, r)} {n:,}" for r, n in reasons.items())


def limits_text(limits: dict[str, Any]) -> str:
    """Return the limits of a run.

    Examples
    --------
    >>> limits_text({"max_nodes": 5000, "max_memory_bytes": 2**30, "timeout_s": None})
    '5,000 nodes, 1,024 MiB a process'
    """
    parts = [
        f"{limits['max_nodes']:,} nodes",
        f"{limits['max_memory_bytes'] / 2**20:,.0f} MiB a process",
    ]
    if limits["timeout_s"] is not None:
        parts.append(f"{limits['timeout_s']:g} s (results under a time limit are not reproducible)")
    return ", ".join(parts)


def machine_text(machine: dict[str, Any]) -> str:
    """Return what machine made a run.

    Examples
    --------
    >>> machine_text({"cpu": "Z80", "cores": 1, "memory_bytes": 2**30, "system": "CP/M"})
    'Z80, 1 core, 1.0 GiB, CP/M'
    """
    memory = float(machine.get("memory_bytes", 0)) / 2**30
    cpu, cores, system = (machine.get(key, "?") for key in ("cpu", "cores", "system"))
    return f"{cpu}, {cores} {'core' if cores == 1 else 'cores'}, {memory:.1f} GiB, {system}"


def alarm_text(pair: Pair) -> str:
    """Return what is wrong with a pair in which the looser rules lost a win.

    Examples
    --------
    >>> alarm_text(pair)  # doctest: +SKIP
    'ALARM: Yukon and Yukon, any card to spaces: 1 deal: ...'
    """
    numbers = ", ".join(f"{pair.first.numbering}:{number}" for number in pair.lost)
    more = f" and {pair.lost_count - SHOWN_LOST:,} more" if pair.lost_count > SHOWN_LOST else ""
    deals = "1 deal" if pair.lost_count == 1 else f"{pair.lost_count:,} deals"
    if pair.looser == "equal":
        what = "the rules are equal and the verdicts are not"
    else:
        what = f"solvable under {pair.first.label} and unsolvable under the looser rules"
    return (
        f"ALARM: {pair.first.label} and {pair.second.label}: {deals}: {what}. One of the two runs "
        f"is wrong: {numbers}{more}"
    )


def pair_facts(pair: Pair) -> list[str]:
    """Return what two runs on the same deals say of each other, a sentence a fact.

    Examples
    --------
    >>> pair_facts(pair)[0]  # doctest: +SKIP
    '5,000 deals of native are in both'
    """
    first, second = pair.first.label, pair.second.label
    facts = [
        f"{pair.deals:,} deals of {pair.first.numbering} are in both"
        + (" (running: not all of them yet)" if pair.running else ""),
        f"{pair.gained:,} deals flip from unsolvable to solvable, {pair.given_up:,} from solvable "
        f"to unsolvable; {pair.open:,} are undecided in one run or both",
    ]
    if pair.looser == "equal":
        facts.append("The rules are equal, so nothing may flip")
    else:
        low, high = pair.difference.as_percent(pair.difference.digits)
        facts += [
            f"Win rate of {second} less that of {first}: {low} to {high} percentage points "
            "(95 %, Tango's interval for pairs"
            + (", undecided deals bracketed)" if pair.open else ")"),
            f"McNemar's exact test: {_p_text(pair)}",
        ]
    if pair.needed is not None:
        facts.append(
            f"Of the deals that can be won under {second}, {pair.needed.in_words()} cannot be won "
            f"under {first}"
        )
    if pair.looser == "second":
        alarm = ": see ALARM" if pair.lost else ""
        facts.append(f"Every win under {first} is one under {second}{alarm}")
    return facts


def _p_text(pair: Pair) -> str:
    low, high = pair.p_value.low, pair.p_value.high
    if high < 1e-300:
        return "p below 1e-300"
    least = "below 1e-300" if low < 1e-300 else f"{low:.2g}"
    most = f"{high:.2g}"
    return f"p = {most}" if least == most else f"p from {least} to {most}, as undecided deals fall"
