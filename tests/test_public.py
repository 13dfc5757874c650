"""What ``import navviz`` offers, with the examples of its docstrings and of README.md run as they
stand.
"""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

import navviz
from navviz.errors import InputError, NavVizError
from navviz.support.installation.files import samples_dir
from navviz.support.systems import unfit_system
from tests.paths import ROOT

RUNS = samples_dir() / "harbour" / "runs"
PUBLIC = (
    "Breakpoint", "Comparison", "Episode", "Graph", "NavVizError", "OpenRun", "Replay", "RunScore", "Trace",
    "TraceWriter", "__version__", "atlas", "check", "compare", "figure", "information", "open_graph", "open_run", "publish",
    "record", "repair", "replay", "samples_dir", "scan", "score", "similar", "slices", "to_folium", "walk",
    "what_if", "why",
)  # fmt: skip
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = [
    pytest.param(example, id=f"{page.name}-{number}")
    for page in PAGES
    for number, example in enumerate(
        re.findall(
            r"^```python\n(.*?)^```",
            page.read_text(encoding="utf-8"),
            flags=re.MULTILINE | re.DOTALL,
        ),
        start=1,
    )
]
TEXTS = [str(example.values[0]) for example in EXAMPLES]


def test_the_public_names_are_these():
    assert tuple(navviz.__all__) == PUBLIC
    assert set(PUBLIC) <= set(dir(navviz))
    for name in PUBLIC:
        assert getattr(navviz, name).__doc__


def test_unknown_names_are_refused():
    assert not hasattr(navviz, "nothing_of_the_kind")


def test_looking_at_the_names_imports_nothing():
    code = "import sys, navviz; dir(navviz); print([n for n in sys.modules if n.startswith('navviz.')])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "name", [name for name in PUBLIC if ">>>" in (getattr(navviz, name).__doc__ or "")]
)
def test_the_examples_of_docstrings_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tests = [
        test
        for test in doctest.DocTestFinder(recurse=False).find(getattr(navviz, name), name)
        if test.examples
    ]
    assert len(tests) == 1
    messages: list[str] = []
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(tests[0], out=messages.append)
    assert results.attempted > 0
    assert not results.failed, "".join(messages)


def test_whatever_can_be_called_has_an_example():
    without = [
        name
        for name in PUBLIC
        if callable(getattr(navviz, name)) and ">>>" not in getattr(navviz, name).__doc__
    ]
    assert without == [
        "Breakpoint",
        "Comparison",
        "Episode",
        "Graph",
        "NavVizError",
        "OpenRun",
        "Replay",
        "RunScore",
        "Trace",
        "samples_dir",
    ]


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_readme_and_docs_run(example, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "example", "exec"), {"__name__": "example"})


def test_the_readme_has_the_examples_that_users_begin_with():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(
        name in text for name in ("open_run", "replay", "TraceWriter", "to_folium", "compare")
    )
    writer = next(example for example in TEXTS if "TraceWriter" in example)
    lines = [
        line for line in writer.splitlines() if line.strip() and not line.lstrip().startswith("#")
    ]
    assert len(lines[: next(i for i, line in enumerate(lines) if "open_run(" in line)]) <= 12


def test_the_navigator_of_the_readme_walks():
    names: dict[str, Any] = {"__name__": "east"}
    exec(next(example for example in TEXTS if "(TaskNavigator" in example), names)
    run = navviz.open_run(RUNS / "rules")
    graph, episode = run.graph("1"), run.trace("1").episode
    walk = list(names["East"]().navigate(episode, graph, None, names["EastSettings"](steps=2)))
    assert [event.type for event in walk] == [*("step", "decision", "move") * 2, "end"]
    moves = [event.path for event in walk if event.type == "move"]
    assert moves[0][0] == episode.start
    assert unfit_system("east", names["SYSTEM"]) is None
    assert all(b in graph.neighbours(a) for a, b in moves)
    assert 'east = "east:SYSTEM"' in (ROOT / "docs" / "extend.md").read_text(encoding="utf-8")


def test_what_is_shown_in_a_notebook_is_short_and_escaped():
    run = navviz.open_run(RUNS / "rules")
    trace = run.trace("1")
    shown = (run, run.run, run.scores, trace, run.graph("1"))
    assert {type(each).__name__: len(repr(each)) < 1000 for each in shown} == {
        type(each).__name__: True for each in shown
    }
    assert len(run._repr_html_()) < 5000
    run.source = type(run.source)("<img src=x onerror=alert(1)>", "opened")
    assert "<img" not in run._repr_html_()
    assert "&lt;img src=x" in run._repr_html_()
    assert "71.4 %" in run._repr_html_()


