"""The command line: commands parse, call the library, print; one module a command.

What is slow to import (numba, pyarrow) is imported inside the commands that need it, so
that help and the listing commands answer at once.
"""

from __future__ import annotations

import contextlib
import errno
import sys

import click

from yukonsolve.cli.batch import batch
from yukonsolve.cli.common import FAILED, INTERRUPTED
from yukonsolve.cli.deal import deal
from yukonsolve.cli.explain import explain
from yukonsolve.cli.export import export
from yukonsolve.cli.merge import merge
from yukonsolve.cli.plan import plan
from yukonsolve.cli.report import report
from yukonsolve.cli.rules import rules
from yukonsolve.cli.solve import solve
from yukonsolve.cli.verify import verify

__all__ = ["main"]


class _Group(click.Group):
    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("\ninterrupted", err=True)
            ctx.exit(INTERRUPTED)
        except OSError as error:
            if error.errno == errno.EPIPE:  # click ends quietly when a reader has gone
                raise
            click.echo(f"Error: {_described(error)}", err=True)
            try:
                sys.stdout.flush()
            except OSError:
                # What is still in the buffer would fail once more on the way out.
                with contextlib.suppress(OSError):
                    sys.stdout.close()
            ctx.exit(FAILED)


def _described(error: OSError) -> str:
    what = error.strerror or str(error)
    return f"{error.filename}: {what}" if error.filename else what


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from yukonsolve.provenance import versions

        v = versions()
        click.echo(
            f"yukonsolve {v['yukonsolve']} "
            f"(Python {v['python']}, numba {v['numba']}, numpy {v['numpy']})"
        )
        ctx.exit()


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the versions of the tool, Python, numba and numpy.",
)
def main() -> None:
    """Answer exactly whether deals of a patience game can be won, and how many can.

    RULES is a preset such as yukon or russian (see `yukonsolve rules`). DEAL is a number with its
    numbering (native:7, pysolfc:16), a bare number (native), a deck string, or - for standard
    input. The numberings are native, pysolfc and kpat; for Klondike also solvitaire, greenfelt,
    microsoft and exact.

    \b
    Example:
      yukonsolve solve yukon native:7
      yukonsolve batch russian --seeds 1-1000 --out results/russian
    """


for _command in (rules, deal, solve, explain, verify, batch, report, plan, export, merge):
    main.add_command(_command)
