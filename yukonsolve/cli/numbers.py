"""The options that say which deal numbers a command is about."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from yukonsolve.cli.common import BAD_INPUT, fail, read_text
from yukonsolve.numbering import deck_of_number
from yukonsolve.rules import Rules

if TYPE_CHECKING:
    from yukonsolve.selection import Selection

_F = TypeVar("_F", bound=Callable[..., Any])
_BAD_LINES_SHOWN = 20


def _seeds(ctx: click.Context, param: click.Parameter, value: str | None) -> range | None:
    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,30})(?:-(\d{1,30}))?", value.strip(), re.ASCII)
    if match is None:
        raise click.BadParameter(f"{value!r} is no range; write 1-1000", ctx, param)
    first, last = int(match[1]), int(match[2] or match[1])
    if last < first:
        raise click.BadParameter(f"{value!r} runs backwards", ctx, param)
    if last - first >= 2**40:
        raise click.BadParameter(f"{value!r} is more than one folder can hold", ctx, param)
    return range(first, last + 1)


def number_options(command: _F) -> _F:
    """Add the options that choose deal numbers.

    Examples
    --------
    >>> @click.command()
    ... @number_options
    ... def show(**options):
    ...     click.echo(options["seeds"])
    """
    for decorate in (
        click.option(
            "--seeds-file",
            metavar="FILE",
            help="Deal numbers from a file, one a line, # starts a comment; - for standard input.",
        ),
        click.option(
            "--seeds", callback=_seeds, metavar="A-B", help="Deal numbers, both ends included."
        ),
    ):
        command = decorate(command)
    return command


def numbers_from(
    options: dict[str, Any], numbering: str, rules: Rules, needed: bool = True
) -> Selection | None:
    """Take the options of `number_options` out of a command's options; return the numbers.

    Parameters
    ----------
    options : dict
    numbering : str
    rules : Rules
    needed : bool
        Whether it is an error to name no numbers.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> options = {"seeds": range(1, 9), "seeds_file": None}
    >>> len(numbers_from(options, "native", preset("yukon")))
    8
    """
    from yukonsolve.selection import LAST_NUMBER, Selection, parse_numbers

    seeds, file = options.pop("seeds"), options.pop("seeds_file")
    if seeds is not None and file is not None:
        raise click.UsageError("--seeds and --seeds-file exclude each other")
    if seeds is None and file is None:
        if needed:
            raise click.UsageError("say which deals: --seeds A-B or --seeds-file FILE")
        return None
    if file is None:
        source = "--seeds"
        given = seeds
        if seeds[-1] > LAST_NUMBER:
            fail(BAD_INPUT, f"--seeds: numbers go up to {LAST_NUMBER} here, not {seeds[-1]}")
    else:
        text, source = read_text(file)
        try:
            given = parse_numbers(text)
        except ValueError as error:
            fail(BAD_INPUT, *(f"{source}: {m}" for m in str(error).split("\n")[:_BAD_LINES_SHOWN]))
        if not given:
            fail(BAD_INPUT, f"{source}: no numbers")
    selection = Selection(given)
    if len(selection) < len(given):
        twice = len(given) - len(selection)
        click.echo(f"note: {twice:,} numbers are given more than once and count once", err=True)
    try:
        for number in (selection.first, selection.last):
            deck_of_number(numbering, number, rules)
    except ValueError as error:
        fail(BAD_INPUT, f"{source}: {error}")
    return selection
