"""Runs made with real model clients (through the fake servers of both) are walked again by
``verify``.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from navviz.records.trace_files import read_trace
from tests.command import invoke
from tests.fake_servers import Answer, FakeGemini, FakeOpenAI, Recorded
from tests.nights import by_day
from tests.paths import SAMPLES

KEY = "canary-key-0123456789"
PLAN = {
    "landmarks": [{"name": "light", "category": "signal", "relative_position": "ahead"}],
    "sub_goals": [{"action": "MOVE_FORWARD", "description": "Walk to the light", "status": "TODO"}],
}
REPLIES = {
    "groke": json.dumps({"subplan_status": "COMPLETED", "next_place": "x"}),
    "navgpt": "Thought: Here.\nFinal Answer: Finished!",
    "msnav": json.dumps({"Thought": "Here.", "New Planning": "Stop.", "Action": "A"}),
}
PLACES = {
    "groke": ("harbour/splits/sample.json", "harbour/osm/graph"),
    "navgpt": ("house/R2R_sample.json", "house/connectivity"),
    "msnav": ("house/R2R_sample.json", "house/connectivity"),
}


def brain(navigator: str) -> Callable[[Recorded], Answer]:
    """Plan where a plan is due, else say the same reply for each step."""

    def act(request: Recorded) -> Answer:
        planning = navigator == "groke" and "subplan_status" not in json.dumps(request.body)
        return Answer(json.dumps(PLAN) if planning else REPLIES[navigator], "Let me see.")

    return act


# by day `test_a_changed_prompt_of_a_model_is_named` walks and verifies with Gemini
@pytest.fixture(params=by_day(["openai", "openai without schemas", "gemini"], ["openai"]))
def model(request, navigator, monkeypatch):
    """The model's name on the command line, with its server behind it."""
    if request.param == "gemini":
        with FakeGemini(brain(navigator)) as server:
            monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.address)
            monkeypatch.setenv("GEMINI_API_KEY", KEY)
            yield "gemini:gemini-3-pro-preview"
        return
    formats = ("json_schema", "json_object") if request.param == "openai" else ()
    with FakeOpenAI(brain(navigator), formats=formats) as server:
        yield f"openai:m@{server.url}"


def _walking(navigator: str, model: str, limit: int) -> tuple[list[str], str]:
    """Options that walk episodes of the samples with a model, and the folder of their graphs."""
    episodes, graphs = (str(SAMPLES / place) for place in PLACES[navigator])
    given = ["--navigator", navigator, "--episodes", episodes, "--graphs", graphs]
    return [*given, "--llm", model, "--limit", str(limit)], graphs


@pytest.mark.parametrize("navigator", list(REPLIES))
def test_a_run_with_a_model_behind_a_client_library_reproduces(navigator, model, tmp_path):
    given, graphs = _walking(navigator, model, 2)
    options = ["--set", "model.temperature=0.5", "--set", "model.thinking=low"]
    walked = invoke("run", *given, *options, "--out", str(tmp_path), "r")
    assert walked.exit_code == 0, walked.output
    traces = [read_trace(path) for path in sorted((tmp_path / "r").glob("*.trace.jsonl"))]
    assert [trace.header.settings["model_options"]["temperature"] for trace in traces] == [0.5, 0.5]
    assert all(trace.calls for trace in traces)
    verified = invoke(
        "diagnose", "verify", str(tmp_path / "r"), "--graphs", graphs, "--format", "json"
    )
    document = json.loads(verified.stdout.splitlines()[-1])
    assert (verified.exit_code, document["summary"]) == (0, "reproduces 2 of 2"), document[
        "episodes"
    ]
    assert document["episodes"][0]["calls"] == len(traces[0].calls)


@pytest.mark.parametrize("navigator", ["groke"])
@pytest.mark.parametrize("model", ["gemini"], indirect=True)
def test_a_changed_prompt_of_a_model_is_named(model, tmp_path, navigator):
    given, graphs = _walking(navigator, model, 1)
    assert invoke("run", *given, "--out", str(tmp_path), "r").exit_code == 0
    [file] = (tmp_path / "r").glob("*.trace.jsonl")
    file.write_text(file.read_text().replace("Current sub-goal", "Present sub-goal"))
    verified = invoke("diagnose", "verify", str(tmp_path / "r"), "--graphs", graphs)
    assert verified.exit_code == 1
    assert "differs: step 1, prompt: recorded 'user: " in verified.stdout
