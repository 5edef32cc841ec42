from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from fakes import FakeSolver, module
from report_tools import make_folder

from yukonsolve.cli import main
from yukonsolve.cli.interrupts import Interrupts
from yukonsolve.deal import deal_from_deck, deck_text
from yukonsolve.numbering import deck_of_number
from yukonsolve.rules import PRESETS, preset

TESTS = Path(__file__).parent
RULES = preset("yukon")
DECK_7 = deck_text(deck_of_number("native", 7, RULES))


@pytest.fixture
def fake(monkeypatch):
    """Put the stand-in in the solver's place; return a way to make trouble at a deal."""
    from yukonsolve.cli import common

    monkeypatch.setitem(sys.modules, "yukonsolve.solver", module())
    monkeypatch.setattr(common, "_cache_is_warm", lambda _: True)
    monkeypatch.setattr(FakeSolver, "trouble", {})
    monkeypatch.setattr(FakeSolver, "pause_s", 0.0)

    def trouble(number: int, what: str) -> None:
        deck = deck_of_number("native", number, RULES)
        FakeSolver.trouble[deal_from_deck(deck, RULES).columns] = what

    return trouble


def run(*arguments: object, stdin: str | None = None):
    return CliRunner().invoke(main, [str(a) for a in arguments], input=stdin)


def number_with(verdict: str) -> int:
    """Return a deal that the stand-in answers like that."""
    solver = FakeSolver(RULES)
    return next(
        number
        for number in range(100)
        if solver.solve(deal_from_deck(deck_of_number("native", number, RULES), RULES)).verdict
        == verdict
    )


# rules, deal, version


def test_version_names_what_results_depend_on():
    result = run("--version")
    assert result.exit_code == 0
    for word in ("yukonsolve", "Python", "numba", "numpy"):
        assert word in result.stdout


def test_rules_lists_every_preset_in_words():
    result = run("rules")
    assert result.exit_code == 0
    for name, rules in PRESETS.items():
        assert name in result.stdout
        assert rules.describe() in result.stdout
    assert "--spaces" in result.stdout


def test_deal_prints_a_board_that_reads_back():
    board = run("deal", "yukon", "native:7")
    assert board.exit_code == 0
    assert len(board.stdout.splitlines()) == 7
    deck = run("deal", "yukon", "-", "--format", "deck", stdin=board.stdout)
    assert deck.stdout == DECK_7 + "\n"


def test_deal_as_solvitaire_json_reads_back():
    written = run("deal", "yukon", "native:7", "--format", "solvitaire")
    assert json.loads(written.stdout)["tableau piles"]
    deck = run("deal", "yukon", "-", "--format", "deck", stdin=written.stdout)
    assert deck.stdout == DECK_7 + "\n"


@pytest.mark.parametrize("name", list(PRESETS))
def test_deal_works_for_every_preset(name):
    assert run("deal", name, "native:7").exit_code == 0


