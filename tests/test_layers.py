"""The layers of the package: a module imports only from its own layer and the ones below."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "yukonsolve"

LAYERS = [
    {"cards", "rules", "rulesets", "verdict"},
    {
        "deal",
        "numbering",
        "klondike_numbers",
        "deal_checks",
        "text_board",
        "json_board",
        "formats",
        "position",
        "board",
        "refusals",
        "rulebook",
    },
    {"lean"},
    {"jit"},
    {"kernels"},
    {
        "workspace",
        "refuter",
        "strategy",
        "slices",
        "klondike_space",
        "klondike_line",
        "answers",
        "tokens",
        "bulk",
        "decks",
        "klondike",
        "yukon",
        "solver",
    },
    {"reasons", "chains", "refutation", "wording", "shallow", "explain"},
    {"provenance", "stats"},
    {"rows", "selection", "disk", "journal", "parts", "folder", "store"},
    {"retry", "merge", "export", "worker", "pool", "cluster"},
    {"summary", "paired", "claims", "published", "plan", "report", "report_values"},
    {"phrases", "markdown", "reporter"},
    {"curves", "pictures", "drawing", "gallery", "page"},
    {"cli"},
    {"__main__"},
]
LAYER = {name: i for i, names in enumerate(LAYERS) for name in names}
RULE_BOOK = {"position", "board", "refusals", "rulebook"}


def modules() -> dict[str, set[str]]:
    """Return each module, dotted below the package, and every name it imports, lazily too."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
        if name == "__init__":
            continue
        imports = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imports |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{name}: relative import"
                module = node.module or ""
                if module == "yukonsolve":
                    imports |= {f"yukonsolve.{alias.name}" for alias in node.names}
                else:
                    imports.add(module)
        found[name] = imports
    return found


MODULES = modules()


def inside(name: str) -> set[str]:
    """Return the parts of the package that a module imports."""
    return {word.split(".")[1] for word in MODULES[name] if word.startswith("yukonsolve.")}


def outside(name: str) -> set[str]:
    return {word.split(".")[0] for word in MODULES[name]} - {"yukonsolve"}


@pytest.mark.parametrize("name", MODULES)
def test_imports_go_down(name):
    part = name.split(".")[0]
    assert part in LAYER, f"{name} is in no layer: place it in LAYERS"
    too_high = {other for other in inside(name) if LAYER[other] > LAYER[part]}
    assert not too_high


def test_no_module_imports_itself_by_way_of_others():
    parts: dict[str, set[str]] = {}
    for name in MODULES:
        part = name.split(".")[0]
        parts.setdefault(part, set()).update(inside(name) - {part})
    while parts:
        free = {part for part, needs in parts.items() if not needs & parts.keys()}
        assert free, f"a circle among {sorted(parts)}"
        for part in free:
            del parts[part]


@pytest.mark.parametrize("name", sorted(RULE_BOOK))
def test_the_rule_book_stands_alone(name):
    """It judges the kernels, so it may share nothing with them."""
    assert inside(name) <= {"cards", "rules", "verdict", "deal"} | RULE_BOOK
    assert not outside(name) & {"numba", "numpy"}


def test_kernels_do_not_know_the_rule_book():
    for name in MODULES:
        if name.split(".")[0] in ("kernels", "jit"):
            assert not inside(name) & RULE_BOOK, name


@pytest.mark.parametrize(
    ("library", "allowed"),
    [
        ("click", {"cli"}),
        ("multiprocessing", {"pool", "reporter"}),
        ("concurrent", {"pool"}),
        ("numba", {"lean", "jit", "kernels"}),
        ("pyarrow", {"parts"}),
        ("distributed", {"cluster"}),
        ("matplotlib", {"pictures", "drawing"}),
        ("jinja2", {"page"}),
    ],
)
def test_libraries_stay_in_their_place(library, allowed):
    users = {name.split(".")[0] for name in MODULES if library in outside(name)}
    assert users <= allowed


def test_only_main_imports_the_command_line():
    users = {name for name in MODULES if "cli" in inside(name)}
    assert all(name == "__main__" or name.split(".")[0] == "cli" for name in users)


@pytest.mark.parametrize("name", MODULES)
def test_modules_stay_readable(name):
    path = PACKAGE.joinpath(*name.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 500
