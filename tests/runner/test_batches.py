"""A batch as an object on disk: walked by a process of its own, paused, stopped, found again, gone
on with.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from navviz.errors import InputError, SettingsError
from navviz.formats import open_episodes
from navviz.llm.scripted import Scripted
from navviz.records.trace_files import read_trace
from navviz.runner import engine
from navviz.runner.batches import Batch, all_batches, check_name, free_name
from navviz.runner.plan import BatchPlan, BatchState, Estimate, estimate
from navviz.runner.walk import Outcome
from navviz.runner.walking import pilot_of, walk_batch
from tests.fake_servers import FakeOpenAI
from tests.paths import SAMPLES
from tests.worlds import write_world
from tests.zygote import Forked

USAGE = {"prompt_tokens": 100, "output_tokens": 10, "thoughts_tokens": 5}
PLAN = {
    "landmarks": [],
    "sub_goals": [{"action": "MOVE_FORWARD", "description": "Move on", "status": "TODO"}],
}


@pytest.fixture
def world(tmp_path, monkeypatch):
    """A tiny world with eight episodes, and a workspace of the test's own."""
    write_world(tmp_path / "world")
    split = tmp_path / "world" / "splits" / "tiny.json"
    [entry] = json.loads(split.read_text())
    split.write_text(json.dumps([entry | {"instructions_id": number} for number in range(1, 9)]))
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path / "workspace"))
    return tmp_path / "world"


@pytest.fixture
def forks(monkeypatch):
    """Processes of batches are forked; `test_the_process_is_killed_and_another_goes_on` starts one
    as users do.
    """
    monkeypatch.setattr(subprocess, "Popen", Forked)


def script(folder: Path, seconds: float = 0.0) -> str:
    """A model whose every reply completes the sub-goal, slowly."""
    replies = [PLAN, {"subplan_status": "COMPLETED", "next_place": "x"}]
    result = [
        {"reply": json.dumps(reply), "seconds": seconds, "usage": USAGE, "cost_usd": 0.01}
        for reply in replies
    ]
    path = folder / "script.json"
    path.write_text(json.dumps({"replies": result, "loop": True}))
    return f"scripted:{path}"


def made(world: Path, run: str = "r", **more: Any) -> Batch:
    episodes = list(open_episodes(world / "splits" / "tiny.json").episodes.values())
    graphs = (str(world / "osm" / "graph"),)
    fields = {"navigator": "random-walker", "run": run, "graphs": graphs} | more
    return Batch(world.parent / "workspace" / "runs", BatchPlan(**fields), episodes)


def until(holds: Callable[[], bool], what: str) -> None:
    for _ in range(600):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError(f"never: {what}")


def stamps(batch: Batch) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in batch.folder.glob("*.trace.jsonl")}


def finished(batch: Batch) -> set[str]:
    return {
        path.name
        for path in batch.folder.glob("*.trace.jsonl")
        if '"status":"done"' in path.read_text()
    }


def test_a_batch_is_walked_told_and_found_again(world):
    batch = made(world)
    walked = walk_batch(batch)
    assert walked.state.state == "done"
    [tally] = walked.state.tallies
    assert (tally.kind, tally.done, tally.total, tally.judged, tally.errors) == (
        "first",
        8,
        8,
        8,
        0,
    )
    assert tally.success_rate == walked.scores["r"].means["SR"]
    [again] = all_batches()
    assert (again.name, again.status().name) == ("r", "done")
    assert [episode.id for episode in again.episodes] == [str(number) for number in range(1, 9)]
    before = stamps(batch)
    more = walk_batch(again)
    assert stamps(batch) == before  # nothing is walked twice
    assert more.state.tallies == walked.state.tallies
    assert more.state.walked == 0


def test_figures_of_finished_walks_do_not_need_the_journal(world):
    batch = made(world, navigator="groke", model=script(world))
    first = walk_batch(batch).state.tallies
    batch.control("outcomes.jsonl").unlink()
    assert walk_batch(batch).state.tallies == first
    assert first[0].calls == 16
    assert first[0].cost_usd == pytest.approx(0.16)


def test_every_model_that_a_batch_makes_is_closed(world, monkeypatch):
    opened: list[object] = []
    closed: list[object] = []

    class Closing(Scripted):
        def close(self) -> None:
            closed.append(self)

    def make(*_: object, **__: object) -> Closing:
        model = Closing([json.dumps(PLAN)], loop=True)
        opened.append(model)
        return model

    monkeypatch.setattr(engine, "make_model", make)
    walk_batch(made(world, navigator="groke", model="scripted:none.json"))
    assert opened
    assert closed == opened


