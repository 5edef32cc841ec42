"""A report as Markdown that also reads well as plain text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from yukonsolve.claims import Judgement
from yukonsolve.paired import Pair
from yukonsolve.phrases import (
    CLAIMS_JUDGED,
    RUNNING,
    alarm_text,
    limits_text,
    machine_text,
    pair_facts,
    reasons_text,
)
from yukonsolve.report import Report
from yukonsolve.rows import VERDICTS
from yukonsolve.summary import Run, Spread


def markdown(report: Report) -> str:
    """Return a report as Markdown, without a newline at its end.

    Examples
    --------
    >>> print(markdown(build_report([Path("results/russian")])))  # doctest: +SKIP
    # Russian
    """
    blocks: list[str] = []
    several = len(report.runs) > 1
    if several:
        blocks += ["# Win rates", headline_table(report.runs)]
        if any(run.running for run in report.runs):
            blocks.append(f"Running: {RUNNING}")
    if report.alarms:
        blocks += ["## ALARM", *(alarm_text(pair) for pair in report.alarms)]
    if report.pairs:
        blocks.append("## On the same deals")
        for pair in report.pairs:
            blocks += _pair_blocks(pair)
    if several:
        blocks += _claim_blocks(report)
    for run in report.runs:
        blocks += [f"{'##' if several else '#'} {run.label}", *_run_blocks(run)]
    if not several:
        blocks += _claim_blocks(report)
    blocks.append(f"Made by yukonsolve {report.tool_version}:\n\n    {report.command}")
    return "\n\n".join(blocks)


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Return a Markdown table with columns of even width, the first ``left`` flush left.

    Examples
    --------
    >>> print(table(["Deals", "n"], [["all", "7"]]))
    | Deals |  n |
    |-------|---:|
    | all   |  7 |
    """
    widths = [max(len(row[i]) for row in (columns, *rows)) for i in range(len(columns))]
    widths = [max(width, 2) for width in widths]

    def line(cells: Sequence[str]) -> str:
        padded = (
            f"{cell:<{width}}" if i < left else f"{cell:>{width}}"
            for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return f"| {' | '.join(padded)} |"

    rules = ("-" * (w + 2) if i < left else "-" * (w + 1) + ":" for i, w in enumerate(widths))
    return "\n".join([line(columns), f"|{'|'.join(rules)}|", *(line(row) for row in rows)])


def headline_table(runs: Sequence[Run]) -> str:
    """Return one line a run: rules, deals, the three counts, the interval.

    Examples
    --------
    >>> headline_table([]).splitlines()[0]
    '| Rules | Deals | Solvable | Unsolvable | Undecided | Win rate |'
    """
    columns = ["Rules", "Deals", "Solvable", "Unsolvable", "Undecided", "Win rate"]
    rows = []
    for run in runs:
        rate = run.interval.in_words() if run.interval else "no deals yet"
        rows.append(
            [
                run.label,
                run.deals_in_words,
                f"{run.tally.solvable:,}",
                f"{run.tally.unsolvable:,}",
                f"{run.tally.undecided:,}",
                f"{rate} (running)" if run.running and run.interval else rate,
            ]
        )
    return table(columns, rows, left=2)


def _run_blocks(run: Run) -> list[str]:
    t = run.tally
    there = f"{t.total:,} in all" if not run.running else f"{t.total:,} of {run.wanted:,}: "
    facts = [
        f"Rules: {run.rules.name}: {run.rules_in_words}",
        f"Deals: {run.deals_in_words}, {there}{'NOT COMPLETE' if run.running else ''}",
        f"Limits: {limits_text(run.limits)}",
        *(f"Undecided deals tried again: {limits_text(limits)}" for limits in run.retries),
    ]
    if run.interval is not None:
        facts.append(f"Win rate: {_rate_text(run)}")
        if not run.numbers.is_range:
            facts.append("The numbers are a list: if they were chosen, so is the rate")
    if run.near_an_end and run.exact_interval is not None:
        low, high = run.exact_interval.as_percent()
        facts.append(f"Clopper-Pearson, as the rate is near 0 or 1: {low} % to {high} %")
    if run.running and run.interval is not None:
        gaps = f" {run.gaps:,} skipped deals count as undecided." if run.gaps else ""
        facts.append(f"Running: {RUNNING}{gaps}")
    blocks = ["\n".join(f"* {fact}" for fact in facts), _verdict_table(run)]
    if run.reasons:
        blocks.append(f"The undecided are undecided because of: {reasons_text(run.reasons)}")
    if run.nodes is not None:
        blocks.append(_spread_table(run))
    blocks.append(_made_text(run))
    return blocks


def _rate_text(run: Run) -> str:
    assert run.interval is not None
    low, high = run.interval.as_percent()
    centre, half = run.interval.as_midpoint()
    text = f"{low} % to {high} % ({centre} +- {half}), 95 % Wilson interval"
    if run.tally.undecided or run.gaps:
        text += ", undecided deals counted as lost at its low end and as won at its high end"
    return text


def _verdict_table(run: Run) -> str:
    t = run.tally
    counts = zip(VERDICTS, (t.solvable, t.unsolvable, t.undecided), strict=True)
    rows = [
        [name.capitalize(), f"{count:,}", f"{100 * count / max(1, t.total):.3f} %"]
        for name, count in counts
    ]
    return table(["Verdict", "Deals", "Share"], rows)


def _spread_table(run: Run) -> str:
    rows = []
    spreads: list[tuple[str, Spread | None, str, str]] = [
        ("Nodes", run.nodes, ",.0f", ",.0f"),
        ("Seconds", run.seconds, ",.6f", ",.1f"),
        ("Moves of the solutions found", run.solution_length, ",.0f", ""),
    ]
    for name, spread, style, total_style in spreads:
        if spread is not None:
            values = (spread.median, spread.p90, spread.p99, spread.max)
            total = format(spread.total, total_style) if total_style else ""
            rows.append([name, *(format(value, style) for value in values), total])
    return table(["A deal took", "Median", "p90", "p99", "Max", "Total"], rows)


def _made_text(run: Run) -> str:
    lines = ["Made by", "", *(f"    {command}" for command in run.commands)]
    machines = "; ".join(machine_text(machine) for machine in run.machines)
    versions = "; ".join(", ".join(f"{k} {v}" for k, v in each.items()) for each in run.versions)
    when = f"{run.started_utc or '?'} to {run.ended_utc or '?'}"
    return "\n".join([*lines, "", f"on {machines}; {versions}; solver {run.solver}; {when}"])


def _pair_blocks(pair: Pair) -> list[str]:
    first, second = pair.first.label, pair.second.label
    rows = [
        [name.capitalize(), *(f"{count:,}" for count in counts)]
        for name, counts in zip(VERDICTS, pair.table, strict=True)
    ]
    return [
        f"### {first} against {second}",
        f"Rows: {first}. Columns: {second}.",
        table(["Deals", *(name.capitalize() for name in VERDICTS)], rows),
        "\n".join(f"* {fact}" for fact in pair_facts(pair)),
    ]


def _claim_blocks(report: Report) -> list[str]:
    if not report.judgements:
        return []
    blocks = ["## Claims", CLAIMS_JUDGED]
    for _, group in groupby(report.judgements, key=lambda j: j.claim):
        blocks.append(_claim_text(list(group), len(report.runs) > 1))
    return blocks


def _claim_text(judgements: list[Judgement], several: bool) -> str:
    claim = judgements[0].claim
    words = f', "{claim.words}"' if claim.words else ""
    source = f" ({claim.source})" if claim.source else ""
    about = f" It is about {claim.about_in_words}." if claim.about_in_words else ""
    lines = [f"**{claim.name}**: {claim.share_in_words}{words}{source}.{about}", ""]
    applied = [judgement for judgement in judgements if judgement.readings]
    for judgement in applied:
        begin = f"{judgement.run.label}: " if several else ""
        lines += [f"* {begin}{reading.sentence}" for reading in judgement.readings]
    if not applied:
        reasons = list(dict.fromkeys(judgement.why_not for judgement in judgements))
        lines.append(f"* Does not apply: {'; '.join(reasons)}.")
    else:
        others = [judgement.run.label for judgement in judgements if not judgement.readings]
        if others:
            lines.append(f"* Does not apply to: {'; '.join(others)}.")
    return "\n".join(lines)
