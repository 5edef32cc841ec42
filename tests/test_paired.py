from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from report_tools import make_folder
from scipy.stats import binom

from yukonsolve.paired import compare, compare_all
from yukonsolve.rules import preset
from yukonsolve.stats import mcnemar, paired_difference, wilson
from yukonsolve.summary import label_runs, read_run

STRICT = preset("yukon")
LOOSE = preset("yukon", worrying_back=True)
OTHER = preset("russian")


def pair_of(tmp_path, rules_a, verdicts_a, rules_b, verdicts_b, **options):
    runs = [
        read_run(make_folder(tmp_path / name, rules, verdicts, **options))
        for name, rules, verdicts in (("a", rules_a, verdicts_a), ("b", rules_b, verdicts_b))
    ]
    return compare(*runs)


def test_published_paired_interval():
    # Cavo et al. 2012 as worked by Fagerland, Lydersen & Laake, Statistical Analysis of Contingency
    # Tables, chapter 8; their R package prints -0.1240 to -0.0054 for Tango's interval.
    interval = paired_difference(16, 6, 59 + 6 + 16 + 80)
    assert (round(interval.low, 4), round(interval.high, 4)) == (-0.1240, -0.0054)


@pytest.mark.parametrize("total", [1, 30, 10**6])
@pytest.mark.parametrize("wins", [0, 1, 0.3, 1.0])
def test_against_rules_that_never_win_it_is_wilsons_interval(wins, total):
    wins = int(wins * total) if isinstance(wins, float) else wins
    interval = paired_difference(0, wins, total)
    # Without a deal that flips down the difference is a plain share where it is above 0.
    assert interval.high == pytest.approx(wilson(wins, total).high, abs=1e-9)
    if wins:
        mirrored = paired_difference(wins, 0, total)
        assert (mirrored.low, mirrored.high) == pytest.approx((-interval.high, -interval.low))


def test_mcnemar_is_the_sign_test():
    for one, two in ((0, 0), (1, 0), (3, 9), (9, 3), (40, 41)):
        tail = binom.cdf(min(one, two), one + two, 0.5)
        assert mcnemar(one, two) == pytest.approx(min(1.0, 2 * tail))


def test_difference_covers_the_truth_about_as_often_as_it_says():
    """Exact coverage over every outcome of 40 deals at one truth."""
    n, up, down = 40, 0.1, 0.02
    covered = total = 0.0
    for flips in range(n + 1):
        for ups in range(flips + 1):
            weight = binom.pmf(flips, n, up + down) * binom.pmf(ups, flips, up / (up + down))
            if weight > 1e-9:
                interval = paired_difference(flips - ups, ups, n)
                total += weight
                covered += weight * (interval.low <= up - down <= interval.high)
    assert total > 0.999
    assert 0.94 < covered < 0.975


def falls(verdicts_a: str, verdicts_b: str, allowed) -> list[tuple[int, int, int, int]]:
    """Return every fourfold table that can come of the open deals, deal by deal."""
    found = set()
    choices = []
    for a, b in zip(verdicts_a, verdicts_b, strict=True):
        ends = [
            (x, y)
            for x, y in product("su", repeat=2)
            if a in (x, "?") and b in (y, "?") and ("?" not in a + b or allowed(x, y))
        ]
        choices.append(ends)
    for ends in product(*choices):
        found.add(
            tuple(ends.count(end) for end in (("s", "s"), ("s", "u"), ("u", "s"), ("u", "u")))
        )
    return sorted(found)


CASES = [
    "ssssuuuus??u?s",
    "ss?uuuuus?s?u?",
    "????uuuus?u?ss",
    "ssssssssss????",
    "s?s?s?s?suuuuu",
]