def test_score_says_what_the_run_says():
    run = navviz.open_run(RUNS / "rules")
    assert navviz.score(RUNS / "rules", samples_dir() / "harbour").means == run.scores.means
    assert navviz.score(RUNS / "rules", run.graph("1")).rows == run.scores.rows
    assert navviz.score(RUNS / "rules", run.graph("1").to_networkx()).rows == run.scores.rows
    # a walk of ours is scored as it was walked
    assert run.score(as_walked=True).rows == run.scores.rows


def test_runs_of_one_name_are_told_apart():
    run = navviz.open_run(RUNS / "rules")
    compared = navviz.compare([run, run, run])
    assert compared.runs == ("rules", "rules (2)", "rules (3)")
    assert {pair.mean for pair in compared.differences if pair.metric == "SR"} == {0.0}
    methods = [replace(run, run=replace(run.run, method=name)) for name in ("json", "textual")]
    assert navviz.compare(methods).runs == ("rules/json", "rules/textual")
    # one by one, in a list, by names or from any iterable: the same comparison
    assert navviz.compare(*methods).differences == navviz.compare(iter(methods)).differences
    assert navviz.compare(run, run, run).runs == compared.runs
    with pytest.raises(InputError, match=r"takes a run of navviz.open_run, not .* \(list\)"):
        navviz.compare([run], run)  # type: ignore[call-overload]
    with pytest.raises(InputError, match="at least two runs"):
        navviz.compare([run])
    house = navviz.open_run(
        samples_dir() / "house" / "runs" / "rules-indoors", graphs=samples_dir() / "house"
    )
    with pytest.raises(InputError, match="share no episode"):
        navviz.compare({"outdoors": run, "indoors": house})


MISTAKES = [
    ("slices", ({"by": "x"}), "There is no by='x'; choose of: episode, junction"),
    ("scan", {"scanners": "loop"}, "There is no scanner 'loop'; choose of: "),
    ("figure", {"width": "wide"}, "There is no width='wide'; choose of: single, double"),
    ("publish", {"without": "words"}, "--without words: is none of prompts"),
    ("atlas", {"world": "x"}, "field world: no episode lies in x; choose one of: ''"),
    ("why", {"episode": 99}, "episode 99: run rules has no such episode"),
    ("replay", {"episode": "99"}, "episode 99: run rules has no such episode"),
    ("to_folium", {"episode": 99}, "episode 99: run rules has no such episode"),
    ("similar", {"text": "a", "of": "x"}, "There is no 'x'; choose of: thoughts"),
    ("compare", {}, "field runs: takes a list of runs"),
]


@pytest.mark.parametrize(("name", "options", "sentence"), MISTAKES)
def test_what_is_wrong_is_said_in_one_sentence(name, options, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = navviz.open_run(RUNS / "rules")
    with pytest.raises(NavVizError) as caught:
        getattr(navviz, name)(run, **options)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("name", [
    "atlas", "compare", "figure", "information", "repair", "replay", "scan", "similar", "slices", "to_folium",
    "what_if", "why",
])  # fmt: skip
def test_a_path_in_place_of_a_run_is_named(name):
    path = str(RUNS / "rules")
    first: Any = [path, path] if name == "compare" else path
    more = ("left",) if name == "similar" else ()
    with pytest.raises(NavVizError, match=r"takes a run of navviz.open_run, not .*open it first"):
        getattr(navviz, name)(first, *more)


def test_nodes_and_episodes_that_are_not_there_are_named():
    run = navviz.open_run(RUNS / "rules")
    graph = run.graph(1)
    node = graph.ids[0]
    for ask in (graph.neighbours, graph.position, lambda other: graph.shortest_path(node, other)):
        with pytest.raises(
            NavVizError, match=r"^the graph has no node 'x'; choose one of graph.ids\.$"
        ):
            ask("x")
    with pytest.raises(KeyError):
        graph.geodesic_m(5, node)  # type: ignore[arg-type]
    for ask in (run.graph, run.pictures, run.trace):
        with pytest.raises(NavVizError, match="episode x: run rules has no such episode"):
            ask("x")
    with pytest.raises(NavVizError, match=r"field episode: must be a navviz.Episode, not dict"):
        navviz.TraceWriter("1.trace.jsonl", {"id": "1"}, "mine")  # type: ignore[arg-type]
    with pytest.raises(NavVizError, match="field results: must be a path, not NoneType"):
        navviz.open_run(None)  # type: ignore[arg-type]
