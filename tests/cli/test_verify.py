"""``navviz verify`` on samples."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import typer
from typer.testing import CliRunner

from navviz.cli import verify
from tests.paths import SAMPLES

GROKE = SAMPLES / "harbour" / "runs" / "groke-by-hand"
GRAPHS = ("--graphs", str(SAMPLES / "harbour" / "osm" / "graph"))


def call(*given: str):
    app = typer.Typer()
    verify.register(app)
    app.command("other")(lambda: None)
    return CliRunner().invoke(app, ["verify", *given])


def test_a_run_that_reproduces_ends_with_zero():
    told = call(str(GROKE))
    assert (told.exit_code, told.stdout) == (0, "reproduces 10 of 10\n")


def test_one_episode_as_json():
    key = min(GROKE.glob("*.trace.jsonl")).name.removesuffix(".trace.jsonl")
    told = call(str(GROKE), key, "--format", "json")
    document = json.loads(told.stdout)
    assert (told.exit_code, document["summary"], document["reproduces"]) == (
        0,
        "reproduces 1 of 1",
        1,
    )
    assert document["episodes"][0]["episode"] == key


def test_a_changed_prompt_is_named_and_fails(tmp_path: Path):
    run = tmp_path / "mine"
    shutil.copytree(GROKE, run)
    file = min(run.glob("*.trace.jsonl"))
    file.write_text(file.read_text().replace("Current sub-goal", "Present sub-goal"))
    told = call(str(run), *GRAPHS)
    assert told.exit_code == 1
    assert "differs: step 1, prompt: recorded 'user: " in told.stdout
    assert told.stdout.endswith("reproduces 9 of 10\n")


def test_an_episode_that_is_not_there_is_a_sentence():
    told = call(str(GROKE), "no-such")
    assert told.exit_code == 2
    assert "has no such episode" in told.stderr
