"""Run the command line: ``python -m yukonsolve``, and the installed script.

Imports next to nothing itself, so that Ctrl-C is heeded from the first milliseconds on.
"""

from __future__ import annotations

import os
import signal
import sys

_INTERRUPTED = 130


def run() -> None:
    """Import the command line, run it, and end the process."""
    # An exception would end up inside whatever is just being imported.
    heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heeded:
        signal.signal(signal.SIGINT, _stop)
    from yukonsolve.cli import main

    try:
        if heeded:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        main(prog_name="yukonsolve")
    except KeyboardInterrupt:
        _stop()


def _stop(*_: object) -> None:
    sys.stderr.write("\ninterrupted\n")
    sys.stderr.flush()
    os._exit(_INTERRUPTED)


if __name__ == "__main__":
    run()
