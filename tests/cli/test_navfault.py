"""``navviz navfault``: a set is made of the bundled sample and scored."""

import json

import pytest
from typer.testing import CliRunner

from navviz.cli import application
from tests.paths import SAMPLES


def call(*words):
    done = CliRunner().invoke(application(), ["navfault", *map(str, words), "--quiet"])
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a folder with one log with a fault in one voice, and its twin."""
    folder = tmp_path_factory.mktemp("made") / "set"
    code, output = call("make", folder, "--logs", 1, "--voice", "telegram")
    assert (code, "1 logs with a fault, 1 without; sha256 " in output) == (0, True), output
    return folder


def test_our_own_explainer_is_scored(made):
    code, output = call("score", made, "--format", "json")
    assert code == 0, output
    whole = json.loads(output)[0]
    assert (whole["name"], whole["logs"], whole["step_0_n"]) == ("all", 2, 1)


def test_anybodys_answers_are_scored(made, tmp_path):
    truths = [json.loads(line) for line in (made / "truth.jsonl").read_text().splitlines()]
    lines = []
    for truth in truths:
        lines.append({key: truth.get(key) for key in ("episode", "step", "kind")})
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    code, output = call("score", made, "--answers", path, "--format", "csv")
    head, whole, *_ = (line.split(",") for line in output.splitlines())
    row = dict(zip(head, whole, strict=True))
    assert (code, row["step_0"], row["named_likely"], row["faultless_likely"]) == (
        0,
        "1.0",
        "1.0",
        "0.0",
    )
    code, output = call("score", made, "--answers", path)
    assert "100 % [3, 100] n 1" in output


def test_the_decisive_act_is_scored_against_proof(tmp_path):
    run, truth = SAMPLES / "harbour" / "runs" / "rules-local", tmp_path / "truth.jsonl"
    code, output = call("proof", run, "--out", truth)
    proven = [json.loads(line) for line in truth.read_text().splitlines()]
    assert (code, f"{len(proven)} failures with a proven" in output) == (0, True), output
    assert proven
    assert {one["kind"] for one in proven} == {"proven"}
    code, output = call("score", truth, run, "--format", "json")
    whole = json.loads(output)[0]
    # nobody knows the kind of a natural failure
    assert (code, whole["step_0_n"], whole["named_likely_n"]) == (0, len(proven), None)