def test_listing_commands_do_not_import_numba():
    code = (
        "import sys\n"
        "from click.testing import CliRunner\n"
        "from yukonsolve.cli import main\n"
        "for line in (['-h'], ['rules'], ['deal', 'yukon', 'native:7'], ['--version']):\n"
        "    assert CliRunner().invoke(main, line).exit_code == 0\n"
        "heavy = {'numba', 'pyarrow', 'scipy', 'psutil', 'tqdm'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# solve


@pytest.mark.parametrize(
    ("verdict", "status"), [("solvable", 0), ("unsolvable", 10), ("undecided", 20)]
)
def test_exit_status_of_one_deal(fake, verdict, status):
    number = number_with(verdict)
    for extra in ([], ["--json"]):
        result = run("solve", "yukon", f"native:{number}", *extra)
        assert result.exit_code == status
        assert result.stderr == ""


def test_human_answer_begins_with_verdict_and_rules(fake):
    result = run("solve", "yukon", "native:7", "--spaces", "any")
    first = result.stdout.splitlines()[0]
    assert first.split(":")[0] in ("solvable", "unsolvable", "undecided")
    assert preset("yukon", spaces="any").describe() in first
    assert "native:7" in first


def test_json_line_has_exactly_the_promised_keys(fake):
    result = run("solve", "yukon", "native:7", "--json")
    (line,) = result.stdout.splitlines()
    row = json.loads(line)
    assert list(row) == [
        "rules",
        "deal",
        "deck",
        "exact",
        "verdict",
        "reason",
        "nodes",
        "seconds",
        "moves",
    ]
    assert row["deal"] == "native:7"
    assert row["deck"] == DECK_7
    assert row["exact"] is None
    assert row["rules"] == {
        "name": "yukon",
        "build": "alternate",
        "spaces": "kings",
        "worrying_back": False,
        "draw": None,
        "passes": None,
    }
    assert (row["moves"] is not None) == (row["verdict"] == "solvable")


def test_rule_options_reach_the_row(fake):
    result = run("solve", "russian", "7", "--json", "--spaces", "any", "--worrying-back")
    rules = json.loads(result.stdout)["rules"]
    assert (rules["build"], rules["spaces"], rules["worrying_back"]) == ("suit", "any", True)


def test_many_deals_keep_their_order(fake, tmp_path):
    names = [f"native:{n}" for n in range(40, 0, -1)]
    file = tmp_path / "deals.txt"
    file.write_text("\n".join(["# forty deals", "", *names, DECK_7]) + "\n")
    result = run("solve", "yukon", "--deals", file, "--json")
    assert result.exit_code == 0
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["deal"] for row in rows] == [*names, DECK_7]
    assert rows[-1]["deck"] == DECK_7
    assert rows[-1]["verdict"] == rows[names.index("native:7")]["verdict"]
    same = run("solve", "yukon", "--deals", "-", "--json", stdin=file.read_text())
    assert [json.loads(line)["deck"] for line in same.stdout.splitlines()] == [
        row["deck"] for row in rows
    ]


def test_many_deals_for_people(fake):
    result = run("solve", "yukon", "--deals", "-", stdin="native:1\nnative:2\n")
    lines = result.stdout.splitlines()
    assert RULES.describe() in lines[0]
    assert [line.split()[0] for line in lines[1:]] == ["native:1", "native:2"]


def test_board_from_file_and_standard_input(fake, tmp_path):
    board = run("deal", "yukon", "native:7").stdout
    file = tmp_path / "board.txt"
    file.write_text(board)
    for result in (
        run("solve", "yukon", "--board", file, "--json"),
        run("solve", "yukon", "--board", "-", "--json", stdin=board),
        run("solve", "yukon", "-", "--json", stdin=board),
    ):
        assert json.loads(result.stdout)["deck"] == DECK_7


@pytest.mark.parametrize("form", ["text", "solvitaire"])
@pytest.mark.parametrize("source", ["-", "--deals", "--board"])
def test_a_board_without_a_stock_is_no_silent_klondike_deal(fake, form, source):
    """A Yukon board is a Klondike position too, but hardly the one that was meant."""
    board = run("deal", "yukon", "native:7", "--format", form).stdout
    arguments = ["-"] if source == "-" else [source, "-"]
    result = run("solve", "klondike", *arguments, stdin=board)
    assert result.stdout.startswith("solvable")
    note = "no stock is given: taken as a position whose stock and waste are empty"
    assert result.stderr == f"note: standard input: {note}\n"
    for rules in ("yukon", "klondike"):
        board = run("deal", rules, "native:7", "--format", form).stdout
        assert run("solve", rules, *arguments, stdin=board).stderr == ""


@pytest.mark.parametrize(
    ("given", "size"),
    [
        ("512MiB", 512 << 20),
        ("1GiB", 1 << 30),
        ("2g", 2 << 30),
        ("1.5 GB", 1_500_000_000),
        ("2000000", 2_000_000),
    ],
)
def test_limits_reach_the_solver(fake, monkeypatch, given, size):
    seen = []
    start = FakeSolver.__init__
    monkeypatch.setattr(
        FakeSolver, "__init__", lambda self, *a: (seen.append(a[1]), start(self, *a))[1]
    )
    run("solve", "yukon", "7", "--max-memory", given, "--max-nodes", "5", "--timeout", "1.5")
    (limits,) = seen
    assert (limits.max_nodes, limits.timeout_s, limits.max_memory_bytes) == (5, 1.5, size)