@pytest.mark.usefixtures("forks")
@pytest.mark.parametrize("wish", ["pause", "stop"])
def test_pause_and_stop_reach_the_process(world, wish):
    batch = made(world, navigator="groke", model=script(world, seconds=0.2))
    batch.start()
    until(lambda: len(finished(batch)) >= 1, "one episode done")
    batch.ask(wish)
    until(lambda: not batch.status().busy, "halted")
    assert batch.status().name == {"pause": "paused", "stop": "stopped"}[wish]
    cut = [path for path in batch.folder.glob("*.trace.jsonl") if path.name not in finished(batch)]
    assert len(cut) <= (0 if wish == "pause" else 1)
    assert len(finished(batch)) < 8
    batch.start()
    until(lambda: batch.status().name == "done", "done")
    assert len(finished(batch)) == 8


@pytest.mark.usefixtures("forks")
def test_a_process_that_cannot_begin_says_why(world):
    batch = made(world, navigator="groke", model="scripted:/nowhere.json")
    batch.start()
    until(lambda: not batch.status().busy, "ended")
    assert batch.status().name == "failed"
    assert "nowhere.json: cannot be opened" in (batch.status().reason or "")


def test_a_budget_ends_a_batch_and_a_larger_one_goes_on(world):
    model = script(world)
    walked = walk_batch(made(world, navigator="groke", model=model, budget_usd=0.05))
    assert walked.state.state == "budget"
    assert "used up" in (walked.state.reason or "")
    assert walked.state.tallies[0].done == 2
    assert (
        walk_batch(made(world, navigator="groke", model=model, budget_usd=1.0)).state.state
        == "done"
    )


def test_a_pilot_is_a_part_of_the_batch_and_tells_what_the_rest_costs(world):
    batch = made(world, navigator="groke", model=script(world))
    walked = walk_batch(batch, pilot=3)
    assert walked.state.state == "estimated"
    made_of = walked.state.estimate
    assert made_of is not None
    assert (made_of.pilot, made_of.rest) == (3, 5)
    assert (made_of.tokens, made_of.usd) == (5 * 2 * 115, pytest.approx(5 * 0.02))
    before = stamps(batch)
    assert len(before) == 3
    assert walk_batch(batch).state.state == "done"
    assert before.items() <= stamps(batch).items()


def test_one_walk_gives_no_limits():
    one = Estimate(pilot=1, rest=4, tokens=400, tokens_low=0, tokens_high=400, usd=0.5)
    assert one.cost_words == "$0.50, 400 tokens (one walk gives no limits)"
    two = one.model_copy(update={"pilot": 2, "usd_low": 0.25, "usd_high": 0.75, "tokens_low": 200})
    assert two.cost_words == "$0.50 ($0.25 to $0.75), 400 tokens (200 to 400)"


def test_where_nothing_costs_no_pilot_is_walked(world):
    assert walk_batch(made(world), pilot=3).state.tallies[0].done == 8


def test_a_pilot_is_drawn_from_all_episodes(world):
    episodes = made(world).episodes
    drawn = pilot_of(episodes, 3)
    assert drawn == pilot_of(episodes, 3)
    assert drawn != episodes[:3]
    assert pilot_of(episodes, 9) == episodes


def _outcome(tokens: int, cost_usd: float, unpriced: int = 0) -> Outcome:
    return Outcome(
        "1", Path(), "done", tokens=tokens, cost_usd=cost_usd, unpriced=unpriced, seconds=6.0
    )


def test_an_estimate_by_hand():
    made_of = estimate([_outcome(90, 1.0), _outcome(110, 1.0)], 10, workers=3)
    # s^2 = 200, t(0.975, 1) = 12.7062: 12.7062 * sqrt(200 * (10 + 100 / 2)) = 1391.9
    assert made_of.tokens == 1000
    assert made_of.tokens_low == 0
    assert made_of.tokens_high == pytest.approx(1000 + 1391.9, abs=0.1)
    assert (made_of.usd, made_of.usd_low, made_of.usd_high) == (10, 10, 10)
    assert made_of.seconds == 20
    unpriced = estimate([_outcome(90, 0.0, unpriced=1)], 10, workers=1)
    assert isinstance(unpriced, Estimate)
    assert (unpriced.usd, unpriced.tokens) == (None, 900)


def test_samples_are_runs_of_their_own(world):
    batch = made(world, samples=3)
    walked = walk_batch(batch)
    assert list(walked.scores) == ["r", "r-sample-2", "r-sample-3"]
    assert [tally.kind for tally in walked.state.tallies] == ["first", "sample", "sample"]
    assert walked.state.tallies[0].done == 8  # the first tries hold no other sample
    headers = [
        read_trace(next((batch.root / run).glob("*.trace.jsonl"))).header for run in batch.runs()
    ]
    assert [header.run for header in headers] == batch.runs()
    assert [header.settings["seed"] for header in headers] == [0, 1, 2]
    paths = {
        run: [read_trace(p).path for p in sorted((batch.root / run).glob("*.trace.jsonl"))]
        for run in batch.runs()
    }
    assert paths["r"] != paths["r-sample-2"]


