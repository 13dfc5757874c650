from __future__ import annotations

import json

import pytest
import typer
from typer.testing import CliRunner

from navviz.cli.show_context import register
from navviz.formats import open_episodes, open_graph
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
