"""NavGPT's logs, and the panorama text in them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from navviz.errors import InputError
from navviz.formats import open_episodes, open_results, open_worlds
from navviz.metrics.score import score_trace
from navviz.observations.panorama import angle_text, disagreements, format_views, parse_views
from navviz.records import Episode
from navviz.systems.navgpt.prompts.text import parse_reply
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph

A, B, C = "a" * 32, "b" * 32, "c" * 32


@pytest.fixture
def graph():
    """A - B to the north, B - C to the east, 2 m each."""
    return Graph(
        name="house",
        frame="metric",
        ids=[A, B, C],
        positions=np.array([[0, 0, 1.5], [0, 2, 1.5], [2, 2, 1.5]]),
        sources=np.array([0, 1, 1, 2], np.int32),
        targets=np.array([1, 0, 2, 1], np.int32),
    )


EPISODES = {
    "1_0": Episode(
        id="1_0", dataset="R2R", instruction="Go.", world="house", start=A, start_heading_deg=0
    )
}


def view(label: str, ways: str, objects: str = "None") -> str:
    return (
        f"{label}, range (left 22.50 to right 22.50):\n'It's a room.'\n{label} Objects in 3m: {objects}\n"
        f"{label} Navigable Viewpoints: {ways}"
    )


def write(folder: Path, **changes: object) -> Path:
    path = folder / "detail_mine.json"
    entry = {
        "instr_id": "1_0",
        "trajectory": [[A], [B]],
        "details": [
            {
                "viewpointID": B,
                "turned_angle": "Turn heading direction 0.00 degrees from right 0.00 to right 0.00.",
                "feature": view("Right", f"{{'{C}': 'right 90.00, 2.00m'}}"),
                "history": "walked north",
            }
        ],
        "llm_thought": [
            f'I try.\nAction: action_maker\nAction Input: "{C}"',
            f'I go.\nAction: action_maker\nAction Input: "{B}"',
            "Here.\nFinal Answer: Finished!",
        ],
        "llm_observation": [
            f"\nViewpointID '{C}' is not valid, agent not moved.\n{view('Front', 'None')}",
            f'\nCurrent Viewpoint "{B}":\n' + view("Right", f"{{'{C}': 'right 90.00, 2.00m'}}"),
        ],
        "llm_output": list("Finished!"),
    }
    path.write_text(json.dumps([entry | changes]))
    return path


def test_a_refused_viewpoint_is_a_step_without_a_move(tmp_path, graph):
    (run,) = open_results(write(tmp_path), graph, EPISODES)
    trace = run.traces["1_0"]
    assert run.navigator == "navgpt"
    assert [step.node for step in trace.steps] == [A, A, B]
    assert [step.path for step in trace.steps] == [(), (A, B), ()]
    assert [step.decision.legal for step in trace.steps] == [False, True, True]
    assert trace.steps[2].decision.stop
    assert trace.steps[1].calls[0].thoughts == "I go."
    assert trace.steps[0].observation is None, (
        "the log lacks the first observation, and none is made up"
    )
    assert trace.end.reason == "Finished!"
    assert trace.path == (A, B)


def test_the_history_is_rebuilt_with_summaries_and_the_last_observation_in_full(tmp_path, graph):
    trace = open_results(write(tmp_path), graph, EPISODES)[0].traces["1_0"]
    text = next(panel for panel in trace.steps[2].panels if panel.title == "History buffer").data[
        "text"
    ]
    assert "I try." in text
    assert f"Observation: ViewpointID '{C}' is not valid, agent not moved.\nThought:" in text
    assert "Right Navigable Viewpoints" in text
    assert "walked north" not in text, "the last observation stands there in full, not its summary"


def test_what_the_agent_read_is_a_panel_of_directions(tmp_path, graph):
    trace = open_results(write(tmp_path), graph, EPISODES)[0].traces["1_0"]
    panel = next(panel for panel in trace.steps[2].panels if panel.kind == "directions")
    (direction,) = panel.data["directions"]
    assert direction["label"] == "Right"
    assert direction["text"] == "It's a room."
    assert direction["candidates"] == [{"name": C, "direction": "right 90.00", "distance_m": 2.0}]


def test_a_lost_move_and_a_lost_thought_are_named(tmp_path, graph):
    """Without a word the walk would be a shorter one, with figures of its own."""
    lost = write(tmp_path, details=[])
    problem = open_results(lost, graph, EPISODES)[0].problems.kept[-1]
    assert (problem.episode, problem.field) == ("1_0", "trajectory")
    assert problem.what == "is another walk, of 1 move, than the 0 moves of its details"
    silent = write(tmp_path, llm_thought=["Here.\nFinal Answer: Finished!"])
    problem = open_results(silent, graph, EPISODES)[0].problems.kept[-1]
    assert (problem.episode, problem.field) == ("1_0", "llm_thought")
    assert problem.what == "1 move of 1 without a thought"


def test_a_text_that_disagrees_with_the_graph_is_reported(tmp_path, graph):
    details = json.loads(write(tmp_path).read_text())[0]["details"]
    details[0]["feature"] = view("Right", f"{{'{C}': 'right 91.00, 2.00m'}}")
    (run,) = open_results(write(tmp_path, details=details), graph, EPISODES)
    assert f"the text puts {C} at 91.00 degrees and 2.00 m, the graph at 90.00 and 2.00" in str(
        run.problems.kept[0]
    )


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"llm_thought": []}, "has no thoughts"),
        ({"instr_id": "9_9"}, "no such instruction in the episodes"),
        ({"details": [{"viewpointID": "d" * 32}]}, "is not in scan house"),
        ({"details": [None, {"viewpointID": B}]}, "1 of its moves are no JSON objects"),
    ],
)
def test_a_bad_entry_gives_one_sentence(tmp_path, graph, changes, says):
    with pytest.raises(InputError) as caught:
        open_results(write(tmp_path, **changes), graph, EPISODES)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("reply", "parsed"),
    [
        ("T.\nAction: go\nAction Input: x1", ("T.", "go", "x1", None)),
        ("Thought: T.\nAction 1: go\nAction 1 Input: 'x1'", ("T.", "go", "x1", None)),
        ("T.\nFinal Answer: Finished!", ("T.", None, None, "Finished!")),
        ("just words", ("just words", None, None, None)),
    ],
)
def test_replies_are_split(reply, parsed):
    found = parse_reply(reply)
    assert found[1:] == parsed[1:]
    assert found[0].startswith(parsed[0])


@pytest.mark.parametrize(("angle", "text"), [
    (61.44, "right 61.44"), (-19.95, "left 19.95"), (180, "right 180.00"),
    (-179.999, "right 180.00"), (0, "right 0.00"),
])  # fmt: skip
def test_angles_are_written_as_navgpt_does(angle, text):
    assert angle_text(angle) == text


@pytest.fixture
def published(data_dir):
    worlds = open_worlds(data_dir / "mp3d")
    episodes = open_episodes(data_dir / "navgpt" / "R2R_val_unseen_4676.json").episodes
    (run,) = open_results(data_dir / "navgpt" / "detail_val_unseen.json", worlds, episodes)
    assert run.problems.count == 0
    trace = run.traces["4676_0"]
    return trace, worlds(trace.episode.world)


@pytest.mark.data
def test_the_published_episode_replays(published, data_dir):
    trace, graph = published
    raw = json.loads((data_dir / "navgpt" / "detail_val_unseen.json").read_text())[0]
    assert len(trace.steps) == 7
    assert trace.path == trace.episode.reference_path
    assert graph.geodesic_m(trace.path[-1], trace.episode.goal) == 0
    assert [step.calls[0].reply for step in trace.steps] == raw["llm_thought"]
    assert all(step.calls[0].thoughts for step in trace.steps)
    assert all(step.observation is not None for step in trace.steps)
    for step, detail in zip(trace.steps[1:], raw["details"], strict=True):
        assert step.observation.text == detail["feature"]
    assert trace.end.status == "done"


@pytest.mark.data
def test_the_published_episode_scores_as_a_success(published):
    scores = score_trace(*published)
    assert (scores["SR"], scores["NE"], scores["SPL"], scores["nDTW"], scores["CLS"]) == (
        1.0,
        0.0,
        1.0,
        1.0,
        1.0,
    )


@pytest.mark.data
def test_every_angle_and_distance_of_the_published_text_agrees_with_the_graph(published):
    """Our headings against theirs: 17 viewpoints are given with angle and distance, and all agree.

    One that the typed-in text cuts off cannot be compared (it reads ``left 84.6...``), and at
    viewpoint d30ea5... the text lists none of the three that the graph links.
    """
    trace, graph = published
    compared = cut_off = 0
    for step in trace.steps:
        views = parse_views(step.observation.text)
        given = [way for view in views for way in view.candidates]
        compared += sum(way.angle_deg is not None for way in given)
        cut_off += sum(way.angle_deg is None for way in given)
        assert (
            disagreements(views, graph, step.node, step.heading_deg, angle_deg=0.1, distance_m=0.01)
            == []
        )
        assert {way.node for way in given} <= set(graph.neighbours(step.node))
    assert (compared, cut_off) == (17, 1)


@pytest.mark.data
def test_every_heading_and_range_of_the_published_text_agrees(published, data_dir):
    """Turned angles, and the edges of the eight 45-degree sectors.

    One of the 56 does not: at viewpoint d30ea5... the typed-in text has "left 147.72 to left
    167.28" where the sector behind the agent, right 147.72 to left 167.28, is due.
    """
    trace, graph = published
    raw = json.loads((data_dir / "navgpt" / "detail_val_unseen.json").read_text())[0]
    for (before, step), detail in zip(
        zip(trace.steps, trace.steps[1:], strict=False), raw["details"], strict=True
    ):
        turned = float(re.search(r"direction (-?[\d.]+) degrees", detail["turned_angle"])[1])
        link = graph.heading_deg(before.node, step.node)
        assert step.heading_deg == pytest.approx(link, abs=0.1)
        assert turn_deg(before.heading_deg, link) == pytest.approx(turned, abs=0.1)
    wrong = []
    for step in trace.steps:
        for view in parse_views(step.observation.text):
            edge = (view.from_deg + step.heading_deg + 22.5) % 45.0
            if min(edge, 45.0 - edge) > 0.02:
                wrong.append((step.index, view.label))
    assert wrong == [(4, "Rear Left")]


@pytest.mark.data
def test_our_text_is_theirs_to_the_letter(published):
    """Reading the last viewpoint's text, which is whole, and writing it again changes nothing."""
    text = published[0].steps[-1].observation.text
    assert format_views(parse_views(text)) == text
