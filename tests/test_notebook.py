"""``navviz.replay`` finds the graph of what ``navviz.open_run`` read."""

from __future__ import annotations

import base64
import copy
import gc
import gzip
import html
import json
import pickle
import re
import sys
import time
import weakref
from types import SimpleNamespace
from typing import Any

import pytest

import navviz
from navviz.errors import InputError
from navviz.records import Trace
from navviz.runs.opened import graph_walked_on
from navviz.runs.sources import samples_dir
from navviz.views.player import html as output_cells


def test_a_trace_of_an_opened_run_brings_its_graph():
    run = navviz.open_run(samples_dir() / "harbour" / "runs" / "regex-heuristic")
    key = next(iter(run.traces))
    trace, graph = run.trace(key), run.graph(key)
    del run
    gc.collect()
    shown = navviz.replay(trace)
    assert shown.graph is graph
    assert trace.episode.id in shown._repr_html_()


def test_any_other_trace_asks_for_its_graph():
    run = navviz.open_run(samples_dir() / "harbour" / "runs" / "regex-heuristic")
    other = Trace.model_validate(next(iter(run.traces.values())).model_dump())
    with pytest.raises(InputError, match="graph="):
        navviz.replay(other)
    key = other.episode.id
    assert navviz.replay(other, graph=run.graph(key)).graph is run.graph(key)


def test_a_copy_keeps_its_graph_and_a_pickle_leaves_it_out():
    run = navviz.open_run(samples_dir() / "harbour" / "runs" / "regex-heuristic")
    trace = next(iter(run.traces.values()))
    whole = Trace.model_validate(trace.model_dump())
    for copied in (trace.model_copy(), copy.deepcopy(trace)):
        assert copied == whole
        assert navviz.replay(copied).graph is run.graph(trace.episode.id)
    pickled = pickle.loads(pickle.dumps(trace))
    assert pickled == trace == whole
    assert graph_walked_on(pickled) is None
    assert trace.model_dump_json() == whole.model_dump_json()


def test_nothing_of_a_run_outlives_its_last_trace():
    run = navviz.open_run(samples_dir() / "harbour" / "runs" / "regex-heuristic")
    trace = next(iter(run.traces.values()))
    graph = weakref.ref(run.graph(trace.episode.id))
    del run
    gc.collect()
    assert graph() is not None
    del trace
    gc.collect()
    assert graph() is None


def test_msnavs_memory_joins_an_indoor_walk():
    run = navviz.open_run(samples_dir() / "house" / "runs" / "rules-indoors")
    plain, shown = navviz.replay(run, "101_0"), navviz.replay(run, "101_0", memory=True)
    assert "Map (as MSNav)" in shown.html()
    assert "Map (as MSNav)" not in plain.html()
    own = navviz.open_run(samples_dir() / "house" / "runs" / "msnav-by-hand")
    assert "Map efficiency" in navviz.replay(own, "101_0").html(), (
        "one with a map of its own is measured without asking"
    )


OUTDOORS_BYTES, INDOORS_BYTES = 400_000, 1_500_000
"""What an output may weigh at most."""


@pytest.fixture
def fresh(monkeypatch):
    """A notebook in which nothing was shown yet."""
    monkeypatch.setattr(output_cells, "SCRIPTS", output_cells.NotebookScripts())


def weight(replay: navviz.Replay) -> int:
    return len(replay._repr_html_().encode())


@pytest.mark.usefixtures("fresh")
def test_outputs_are_light_and_plotly_stands_once_in_a_notebook():
    town = navviz.open_run(samples_dir() / "harbour" / "runs" / "groke-by-hand")
    house = navviz.open_run(samples_dir() / "house" / "runs" / "navgpt-by-hand")
    assert max(weight(navviz.replay(town, key)) for key in town.traces) < OUTDOORS_BYTES
    first, *others = (navviz.replay(house, key)._repr_html_() for key in house.traces)
    assert first.count("<script>") == 1, "the carrier; all else stands in the frame's attribute"
    assert max(len(other.encode()) for other in others) < INDOORS_BYTES
    assert all("<script>" not in other for other in others)
    assert len(navviz.replay(house, alone=True)._repr_html_()) > INDOORS_BYTES


@pytest.mark.usefixtures("fresh")
def test_the_cell_that_carries_plotly_carries_it_again_when_it_runs_again(monkeypatch):
    """Its output may have been cleared: nobody tells Python, but running that cell again mends
    it.
    """
    shell = SimpleNamespace(
        execution_count=0, get_parent=lambda: {"metadata": {"cellId": shell.cell}}, cell=""
    )
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))

    def carries(cell: str | None, count: int) -> bool:
        shell.cell, shell.execution_count = cell, count
        return output_cells.SCRIPTS.carries_plotly()

    assert [carries("a", 1), carries("a", 1), carries("b", 2), carries("a", 3), carries("b", 4)] == [
        True, False, False, True, False,
    ]  # fmt: skip
    assert not carries(None, 5), "a notebook that does not name its cells: once a kernel"


def by_hand() -> navviz.OpenRun:
    return navviz.open_run(samples_dir() / "harbour" / "runs" / "groke-by-hand")


