"""Logs of MapGPT and MSNav: our own walks written in their text read back the same, and what is
broken is told.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from navviz.errors import InputError
from navviz.formats import kind_of, open_episodes, open_results
from navviz.formats.base import Run
from navviz.records import Episode, Panel, Step, Trace
from navviz.systems.msnav.place_map.panels import (
    MAP_TITLE,
    OPTIONS_TITLE,
    PLANNING_TITLE,
    PRUNING_TITLE,
)
from navviz.world.graph import Graph
from tests.systems.msnav.logs.printed import log_text
from tests.systems.msnav.scripts import HOUSE, follow, reply, walk
from tests.systems.msnav.test_navigator import there_and_back


@pytest.fixture(scope="module")
def episodes():
    return open_episodes(HOUSE / "R2R_sample.json").episodes


def read(path: Path, house: Graph, episodes: Mapping[str, Episode]) -> Run:
    return open_results(path, house, episodes)[0]


def panel(step: Step, title: str) -> Panel:
    return next(p for p in step.panels if p.title == title)


def long_walk(house: Graph, episodes: Mapping[str, Episode], **settings: object) -> Trace:
    episode = episodes["101_0"]
    return walk(episode, house, follow(house, there_and_back(house, episode.start, 18)), **settings)


def test_a_walk_reads_back_as_it_was_walked(tmp_path, house, episodes):
    ours = long_walk(house, episodes)
    file = tmp_path / "run.log"
    file.write_text("Model version: x\n" + log_text(ours) + "Current case  -  steps: 3.00\n")
    assert kind_of(file) == "results"
    run = read(file, house, episodes)
    assert (run.navigator, run.problems.count) == ("msnav", 0)
    theirs = run.traces["101_0"]
    assert theirs.path == ours.path
    assert "not told" in str(theirs.plan_panels[0].data), "a log prints no objects"
    assert theirs.end is not None
    assert theirs.end.status == "done"
    for a, b in zip(ours.steps, theirs.steps, strict=True):
        assert (a.index, a.node, a.heading_deg, a.path) == (b.index, b.node, b.heading_deg, b.path)
        assert a.calls[-1].reply == b.calls[-1].reply
        assert a.calls[-1].parsed == b.calls[-1].parsed
        assert a.observation is not None
        assert b.observation is not None
        assert a.observation.text == b.observation.text
        assert a.observation.candidates == b.observation.candidates
        assert panel(a, PLANNING_TITLE) == panel(b, PLANNING_TITLE)
        mine, read_back = panel(a, OPTIONS_TITLE).data["rows"], panel(b, OPTIONS_TITLE).data["rows"]
        assert [row[:7] for row in mine] == [row[:7] for row in read_back]
        assert panel(a, MAP_TITLE).data["links"] == sorted_links(panel(b, MAP_TITLE))


def sorted_links(shown: Panel) -> list[list[str]]:
    return sorted(sorted(link) for link in shown.data["links"])


def test_pruning_scores_read_back(tmp_path, house, episodes):
    ours = long_walk(house, episodes)
    file = tmp_path / "run.log"
    file.write_text(log_text(ours))
    theirs = read(file, house, episodes).traces["101_0"]
    compared = 0
    for a, b in zip(ours.steps, theirs.steps, strict=True):
        table = next((p for p in a.panels if p.title == PRUNING_TITLE and p.kind == "table"), None)
        if table is None:
            said = panel(b, PRUNING_TITLE).data["text"]
            assert said.startswith(
                f"The log prints no pruning scores at step {a.index - 1} (the published script begins"
            )
            continue
        scored = [row for row in table.data["rows"] if row[2] is not None]
        assert panel(b, PRUNING_TITLE).data["rows"] == scored
        assert panel(b, PRUNING_TITLE).data["chosen"] == 0
        assert (
            panel(b, PRUNING_TITLE)
            .data["note"]
            .startswith(f"Step {a.index - 1}: Place {scored[0][0]} taken off")
        )
        compared += 1
    assert compared == 4
    for a, b in zip(ours.steps, theirs.steps, strict=True):
        mine, read_back = (
            {n["id"]: n for n in panel(step, MAP_TITLE).data["nodes"]} for step in (a, b)
        )
        assert {key: node["state"] for key, node in read_back.items()} == {
            k: node["state"] for k, node in mine.items()
        }
        pruned = [key for key, node in mine.items() if node["state"].startswith("pruned")]
        assert [read_back[key]["note"] for key in pruned] == [mine[key]["note"] for key in pruned]
    faded = [
        n for n in panel(theirs.steps[17], MAP_TITLE).data["nodes"] if n["state"] == "pruned before"
    ]
    assert faded
    assert all(node["note"].startswith("pruned at step 1") for node in faded), (
        "the note stays while it fades"
    )


def test_the_script_setting_prints_no_distance(tmp_path, house, episodes):
    text = log_text(long_walk(house, episodes, numbers="script"))
    assert "dist=N/A" in text
    assert "Total Score: " in text
    file = tmp_path / "run.log"
    file.write_text(text)
    rows = panel(read(file, house, episodes).traces["101_0"].steps[15], PRUNING_TITLE).data["rows"]
    assert rows[0][8] is None


def test_forced_decisions_read_back(tmp_path, house, episodes):
    path = episodes["101_0"].reference_path
    for said, limit in (({4: "I stop here."}, 35), ({1: reply("Z"), 4: reply("Z")}, 35), ({}, 5)):
        ours = walk(episodes["101_0"], house, follow(house, path, said), image_limit=limit)
        file = tmp_path / "run.log"
        file.write_text(log_text(ours))
        theirs = read(file, house, episodes).traces["101_0"]
        values = [(s.decision.stop, s.decision.legal) for s in theirs.steps if s.decision]
        assert values == [(s.decision.stop, s.decision.legal) for s in ours.steps if s.decision]
        assert theirs.path == ours.path


def test_mapgpt_has_no_destination(tmp_path, house, episodes):
    """MapGPT prints prompt and output alone, two walks in one log."""
    blocks = []
    for key in ("101_0", "102_0"):
        ours = walk(
            episodes[key], house, follow(house, episodes[key].reference_path), preset="mapgpt"
        )
        for step in ours.steps:
            assert step.observation is not None
            blocks += [
                "-------------------- Environment Prompts --------------------",
                step.observation.text.partition("\n\nViews of")[0],
                "-------------------- Output --------------------",
                step.calls[-1].reply or "",
            ]
        blocks.append("Current case  -  steps: 5.00  lengths: 9.10")
    file = tmp_path / "mapgpt.txt"
    file.write_text("\n".join(blocks) + "\n")
    run = read(file, house, episodes)
    assert run.navigator == "mapgpt"
    assert {key: trace.path for key, trace in run.traces.items()} == {
        key: episodes[key].reference_path for key in ("101_0", "102_0")
    }
    assert run.problems.count == 0


def test_plain_replies_of_gpt_4v_read_too(tmp_path, house, episodes):
    ours = walk(
        episodes["101_0"],
        house,
        follow(house, episodes["101_0"].reference_path),
        preset="mapgpt",
        step_limit=1,
    )
    assert ours.steps[0].observation is not None
    letter = ours.steps[0].calls[0].parsed["Action"]
    file = tmp_path / "v.txt"
    file.write_text(
        "-------------------- Environment Prompts --------------------\n"
        f"{ours.steps[0].observation.text}\n"
        "-------------------- Output --------------------\n"
        f"Thought: On.\nDistance: 3 m\nNew Planning: To the hall.\nAction: {letter}\n"
        "{'completion_tokens': 12, 'prompt_tokens': 900, 'total_tokens': 912}\n"
    )
    step = read(file, house, episodes).traces["101_0"].steps[0]
    assert step.path == ours.steps[0].path
    assert step.calls[0].thoughts == "On."
    assert step.calls[0].usage is not None
    assert (step.calls[0].usage.prompt_tokens, step.calls[0].usage.output_tokens) == (900, 12)
    assert "tokens" not in (step.calls[0].reply or "")


def test_where_the_order_is_unknown_the_trajectory_is_followed(tmp_path, house, episodes):
    ours = walk(episodes["101_0"], house, follow(house, episodes["101_0"].reference_path))
    text = log_text(ours)
    broken = text.replace(
        "'B. ", "'B. go nowhere to Place 99 which is corresponding to Image 99', 'Q. ", 1
    )
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "out.log").write_text(broken)
    case = {
        "instr_id": "101_0",
        "trajectory": [[node] for node in ours.path],
        "a_t": {},
        "scan": house.name,
    }
    case["evaluation"] = {"nav_error": [0.5], "instr_id": ["101_0"]}
    (folder / "case_InstrID_101_0.json").write_text(json.dumps(case, indent=4, sort_keys=True))
    run = read(folder, house, episodes)
    assert run.traces["101_0"].path == ours.path
    assert run.traces["101_0"].plan_panels[-1].data["items"] == [["nav_error", 0.5]], (
        "what the log says of itself"
    )
    assert run.problems.count == 1
    assert "the options do not fit the ways" in str(run.problems.kept[0])
    options = [
        row for step in run.traces["101_0"].steps for row in panel(step, OPTIONS_TITLE).data["rows"]
    ]
    assert any(row[4] == "Place 99 (unknown viewpoint)" for row in options)


def test_predictions_alone(tmp_path, house, episodes):
    from navviz.observations.discrete_views import candidate_views

    path = episodes["101_0"].reference_path
    indices = {
        str(k): 1 + [way.node for way in candidate_views(house, a)].index(b)
        for k, (a, b) in enumerate(itertools.pairwise(path))
    }
    rows = [
        {
            "instr_id": "101_0",
            "trajectory": [[node] for node in path],
            "a_t": indices | {str(len(path) - 1): 0},
        }
    ]
    file = tmp_path / "submit_x.json"
    file.write_text(json.dumps(rows))
    run = read(file, house, episodes)
    trace = run.traces["101_0"]
    assert (trace.path, run.problems.count) == (path, 0)
    chosen = [
        next(row for row in panel(s, OPTIONS_TITLE).data["rows"] if row[1]) for s in trace.steps
    ]
    assert [row[4] for row in chosen[:-1]] == list(path[1:])
    # a place that was lost would leave another walk, with another figure
    for lost in ({}, [], None, 7):
        broken = {"instr_id": "102_0", "trajectory": [[path[0]], lost, [path[1]]], "a_t": {}}
        file.write_text(json.dumps([*rows, broken]))
        partly = read(file, house, episodes)
        assert list(partly.traces) == ["101_0"]
        assert "is no case with an instr_id and a trajectory" in str(partly.problems.kept[0])
    rows[0]["a_t"]["0"] = 0 if indices["0"] != 1 else 9
    rows[0]["a_t"]["1"] = 1 if indices["1"] != 1 else 2
    file.write_text(json.dumps(rows))
    assert read(file, house, episodes).problems.count >= 1


def test_extended_instructions_beside_a_log(tmp_path, house, episodes):
    ours = walk(episodes["101_0"], house, follow(house, episodes["101_0"].reference_path))
    (tmp_path / "out.log").write_text(log_text(ours))
    entry = {
        "instructions": episodes["101_0"].instruction,
        "direct_obj": ["stove"],
        "potential_obj": ["pan"],
    }
    (tmp_path / "x_sr.json").write_text(json.dumps([entry]))
    trace = read(tmp_path, house, episodes).traces["101_0"]
    assert [mark.name for mark in trace.landmarks] == ["stove", "pan"]
    assert trace.plan_panels[0].data["layout"].startswith("The destination is")


def test_a_stop_at_a_look_alike_gets_a_hint_in_a_log_too(tmp_path, house, episodes):
    episode = episodes["101_0"]
    early = {3: reply("A", "A sink by a stove: this is the kitchen, I stop.")}
    ours = walk(episode, house, follow(house, episode.reference_path, early))
    (tmp_path / "out.log").write_text(log_text(ours))
    entry = {
        "instructions": episode.instruction,
        "direct_obj": ["unicorn"],
        "potential_obj": ["sink"],
    }
    (tmp_path / "x_sr.json").write_text(json.dumps([entry]))
    last = read(tmp_path, house, episodes).traces["101_0"].steps[-1]
    assert "unicorn" in next(p for p in last.panels if p.title.startswith("Hint")).data["text"]


def test_broken_logs_are_told_in_one_sentence(tmp_path, house, episodes):
    ours = walk(episodes["101_0"], house, follow(house, episodes["101_0"].reference_path))
    other = walk(
        episodes["101_0"].model_copy(update={"instruction": "Elsewhere <b>."}),
        house,
        follow(house, ours.path),
    )
    rule = "-------------------- Environment Prompts --------------------\n"
    file = tmp_path / "run.log"
    file.write_text(log_text(other) + rule + "garbage\n" + log_text(ours)[:-900])
    run = read(file, house, episodes)
    assert list(run.traces) == ["101_0"]
    said = [str(problem) for problem in run.problems.kept]
    assert any("belongs to no open episode" in text for text in said)
    assert any("has no instruction or no action options" in text for text in said)
    assert all(text.startswith("run.log:") for text in said)
    file.write_text(log_text(other))
    with pytest.raises(InputError, match="holds no walk of these episodes"):
        read(file, house, episodes)
    (tmp_path / "case_x.json").write_text('{"a_t": {}, "instr_id": "101_0", "trajectory": 3}')
    with pytest.raises(InputError, match="holds no walk"):
        read(tmp_path / "case_x.json", house, episodes)