def test_first_use_is_announced_on_standard_error(fake, monkeypatch):
    from yukonsolve.cli import common

    monkeypatch.setattr(common, "_cache_is_warm", lambda _: False)
    result = run("solve", "yukon", "native:7", "--json")
    assert "compiling kernels (once per installation) ... done in 0.2 s" in result.stderr
    assert len(result.stdout.splitlines()) == 1


def test_an_installation_elsewhere_or_anew_is_compiled_again(tmp_path, monkeypatch):
    from yukonsolve import jit

    module, cache = tmp_path / "code" / "jit.py", tmp_path / "cache"
    kernel = module.parent / "kernels" / "one.py"
    for folder in (cache, kernel.parent):
        folder.mkdir(parents=True)
    kernel.write_text("")
    monkeypatch.setattr(jit, "CACHE_DIR", cache)
    monkeypatch.setattr(jit, "__file__", str(module))
    assert not jit.cache_is_warm()
    jit.mark_cache_warm()
    assert jit.cache_is_warm()
    assert not jit.cache_is_warm("klondike")
    os.utime(kernel, (1, 1))
    assert not jit.cache_is_warm()


# bad input: status 2, nothing on standard output, a line for each fault

BAD = [
    (["solve", "yukon", "7", "--timeout", "nan"], None, "nan"),
    (["solve", "yukon", "native:-1"], None, "'-1'"),
    (["solve", "yukon", f"native:{2**64}"], None, str(2**64)),
    (["solve", "yukon", "nonsense"], None, "nonsense"),
    (["solve", "yukon", DECK_7[:-2]], None, "51"),
    (["solve", "yukon", DECK_7 + "AC"], None, "53"),
    (["solve", "yukon", DECK_7[:2] * 2 + DECK_7[4:]], None, DECK_7[:2]),
    (["solve", "yukon", "-"], "", "standard input"),
    (["solve", "yukon", "--deals", "-"], "", "standard input"),
    (["solve", "yukon", "--board", "-"], "KC\nQD\n", "standard input"),
    (["solve", "yukon", "--deals", "no-such-file"], None, "no-such-file"),
    (["solve", "yukon"], None, "exactly one"),
    (["solve", "yukon", "native:7", "--deals", "-"], "", "exactly one"),
    (["solve", "canfield", "native:7"], None, "canfield"),
    (["solve", "yukon", "native:7", "--draw", "3"], None, "no stock"),
    (["solve", "yukon", "native:7", "--max-nodes", "0"], None, "--max-nodes"),
    (["solve", "yukon", "native:7", "--timeout", "0"], None, "--timeout"),
    (["solve", "yukon", "native:7", "--max-memory", "lots"], None, "'lots' is no size"),
    (["solve", "yukon", "native:7", "--max-memory", "1"], None, "too small"),
    (["solve", "klondike", "native:7", "--passes", "none"], None, "'none' is neither"),
    (["deal", "yukon", "nonsense"], None, "nonsense"),
    (["verify", "yukon", "native:7", "-"], "", "no moves"),
    (["verify", "yukon", "native:7", "-"], "hello", "'hello' is no move"),
    (["verify", "yukon", "native:7", "-"], '{"moves":null}', "no moves"),
    (["verify", "yukon", "native:7", "-"], '{"moves":', "broken JSON"),
    (["verify", "yukon", "native:7", "-"], '{"moves":[]}\n{"moves":[]}\n', "more than one"),
    (["verify", "yukon", "-", "-"], "", "cannot both"),
    (["verify", "yukon", "native:7", "no-such-file"], None, "no-such-file"),
    (["batch", "yukon", "--seeds", "1-9"], None, "--out"),
    (["batch", "yukon", "--seeds", "9-1", "--out", "x"], None, "backwards"),
    (["batch", "yukon", "--seeds", "one", "--out", "x"], None, "no range"),
    (["batch", "yukon", "--seeds", f"1-{2**64}", "--out", "x"], None, "--seeds"),
    (["batch", "yukon", "--seeds", f"{2**64}", "--out", "x"], None, str(2**64)),
    (["batch", "yukon", "--seeds", "1-9", "--out", "x", "--jobs", "999"], None, "999 jobs"),
    (["report", "no-such-folder"], None, "no-such-folder"),
    (["frobnicate"], None, "frobnicate"),
]