@pytest.mark.parametrize("a", CASES)
@pytest.mark.parametrize("b", CASES)
@pytest.mark.parametrize("rules", [(STRICT, LOOSE), (STRICT, OTHER), (STRICT, STRICT)])
def test_figures_hold_however_the_open_deals_fall(tmp_path, a, b, rules):
    def allowed(x: str, y: str) -> bool:
        impossible = {LOOSE: ["su"], OTHER: [], STRICT: ["su", "us"]}[rules[1]]
        return x + y not in impossible

    pair = pair_of(tmp_path, rules[0], a, rules[1], b)
    ways = falls(a, b, allowed)
    intervals = [paired_difference(way[1], way[2], len(a)) for way in ways]
    assert pair.difference.low == min(i.low for i in intervals)
    assert pair.difference.high == max(i.high for i in intervals)
    tests = [mcnemar(way[1], way[2]) for way in ways]
    assert pair.p_value.low == pytest.approx(min(tests))
    assert pair.p_value.high == pytest.approx(max(tests))
    if rules[1] is LOOSE:
        shares = [wilson(way[2], way[0] + way[2]) for way in ways]
        assert pair.needed is not None
        assert pair.needed.low == min(share.low for share in shares)
        assert pair.needed.high == max(share.high for share in shares)
    else:
        assert pair.needed is None


def test_flips_are_counted_deal_by_deal(tmp_path):
    pair = pair_of(tmp_path, OTHER, "ssuu?s?u?", STRICT, "susu?????")
    assert pair.first.rules == OTHER  # neither is looser: the order given
    assert (pair.deals, pair.given_up, pair.gained, pair.open) == (9, 1, 1, 5)
    assert pair.table == ((1, 1, 1), (1, 1, 1), (0, 0, 3))
    assert (pair.looser, pair.lost_count, pair.needed) == (None, 0, None)


def test_stricter_rules_come_first_and_a_lost_win_is_found(tmp_path):
    pair = pair_of(tmp_path, LOOSE, "suu?", STRICT, "ssu?", numbers=[5, 7, 9, 20])
    assert pair.first.rules == STRICT
    assert (pair.looser, pair.lost, pair.lost_count) == ("second", (7,), 1)


def test_equal_rules_may_not_differ_either_way(tmp_path):
    pair = pair_of(tmp_path, STRICT, "su?s", STRICT, "us?s")
    assert (pair.looser, pair.lost, pair.lost_count) == ("equal", (1, 2), 2)


def test_only_equal_cards_are_compared(tmp_path):
    vegas, draw1 = preset("klondike-vegas"), preset("klondike")
    runs = [
        read_run(make_folder(tmp_path / "1", STRICT, "susu")),
        read_run(make_folder(tmp_path / "2", vegas, "susu")),
        read_run(make_folder(tmp_path / "3", draw1, "ssss", numbering="solvitaire")),
        read_run(make_folder(tmp_path / "4", draw1, "ssss", numbers=[3, 4, 5, 9])),
        read_run(make_folder(tmp_path / "5", STRICT, "susu", numbers=[11, 12, 13, 14])),
    ]
    (pair,) = compare_all(runs)
    assert (pair.first.folder.name, pair.second.folder.name) == ("2", "4")
    assert pair.table == ((1, 0, 0), (1, 0, 0), (0, 0, 0))  # deals 3 and 4


def test_counts_agree_with_a_plain_dictionary(tmp_path):
    rng = np.random.default_rng(7)
    letters = np.array(list("su?"))
    numbers = [np.sort(rng.choice(3000, 900, replace=False)) for _ in range(2)]
    verdicts = [letters[rng.integers(0, 3, 900)] for _ in range(2)]
    runs = [
        read_run(make_folder(tmp_path / str(i), rules, "".join(v), n.tolist()))
        for i, (rules, n, v) in enumerate(zip((OTHER, STRICT), numbers, verdicts, strict=True))
    ]
    pair = compare(*runs)
    known = dict(zip(numbers[0].tolist(), verdicts[0].tolist(), strict=True))
    found = dict.fromkeys(product("su?", repeat=2), 0)
    for number, verdict in zip(numbers[1].tolist(), verdicts[1].tolist(), strict=True):
        if number in known:
            found[known[number], verdict] += 1
    assert [c for row in pair.table for c in row] == list(found.values())


def test_labels_tell_equal_rules_apart(tmp_path):
    runs = label_runs(
        [
            read_run(make_folder(tmp_path / place, rules, "su"))
            for place, rules in (("x/a", STRICT), ("x/b", STRICT), ("y/a", STRICT), ("y/c", OTHER))
        ]
    )
    labels = [run.label for run in runs]
    assert len(set(labels)) == 4
    assert labels[1] == "Yukon (b)"
    assert labels[3] == "Russian"
