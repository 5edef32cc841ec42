"""One folder's report, and a process that gets ready to make it while a batch runs.

What a report imports (pyarrow, parts of scipy) takes as long as some thousand Russian deals. In
the batch's own process that would keep it from its workers, or the user waiting at the end.
"""

from __future__ import annotations

import gc
import multiprocessing as mp
import os
import signal
from pathlib import Path
from typing import Any

from yukonsolve.disk import StoreError
from yukonsolve.pool import start_method


class Reporter:
    """A process that waits to be asked for one report.

    Examples
    --------
    >>> reporter = Reporter()
    >>> reporter.text(Path("results/russian"))  # doctest: +SKIP
    '# Russian...'
    >>> reporter.close()
    """

    def __init__(self) -> None:
        context: Any = mp.get_context(start_method())
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._pipe), daemon=True)
        self._process.start()
        theirs.close()  # so that its death closes the pipe

    def text(self, folder: Path) -> str:
        """Return the report of a folder.

        Raises
        ------
        StoreError
            If the folder cannot be read.
        """
        try:
            self._pipe.send(folder)
            answer = self._pipe.recv()
        except (EOFError, OSError):  # somebody killed it
            return report_text(folder)
        if isinstance(answer, StoreError):
            raise answer
        return str(answer)

    def close(self) -> None:
        """End the process."""
        self._pipe.close()
        self._process.kill()
        self._process.join()


def report_text(folder: Path) -> str:
    """Return what ``yukonsolve report`` prints of one folder.

    Raises
    ------
    StoreError
        If the folder cannot be read.

    Examples
    --------
    >>> report_text(Path("results/russian"))  # doctest: +SKIP
    '# Russian...'
    """
    from yukonsolve.markdown import markdown
    from yukonsolve.report import build_report

    return markdown(build_report([folder]))


def _serve(pipe: Any, others: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()  # nothing imported here becomes garbage
    others.close()  # a forked process holds the asker's end too, and would never see it close
    _get_ready()
    try:
        folder = pipe.recv()
    except (EOFError, OSError):
        os._exit(0)
    try:
        pipe.send(report_text(folder))
    except StoreError as error:
        pipe.send(error)


def _get_ready() -> None:
    """Import what a report needs."""
    from yukonsolve import markdown, parts, report  # noqa: F401
    from yukonsolve.stats import clopper_pearson, wilson

    parts.get_ready()
    wilson(0, 1)
    clopper_pearson(0, 1)
