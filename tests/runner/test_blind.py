"""Walks where nothing describes the views, and episodes of a scan that is not there."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from click.testing import Result

import navviz
from navviz.analysis.counterfactuals.walking import run_walker
from navviz.analysis.influence import walk_once
from navviz.analysis.report import report_document, report_markdown, report_of
from navviz.errors import InputError
from navviz.formats import open_episodes, open_graph
from navviz.records import EndStatus
from navviz.records.walker import is_blind
from navviz.runner.batches import Batch
from navviz.runner.episode import check_episode, walk_now
from navviz.runner.plan import RunTally
from navviz.runner.walk import Outcome
from navviz.runs.marks import counted_marks
from navviz.systems.base import INDOORS, Settings, declares_views, missing_views
from navviz.systems.registry import get_navigator, settings_from
from tests.command import invoke
from tests.fake_servers import FakeOpenAI
from tests.paths import SAMPLES

BLIND = "Blind: nothing described the views to the agent."
HOUSE = SAMPLES / "house"
AGENTS = ("navgpt", "msnav", "skillnav", "mgdm")


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """The sample house without what describes it."""
    folder = tmp_path_factory.mktemp("bare")
    (folder / "connectivity").mkdir()
    for name in ("NavVizHouse_connectivity.json", "scans.txt"):
        shutil.copy(HOUSE / "connectivity" / name, folder / "connectivity" / name)
    return folder


def options(navigator: str, graphs: Path, out: Path) -> list[str]:
    task = navigator == "mgdm"
    episodes = HOUSE / ("tasks/house_long_horizon.jsonl" if task else "R2R_sample.json")
    given = ["--navigator", navigator, "--episodes", str(episodes), "--graphs", str(graphs)]
    return [*given, "--limit", "2", "--out", str(out)]


@pytest.mark.parametrize("navigator", [*AGENTS, "staged(navgpt)"])
def test_a_run_that_would_be_blind_asks_nothing(bare, tmp_path, navigator):
    given = options(navigator, bare / "connectivity", tmp_path)
    with FakeOpenAI() as server:
        done = invoke("run", "dark", *given, "--llm", f"openai:m@{server.url}")
        assert server.requests == []
    assert done.exit_code == 2
    said = " ".join(done.stderr.split())
    agent = navigator.removeprefix("staged(").removesuffix(")")
    assert f"{agent}" in said
    assert "would walk blind, since house NavVizHouse is not described" in said
    assert "put NavGPT's observations_list_summarized there (navviz fetch navgpt-text)" in said
    assert "--blind" in said
    assert not list(tmp_path.rglob("*.trace.jsonl"))


@pytest.fixture(scope="module")
def dark(bare, tmp_path_factory):
    """A blind run."""
    folder = tmp_path_factory.mktemp("dark")
    with FakeOpenAI() as server:
        model = f"openai:m@{server.url}"
        given = options("navgpt", bare / "connectivity", folder)
        done = invoke("run", "dark", *given, "--llm", model, "--blind", "--format", "json")
        assert server.requests
    marks = json.loads(done.stdout)["marks"]
    assert [mark["sentence"] for mark in marks] == [BLIND]
    return folder / "dark"


def test_a_blind_run_is_marked_wherever_it_is_shown(dark):
    run = navviz.open_run(dark)
    assert [mark.label for mark in run.marks] == ["blind"]
    assert BLIND in run._repr_html_()
    assert run.table().attrs["marks"][0]["id"] == "blind"
    scored = json.loads(invoke("score", str(dark), "--format", "json").stdout)
    assert [mark["id"] for mark in scored["marks"]] == ["blind"]
    for command in (("score",), ("table",)):
        assert BLIND in " ".join(invoke(*command, str(dark)).stdout.split())
    other = str(HOUSE / "runs" / "navgpt-by-hand")
    assert BLIND in invoke("compare", str(dark), other).stdout
    report = report_of("dark", run)
    assert report_document(report)["marks"][0]["sentence"] == BLIND
    assert f"**{BLIND}**" in report_markdown(report)


def test_a_blind_walk_says_so_in_its_replay_and_site(dark, tmp_path):
    run = navviz.open_run(dark)
    key = next(iter(run.traces))
    assert BLIND in navviz.replay(run, key).html()
    assert invoke("publish", str(dark), "--out", str(tmp_path / "site")).exit_code == 0
    badge = (tmp_path / "site" / "badge.svg").read_text()
    assert "SR: 0.0 % · n = 2 · blind" in badge


def test_a_described_house_is_never_blind(tmp_path):
    with FakeOpenAI() as server:
        given = options("navgpt", HOUSE / "connectivity", tmp_path)
        invoke("run", "seen", *given, "--llm", f"openai:m@{server.url}", "--blind")
    run = navviz.open_run(tmp_path / "seen")
    assert run.marks == ()
    assert not any(is_blind(trace.header) for trace in run.traces.values())


@pytest.mark.parametrize("agent", AGENTS)
def test_what_an_agent_needs_is_known_of_a_world(bare, agent):
    navigator = get_navigator(agent)
    settings = settings_from(navigator)
    assert declares_views(navigator)
    assert missing_views(navigator, open_graph(HOUSE / "connectivity"), settings) is None
    assert missing_views(navigator, open_graph(bare / "connectivity"), settings) is not None


def test_geometry_alone_is_blind_by_choice(house):
    navigator = get_navigator("msnav")
    missing = missing_views(navigator, house, settings_from(navigator, {"views": "geometry"}))
    assert missing is not None
    assert missing.what == "views=geometry tells directions alone"


def test_rules_need_nothing(bare):
    episode = open_episodes(HOUSE / "R2R_sample.json").episodes["101_0"]
    navigator = get_navigator("rules-indoors")
    trace = walk_now(
        navigator, settings_from(navigator), episode, open_graph(bare / "connectivity")
    )
    assert trace.end is not None
    assert trace.end.status != "error"


class Stranger:
    """A navigator of another package, which declares its need in one line."""

    name: ClassVar[str] = "stranger"
    summary: ClassVar[str] = "Looks."
    needs_model: ClassVar[bool] = False
    frames: ClassVar = INDOORS
    settings_type: ClassVar = Settings
    needs_views: ClassVar = ("objects",)

    def navigate(self, episode, graph, llm, settings, past=None):
        raise AssertionError("it walked")
        yield


def test_a_stranger_declares_its_need(bare):
    episode = open_episodes(HOUSE / "R2R_sample.json").episodes["101_0"]
    graph = open_graph(bare / "connectivity")
    with pytest.raises(InputError, match="no list of the objects near them"):
        check_episode(Stranger(), episode, graph, Settings())
    check_episode(Stranger(), episode, graph, Settings(blind=True))
    with pytest.raises(InputError, match="would walk blind"):
        walk_once(Stranger(), episode, graph, None, Settings())


def test_the_setting_is_written_only_where_it_is_on():
    navigator = get_navigator("navgpt")
    assert "blind" not in settings_from(navigator).model_dump()
    assert settings_from(navigator, {"blind": True}).model_dump()["blind"] is True


def test_repairs_of_a_blind_run_walk_blind_where_they_may(dark, tmp_path):
    """The run's own settings are not taken for the user's word."""
    given = ["repair", str(dark), "--kind", "take_link", "--limit", "1", "--yes"]
    with FakeOpenAI() as server:
        done = invoke(*given, "--llm", f"openai:m@{server.url}", "--out", str(tmp_path), "--blind")
    assert "would walk blind" not in done.stderr
    assert "--blind" in invoke("repair", "--help").stdout
    run = navviz.open_run(dark)
    assert run_walker(run, llm=_Named(run), blind=True).settings.blind is True


class _Named:
    def __init__(self, run: navviz.OpenRun) -> None:
        self.name = next(iter(run.traces.values())).header.model

    def stream(self, _request, _cancel=None):
        raise AssertionError("it was asked")


def test_influence_of_a_blind_walk_says_so(dark):
    given = ["diagnose", "influence", str(dark), "101_0", "--navigator", "navgpt", "--yes"]
    with FakeOpenAI() as server:
        model = f"openai:m@{server.url}"
        done = invoke(*given, "--llm", model, "--blind", "--format", "json")
    records = json.loads(done.stdout)
    assert BLIND in done.stderr
    assert {record["marks"] for record in records} == {BLIND}


def test_the_outcome_of_a_batch_counts_blind_walks_and_silence():
    outcome = Outcome("1", Path("1"), EndStatus.ERROR, unanswered=True, blind=True)
    tally = RunTally(run="b", total=2).plus(outcome).plus(replace(outcome, unanswered=False))
    assert (tally.unanswered, tally.blind) == (1, 2)
    marks = counted_marks(tally.done, tally.unanswered, tally.blind)
    assert [mark.label for mark in marks] == ["1 without an answer", "blind"]


@pytest.fixture
def entries():
    found: list[dict[str, Any]] = json.loads((HOUSE / "R2R_sample.json").read_text())
    return found


def walk(tmp_path: Path, items: list[dict[str, Any]], *more: str, graphs: Path = HOUSE) -> Result:
    (tmp_path / "e.json").write_text(json.dumps(items))
    given = [
        "--navigator", "random-walker-indoors", "--episodes", str(tmp_path / "e.json"), "--graphs",
        str(graphs),
    ]  # fmt: skip
    return invoke("run", *given, "--out", str(tmp_path / "out"), "r", *more)


def moved(entry: dict[str, Any], scan: str) -> dict[str, Any]:
    """The entry in another house, with viewpoints of its own."""
    return entry | {"scan": scan, "path": [f"{scan}-{node}" for node in entry["path"]]}


def count_of(items: list[dict[str, Any]]) -> int:
    return sum(len(entry["instructions"]) for entry in items)


def test_nothing_is_walked_where_no_scan_is_there(entries, tmp_path):
    items = [moved(entry, "QUCTc6BB5sX") for entry in entries[:2]]
    result = walk(tmp_path, items, "--workers", "2")
    assert result.exit_code == 2
    assert result.stdout == ""
    count = count_of(items)
    assert (
        f"scan QUCTc6BB5sX not found ({count} episodes), so {count} of {count} episodes cannot be walked"
        in result.stderr
    )
    assert "put QUCTc6BB5sX_connectivity.json into the connectivity folder" in result.stderr
    assert "no results" not in result.stderr
    assert "━" not in result.output, "no bar is drawn"
    assert not (tmp_path / "out" / "r" / "run.json").exists()


def test_the_others_are_walked_and_the_missing_counted(entries, tmp_path):
    gone = [moved(entries[0], "QUCTc6BB5sX"), moved(entries[1], "TbHJrupSAjP")]
    result = walk(tmp_path, [*gone, *entries[2:4]], "--format", "json", "--samples", "2")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout.splitlines()[-1])
    missing, there = count_of(gone), count_of(entries[2:4])
    assert document["missing"] == {"episodes": missing, "worlds": ["QUCTc6BB5sX", "TbHJrupSAjP"]}
    assert (document["episodes"], document["walked"]) == (there, there)
    first, bar = result.stderr.index("scan QUCTc6BB5sX not found"), result.stderr.index("━")
    assert first < bar, "it is told before anything is walked"
    assert f"so {missing} of {missing + there} episodes cannot be walked" in result.stderr
    assert "SCAN_connectivity.json of each" in result.stderr
    state = Batch.at(tmp_path / "out" / "r").status()
    assert state.name == "done"
    assert "scan QUCTc6BB5sX not found" in (state.reason or "")
    assert [tally.total for tally in state.state.tallies] == [there, there]
    assert (
        f"{missing} more were not walked"
        in walk(tmp_path, [*gone, *entries[2:4]], "--samples", "2").stdout
    )


def test_many_missing_scans_are_counted(entries, tmp_path):
    result = walk(
        tmp_path, [moved(entries[0] | {"path_id": number}, f"scan{number}") for number in range(9)]
    )
    assert result.stderr.count("not found (") == 5
    assert "and 4 more scans, so" in result.stderr


def test_streets_need_no_name(tmp_path):
    given = [
        "--navigator",
        "random-walker",
        "--episodes",
        str(SAMPLES / "harbour/splits/sample.json"),
    ]
    given += [
        "--graphs",
        str(SAMPLES / "harbour"),
        "--out",
        str(tmp_path),
        "--limit",
        "1",
        "--format",
        "json",
    ]
    result = invoke("run", *given)
    assert result.exit_code == 0
    assert "missing" not in json.loads(result.stdout.splitlines()[-1])


def test_a_damaged_scan_is_told_and_the_run_ends_with_a_sentence(entries, tmp_path):
    (tmp_path / "connectivity").mkdir()
    (tmp_path / "connectivity" / "NavVizHouse_connectivity.json").write_text("[1, 2")
    (tmp_path / "connectivity" / "Other_connectivity.json").write_text("[]")
    result = walk(tmp_path, entries[:1], graphs=tmp_path)
    assert "NavVizHouse_connectivity.json" in result.stderr
    assert "no results" not in result.output
