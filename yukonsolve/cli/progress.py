"""How far a batch is: a bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from typing import Any

import click

from yukonsolve.stats import Tally

LINE_S = 10.0
REFRESH_S = 0.5


class Progress:
    """Progress on standard error, from this process only.

    Parameters
    ----------
    total, there : int
        Deals in all, and deals that an earlier run finished.

    Examples
    --------
    >>> progress = Progress(1000, 0)
    >>> progress.show(Tally(3, 1, 0))
    >>> progress.close()
    """

    def __init__(self, total: int, there: int) -> None:
        self._total = total
        self._there = there
        self._begun = time.monotonic()
        self._due = self._begun + LINE_S
        self._bar: Any = None
        if sys.stderr.isatty():
            from tqdm import tqdm

            tqdm.monitor_interval = 0  # its thread would be there when a worker is forked again
            self._bar = tqdm(total=total, initial=there, unit=" deals", dynamic_ncols=True)

    def show(self, tally: Tally) -> None:
        """Show the counts so far."""
        now = time.monotonic()
        if self._bar is not None:
            self._bar.set_postfix_str(_running(tally), refresh=False)
            self._bar.update(tally.total - self._bar.n)
            if now >= self._due:  # also while every worker is at a long deal
                self._due = now + REFRESH_S
                self._bar.refresh()
        elif now >= self._due:
            self._due = now + LINE_S
            rate = (tally.total - self._there) / (now - self._begun)
            left = f"{(self._total - tally.total) / rate:,.0f} s left" if rate else "no rate yet"
            click.echo(
                f"{tally.total:,} of {self._total:,} deals, {rate:,.1f} deals/s, {left}, "
                f"{_running(tally)}",
                err=True,
            )

    def note(self, line: str) -> None:
        """Print a line without breaking the bar."""
        if self._bar is not None:
            self._bar.write(f"note: {line}", file=sys.stderr)
        else:
            click.echo(f"note: {line}", err=True)

    def close(self) -> None:
        """End the bar."""
        if self._bar is not None:
            self._bar.close()


def _running(tally: Tally) -> str:
    share = 100 * tally.solvable / tally.total if tally.total else 0.0
    return f"running win rate {share:.2f} %, undecided {tally.undecided:,}"
