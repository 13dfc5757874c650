"""Calls go as jobs of Gemini's batch mode: one a step, half the price, none lost or paid twice."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from navviz.errors import SettingsError
from navviz.formats import open_episodes
from navviz.llm import gemini_batches
from navviz.llm.registry import make_model
from navviz.records.trace_files import read_trace
from navviz.runner.batches import Batch
from navviz.runner.plan import BatchPlan
from navviz.runner.walking import walk_batch
from tests.fake_servers import Answer, FakeGeminiBatches, Fault, Recorded
from tests.worlds import write_world
from tests.zygote import Forked

MODEL = "gemini:gemini-3-pro-preview"
PLAN = json.dumps(
    {
        "landmarks": [{"name": "light", "category": "signal", "relative_position": "ahead"}],
        "sub_goals": [
            {
                "action": "MOVE_FORWARD",
                "description": f"Move to the light {number}",
                "status": "TODO",
            }
            for number in range(4)
        ],
    }
)
QUICK = "import navviz.llm.gemini_batches as g; g._QUIET_S, g._POLL_S = 0.2, 0.05\n"
COMMAND = QUICK + "import sys; from navviz.cli import main; main()"


def brain(request: Recorded) -> Answer:
    """Plan, then say COMPLETED for one place."""
    planning = "sub_goals" in json.dumps(request.body.get("generationConfig"))
    reply = PLAN if planning else json.dumps({"subplan_status": "COMPLETED", "next_place": "x"})
    return Answer(reply, "Let me see.")


@pytest.fixture
def world(tmp_path, monkeypatch):
    write_world(tmp_path)
    split = tmp_path / "splits" / "tiny.json"
    [entry] = json.loads(split.read_text())
    split.write_text(json.dumps([entry | {"instructions_id": number} for number in range(1, 9)]))
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path / "workspace"))
    monkeypatch.setenv("GEMINI_API_KEY", "canary-key-0123456789")
    monkeypatch.setattr(gemini_batches, "_QUIET_S", 0.3)
    monkeypatch.setattr(gemini_batches, "_POLL_S", 0.02)
    return tmp_path


def batch(world: Path) -> Batch:
    episodes = list(open_episodes(world / "splits" / "tiny.json").episodes.values())
    fields: dict[str, Any] = {
        "navigator": "groke", "run": "r", "graphs": (str(world / "osm" / "graph"),), "model": MODEL,
        "workers": 8, "batch_api": True,
    }  # fmt: skip
    return Batch(world / "workspace" / "runs", BatchPlan(**fields), episodes)


def test_the_calls_of_one_step_of_all_walks_are_one_job_at_half_the_price(world, monkeypatch):
    with FakeGeminiBatches(brain) as server:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.address)
        walked = walk_batch(batch(world))
    assert walked.state.state == "done"
    assert [len(job["requests"]) for job in server.jobs] == [8] * 5
    [tally] = walked.state.tallies
    assert tally.cost_usd == pytest.approx(40 * (100 * 2 + 30 * 12) / 1e6 / 2)
    first = server.jobs[0]["requests"][0]["request"]
    assert "thinkingConfig" in first["generationConfig"], first
    trace = read_trace(world / "workspace" / "runs" / "r" / "1.trace.jsonl")
    assert trace.calls[1].thoughts == "Let me see."


def test_a_call_that_a_job_did_not_answer_goes_with_the_next_one(world, monkeypatch):
    faults = [Fault(8, "quota"), Fault(14, "overloaded")]

    def moody(request: Recorded) -> Answer | Fault:
        return faults.pop() if faults else brain(request)

    with FakeGeminiBatches(moody) as server:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.address)
        assert walk_batch(batch(world)).state.state == "done"
        assert server.paid == 42
    jobs = world / "workspace" / "runs" / "r" / ".batch" / "jobs"
    (jobs / "torn.json").write_text('{"id": ')
    with FakeGeminiBatches(brain) as server:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.address)
        for path in (world / "workspace" / "runs" / "r").glob("*.trace.jsonl"):
            path.unlink()
        # what was paid for is there: nothing is asked again
        assert walk_batch(batch(world)).state.state == "done"
        assert server.paid == 0


@pytest.mark.parametrize("kills", [3, pytest.param(25, marks=pytest.mark.nightly)])
def test_a_run_that_is_killed_goes_on_and_pays_for_no_call_twice(world, kills):
    with FakeGeminiBatches(brain, looks=25) as server:
        environment = os.environ | {"GOOGLE_GEMINI_BASE_URL": server.address}
        more = ["run", "r", "--navigator", "groke", "--llm", MODEL, "--batch-api"]
        more += ["--episodes", str(world / "splits" / "tiny.json"), "--graphs", str(world)]
        for kill in range(kills + 1):
            process = Forked([sys.executable, "-c", COMMAND, *more], env=environment, cwd=world)
            if kill == kills:
                assert process.wait(timeout=120) == 0
                break
            jobs = len(server.jobs)
            for _ in range(200):
                time.sleep(0.02 + 0.3 * (kill % 5 == 4))
                if len(server.jobs) > jobs or process.poll() is not None:
                    break
            process.kill()
            process.wait(timeout=60)
        assert server.paid == 40
    traces = [
        read_trace(path) for path in (world / "workspace" / "runs" / "r").glob("*.trace.jsonl")
    ]
    assert [len(trace.calls) for trace in traces] == [5] * 8
    assert all(trace.end is not None and trace.end.status == "done" for trace in traces)


def test_another_model_has_no_such_mode(tmp_path):
    with pytest.raises(SettingsError, match="no batch mode"):
        make_model("openai:gpt-5", jobs=tmp_path)
