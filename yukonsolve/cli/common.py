"""What several commands share: options, errors, reading deals, making a solver."""

from __future__ import annotations

import gc
import math
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from yukonsolve.cli.interrupts import exit_on_interrupt
from yukonsolve.rules import BUILDS, PRESETS, SPACES, UNLIMITED, Rules, preset
from yukonsolve.verdict import Limits

if TYPE_CHECKING:
    from yukonsolve.formats import NamedDeal
    from yukonsolve.solver import Solver

FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130

_F = TypeVar("_F", bound=Callable[..., Any])


_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(i?)(B?)", re.IGNORECASE | re.ASCII)


def _size(ctx: click.Context, param: click.Parameter, value: str) -> int:
    match = _SIZE.fullmatch(value.strip())
    if match is None:
        message = f"{value!r} is no size; write 512MiB, 1GiB or a number of bytes"
        raise click.BadParameter(message, ctx, param)
    number, unit, binary, byte = match.groups()
    # 512M means 512 MiB, as for most tools that take sizes; 512MB is the decimal unit.
    base = 1000 if byte and not binary else 1024
    size = int(float(number) * base ** " KMGT".index(unit.upper() or " "))
    if size < 2**20:
        raise click.BadParameter(f"{value!r} is too small; at least 1MiB is needed", ctx, param)
    return size


