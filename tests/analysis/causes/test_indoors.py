"""Causes that only MSNav's map and NavGPT's text can have, planted in walks of the sample house and
of a house with a fork.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import navviz
from navviz.analysis.causes.engine import explain_episode
from navviz.analysis.scanners.registry import OtherSide, WordsRemain, scan_run
from navviz.records import Candidate, Observation, Panel
from tests.analysis.causes.planted_house import RIGHT, WRONG, fork_house, fork_walk

EPISODE = "108_0"


def _run(name):
    return navviz.open_run(navviz.samples_dir() / "house" / "runs" / name)


def _left(run):
    """Return the trace, the step that left the route, and the route's next viewpoint there."""
    trace = run.trace(EPISODE)
    departure = run.divergence(EPISODE).departures[-1]
    return trace, departure.step, trace.episode.reference_path[departure.place + 1]


def _changed(trace, index, change):
    steps = [change(step) if step.index == index else step for step in trace.steps]
    return trace.model_copy(update={"steps": tuple(steps)})


def _without(step, node):
    observation = step.observation
    candidates = [one for one in observation.candidates if one.node != node]
    update = {
        "candidates": tuple(candidates),
        "visible_nodes": tuple(name for name in observation.visible_nodes if name != node),
        "text": observation.text.replace(node, "gone"),
    }
    return step.model_copy(update={"observation": observation.model_copy(update=update)})


def _pruned(step, due, state):
    panels = []
    for panel in step.panels:
        nodes = [dict(one) for one in panel.data.get("nodes", ())]
        for entry in nodes:
            if entry["id"] == due:
                entry |= {"state": state, "note": "pruning score 0.2"}
        data = panel.data | {"nodes": nodes} if panel.kind == "graph" else panel.data
        panels.append(panel.model_copy(update={"data": data}))
    return step.model_copy(update={"panels": tuple(panels)})


@pytest.mark.parametrize(("state", "found"), [("pruned now", True), ("pruned before", False)])
def test_a_pruned_place_that_is_offered_is_hidden_only_while_its_view_is_gone(state, found):
    run = _run("msnav-by-hand")
    trace, index, due = _left(run)
    changed = _changed(trace, index, lambda step: _pruned(step, due, state))
    explained = explain_episode(changed, run.graph(EPISODE))
    assert explained.leading.id == ("pruned-way" if found else "landmark-passed-over")
    assert ("pruned-way" in explained.ids) == found


def test_a_pruned_place_leads():
    run = _run("msnav-by-hand")
    trace, index, due = _left(run)

    def prune(step):
        return _without(_pruned(step, due, "pruned before"), due)

    assert "pruned-way" not in explain_episode(trace, run.graph(EPISODE)).ids
    # a system knows its own prompts best, so that it leads
    explained = explain_episode(_changed(trace, index, prune), run.graph(EPISODE))
    assert explained.leading.id == "pruned-way"
    likely = next(cause for cause in explained.causes if cause.id == "pruned-way")
    assert (likely.id, likely.step, likely.quotes[0].node) == ("pruned-way", index, due)
    assert "pruning score 0.2" in likely.quotes[0].text
    assert likely.repair.kind == "unhide_way"


def test_rules_indoors_name_the_runner_up_that_was_right():
    run = _run("rules-indoors")
    likely = explain_episode(run.trace("101_1"), run.graph("101_1")).leading
    assert (likely.id, likely.step) == ("ambiguous", 2)
    assert [quote.source for quote in likely.quotes] == ["map", "map", "instruction"]


def test_the_first_link_back_to_a_place_that_was_chosen_is_no_choice():
    run = _run("rules-indoors")

    def back(step):
        update = {"target": run.trace("101_1").episode.start, "stop": True}
        return step.model_copy(update={"decision": step.decision.model_copy(update=update)})

    trace = _changed(run.trace("101_1"), 2, back)
    assert "ambiguous" not in explain_episode(trace, run.graph("101_1")).ids


FORK = "v2"
"""Where the walk leaves the route: a1 would be next, and b1 is taken."""


def _at_fork(nodes, text):
    candidates = tuple(Candidate(node=node) for node in nodes)
    seen = Observation(
        format="panorama", text=text, candidates=candidates, visible_nodes=tuple(nodes)
    )
    return {FORK: seen}


def _pruned_walk(path, random, *, listed):
    """MSNav pruned the right place: just now, when it loses its view, or before."""
    state, shown = ("pruned before", ["v1", "b1"]) if listed else ("pruned now", ["v1", "a1", "b1"])
    entry = {"id": "a1", "state": state, "label": random.choice(["3", "4", "5"]), "note": ""}
    panel = Panel(kind="graph", title="Map", data={"nodes": [entry], "edges": []})
    seen = _at_fork(shown, "A hall.")
    return fork_walk(path, "Walk on.", seen, panels={FORK: panel}), random.uniform(0, 360)


def _left_out_walk(path, random, *, listed):
    """The right way lies at 337.5 to 345 degrees; its text names it nowhere."""
    shown = _at_fork(["v1", "b1"] if listed else [], "To the rear, v1. To the right, b1.")
    turn_deg = random.uniform(15.1, 22.4)
    return fork_walk(path, "Walk on.", shown, navigator="navgpt"), turn_deg


PLANTS = {"pruned-way": _pruned_walk, "navgpt-left-out-way": _left_out_walk}


@pytest.mark.parametrize("cause", PLANTS)
@pytest.mark.parametrize("listed", [False, True])
def test_what_was_planted_is_named(cause, listed):
    leading = Counter()
    for seed in range(10):
        trace, turn_deg = PLANTS[cause](WRONG, Random(seed), listed=listed)
        explained = explain_episode(trace, fork_house({}, turn_deg))
        assert (cause, 3) in {(one.id, one.step) for one in explained.causes}
        leading[explained.leading.id] += 1
        right, turn_deg = PLANTS[cause](RIGHT, Random(seed), listed=listed)
        assert explain_episode(right, fork_house({}, turn_deg)).causes == ()
    assert leading == {cause: 10}


def test_no_turn_is_missed_where_turns_are_not_told_by_streets():
    # a house has rooms of five metres, and the turns of a street are measured over 25
    found = []
    for name in ("random-walker-indoors", "rules-indoors-map"):
        run = _run(name)
        hits = scan_run(run.traces, run.graph_of, [OtherSide(), WordsRemain()])
        found += [*hits["other-side"], *hits["words-remain"]]
    assert found == []
