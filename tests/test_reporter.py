"""The process that makes the report at the end of a batch."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from report_tools import make_folder

from yukonsolve.disk import StoreError
from yukonsolve.reporter import Reporter, report_text
from yukonsolve.rules import preset


@pytest.fixture
def folder(tmp_path):
    return make_folder(tmp_path / "out", preset("yukon"), "ssu?")


@pytest.fixture
def reporter():
    reporter = Reporter()
    yield reporter
    reporter.close()


def test_it_says_what_the_command_says(reporter, folder):
    text = reporter.text(folder)
    assert text == report_text(folder)
    assert "Wilson" in text


def test_a_killed_one_costs_nothing_but_time(reporter, folder):
    os.kill(reporter._process.pid, signal.SIGKILL)
    reporter._process.join()
    assert reporter.text(folder) == report_text(folder)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="looks at Linux's /proc")
def test_ctrl_c_leaves_it_alone(reporter, folder):
    status = Path(f"/proc/{reporter._process.pid}/status")
    deadline = time.monotonic() + 20
    while not ignores_ctrl_c(status) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(reporter._process.pid, signal.SIGINT)
    assert reporter.text(folder) == report_text(folder)
    assert reporter._process.exitcode in (None, 0)


def ignores_ctrl_c(status: Path) -> bool:
    ignored = next(line for line in status.read_text().splitlines() if line.startswith("SigIgn:"))
    return bool(int(ignored.split()[1], 16) & 1 << (signal.SIGINT - 1))


def test_what_cannot_be_read_is_an_error_here(reporter, tmp_path):
    with pytest.raises(StoreError, match="no such folder"):
        reporter.text(tmp_path / "none")


def test_it_ends_with_a_process_that_is_killed():
    code = (
        "import os\n"
        "from yukonsolve.reporter import Reporter\n"
        "print(Reporter()._process.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    reporter = int(run.stdout)
    deadline = time.monotonic() + 20
    while psutil.pid_exists(reporter) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not psutil.pid_exists(reporter)