@pytest.mark.parametrize("step", [0, 3])
def test_a_replay_starts_where_it_is_wanted(step):
    shown = navviz.replay(by_hand(), 1, step=step)
    assert f'class="navviz-player" data-start="{step}"' in shown.html()
    assert parts_of(shown._repr_html_())["step"] == step
    assert parts_of(navviz.replay(by_hand(), 1)._repr_html_())["step"] is None
    with pytest.raises(
        InputError, match="episode 1, field step: the walk has no step 5; choose 0 to 4"
    ):
        navviz.replay(by_hand(), 1, step=5)


def parts_of(frame: str) -> dict[str, Any]:
    """What is packed in a frame."""
    page = html.unescape(re.search('srcdoc="([^"]*)"', frame)[1])  # type: ignore[index]
    packed = re.search('id="navviz-packed">([^<]*)<', page)[1]  # type: ignore[index]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def test_the_widget_has_what_the_player_has_and_refuses_what_it_has_not():
    shown = navviz.replay(by_hand(), 1, step=2)
    widget = shown.widget
    assert widget is shown.widget
    assert (widget.episode, widget.step, widget.playing, widget.selection) == ("1", 2, False, "")
    heard: list[int] = []
    widget.observe(lambda change: heard.append(change["new"]), "step")
    widget.set_state(
        {"step": 4, "playing": True, "selection": "traffic lights"}
    )  # as a front end does
    assert (widget.step, widget.playing, widget.selection) == (4, True, "traffic lights")
    with pytest.raises(InputError, match="field step: the walk has no step 9; choose 0 to 4"):
        widget.step = 9
    with pytest.raises(InputError, match="episode x: is not in this run"):
        widget.episode = "x"
    widget.step = 0
    assert heard == [4, 0]
    assert widget.episode == "1"


def test_another_episode_comes_with_its_page_its_first_step_and_no_selection():
    run = by_hand()
    first, second = list(run.traces)[:2]
    widget = navviz.replay(run, first, step=3).widget
    assert widget._page == "", "the first page stands in the output"
    widget.selection = "somewhere"
    widget.episode = second
    assert (widget.step, widget.selection, widget.playing) == (1, "", False)
    parts = parts_of(f'srcdoc="{html.escape(widget._page)}"')
    assert (parts["live"], parts["episodes"]) == (True, True)
    assert json.loads(parts["doc"])["episode"]["id"] == second
    widget._answer(widget, {"navviz": "previous"}, None)
    assert widget.episode == first
    widget._answer(widget, {"navviz": "previous"}, None)
    assert widget.episode == first, "it is the first"
    for nonsense in (None, {"navviz": 5}, {"navviz": "open"}, "next"):
        widget._answer(widget, nonsense, None)
    assert widget.episode == first


def test_a_widget_of_a_trace_alone_has_no_other_episode():
    run = by_hand()
    widget = navviz.replay(run.trace(1)).widget
    widget._answer(widget, {"navviz": "next"}, None)
    assert widget.episode == "1"
    widget._answer(widget, {"navviz": "page?"}, None)
    assert parts_of(f'srcdoc="{html.escape(widget._page)}"')["episodes"] is False


def test_a_kernel_gets_the_saved_player_and_a_widget_that_follows_it(monkeypatch):
    shown = navviz.replay(by_hand(), 1)
    with pytest.raises(NotImplementedError):
        shown._ipython_display_()
    # ipywidgets asks for the real IPython when it is first imported
    assert shown.widget.step == 1
    outputs: list[dict[str, Any]] = []
    shell = SimpleNamespace(kernel=object(), execution_count=1)
    display = SimpleNamespace(display=lambda bundle, raw: outputs.append(bundle))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    shown._ipython_display_()
    saved, widget = outputs
    assert set(saved) == {"text/html", "text/plain"}
    assert (
        f'<iframe class="navviz-replay" data-navviz="{shown.widget.frame_name}"'
        in saved["text/html"]
    )
    view = widget["application/vnd.jupyter.widget-view+json"]
    assert view["model_id"] == shown.widget.model_id
    assert widget["text/plain"] == ""
    monkeypatch.setattr("navviz.notebook.shown.extra_hint", lambda _extra: "not installed")
    with pytest.raises(NotImplementedError):
        shown._ipython_display_()


def test_a_run_that_grows_is_taken_up_and_its_walk_followed(tmp_path):
    lines = (
        (samples_dir() / "harbour" / "runs" / "groke-by-hand" / "9.trace.jsonl")
        .read_text()
        .splitlines(keepends=True)
    )
    folder = tmp_path / "growing"
    folder.mkdir()
    walk = folder / "9.trace.jsonl"
    walk.write_text("".join(lines[:14]))
    run = navviz.open_run(folder, graphs=samples_dir() / "harbour")
    assert not run.refresh()
    shown = navviz.replay(run, "9").follow()
    before = len(shown.trace.steps)
    with walk.open("a") as file:
        file.write("".join(lines[14:]))
    for _ in range(200):
        if shown.widget._doc:
            break
        time.sleep(0.05)
    assert len(json.loads(shown.widget._doc)["steps"]) > before
    assert run.scores.rows["9"]["SR"] == 0.0
    assert not run.scores.unfinished
    with pytest.raises(InputError, match="could grow"):
        navviz.replay(run.trace("9")).follow()
