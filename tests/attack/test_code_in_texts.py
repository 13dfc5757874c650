"""No text of a run, a world or a file's name is obeyed: by a template, a formatter, a spreadsheet, a
shell, a database, LaTeX, Markdown or a page.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

import navviz
from navviz.cli import application
from navviz.records.trace_files import write_trace
from navviz.runs.opened import OPEN_VARIABLE
from tests.alphabets import HIT, PAYLOADS, PRODUCT
from tests.hostile import EVERYTHING, NAME, TEXTS, hostile_trace, write_hostile
from tests.nights import by_day
from tests.pages.conftest import _fresh_caches, _made_once, ran
from tests.paths import ROOT
from tests.worlds import write_world

__all__ = ["_fresh_caches", "_made_once"]

MARKDOWN = rf"(?<!\\)!\[x\]\(http://{HIT}"
HTML = rf"(?<!\\)<img src=x onerror={HIT}|(?<!\\)<script>{HIT}"
LATEX = r"(?<!\\)\\(?:immediate|input|write|def)\b"
OBEYED = {"md": [MARKDOWN, HTML], "page": [MARKDOWN], "html": [HTML], "svg": [HTML], "tex": [LATEX]}
"""What a text that is obeyed looks like, by what reads it; `PRODUCT` is one everywhere."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("hostile")
    write_hostile(top)
    return top


@pytest.fixture(scope="module")
def split(folder: Path) -> Path:
    """Episodes of these texts, to walk."""
    path = folder / "splits" / "tiny.json"
    [entry] = json.loads(path.read_text().replace('"e1"', json.dumps(NAME)))
    entries = []
    for kind, text in TEXTS.items():
        key = f"{PAYLOADS[kind][0]} {kind}"
        entries.append(entry | {"instructions": text, "instructions_id": key})
    path.write_text(json.dumps(entries))
    return path


