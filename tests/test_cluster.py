"""The cluster executor on a real local cluster: worker processes of their own, on loopback only."""

from __future__ import annotations

import ast
import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import yukonsolve
from yukonsolve.cli import main
from yukonsolve.disk import StoreError
from yukonsolve.provenance import solver_fingerprint, solver_sources
from yukonsolve.rules import preset
from yukonsolve.selection import Selection
from yukonsolve.store import Store
from yukonsolve.verdict import Limits
from yukonsolve.worker import Job, WorkersError

distributed = pytest.importorskip("distributed")

PACKAGE = Path(yukonsolve.__file__).parent
JOB = Job(preset("russian"), Limits(max_memory_bytes=2**26))


def table(folder: Path):
    return pq.read_table(folder).drop_columns(["seconds"])


@pytest.fixture(scope="module")
def local_cluster():
    """Yield the scheduler's address and a way to find the workers' process ids."""
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address=None,
        silence_logs=50,
    ) as cluster:
        yield cluster


def pids(cluster) -> list[int]:
    return [w.pid for w in cluster.workers.values() if w.pid is not None]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_dataset_is_that_of_a_run_here_even_if_a_worker_is_killed(local_cluster, tmp_path):
    arguments = ["batch", "russian", "--seeds", "1-30000", "--max-memory", "64MiB", "--out"]
    done = subprocess.run(
        [sys.executable, "-m", "yukonsolve", *arguments, str(tmp_path / "here"), "--jobs", "2"],
        check=False,
    )
    assert done.returncode == 0
    address = local_cluster.scheduler_address
    with subprocess.Popen(
        [
            sys.executable,
            "-m",
            "yukonsolve",
            *arguments,
            str(tmp_path / "there"),
            "--cluster",
            address,
        ]
    ) as process:
        folder = tmp_path / "there"
        deadline = 100.0
        while process.poll() is None and deadline > 0:
            if list(folder.glob("_journal-*")) or list(folder.glob("part-*")):
                os.kill(pids(local_cluster)[0], signal.SIGKILL)
                break
            asyncio.run(asyncio.sleep(0.05))
            deadline -= 0.05
        assert process.wait(300) == 0
    assert table(tmp_path / "there") == table(tmp_path / "here")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_another_solver_on_the_workers_is_refused(local_cluster, monkeypatch):
    from yukonsolve import cluster as module

    monkeypatch.setattr(module, "solver_fingerprint", lambda family: "0123456789abcdef")
    pool = module.Cluster(JOB, local_cluster.scheduler_address)
    with pytest.raises(WorkersError, match="another version of the solver"):
        list(pool.rows(range(1, 10), 9))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_stopping_leaves_the_folder_to_go_on_with(local_cluster, tmp_path):
    from yukonsolve.cluster import Cluster

    numbers = range(1, 20_001)
    for _ in range(2):
        with Store(tmp_path, {}, numbers, {}) as store:
            pool = Cluster(JOB, local_cluster.scheduler_address)
            stop = []
            for rows in pool.rows(store.missing(), len(numbers), stop.__len__):
                store.add(rows)
                if store.tally.total > 200:
                    stop.append(1)
    with Store(tmp_path, {}, numbers, {}) as store:
        assert 200 < store.tally.total < len(numbers)


@pytest.mark.filterwarnings("ignore")
def test_no_scheduler_is_one_line(monkeypatch, tmp_path):
    from yukonsolve import cluster as module

    monkeypatch.setattr(module, "CONNECT_SECONDS", 0.5)
    arguments = ["--seeds", "1-9", "--out", str(tmp_path), "--cluster", "tcp://127.0.0.1:9"]
    result = CliRunner().invoke(main, ["batch", "russian", *arguments])
    assert result.exit_code == 1
    assert "no scheduler at tcp://127.0.0.1:9" in result.stderr
    assert "Traceback" not in result.stderr


def test_missing_library_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "yukonsolve.cluster", raising=False)
    arguments = ["--seeds", "1-9", "--out", str(tmp_path), "--cluster", "tcp://127.0.0.1:9"]
    result = CliRunner().invoke(main, ["batch", "russian", *arguments])
    assert result.exit_code == 2
    assert "yukonsolve[cluster]" in result.stderr


def test_fingerprint_covers_what_decides_and_nothing_else():
    yukon, klondike = solver_sources("yukon"), solver_sources("klondike")
    assert {"solver", "numbering", "rules", "deal", "rulebook", "verdict", "jit"} <= yukon.keys()
    assert {"kernels.search", "kernels.table", "strategy", "workspace"} <= yukon.keys()
    assert {"klondike", "kernels.klondike_search", "numbering", "rulebook"} <= klondike.keys()
    for name in ("formats", "deal_checks", "text_board", "json_board", "store", "pool", "worker"):
        assert name not in yukon
    for name in ("explain", "reasons", "chains", "refutation", "cli", "cluster"):
        assert name not in yukon
    assert not [name for name in yukon if "klondike" in name]
    assert solver_fingerprint("yukon") != solver_fingerprint("klondike")


@pytest.mark.parametrize("family", ["yukon", "klondike"])
def test_fingerprint_follows_every_import(family):
    """Imports are found by their look; the parser says whether any was missed."""
    sources = solver_sources(family)
    for path in sources.values():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.ImportFrom) and (node.module or "").startswith("yukons")):
                continue
            inside = node.module.partition(".")[2]
            for name in [inside, *(f"{inside}.{alias.name}".strip(".") for alias in node.names)]:
                imported = (PACKAGE / name.replace(".", "/")).with_suffix(".py")
                other = imported.name.startswith({"yukon": "klondike", "klondike": "yukon"}[family])
                assert name in sources or other or not imported.exists(), name


def test_an_empty_selection_is_refused():
    with pytest.raises(ValueError, match="no numbers"):
        Selection([])
    assert issubclass(StoreError, Exception)
