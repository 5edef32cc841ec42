"""The gallery of a report, and the report as an HTML page."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from report_tools import make_folder

from yukonsolve.claims import judge
from yukonsolve.cli import main
from yukonsolve.curves import running
from yukonsolve.gallery import gallery, in_order, rate_groups, write_pictures
from yukonsolve.page import page
from yukonsolve.paired import compare_all
from yukonsolve.published import read_claim
from yukonsolve.report import Report, build_report
from yukonsolve.rules import preset
from yukonsolve.summary import label_runs, read_run

HOSTILE = '<script src="http://evil.example/x.js">alert(1)</script> & "quoted" \' $x$'
VOID = {"meta", "link", "img", "br"}
VERDICTS = "s" * 70 + "u" * 25 + "?" * 5
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


class Reader(HTMLParser):
    """Collects elements, and checks that they are nested properly."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs), f"{tag}: an attribute twice"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"style"} & set(self.open):
            self.text += data.replace("\N{NO-BREAK SPACE}", " ")

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def report_of(*folders: Path, claims: tuple[str, ...] = ()) -> Report:
    runs = label_runs([read_run(folder) for folder in folders])
    judgements = tuple(judge(read_claim(claim), run) for claim in claims for run in runs)
    command = f"yukonsolve report {HOSTILE}"
    return Report(tuple(runs), tuple(compare_all(runs)), judgements, command, "0.1.0")


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Report:
    folder = tmp_path_factory.mktemp("runs")
    # The two tell of the same deals, so they are compared.
    strict = make_folder(folder / "a", preset("yukon"), VERDICTS)
    loose = make_folder(folder / "b", preset("yukon", spaces="any"), "s" * 80 + "u" * 20)
    klondike = make_folder(folder / "c", preset("klondike-draw3"), VERDICTS, wanted=range(1, 1001))
    return report_of(strict, loose, klondike, claims=("morehead", f"{HOSTILE}: 20-40%"))


@pytest.fixture(scope="module")
def html(report) -> str:
    return page(report)


# gallery


def test_pictures_say_what_the_report_says(report):
    drawn = gallery(report)
    assert [len(pictures) for pictures in drawn.of_runs] == [3, 3, 3]
    for run, (nodes, seconds, way) in zip(report.runs, drawn.of_runs, strict=True):
        assert run.interval is not None
        assert f"After {run.tally.total} deals: {run.interval.in_words()}" in way.alt
        assert run.interval.in_words() in drawn.together[0].alt
        for picture in (nodes, seconds):
            assert f"solvable: {run.tally.solvable} deals" in picture.alt
        groups = [group for group in rate_groups(report) if group.title == run.label]
        assert [(group.marks[0].low, group.marks[0].high) for group in groups] == [
            (run.interval.low, run.interval.high)
        ]
    names = [picture.name for picture in drawn.pictures]
    assert len(set(names)) == len(names)


def test_published_figures_are_shown_unasked(report):
    groups = {group.title: group.marks for group in rate_groups(report)}
    assert {mark.kind for mark in groups["Klondike draw 3"]} == {"run", "published", "claim"}
    texts = [mark.text for mark in groups["Yukon"]]
    assert "25 %" in texts
    assert "20 % to 40 %" in texts


def test_the_running_estimate_ends_at_the_interval(tmp_path):
    # Deals 3 and 4 are still being searched.
    numbers = [1, 2, *range(5, 99)]
    folder = make_folder(
        tmp_path, preset("yukon"), "s" * len(numbers), numbers, wanted=range(1, 1001)
    )
    run = read_run(folder)
    codes = in_order(run)
    assert codes[:6].tolist() == [0, 0, 2, 2, 0, 0]
    way = running(codes)
    assert run.interval is not None
    assert (way.low[-1], way.high[-1]) == (run.interval.low, run.interval.high)