@pytest.mark.parametrize(("arguments", "stdin", "word"), BAD)
def test_bad_input(fake, tmp_path, monkeypatch, arguments, stdin, word):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert word in result.stderr
    assert "Traceback" not in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_every_bad_deal_of_a_file_is_named_before_any_search(fake, monkeypatch):
    monkeypatch.setattr(FakeSolver, "solve", lambda *_: pytest.fail("searched"))
    result = run("solve", "yukon", "--deals", "-", stdin="native:1\nbad\nnative:2\nworse\n")
    assert result.exit_code == 2
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 2
    assert "bad" in lines[0]
    assert "2" in lines[0]
    assert "worse" in lines[1]
    assert "4" in lines[1]


# interruption and pipes, in real processes


def script(body: str) -> list[str]:
    """Return a command that runs the command line on the stand-in."""
    return [
        sys.executable,
        "-c",
        "import sys; from fakes import FakeSolver, module\n"
        "sys.modules['yukonsolve.solver'] = module()\n"
        "from yukonsolve.cli import common, main\n"
        "common._cache_is_warm = lambda _: True\n"
        "from yukonsolve.deal import deal_from_deck\n"
        "from yukonsolve.numbering import deck_of_number\n"
        "from yukonsolve.rules import preset\n"
        "def trouble(n, what):\n"
        "    r = preset('yukon'); d = deal_from_deck(deck_of_number('native', n, r), r)\n"
        "    FakeSolver.trouble[d.columns] = what\n" + body + "\nmain()\n",
    ]


