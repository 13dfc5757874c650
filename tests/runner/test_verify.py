"""Traces walked again with their recorded replies, and what a run was made of."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import navviz
from navviz.errors import InputError
from navviz.llm.scripted import Scripted
from navviz.records import Step, Trace
from navviz.records.trace_files import Folder, read_trace, unfold
from navviz.runner import RunConfig, read_config, write_config
from navviz.runner import config as hashes
from navviz.runner.config import MOST_BYTES, file_hash, file_hashes
from navviz.runner.episode import walk_now
from navviz.runner.fork import fork
from navviz.runner.provenance import provenance_of
from navviz.runner.verify import Verdict, Verification, verify_run, verify_trace
from navviz.runs.opened import open_run
from navviz.systems.registry import get_navigator, settings_from
from tests.command import invoke
from tests.fake_servers import Answer, FakeGemini, FakeOpenAI, Recorded
from tests.nights import by_day
from tests.paths import SAMPLES

RUNS = [
    "harbour/runs/groke-by-hand", "harbour/runs/random-walker", "harbour/runs/rules",
    "harbour/runs/staged-rules", "house/runs/mgdm-scripted", "house/runs/msnav-by-hand",
    "house/runs/navgpt-by-hand", "house/runs/rules-indoors", "house/runs/skillnav-by-hand",
]  # fmt: skip


@pytest.fixture(scope="module")
def groke():
    return open_run(SAMPLES / "harbour/runs/groke-by-hand")


@pytest.fixture(scope="module")
def old(groke):
    """A walk with a plan and at least three steps."""
    return next(trace for trace in groke.traces.values() if len(trace.steps) >= 3)


def changed(trace: Trace, place: int, **update: object) -> Trace:
    steps = list(trace.steps)
    steps[place] = steps[place].model_copy(update=update)
    return trace.model_copy(update={"steps": tuple(steps)})


def with_prompt(step: Step, old: str, new: str) -> tuple[object, ...]:
    call = step.calls[0]
    messages = tuple(
        one.model_copy(update={"text": one.text.replace(old, new)}) for one in call.messages
    )
    assert messages != call.messages
    return (call.model_copy(update={"messages": messages}),)


@pytest.mark.parametrize("name", RUNS)
def test_every_sample_run_reproduces(name):
    run = open_run(SAMPLES / name)
    verification = Verification(tuple(verify_run(run.traces, run.graph, run.source.results)))
    assert verification.reproduces, [
        one.sentence for one in verification.verdicts if one.state != "reproduces"
    ]
    assert verification.sentence == f"reproduces {len(run)} of {len(run)}"
    assert sum(one.calls for one in verification.verdicts) == sum(
        len(trace.calls) for trace in run.traces.values()
    )


def test_the_first_other_prompt_is_named(groke, old):
    calls = with_prompt(old.steps[1], "Current sub-goal", "Present sub-goal")
    verdict = verify_trace(changed(old, 1, calls=calls), groke.graph(old.episode.id))
    assert (verdict.state, verdict.calls) == ("differs", len(old.plan_calls) + 1)
    assert verdict.difference is not None
    assert (verdict.difference.step, verdict.difference.field) == (2, "prompt")
    assert "Present sub-goal" in verdict.difference.recorded
    assert "Current sub-goal" in verdict.difference.walked


def test_another_reply_is_another_walk(groke, old):
    call = old.steps[0].calls[0].model_copy(update={"reply": "I would rather not say."})
    verdict = verify_trace(changed(old, 0, calls=(call,)), groke.graph(old.episode.id))
    assert verdict.difference is not None
    assert (verdict.difference.step, verdict.difference.field) == (1, "decision")


def test_another_path_is_named(groke, old):
    verdict = verify_trace(changed(old, 0, path=old.steps[0].path[:1]), groke.graph(old.episode.id))
    assert verdict.difference is not None
    assert (verdict.difference.step, verdict.difference.field) == (1, "path")


def test_replies_that_are_left_or_lacking_are_named(groke, old):
    graph = groke.graph(old.episode.id)
    more = changed(old, -1, calls=(*old.steps[-1].calls, old.steps[-1].calls[0]))
    left = verify_trace(more, graph).difference
    assert left is not None
    assert (left.field, left.recorded) == ("calls", "1 more replies")
    short = old.model_copy(update={"steps": old.steps[:-1]})
    lacking = verify_trace(short, graph).difference
    assert lacking is not None
    assert (lacking.field, lacking.walked) == ("calls", "asks once more")


def test_a_walk_that_was_stopped_reproduces_as_far_as_it_went(groke, old):
    assert old.end is not None
    end = old.end.model_copy(update={"status": "stopped"})
    stopped = old.model_copy(update={"steps": old.steps[:-1], "end": end})
    verdict = verify_trace(stopped, groke.graph(old.episode.id))
    assert (verdict.state, verdict.reason) == (
        "reproduces",
        "as far as it went (the walk ended: stopped)",
    )


def test_a_fork_is_walked_from_where_it_begins(groke, old):
    graph, made = groke.graph(old.episode.id), fork(old, 2)
    assert made.past is not None
    walker = get_navigator("groke")
    replies = Scripted([call.reply or "" for step in old.steps[1:] for call in step.calls])
    folder = Folder()
    for event in unfold(made.past):
        folder.add(event)
    for event in walker.navigate(
        made.episode, graph, replies, settings_from(walker, old.header.settings), made.past
    ):
        folder.add(event)
    header = old.header.model_copy(update={"forked_from": made.origin})
    forked = folder.trace.model_copy(update={"header": header})
    verdict = verify_trace(forked, graph)
    assert (verdict.state, verdict.calls) == ("reproduces", len(old.steps) - 1), verdict.sentence
    other = changed(forked, 2, path=())
    assert verify_trace(other, graph).state == "differs"


def test_what_cannot_be_walked_here_is_counted_apart(groke, old):
    graph = groke.graph(old.episode.id)

    def verdict(**header: object) -> Verdict:
        return verify_trace(
            old.model_copy(update={"header": old.header.model_copy(update=header)}), graph
        )

    assert "no navigator 'gone'" in (verdict(navigator="gone").reason or "")
    assert verdict(navigator="human").reason == "a person walked"
    assert "log of another project" in (verdict(source="x.json").reason or "")
    assert "Settings of groke: no_such" in (verdict(settings={"no_such": 1}).reason or "")
    bare = old.model_copy(
        update={
            "plan_calls": (),
            "steps": tuple(step.model_copy(update={"calls": ()}) for step in old.steps),
        }
    )
    silent = verify_trace(bare, graph)
    assert (silent.state, silent.reason) == ("not walked", "the trace holds no recorded replies")

    def lost(key: str) -> object:
        raise InputError("graph not found", "choose its folder", episode=key)

    [missing] = verify_run({old.episode.id: old}, lost)  # type: ignore[arg-type]
    assert missing.state == "not walked"
    both = Verification((silent, verify_trace(old, graph)))
    assert both.sentence == "reproduces 1 of 1; 1 cannot be walked here"
    assert not both.reproduces


def test_a_walk_of_another_seed_is_another_walk(groke, old):
    walker = get_navigator("random-walker")
    graph = groke.graph(old.episode.id)
    walks = [
        walk_now(walker, settings_from(walker, {"seed": seed}), old.episode, graph)
        for seed in range(5)
    ]
    assert all(verify_trace(walk, graph).state == "reproduces" for walk in walks)
    other = next(walk for walk in walks if walk.path != walks[0].path)
    mixed = other.model_copy(update={"header": walks[0].header})
    assert verify_trace(mixed, graph).state == "differs"


@pytest.mark.nightly
@pytest.mark.data
def test_published_step_logs_reproduce_but_for_what_was_chance(data_dir):
    """Reads GROKE's 576 prompts; each walk that differs does so by chance.

    The authors list landmarks, POIs and links in an order that is chance (2 episodes are the same
    to the letter), and where two landmarks want the same letter, it is chance which one gets it
    (3). Their loop ends where a reply names the place where the agent stands, and so does ours as
    published (10 episodes).
    """
    results = data_dir / "groke" / "paper_results" / "ablation_study_json"
    run = open_run(results, graphs=data_dir / "map2seq")
    verdicts = tuple(verify_run(run.traces, run.graph, run.source.results))
    counts = Counter(
        (one.state, one.difference.field if one.difference is not None else None)
        for one in verdicts
    )
    assert counts == {("reproduces", None): 2, ("other order", None): 95, ("differs", "prompt"): 3}
    other = [
        one.difference
        for one in verdicts
        if one.difference is not None and one.difference.field == "prompt"
    ]
    assert all("poi_legend" in one.recorded and "poi_legend" in one.walked for one in other)


@pytest.mark.nightly
@pytest.mark.data
def test_logs_whose_maps_we_write_in_other_words_are_counted_apart(data_dir):
    results = (
        data_dir
        / "groke"
        / "paper_results"
        / "ablation_study_representation"
        / "step1_textual.jsonl"
    )
    run = open_run(results, graphs=data_dir / "map2seq")
    verdicts = tuple(verify_run(run.traces, run.graph, run.source.results))
    assert {(one.state, one.reason) for one in verdicts} == {
        (
            "not walked",
            "NavViz writes the map in the format textual in words of its own, not in those of the log",
        )
    }


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


HARBOUR = SAMPLES / "harbour"


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def copied(tmp_path: Path) -> tuple[Path, Path]:
    """A run with its graph, begun here."""
    graph, run = tmp_path / "graph", tmp_path / "mine"
    shutil.copytree(HARBOUR / "osm" / "graph", graph)
    shutil.copytree(HARBOUR / "runs" / "rules", run)
    (run / "run.json").unlink(missing_ok=True)
    write_config(run, RunConfig(run="mine", navigator="rules", graphs=(str(graph),)))
    return graph, run


def test_versions_and_hashes_are_noted_when_a_run_begins(tmp_path):
    graph, run = copied(tmp_path)
    config = read_config(run)
    assert config is not None
    assert config.package_version == navviz.__version__
    assert config.data_sha256 == {str(path): sha256(path) for path in sorted(graph.iterdir())}


def test_a_file_that_changed_since_is_named(tmp_path):
    graph, run = copied(tmp_path)
    provenance = provenance_of(open_run(run, graphs=graph))
    assert provenance.changed == ()
    assert {file.role for file in provenance.files} == {"graph", "results"}
    assert provenance.navigators == {"rules": provenance.episodes}
    changed = graph / "pois.txt"
    changed.write_text(changed.read_text() + "\n")
    assert [file.path for file in provenance_of(open_run(run, graphs=graph)).changed] == [
        str(changed)
    ]


def test_a_file_is_read_again_when_it_changes(tmp_path):
    path = tmp_path / "x"
    path.write_text("one")
    assert file_hash(path) == sha256(path)
    path.write_text("two")
    os.utime(path, ns=(1, 1))
    assert file_hash(path) == sha256(path)


def test_what_is_gone_or_very_large_has_no_hash(tmp_path):
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    assert file_hashes([large, tmp_path / "gone"]) == {str(large): None}
    assert file_hash(tmp_path / "gone") is None


def test_a_data_set_named_by_its_folder_has_its_graph_hashed():
    """Map2Seq keeps its graph three levels deep: ``osm/graph/nodes.txt``."""
    nodes = HARBOUR / "osm" / "graph" / "nodes.txt"
    assert file_hashes([HARBOUR])[str(nodes)] == sha256(nodes)


def test_no_more_is_read_than_is_cheap(tmp_path, monkeypatch):
    for name in "abc":
        (tmp_path / name).write_text("four")
    monkeypatch.setattr(hashes, "MOST_TOGETHER", 9)
    result = file_hashes([tmp_path])
    assert [Path(path).name for path, digest in result.items() if digest is not None] == ["a", "b"]
    assert len(result) == 3


def test_the_command_tells_it(tmp_path):
    graph, run = copied(tmp_path)
    requests = ["data", "check", "--provenance", str(run), "--graphs", str(graph)]
    called = invoke(*requests, "--format", "json")
    assert called.exit_code == 0, (called.output, called.exception)
    document = json.loads(called.stdout)
    assert document["figures"] == dict(open_run(run, graphs=graph).scores.means)
    nodes = graph / "nodes.txt"
    assert {
        "role": "graph",
        "path": str(nodes),
        "sha256": sha256(nodes),
        "noted": sha256(nodes),
    } in document["files"]
    nodes.write_text(nodes.read_text() + "\n")
    lines = invoke(*requests).stdout.splitlines()
    assert [line for line in lines if "CHANGED" in line] == [
        f"graph       {sha256(nodes)}  {nodes}  CHANGED since the run began"
    ]
    assert "navigator   rules" in lines
