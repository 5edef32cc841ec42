from __future__ import annotations

import contextlib
import errno
import json
import subprocess
import sys

import numpy as np
import pyarrow.parquet as pq
import pytest

from yukonsolve import store as store_module
from yukonsolve.folder import pieces, read_manifest
from yukonsolve.journal import encode_rows
from yukonsolve.parts import read_part, write_part
from yukonsolve.selection import Selection
from yukonsolve.store import Row, Rows, Store, StoreError

IDENTITY = {"rules": {"name": "yukon"}, "numbering": "native"}
NUMBERS = range(11, 46)  # 35 numbers: three full parts of ten and a part of five
RUN = {"command": "test"}


def row(number: int, seconds: float = 0.5) -> Row:
    verdict, reason = [
        ("solvable", "replayed"),
        ("unsolvable", "exhausted"),
        ("undecided", "nodes"),
    ][number % 3]
    won = verdict == "solvable"
    moves = "AC:1>C 2C:1>C" if won else None
    return Row(number, verdict, reason, number % 99 * 7, seconds, 3, 2 if won else None, moves)


def open_store(folder, **changes) -> Store:
    options = {"identity": IDENTITY, "numbers": NUMBERS, "run": RUN, "part_rows": 10}
    return Store(folder, **(options | changes))


def parts(folder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("part-*"))}


def fill(folder, order, **changes) -> dict[str, bytes]:
    with open_store(folder, **changes) as store:
        for number in order:
            store.add([row(number)])
    return parts(folder)


@pytest.fixture
def whole(tmp_path):
    return fill(tmp_path / "whole", NUMBERS)


def test_parts_depend_on_the_range_alone(tmp_path, whole):
    assert list(whole) == [f"part-{i:06}.parquet" for i in range(4)]
    assert fill(tmp_path / "backwards", reversed(NUMBERS)) == whole
    with open_store(tmp_path / "at once") as store:
        store.add([row(n) for n in NUMBERS])
    assert parts(tmp_path / "at once") == whole


def test_a_finished_folder_holds_parts_and_manifest_only(tmp_path, whole):
    names = {path.name for path in (tmp_path / "whole").iterdir()}
    assert names == {*whole, "_manifest.json"}
    assert read_manifest(tmp_path / "whole")["complete"] is True


def test_readers_take_the_folder_as_it_is(tmp_path, whole):
    table = pq.read_table(tmp_path / "whole")
    assert table.column("number").to_pylist() == list(NUMBERS)
    assert table.column_names == [
        "number",
        "verdict",
        "reason",
        "nodes",
        "seconds",
        "table_entries",
        "solution_length",
    ]
    assert str(table.schema.field("number").type) == "uint64"
    pandas = pytest.importorskip("pandas")
    assert len(pandas.read_parquet(tmp_path / "whole")) == len(NUMBERS)


def test_moves_are_kept_on_request(tmp_path):
    fill(tmp_path, NUMBERS, keep_moves=True)
    table = pq.read_table(tmp_path)
    assert table.column("moves").to_pylist()[1] == "AC:1>C 2C:1>C"


def test_largest_numbers_fit(tmp_path):
    last = 2**64 - 1
    fill(tmp_path, [last - 1, last], numbers=range(last - 1, last + 1))
    assert pq.read_table(tmp_path).column("number").to_pylist() == [last - 1, last]


def test_resume_at_every_point_gives_the_same_parts(tmp_path, whole):
    for stop in range(len(NUMBERS)):
        folder = tmp_path / str(stop)
        fill(folder, NUMBERS[:stop])
        with open_store(folder) as store:
            assert list(store.missing()) == list(NUMBERS[stop:])
            assert store.tally.total == stop
            store.add([row(n) for n in store.missing()])
        assert parts(folder) == whole


def test_rows_count_once(tmp_path, whole):
    with open_store(tmp_path / "twice") as store:
        for number in NUMBERS:
            store.add([row(number), row(number, 9.0)])
            store.add([row(number, 8.0)])
        assert store.tally.total == len(NUMBERS)
    assert parts(tmp_path / "twice") == whole