@pytest.mark.parametrize("wanted", [100, 1000])
def test_only_what_still_runs_is_called_running(tmp_path, wanted):
    folder = make_folder(tmp_path, preset("yukon"), "su" * 50, wanted=range(1, wanted + 1))
    *_, estimate = gallery(build_report([folder])).pictures
    assert estimate.name == "yukon-running"
    texts = re.findall("<!-- (.+?) -->", estimate.svg())
    assert "after 100 deals: " in " ".join(texts)
    for text in (" ".join(texts), estimate.alt):
        assert ("running" in text.lower()) == (wanted > 100)
    assert "running" not in estimate.caption.lower()


def test_files_are_written(report, tmp_path):
    files = write_pictures(gallery(report).pictures, tmp_path / "new" / "pictures")
    names = {file.name for file in files}
    assert {"win-rates.svg", "win-rates.png", "yukon-nodes.svg", "klondike-draw-3-running.png"} <= (
        names
    )
    for file in files:
        assert 1000 < file.stat().st_size < 300_000


# page


def test_page_is_well_formed_and_loads_nothing(html):
    reader = Reader(html)
    assert html.startswith("<!DOCTYPE html>")
    assert reader.all("html") == [{"lang": "en"}]
    assert not reader.all("script")
    for attributes in (attributes for _, attributes in reader.elements):
        assert (attributes.get("src") or "data:").startswith("data:")
        assert (attributes.get("href") or "#").startswith(("#", "data:"))
        assert not any(name.startswith("on") for name in attributes)
    assert "@import" not in html
    assert "url(" not in html
    ids = [attributes["id"] for _, attributes in reader.elements if "id" in attributes]
    assert len(set(ids)) == len(ids)
    links = {a["href"] for a in reader.all("a")}
    assert links == {f"#{name}" for name in ids}


