"""Outputs of VELMA: walks, texts, metrics, and the way back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from navviz.errors import InputError
from navviz.formats import open_episodes, open_results
from navviz.metrics.score import score_trace
from navviz.records import Episode, Trace
from navviz.systems.velma.logs import outputs_text
from navviz.systems.velma.metrics import key_point_accuracy, velma_scores
from tests.grids import episode as street_episode
from tests.grids import straight
from tests.grids import trace as street_trace
from tests.systems.velma.made import instance, output, panoramas

GRAPH = panoramas()


def _read(folder: Path, content: Any, known: dict[str, Episode] | None = None) -> Any:
    path = folder / "dev_results.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return open_results(path, GRAPH, known)[0]


def test_a_walk_with_the_text_before_each_decision(tmp_path):
    run = _read(tmp_path, output())
    trace: Trace = run.traces["5"]
    assert (run.navigator, trace.header.model, trace.episode.dataset) == (
        "velma",
        "gpt-4",
        "map2seq",
    )
    assert trace.path == ("r0c0", "r0c1", "r0c2", "r1c2")
    actions = [step.decision.action for step in trace.steps if step.decision]
    assert actions == ["forward", "forward", "left", "forward", "stop"]
    turn = trace.steps[2]
    assert (turn.path, turn.heading_deg, turn.end_heading_deg) == ((), 90.0, 0.0)
    assert turn.observation is not None
    assert turn.observation.text == "There is a 4-way intersection."
    (call,) = turn.calls
    assert call.reply == "3. left"
    assert call.messages[0].text == "Walk by the text.\nTwo blocks, then left.\n"
    assert call.messages[1].text.splitlines() == [
        "1. forward", "A café is on your left.", "2. forward", "There is a 4-way intersection.",
    ]  # fmt: skip
    assert (run.problems.count, trace.end.status, trace.end.node) == (0, "done", "r1c2")


def test_init_may_be_a_line(tmp_path):
    lines = instance()["agent_navigation_lines"]
    marks = instance()["agent_is_actions"]
    with_init = instance(agent_navigation_lines=["0. init", *lines], agent_is_actions=[1, *marks])
    replies = []
    for value in (instance(), with_init):
        run = _read(tmp_path, output(**{"5": value}))
        replies.append([step.calls[0].reply for step in run.traces["5"].steps])
    assert (
        replies[0] == replies[1] == ["1. forward", "2. forward", "3. left", "4. forward", "5. stop"]
    )


def test_lines_that_do_not_fit_are_reported_and_the_walk_is_shown(tmp_path):
    run = _read(tmp_path, output(**{"5": instance(agent_is_actions=[1, 1, 1, 1, 1, 1, 1])}))
    assert len(run.traces["5"].steps) == 5
    assert not run.traces["5"].calls
    assert "marks 7 of its lines as actions, for 6 actions" in str(run.problems.kept[0])


def test_an_instance_that_is_there_twice_is_read_as_velma_reads_it(tmp_path):
    """VELMA keeps instances by a number and by the text of it, which are one key in JSON."""
    once, again = output(), output()
    again["instances"]["5"]["agent_actions"][-1] = "forward"
    doubled = json.dumps(once["instances"])[:-1] + ", " + json.dumps(again["instances"])[1:]
    text = json.dumps({**once, "instances": 0}).replace('"instances": 0', f'"instances": {doubled}')
    run = _read(tmp_path, text)
    assert run.traces["5"].end.status == "limit", "the last one, as `json.load` takes it"
    [problem] = map(str, run.problems.kept)
    assert problem.startswith("dev_results.json: has the key '5' twice in one object; the last is")
    assert not _read(tmp_path, once).problems.kept


def test_what_cannot_be_walked_is_named_and_left_out(tmp_path):
    run = _read(tmp_path, output(**{
        "5": instance(), "6": instance(agent_states=[["r0c0", 90]]), "7": 3,
        "8": instance(agent_states=[["nowhere", 0]], agent_actions=["init"]), "9": {},
    }))  # fmt: skip
    assert list(run.traces) == ["5"]
    said = "\n".join(map(str, run.problems.kept))
    for part in (
        "episode 6",
        "6 actions do not fit 1 states",
        "episode 7",
        "panorama nowhere",
        "episode 9",
    ):
        assert part in said
    assert run.problems.count == 4
    with pytest.raises(InputError, match="the smallest file is"):
        _read(tmp_path, output(**{"6": instance(agent_states=[])}))
    lost = _read(tmp_path, output(**{"5": instance(gold_pano_path=["r0c0", None, "r1c2"])}))
    (problem,) = lost.problems.kept
    assert (problem.episode, problem.field) == ("5", "gold_pano_path")
    assert problem.do == "figures that need the route are missing"


def test_a_fine_tuned_models_output_takes_its_text_from_the_split(tmp_path):
    value = instance(is_novel=True)
    del value["navigation_text"]
    path = tmp_path / "dev_results.json"
    path.write_text(json.dumps(output(**{"5": value})))
    episode = open_episodes(path).episodes["5"]
    assert (episode.instruction, episode.extra) == ("", {"is_novel": True})
    known = episode.model_copy(update={"instruction": "From the split."})
    (run,) = open_results(path, GRAPH, {"5": known})
    assert run.traces["5"].episode.instruction == "From the split."


def test_metrics_by_hand(tmp_path):
    reference = ("r0c0", "r0c1", "r0c2", "r1c2")
    assert velma_scores(reference, reference, GRAPH) == {"TC": 1.0, "SPD": 0.0, "KPA": 1.0}
    # stops one link before the target: complete; start and r0c1 right, r0c2 is never left
    short = velma_scores(reference[:3], reference, GRAPH)
    assert (short["TC"], short["SPD"], short["KPA"]) == (1.0, 1.0, 0.75)
    # goes the other way from the start: only wrong, and four links from the target
    wrong = velma_scores(("r0c0", "r1c0"), reference, GRAPH)
    assert (wrong["TC"], wrong["SPD"], wrong["KPA"]) == (0.0, 2.0, 0.0)
    assert key_point_accuracy(("r0c0",), ("r0c0",), GRAPH) == 1.0
    trace = _read(tmp_path, output()).traces["5"]
    assert score_trace(trace, GRAPH)["KPA"] == 1.0
    streets = replace(GRAPH, info=replace(GRAPH.info, yaw_deg=None))
    assert "TC" not in score_trace(trace, streets)


def _essence(trace: Trace) -> Any:
    steps = []
    for step in trace.steps:
        observed = step.observation.text if step.observation else ""
        action = step.decision.action if step.decision else None
        replies = [call.reply for call in step.calls]
        steps.append(
            (
                step.node,
                step.heading_deg,
                step.path,
                step.end_heading_deg,
                action,
                observed,
                replies,
            )
        )
    episode = trace.episode
    return steps, trace.path, episode.instruction, episode.reference_path, trace.end


def test_an_exported_run_is_the_same_run(tmp_path):
    stopped_by_limit = instance(
        agent_actions=["init", "forward"], agent_states=[["r0c0", 90], ["r0c1", 90]],
        agent_navigation_lines=[], agent_is_actions=[],
    )  # fmt: skip
    first = _read(tmp_path, output(**{"5": instance(), "6": stopped_by_limit}))
    again = _read(tmp_path, "".join(outputs_text(first.traces.values())))
    assert (again.problems.count, list(again.traces)) == (0, ["5", "6"])
    for key in again.traces:
        assert _essence(again.traces[key]) == _essence(first.traces[key])


def test_a_walk_of_another_navigator_keeps_its_path(tmp_path):
    walk = street_trace(
        street_episode(straight()), [("r0c0", "r0c1"), (), ("r0c1", "r0c2", "r0c3")]
    )
    again = _read(tmp_path, "".join(outputs_text([walk]))).traces[walk.episode.id]
    assert (again.path, again.end.node) == (walk.path, walk.path[-1])
    assert again.episode.reference_path == walk.episode.reference_path
