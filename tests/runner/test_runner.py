"""The runner: every walk leaves a trace that can be read, and nothing that was paid for is lost."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from navviz.errors import InputError, SettingsError, StoreError
from navviz.formats import open_worlds
from navviz.llm.base import LanguageModel
from navviz.llm.scripted import Reply, Scripted
from navviz.records import (
    DeltaEvent,
    EndEvent,
    EndStatus,
    Episode,
    Event,
    StepEvent,
    SubGoal,
    Trace,
    TraceHeader,
    Usage,
)
from navviz.records.trace_files import EventWriter, Folder, fold, read_events, read_trace
from navviz.runner import (
    Budget,
    LiveRuns,
    Outcome,
    RunConfig,
    WalkRequest,
    fork,
    keep_run,
    read_config,
    run_batch,
    run_episode,
    trace_path,
    write_config,
)
from navviz.runner.walk import score_of_outcomes
from navviz.world.graph import Graph
from tests.toys import Asker, ToySettings, Walker
from tests.worlds import write_world

USAGE = Usage(prompt_tokens=100, output_tokens=10, thoughts_tokens=5)
REPLY = Reply(thoughts="I think so.", reply="go", usage=USAGE, cost_usd=0.01)


@pytest.fixture
def folder(tmp_path):
    return write_world(tmp_path / "world")


@pytest.fixture
def graph(folder):
    return open_worlds(folder)("")


def episode(name: str = "1", **changes: object) -> Episode:
    values: dict[str, object] = {
        "id": name,
        "dataset": "tiny",
        "instruction": "Walk on.",
        "start": "w1",
    }
    return Episode(**(values | {"start_heading_deg": 90.0} | changes))


def request(
    graph: Graph, out: Path, llm: LanguageModel | None = None, **more: object
) -> WalkRequest:
    """A walk of the toy that fits; `more` says what is different."""
    usual = {
        "navigator": Walker() if llm is None else Asker(),
        "settings": ToySettings(),
        "episode": episode(),
        "run": "r",
    }
    return WalkRequest(**(usual | {"graph": graph, "out": out, "llm": llm} | more))


def walk(graph: Graph, out: Path, of: Episode | None = None, **settings: object) -> list[Event]:
    return list(
        run_episode(request(graph, out, episode=of or episode(), settings=ToySettings(**settings)))
    )


def ask(graph: Graph, out: Path, llm: LanguageModel, **more: object) -> list[Event]:
    return list(run_episode(request(graph, out, llm, **more)))


def end_of(events: list[Event]) -> EndEvent:
    assert isinstance(events[-1], EndEvent)
    return events[-1]


# --- one episode


def test_what_is_yielded_is_what_stands_on_disk(graph, tmp_path):
    events = walk(graph, tmp_path)
    assert list(read_events(trace_path(tmp_path, "r", "1"))) == events
    header = events[0]
    assert isinstance(header, TraceHeader)
    assert (header.run, header.navigator, header.settings["steps"]) == ("r", "walker", 3)
    assert header.code_version
    assert header.created[-6] in "+-"
    assert fold(events).path == ("w1", "w0", "x", "s0")


@pytest.mark.parametrize(
    "name", ["a/b", "..", ".hidden", "ä ö", "a%2Fb", "x" * 300, "a\nb", "", "CON:1"]
)
def test_ids_become_file_names_of_their_own(name, graph, tmp_path):
    path = trace_path(tmp_path, "r", name)
    assert path.parent == tmp_path / "r"
    assert len(path.name) < 200
    walk(graph, tmp_path, episode(name))
    assert read_trace(path).episode.id == name
    assert not path.name.startswith(".")


def test_ids_that_differ_have_files_that_differ():
    names = ["a/b", "a%2Fb", "a_b", "x" * 300, "x" * 301, ".a", "%2Ea", "", "%"]
    assert len({trace_path(Path(), "r", name) for name in names}) == len(names)


def test_a_trace_is_never_overwritten(graph, tmp_path):
    walk(graph, tmp_path)
    with pytest.raises(StoreError, match="already"):
        walk(graph, tmp_path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"start": "nowhere"}, "start node nowhere is not in the graph"),
        ({"start": (1.0, 2.0, 3.0)}, "it starts at a position, and"),
        ({"instruction": "  \n"}, "the instruction is empty"),
        ({"instruction": "walk " * 20_000}, "100,000 characters"),
    ],
)
def test_an_episode_that_cannot_begin_says_why(changes, message, graph, tmp_path):
    end = end_of(walk(graph, tmp_path, episode(**changes)))
    assert end.status == "error"
    assert message in (end.reason or "")
    assert "episode 1" in (end.reason or "")


def test_expected_faults_end_the_trace_with_their_sentence(graph, tmp_path):
    events = walk(graph, tmp_path, trouble="input")
    assert (end_of(events).status, end_of(events).reason) == ("error", "the toy broke; mend it.")
    assert end_of(events).node == "w0"
    assert len(fold(events).steps) == 1


def test_bugs_end_the_trace_too_and_are_logged_without_keys(graph, tmp_path, caplog):
    events = walk(graph, tmp_path, trouble="bug")
    assert end_of(events).status == "error"
    assert "ZeroDivisionError" in (end_of(events).reason or "")
    assert "Traceback" in caplog.text
    on_disk = trace_path(tmp_path, "r", "1").read_text()
    assert "sk-verysecret" not in caplog.text + on_disk


def test_a_navigator_that_just_ends_has_an_end_all_the_same(graph, tmp_path):
    assert end_of(walk(graph, tmp_path, trouble="silent")).status == "unknown"


@pytest.mark.parametrize(
    ("yielded", "reason"),
    [
        ((), "toy-walker yielded no event."),
        ((None,), "toy-walker yielded NoneType, which is no event of a walk."),
        (("left",), "toy-walker yielded str, which is no event of a walk."),
        ((TraceHeader(navigator="x", episode=episode()),), "toy-walker yielded TraceHeader, which"),
    ],
)
def test_what_is_no_event_ends_the_walk_and_not_the_batch(graph, tmp_path, yielded, reason):
    """Such a walk is a fault of the navigator; it counted as a failure, or ended the batch."""

    class Strange(Walker):
        name = "toy-walker"

        def navigate(self, *_given: object, **_more: object):
            yield from yielded

    events = list(run_episode(request(graph, tmp_path, navigator=Strange())))
    assert end_of(events).status == "error"
    assert (end_of(events).reason or "").startswith(reason)
    assert read_trace(trace_path(tmp_path, "r", "1")).end == end_of(events)


def test_walks_that_were_cut_off_are_no_result_where_only_outcomes_are_there():
    row = {"SR": 0.0, "steps": 2.0}
    ends = {"a": EndStatus.DONE, "b": EndStatus.BUDGET, "c": EndStatus.STOPPED}
    outcomes = [Outcome(key, Path(key), status, scores=row) for key, status in ends.items()]
    score = score_of_outcomes("r", outcomes)
    assert (score.counts["SR"], score.walked, score.unfinished) == (1, 1, ("b", "c"))
    assert score.rows["b"] == {"SR": None, "steps": 2.0}


def test_an_interrupt_leaves_a_stopped_trace(graph, tmp_path):
    events = run_episode(request(graph, tmp_path))
    for _ in range(4):
        next(events)
    with pytest.raises(KeyboardInterrupt):
        events.throw(KeyboardInterrupt)
    trace = read_trace(trace_path(tmp_path, "r", "1"))
    assert trace.end.status == "stopped"
    assert trace.end.node == "w0"


def test_a_consumer_that_goes_away_leaves_a_stopped_trace(graph, tmp_path):
    events = run_episode(request(graph, tmp_path))
    next(events)
    events.close()
    assert read_trace(trace_path(tmp_path, "r", "1")).end.status == "stopped"


def test_a_full_disk_gets_a_sentence_and_keeps_what_was_written(graph, tmp_path, monkeypatch):
    plain = EventWriter.write

    def fill(self: EventWriter, event: Event) -> None:
        if isinstance(event, StepEvent) and event.index == 2:
            raise StoreError(
                f"{self.path}: cannot be written (No space left on device); free some space."
            )
        plain(self, event)

    monkeypatch.setattr(EventWriter, "write", fill)
    events = walk(graph, tmp_path)
    assert end_of(events).status == "error"
    assert "No space left" in (end_of(events).reason or "")
    assert len(read_trace(trace_path(tmp_path, "r", "1")).steps) == 1


def test_a_device_without_space(graph, tmp_path):
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    path = trace_path(tmp_path, "r", "1")
    path.parent.mkdir()
    path.symlink_to("/dev/full")
    events = list(run_episode(request(graph, tmp_path, resume=True)))
    assert end_of(events).status == "error"
    assert "No space left" in (end_of(events).reason or "")


def test_pieces_of_a_reply_are_put_together(graph, tmp_path):
    reply = Reply(thoughts="word " * 200, reply="go", seconds=1.0)
    events = ask(graph, tmp_path, Scripted([reply], loop=True))
    deltas = [event for event in events if isinstance(event, DeltaEvent)]
    assert 3 <= len(deltas) <= 60
    assert all(call.thoughts == reply.thoughts for call in fold(events).calls)


# --- stop and budget


def test_stop_ends_a_slow_call_and_keeps_what_came(graph, tmp_path):
    cancel = threading.Event()
    slow = Scripted([REPLY, Reply(thoughts="long " * 1000, seconds=50)])
    threading.Timer(0.6, cancel.set).start()
    events = ask(graph, tmp_path, slow, cancel=cancel)
    assert end_of(events).status == "stopped"
    trace = read_trace(trace_path(tmp_path, "r", "1"))
    assert len(trace.steps) == 2
    assert (trace.steps[-1].calls[-1].thoughts or "").startswith("long")


@pytest.mark.parametrize(
    ("budget", "calls"),
    [(Budget(usd=0), 0), (Budget(tokens=0), 0), (Budget(usd=0.015), 2), (Budget(tokens=115), 1)],
)
def test_a_budget_ends_the_run(graph, tmp_path, budget, calls):
    events = ask(graph, tmp_path, Scripted([REPLY], loop=True), budget=budget)
    assert end_of(events).status == "budget"
    assert "budget is used up" in (end_of(events).reason or "")
    assert len(fold(events).calls) == calls


def test_a_budget_that_cannot_be_kept_is_told(graph, tmp_path):
    events = ask(graph, tmp_path, Scripted(["go"], loop=True), budget=Budget(tokens=1000))
    assert "does not say what a call uses" in (end_of(events).reason or "")
    assert len(fold(events).calls) == 1


def test_a_budget_in_dollars_needs_a_price(graph, tmp_path):
    class Unpriced(Scripted):
        price = None

    events = ask(graph, tmp_path, Unpriced(["go"]), budget=Budget(usd=1))
    assert "price of scripted is not known" in (end_of(events).reason or "")
    with pytest.raises(SettingsError, match="negative"):
        Budget(usd=-1)


# --- batches


def batch(
    folder: Path,
    out: Path,
    names: list[str],
    llm: LanguageModel | None = None,
    workers: int = 1,
    **more: object,
) -> list[Outcome]:
    navigator = Walker() if llm is None else Asker()
    settings = ToySettings(**{key: more.pop(key) for key in ("trouble", "steps") if key in more})
    return run_batch(
        navigator,
        [episode(name) for name in names],
        open_worlds(folder),
        settings,
        run="r",
        out=out,
        llm=llm,
        workers=workers,
        graphs=folder,
        **more,
    )


# `test_batches.py` walks a batch in two processes, and looks at their traces
def test_a_batch_walks_everything_once(folder, tmp_path):
    names = [str(i) for i in range(7)]
    seen: list[tuple[int, int]] = []
    outcomes = batch(
        folder, tmp_path, names, on_progress=lambda done, n, _o: seen.append((done, n))
    )
    assert [outcome.episode for outcome in outcomes] == names
    assert {outcome.status for outcome in outcomes} == {"done"}
    assert seen == [(i + 1, 7) for i in range(7)]
    assert all(read_trace(outcome.path).path == ("w1", "w0", "x", "s0") for outcome in outcomes)
    again = batch(folder, tmp_path, names)
    assert all(outcome.skipped for outcome in again)


def test_workers_share_a_model_but_no_more_calls_than_workers(folder, tmp_path):
    now, most, lock = 0, 0, threading.Lock()

    class Counting(Scripted):
        def stream(self, *args: object):
            nonlocal now, most
            with lock:
                now += 1
                most = max(most, now)
            try:
                yield from super().stream(*args)
            finally:
                with lock:
                    now -= 1

    llm = Counting([REPLY.model_copy(update={"seconds": 0.02})], loop=True)
    outcomes = batch(folder, tmp_path, [str(i) for i in range(8)], llm, workers=3)
    assert {outcome.status for outcome in outcomes} == {"done"}
    assert most == 3
    assert sum(outcome.tokens for outcome in outcomes) == 8 * 3 * 115


def test_what_cost_money_is_gone_on_with(folder, tmp_path):
    first = Scripted([REPLY, REPLY])
    [outcome] = batch(folder, tmp_path, ["0"], first)
    assert outcome.status == "error"  # the script was used up in step 3
    [outcome] = batch(folder, tmp_path, ["0"], Scripted([REPLY]))
    assert outcome.status == "done"
    trace = read_trace(outcome.path)
    assert [step.index for step in trace.steps] == [1, 2, 3]
    assert len(trace.calls) == 3
    assert trace.path == ("w1", "w0", "x", "s0")


def test_a_trace_that_cannot_be_gone_on_with_is_set_aside(folder, tmp_path):
    path = trace_path(tmp_path, "r", "0")
    path.parent.mkdir()
    path.write_text("broken\n")
    [outcome] = batch(folder, tmp_path, ["0"], Scripted([REPLY] * 3))
    assert outcome.status == "done"
    assert path.with_name(path.name + ".cut1").read_text() == "broken\n"


def test_a_budget_counts_what_earlier_calls_of_the_run_used(folder, tmp_path):
    names = ["0", "1", "2"]
    llm = Scripted([REPLY], loop=True)
    outcomes = batch(folder, tmp_path, names, llm, budget=Budget(usd=0.04))
    assert [outcome.status for outcome in outcomes] == ["done", "budget", "budget"]
    outcomes = batch(folder, tmp_path, names, llm, budget=Budget(usd=0.04))
    assert sum(outcome.tokens for outcome in outcomes if not outcome.skipped) == 115
    outcomes = batch(folder, tmp_path, names, llm, budget=Budget(usd=1))
    assert [outcome.status for outcome in outcomes] == ["done"] * 3


def test_a_full_disk_ends_the_batch(folder, tmp_path, monkeypatch):
    def fill(self: EventWriter, _event: Event) -> None:
        raise StoreError(
            f"{self.path}: cannot be written (No space left on device); free some space."
        )

    monkeypatch.setattr(EventWriter, "write", fill)
    with pytest.raises(StoreError, match="No space left"):
        batch(folder, tmp_path, ["0", "1"])


def test_stop_begins_nothing_more(folder, tmp_path):
    cancel = threading.Event()
    outcomes = batch(
        folder,
        tmp_path,
        [str(i) for i in range(5)],
        cancel=cancel,
        on_progress=lambda *_: cancel.set(),
    )
    assert len(outcomes) == 1


def test_run_json_refuses_other_settings(tmp_path):
    config = RunConfig(
        run="r", navigator="rules", settings={"beam": 3, "prior": True}, graphs=("/g",)
    )
    write_config(tmp_path / "r", config)
    assert write_config(tmp_path / "r", config).created
    assert read_config(tmp_path / "r").settings == config.settings
    other = config.model_copy(update={"settings": {"beam": 5, "prior": True}})
    with pytest.raises(SettingsError, match=r"beam was 3, now 5.*choose another run name"):
        write_config(tmp_path / "r", other)
    (tmp_path / "r" / "run.json").write_text("no json")
    with pytest.raises(InputError, match=r"run\.json"):
        write_config(tmp_path / "r", config)


# --- forks


@pytest.fixture
def old(graph, tmp_path):
    return fold(ask(graph, tmp_path, Scripted([REPLY], loop=True)))


def test_a_fork_shares_the_steps_before_it(old, graph, tmp_path):
    forked = fork(old, 3, instruction="Walk off.")
    assert forked.origin.changes == ("instruction",)
    settings = ToySettings(steps=4)
    llm = Scripted([REPLY], loop=True)
    more = {"episode": forked.episode, "past": forked.past, "forked_from": forked.origin}
    events = ask(graph, tmp_path, llm, settings=settings, run="f", **more)
    trace = read_trace(trace_path(tmp_path, "f", "1"))
    assert trace == fold(events)
    assert trace.header.forked_from == forked.origin
    assert trace.episode.instruction == "Walk off."
    assert trace.steps[:2] == old.steps[:2]
    assert [step.index for step in trace.steps] == [1, 2, 3, 4]


def test_a_fork_of_a_published_run_forgets_the_old_waypoints(old):
    published = old.model_copy(update={"waypoints": ("w1", None, "w1")})
    assert fork(published, 3).past.waypoints is None


def test_a_fork_with_another_decision_goes_there(old, graph):
    forked = fork(old, 2, target="e0", graph=graph)
    assert forked.past.path == ("w1", "w0", "x", "e0")
    assert forked.past.steps[-1].decision.reason == "chosen by hand"
    assert forked.past.steps[-1].calls == ()
    with pytest.raises(InputError, match="choose another node"):
        fork(old, 2, target="nowhere", graph=graph)
    with pytest.raises(InputError, match="no step 9"):
        fork(old, 9)


def test_a_fork_with_another_plan_carries_it(old):
    goals = (SubGoal(description="walk on", status="COMPLETED"), SubGoal(description="stop"))
    forked = fork(old, 2, instruction="Walk off.", sub_goals=goals)
    assert forked.past.sub_goals == goals
    assert forked.origin.changes == ("instruction", "plan")
    assert forked.past.episode.instruction == "Walk off."
    assert fork(old, 1, instruction="Anew.").past is None


# --- live runs


def test_two_live_runs_at_once_and_a_page_that_comes_back(graph, tmp_path):
    runs = LiveRuns()
    slow = Reply(thoughts="a b c d e", reply="go", seconds=0.3, usage=USAGE, cost_usd=0.01)
    one, two = (
        runs.start(request(graph, tmp_path, Scripted([slow], loop=True), run=name))
        for name in ("one", "two")
    )
    looks: list[tuple[Trace | None, int]] = []
    while one.running or two.running:
        looks.append(runs.get("one").look())
        time.sleep(0.01)
    one.join(60)
    trace, count = one.look()
    assert trace == read_trace(one.path)
    assert count == len(list(read_events(one.path)))
    counts = [seen for _, seen in looks]
    assert counts == sorted(counts)
    assert len(set(counts)) > 2
    assert runs.names() == ["two", "one"]
    progress = two.progress
    assert (progress.step, progress.calls, progress.tokens, progress.running) == (3, 3, 345, False)
    assert progress.cost_usd == pytest.approx(0.03)
    assert progress.sub_goal == "walk on"
    assert progress.end.status == "done"
    assert two.trace == read_trace(two.path)


def test_a_live_run_is_stopped_at_once(graph, tmp_path):
    runs = LiveRuns()
    llm = Scripted([Reply(thoughts="long " * 1000, seconds=50)])
    live = runs.start(request(graph, tmp_path, llm, run="one"))
    while live.trace is None or not live.trace.streaming:
        time.sleep(0.01)
    assert live.running
    live.stop()
    live.join(60)
    assert not live.running
    assert live.progress.end.status == "stopped"
    assert live.progress.tokens is None  # the server never told


def test_a_look_holds_trace_and_count_of_one_moment(graph, tmp_path, monkeypatch):
    live = LiveRuns().start(request(graph, tmp_path, run="one"))
    live.join(60)
    count, end, threads = live.count, live.progress.end, list[threading.Thread]()
    folded = Folder.trace.fget

    def slowly(folder: Folder) -> Trace:
        """Return the trace, while another event tries to come in."""
        trace = folded(folder)
        threads.append(threading.Thread(target=live._take, args=(end,)))
        threads[0].start()
        threads[0].join(0.2)
        return trace

    with monkeypatch.context() as patched:
        patched.setattr(Folder, "trace", property(slowly))
        assert live.look()[1] == count
    threads[0].join(60)
    assert live.look()[1] == count + 1


def test_calls_that_nobody_counted_leave_the_sum_of_the_others(graph, tmp_path):
    plan = Reply(reply="go", usage=USAGE, cost_usd=0.01)
    live = LiveRuns().start(
        request(graph, tmp_path, Scripted([plan, Reply(reply="go")]), run="one")
    )
    live.join(60)
    progress = live.progress
    assert progress.calls > 1
    assert (progress.tokens, progress.uncounted, progress.unpriced) == (
        115,
        progress.calls - 1,
        progress.calls - 1,
    )
    assert progress.cost_usd == pytest.approx(0.01)
    assert live.quiet_s == 0


def test_a_live_run_that_cannot_begin_says_why(graph, tmp_path):
    runs = LiveRuns(keep=2)
    for _ in range(2):
        live = runs.start(request(graph, tmp_path, run="same"))
        live.join(60)
    assert "already" in (live.progress.end.reason or "")
    for name in "abcd":
        runs.start(request(graph, tmp_path, run=name)).join(60)
    assert len(runs.names()) <= 3


# --- keeping


def test_a_live_run_is_kept_under_a_name(graph, tmp_path):
    live, runs = tmp_path / "live", tmp_path / "runs"
    for name in ("1", "2"):
        config = RunConfig(
            run=f"l{name}", navigator="walker", settings={"steps": 3}, graphs=("/g",)
        )
        write_config(live / f"l{name}", config)
        list(run_episode(request(graph, live, episode=episode(name), run=f"l{name}")))
        target = keep_run(trace_path(live, f"l{name}", name), runs, " My run ")
        assert read_trace(target).header.run == "My run"
    assert read_config(runs / "My run").graphs == ("/g",)
    with pytest.raises(SettingsError, match="has episode 1 already"):
        keep_run(trace_path(live, "l1", "1"), runs, "My run")
    for wrong in ("", "../x", "a/b", ".x", "x" * 100):
        with pytest.raises(SettingsError, match="choose another"):
            keep_run(trace_path(live, "l1", "1"), runs, wrong)


def test_runs_that_were_made_otherwise_are_not_mixed(graph, tmp_path):
    live, runs = tmp_path / "live", tmp_path / "runs"
    write_config(runs / "kept", RunConfig(run="kept", navigator="rules"))
    list(run_episode(request(graph, live, run="l")))
    with pytest.raises(SettingsError, match="made with other settings"):
        keep_run(trace_path(live, "l", "1"), runs, "kept")
