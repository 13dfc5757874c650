"""A system that `navviz new-system` began and a stranger filled, in commands and in the app."""

from __future__ import annotations

import difflib
import json
import os
import sys
from pathlib import Path

from navviz.cli.new_system import write_system
from navviz.records.trace_files import write_trace
from tests.paths import ROOT
from tests.thirdparty.site import BEACON
from tests.worlds import write_world
from tests.zygote import forked


def _navviz(site: Path, *arguments: str | Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(site)}
    command = [sys.executable, "-m", "navviz", *map(str, arguments)]
    done = forked(command, text=True, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


def test_it_was_filled_in_few_lines(tmp_path):
    begun = tmp_path / "navviz-beacon"
    write_system("beacon", begun)
    written = 0
    for path in BEACON.rglob("*.py"):
        template = begun / path.relative_to(BEACON)
        before = template.read_text().splitlines() if template.is_file() else []
        changes = difflib.ndiff(before, path.read_text().splitlines())
        written += sum(change.startswith("+ ") and change != "+ " for change in changes)
    assert (begun / "pyproject.toml").read_text() == (BEACON / "pyproject.toml").read_text()
    assert 60 < written < 120


def test_commands_use_all_that_it_brings(beacon, tmp_path):
    graph = write_world(tmp_path)
    episodes, replies, out = (
        tmp_path / "splits" / "tiny.json",
        tmp_path / "replies.json",
        tmp_path / "out",
    )
    replies.write_text(
        json.dumps([json.dumps({"go": go}) for go in ("s0", "x", "e0", "e1", "stop")])
    )
    given = ("--episodes", episodes, "--graphs", graph, "--format", "json")
    walk = (
        "--navigator",
        "beacon",
        "--llm",
        f"scripted:{replies}",
        "b",
        "--ids",
        "1",
        "--out",
        out,
    )
    walked = json.loads(_navviz(beacon, "run", *walk, *given).splitlines()[-1])
    assert (walked["SR"], walked["steps"]) == (1.0, 5.0)
    text = next((out / "b").glob("*.trace.jsonl")).read_text()
    assert "Way e1 leads to: Blue Door Café" in text
    assert '"columns":["way","degrees","landmarks"]' in text
    table = _navviz(beacon, "table", out / "b", "--graphs", graph, "--preset", "beacon")
    assert "lit_beacon" in table
    hits = _navviz(
        beacon, "diagnose", "scan", out / "b", "--graphs", graph, "--scanner", "dark-steps"
    )
    assert "No landmark is near." in hits
    log = tmp_path / "run.jsonl"
    log.write_text(_navviz(beacon, "export", out / "b", "--graphs", graph, "--format", "beacon"))
    assert json.loads(log.read_text()) == {"beacon": "1", "path": ["s1", "s0", "x", "e0", "e1"]}
    assert json.loads(_navviz(beacon, "score", log, *given))["SR"] == 1.0
    assert _navviz(beacon, "beacon-sights", graph, "e1").strip() == "Blue Door Café"


def test_its_log_shows_its_panel_in_the_player(beacon, tmp_path):
    import navviz

    graph = write_world(tmp_path)
    log = tmp_path / "run.jsonl"
    log.write_text(json.dumps({"beacon": "1", "path": ["s1", "s0", "x"]}))
    run = navviz.open_run(log, graphs=graph, episodes=tmp_path / "splits" / "tiny.json")
    page = navviz.replay(run, "1").html()
    assert "landmarks" in page


def test_its_metrics_stand_in_its_own_runs_alone(beacon, tmp_path, monkeypatch):
    import navviz
    from navviz.metrics import registry

    graph = write_world(tmp_path)
    log = tmp_path / "run.jsonl"
    log.write_text(json.dumps({"beacon": "1", "path": ["s1", "s0", "x"]}))
    episodes = tmp_path / "splits" / "tiny.json"
    of_beacon = registry.families()[-1]
    names = {metric.name for metric in of_beacon.METRICS}

    def scored(path: Path) -> tuple[navviz.OpenRun, set[str]]:
        run = navviz.open_run(path, graphs=graph, episodes=episodes)
        return run, names & set(run.scores.means) & set(run.table().columns)

    own, shown = scored(log)
    assert shown == names
    others = tmp_path / "others"
    others.mkdir()
    for key, trace in own.traces.items():
        header = trace.header.model_copy(update={"navigator": "rules"})
        write_trace(trace.model_copy(update={"header": header}), others / f"{key}.trace.jsonl")
    run, shown = scored(others)
    assert shown == set()
    assert not names & set(run.scores.rows["1"])
    # a family may ask for more
    monkeypatch.setattr(of_beacon, "_navigators", ("*",))
    assert names <= set(scored(others)[0].scores.means)