@pytest.fixture
def run(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The hostile run, looked at from an empty folder in which whoever obeys makes another."""
    monkeypatch.chdir(tmp_path)
    yield folder / "runs" / NAME
    assert not [*tmp_path.rglob(HIT), *ROOT.glob(HIT)]


def _check(text: str, form: str = "") -> None:
    for pattern in (PRODUCT, *OBEYED.get(form, ())):
        match = re.search(pattern, text)
        assert match is None, text[max(0, match.start() - 200) : match.end() + 100]


def test_the_run_holds_its_texts(run: Path, folder: Path) -> None:
    opened = navviz.open_run(run, graphs=folder / "osm" / "graph")
    assert len(opened.traces) == len(PAYLOADS)
    for kind, text in TEXTS.items():
        trace = opened.trace(f"{PAYLOADS[kind][0]} {kind}")
        assert text in trace.episode.instruction
        assert trace.episode.goal == NAME
        assert NAME in opened.graph(trace.episode.id)


COMMANDS = [
    ("score",), ("table",), ("why",), ("diagnose", "slices"), ("diagnose", "scan"), ("diagnose", "verify"),
("export",), ("report",), ("data", "check"),
]  # fmt: skip
FORMS = {
    ("export",): ("csv", "otel", "atif"),
    ("report",): ("md",),
    ("data", "check"): ("table", "json"),
    ("diagnose", "verify"): ("table", "json"),
}


def _called(*arguments: object, form: str = "") -> str:
    names = ("run", "whatif", "score", "table", "compare", "why", "report", "diagnose", "atlas", "figure", "publish", "export", "data", "annotate")  # fmt: skip
    result = CliRunner().invoke(application(names), [*map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    assert result.exit_code in {0, 1}, result.output
    _check(result.output, form)
    return result.stdout


@pytest.mark.parametrize(
    ("command", "form"),
    [(command, form) for command in COMMANDS for form in FORMS.get(command, ("table", "json", "csv", "md", "tex"))],
)  # fmt: skip
def test_no_command_obeys_a_text(
    run: Path, folder: Path, command: tuple[str, ...], form: str
) -> None:
    world = () if command == ("data", "check") else ("--graphs", folder / "osm" / "graph")
    where = folder if command == ("data", "check") else run
    printed = _called(*command, where, *world, "--format", form, form=form)
    assert printed.strip()
    if form == "csv":
        _check_cells(printed)
    if form == "tex":
        rows = [line for line in printed.splitlines() if line.endswith(r"\\")]
        for row in rows:
            assert not re.search(r"(?<!\\)[%#]", row), row


MORE = [
    ("compare", "{run}", "{run}"), ("diagnose", "clusters", "{run}"), ("diagnose", "stability", "{run}", "{run}"),
    ("diagnose", "similar", "{run}", EVERYTHING), ("diagnose", "influence", "{run}", "--navigator", "rules", "--limit", "1"),
    ("whatif", "{run}"), ("diagnose", "controls", "--navigator", "rules", "--episodes", "{split}", "--limit", "1"),
]  # fmt: skip
PRINTED = ("table", "json", "csv", "md", "tex")


@pytest.mark.parametrize("form", by_day([*PRINTED], ["csv"]))
@pytest.mark.parametrize("command", by_day(MORE, MORE[:-1]), ids=lambda each: " ".join(each[:2]))
def test_no_command_that_compares_or_walks_obeys_a_text(
    run: Path, folder: Path, split: Path, command: tuple[str, ...], form: str
) -> None:
    paths = {"{run}": str(run), "{split}": str(split)}
    parts = [paths.get(part, part) for part in command]
    printed = _called(*parts, "--graphs", folder / "osm" / "graph", "--format", form, form=form)
    assert printed.strip()
    if form == "csv":
        _check_cells(printed)


@pytest.mark.parametrize("kind", PAYLOADS)
def test_no_prompt_obeys_a_text(run: Path, folder: Path, split: Path, kind: str) -> None:
    world = ("--episodes", split, "--graphs", folder / "osm" / "graph")
    printed = _called(
        "diagnose", "context", *world, "--episode", f"{PAYLOADS[kind][0]} {kind}", "--prompt"
    )
    assert PAYLOADS[kind][1] in printed.replace('\\"', '"').replace("\\\\", "\\")


@pytest.mark.parametrize("name", [NAME, "../x", "/tmp/x"])
def test_no_run_that_is_named_so_is_gone_on_with(
    run: Path, folder: Path, split: Path, name: str
) -> None:
    """Neither by the name that is asked for, nor by one that a plan of somebody else holds."""
    world = ("--episodes", split, "--graphs", folder / "osm" / "graph")
    refused = CliRunner().invoke(
        application(("run",)), ["run", name, "--navigator", "rules", *map(str, world)]
    )
    assert refused.exit_code == 2
    assert "A run's name has up to 80 letters" in refused.stderr
    _called("run", "mine", "--navigator", "rules", *world, "--limit", "1", "--out", "out")
    before = {path: path.read_bytes() for path in Path("out").rglob("*") if path.is_file()}
    plan = Path("out", "mine", ".batch", "plan.json")
    plan.write_text(json.dumps(json.loads(before[plan]) | {"run": name}))
    refused = CliRunner().invoke(application(("run",)), ["run", "out/mine", "--go-on"])
    assert refused.exit_code == 2
    assert f"out/mine: holds the batch of a run named {name!r}; give" in refused.stderr
    plan.write_bytes(before[plan])
    assert before == {path: path.read_bytes() for path in Path("out").rglob("*") if path.is_file()}


@pytest.mark.parametrize("form", ["csv", "otel", "atif", "r2r", "mapgpt", "velma"])
def test_no_export_obeys_a_text(run: Path, folder: Path, tmp_path: Path, form: str) -> None:
    world = ("--graphs", folder / "osm" / "graph")
    _called("export", run, *world, "--format", form, "--out", "out.txt", form=form)
    if (tmp_path / "out.txt").exists():
        _check((tmp_path / "out.txt").read_text(encoding="utf-8"))


def test_no_mapping_obeys_a_text(tmp_path: Path, folder: Path, run: Path) -> None:
    rows = [{"id": text, "path": ["s1", "x", text], "instruction": text} for text in TEXTS.values()]
    log = tmp_path / "log.json"
    log.write_text(json.dumps(rows))
    for form in PRINTED:
        _called("data", "map", log, "--graphs", folder / "osm" / "graph", "--format", form)
    _called("data", "map", log, "--graphs", folder / "osm" / "graph", "--save")
    for path in tmp_path.glob("*.toml"):
        _check(path.read_text())


@pytest.mark.parametrize(
    "text", ["\x1b]0;x\x07\x1b[2J", "[bold]x[/bold] [link=http://x]y[/link] [/]"]
)
def test_no_terminal_obeys_a_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    graph = write_world(tmp_path)
    trace = hostile_trace("jinja", text)
    episode = trace.episode.model_copy(update={"id": f"1 {text}"})
    trace = trace.model_copy(
        update={"header": trace.header.model_copy(update={"episode": episode})}
    )
    run = tmp_path / "runs" / "x"
    run.mkdir(parents=True)
    write_trace(trace, run / "0.trace.jsonl")
    for command in (
        ("score",),
        ("table",),
        ("why",),
        ("diagnose", "slices"),
        ("diagnose", "scan"),
        ("diagnose", "verify"),
        ("report",),
        ("compare", str(run)),
    ):
        shown = _called(*command, run, "--graphs", graph)
        assert "\x1b" not in shown
        assert "\x07" not in shown


def _check_cells(printed: str) -> None:
    for row in csv.reader(io.StringIO(printed)):
        for cell in row:
            assert not re.match(r"[=+\-@\t\r]", cell) or _is_number(cell), cell


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_no_file_that_a_command_writes_obeys_a_text(
    run: Path, folder: Path, tmp_path: Path
) -> None:
    world = ("--graphs", folder / "osm" / "graph")
    ids = [f"{PAYLOADS[kind][0]} {kind}" for kind in TEXTS]
    _called("atlas", run, *world, "--out", "atlas.html")
    _called("figure", run, *ids, *world, "--out", "figure.svg")
    _called("figure", run, *ids[:2], *world, "--out", "figure.pdf")
    _called("publish", run, *world, "--out", "site")
    _called("report", run, *world, "--out", "report")
    for path in tmp_path.rglob("*"):
        if path.suffix in {".html", ".svg", ".md", ".js"} and "assets" not in path.parts:
            _check(path.read_text(encoding="utf-8"), path.suffix[1:])


def test_no_function_of_a_notebook_obeys_a_text(run: Path, folder: Path) -> None:
    opened = navviz.open_run(run, graphs=folder / "osm" / "graph")
    key = next(iter(opened.traces))
    shown: list[Any] = [
        navviz.atlas(opened)._repr_html_(),
        navviz.to_folium(opened, key)._repr_html_(),
        navviz.replay(opened, key)._repr_html_(),
        opened.table().to_html(),
        opened._repr_html_() if hasattr(opened, "_repr_html_") else repr(opened),
        navviz.why(opened).to_html(),
        navviz.compare([opened, opened]),
        navviz.slices(opened),
    ]
    for one in shown:
        _check(one if isinstance(one, str) else repr(one), "html" if isinstance(one, str) else "")


PAGES = ("explore", "replay", "compare", "study", "annotate", "live")


_PLAIN = {
    "text", "code", "selectbox", "multiselect", "text_input", "text_area", "dataframe", "table",
}  # fmt: skip
"""Elements whose value is shown as it is."""


def _texts(block: Any) -> Iterator[str]:
    """Whatever a page shows as Markdown or HTML: values, labels, helps, and options that are labels."""
    kind = str(getattr(block, "type", ""))
    names = ("label", "help") if kind in _PLAIN else ("value", "label", "help", "body")
    shown = [getattr(block, name, None) for name in names]
    if kind in {"radio", "button_group", "tabs"}:
        shown += getattr(block, "options", ())
    if kind == "html":
        _check(block.proto.body, "html")
    yield from (text for text in shown if isinstance(text, str))
    for child in getattr(block, "children", {}).values():
        yield from _texts(child)


@pytest.mark.parametrize("kind", by_day([*PAYLOADS], ["jinja", "Markdown"]))
@pytest.mark.parametrize("name", PAGES)
def test_no_page_obeys_a_text(
    run: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, kind: str
) -> None:
    monkeypatch.setenv(
        OPEN_VARIABLE, json.dumps({"graphs": str(folder / "osm" / "graph"), "results": str(run)})
    )
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    at.switch_page(f"pages/{name}.py")
    at.query_params["episode"] = f"{PAYLOADS[kind][0]} {kind}"
    at.query_params["run"] = NAME
    ran(at)
    texts = [text for part in (at.main, at.sidebar) for text in _texts(part)]
    assert texts
    for text in texts:
        _check(text, "page")
