"""Retry, merge and export: what is done with results folders once they are there."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from fakes import FakeSolver, module

from yukonsolve import retry as retry_module
from yukonsolve.cli import main
from yukonsolve.disk import StoreError
from yukonsolve.folder import pieces, read_manifest
from yukonsolve.retry import Retry
from yukonsolve.rows import Row, Rows
from yukonsolve.rules import preset
from yukonsolve.selection import Selection
from yukonsolve.store import Store

IDENTITY = {
    "rules": json.loads(json.dumps(asdict(preset("yukon")))),
    "rules_in_words": "as it were",
    "numbering": "native",
    "limits": {"max_nodes": 9, "timeout_s": None, "max_memory_bytes": 2**30},
    "version": "1",
    "solver": "a",
}
NUMBERS = range(11, 46)
NAMES = ("solvable", "unsolvable", "undecided")
REASON = {"solvable": "replayed", "unsolvable": "exhausted", "undecided": "nodes"}


def row(number: int, verdict: str | None = None, nodes: int | None = None) -> Row:
    verdict = verdict or NAMES[number % 3]
    won = verdict == "solvable"
    nodes = number if nodes is None else nodes
    return Row(
        number,
        verdict,
        REASON[verdict],
        nodes,
        0.5,
        3,
        1 if won else None,
        "AC:1>C" if won else None,
    )


def make(folder: Path, numbers=NUMBERS, rows=None, identity=IDENTITY, **options) -> Path:
    with Store(folder, identity, Selection(numbers), {}, part_rows=10, **options) as store:
        store.add([row(n) for n in numbers] if rows is None else rows)
    return folder


def rows_in(folder: Path) -> list[Row]:
    return [r for rows in pieces(folder) for r in rows]


def parts(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("part-*"))}


def run(*arguments: object, stdin: str | None = None):
    return CliRunner().invoke(main, [str(a) for a in arguments], input=stdin)


# retry


def larger(nodes: int, **changes) -> dict:
    return IDENTITY | {"limits": IDENTITY["limits"] | {"max_nodes": nodes}} | changes


def second_answer(number: int) -> Row:
    if number % 9 == 2:
        return row(number, "solvable", 5000)
    if number % 9 == 5:
        return row(number)._replace(reason="error", nodes=0)
    return row(number, "undecided", 5000)


def try_again(folder: Path, nodes: int = 99, stop: int = 10**9, **changes) -> Retry:
    with Retry(folder, larger(nodes, **changes), {"command": "again"}) as retry:
        for number in list(retry.missing())[:stop]:
            retry.add([second_answer(number)])
        retry.close("2026-01-01T00:00:00Z")
        return retry


UNDECIDED = [n for n in NUMBERS if n % 3 == 2]


def test_retry_tries_the_undecided_and_keeps_the_better_answer(tmp_path):
    folder = make(tmp_path / "out")
    with Retry(folder, larger(99), {}) as retry:
        assert list(retry.missing()) == UNDECIDED
        assert retry.wanted == len(UNDECIDED)
    assert try_again(folder).complete
    expected = [row(n) if n % 3 != 2 or n % 9 == 5 else second_answer(n) for n in NUMBERS]
    assert rows_in(folder) == [r._replace(moves=None) for r in expected]
    entry = read_manifest(folder)["retries"][-1]
    assert entry["limits"]["max_nodes"] == 99
    assert entry["undecided_before"] == len(UNDECIDED)
    assert entry["undecided_after"] == sum(r.verdict == "undecided" for r in expected)
    assert entry["ended_utc"] is not None
    # The folder is still the run it was.
    with Store(folder, IDENTITY, NUMBERS, {}, part_rows=10) as store:
        assert store.complete
        assert store.notes == []


def test_retry_keeps_moves(tmp_path):
    folder = make(tmp_path / "out", keep_moves=True)
    identity = larger(99)
    with Retry(folder, identity, {}) as retry:
        retry.add([second_answer(n) for n in list(retry.missing())])
    moves = {r.number: r.moves for r in rows_in(folder)}
    assert moves[20] == "AC:1>C"  # gained
    assert moves[12] == "AC:1>C"  # was there
    assert moves[14] is None


def test_retry_stopped_at_every_point_gives_the_same_parts(tmp_path):
    whole = make(tmp_path / "whole")
    try_again(whole)
    for stop in range(len(UNDECIDED)):
        folder = make(tmp_path / str(stop))
        assert not try_again(folder, stop=stop).complete
        assert len(rows_in(folder)) == len(NUMBERS)
        assert try_again(folder).complete
        assert parts(folder) == parts(whole)
        assert len(read_manifest(folder)["retries"]) == 1
        assert not list(folder.glob("_retry*"))


@pytest.mark.parametrize("after", [True, False])
def test_a_kill_while_a_part_is_rewritten_loses_nothing(tmp_path, monkeypatch, after):
    whole = make(tmp_path / "whole")
    try_again(whole)
    folder = make(tmp_path / "out")

    def killed(path, *arguments):
        if after:
            write_part(path, *arguments)
        path.with_suffix(".tmp").write_bytes(b"half a part")
        raise KeyboardInterrupt

    write_part = retry_module.write_part
    monkeypatch.setattr(retry_module, "write_part", killed)
    with pytest.raises(KeyboardInterrupt):
        try_again(folder)
    monkeypatch.undo()
    assert len(rows_in(folder)) == len(NUMBERS)
    assert try_again(folder).complete
    assert parts(folder) == parts(whole)
    assert not list(folder.glob("*.tmp"))


def test_a_torn_retry_journal_is_tried_again(tmp_path):
    whole = make(tmp_path / "whole")
    try_again(whole)
    folder = make(tmp_path / "out")
    try_again(folder, stop=2)
    journal = folder / "_retry-001-000000.bin"
    journal.write_bytes(journal.read_bytes()[:-5])
    assert "torn" in try_again(folder).notes[0]
    assert parts(folder) == parts(whole)


def test_retries_can_be_repeated_and_replaced(tmp_path):
    folder = make(tmp_path / "out")
    try_again(folder, 99)
    with pytest.raises(StoreError, match="give larger ones"):
        Retry(folder, larger(99), {})
    try_again(folder, 999, stop=1)
    # Another retry may take the place of an unfinished one, whose answers are kept.
    assert try_again(folder, 9999).complete
    retries = read_manifest(folder)["retries"]
    assert [r["limits"]["max_nodes"] for r in retries] == [99, 999, 9999]
    assert retries[1]["ended_utc"] is None
    assert not list(folder.glob("_retry*"))


def test_retry_refuses_what_does_not_fit(tmp_path):
    folder = make(tmp_path / "out")
    with pytest.raises(StoreError, match='numbering is "native" there, "kpat" here'):
        Retry(folder, larger(99, numbering="kpat"), {})
    with pytest.raises(StoreError, match="other deals"):
        Retry(folder, larger(99), {}, Selection(range(1, 5)))
    with pytest.raises(StoreError, match="is no results folder"):
        Retry(tmp_path / "none", larger(99), {})
    make(tmp_path / "half", rows=[row(11)])
    with pytest.raises(StoreError, match="not complete"):
        Retry(tmp_path / "half", larger(99), {})


@pytest.fixture
def fake(monkeypatch):
    from yukonsolve.cli import common

    monkeypatch.setitem(sys.modules, "yukonsolve.solver", module())
    monkeypatch.setattr(common, "_cache_is_warm", lambda _: True)
    monkeypatch.setattr(FakeSolver, "trouble", {})
    monkeypatch.setattr(FakeSolver, "pause_s", 0.0)


needs_fork = pytest.mark.skipif(sys.platform == "win32", reason="fakes reach workers by fork")


@needs_fork
def test_retry_on_the_command_line(fake, tmp_path):
    out = tmp_path / "out"
    run("batch", "yukon", "--seeds", "1-40", "--out", out, "--jobs", "1", "--max-memory", "2MiB")
    undecided = run("export", out, "--only", "undecided", "--numbers").stdout.split()
    again = ("batch", "yukon", "--out", out, "--jobs", "1", "--retry-undecided")
    assert "give larger ones" in run(*again).stderr
    result = run(*again, "--max-nodes", "5000")
    assert result.exit_code == 0, result.stderr
    assert f"{len(undecided)} deals to decide" in result.stderr
    assert "tried again: 5,000 nodes, 2 MiB" in result.stdout
    assert (
        run("batch", "yukon", "--seeds", "1-40", "--out", out, "--max-memory", "2MiB").exit_code
        == 0
    )


# chosen numbers


@needs_fork
def test_numbers_from_file_and_standard_input(fake, tmp_path):
    numbers = tmp_path / "numbers.txt"
    numbers.write_text("7\n# lost\n\n19 # long\n3\n7\n")
    out = tmp_path / "out"
    result = run("batch", "yukon", "--seeds-file", numbers, "--out", out, "--jobs", "1")
    assert result.exit_code == 0, result.stderr
    assert "more than once" in result.stderr
    assert "3 numbers from native:3 to native:19" in result.stdout
    assert pq.read_table(out).column("number").to_pylist() == [3, 7, 19]
    again = run("batch", "yukon", "--seeds-file", "-", "--out", out, stdin="3\n7\n19\n")
    assert "3 of 3 deals are there" in again.stderr
    other = run("batch", "yukon", "--seeds-file", "-", "--out", out, stdin="3\n8\n19\n")
    assert other.exit_code == 2
    assert "holds another run" in other.stderr


@pytest.mark.parametrize(
    ("arguments", "stdin", "word"),
    [
        (["--seeds-file", "-"], "7\nseven\n-3\n", "line 2: 'seven' is no number"),
        (["--seeds-file", "-"], "# nothing\n", "no numbers"),
        (["--seeds-file", "no such file"], None, "no such file"),
        (["--seeds-file", "-", "--seeds", "1-2"], "1\n", "exclude"),
        ([], None, "--seeds-file"),
        (["--seeds", "1-2", "--jobs", "2", "--cluster", "tcp://127.0.0.1:1"], None, "exclude"),
        (["--retry-undecided"], None, "is no results folder"),
    ],
)
def test_bad_selections(tmp_path, arguments, stdin, word):
    result = run("batch", "yukon", "--out", tmp_path / "out", *arguments, stdin=stdin)
    assert result.exit_code == 2
    assert word in result.stderr
    assert result.stdout == ""
    assert not (tmp_path / "out").exists()


def test_more_memory_than_there_is_is_refused(tmp_path):
    out = tmp_path / "out"
    result = run(
        "batch", "yukon", "--seeds", "1-9", "--out", out, "--jobs", "4", "--max-memory", "900TiB"
    )
    assert result.exit_code == 2
    assert "lower --jobs or --max-memory" in result.stderr
    assert not out.exists()


# merge


def test_merged_shards_are_the_whole_run(tmp_path):
    whole = make(tmp_path / "whole")
    shards = [
        make(tmp_path / f"{r.start}", r) for r in (range(11, 24), range(20, 37), range(37, 46))
    ]
    result = run("merge", *reversed(shards), "--out", tmp_path / "out")
    assert result.exit_code == 0, result.stderr
    assert "4 deals in two folders" in result.stderr
    assert parts(tmp_path / "out") == parts(whole)
    merged = read_manifest(tmp_path / "out")["runs"][0]["merged_from"]
    assert [source["first"] for source in merged] == [37, 20, 11]
    # Going on with the merged folder is going on with the run.
    with Store(tmp_path / "out", IDENTITY, NUMBERS, {}, part_rows=10) as store:
        assert store.complete
    assert run("merge", *shards, "--out", tmp_path / "out").exit_code == 0


def test_shards_with_parts_of_two_sizes_are_merged(tmp_path):
    begun = make(tmp_path / "a", NUMBERS[:14])
    later = tmp_path / "b"
    with Store(later, IDENTITY, Selection(NUMBERS[14:]), {}, part_rows=7) as store:
        store.add([row(n) for n in NUMBERS[14:]])
    result = run("merge", begun, later, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.stderr
    assert [r.number for r in rows_in(tmp_path / "out")] == list(NUMBERS)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_an_export_that_finds_no_room_says_so(tmp_path):
    make(tmp_path / "a")
    command = [sys.executable, "-m", "yukonsolve", "export", str(tmp_path / "a"), "--numbers"]
    buffered = {name: os.environ[name] for name in os.environ if name != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, env=buffered, check=False
        )
    assert ended.returncode == 1
    assert "No space left on device" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_merge_with_gaps_and_lists(tmp_path):
    one = make(tmp_path / "1", [1, 5, 9, *range(100, 125)])
    two = make(tmp_path / "2", range(3, 7))
    result = run("merge", one, two, "--out", tmp_path / "out")
    assert "gaps" in result.stderr
    numbers = [r.number for r in rows_in(tmp_path / "out")]
    assert numbers == [1, 3, 4, 5, 6, 9, *range(100, 125)]


def test_merge_takes_the_better_answer(tmp_path):
    one = make(tmp_path / "1", range(1, 4), [row(n, "undecided", 50) for n in range(1, 4)])
    two = make(
        tmp_path / "2",
        range(1, 4),
        [row(1, "solvable"), row(2, "undecided", 7), row(3, "undecided", 70)],
    )
    for i, order in enumerate(([one, two], [two, one])):
        assert run("merge", *order, "--out", tmp_path / f"out{i}").exit_code == 0
        assert [(r.verdict, r.nodes) for r in rows_in(tmp_path / f"out{i}")] == [
            ("solvable", 1),
            ("undecided", 50),
            ("undecided", 70),
        ]


def test_contradictions_are_named_and_nothing_is_written(tmp_path):
    one = make(tmp_path / "1", range(1, 30))
    wrong = [row(n) if n not in (14, 21, 22) else row(n, "unsolvable") for n in range(10, 40)]
    two = make(tmp_path / "2", range(10, 40), wrong)
    result = run("merge", one, two, "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert f"native:21 is solvable in {one} and unsolvable in {two}" in result.stderr
    assert "1 contradictions" in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"numbering": "kpat"}, 'numbering is "native" in'),
        ({"limits": IDENTITY["limits"] | {"max_nodes": 10}}, "limits: max_nodes is 9 in"),
        ({"solver": "b"}, 'solver is "a" in'),
        ({"rules": IDENTITY["rules"] | {"name": "russian"}}, 'rules: name is "yukon" in'),
    ],
)
def test_folders_of_different_runs_are_not_merged(tmp_path, change, words):
    one = make(tmp_path / "1", range(1, 4))
    two = make(tmp_path / "2", range(4, 9), identity=IDENTITY | change)
    result = run("merge", one, two, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert words in result.stderr
    assert len(result.stderr.splitlines()) == 1
    half = make(tmp_path / "half", range(4, 9), [row(4)])
    assert "not finished" in run("merge", one, half, "--out", tmp_path / "out").stderr


# export


def test_export_as_csv(tmp_path):
    folder = make(tmp_path / "out")
    result = run("export", folder)
    lines = list(csv.reader(io.StringIO(result.stdout)))
    assert lines[0] == list(Row._fields[:-1])
    assert lines[2] == ["12", "solvable", "replayed", "12", "0.5", "3", "1"]
    assert lines[3] == ["13", "unsolvable", "exhausted", "13", "0.5", "3", ""]
    assert len(lines) == 1 + len(NUMBERS)


def test_export_as_json_lines_into_a_file(tmp_path):
    folder = make(tmp_path / "out", keep_moves=True)
    file = tmp_path / "rows.jsonl"
    result = run("export", folder, "--format", "jsonl", "--only", "solvable", "-o", file)
    assert result.stdout == ""
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert rows == [row(n)._asdict() for n in NUMBERS if n % 3 == 0]
    assert [path.name for path in tmp_path.iterdir() if "rows" in path.name] == ["rows.jsonl"]


def test_numbers_of_several_folders(tmp_path):
    folders = [make(tmp_path / "1", range(1, 7)), make(tmp_path / "2", range(7, 13))]
    result = run("export", *folders, "--only", "solvable", "--numbers")
    assert result.stdout == "3\n6\n9\n12\n"
    assert run("export", tmp_path / "none").exit_code == 2


def test_unfinished_folders_are_exported_too(tmp_path):
    folder = make(tmp_path / "out", rows=[row(13), row(12)])
    assert run("export", folder, "--numbers").stdout == "12\n13\n"


def test_readers_named_in_the_docs(tmp_path, monkeypatch):
    make(tmp_path / "results" / "yukon")
    monkeypatch.chdir(tmp_path)
    text = (Path(__file__).parent.parent / "docs" / "batch.md").read_text(encoding="utf-8")
    for library in ("pandas", "polars", "duckdb"):
        pytest.importorskip(library)
        (line,) = (s.strip() for s in text.splitlines() if s.strip().startswith(f"{library}."))
        found = eval(line, {library: __import__(library)})
        assert len(found) in (len(NUMBERS), 3)


def test_rows_join_with_and_without_moves():
    joined = Rows.join([Rows.of([row(13)]), Rows.of([row(12)]), Rows.of([])])
    assert [r.moves for r in joined] == [None, "AC:1>C"]
    assert [r.number for r in joined.in_order()] == [12, 13]


def test_a_list_is_reported_with_a_caution(tmp_path):
    listed, ranged = make(tmp_path / "a", [3, 5, 9]), make(tmp_path / "b")
    caution = "if they were chosen, so is the rate"
    assert caution in run("report", listed).stdout
    assert caution not in run("report", ranged).stdout


def test_retry_of_an_unfinished_folder_counts_its_parts(tmp_path):
    with Store(tmp_path / "a", IDENTITY, NUMBERS, {}, part_rows=10) as store:
        store.add([row(n) for n in NUMBERS[:12]])
    with pytest.raises(StoreError, match=r"not complete \(1 of \d parts\)"):
        Retry(tmp_path / "a", larger(99), {})
