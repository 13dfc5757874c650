"""All commands share one grammar: the whole tree is walked."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any, get_args

import pandas as pd
import pytest
import typer
from typer.testing import CliRunner

from navviz.annotation.store import AnnotationStore, database_url
from navviz.cli import application
from tests.nights import by_day
from tests.paths import ROOT, SAMPLES
from tests.worlds import write_states, write_world
from tests.zygote import forked

ROOT_COMMAND: Any = typer.main.get_command(application())
WORDS = ("table", "json", "jsonl", "csv", "md", "tex")
SECOND_WORDS = {"--results", "--run", "--method", "--to", "--scan", "--count", "--model", "--data"}
"""Each has a first word: RUN, METHOD@RUN, --out, --world, --most, --llm."""
OTHER_THINGS = {
    ("film",): {"--to"},
    ("navgen", "forward"): {"--count"},
    ("skillnav", "synthesize"): {"--count"},
}
"""The last step that is shown, and how many tasks are written."""
NOT_HERE = (
    "MODEL", "fetch", "data world", "film ", "navviz app", "TASKS", "HOUSE.glb", "navfault ", "navviz mcp",
    "annotate merge",
)  # fmt: skip
"""Examples that need a model, a network, a browser, or files that no sample has; those of navfault
run in `test_score.py`, the server of mcp in `tests/test_mcp.py`, a merge in `test_annotate.py`.
"""


OWN_FORMS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("table",): (*WORDS, "svg", "pdf"),
    ("report",): ("json", "jsonl", "md"),
    ("export",): (),
    ("navgen", "backward"): ("table", "json", "jsonl", "lhpr"),
    ("navgen", "forward"): ("table", "json", "jsonl"),
    ("skillnav", "synthesize"): ("table", "json", "jsonl"),
}
"""A table that is also a drawing, a text with tables, formats of other programs, lines of a walk."""
WITHOUT_FORM = {
    *[("app",), ("fetch",), ("atlas",), ("figure",), ("film",), ("publish",), ("new-system",)],
    *[("annotate", "causes"), ("data", "world"), ("data", "floor"), ("data", "recorder")],
    *[("navfault", "make"), ("navfault", "proof"), ("watch",), ("mcp",)],
    ("study", "revoke"),
}
"""They write files or a queue, open a window, go on, or print a program: nothing of theirs is a table.
"""


def _leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield path, command
        return
    for name, each in inner.items():
        yield from _leaves(each, (*path, name))


LEAVES = dict(_leaves(ROOT_COMMAND))


def _examples(command: Any) -> list[str]:
    return (command.epilog or "").split("\n\n")[1:]


def _options(command: Any) -> dict[str, Any]:
    shown = [each for each in command.params if not getattr(each, "hidden", False)]
    return {name: each for each in shown for name in each.opts if name.startswith("-")}


def test_the_top_has_at_most_six_and_twenty_commands():
    assert len(ROOT_COMMAND.commands) <= 26
    assert len(LEAVES) > 30


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_a_command_keeps_the_grammar(path):
    command = LEAVES[path]
    options = _options(command)
    arguments = {each.name: each for each in command.params if each.param_type_name == "argument"}
    assert command.help
    assert command.help.endswith((".", "?", "...")), "help is a sentence"
    for name in ("run", "runs"):
        if name in arguments:
            assert arguments[name].metavar == "RUN"
            if path[0] not in {"run", "app"}:
                assert {"--graphs", "--episodes"} <= set(options)
    assert not options.keys() & (SECOND_WORDS - OTHER_THINGS.get(path, set()))
    assert {"--quiet", "-q"} <= set(options)
    assert "--format json" not in options, "--format json is the one way"
    for option in options.values():
        assert not option.secondary_opts, "a boolean is a flag"
        assert option.help, f"{option.opts} says what it is"
    if path in OWN_FORMS:
        assert _forms(path) == OWN_FORMS[path]
    elif path in WITHOUT_FORM:
        assert "--format" not in options
    else:
        assert _forms(path) == WORDS


def _forms(path: tuple[str, ...]) -> tuple[str, ...]:
    kind = _options(LEAVES[path])["--format"].type_descriptor.annotation
    if kind is str:  # any name: systems bring formats
        return ()
    return tuple(str(each) for each in get_args(kind) or kind)


def test_a_name_is_one_kind_of_option():
    kinds: dict[str, set[bool]] = {}
    for command in LEAVES.values():
        for name, option in _options(command).items():
            kinds.setdefault(name, set()).add(bool(option.is_flag))
    assert not [name for name, flags in kinds.items() if len(flags) > 1]


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_the_examples_of_the_help_are_command_lines(path):
    command = LEAVES[path]
    examples = _examples(command)
    assert examples
    for example in examples:
        words = shlex.split(example.partition(" > ")[0])
        assert words[: len(path) + 1] == ["navviz", *path]
        command.make_context(path[-1], words[len(path) + 1 :])


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A folder with the files that examples name."""
    folder = tmp_path_factory.mktemp("desk")
    shutil.copytree(SAMPLES / "harbour" / "osm" / "graph", folder / "town")
    shutil.copytree(SAMPLES / "house", folder / "house")
    for name, run in (
        ("mine", "harbour/runs/rules-local"),
        ("other", "harbour/runs/rules"),
        ("groke", "harbour/runs/groke-by-hand"),
        ("house", "house/runs/rules-indoors"),
        ("objects", "house/runs/msnav-by-hand"),
    ):
        shutil.copytree(SAMPLES / run, folder / "runs" / name)
        config = folder / "runs" / name / "run.json"
        noted = json.loads(config.read_text()) if config.exists() else {"run": name}
        graphs = folder / ("town" if "harbour" in run else "house")
        config.write_text(json.dumps(noted | {"graphs": [str(graphs)]}))
    shutil.copy(SAMPLES / "harbour" / "splits" / "sample.json", folder / "val.json")
    entry = {"instructions": "Go.", "direct_obj": ["chair"], "potential_obj": []}
    (folder / "true_objects.json").write_text(json.dumps([entry]))
    rows = [{"id": "1", "trajectory": [[0, 1], [1, 2]], "success": 1, "instruction": "Go."}]
    (folder / "results.json").write_text(json.dumps(rows))
    (folder / "workspace").mkdir()
    slide = {"run": "mine", "episode": "1", "step": 1, "caption": "Here."}
    (folder / "workspace" / "talk.json").write_text(json.dumps({"slides": [slide]}))
    store = AnnotationStore(database_url(folder / "workspace"))
    store.study().annotators.add("fox")
    store.close()
    return folder