def test_samples_of_a_navigator_that_never_varies_are_refused(world):
    with pytest.raises(SettingsError, match="same way each time"):
        walk_batch(made(world, navigator="rules", samples=2))


def test_what_cannot_be_read_or_named_is_told(world):
    with pytest.raises(InputError, match="holds no batch"):
        Batch.at(world)
    for name in ("../../x", "/tmp/x", "..", ".x", "a/b", "x" * 300, "", " ", "a\nb", "a\0b"):
        with pytest.raises(SettingsError, match="run's name"):
            check_name(name)
    (world / "r").mkdir()
    assert (free_name(world, "r"), free_name(world, "s")) == ("r-2", "s")


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_a_batch_of_several_maps_knows_each_episodes_own(tmp_path, workers):
    write_world(tmp_path / "world")
    episodes = list(open_episodes(tmp_path / "world" / "splits" / "tiny.json").episodes.values())
    maps = (str(SAMPLES / "harbour" / "osm" / "graph"), str(tmp_path / "world" / "osm" / "graph"))
    plan = BatchPlan(navigator="random-walker", run="r", graphs=maps, workers=workers)
    more = [episode.model_copy(update={"id": "2"}) for episode in episodes]
    walked = walk_batch(Batch(tmp_path / "runs", plan, episodes + more))
    assert [outcome.status for outcome in walked.outcomes["r"]] == ["done", "done"]


def test_workers_do_not_run_the_script_that_called_them(world, monkeypatch):
    """As under Streamlit, whose pages stand in for ``__main__``."""
    page = ModuleType("__main__")
    page.__file__ = str(world / "page.py")
    (world / "page.py").write_text("raise SystemExit('the page ran in a worker')")
    monkeypatch.setitem(sys.modules, "__main__", page)
    batch = made(world, workers=2)
    walked = walk_batch(batch)
    outcomes = walked.outcomes["r"]
    assert [outcome.status for outcome in outcomes] == ["done"] * 8
    assert [outcome.episode for outcome in outcomes] == [episode.id for episode in batch.episodes]
    for outcome in outcomes:
        assert read_trace(outcome.path).path[0] == read_trace(outcome.path).episode.start
    assert sys.modules["__main__"] is page


def test_stopped_from_within(world):
    cancel = threading.Event()
    batch = made(world)
    walked = walk_batch(batch, cancel=cancel, on_outcome=lambda *_: cancel.set())
    assert (walked.state.state, walked.state.tallies[0].done) == ("stopped", 1)
    assert walked.state.left == 7


@pytest.mark.parametrize("kind", ["gemini:toy", "openai:toy@{}/v1"])
def test_a_dead_server_ends_a_batch_at_once_and_it_goes_on_later(world, monkeypatch, kind):
    with FakeOpenAI() as gone:
        address = gone.address  # nobody listens there any more
    monkeypatch.setenv("GEMINI_API_KEY", "test-key")
    retry = {"first_wait_s": 0.0, "longest_wait_s": 0.0}
    options: dict[str, Any] = {"retry": retry}
    if kind.startswith("gemini"):
        options["base_url"] = address
    monkeypatch.setenv("NAVVIZ_MODEL_ADDRESSES", address)
    batch = made(
        world, navigator="groke", model=kind.format(address), model_options=options, workers=2
    )
    walked = walk_batch(batch)
    assert walked.state.state == "failed"
    assert "cannot be reached" in (walked.state.reason or "")
    assert "then go on" in (walked.state.reason or "")
    assert walked.state.tallies[0].done <= 2  # one a worker
    plan = batch.plan.model_copy(update={"model": script(world), "model_options": {}})
    for config in batch.folder.glob("run.json"):
        config.unlink()  # another model, as far as the run knows
    again = walk_batch(Batch(batch.root, plan, batch.episodes))
    assert again.state.state == "done"
    assert (again.state.tallies[0].done, again.state.tallies[0].errors) == (8, 0)


def test_what_was_spent_stays_told_after_go_on(world):
    batch = made(world, navigator="groke", model=script(world), budget_usd=0.05)
    spent = walk_batch(batch).state.tallies[0].cost_usd
    assert spent >= 0.05
    messages: list[float] = []
    note = Batch.note

    def noted(self: Batch, state: BatchState) -> None:
        messages.append(sum(tally.cost_usd for tally in state.tallies))
        note(self, state)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Batch, "note", noted)
        plan = batch.plan.model_copy(update={"budget_usd": 1.0})
        last = walk_batch(Batch(batch.root, plan, batch.episodes))
    assert min(messages) == pytest.approx(spent)
    assert last.state.tallies[0].cost_usd >= 0.16