def test_page_can_be_read_by_everybody(html):
    reader = Reader(html)
    metas = {meta.get("name"): meta.get("content") for meta in reader.all("meta")}
    assert metas["viewport"] == "width=device-width, initial-scale=1"
    assert len(reader.all("title")) == len(reader.all("h1")) == 1
    assert len(reader.all("table")) == len(reader.all("caption")) > 3
    assert len(reader.all("figure")) == len(reader.all("figcaption")) == len(reader.all("img"))
    assert all(image["alt"] and image["width"] and image["height"] for image in reader.all("img"))
    levels = [int(tag[1]) for tag, _ in reader.elements if re.fullmatch(r"h\d", tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_page_says_what_the_report_says(html, report):
    text = Reader(html).text
    for run in report.runs:
        assert run.interval is not None
        for words in (run.label, run.interval.in_words(), run.rules_in_words, *run.commands):
            assert words in text
    for judgement in report.judgements:
        for reading in judgement.readings:
            assert reading.sentence in text
    assert "(running)" in text
    (pair,) = report.pairs
    assert pair.difference.as_percent(pair.difference.digits)[0] in text


def test_pictures_in_the_page_are_svg(html):
    sources = [image["src"] for image in Reader(html).all("img")]
    assert len(sources) == 8
    for source in sources:
        kind, _, data = (source or "").partition(",")
        assert kind == "data:image/svg+xml;base64"
        assert ET.fromstring(base64.b64decode(data)).tag.endswith("svg")


def test_hostile_names_are_escaped(tmp_path):
    folder = make_folder(tmp_path / "x", preset("yukon"), VERDICTS)
    manifest = json.loads((folder / "_manifest.json").read_text())
    manifest["identity"]["rules"]["name"] = HOSTILE
    manifest["identity"]["numbering"] = HOSTILE
    manifest["identity"]["rules_in_words"] = HOSTILE
    manifest["runs"][0] |= {
        "command": HOSTILE,
        "machine": {"cpu": HOSTILE, "cores": HOSTILE, "system": HOSTILE},
        "versions": {HOSTILE: HOSTILE},
        "started_utc": HOSTILE,
    }
    (folder / "_manifest.json").write_text(json.dumps(manifest))
    reader = Reader(page(report_of(folder, claims=(f"{HOSTILE}: 20-40%",))))
    assert HOSTILE in reader.text
    assert not reader.all("script")


def test_an_alarm_leads_the_page(tmp_path):
    strict = make_folder(tmp_path / "a", preset("yukon"), "s" * 10)
    loose = make_folder(tmp_path / "b", preset("yukon", spaces="any"), "s" * 9 + "u")
    reader = Reader(page(report_of(strict, loose)))
    assert [a["role"] for _, a in reader.elements if a.get("class") == "alarm"] == ["alert"]
    assert "native:10" in reader.text


def test_a_folder_without_rows_makes_a_page(tmp_path):
    folder = make_folder(tmp_path, preset("yukon"), "", wanted=range(1, 9))
    reader = Reader(page(report_of(folder)))
    assert "no deals yet" in reader.text
    assert not reader.all("img")


def test_without_matplotlib_the_page_says_so(report, monkeypatch):
    for name in [n for n in sys.modules if n.partition(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    reader = Reader(page(report))
    assert not reader.all("img")
    assert "pip install 'yukonsolve[pictures]'" in reader.text


def test_page_does_not_change_from_run_to_run(html, report):
    assert page(report) == html


# command line


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["report", *map(str, arguments)])


def test_html_on_standard_output_and_in_a_file(tmp_path):
    folder = make_folder(tmp_path / "x", preset("yukon"), VERDICTS)
    shown = run(folder, "--format", "html", "--claim", "morehead")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("<!DOCTYPE html>")
    out = tmp_path / "page.html"
    done = run(folder, "--format", "html", "--claim", "morehead", "--out", out)
    assert (done.exit_code, done.stdout) == (0, "")
    assert f"written: {out}" in done.stderr
    text = out.read_text(encoding="utf-8")
    assert text.replace(f" --out {out}", "") == shown.stdout


def test_pictures_beside_a_report(tmp_path):
    folder = make_folder(tmp_path / "x", preset("yukon"), VERDICTS)
    done = run(folder, "--pictures", tmp_path / "pictures")
    assert done.exit_code == 0
    assert done.stdout.startswith("# Yukon")
    assert f"written: 8 files in {tmp_path / 'pictures'}" in done.stderr
    assert len(list((tmp_path / "pictures").iterdir())) == 8


def test_pictures_without_matplotlib_are_refused_at_once(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    done = run(tmp_path / "no-such-folder", "--pictures", tmp_path / "pictures")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "Error: pictures need matplotlib: pip install 'yukonsolve[pictures]'\n"


def test_a_file_that_cannot_be_written_is_one_line(tmp_path):
    folder = make_folder(tmp_path / "x", preset("yukon"), "su")
    (tmp_path / "file").write_text("")
    done = run(folder, "--out", tmp_path / "no" / "such" / "folder.html")
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: ")
    assert len(done.stderr.splitlines()) == 1
    assert run(folder, "--pictures", tmp_path / "file").exit_code == 2


WRAPPER = """<!DOCTYPE html><iframe id="f" src="page.html" width="390" height="844"></iframe>
<script>
window.onload = () => {
  const inner = document.getElementById("f").contentWindow;
  const root = inner.document.documentElement;
  const loaded = inner.performance.getEntriesByType("resource").map(e => e.name);
  document.title = JSON.stringify({
    scroll: root.scrollWidth, width: root.clientWidth, height: root.scrollHeight,
    loaded: loaded.filter(name => !name.startsWith("data:")),
    broken: [...inner.document.images].filter(i => !i.naturalWidth).length,
    small: [...inner.document.querySelectorAll("body *")].filter(
      e => parseFloat(inner.getComputedStyle(e).fontSize) < 16).length,
  });
};
</script>"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here")
def test_a_browser_shows_it_on_a_phone(html, tmp_path):
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    (tmp_path / "wrapper.html").write_text(WRAPPER, encoding="utf-8")
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"]
    options += ["--enable-logging=stderr", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"]
    done = subprocess.run(
        [str(BROWSER), *options, (tmp_path / "wrapper.html").as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    found = re.search(r"<title>(.*?)</title>", done.stdout)
    assert found, done.stderr
    seen = json.loads(found[1])
    assert seen["width"] > 350
    assert seen["scroll"] <= seen["width"]
    assert seen["height"] > 2000
    assert (seen["loaded"], seen["broken"], seen["small"]) == ([], 0, 0)
    assert ":CONSOLE" not in done.stderr