def start(body: str, *arguments: str, **options) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": str(TESTS)}
    return subprocess.Popen(
        script(body) + list(arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        **options,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_interrupt_keeps_rows_and_gives_the_running_deal_its_reason():
    with start(
        "trouble(3, 'forever')", "solve", "yukon", "--deals", "-", "--json", stdin=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("native:1\nnative:2\nnative:3\nnative:4\n")
        process.stdin.close()
        assert process.stderr is not None
        lines = [process.stdout.readline(), process.stdout.readline()]
        assert process.stderr.readline() == "searching\n"
        process.send_signal(signal.SIGINT)
        lines += process.stdout.readlines()
        errors = process.stderr.read()
    rows = [json.loads(line) for line in lines]
    assert process.returncode == 130
    assert [row["deal"] for row in rows] == ["native:1", "native:2", "native:3"]
    assert (rows[2]["verdict"], rows[2]["reason"]) == ("undecided", "interrupted")
    assert "interrupted: 3 of 4" in errors
    assert "Traceback" not in errors


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_interrupted_explanation_says_so():
    with start("trouble(3, 'forever')", "explain", "yukon", "native:3") as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "searching\n"
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == "interrupted\n"
    assert process.returncode == 130


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", ["deal", "solve"])
def test_a_full_disk_is_one_line(command):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*script(""), command, "yukon", "native:7"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(TESTS)},
            check=False,
        )
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert done.stderr.startswith("Error: ")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_interrupt_while_compiling():
    body = (
        "FakeSolver.warm_up = lambda self: (print('go', flush=True), __import__('time').sleep(60))"
    )
    with start(body, "solve", "yukon", "native:7") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "go\n"
        process.send_signal(signal.SIGINT)
        errors = process.stderr.read()
    assert process.returncode == 130
    assert "Traceback" not in errors


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("module", ["yukonsolve.cli", "click", "yukonsolve.cli.verify"])
@pytest.mark.parametrize("ignored", [False, True])
def test_interrupt_while_the_command_line_is_imported(module, ignored):
    scripts = (TESTS.parent / "pyproject.toml").read_text(encoding="utf-8")
    assert 'yukonsolve = "yukonsolve.__main__:run"' in scripts
    body = (
        "import os, signal, sys\n"
        "class Interrupts:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {module!r}:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupts())\n"
        f"if {ignored}: signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "sys.argv = ['yukonsolve', 'rules']\nfrom yukonsolve.__main__ import run\nrun()\n"
    )
    done = subprocess.run([sys.executable, "-c", body], capture_output=True, text=True, check=False)
    if ignored:  # as after nohup
        assert (done.returncode, done.stderr) == (0, "")
    else:
        assert (done.returncode, done.stdout, done.stderr) == (130, "", "\ninterrupted\n")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_closed_pipe_is_quiet():
    with start(
        "FakeSolver.pause_s = 0.15",
        "solve",
        "yukon",
        "--deals",
        "-",
        "--json",
        stdin=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("\n".join(f"native:{n}" for n in range(20)))
        process.stdin.close()
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
    assert errors == ""


# the real solver, judged by the rule book


@pytest.fixture(scope="module")
def win() -> str:
    """Return the JSON line of the first native Yukon deal that is won."""
    for number in range(1, 10):
        result = run("solve", "yukon", f"native:{number}", "--json", "--max-nodes", "20000")
        if result.exit_code == 0:
            return result.stdout
    raise AssertionError("nine deals and no win")


def test_pipes_from_deal_to_solve_to_verify():
    def tool(*arguments: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "yukonsolve", *arguments]
        return subprocess.run(command, input=given, capture_output=True, text=True, check=False)

    board = tool("deal", "russian", "pysolfc:57").stdout
    solved = tool("solve", "russian", "-", "--json", given=board)
    row = json.loads(solved.stdout)
    assert solved.returncode == {"solvable": 0, "unsolvable": 10}[row["verdict"]]
    same = tool("solve", "russian", "pysolfc:57", "--json")
    assert json.loads(same.stdout)["deck"] == row["deck"]


def test_verify_accepts_what_solve_prints(win, tmp_path):
    row = json.loads(win)
    moves = row["moves"]
    plain = "# a win\n" + "\n".join(f"{move}  # step {i}" for i, move in enumerate(moves, 1))
    for text in (win, json.dumps(moves), plain, " ".join(moves)):
        result = run("verify", "yukon", row["deal"], "-", stdin=text)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout == f"legal and won: {len(moves)} moves\n"
    file = tmp_path / "moves.txt"
    file.write_text(plain)
    assert run("verify", "yukon", row["deal"], file).exit_code == 0


def test_verify_says_what_it_reads_when_given_the_answer_for_people(win):
    hint = "; `solve --json` prints what verify reads\n"
    shown = run("solve", "yukon", "native:7")
    assert shown.stdout.startswith("solvable: ")
    numbered = "  1. AC      column 2 -> foundation\n"
    for given in (shown.stdout, numbered):
        result = run("verify", "yukon", "native:7", "-", stdin=given)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.endswith(hint)
        assert result.stderr.count("\n") == 1
    typing_error = run("verify", "yukon", "native:7", "-", stdin="AC:1>C\nAD:2-C\n")
    assert "step 2, 'AD:2-C' is no move" in typing_error.stderr
    assert hint not in typing_error.stderr


def test_verify_names_the_first_illegal_step(win):
    row = json.loads(win)
    moves = row["moves"]
    broken = [*moves[:5], moves[-1], *moves[5:]]
    result = run("verify", "yukon", row["deal"], "-", stdin=" ".join(broken))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert f"illegal: step 6, {moves[-1]}" in result.stderr


def test_verify_tells_legal_from_won(win):
    row = json.loads(win)
    result = run("verify", "yukon", row["deal"], "-", stdin=" ".join(row["moves"][:-1]))
    assert result.exit_code == 1
    assert "legal, but not won: 51 of 52 cards up" in result.stderr


def test_human_answer_numbers_the_moves(win):
    row = json.loads(win)
    result = run("solve", "yukon", row["deal"])
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert lines[0].startswith(f"solvable: {row['deal']}")
    assert lines[2].split()[0] == "1."
    assert sum(line.lstrip()[:1].isdigit() and "->" in line for line in lines) == len(row["moves"])
    assert lines[-1].startswith(f"{len(row['moves'])} moves, ")


def test_node_limit_gives_its_reason():
    result = run("solve", "yukon", "native:1", "--json", "--max-nodes", "1")
    row = json.loads(result.stdout)
    if row["verdict"] == "undecided":
        assert (result.exit_code, row["reason"]) == (20, "nodes")


# batch and report


def parts(folder: Path) -> list[tuple[object, ...]]:
    table = pq.read_table(folder).drop_columns(["seconds"])
    return [tuple(row.values()) for row in table.to_pylist()]


@pytest.mark.skipif(sys.platform == "win32", reason="fakes reach workers by fork")
class TestBatch:
    def test_rows_report_and_manifest(self, fake, tmp_path):
        out = tmp_path / "out"
        result = run("batch", "yukon", "--seeds", "5-64", "--out", out, "--jobs", "2")
        assert result.exit_code == 0, result.stderr
        assert [row[0] for row in parts(out)] == list(range(5, 65))
        assert "Win rate" in result.stdout
        assert "native:5 to native:64" in result.stdout
        manifest = json.loads((out / "_manifest.json").read_text())
        identity = manifest["identity"]
        assert identity["rules"]["name"] == "yukon"
        assert identity["numbering"] == "native"
        assert (identity["first"], identity["last"]) == (5, 64)
        assert identity["limits"]["max_nodes"] == 1000
        (entry,) = manifest["runs"]
        assert {"command", "machine", "versions", "started_utc", "ended_utc"} <= set(entry)
        assert entry["ended_utc"] is not None
        assert run("report", out).stdout == result.stdout

    def test_again_is_no_work(self, fake, tmp_path, monkeypatch):
        arguments = ("batch", "yukon", "--seeds", "1-20", "--out", tmp_path, "--jobs", "1")
        first = run(*arguments)
        monkeypatch.setattr(FakeSolver, "solve", lambda *_: pytest.fail("searched"))
        again = run(*arguments)
        assert again.exit_code == 0
        assert again.stdout == first.stdout
        assert "20 of 20 deals are there" in again.stderr

    @pytest.mark.parametrize(
        "other",
        [
            ["--seeds", "1-21"],
            ["--seeds", "1-20", "--spaces", "any"],
            ["--seeds", "1-20", "--max-nodes", "9"],
            ["--seeds", "1-20", "--numbering", "pysolfc"],
            ["--seeds", "1-20", "--keep-moves"],
        ],
    )
    def test_another_run_is_refused(self, fake, tmp_path, other):
        assert run("batch", "yukon", "--seeds", "1-20", "--out", tmp_path).exit_code == 0
        result = run("batch", "yukon", "--out", tmp_path, *other)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert "holds another run" in result.stderr

    def test_moves_are_kept_on_request(self, fake, tmp_path):
        run("batch", "yukon", "--seeds", "1-20", "--out", tmp_path, "--keep-moves", "--jobs", "1")
        table = pq.read_table(tmp_path)
        lengths = table.column("solution_length").to_pylist()
        moves = table.column("moves").to_pylist()
        assert [text and len(text.split()) for text in moves] == lengths
        assert set(lengths) == {2, None}

    def test_a_failing_deal_is_named_and_recorded(self, fake, tmp_path):
        fake(7, "raise")
        result = run("batch", "yukon", "--seeds", "1-20", "--out", tmp_path, "--jobs", "1")
        assert result.exit_code == 0
        assert "deal 7 failed" in result.stderr
        assert parts(tmp_path)[6][:3] == (7, "undecided", "error")
        assert "undecided because of" in result.stdout

    def test_killed_and_interrupted_runs_end_in_the_same_dataset(self, tmp_path):
        arguments = ["batch", "yukon", "--seeds", "1-150", "--jobs", "2", "--out"]
        body = "FakeSolver.pause_s = 0.01"
        with start(body, *arguments, str(tmp_path / "whole")) as process:
            process.communicate()
        assert process.returncode == 0
        for stop in (signal.SIGINT, signal.SIGKILL, signal.SIGINT):
            with start(body, *arguments, str(tmp_path / "stopped")) as process:
                wait_for_rows(tmp_path / "stopped")
                process.send_signal(stop)
                _, errors = process.communicate()
            assert process.returncode == (130 if stop is signal.SIGINT else -stop)
            if stop is signal.SIGINT:
                assert "deals are kept" in errors
                assert "Traceback" not in errors
        with start(body, *arguments, str(tmp_path / "stopped")) as process:
            _, errors = process.communicate()
        assert process.returncode == 0
        assert "going on" in errors
        assert parts(tmp_path / "stopped") == parts(tmp_path / "whole")


def wait_for_rows(folder: Path) -> None:
    """Wait until a run that has just been started has added rows."""
    journal = folder / "_journal-000000.bin"
    before = journal.stat().st_size if journal.exists() else 0
    deadline = time.monotonic() + 60
    while not journal.exists() or journal.stat().st_size <= before:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_report_counts_and_interval(tmp_path):
    from yukonsolve.stats import Tally, bracket

    limits = {"max_nodes": 9, "timeout_s": 2.0, "max_memory_bytes": 2**30}
    make_folder(tmp_path, RULES, "ssssssuuu?", wanted=range(1, 21), limits=limits)
    (report,) = json.loads(run("report", tmp_path, "--json").stdout)["runs"]
    assert (report["solvable"], report["unsolvable"], report["undecided"]) == (6, 3, 1)
    assert report["complete"] is False
    interval = bracket(Tally(6, 3, 1))
    assert report["win_rate"]["low"] <= interval.low
    assert report["win_rate"]["high"] >= interval.high
    assert report["win_rate"]["low"] == pytest.approx(interval.low, abs=1e-8)
    nodes = report["nodes"]
    assert (nodes["median"], nodes["p90"], nodes["max"], nodes["total"]) == (55, 91, 100, 550)
    assert report["undecided_reasons"] == {"nodes": 1}
    text = run("report", tmp_path).stdout
    assert "NOT COMPLETE" in text
    assert "Running" in text
    assert "node limit 1" in text
    assert "not reproducible" in text
    assert RULES.describe() in text


def test_report_of_an_empty_folder_has_no_rate(tmp_path):
    make_folder(tmp_path, RULES, "", numbers=[], wanted=range(1, 21))
    result = run("report", tmp_path)
    assert result.exit_code == 0
    assert "Win rate" not in result.stdout


def test_klondike_can_build_in_suit():
    done = CliRunner().invoke(
        main, ["solve", "klondike-draw3", "native:1", "--build", "suit", "--json"]
    )
    assert json.loads(done.stdout)["rules"]["build"] == "suit"
    done = CliRunner().invoke(main, ["solve", "yukon", "native:1", "--build", "suit"])
    assert done.exit_code == 2
    assert "Klondike" in done.stderr


def test_json_line_gives_the_exact_number_of_a_klondike_deal():
    exact = "54605893934891402797250875638084106573966814513336615954662756441873"
    for deal in ("greenfelt:815", f"exact:{exact}"):
        done = CliRunner().invoke(main, ["solve", "klondike-draw3", deal, "--json"])
        row = json.loads(done.stdout)
        assert (row["deal"], row["exact"], row["verdict"]) == (deal, exact, "solvable")
    # The board names the same deal; a card drawn, and it is no fresh deal.
    board = CliRunner().invoke(main, ["deal", "klondike", f"exact:{exact}"]).stdout
    drawn = board.replace("Talon: 7H ", "Waste: 7H\nTalon: ")
    for text, number in ((board, exact), (drawn, None)):
        done = CliRunner().invoke(main, ["solve", "klondike-draw3", "-", "--json"], input=text)
        assert json.loads(done.stdout)["exact"] == number


def test_numbers_too_long_for_a_folder_are_not_offered(tmp_path):
    for name in ("exact", "microsoft"):
        arguments = ["--seeds", "1-9", "--numbering", name, "--out", str(tmp_path / "x")]
        done = CliRunner().invoke(main, ["batch", "klondike", *arguments])
        assert done.exit_code == 2
        assert f"'{name}' is not one of 'native'" in done.stderr
        assert not (tmp_path / "x").exists()
    arguments = ["--seeds", "4-4", "--numbering", "greenfelt", "--out", str(tmp_path / "x")]
    done = CliRunner().invoke(main, ["batch", "klondike", *arguments, "--jobs", "1"])
    assert done.exit_code == 0
    assert parts(tmp_path / "x")[0][:2] == (4, "unsolvable")


def test_a_klondike_line_says_what_it_costs(tmp_path):
    done = CliRunner().invoke(main, ["solve", "klondike-draw3", "solvitaire:2"])
    end = done.stdout.splitlines()[-1]
    draws = sum(line.split()[1:] == ["draw"] for line in done.stdout.splitlines())
    assert draws > 0
    assert f" {draws} draws, " in end
    assert " pass" in end
    assert "worried back" in end


def test_two_signals_at_once_are_one_ctrl_c():
    with Interrupts() as interrupts:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)  # a second press would end this process
        assert interrupts.seen
