"""Ctrl-C: once is a request that commands look at, twice ends the program there and then."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

ONE_PRESS_S = 0.3
"""Signals so close are one Ctrl-C: some programs signal a process and then its whole group."""


class Interrupts:
    """Within this context Ctrl-C only sets ``seen``; a second one ends the program.

    Examples
    --------
    >>> with Interrupts() as interrupts:
    ...     interrupts.seen
    False
    """

    def __init__(self) -> None:
        self.seen = False
        self._at = 0.0

    def __enter__(self) -> Interrupts:
        self._before = _set_handler(self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        _set_handler(self._before)

    def __call__(self) -> bool:
        """Return whether Ctrl-C was pressed."""
        return self.seen

    def _handle(self, *_: object) -> None:
        now = time.monotonic()
        if not self.seen:
            self.seen, self._at = True, now
        elif now - self._at > ONE_PRESS_S:
            os.write(2, b"\nended at once; what was kept before stays\n")
            os._exit(130)


def leave(status: int) -> NoReturn:
    """End the program without taking it apart, which can last longer than Ctrl-C may.

    Examples
    --------
    >>> leave(130)  # doctest: +SKIP
    """
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


@contextmanager
def exit_on_interrupt(status: int) -> Iterator[None]:
    """Within this context Ctrl-C ends the program at once, even inside the compiler.

    Compiling spends seconds in native code, where Python runs no signal handler; the byte that
    the system-level handler writes is seen by a thread all the same.

    Parameters
    ----------
    status : int
        Exit status.

    Examples
    --------
    >>> with exit_on_interrupt(130):
    ...     pass
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ear, mouth = socket.socketpair()
    mouth.setblocking(False)

    def listen() -> None:
        while (heard := ear.recv(1)) not in (b"\0", b""):
            if heard[0] == signal.SIGINT:
                sys.stderr.write("\ninterrupted\n")
                sys.stderr.flush()
                os._exit(status)

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    before_handler = _set_handler(lambda *_: None)
    before_fd = signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before_fd)
        _set_handler(before_handler)
        mouth.send(b"\0")
        listener.join()
        ear.close()
        mouth.close()


def _set_handler(handler: object) -> object:
    if threading.current_thread() is not threading.main_thread():
        return None
    return signal.signal(signal.SIGINT, handler)  # type: ignore[arg-type]