@pytest.mark.parametrize("cut", [1, 10, 30])
def test_a_torn_journal_row_is_solved_again(tmp_path, whole, cut):
    folder = tmp_path / "torn"
    fill(folder, NUMBERS[:7])
    journal = folder / "_journal-000000.bin"
    journal.write_bytes(journal.read_bytes()[:-cut])
    with open_store(folder) as store:
        assert next(store.missing()) == NUMBERS[6]
        assert "torn" in store.notes[0]
        store.add([row(n) for n in store.missing()])
    assert parts(folder) == whole


def test_a_damaged_part_is_solved_again(tmp_path, whole):
    folder = tmp_path / "whole"
    path = folder / "part-000001.parquet"
    data = path.read_bytes()
    flipped = bytearray(data)
    flipped[40] ^= 255
    for damage in (data[:-20], b"", bytes(flipped), whole["part-000002.parquet"]):
        path.write_bytes(damage)
        with open_store(folder) as store:
            assert list(store.missing()) == list(NUMBERS[10:20])
            assert "part-000001.parquet is damaged or foreign" in store.notes[0]
            store.add([row(n) for n in store.missing()])
        assert parts(folder) == whole


def test_a_journal_beside_its_finished_part_is_dropped(tmp_path, whole):
    # As after a kill between the rename and the removal.
    folder = tmp_path / "whole"
    (folder / "_journal-000000.bin").write_text("YKJ1")
    with open_store(folder) as store:
        assert list(store.missing()) == []
    assert parts(folder) == whole
    assert not (folder / "_journal-000000.bin").exists()


def test_a_full_journal_without_its_part_becomes_the_part(tmp_path, whole):
    # As after a kill just before the rename.
    folder = tmp_path / "killed"
    fill(folder, NUMBERS[:9])
    with (folder / "_journal-000000.bin").open("ab") as journal:
        journal.write(encode_rows(Rows.of([row(NUMBERS[9])])))
    (folder / "part-000000.tmp").write_bytes(b"half a part")
    with open_store(folder) as store:
        assert list(store.missing()) == list(NUMBERS[10:])
    assert list(parts(folder)) == ["part-000000.parquet"]
    assert parts(folder)["part-000000.parquet"] == whole["part-000000.parquet"]
    assert not (folder / "part-000000.tmp").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"identity": IDENTITY | {"numbering": "pysolfc"}}, 'numbering is "native" there'),
        ({"numbers": range(11, 47)}, "last is 45 there, 46 here"),
        ({"keep_moves": True}, "keep_moves is false there, true here"),
    ],
)
def test_another_run_is_refused(tmp_path, change, message):
    fill(tmp_path, NUMBERS[:3])
    before = (tmp_path / "_manifest.json").read_bytes()
    with pytest.raises(StoreError, match=message):
        open_store(tmp_path, **change)
    assert (tmp_path / "_manifest.json").read_bytes() == before


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(StoreError, match="not empty"):
        open_store(tmp_path)


def test_an_unreadable_manifest_is_one_line(tmp_path):
    (tmp_path / "_manifest.json").write_text('{"format": 1,')
    with pytest.raises(StoreError, match="cannot be read") as caught:
        open_store(tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(sys.platform == "win32", reason="no lock there")
def test_a_second_writer_is_refused(tmp_path):
    code = (
        "import sys, pathlib\n"
        "from yukonsolve.store import Store, StoreError\n"
        "try:\n    Store(pathlib.Path(sys.argv[1]), {}, range(3), {})\n"
        "except StoreError as error:\n    sys.exit(str(error))\n"
    )
    with open_store(tmp_path):
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
        )
    assert "another process is writing" in done.stderr


def test_unfinished_parts_are_read_too(tmp_path):
    fill(tmp_path, NUMBERS[:13])
    assert [r for rows in pieces(tmp_path) for r in rows] == [
        row(n)._replace(moves=None if n <= NUMBERS[9] else row(n).moves) for n in NUMBERS[:13]
    ]


CHOSEN = [3, 2**64 - 1, 17, 2**63, 5, *range(100, 120)]


