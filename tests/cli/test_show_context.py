from __future__ import annotations

import json

import pytest
import typer
from typer.testing import CliRunner

from navviz.cli.show_context import register
from navviz.formats import open_episodes, open_graph
from navviz.systems.groke import FORMATS
from tests.paths import SAMPLES
from tests.systems.msnav.scripts import follow, walk
from tests.worlds import write_states, write_world


def shown(*arguments: object) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of the command."""
    app = typer.Typer()
    register(app)
    app.command("other")(lambda: None)
    result = CliRunner().invoke(app, ["context", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def tiny(tmp_path):
    graph = write_world(tmp_path)
    return ["--episodes", tmp_path / "splits" / "tiny.json", "--graphs", graph, "--episode", "1"]


def context(text: str) -> dict:
    return json.loads(text)["navigation_context"]


def test_the_start_of_an_episode(tiny):
    code, text, _ = shown(*tiny)
    assert code == 0
    found = context(text)
    assert found["current_position"] == {
        "node_id": "s1",
        "heading": 0.0,
        "compass_direction": "North",
    }
    assert [node["id"] for node in found["current_path_nodes"]] == ["s1", "s0", "x", "n0"]
    assert found["current_path_nodes"][2]["type"] == "intersection"


def test_landmarks_are_found_in_the_instruction(tiny):
    _, text, _ = shown(*tiny)
    assert context(text)["poi_legend"] == {"L": "light"}


def test_landmarks_may_be_given(tiny):
    _, text, _ = shown(
        *tiny, "--node", "e0", "--heading", 90, "--landmarks", "Blue Door, traffic signals"
    )
    assert context(text)["poi_legend"] == {"B": "Blue Door", "T": "traffic signals"}
    _, text, _ = shown(
        *tiny, "--node", "e0", "--heading", 90, "--landmarks", "Blue Door, Café", "--landmarks", "x"
    )
    assert context(text)["poi_legend"] == {"B": "Blue Door, Café"}


def test_a_sub_goal_shows_its_own_landmarks_only(tiny):
    arguments = ["--node", "e0", "--heading", 90, "--landmarks", "Blue Door,traffic signals"]
    _, text, _ = shown(*tiny, *arguments, "--sub-goal", "Stop at the blue door")
    assert context(text)["poi_legend"] == {"B": "Blue Door"}


def test_landmarks_and_sub_goals_from_results(tiny, tmp_path):
    results = write_states(tmp_path / "states.json", {"1": {"json": ["s1", "x"]}})
    _, text, _ = shown(*tiny, "--landmarks-of", results)
    assert set(context(text)["poi_legend"].values()) <= {"light"}
    code, _, error = shown(
        *tiny, "--landmarks-of", write_states(tmp_path / "other.json", {"9": {"json": ["s1", "x"]}})
    )
    assert code == 2
    assert error == "other.json, episode 1: is not in the results; choose results that hold it.\n"


HOUSE = SAMPLES / "house"


@pytest.fixture
def indoors():
    return [
        "--episodes",
        HOUSE / "R2R_sample.json",
        "--graphs",
        HOUSE / "connectivity",
        "--episode",
        "101_0",
    ]


def test_a_house_shows_navgpts_context(indoors):
    code, text, _ = shown(*indoors)
    assert code == 0
    assert text.count("Navigable Viewpoints:") == 8
    assert text.startswith("Front, range (left 22.50 to right 22.50):")
    graph = open_graph(HOUSE / "connectivity")
    node = graph.neighbours(open_episodes(HOUSE / "R2R_sample.json").episodes["101_0"].start)[0]
    _, there, _ = shown(*indoors, "--node", node, "--heading", 90)
    assert there != text
    assert all(other in there for other in graph.neighbours(node))
    _, turned, _ = shown(*indoors, "--node", node, "--heading", 270)
    assert turned != there


@pytest.mark.parametrize(
    ("navigator", "part"),
    [
        ("navgpt", "\tCurrent Viewpoint:"),
        ("msnav", "Action Options"),
        ("skillnav", "Your skill is"),
    ],
)
def test_the_prompts_of_agents_in_a_house(indoors, navigator, part):
    code, prompt, error = shown(*indoors, "--navigator", navigator, "--prompt")
    assert (code, error) == (0, "")
    assert "[system]" in prompt
    assert "[user]" in prompt
    assert part in prompt
    assert "Come in through the front door" in prompt
    code, context, _ = shown(*indoors, "--navigator", navigator)
    assert code == 0
    start = open_episodes(HOUSE / "R2R_sample.json").episodes["101_0"].start
    ways = open_graph(HOUSE / "connectivity").neighbours(start)
    assert all(way[:8] in context or len(context.splitlines()) > 1 for way in ways)


def test_what_is_shown_is_what_a_walk_shows(indoors):
    episode = open_episodes(HOUSE / "R2R_sample.json").episodes["101_0"]
    house = open_graph(HOUSE / "connectivity")
    path = episode.reference_path
    walked = walk(episode, house, follow(house, path), spatial="off")
    call = walked.steps[0].calls[-1]
    _, context, _ = shown(*indoors, "--navigator", "msnav")
    assert context == f"{walked.steps[0].observation.text}\n"
    _, prompt, _ = shown(*indoors, "--navigator", "msnav", "--prompt")
    assert (
        prompt
        == "\n\n".join(f"[{message.role}]\n{message.text}" for message in call.messages) + "\n"
    )


def test_settings_of_an_agent_in_a_house(indoors):
    _, plain, _ = shown(*indoors, "--navigator", "navgpt", "--set", "objects=none")
    assert "Objects in 3m" not in plain
    code, _, error = shown(*indoors, "--navigator", "navgpt", "--set", "objects")
    assert (code, "is not key=value" in error) == (2, True)


def test_options_of_groke_are_refused_in_a_house(indoors):
    for arguments in (["--context-format", "grid"], ["--sub-goal", "x"], ["--previous", "a"]):
        code, _, error = shown(*indoors, *arguments)
        assert (code, "belongs to groke, not to navgpt" in error) == (2, True)
    code, _, error = shown(*indoors, "--navigator", "rules-indoors")
    assert (code, "rules-indoors asks no model for a move" in error) == (2, True)


def test_agents_of_houses_walk_streets_too(tiny):
    code, prompt, _ = shown(*tiny, "--navigator", "msnav", "--prompt")
    assert code == 0
    assert "Walk to the light" in prompt
    code, _, error = shown(*tiny, "--set", "units=2")
    assert (code, "--set is not for groke" in error) == (2, True)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format(tiny, name):
    code, text, error = shown(*tiny, "--context-format", name)
    assert (code, error) == (0, "")
    assert "light" in text


def test_the_way_behind(tiny):
    _, text, _ = shown(*tiny, "--node", "e0", "--heading", 90, "--previous", "s1, x")
    assert [entry["node_id"] for entry in context(text)["previous_path"]] == ["s1", "s0", "x"]


def test_a_cut_map(tiny):
    _, text, _ = shown(*tiny, "--area-links", 0)
    assert [node["id"] for node in context(text)["current_path_nodes"]][-1] == "e1"


def test_the_whole_prompt(tiny):
    code, text, _ = shown(*tiny, "--prompt", "--sub-goal", "Walk to the light")
    assert code == 0
    assert text.startswith("[system]\n")
    assert "1. Walk to the light (IN_PROGRESS, iteration 1)" in text
    assert shown(*tiny, "--sub-goal", "Walk to the light")[1].strip() in text


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (
            ["--episode", "7"],
            "tiny.json: there is no episode 7 among its 1; choose another, for example 1.",
        ),
        (["--node", "e9", "--heading", 1], "node e9 is not in the graph"),
        (["--node", "e1"], "Say which way the agent faces at node e1"),
        (["--heading", "nan"], "Say which way the agent faces at node s1"),
        (
            ["--context-format", "yaml"],
            "There is no format 'yaml': choose one of json, json-optimised",
        ),
        (["--units", "0"], "--units 0: Input should be"),
        (["--area-links", "-3"], "--area-links -3: Input should be"),
        (["--threshold", "200"], "--threshold 200.0: Input should be"),
        (
            ["--node", "w1", "--heading", "1", "--area-links", "0"],
            "node w1 is more than 0 links away from the",
        ),
        (["--previous", "s1,moon"], "node moon is not in the graph"),
        (["--landmarks-of", "nowhere.json"], "nowhere.json"),
        (["--graphs", "nowhere"], "nowhere"),
        (["--episodes", "nowhere.json"], "nowhere.json"),
    ],
)
def test_faults_are_one_sentence_and_exit_code_2(tiny, arguments, why):
    code, text, error = shown(*tiny, *arguments)
    assert code == 2
    assert text == ""
    assert why in error
    assert error.count("\n") == 1
