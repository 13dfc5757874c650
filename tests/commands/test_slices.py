"""``navviz slices`` on a sample run."""

from __future__ import annotations

import json

import typer
from typer.testing import CliRunner

from navviz.commands import slices
from tests.paths import SAMPLES


def call(*given: str):
    app = typer.Typer()
    slices.register(app)
    app.command("other")(lambda: None)
    return CliRunner().invoke(app, ["slices", *given])


def test_sentences_and_records():
    run = str(SAMPLES / "harbour" / "runs" / "rules-local")
    told = call(run, "--most", "3")
    assert told.exit_code == 0, told.output
    assert len(told.stdout.splitlines()) == 3
    assert all(line.startswith("Episodes with") and "adjusted p" in line for line in told.stdout.splitlines())
    first = json.loads(call(run, "--most", "1", "--json").stdout)
    assert first["failures"] + first["other_failures"] <= 14
    assert first["low"] <= first["odds_ratio"] <= first["high"]


def test_a_missing_file_is_a_sentence():
    result = call("nowhere.json")
    assert result.exit_code == 2
    assert "nowhere.json" in result.stderr