def _runnable() -> list[str]:
    examples = []
    for command in LEAVES.values():
        for example in _examples(command):
            if not any(
                word in example
                for word in (*NOT_HERE, "CHECKOUT", "R2R_RUN", "METHOD@", "--paper", "--renew")
            ):
                examples.append(example)
    return examples


SLOW = (
    "navviz report ",
    "navviz run ",
    "navviz diagnose controls ",
    "navviz diagnose influence ",
    "navviz data check runs",
    "navviz publish runs/mine runs/other ",
    "navviz repair ",
    "navviz figure runs/mine 1 2 ",
)
"""Examples of a second of processor time or more: at night. Tests of each of these commands run by
day.
"""


@pytest.mark.parametrize(
    "example", by_day(_runnable(), [each for each in _runnable() if not each.startswith(SLOW)])
)
def test_an_example_does_what_it_says(example, desk, monkeypatch):
    monkeypatch.chdir(desk)
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(desk / "workspace"))
    line, _, _ = example.partition(" > ")
    done = CliRunner().invoke(application(), [*shlex.split(line)[1:], "--quiet"])
    # 1: what was looked for was found, such as data that cannot be read
    assert done.exit_code in ({0, 1} if " check " in line else {0}), done.output
    assert done.stderr == ""
    if "--format json" in line:
        json.loads(done.stdout)


def _with_forms() -> list[str]:
    """The examples of the commands that print a result in forms."""
    examples = []
    for path, command in LEAVES.items():
        if path not in WITHOUT_FORM and path != ("export",):
            examples += _examples(command)
    there = set(_runnable())
    return [each for each in examples if each in there and "--out" not in each]


FORMS_BY_DAY = [
    "navviz score runs/mine",
    "navviz compare runs/mine runs/other",
    "navviz table runs/mine runs/other --by length --intervals",
    "navviz why runs/mine",
    "navviz data schema --format md",
]
"""The others compute for a second or more, and each form computes anew: at night."""
WORDS_IN_A_NUMBER = re.compile(r"\d+ of \d+ \(|\d %|^[-+]?[\d.]+ \[|^\d{1,3}(,\d{3})+$|^\$\d")
"""What a table for people writes in a cell: a share, an interval, a comma of thousands, money."""


@pytest.mark.parametrize("example", by_day(_with_forms(), FORMS_BY_DAY))
def test_a_program_can_read_each_form(example, desk, monkeypatch):
    monkeypatch.chdir(desk)
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(desk / "workspace"))
    command = _without_form(shlex.split(example.partition(" > ")[0])[1:])
    check_forms(command, _forms(_path_of(command)) or WORDS)


def _path_of(words: list[str]) -> tuple[str, ...]:
    return tuple(words[:2]) if tuple(words[:2]) in LEAVES else tuple(words[:1])


