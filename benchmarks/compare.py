"""Run fixed deals under two strategies and show where they differ; or each rule off in turn.

    python benchmarks/compare.py yukon --a default --b no-lateral --deals 1-300 --max-nodes 50000
    python benchmarks/compare.py yukon --native --deals 1-1000 --b no-landing,no-pair
    python benchmarks/compare.py yukon --deals 1-300 --max-nodes 200000 --ablation

A strategy is words joined by commas: the name of one in `yukonsolve.strategy` (`one-search`,
`many-tries`, `ghosts-first`, `sweep-first`; `default` is the rule set's own) and `no-RULE` for each
pruning rule to leave out.
Deals are rows of the reference set, or native numbers with --native. Verdicts are checked first:
against the reference where there is one, and always against each other; a contradiction ends the
run with exit status 1. Node counts repeat exactly, seconds do not.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from yukonsolve import strategy as strategies
from yukonsolve.cards import parse_card
from yukonsolve.deal import Deal, deal_from_deck
from yukonsolve.kernels.probes import PROBE_ALL, PROBE_NESTED
from yukonsolve.numbering import deck_of_number
from yukonsolve.rules import Rules, preset
from yukonsolve.solver import Solver
from yukonsolve.strategy import Strategy, Try, default_strategy
from yukonsolve.verdict import Limits, Result, Verdict
from yukonsolve.workspace import RULE_BITS

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "tests" / "data" / "yukon_family.csv"
SETS = {
    "yukon": ("yukon", "kings"),
    "yukon-any": ("yukon", "any"),
    "russian": ("russian", "kings"),
    "russian-any": ("russian", "any"),
}
NEVER = 1 << 62
FACTOR = 2
"""A deal whose nodes changed by more than this is shown."""


class Case(NamedTuple):
    name: str
    deal: Deal
    known: str


class Totals(NamedTuple):
    verdicts: dict[str, int]
    nodes: int
    seconds: float


def main() -> None:
    options = _options()
    name, spaces = SETS[options.set]
    rules = preset(name, spaces=spaces, worrying_back=options.worrying_back)
    limits = Limits(max_nodes=options.max_nodes, timeout_s=options.timeout)
    cases = native_cases(rules, options.deals) if options.native else reference_cases(
        rules, "" if options.worrying_back else options.set.replace("-", "_"), options.deals
    )  # fmt: skip
    if options.ablation:
        ablation(rules, limits, cases)
        return
    a = run(options.a, rules, limits, cases)
    b = run(options.b, rules, limits, cases)
    agree(options.a, a, options.b, b, cases)
    for line in changes(cases, a, b):
        print(line)
    for spec, results in ((options.a, a), (options.b, b)):
        totals = total(results)
        counts = ", ".join(f"{n} {verdict}" for verdict, n in totals.verdicts.items())
        decided = len(cases) - totals.verdicts["undecided"]
        print(
            f"{spec}: {decided} of {len(cases)} decided ({counts}); "
            f"{totals.nodes:,} nodes, {totals.seconds:.1f} s"
        )


def ablation(rules: Rules, limits: Limits, cases: list[Case]) -> None:
    """Print a Markdown table: nothing off, then each rule."""
    print("| rule off | solvable | unsolvable | undecided | nodes | seconds |")
    print("|---|---|---|---|---|---|")
    full = run("default", rules, limits, cases)
    print(table_row("none", full), flush=True)
    for rule in RULE_BITS:
        if rule == "suit-worry" and (rules.build != "suit" or not rules.worrying_back):
            continue
        spec = f"no-{rule}"
        results = run(spec, rules, limits, cases)
        agree("default", full, spec, results, cases)
        print(table_row(f"`{rule}`", results), flush=True)


def table_row(what: str, results: list[Result]) -> str:
    totals = total(results)
    counts = " | ".join(str(n) for n in totals.verdicts.values())
    return f"| {what} | {counts} | {totals.nodes:,} | {totals.seconds:.1f} |"


def parse_spec(spec: str, rules: Rules) -> tuple[Strategy, list[str]]:
    """Return the strategy, and the rules in force, that a specification names."""
    chosen = default_strategy(rules)
    off = set()
    for word in spec.split(","):
        rule = word.removeprefix("no-")
        named = getattr(strategies, word.upper().replace("-", "_"), None)
        if word.startswith("no-") and rule in RULE_BITS:
            off.add(rule)
        elif isinstance(named, Strategy):
            chosen = named
        elif word != "default":
            sys.exit(f"{word!r} is neither a strategy nor no-RULE of {', '.join(RULE_BITS)}")
    in_force = [rule for rule in RULE_BITS if rule not in off]
    return without_probes(chosen, off), in_force


def without_probes(strategy: Strategy, off: set[str]) -> Strategy:
    """Return the strategy without the probes left out: they are asked try by try.

    Probes rest on the dead-end test, so they go with it.
    """
    keep = PROBE_ALL | PROBE_NESTED
    for rule in off:
        keep &= ~RULE_BITS[rule]
    if "dead-end" in off:
        keep = 0

    def masked(attempt: Try) -> Try:
        nest_after = attempt.nest_after if keep & PROBE_NESTED else NEVER
        return replace(
            attempt,
            probes=attempt.probes & keep,
            root_probes=attempt.root_probes & keep,
            nest_after=nest_after,
        )

    return replace(
        strategy,
        first=tuple(masked(attempt) for attempt in strategy.first),
        then=tuple(masked(attempt) for attempt in strategy.then),
    )


def run(spec: str, rules: Rules, limits: Limits, cases: list[Case]) -> list[Result]:
    """Solve every case; end the program where a verdict contradicts the reference."""
    strategy, in_force = parse_spec(spec, rules)
    solver = Solver(rules, limits, strategy, in_force)
    solver.warm_up()
    results = []
    shown = time.monotonic()
    for done, case in enumerate(cases, 1):
        result = solver.solve(case.deal)
        results.append(result)
        if {result.verdict.value, case.known} == {"solvable", "unsolvable"}:
            sys.exit(f"{case.name}: {result.verdict.value} under {spec}, {case.known} is known")
        if time.monotonic() - shown > 10 and sys.stderr.isatty():
            shown = time.monotonic()
            print(f"{spec}: {done} of {len(cases)}", file=sys.stderr)
    return results


def agree(name_a: str, a: list[Result], name_b: str, b: list[Result], cases: list[Case]) -> None:
    """End the program if two runs contradict each other."""
    against = [
        f"{case.name}: {x.verdict.value} under {name_a}, {y.verdict.value} under {name_b}"
        for case, x, y in zip(cases, a, b, strict=True)
        if {x.verdict, y.verdict} == {Verdict.SOLVABLE, Verdict.UNSOLVABLE}
    ]
    if against:
        sys.exit("the two runs contradict each other\n" + "\n".join(against))


def changes(cases: list[Case], a: list[Result], b: list[Result]) -> list[str]:
    """Return a line for each deal with another outcome or another cost."""
    lines = []
    for case, x, y in zip(cases, a, b, strict=True):
        low, high = sorted((x.nodes, y.nodes))
        if x.verdict is y.verdict and high <= FACTOR * low:
            continue
        lines.append(
            f"{case.name:<12} {x.verdict.value:<10} {x.nodes:>10,} -> "
            f"{y.verdict.value:<10} {y.nodes:>10,}"
        )
    return lines


def total(results: list[Result]) -> Totals:
    verdicts = {v.value: sum(r.verdict is v for r in results) for v in Verdict}
    return Totals(verdicts, sum(r.nodes for r in results), sum(r.seconds for r in results))


def reference_cases(rules: Rules, column: str, numbers: range) -> list[Case]:
    with REFERENCE.open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if int(row["id"]) in numbers]
    cases = []
    for row in rows:
        text = row["cards"]
        deck = tuple(parse_card(text[i : i + 2]) for i in range(0, len(text), 2))
        known = row[column] if column else "undecided"
        cases.append(Case(f"row {row['id']}", deal_from_deck(deck, rules), known))
    return cases


def native_cases(rules: Rules, numbers: range) -> list[Case]:
    return [
        Case(f"native:{n}", deal_from_deck(deck_of_number("native", n, rules), rules), "undecided")
        for n in numbers
    ]


def _numbers(text: str) -> range:
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no range; write 1-300")
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("set", choices=list(SETS), help="rule set")
    parser.add_argument("--worrying-back", action="store_true", help="allow worrying back")
    parser.add_argument("--a", default="default", metavar="SPEC", help="strategy (default default)")
    parser.add_argument("--b", default="default", metavar="SPEC", help="the other strategy")
    parser.add_argument("--ablation", action="store_true", help="each rule off in turn, as a table")
    parser.add_argument(
        "--deals", type=_numbers, default=range(1, 101), metavar="A-B", help="default 1-100"
    )
    parser.add_argument("--native", action="store_true", help="numbers are native deals")
    parser.add_argument("--max-nodes", type=int, metavar="N", help="node limit a deal")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="time limit a deal")
    options = parser.parse_args()
    if not options.deals:
        parser.error("--deals runs backwards")
    return options


if __name__ == "__main__":
    main()
