"""Numba imported without what no kernel needs."""

from __future__ import annotations

import subprocess
import sys


def test_numba_comes_without_scipy_and_both_work_afterwards():
    code = (
        "import sys\n"
        "from yukonsolve.lean import import_numba\n"
        "import_numba()\n"
        "import_numba()\n"
        "print(sorted({'numba', 'scipy', 'yaml'} & sys.modules.keys()))\n"
        "from scipy.linalg import inv\n"
        "from yukonsolve.rules import preset\n"
        "from yukonsolve.solver import Solver\n"
        "print(inv([[2.0]])[0, 0], Solver(preset('russian')).max_nodes > 0)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == ["['numba']", "0.5 True"]
