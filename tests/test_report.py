from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from click.testing import CliRunner
from report_tools import make_folder

from yukonsolve.cli import main
from yukonsolve.rules import preset
from yukonsolve.selection import Selection
from yukonsolve.stats import Tally, bracket, clopper_pearson
from yukonsolve.summary import Spread, read_run

YUKON = preset("yukon")
LOOSE = preset("yukon", worrying_back=True)


def run(*arguments: object):
    return CliRunner().invoke(main, [str(a) for a in arguments])


def json_of(*arguments: object):
    return json.loads(run("report", *arguments, "--format", "json").stdout)


def test_spreads_are_over_deals_and_lengths_over_wins(tmp_path):
    folder = make_folder(tmp_path, YUKON, "ssu?" * 25)
    nodes = 10 * np.arange(1, 101)
    found = read_run(folder)
    assert found.nodes.median == np.median(nodes)
    assert found.nodes.p99 == np.percentile(nodes, 99)
    assert (found.nodes.max, found.nodes.total, found.nodes.mean) == (1000, 50500, 505)
    assert found.solution_length == Spread(90, 90, 90, 90, 90, 50 * 90)
    assert found.reasons == {"nodes": 25}
    assert found.columns.number.tolist() == list(range(1, 101))


def test_skipped_deals_of_a_running_run_count_as_undecided(tmp_path):
    """The deals still being searched may be the hard ones; leaving them out would flatter."""
    folder = make_folder(tmp_path, YUKON, "s" * 60, [*range(1, 60), 90], wanted=range(1, 201))
    found = read_run(folder)
    assert (found.running, found.gaps) == (True, 30)
    assert found.interval == bracket(Tally(60, 0, 30))
    text = run("report", folder).stdout
    assert "30 skipped deals count as undecided" in text
    assert "NOT COMPLETE" in text
    assert "Running" in text


def test_a_folder_given_twice_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    make_folder(tmp_path / "x", YUKON, "su")
    other = make_folder(tmp_path / "other" / "x", YUKON, "su")
    assert run("report", "x", other).exit_code == 0
    (tmp_path / "link").symlink_to("x")
    for again, named in (("x", ""), (tmp_path / "x", " (also as x)"), ("link", " (also as x)")):
        result = run("report", "x", other, again)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"Error: {again}: the same folder is given twice{named}\n"


def test_near_an_end_both_intervals_are_shown(tmp_path):
    near = make_folder(tmp_path / "near", YUKON, "s" * 196 + "u" * 4)
    middle = make_folder(tmp_path / "middle", YUKON, "su" * 100)
    assert "Clopper-Pearson" in run("report", near).stdout
    assert "Clopper-Pearson" not in run("report", middle).stdout
    values = json_of(near)["runs"][0]["clopper_pearson"]
    exact = clopper_pearson(196, 200)
    assert values["low"] <= exact.low
    assert values["high"] >= exact.high
    assert values["low"] == pytest.approx(exact.low, abs=2e-9)


def test_chosen_numbers_are_no_range(tmp_path):
    folder = make_folder(tmp_path, YUKON, "susu", [3, 8, 9, 70], Selection([3, 8, 9, 70]))
    assert "4 numbers from native:3 to native:70" in run("report", folder).stdout
    values = json_of(folder)["runs"][0]
    assert (values["first"], values["last"], values["deals_wanted"]) == (3, 70, 4)
    assert values["gaps"] == 0


def test_json_and_solve_show_rules_alike(tmp_path):
    for name in ("yukon", "klondike-draw3", "klondike-vegas"):
        folder = make_folder(tmp_path / name, preset(name), "su")
        solved = json.loads(run("solve", name, "native:1", "--json", "--max-nodes", 1).stdout)
        assert json_of(folder)["runs"][0]["rules"] == solved["rules"]


def test_several_runs_get_a_table_and_a_comparison(tmp_path):
    strict = make_folder(tmp_path / "strict", YUKON, "ssuuu" * 20)
    loose = make_folder(tmp_path / "loose", LOOSE, "sssuu" * 20)
    text = run("report", loose, strict).stdout
    lines = text.splitlines()
    assert lines[0] == "# Win rates"
    assert sum(line.startswith(("| Yukon |", "| Yukon  ", "| Yukon,")) for line in lines) == 2
    assert "20 deals flip from unsolvable to solvable, 0 from solvable to unsolvable" in text
    values = json_of(loose, strict)
    (pair,) = values["pairs"]
    assert (pair["first"], pair["second"]) == ("Yukon", "Yukon, worrying back")
    assert pair["counts"]["unsolvable"] == {"solvable": 20, "unsolvable": 40, "undecided": 0}
    assert pair["mcnemar_p"]["high"] == pytest.approx(2 * 0.5**20)
    assert pair["difference"]["low"] < 0.2 < pair["difference"]["high"]
    assert values["alarms"] == []


def test_a_lost_win_raises_the_alarm(tmp_path):
    strict = make_folder(tmp_path / "strict", YUKON, "ssuu")
    loose = make_folder(tmp_path / "loose", LOOSE, "suuu")
    for form in ("md", "json", "csv"):
        result = run("report", strict, loose, "--format", form)
        assert result.exit_code == 1
        assert "ALARM" in result.stderr
        assert "native:2" in result.stderr
        assert result.stdout
    assert "## ALARM" in run("report", strict, loose).stdout
    (alarm,) = json.loads(run("report", strict, loose, "--json").stdout)["alarms"]
    assert (alarm["stricter"], alarm["lost"]) == ("Yukon", [2])


