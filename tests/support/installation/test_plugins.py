"""Another package brings a navigator, a format, a model and a scanner; a broken one costs one
sentence.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from navviz.analysis.scanners.registry import get_scanners, scan_run, scanner_names
from navviz.errors import Problem, SettingsError
from navviz.formats import discover, open_graph
from navviz.llm.base import Request
from navviz.llm.registry import make_model
from navviz.records import Call, Episode, Message, Step, Trace, TraceHeader
from navviz.support.installation import plugins
from navviz.support.installation.plugins import noticed
from navviz.systems.registry import get_navigator, navigator_names, navigators_for
from navviz.world.graph import Graph
from tests.paths import ROOT
from tests.worlds import ROUTE, write_world
from tests.zygote import forked

Navviz = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def navviz(compass: Path, tmp_path: Path) -> Navviz:
    """The command line where the package is installed."""

    def call(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(compass)}
        command = [sys.executable, "-m", "navviz", *map(str, arguments)]
        return forked(command, text=True, cwd=ROOT, env=environment)

    return call


def test_its_navigator_runs_and_its_log_is_scored(navviz: Navviz, tmp_path: Path) -> None:
    graph, split = write_world(tmp_path), tmp_path / "splits" / "tiny.json"
    arguments = ("--episodes", split, "--graphs", graph, "--format", "json")
    done = navviz(
        "run", "--navigator", "compass", "--set", "steps=3", "--out", tmp_path / "out", *arguments
    )
    assert done.returncode == 0, done.stderr
    walked = json.loads(done.stdout)
    assert (walked["steps"], walked["SR"]) == (3.0, 0.0)  # s1 -> s0 -> x -> n0, to the north
    log = tmp_path / "run.compass"
    log.write_text(f"compass 1 {' '.join(ROUTE)}\ncompass 9 s1 s0\n")
    done = navviz("score", log, *arguments)
    assert done.returncode == 0, done.stderr
    assert (json.loads(done.stdout)["SR"], json.loads(done.stdout)["method"]) == (1.0, None)
    assert "episode 9 is unknown" in done.stderr


@pytest.mark.usefixtures("compass")
def test_menus_and_discovery_know_them(tmp_path: Path) -> None:
    assert navigator_names()[-1] == "compass"
    assert get_navigator("compass").summary.startswith("Keeps one bearing")
    assert "compass" in [navigator.name for navigator in navigators_for("metric")]
    write_world(tmp_path)
    (tmp_path / "run.compass").write_text(f"compass 1 {' '.join(ROUTE)}\n")
    assert discover(tmp_path).results == (tmp_path / "run.compass",)


@pytest.mark.usefixtures("compass")
def test_its_model_answers() -> None:
    model = make_model("parrot:Polly wants a route")
    *_, call = model.stream(Request((Message(role="user", text="?"),)))
    assert isinstance(call, Call)
    assert (call.reply, model.name) == ("Polly wants a route", "parrot:Polly wants a route")
    with pytest.raises(SettingsError, match=r"scripted:FILE or parrot:MODEL"):
        make_model("cockatoo:x")


def _walked(folder: Path) -> tuple[dict[str, Trace], Graph]:
    graph = open_graph(write_world(folder))
    episode = Episode(
        id="1", dataset="tiny", instruction="Walk.", start="s1", reference_path=tuple(ROUTE)
    )
    steps = (
        Step(index=1, node="s1", path=("s1", "s0", "x")),
        Step(index=2, node="x", path=("x", "s0")),
    )
    return {"1": Trace(header=TraceHeader(episode=episode, navigator="test"), steps=steps)}, graph


@pytest.mark.usefixtures("compass")
def test_its_scanner_scans(tmp_path: Path) -> None:
    traces, graph = _walked(tmp_path)
    assert scanner_names()[-1] == "off-bearing"
    (hit,) = scan_run(traces, lambda _world: graph, get_scanners(["off-bearing"]))["off-bearing"]
    assert (hit.episode, hit.step, hit.sentence) == ("1", 2, "It went south.")


@pytest.mark.usefixtures("broken_plugins")
def test_a_broken_scanner_costs_one_sentence(tmp_path: Path) -> None:
    traces, graph = _walked(tmp_path)
    hits = scan_run(traces, lambda _world: graph, get_scanners())
    assert [len(hits[name]) for name in ("off-bearing", "nervous")] == [1, 0]
    assert "is no scanner: it lacks name, title, help, scan" in str(_notice("blind"))
    assert "fails on episode 1 (RuntimeError: too much)" in str(_notice("nervous"))
    with pytest.raises(SettingsError, match="There is no scanner 'deaf'"):
        get_scanners(["deaf"])


def test_without_the_package_there_is_nothing_of_it() -> None:
    assert "compass" not in navigator_names()
    with pytest.raises(SettingsError, match="There is no navigator 'compass'"):
        get_navigator("compass")


def _notice(name: str) -> Problem:
    return next(problem for problem in noticed() if f"plug-in {name} " in problem.what)


@pytest.mark.usefixtures("broken_plugins")
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("gone", "No module named 'navviz_broken.nowhere'"),
        (
            "thing",
            "is no navigator: it lacks name, summary, needs_model, frames, settings_type, navigate",
        ),
    ],
)
def test_a_broken_navigator_costs_one_sentence(name: str, why: str) -> None:
    assert "compass" in [navigator.name for navigator in navigators_for("geo")]
    assert name not in [navigator.name for navigator in navigators_for("geo")]
    with pytest.raises(SettingsError) as caught:
        get_navigator(name)
    assert str(caught.value) == str(_notice(name))
    assert why in str(caught.value)
    assert str(caught.value).endswith("mend or uninstall navviz-broken; everything else goes on.")


@pytest.mark.usefixtures("broken_plugins")
def test_no_package_takes_the_name_of_one_of_ours() -> None:
    assert navigator_names().count("rules") == 1
    assert type(get_navigator("rules")).__module__ == "navviz.systems.rules.navigator"


@pytest.mark.usefixtures("broken_plugins")
def test_a_broken_reader_does_not_keep_others_from_reading(tmp_path: Path) -> None:
    graph = write_world(tmp_path)
    (tmp_path / "run.compass").write_text(f"compass 1 {' '.join(ROUTE)}\n")
    assert discover(tmp_path).results == (tmp_path / "run.compass",)
    assert len(open_graph(graph)) == 9
    assert "RuntimeError: I do not like this file" in str(_notice("loud"))
    assert "does not say what it reads: give it kind" in str(_notice("mute"))


@pytest.mark.usefixtures("broken_plugins")
def test_a_broken_model_costs_one_sentence() -> None:
    with pytest.raises(SettingsError, match=r"cannot make the model x \(RuntimeError: not today\)"):
        make_model("grump:x")


def test_each_older_group_is_named_once_with_its_new_field(
    compass: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins, "_noticed", {})
    get_navigator("compass")
    get_navigator("compass")
    get_scanners(["off-bearing"])
    discover(compass)
    assert [str(problem) for problem in noticed()] == [
        (
            "navviz-compass names compass in the entry point group navviz.navigators, which ends with 0.2;"
            " name it in navigators of a System, in the group navviz.systems."
        ),
        (
            "navviz-compass names off-bearing in the entry point group navviz.scanners, which ends with 0.2;"
            " name it in scanners of a System, in the group navviz.systems."
        ),
        (
            "navviz-compass names compass-logs in the entry point group navviz.formats, which ends with 0.2;"
            " name it in graph_readers, episode_readers or results_readers of a System, in the group"
            " navviz.systems."
        ),
    ]