def check_forms(command: list[str], forms: Sequence[str] = WORDS) -> list[dict[str, Any]]:
    """Check that JSON is one document, that JSON lines are records, that CSV holds numbers, and
    that Markdown and LaTeX are one table; returns the records.
    """

    def printed(form: str) -> str:
        done = CliRunner().invoke(application(), [*command, "--format", form, "--quiet"])
        assert done.exit_code in {0, 1}, done.output
        assert done.stderr == ""
        return done.stdout

    json.loads(printed("json"), parse_constant=_no_number)
    lines = printed("jsonl").splitlines()
    records = [json.loads(line, parse_constant=_no_number) for line in lines]
    if "csv" in forms:
        _check_numbers(pd.read_csv(io.StringIO(printed("csv"))), records)
    if "md" in forms and "csv" in forms:
        assert any(line.startswith("|") for line in printed("md").splitlines())
        assert printed("tex").count(r"\begin{tabular}") == 1
    return records


def _no_number(text: str) -> None:
    raise AssertionError(f"{text} is no JSON")


def _check_numbers(frame: pd.DataFrame, records: list[dict[str, Any]]) -> None:
    assert len(set(frame.columns)) == len(frame.columns) > 1
    for name in frame.columns:
        values = [each[name] for each in records if each.get(name) is not None]
        numbers = [value for value in values if isinstance(value, int | float)]
        numbers = [value for value in numbers if not isinstance(value, bool)]
        if len(frame) and values and len(numbers) == len(values):
            assert pd.api.types.is_numeric_dtype(frame[name]), name
        if name not in {"text", "note", "sentence", "title", "description", "instruction"}:
            cells = frame[name].dropna().astype(str)
            assert not [cell for cell in cells if WORDS_IN_A_NUMBER.search(cell)], name


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("why RUN --cause miscounted", 0),
        ("why RUN 1", 1),
        ("why RUN", 14),
        ("diagnose slices RUN --most 1", 1),
        ("diagnose slices RUN --most 4", 4),
        ("diagnose similar RUN bridge --of instructions --most 1", 1),
        ("server audit", 0),
        ("server shares", 0),
        ("annotate agreement", 0),
    ],
)
def test_the_forms_hold_none_one_and_many(line, count, tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path / "workspace"))
    run = str(SAMPLES / "harbour" / "runs" / "rules-local")
    words = [run if word == "RUN" else word for word in line.split()]
    assert len(check_forms(words)) == count
    done = CliRunner().invoke(application(), [*words, "--format", "json"])
    document = json.loads(done.stdout)
    assert not isinstance(document, list) or len(document) == count


def _without_form(words: list[str]) -> list[str]:
    """Return a command line whose form is the test's to choose."""
    plain = list(words)
    if "--format" in plain:
        at = plain.index("--format")
        del plain[at : at + 2]
    return plain


def _shell(arguments: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    return forked(
        [sys.executable, "-m", "navviz", *arguments],
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
    )


def test_a_shell_completes_commands_and_options():
    def completed(words: str) -> list[str]:
        # what bash hands over: the words, and which of them is written
        place = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        script = "import sys; from navviz.cli import main; sys.argv = ['navviz']; main()"
        done = forked(
            [sys.executable, "-c", script],
            text=True,
            cwd=ROOT,
            env={**os.environ, "_NAVVIZ_COMPLETE": "complete_bash", **place},
        )
        assert done.stderr == ""
        return done.stdout.split()

    assert set(completed("navviz ")) == set(ROOT_COMMAND.commands)
    inner = ROOT_COMMAND.commands["diagnose"].commands
    assert set(completed("navviz diagnose ")) == set(inner)
    assert "--by" in completed("navviz diagnose slices --b")


def test_quiet_leaves_results_alone_and_no_color_all_colours(tmp_path):
    walks = {"1": {"m1": ["s1", "x"], "m2": ["s1", "x"]}}
    run = write_states(tmp_path / "walks.json", walks, instruction="Walk to the light.")
    command = ["score", str(run), "--graphs", str(write_world(tmp_path))]
    loud = _shell(command, FORCE_COLOR="1", NO_COLOR="1")
    quiet = _shell([*command, "-q"])
    assert loud.stdout == quiet.stdout != ""
    assert "hold 2 methods" in loud.stderr
    assert quiet.stderr == ""
    helped = _shell(["why", "--help"], FORCE_COLOR="1", NO_COLOR="1")
    assert "\x1b[3" not in helped.stdout + loud.stderr, "bold is no colour; red would be"
    assert "\x1b[3" in _shell(["why", "--help"], FORCE_COLOR="1", NO_COLOR="").stdout
