from __future__ import annotations

import pytest
from report_tools import make_folder

from yukonsolve.claims import Claim, judge
from yukonsolve.published import CLAIMS, claims_asked, claims_text, read_claim
from yukonsolve.rules import preset
from yukonsolve.stats import Interval, Tally, bracket
from yukonsolve.summary import read_run

YUKON = preset("yukon")


@pytest.fixture(scope="module")
def yukon(tmp_path_factory):
    """900 won, 80 lost, 20 undecided: 87.98 % to 93.53 %."""
    verdicts = "s" * 900 + "u" * 80 + "?" * 20
    return read_run(make_folder(tmp_path_factory.mktemp("run"), YUKON, verdicts))


def verdicts_of(claim: str, run) -> dict[str, str]:
    return {r.of: r.verdict for r in judge(read_claim(claim), run).readings}


@pytest.mark.parametrize(
    ("claim", "can", "people"),
    [
        ("x: 0.25", "refuted", "consistent"),
        ("x: 90%", "consistent", "consistent"),
        ("x: 87.9%", "refuted", "consistent"),
        ("x: 88%", "consistent", "consistent"),
        ("x: 93.5%", "consistent", "consistent"),
        ("x: 93.6%", "refuted", "refuted"),
        ("x: 25-40 %", "refuted", "consistent"),
        ("x: 85-99%", "consistent", "partly refuted"),
        ("x: 95-99%", "refuted", "refuted"),
        ("x: 50-100%", "consistent", "consistent"),
    ],
)
def test_verdicts_are_those_the_interval_allows(yukon, claim, can, people):
    assert (round(yukon.interval.low, 4), round(yukon.interval.high, 4)) == (0.8798, 0.9353)
    assert verdicts_of(claim, yukon) == {"can be won": can, "is won": people}


def test_people_winning_less_is_never_refuted(yukon):
    for percent in range(0, 93):
        assert verdicts_of(f"x: {percent}%", yukon)["is won"] == "consistent"


def test_what_is_left_on_the_table(yukon):
    _, people = judge(read_claim("x: 25-40%"), yukon).readings
    assert people.left_over == Interval(yukon.interval.low - 0.4, yukon.interval.high - 0.25)
    assert people.left_over.in_words() in people.sentence
    assert "someone who sees every card" in people.sentence


def test_a_claim_about_play_is_not_taken_for_one_about_deals(yukon):
    assert set(verdicts_of("yukon-people", yukon)) == {"is won"}


def test_every_fourth_game(yukon):
    claim = read_claim("morehead: 0.25")
    assert claim == CLAIMS["morehead"]
    can, people = judge(claim, yukon).readings
    assert (can.verdict, people.verdict) == ("refuted", "consistent")


@pytest.mark.parametrize(
    ("rules", "applies"),
    [
        (YUKON, True),
        (preset("yukon", worrying_back=True), True),
        (preset("yukon", spaces="any"), False),
        (preset("russian"), False),
        (preset("klondike"), False),
    ],
)
def test_claims_about_other_rules_do_not_apply(tmp_path, rules, applies):
    run = read_run(make_folder(tmp_path, rules, "ssu"))
    judgement = judge(CLAIMS["morehead"], run)
    assert bool(judgement.readings) is applies
    assert bool(judgement.why_not) is not applies


def test_rules_in_brackets(tmp_path, yukon):
    claim = read_claim("my page [russian]: 12%")
    assert "Russian" in judge(claim, yukon).why_not
    run = read_run(make_folder(tmp_path, preset("russian"), "suu"))
    assert judge(claim, run).readings


# The counts the studies print, as runs: each must agree with its own figure and with no other.
STUDIES = {
    "draw3-cp2025": (Tally(819_382, 180_535, 83), {}),
    "draw1-no-worrying-back": (Tally(901_702, 97_622, 676), {"draw": 1, "worrying_back": False}),
    "draw3-any-card": (Tally(949_577, 50_406, 17), {"spaces": "any"}),
    "draw3-in-suit": (Tally(68_945, 931_055, 0), {"build": "suit"}),
    "draw3-in-suit-any-card": (Tally(407_620, 592_380, 0), {"build": "suit", "spaces": "any"}),
}


@pytest.mark.parametrize("name", STUDIES)
def test_studies_are_as_their_counts_say(name):
    tally, changes = STUDIES[name]
    printed = bracket(tally)
    assert CLAIMS[name].share.low == pytest.approx(printed.low, abs=2.1e-5)
    assert CLAIMS[name].share.high == pytest.approx(printed.high, abs=2.1e-5)
    rules = preset("klondike-draw3", **changes)
    assert all(getattr(rules, field) == value for field, value in CLAIMS[name].about.items())
    others = [c for c in CLAIMS.values() if c.kind == "study" and c.about == CLAIMS[name].about]
    assert CLAIMS[name] in others