def test_csv_has_one_line_a_run_and_the_values_of_the_json(tmp_path):
    folders = [
        make_folder(tmp_path / "a", YUKON, "ssu?"),
        make_folder(tmp_path / "b", preset("klondike"), "", numbers=[], wanted=range(1, 3)),
    ]
    text = run("report", *folders, "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    values = json_of(*folders)["runs"]
    for row, value in zip(rows, values, strict=True):
        for key, cell in row.items():
            outer, _, inner = key.partition(".")
            there = value[outer] if not inner else (value[outer] or {}).get(inner)
            there = str(there).lower() if isinstance(there, bool) else there
            assert cell == ("" if there is None else str(there)), key
    assert rows[1]["win_rate.low"] == ""


def test_claims_in_every_form(tmp_path):
    yukon = make_folder(tmp_path / "a", YUKON, "s" * 90 + "u" * 10)
    other = make_folder(tmp_path / "b", preset("russian"), "u" * 90 + "s" * 10)
    text = run("report", yukon, other, "--claim", "morehead", "--claim", "a friend: 95%").stdout
    assert "Does not apply to: Russian." in text
    assert "**a friend**: 95 %." in text
    assert "--claim morehead --claim 'a friend: 95%'" in text
    alone = run("report", other, "--claim", "morehead").stdout
    assert "Does not apply: it is about Yukon" in alone
    claims = json_of(yukon, other, "--claim", "all")["claims"]
    assert {claim["run"] for claim in claims if claim["name"] == "morehead"} == {"Yukon"}
    assert all(claim["applies"] for claim in claims)


def test_claim_help_needs_no_folder():
    result = run("report", "--claim", "help")
    assert result.exit_code == 0
    assert "morehead" in result.stdout


def test_bad_claims_are_refused_before_anything_is_read():
    result = run("report", "no-such-folder", "--claim", "a: 25")
    assert result.exit_code == 2
    assert "'25' is no share" in result.stderr
    assert result.stdout == ""


def test_bad_folders_get_one_line(tmp_path):
    file = tmp_path / "file"
    file.write_text("x")
    lacking = make_folder(tmp_path / "lacking", YUKON, "su")
    manifest = json.loads((lacking / "_manifest.json").read_text())
    del manifest["identity"]["rules"]["spaces"]
    (lacking / "_manifest.json").write_text(json.dumps(manifest))
    torn = make_folder(tmp_path / "torn", YUKON, "su")
    (torn / "_manifest.json").write_text("{")
    for folder, said in (
        (file, "is a file, not a results folder"),
        (tmp_path / "none", "there is no such folder"),
        (tmp_path, "has no _manifest.json"),
        (lacking, "the rules lack spaces"),
        (torn, "cannot be read"),
    ):
        for command in (["report", folder], ["plan", "--half-width", 1, "--like", folder]):
            result = run(*command)
            assert result.exit_code == 2
            assert result.stdout == ""
            (line,) = result.stderr.splitlines()
            assert line.startswith(f"Error: {folder}")
            assert said in line


def test_the_command_it_prints_makes_it_again(tmp_path):
    folder = make_folder(tmp_path / "a b", YUKON, "su" * 20)
    values = json_of(folder, "--claim", "x: 5%")
    import shlex

    _, *words = shlex.split(values["command"])
    assert json.loads(run(*words).stdout) == values


# plan


def test_plan_like_a_folder(tmp_path):
    folder = make_folder(tmp_path, YUKON, "s" * 90 + "u" * 9 + "?")
    values = json.loads(run("plan", "--half-width", "1", "--like", folder, "--json").stdout)
    assert values["rate"] == pytest.approx(0.905)
    assert values["undecided"] == pytest.approx(0.01)
    assert values["seconds_a_deal"] == pytest.approx(5.05)  # the mean of 0.1 s to 10 s
    first = values["plans"][0]
    assert first["seconds"] == pytest.approx(first["deals"] * 5.05)
    text = run("plan", "--half-width", "1%", "--like", folder, "--jobs", "2").stdout
    assert f"{first['deals']:,}" in text
    assert "2 jobs" in text


def test_plan_says_when_nothing_is_enough():
    result = run("plan", "--half-width", "0.1", "--rate", "0.9", "--undecided", "0.5%")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "less than 0.2 % may stay undecided" in result.stderr


@pytest.mark.parametrize("width", ["0", "50", "-1", "x"])
def test_plan_says_what_a_half_width_is(width):
    *_, error = run("plan", "--half-width", width, "--rate", "0.9").stderr.splitlines()
    wanted = "write percentage points above 0 and below 50, such as 0.1 or 0.1%"
    assert error.endswith(f"'{width}' is no half width; {wanted}")


@pytest.mark.parametrize(
    "bad",
    [
        ["--half-width", "0.1"],
        ["--half-width", "0", "--rate", "0.5"],
        ["--half-width", "60", "--rate", "0.5"],
        ["--half-width", "x", "--rate", "0.5"],
        ["--half-width", "1", "--rate", "90"],
        ["--half-width", "1", "--rate", "-1"],
    ],
)
def test_plan_refuses_what_is_no_share(bad):
    result = run("plan", *bad)
    assert result.exit_code == 2
    assert result.stdout == ""
