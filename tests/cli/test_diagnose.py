"""``navviz diagnose``: influence, stability, verify and scan on sample runs."""

from __future__ import annotations

import json
import shutil
from functools import partial

from navviz.analysis.influence import ChangeEffect
from navviz.annotation.store import AnnotationStore, database_url
from navviz.cli import influence
from navviz.metrics.intervals import Interval
from tests.command import invoke
from tests.paths import SAMPLES

RUN = str(SAMPLES / "harbour" / "runs" / "rules")


call = partial(invoke, "diagnose", "influence")


def test_means_stand_with_their_intervals():
    other, success = Interval(0.4, 0.25, 0.55, 9), Interval(-0.125, -0.5, 0.0, 9)
    line = influence._mean_line(ChangeEffect("side", 20, 9, other, success, None))
    assert line == (
        "side: 20 variants in 9 episodes; other walk 40 % [25, 55]; success -12.5 points [-50.0,"
        " +0.0]; navigation error –"
    )


def test_a_model_is_asked_for_first(tmp_path):
    script = tmp_path / "script.json"
    script.write_text("[]")
    given = (RUN, "1", "--navigator", "groke", "--llm", f"scripted:{script}")
    result = call(*given, typed="n\n")
    assert result.exit_code == 1
    assert "walks, at a cost that this run does not state. Go on?" in result.output
    assert call(RUN, "1", "--navigator", "groke").exit_code == 2


RUNS = SAMPLES / "harbour" / "runs"


call_stability = partial(invoke, "diagnose", "stability")


def test_samples_lie_beside_their_run(tmp_path):
    shutil.copytree(RUNS / "rules", tmp_path / "mine")
    shutil.copytree(RUNS / "rules-local", tmp_path / "mine-sample-2")
    graphs = ("--graphs", str(SAMPLES / "harbour" / "osm" / "graph"))
    result = call_stability(str(tmp_path / "mine"), *graphs)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("14 episodes, 2 runs: links in common ")
    assert "(means with 95 % intervals over episodes)" in result.stdout.splitlines()[0]
    assert result.stdout.splitlines()[0].count(" % [") == 3
    row = json.loads(call_stability(str(tmp_path / "mine"), *graphs, "--format", "json").stdout)[0]
    assert row["walks"] == 2
    assert 0 <= row["overlap"] <= 1


GROKE = SAMPLES / "harbour" / "runs" / "groke-by-hand"
GRAPHS = ("--graphs", str(SAMPLES / "harbour" / "osm" / "graph"))


call_verify = partial(invoke, "diagnose", "verify")


def test_a_changed_prompt_is_named_and_fails(tmp_path):
    run = tmp_path / "mine"
    shutil.copytree(GROKE, run)
    file = min(run.glob("*.trace.jsonl"))
    file.write_text(file.read_text().replace("Current sub-goal", "Present sub-goal"))
    result = call_verify(str(run), *GRAPHS)
    assert result.exit_code == 1
    assert "differs: step 1, prompt: recorded 'user: " in result.stdout
    assert result.stdout.endswith("reproduces 9 of 10\n")


RUN_SCAN = str(SAMPLES / "harbour" / "runs" / "rules-local")


call_scan = partial(invoke, "diagnose", "scan")


def test_a_model_fills_the_taxonomy(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    script = tmp_path / "script.json"
    script.write_text(
        json.dumps(
            {"replies": [json.dumps({"labels": [{"code": "E1.1", "step": 1}]})], "loop": True}
        )
    )
    result = call_scan(RUN_SCAN, "--llm", f"scripted:{script}", "--limit", "2", "--keep")
    assert result.exit_code == 0, result.output
    assert len(result.stdout.splitlines()) == 2
    assert "E1.1 Execution / Turning / Wrong way out" in result.stdout
    assert "No annotator has labelled these walks" in result.stderr
    store = AnnotationStore(database_url(tmp_path))
    kept = store.study().ratings("failure")
    store.close()
    assert [rating.annotator for rating in kept] == [
        "model scripted-" + kept[0].annotator.partition("scripted-")[2]
    ] * 2


def test_controls_name_a_scan_that_is_not_there(tmp_path):
    house = SAMPLES / "house"
    entry = json.loads((house / "R2R_sample.json").read_text())[0]
    entry |= {"scan": "QUCTc6BB5sX", "path": ["a", "b"]}
    (tmp_path / "e.json").write_text(json.dumps([entry]))
    given = ("--navigator", "rules-indoors", "--episodes", tmp_path / "e.json", "--graphs", house)
    result = invoke("diagnose", "controls", *given)
    assert result.exit_code == 2
    assert "scan QUCTc6BB5sX not found" in result.stderr