def test_study_intervals_overlap_or_not(tmp_path):
    rules = preset("klondike-draw3")
    near = read_run(make_folder(tmp_path / "near", rules, "s" * 820 + "u" * 180))
    far = read_run(make_folder(tmp_path / "far", rules, "s" * 700 + "u" * 300))
    assert verdicts_of("draw3-cp2025", near) == {"can be won": "agrees"}
    assert verdicts_of("draw3-cp2025", far) == {"can be won": "differs"}
    assert verdicts_of("mine: 81.9+-0.1%", far) == {"can be won": "differs"}


@pytest.mark.parametrize(
    ("won", "open_", "verdict"),
    [(8131, 0, "agrees"), (8133, 0, "agrees"), (8130, 0, "differs"), (8129, 2, "agrees"),
     (8134, 0, "differs")],
)  # fmt: skip
def test_equal_deals_are_compared_by_their_counts(tmp_path, won, open_, verdict):
    verdicts = "s" * won + "?" * open_ + "u" * (10_000 - won - open_)
    rules = preset("klondike-draw3")
    run = read_run(make_folder(tmp_path, rules, verdicts, numbering="solvitaire"))
    assert verdicts_of("solvitaire-10000", run) == {"can be won": verdict}


def test_counts_on_other_deals_do_not_apply(tmp_path):
    rules = preset("klondike-draw3")
    run = read_run(make_folder(tmp_path / "a", rules, "s" * 20, numbering="solvitaire"))
    assert "solvitaire:10000" in judge(CLAIMS["solvitaire-10000"], run).why_not
    part = make_folder(
        tmp_path / "b", rules, "s" * 20, wanted=range(1, 10_001), numbering="solvitaire"
    )
    assert "does not have them all" in judge(CLAIMS["solvitaire-10000"], read_run(part)).why_not


def test_a_running_run_is_named_so(tmp_path):
    run = read_run(make_folder(tmp_path, YUKON, "s" * 50, wanted=range(1, 100)))
    assert all("not complete" in r.sentence for r in judge(read_claim("x: 1%"), run).readings)


def test_a_run_without_deals_judges_nothing(tmp_path):
    run = read_run(make_folder(tmp_path, YUKON, "", numbers=[], wanted=range(1, 5)))
    assert judge(read_claim("x: 1%"), run).why_not == "the run has no deals yet"


@pytest.mark.parametrize(
    ("text", "low", "high", "kind"),
    [
        ("a: 0.25", 0.25, 0.25, "either"),
        ("a: .25", 0.25, 0.25, "either"),
        ("a:25 %", 0.25, 0.25, "either"),
        ("a b c: 25%-40%", 0.25, 0.4, "either"),
        ("a: 0.25..0.4", 0.25, 0.4, "either"),
        ("a: 25 to 40 %", 0.25, 0.4, "either"),
        ("https://example.org/rules: 25%", 0.25, 0.25, "either"),
        ("a: 81.942 +- 0.080 %", 0.81862, 0.82022, "study"),
        ("a: 0.5±0.1", 0.4, 0.6, "study"),
        ("morehead: 30%", 0.3, 0.3, "either"),
    ],
)
def test_own_claims_are_read(text, low, high, kind):
    claim = read_claim(text)
    assert (claim.share.low, claim.share.high) == pytest.approx((low, high))
    assert claim.kind == kind
    assert isinstance(claim, Claim)


def test_a_published_name_with_another_share_keeps_what_it_is_about():
    claim = read_claim("morehead: 30%")
    assert claim.about == CLAIMS["morehead"].about
    assert claim.words == ""


@pytest.mark.parametrize(
    "text",
    ["moorhead", "a: 25", "a: x", "a: 40-25%", "a: 120%", ": 25%", "a:", "a [no]: 2%", "a: 1+-9%"],
)
def test_what_is_no_claim_is_refused(text):
    with pytest.raises(ValueError, match=r"claim|share|rules"):
        read_claim(text)


def test_every_published_claim_is_listed_and_asked_for_by_all():
    assert [claim for claim, _ in claims_asked("all")] == list(CLAIMS.values())
    lines = claims_text().splitlines()
    assert [line.split()[0] for line in lines] == list(CLAIMS)
