"""Another package brings a navigator, a reader, a scanner and a model; a broken one costs one
sentence.
"""

from __future__ import annotations

import json

import pytest

from navviz.analysis.causes.registry import cause_ids, detectors
from navviz.analysis.scanners.registry import get_scanners, scan_run, scanner_names
from navviz.errors import SettingsError
from navviz.formats import discover, open_graph
from navviz.llm.base import Request
from navviz.llm.registry import make_model
from navviz.records import Call, Episode, Message, Step, Trace, TraceHeader
from navviz.support.installation.plugins import noticed
from navviz.systems.registry import get_navigator, navigator_names, navigators_for
from tests.worlds import ROUTE, write_world


@pytest.mark.usefixtures("beacon")
def test_menus_and_discovery_know_them(tmp_path):
    assert navigator_names()[-1] == "beacon"
    assert get_navigator("beacon").summary.startswith("Asks a model for each step")
    assert "beacon" in [navigator.name for navigator in navigators_for("metric")]
    assert scanner_names()[-1] == "dark-steps"
    write_world(tmp_path)
    log = tmp_path / "run.jsonl"
    log.write_text(json.dumps({"beacon": "1", "path": ROUTE}))
    assert discover(tmp_path).results == (log,)


def test_without_the_package_there_is_nothing_of_it():
    assert "beacon" not in navigator_names()
    with pytest.raises(SettingsError, match="There is no navigator 'beacon'"):
        get_navigator("beacon")


@pytest.mark.usefixtures("broken_plugins")
def test_its_model_answers_and_a_broken_one_costs_one_sentence():
    model = make_model("parrot:Polly wants a route")
    *_, call = model.stream(Request((Message(role="user", text="?"),)))
    assert isinstance(call, Call)
    assert (call.reply, model.name) == ("Polly wants a route", "parrot:Polly wants a route")
    with pytest.raises(SettingsError, match=r"scripted:FILE, grump:MODEL or parrot:MODEL"):
        make_model("cockatoo:x")
    with pytest.raises(SettingsError, match=r"cannot make the model x \(RuntimeError: not today\)"):
        make_model("grump:x")


def _said() -> str:
    return " ".join(str(problem) for problem in noticed())


@pytest.mark.usefixtures("broken_plugins")
def test_a_broken_scanner_costs_one_sentence(tmp_path):
    graph = open_graph(write_world(tmp_path))
    episode = Episode(
        id="1", dataset="tiny", instruction="Walk.", start="s1", reference_path=tuple(ROUTE)
    )
    steps = (Step(index=1, node="s1", path=("s1", "s0")),)
    trace = Trace(header=TraceHeader(episode=episode, navigator="test"), steps=steps)
    hits = scan_run({"1": trace}, lambda _world: graph, get_scanners())
    assert [len(hits[name]) for name in ("dark-steps", "nervous")] == [1, 0]
    assert "is no scanner: it lacks name, title, help, scan" in _said()
    assert "fails on episode 1 (RuntimeError: too much)" in _said()
    with pytest.raises(SettingsError, match="There is no scanner 'deaf'"):
        get_scanners(["deaf"])


@pytest.mark.usefixtures("broken_plugins")
@pytest.mark.parametrize(("name", "why"), [
    ("lost", "No module named 'navviz_broken.nowhere'"),
    ("thing", "is no navigator: it lacks name, summary, needs_model, frames, settings_type, navigate"),
])  # fmt: skip
def test_a_broken_navigator_costs_one_sentence(name, why):
    assert "beacon" in [navigator.name for navigator in navigators_for("geo")]
    assert name not in [navigator.name for navigator in navigators_for("geo")]
    with pytest.raises(SettingsError) as caught:
        get_navigator(name)
    assert str(caught.value) in [str(problem) for problem in noticed()]
    assert why in str(caught.value)
    assert str(caught.value).endswith("mend or uninstall navviz-broken; everything else goes on.")


@pytest.mark.usefixtures("broken_plugins")
def test_a_broken_cause_is_left_out():
    assert "vague" in cause_ids()
    assert "vague" not in [detector.id for detector in detectors()]
    assert "is no detector of causes: it lacks id" in _said()


@pytest.mark.usefixtures("broken_plugins")
def test_no_package_takes_the_name_of_one_of_ours():
    assert navigator_names().count("rules") == 1
    assert type(get_navigator("rules")).__module__ == "navviz.systems.rules.navigator"


@pytest.mark.usefixtures("broken_plugins")
def test_a_broken_reader_does_not_keep_others_from_reading(tmp_path):
    graph = write_world(tmp_path)
    log = tmp_path / "run.jsonl"
    log.write_text(json.dumps({"beacon": "1", "path": ROUTE}))
    assert discover(tmp_path).results == (log,)
    assert len(open_graph(graph)) == 9
    assert "RuntimeError: I do not like this file" in _said()
    assert "is no reader: it lacks name, handles, read" in _said()
