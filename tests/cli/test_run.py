"""``navviz run`` as users call it: a whole batch, killed and gone on with, with a model and
without.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from navviz.records.trace_files import read_trace
from tests.command import invoke
from tests.fake_servers import Answer, FakeGemini, FakeOpenAI, Fault, Recorded
from tests.paths import ROOT, SAMPLES
from tests.worlds import write_world
from tests.zygote import Forked

KEY = "canary-key-0123456789"
PLAN = json.dumps(
    {
        "landmarks": [{"name": "light", "category": "signal", "relative_position": "ahead"}],
        "sub_goals": [
            {"action": "MOVE_FORWARD", "description": "Move forward to the light", "status": "TODO"}
        ],
    }
)


def brain(delay_s: float = 0.0) -> Any:
    """A model that plans, then says COMPLETED for one place."""

    def act(request: Recorded) -> Answer:
        planning = "sub_goals" in json.dumps(
            request.body.get("generationConfig", request.body.get("response_format"))
        )
        reply = PLAN if planning else json.dumps({"subplan_status": "COMPLETED", "next_place": "x"})
        return Answer(reply, "Let me see.", pieces=4, delay_s=delay_s)

    return act


@pytest.fixture
def world(tmp_path):
    """A tiny world with twelve episodes."""
    write_world(tmp_path / "world")
    split = tmp_path / "world" / "splits" / "tiny.json"
    [entry] = json.loads(split.read_text())
    split.write_text(json.dumps([entry | {"instructions_id": number} for number in range(1, 13)]))
    return tmp_path / "world"


def arguments(world: Path, *more: str) -> list[str]:
    split, out = world / "splits" / "tiny.json", world.parent / "out"
    return [
        "--episodes",
        str(split),
        "--graphs",
        str(world / "osm" / "graph"),
        "--out",
        str(out),
        *more,
    ]


def walk(world: Path, *more: str) -> Result:
    return invoke("run", *arguments(world, *more))


def last_line(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    return found


def test_the_last_line_is_what_score_says(world):
    result = walk(world, "--navigator", "random-walker", "r", "--format", "json")
    assert result.exit_code == 0, result.output
    document = last_line(result)
    traces = str(world.parent / "out" / "r")
    scored = invoke("score", traces, "--graphs", str(world / "osm" / "graph"), "--format", "json")
    expected = json.loads(scored.stdout)
    assert {key: document[key] for key in expected} == expected
    assert document["episodes"] == 12
    assert document["ended"] == {"done": 12}


def test_the_same_command_goes_on_and_limits_choose(world):
    first = walk(world, "--navigator", "random-walker", "--limit", "3", "--format", "json")
    assert last_line(first)["episodes"] == 3
    folder = Path(last_line(first)["traces"])
    stamps = {path: path.stat().st_mtime_ns for path in folder.glob("*.trace.jsonl")}
    assert len(stamps) == 3
    assert (
        last_line(
            walk(world, "--navigator", "random-walker", "--ids", "2, 12", "--format", "json")
        )["episodes"]
        == 2
    )
    assert (
        last_line(
            walk(world, "--navigator", "random-walker", "--workers", "2", "--format", "json")
        )["episodes"]
        == 12
    )
    # what was finished is not walked again
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps


def test_a_model_behind_gemini(world, monkeypatch):
    with FakeGemini(brain()) as server:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.address)
        monkeypatch.setenv("GEMINI_API_KEY", KEY)
        more = [
            "--navigator", "groke", "--llm", "gemini:gemini-3-pro-preview", "--workers", "4",
            "--format", "json",
        ]  # fmt: skip
        result = walk(world, *more, "--set", "model.thinking=low")
        assert server.most_parallel <= 4
    assert result.exit_code == 0, result.output
    document = last_line(result)
    assert document["calls"] == 24
    assert document["cost_usd"] == pytest.approx(24 * (100 * 2 + 30 * 12) / 1e6)
    [trace, *_] = [read_trace(path) for path in Path(document["traces"]).glob("*.trace.jsonl")]
    assert trace.header.settings["model_options"] == {"thinking": "low"}
    assert trace.header.prices["gemini:gemini-3-pro-preview"].output_usd == 12
    everything = "".join(
        path.read_text() for path in Path(document["traces"]).rglob("*") if path.is_file()
    )
    assert KEY not in everything + result.output


def test_a_wrong_key_ends_each_episode_with_a_sentence_and_the_command_with_an_error(
    world, monkeypatch
):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with FakeOpenAI([Fault(401, "wrong", echo_key=True)]) as server:
        monkeypatch.setenv("NAVVIZ_MODEL_ADDRESSES", f"https://elsewhere.example, {server.url}")
        result = walk(
            world, "--navigator", "groke", "--llm", f"openai:m@{server.url}", "--limit", "5"
        )
    assert result.exit_code == 1
    assert result.stderr.count("refused the key in OPENAI_API_KEY") == 1
    assert "warning: episodes 1, 2, 3 and 2 more: " in result.stderr
    assert KEY not in result.output


def test_an_episode_that_ended_in_an_error_is_told_and_is_part_of_no_mean(world):
    walker = brain()
    lost: set[str] = set()

    def act(request: Recorded) -> Answer | Fault:
        """Refuse the first request, which ends its walk."""
        if not lost:
            lost.add("one")
            return Fault(404, "this one not")
        answer: Answer = walker(request)
        return answer

    with FakeOpenAI(act) as server:
        more = ["--navigator", "groke", "--llm", f"openai:m@{server.url}", "r"]
        first = walk(world, *more, "--format", "json")
    document = last_line(first)
    assert (document["episodes"], document["walked"], document["errors"]) == (12, 11, 1)
    assert first.exit_code == 1
    assert "11 walked, 1 error" in first.stderr
    scored = invoke("score", document["traces"], "--graphs", str(world / "osm" / "graph"))
    assert "no part of the means" in scored.stdout


def traces_of(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.trace.jsonl"))


def test_worker_processes_end_with_a_parent_that_was_killed(world):
    code = (
        "import sys; from navviz.runner.batch import run_batch; from tests.toys import Walker, ToySettings;"
        "from navviz.formats import open_episodes, open_worlds; from pathlib import Path\n"
        "if __name__ == '__main__':\n"
        " split, graph, out = map(Path, sys.argv[1:])\n"
        " run_batch(Walker(), list(open_episodes(split).episodes.values()), open_worlds(graph),\n"
        "  ToySettings(trouble='hang'), run='r', out=out, workers=2, graphs=graph)\n"
    )
    script = world.parent / "script.py"
    script.write_text(code)
    split, graph = world / "splits" / "tiny.json", world / "osm" / "graph"
    root = ROOT
    process = Forked(
        [sys.executable, str(script), str(split), str(graph), str(world.parent / "out")],
        env=os.environ | {"PYTHONPATH": str(root)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 300
    while not traces_of(world.parent / "out" / "r") and time.monotonic() < deadline:
        time.sleep(0.02)
    children = [
        int(pid)
        for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    ]
    assert len(children) >= 2
    process.kill()
    process.wait()
    while any(_alive(pid) for pid in children) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not [pid for pid in children if _alive(pid)]


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_failures_are_walked_again_and_told_as_best_of(world):
    given = ["--navigator", "random-walker", "--limit", "6", "tries", "--rerun-failures", "2"]
    done = walk(world, *given, "--format", "json")
    document = json.loads(done.stdout.splitlines()[-1])
    single = json.loads(walk(world, *given[:-2], "--format", "json").stdout.splitlines()[-1])
    assert document["SR"] == single["SR"], "its own figures stay those of one run"
    rounds = document["rounds"]
    assert rounds[0]["best_of"] == 2
    assert rounds[0]["walked"] == round(6 * (1 - document["SR"]))
    assert rounds[0]["SR"] >= document["SR"]
    assert (world.parent / "out" / "tries-again-1").is_dir()
    assert "best of 2" in walk(world, *given).stdout


def test_settings_decide_whether_a_model_is_needed(world):
    result = walk(world, "--navigator", "skillnav", "--limit", "1")
    assert result.exit_code == 2
    assert "skillnav needs a language model" in result.output
    parts = [
        text
        for name in ("reorder", "localiser", "router", "agents")
        for text in ("--set", f"{name}=rules")
    ]
    done = walk(world, "--navigator", "skillnav", "--limit", "1", "plain", *parts)
    assert done.exit_code == 0, done.output
    trace = read_trace(next((world.parent / "out" / "plain").glob("*.trace.jsonl")))
    assert trace.header.settings["agents"] == "rules (stand-in)"
    again = walk(world, "--navigator", "skillnav", "--limit", "1", "plain", *parts)
    assert again.exit_code == 0, "the settings as they were written are those that are asked for"


def test_a_pilot_tells_what_the_rest_costs_and_the_same_command_walks_it(world):
    with FakeOpenAI(brain()) as server:
        more = ["--navigator", "groke", "--llm", f"openai:m@{server.url}", "r"]
        first = walk(world, *more, "--pilot", "3")
        assert first.exit_code == 0, first.output
        assert "the other 9 walks will cost about 2,340 tokens (2,340 to 2,340)" in first.stdout
        assert len(server.requests) == 6
        rest = last_line(walk(world, *more, "--format", "json"))
        assert (rest["episodes"], len(server.requests)) == (12, 24)


def test_means_over_samples_stand_beside_those_of_the_first_tries(world):
    one = last_line(walk(world, "--navigator", "random-walker", "one", "--format", "json"))
    result = walk(world, "--navigator", "random-walker", "r", "--samples", "3", "--format", "json")
    document = last_line(result)
    assert {name: document[name] for name in ("SR", "NE", "nDTW")} == {
        name: one[name] for name in ("SR", "NE", "nDTW")
    }
    samples = document["samples"]
    assert samples["runs"] == ["r", "r-sample-2", "r-sample-3"]
    scored = [
        json.loads(
            invoke(
                "score",
                str(world.parent / "out" / run),
                "--graphs",
                str(world / "osm" / "graph"),
                "--format",
                "json",
            ).stdout
        )
        for run in samples["runs"]
    ]
    assert samples["mean"]["NE"] == pytest.approx(sum(each["NE"] for each in scored) / 3)
    again = walk(world, "--navigator", "random-walker", "r", "--samples", "3")
    assert "mean of 3 samples (r to r-sample-3): SR" in again.stdout


@pytest.mark.parametrize("name", ["../../x", "x" * 300, ".x"])
def test_a_run_is_no_way_out_of_its_folder(world, name):
    result = walk(world, "--navigator", "random-walker", name)
    assert result.exit_code == 2
    assert "run's name" in result.stderr


def test_go_on_takes_up_a_batch_by_its_folder(world):
    assert walk(world, "--navigator", "random-walker", "r").exit_code == 0
    folder = world.parent / "out" / "r"
    next(folder.glob("*.trace.jsonl")).unlink()
    result = invoke("run", "--go-on", str(folder), "--format", "json")
    assert result.exit_code == 0, result.output
    assert last_line(result)["ended"] == {"done": 12}
    assert len(list(folder.glob("*.trace.jsonl"))) == 12
    missing = invoke("run", "--go-on", str(world))
    assert missing.exit_code == 2
    assert "holds no batch" in missing.stderr


@pytest.mark.parametrize("name", ["R2R_val_unseen.json", "first.json"])
def test_the_run_says_whether_it_used_learned_route_lengths(name, tmp_path):
    """An entry of R2R, in a house of ours that is called like one of R2R's."""
    house = SAMPLES / "house"
    (tmp_path / "connectivity").mkdir()
    graph = (house / "connectivity" / "NavVizHouse_connectivity.json").read_bytes()
    (tmp_path / "connectivity" / "QUCTc6BB5sX_connectivity.json").write_bytes(graph)
    entries = json.loads((house / "R2R_sample.json").read_text())[:2]
    entries[0]["scan"] = "QUCTc6BB5sX"
    (tmp_path / "connectivity" / "NavVizHouse_connectivity.json").write_bytes(graph)
    (tmp_path / name).write_text(json.dumps(entries))
    given = [
        "--navigator", "rules-indoors-map", "--episodes", str(tmp_path / name), "--graphs",
        str(tmp_path),
    ]  # fmt: skip
    given += ["--out", str(tmp_path / "out"), "r"]
    theirs = len(entries[0]["instructions"])
    count = theirs + len(entries[1]["instructions"])
    walked = invoke("run", *given)
    assert (
        f"length prior: used on {theirs} of {count} episodes (length_prior=auto)" in walked.stdout
    )
    assert "learned priors (R2R train)" in walked.stdout
    assert "navviz diagnose controls --navigator rules-indoors-map --episodes" in walked.stdout
    assert last_line(invoke("run", *given, "--format", "json"))["length_prior"] == {
        "used": theirs,
        "episodes": count,
    }
    headers = [read_trace(path).header for path in (tmp_path / "out" / "r").glob("*.trace.jsonl")]
    assert {header.settings["length_prior"] for header in headers} == {"auto"}
    used = {header.episode.world: header.resolved["length_prior"] for header in headers}
    assert used == {"QUCTc6BB5sX": "on", "NavVizHouse": "off"}


def test_a_navigator_that_learned_nothing_says_nothing_of_it(world):
    assert (
        "learned priors" not in walk(world, "--navigator", "random-walker", "--limit", "1").stdout
    )
