"""``yukonsolve report``: what results folders say, alone, beside each other, and of claims."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from yukonsolve.cli.common import BAD_INPUT, FAILED, fail

if TYPE_CHECKING:
    from yukonsolve.report import Report

FORMATS = ("md", "html", "json", "csv")


def _claims(ctx: click.Context, param: click.Parameter, claims: tuple[str, ...]) -> tuple[str, ...]:
    """Check the claims before anything is read; print the published ones if asked for help."""
    if not claims or ctx.resilient_parsing:
        return claims
    from yukonsolve.published import claims_asked, claims_text

    if "help" in claims:
        click.echo("Published claims, for --claim NAME; --claim all takes every one that applies:")
        click.echo("\n" + claims_text())
        ctx.exit()
    try:
        for text in claims:
            claims_asked(text)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None
    return claims


@click.command()
@click.argument(
    "folders", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="md",
    show_default=True,
    help="Markdown, one self-contained HTML page, one JSON object, or CSV with one line a folder.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--claim",
    "claims",
    multiple=True,
    is_eager=True,
    callback=_claims,
    metavar="CLAIM",
    help="Judge a claim: the name of a published one (help lists them, all takes all), or 'NAME: "
    "SHARE' with 0.25, 25%, 25-40% or 81.9+-0.1%, or 'NAME [RULES]: SHARE'. Repeatable.",
)
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False, writable=True),
    metavar="FILE",
    help="Write the report to a file instead of standard output.",
)
@click.option(
    "--pictures",
    type=click.Path(path_type=Path, file_okay=False, writable=True),
    metavar="OUTDIR",
    help="Also draw win rates, effort and the estimate as deals came in into a folder, as SVG and "
    "PNG. Needs matplotlib: pip install 'yukonsolve[pictures]'.",
)
def report(
    folders: tuple[Path, ...],
    form: str,
    as_json: bool,
    claims: tuple[str, ...],
    out: Path | None,
    pictures: Path | None,
) -> None:
    """Report win rates of results folders, finished or not, and what they say of claims.

    The interval is the 95 % Wilson interval; its low end counts every undecided deal as lost, its
    high end as won. Percentages are rounded outward. Runs on the same deals are also compared deal
    by deal.

    Exit status: 0 done, 1 the looser of two rule sets lost a win (the report is printed all the
    same), 2 usage or not a results folder.

    \b
    Example:
      yukonsolve report results/yukon results/russian
      yukonsolve report results/yukon --claim morehead --claim "a friend: 80-85%"
      yukonsolve report results/yukon --format html --out yukon.html --pictures pictures
    """
    from yukonsolve.disk import StoreError
    from yukonsolve.phrases import alarm_text
    from yukonsolve.report import build_report

    form = "json" if as_json else form
    again: tuple[str, ...] = () if form == "md" else ("--format", form)
    again += () if out is None else ("--out", str(out))
    again += () if pictures is None else ("--pictures", str(pictures))
    if pictures is not None:
        _require_pictures()
    try:
        built = build_report(folders, claims, again)
    except StoreError as error:
        fail(BAD_INPUT, str(error))
    text = _writer(form)(built).rstrip("\n")
    if out is None:
        click.echo(text)
    else:
        out.write_text(f"{text}\n", encoding="utf-8")
        click.echo(f"written: {out}", err=True)
    if pictures is not None:
        _draw(built, pictures)
    for pair in built.alarms:
        click.echo(alarm_text(pair), err=True)
    if built.alarms:
        raise SystemExit(FAILED)


def _writer(form: str) -> Callable[[Report], str]:
    if form == "md":
        from yukonsolve.markdown import markdown

        return markdown
    if form == "html":
        from yukonsolve.page import page

        return page
    from yukonsolve.report_values import report_csv, report_json

    return report_json if form == "json" else report_csv


def _require_pictures() -> None:
    """Say that matplotlib is missing before anything is read."""
    from yukonsolve.pictures import PicturesMissingError, require_matplotlib

    try:
        require_matplotlib()
    except PicturesMissingError as error:
        fail(FAILED, str(error))


def _draw(built: Report, folder: Path) -> None:
    from yukonsolve.gallery import gallery, write_pictures

    files = write_pictures(gallery(built).pictures, folder)
    click.echo(f"written: {len(files)} files in {folder}", err=True)


def print_report(folder: Path, text_of: Callable[[Path], str] | None = None) -> None:
    """Print what `yukonsolve report` prints of one folder; for commands that have just filled it.

    ``text_of``: another maker of the text than this process.

    Examples
    --------
    >>> print_report(Path("results/russian"))  # doctest: +SKIP
    # Russian
    """
    from yukonsolve.disk import StoreError
    from yukonsolve.reporter import report_text

    try:
        click.echo((text_of or report_text)(folder))
    except StoreError as error:
        fail(FAILED, str(error))
