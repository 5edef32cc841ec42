"""Time the Klondike search on reference deals, and what each pruning rule is worth.

    python benchmarks/klondike.py time --draw 3 --seeds 1-200
    python benchmarks/klondike.py rules --draw 3 --seeds 1-200 --max-nodes 1000000

Times are processor time of the search, line and replay included, compilation not. Deals are
Solvitaire seeds. ``time`` prints mean, median and the slowest deals; ``rules`` the same deals with
each rule off in turn, a deal that the node limit leaves open counting with what it took so far.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter

from yukonsolve.deal import Deal, deal_from_deck
from yukonsolve.klondike import KlondikeEngine
from yukonsolve.klondike_space import RULE_BITS
from yukonsolve.numbering import deck_of_number
from yukonsolve.rules import Rules, preset
from yukonsolve.verdict import Limits


def measure(
    deals: dict[int, Deal], rules: Rules, limits: Limits, off: str = ""
) -> tuple[Counter[str], list[tuple[float, int, int]]]:
    """Solve the deals; return the verdicts, and (seconds, seed, nodes) of each."""
    engine = KlondikeEngine(rules, limits, [name for name in RULE_BITS if name != off])
    engine.warm_up()
    verdicts: Counter[str] = Counter()
    rows = []
    for seed, deal in deals.items():
        begun = time.process_time()
        result = engine.search(deal)
        rows.append((time.process_time() - begun, seed, result.nodes))
        verdicts[result.verdict.value] += 1
    return verdicts, rows


def report(title: str, verdicts: Counter[str], rows: list[tuple[float, int, int]]) -> None:
    seconds = [row[0] for row in rows]
    print(
        f"{title}: {len(rows)} deals, {verdicts['solvable']} solvable, "
        f"{verdicts['unsolvable']} unsolvable, {verdicts['undecided']} undecided; "
        f"mean {1e3 * statistics.mean(seconds):.2f} ms, "
        f"median {1e3 * statistics.median(seconds):.2f} ms, max {max(seconds):.2f} s; "
        f"{sum(row[2] for row in rows):,} nodes",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("what", choices=("time", "rules"))
    parser.add_argument("--seeds", default="1-200")
    parser.add_argument("--draw", type=int, default=3)
    parser.add_argument("--passes", type=int, default=0)
    parser.add_argument("--build", default="alternate")
    parser.add_argument("--spaces", default="kings")
    parser.add_argument("--no-worrying-back", action="store_true")
    parser.add_argument("--max-nodes", type=int)
    parser.add_argument("--timeout", type=float)
    parser.add_argument("--max-memory", type=int, default=4 << 30)
    given = parser.parse_args()
    rules = preset(
        "klondike",
        draw=given.draw,
        passes=given.passes,
        build=given.build,
        spaces=given.spaces,
        worrying_back=not given.no_worrying_back,
    )
    low, _, high = given.seeds.partition("-")
    deals = {
        seed: deal_from_deck(deck_of_number("solvitaire", seed, rules), rules)
        for seed in range(int(low), int(high or low) + 1)
    }
    limits = Limits(given.max_nodes, given.timeout, given.max_memory)
    print(rules.describe(), f"seeds {given.seeds}", flush=True)
    verdicts, rows = measure(deals, rules, limits)
    report("every rule", verdicts, rows)
    if given.what == "time":
        for seconds, seed, nodes in sorted(rows, reverse=True)[:10]:
            print(f"  seed {seed}: {seconds:.2f} s, {nodes:,} nodes")
        return 0
    for off in RULE_BITS:
        report(f"without {off}", *measure(deals, rules, limits, off))
    return 0


if __name__ == "__main__":
    sys.exit(main())