def test_chosen_numbers_are_recorded_and_checked(tmp_path):
    numbers = Selection(CHOSEN)
    fill(tmp_path / "out", CHOSEN[:9], numbers=numbers)
    with open_store(tmp_path / "out", numbers=Selection([*CHOSEN, 17])) as store:
        assert list(store.missing()) == sorted(CHOSEN[9:])
        store.add([row(n) for n in store.missing()])
    assert parts(tmp_path / "out") == fill(tmp_path / "once", CHOSEN, numbers=numbers)
    assert pq.read_table(tmp_path / "out").column("number").to_pylist() == sorted(CHOSEN)
    with pytest.raises(StoreError, match="numbers_sha256"):
        open_store(tmp_path / "out", numbers=Selection([4, *CHOSEN[1:]]))


def test_a_list_without_gaps_is_the_range(tmp_path, whole):
    assert fill(tmp_path / "list", NUMBERS, numbers=Selection(list(NUMBERS))) == whole


def test_a_full_disk_loses_no_row(tmp_path, whole, monkeypatch):
    """Whatever write the disk refuses, and however much of it is written all the same."""
    folder = tmp_path / "full"
    room = 0

    def write_some(file, data):
        if len(data) > room:
            file.write(data[:room])
            raise OSError(errno.ENOSPC, "No space left on device")
        file.write(data)

    def write_no_part(path, *_):
        path.with_suffix(".tmp").write_bytes(b"half a part")
        raise OSError(errno.ENOSPC, "No space left on device")

    for attempts in range(1, 40):
        room = 13 * attempts
        monkeypatch.setattr(store_module, "write_all", write_some)
        if attempts % 3 == 0:
            monkeypatch.setattr(store_module, "write_part", write_no_part)
        with open_store(folder) as store:
            with contextlib.suppress(OSError):
                for number in list(store.missing()):
                    store.add([row(number)])
            if store.complete:
                break
        monkeypatch.undo()
    assert attempts > 5
    assert parts(folder) == whole


def test_every_run_is_in_the_manifest(tmp_path):
    fill(tmp_path, NUMBERS[:3])
    with open_store(tmp_path, run={"command": "again"}) as store:
        store.close("2026-01-01T00:00:00Z")
    runs = read_manifest(tmp_path)["runs"]
    assert [run["command"] for run in runs] == ["test", "again"]
    assert runs[1]["ended_utc"] == "2026-01-01T00:00:00Z"


def test_a_folder_goes_on_with_parts_of_its_size(tmp_path):
    with Store(tmp_path / "out", IDENTITY, range(1, 31), RUN, part_rows=10) as store:
        store.add([row(n) for n in range(1, 15)])
    with Store(tmp_path / "out", IDENTITY, range(1, 31), RUN) as store:
        store.add([row(n) for n in store.missing()])
    parts = sorted(path.name for path in (tmp_path / "out").glob("part-*"))
    assert parts == ["part-000000.parquet", "part-000001.parquet", "part-000002.parquet"]


@pytest.mark.parametrize("nonsense", [-5, 0, "10", 2.5, None])
def test_a_manifest_without_a_part_size_is_refused(tmp_path, nonsense):
    folder = tmp_path / "out"
    with Store(folder, IDENTITY, range(1, 31), RUN, part_rows=10) as store:
        store.add([row(n) for n in range(1, 31)])
    manifest = json.loads((folder / "_manifest.json").read_text())
    manifest["identity"]["part_rows"] = nonsense
    (folder / "_manifest.json").write_text(json.dumps(manifest))
    before = parts(folder)
    with pytest.raises(StoreError, match="part_rows is"):
        Store(folder, IDENTITY, range(1, 31), RUN)
    assert parts(folder) == before


def test_a_part_with_any_flipped_bit_is_read_as_written_or_not_at_all(tmp_path):
    path = tmp_path / "part-000000.parquet"
    rows = Rows.of([row(n) for n in range(1, 41)])
    write_part(path, rows, False, "run/0")
    whole = path.read_bytes()
    written = read_part(path)
    for at in range(len(whole)):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << at % 8
        path.write_bytes(damaged)
        try:
            there = read_part(path)
        except ValueError:
            continue
        assert np.array_equal(there.rows.values, written.rows.values) or there.mark != "run/0"