def _seconds(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    if value is not None and math.isnan(value):
        raise click.BadParameter("'nan' is no number of seconds", ctx, param)
    return value


def _passes(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    if value.lower() == "unlimited":
        return UNLIMITED
    if not re.fullmatch(r"[1-9]\d{0,5}", value, re.ASCII):
        message = f"{value!r} is neither 'unlimited' nor a number from 1 up"
        raise click.BadParameter(message, ctx, param)
    return int(value)


def rule_options(command: _F) -> _F:
    """Add the RULES argument and the options that change a rule set.

    Examples
    --------
    >>> @click.command()
    ... @rule_options
    ... def show(**options):
    ...     click.echo(rules_from(options).describe())
    """
    for decorate in (
        click.option(
            "--passes",
            callback=_passes,
            metavar="N|unlimited",
            help="Klondike: runs through stock.",
        ),
        click.option("--draw", type=click.IntRange(1, 24), help="Klondike: cards drawn at a time."),
        click.option(
            "--build",
            type=click.Choice(BUILDS),
            help="Klondike: what may lie on what (colour, suit).",
        ),
        click.option(
            "--worrying-back/--no-worrying-back",
            default=None,
            help="Whether foundation cards may return to the columns.",
        ),
        click.option("--spaces", type=click.Choice(SPACES), help="Who may fill an empty column."),
        click.argument("rules", type=click.Choice(list(PRESETS)), metavar="RULES"),
    ):
        command = decorate(command)
    return command


def limit_options(command: _F) -> _F:
    """Add the limits of one search.

    Examples
    --------
    >>> @click.command()
    ... @limit_options
    ... def show(**options):
    ...     click.echo(limits_from(options).max_memory_bytes)
    """
    for decorate in (
        click.option(
            "--max-memory",
            callback=_size,
            default="1GiB",
            show_default=True,
            metavar="SIZE",
            help="Memory for the positions one search remembers.",
        ),
        click.option(
            "--timeout",
            type=click.FloatRange(min=0, min_open=True),
            callback=_seconds,
            metavar="SECONDS",
            help="Time limit a deal. Unlike a node limit it makes results irreproducible.",
        ),
        click.option(
            "--max-nodes",
            type=click.IntRange(min=1),
            metavar="N",
            help="Node limit a deal. [default: depends on the rules]",
        ),
    ):
        command = decorate(command)
    return command


def rules_from(options: dict[str, Any]) -> Rules:
    """Take the options of `rule_options` out of a command's options; return the rules.

    Raises
    ------
    click.UsageError
        If an option does not fit the preset.

    Examples
    --------
    >>> rules_from({"rules": "yukon", "spaces": "any", "worrying_back": None, "draw": None,
    ...             "passes": None, "build": None}).spaces
    'any'
    """
    name = options.pop("rules")
    keys = ("spaces", "worrying_back", "draw", "passes", "build")
    changes = {key: options.pop(key) for key in keys}
    changes = {key: value for key, value in changes.items() if value is not None}
    if PRESETS[name].family != "klondike":
        for key in ("draw", "passes"):
            if key in changes:
                raise click.UsageError(f"{name} has no stock, so --{key} means nothing for it")
        if "build" in changes:
            raise click.UsageError("--build is for Klondike; yukon and russian differ in just that")
    try:
        return preset(name, **changes)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def limits_from(options: dict[str, Any]) -> Limits:
    """Take the options of `limit_options` out of a command's options; return the limits.

    Examples
    --------
    >>> limits_from({"max_nodes": 5, "timeout": None, "max_memory": 2**20}).max_nodes
    5
    """
    return Limits(options.pop("max_nodes"), options.pop("timeout"), options.pop("max_memory"))


def fail(status: int, *messages: str) -> NoReturn:
    """End the command with one line on standard error for each message.

    Examples
    --------
    >>> fail(2, "no such deal")
    Traceback (most recent call last):
        ...
    SystemExit: 2
    """
    sys.stdout.flush()
    for message in messages:
        click.echo(f"Error: {message}", err=True)
    raise SystemExit(status)


def read_text(file: str) -> tuple[str, str]:
    """Return the text of a file (``-``: standard input), and its name for messages.

    Examples
    --------
    >>> read_text("no-such-file")
    Traceback (most recent call last):
        ...
    SystemExit: 2
    """
    name = "standard input" if file == "-" else file
    try:
        stdin = file == "-"
        data = sys.stdin.buffer.read() if stdin else Path(file).read_bytes()
        return data.decode("utf-8-sig"), name
    except OSError as error:
        fail(BAD_INPUT, f"{name}: {error.strerror or error}")
    except UnicodeDecodeError:
        fail(BAD_INPUT, f"{name}: not a text file in UTF-8")


def read_one(text: str, rules: Rules) -> NamedDeal:
    """Return the deal that a DEAL argument names (``-``: what standard input holds).

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> read_one("native:7", preset("yukon")).name
    'native:7'
    """
    from yukonsolve import formats

    source = "DEAL"
    if text == "-":
        text, source = read_text("-")
    try:
        return _noted(formats.read_deal(text, rules, source))
    except formats.DealError as error:
        # An argument has no lines to tell apart.
        fail(BAD_INPUT, *(line.replace("DEAL:1:", "DEAL:", 1) for line in error.messages))


def read_board(file: str, rules: Rules) -> NamedDeal:
    """Return the one deal that a file holds (``-``: standard input).

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> read_board("no-such-file", preset("yukon"))
    Traceback (most recent call last):
        ...
    SystemExit: 2
    """
    from yukonsolve import formats

    text, source = read_text(file)
    try:
        return _noted(formats.read_deal(text, rules, source))
    except formats.DealError as error:
        fail(BAD_INPUT, *error.messages)


def _noted(named: NamedDeal) -> NamedDeal:
    """Say on standard error what may not have been meant; the deal is taken all the same."""
    if named.note:
        click.echo(f"note: {named.note}", err=True)
    return named


def read_many(file: str, rules: Rules) -> list[NamedDeal]:
    """Return the deals of a file; every bad one is reported before the command ends.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> len(read_many("deals.txt", preset("yukon")))  # doctest: +SKIP
    1000
    """
    from yukonsolve import formats

    text, source = read_text(file)
    try:
        return [_noted(named) for named in formats.read_deals(text, rules, source)]
    except formats.DealError as error:
        fail(BAD_INPUT, *error.messages)


def ready_solver(rules: Rules, limits: Limits, load: bool = True) -> Solver:
    """Return a solver with its kernels compiled, saying so when that takes place.

    Parameters
    ----------
    rules : Rules
    limits : Limits
    load : bool
        Whether this process will use the kernels; if not, they are only made sure to be on disk.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> ready_solver(preset("yukon"), Limits()).max_nodes > 0
    True
    """
    with exit_on_interrupt(INTERRUPTED):
        # What is imported and compiled stays to the end: looking for garbage in it, now and on the
        # way out, takes a quarter of a second.
        gc.disable()
        try:
            from yukonsolve.lean import import_numba

            import_numba()
            from yukonsolve.solver import Solver

            solver = Solver(rules, limits)
            cold = not _cache_is_warm(rules.family)
            if cold:
                click.echo("compiling kernels (once per installation) ... ", err=True, nl=False)
            seconds = solver.warm_up() if cold or load else 0.0
            if cold:
                click.echo(f"done in {seconds:.1f} s", err=True)
        finally:
            gc.freeze()
            gc.enable()
    return solver


def _cache_is_warm(family: str) -> bool:
    from yukonsolve import jit

    return jit.cache_is_warm(family)


def run_facts() -> dict[str, Any]:
    """Return what a manifest says about the run that wrote to the folder.

    Examples
    --------
    >>> sorted(run_facts())
    ['command', 'machine', 'started_utc', 'versions']
    """
    from yukonsolve.provenance import command_line, machine, utc_now, versions

    return {
        "command": command_line(),
        "machine": machine(),
        "versions": versions(),
        "started_utc": utc_now(),
    }
