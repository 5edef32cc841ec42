"""Help texts, README and docs must name every command, and their examples must be right."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import yukonsolve
from yukonsolve.cli import main

ROOT = Path(__file__).resolve().parent.parent
BATCH_DOCS = (ROOT / "docs" / "batch.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
REPORT_DOCS = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
CLI_DOCS = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
COMMANDS = sorted(main.commands)


@pytest.mark.parametrize("name", COMMANDS)
def test_command_is_documented(name):
    assert f"yukonsolve {name}" in README
    assert f"yukonsolve {name}" in README + CLI_DOCS
    text = CliRunner().invoke(main, [name, "-h"]).stdout
    assert "Example:" in text
    assert f"yukonsolve {name}" in text
    for parameter in main.commands[name].params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{name} {parameter.opts} has no help"


def examples() -> list[str]:
    """Return every command line shown in help texts, README and docs."""
    texts = [README, CLI_DOCS, BATCH_DOCS, REPORT_DOCS]
    texts += [CliRunner().invoke(main, [name, "-h"]).stdout for name in COMMANDS]
    lines = [line.strip() for text in texts for line in text.splitlines()]
    lines += re.findall(r"`(yukonsolve [^`]+)`", README + CLI_DOCS + BATCH_DOCS)
    return sorted({line for line in lines if line.startswith("yukonsolve ")})


@pytest.mark.parametrize("line", examples())
def test_example_parses(line):
    for command in line.split(" | "):
        _, name, *arguments = shlex.split(command)
        arguments = [
            word.replace("DIR...", "DIR").replace("DIR", "results/x") for word in arguments
        ]
        main.commands[name].make_context(name, arguments, resilient_parsing=False)


def test_ci_runs_the_readme_test_command():
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "pip install '.[dev]' && pytest -n auto\n" in README
    assert "pip install --quiet '.[dev]'" in ci
    assert "\npytest -n auto\n" in ci


def modules() -> list[str]:
    found = pkgutil.walk_packages(yukonsolve.__path__, "yukonsolve.")
    return [module.name for module in found if not module.name.endswith("__main__")]


@pytest.mark.parametrize("name", modules())
def test_docstring_examples(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


@pytest.mark.parametrize(
    "path",
    [ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in ("cli", "batch", "reports"))],
)
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), target
