"""A real Dask scheduler and real worker processes: the same traces as a local run, and nothing lost
when one dies.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from navviz.errors import NavVizError, SettingsError
from navviz.formats import open_episodes
from navviz.records.trace_files import read_trace
from navviz.runner import engine as dask_cluster
from navviz.runner.batches import Batch
from navviz.runner.engine import WorkerTask, check_engine, walk_in_worker
from navviz.runner.episode import is_finished
from navviz.runner.plan import BatchPlan
from navviz.runner.store import TraceStore
from navviz.runner.walking import walk_batch
from navviz.support.version import VERSION
from navviz.systems.registry import get_navigator
from tests.browser.server import free_port
from tests.fake_servers import Answer, FakeOpenAI, Recorded
from tests.paths import ROOT, SAMPLES
from tests.toys import ToySettings, Walker
from tests.zygote import Forked

HARBOUR = SAMPLES / "harbour"
ACT = {"subplan_status": "COMPLETED", "next_place": "x"}
PLAN = {
    "landmarks": [{"name": "light", "category": "signal", "relative_position": "ahead"}],
    "sub_goals": [
        {"action": "MOVE_FORWARD", "description": "Move on", "status": "TODO"} for _ in range(2)
    ],
}
CALL_TOKENS = 130


class Cluster:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []

    @property
    def engine(self) -> str:
        return f"dask://127.0.0.1:{self.port}"

    def start(self, workers: int) -> None:
        self.scheduler = self._begin(
            "scheduler",
            "distributed.cli.dask_scheduler",
            "--port",
            str(self.port),
            "--no-dashboard",
        )
        for number in range(workers):
            more = (
                "--nthreads", "1", "--no-dashboard", "--no-nanny", "--local-directory",
                str(self.folder),
            )  # fmt: skip
            address = f"tcp://127.0.0.1:{self.port}"
            self.workers.append(
                self._begin(f"worker{number}", "distributed.cli.dask_worker", address, *more)
            )
        self._wait(workers)

    def _begin(self, name: str, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name}.log").open("ab") as log:
            return Forked(
                [sys.executable, "-m", module, *arguments], cwd=ROOT, stdout=log, stderr=log,
                env=os.environ | {"PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__WORKER__TERMINATE_NANNY": "1"},
            )  # fmt: skip

    def _wait(self, workers: int) -> None:
        from distributed import Client

        for _ in range(60):
            with (
                suppress(OSError),
                Client(f"tcp://127.0.0.1:{self.port}", timeout=2, set_as_default=False) as client,
            ):
                client.wait_for_workers(workers, timeout=60)
                return
            time.sleep(0.5)
        raise AssertionError("the cluster did not come up")

    def stop(self) -> None:
        for process in [*self.workers, *([self.scheduler] if self.scheduler is not None else [])]:
            if process.poll() is None:
                process.kill()
            process.wait()
        self.workers.clear()


@contextmanager
def clustered(folder: Path, workers: int) -> Iterator[Cluster]:
    folder.mkdir(parents=True, exist_ok=True)
    made = Cluster(folder)
    try:
        made.start(workers)
        yield made
    finally:
        made.stop()


pytestmark = pytest.mark.filterwarnings("default")
"""Dask's own clean-up warns in many ways when a scheduler is killed."""


def harbour(root: Path, run: str, **more: Any) -> Batch:
    episodes = list(open_episodes(next((HARBOUR / "splits").glob("*.json"))).episodes.values())
    episodes = episodes[: more.pop("count", None)]
    fields = {
        "navigator": "regex-heuristic",
        "run": run,
        "graphs": (str(HARBOUR / "osm" / "graph"),),
    } | more
    return Batch(root, BatchPlan(**fields), episodes)


def brain(request: Recorded, delay_s: float = 0.0) -> Answer:
    """A model that plans four sub-goals and completes one after the other."""
    planning = "sub_goals" in json.dumps(request.body.get("response_format"))
    return Answer(json.dumps(PLAN if planning else ACT), "Let me see.", pieces=4, delay_s=delay_s)


def slow(delay_s: float) -> FakeOpenAI:
    return FakeOpenAI(lambda request: brain(request, delay_s))


def asking(server: FakeOpenAI, **more: Any) -> dict[str, Any]:
    return {"navigator": "groke", "model": f"openai:m@{server.url}"} | more


def same(path: Path) -> str:
    """A trace without what tells one walk of it from another: the run's name and the time."""
    text = re.sub(r'"(run|created|code_version)":"[^"]*"', "", path.read_text())
    return re.sub(r'"seconds":[\d.e-]+', "", text)


def traces(batch: Batch) -> dict[str, str]:
    return {path.name: same(path) for path in batch.folder.glob("*.trace.jsonl")}


def test_an_engine_is_named_whole():
    assert check_engine("dask://head:8786") == "head:8786"
    assert check_engine("local") is check_engine(None) is None
    for text in ("dask://", "dask://head", "ray://head:1", "dask://:8786"):
        with pytest.raises(SettingsError, match="dask://HOST:PORT"):
            check_engine(text)


def test_nobody_at_the_address(tmp_path, monkeypatch):
    monkeypatch.setattr(dask_cluster, "_CONNECT_S", 1)
    with pytest.raises(SettingsError, match=r"no Dask scheduler at 127\.0\.0\.1"):
        walk_batch(harbour(tmp_path, "r", engine=f"dask://127.0.0.1:{free_port()}"))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Two workers, whom no test kills: each imports Dask and NavViz where it starts."""
    with clustered(tmp_path_factory.mktemp("cluster"), 2) as running:
        yield running


def _is_profiled(dask_worker: Any) -> bool:
    """Tell in a worker whether Dask's profiler, which may freeze it, still runs."""
    return bool(dask_worker.periodic_callbacks["profile"].is_running())


def test_workers_walk_the_same_traces_as_this_machine_and_share_budget(cluster, tmp_path):
    local = harbour(tmp_path / "local", "r")
    here = walk_batch(local)
    far = harbour(tmp_path / "far", "r", engine=cluster.engine)
    there = walk_batch(far)
    assert there.state.state == "done"
    assert traces(far) == traces(local)
    assert len(traces(far)) == 14
    assert there.scores["r"].means == here.scores["r"].means
    if sys.version_info < (3, 11, 9):
        with dask_cluster.connected(f"127.0.0.1:{cluster.port}") as client:
            assert set(client.run(_is_profiled).values()) == {False}
    with FakeOpenAI(brain) as server:
        limited = harbour(
            tmp_path / "far",
            "m",
            engine=cluster.engine,
            **asking(server, budget_tokens=10 * CALL_TOKENS),
        )
        walked = walk_batch(limited)
    assert walked.state.state == "budget"
    spent = sum(
        call.tokens or 0
        for path in limited.folder.glob("*.jsonl")
        for call in read_trace(path).calls
    )
    # of two workers one may pass the limit by a call
    assert spent in {10 * CALL_TOKENS, 11 * CALL_TOKENS}
    assert walked.state.tallies[0].done < 14
    # the server is gone by now: each worker finds that out by its own model
    retry = {"retry": {"first_wait_s": 0.0, "longest_wait_s": 0.0}}
    dead = harbour(
        tmp_path / "far", "d", engine=cluster.engine, **asking(server, model_options=retry)
    )
    ended = walk_batch(dead)
    assert ended.state.state == "failed"
    assert "cannot be reached" in (ended.state.reason or "")
    assert "then go on" in (ended.state.reason or "")
    # of two workers, each has at most one more at hand when the stop reaches it
    assert ended.state.tallies[0].errors <= 4


def test_traces_go_to_any_address(tmp_path, monkeypatch):
    fsspec = pytest.importorskip("fsspec")
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path / "workspace"))
    local = harbour(tmp_path / "local", "r")
    here = walk_batch(local)
    batch = harbour(tmp_path / "control", "r", out=f"memory://{tmp_path.name}/runs")
    there = walk_batch(batch)
    files = fsspec.filesystem("memory")
    names = {name.rpartition("/")[2] for name in files.ls(f"/{tmp_path.name}/runs/r", detail=False)}
    assert names == set(traces(local))
    assert there.scores["r"].means == pytest.approx(here.scores["r"].means)
    again = walk_batch(batch)
    assert (again.state.walked, again.state.tallies) == (0, there.state.tallies)
    assert not list(batch.folder.glob("*.trace.jsonl"))


def test_what_was_paid_for_reaches_the_address_before_the_episode_ends(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    out = f"memory://{tmp_path.name}/paid"
    with FakeOpenAI(brain) as server:
        batch = harbour(
            tmp_path / "control",
            "m",
            out=out,
            count=4,
            **asking(server, budget_tokens=3 * CALL_TOKENS),
        )
        walk_batch(batch)
        names = fsspec.filesystem("memory").ls(f"/{tmp_path.name}/paid/m", detail=False)
        assert names
        assert all(name.endswith(".part") for name in names)
        plan = batch.plan.model_copy(update={"budget_tokens": None})
        walked = walk_batch(Batch(batch.root, plan, batch.episodes))
        assert walked.state.state == "done"
        # what was paid for is not asked again
        assert len(server.requests) == walked.state.tallies[0].calls
    names = fsspec.filesystem("memory").ls(f"/{tmp_path.name}/paid/m", detail=False)
    assert not [name for name in names if name.endswith(".part")]


@pytest.mark.parametrize("where", ["folder", "memory"])
def test_what_a_worker_had_finished_is_not_walked_again_by_another(tmp_path, where):
    out = str(tmp_path / "runs") if where == "folder" else f"memory://{tmp_path.name}/twice"
    batch = harbour(tmp_path, "r", count=1)
    navigator = get_navigator("regex-heuristic")
    task = WorkerTask(
        token=tmp_path.name + where, navigator=navigator, settings=navigator.settings_type(), run="r",
        store=TraceStore.at(out).for_cluster(), graphs=(Path(batch.plan.graphs[0]),),
    )  # fmt: skip
    first = walk_in_worker(task, batch.episodes[0])
    assert first.status == "done"
    messages = [trace_text(out)]
    other = replace(task, token=f"other {task.token}", navigator=Walker(), settings=ToySettings())
    again = walk_in_worker(other, batch.episodes[0])  # who would walk otherwise
    assert (again.status, again.scores) == (first.status, first.scores)
    assert [trace_text(out)] == messages


def trace_text(out: str) -> str:
    if "://" not in out:
        [path] = Path(out, "r").glob("*.jsonl")
        return path.read_text()
    import fsspec

    files = fsspec.filesystem("memory")
    [name] = files.ls(out.removeprefix("memory:/") + "/r", detail=False)
    return str(files.cat_file(name).decode())


def test_addresses_of_this_machine_are_folders(tmp_path):
    assert TraceStore.at(f"file://{tmp_path}").folder == tmp_path
    assert TraceStore.at(tmp_path).folder == tmp_path
    assert TraceStore.at("s3://bucket/runs/").address == "s3://bucket/runs"
    with pytest.raises(SettingsError, match="no such address"):
        TraceStore.at("nosuch://bucket").check()


# --- the longest: three workers, one killed; the scheduler killed


@pytest.mark.nightly
def test_a_killed_worker_loses_nothing_but_is_walked_again(tmp_path):
    with clustered(tmp_path / "cluster", 3) as cluster, slow(0.05) as server:
        batch = harbour(tmp_path / "far", "m", engine=cluster.engine, count=8, **asking(server))
        killed: list[int] = []

        def kill(_tally: object, _outcome: object) -> None:
            if not killed:
                time.sleep(0.5)  # the others are in the middle of a walk
                killed.append(cluster.workers[0].pid)
                os.kill(killed[0], signal.SIGKILL)

        walked = walk_batch(batch, on_outcome=kill)
        assert walked.state.state == "done"
        assert killed
        kept = [read_trace(path) for path in batch.folder.glob("*.trace.jsonl")]
        assert len(kept) == 8
        # no walk was cut off
        assert {trace.end.status for trace in kept if trace.end is not None} == {"limit"}
        # of the episode that was cut off at most the call in flight is lost, and asked again
        assert len(server.requests) - sum(len(trace.calls) for trace in kept) in {0, 1}


@pytest.mark.nightly
def test_the_scheduler_is_killed_and_the_same_command_goes_on(tmp_path):
    with clustered(tmp_path / "cluster", 3) as cluster, slow(0.05) as server:
        batch = harbour(tmp_path / "far", "m", engine=cluster.engine, count=8, **asking(server))
        seen: list[str] = []

        def kill(_tally: object, outcome: Any) -> None:
            seen.append(outcome.episode)
            if len(seen) == 2:
                assert cluster.scheduler is not None
                os.kill(cluster.scheduler.pid, signal.SIGKILL)

        with pytest.raises(NavVizError, match=r"scheduler at .* cannot be reached"):
            walk_batch(batch, on_outcome=kill)
        assert batch.status().name == "failed"
        cluster.stop()
        before = {
            path.name: path.read_bytes()
            for path in batch.folder.glob("*.trace.jsonl")
            if is_finished(path)
        }
        assert len(before) >= 2
        cluster.start(3)
        walked = walk_batch(batch)
        assert walked.state.state == "done"
        after = {path.name: path.read_bytes() for path in batch.folder.glob("*.trace.jsonl")}
        assert before.items() <= after.items()
        assert len(after) == 8


@pytest.mark.nightly
def test_a_stop_reaches_every_worker(tmp_path):
    with clustered(tmp_path / "cluster", 3) as cluster, slow(0.5) as server:
        batch = harbour(tmp_path / "far", "m", engine=cluster.engine, count=8, **asking(server))
        cancel = threading.Event()
        threading.Timer(8.0, cancel.set).start()
        walked = walk_batch(batch, cancel=cancel)
        count = len(server.requests)
        assert walked.state.state == "stopped"
        assert [outcome.status for outcome in walked.outcomes["m"]].count("stopped") >= 3
        assert count < 30


class _Answers:
    """A cluster's client whose workers give these answers."""

    def __init__(self, **answers: object) -> None:
        self.answers = answers

    def run(self, _: object, *, on_error: str) -> dict[str, object]:
        assert on_error == "return"
        return self.answers


def test_workers_of_another_version_are_refused_by_name():
    dask_cluster.check_versions(_Answers(a=VERSION, b=VERSION), "head:8786")
    with pytest.raises(SettingsError, match=rf"worker b .* has NavViz 0\.0\.9, .* {VERSION};"):
        dask_cluster.check_versions(_Answers(a=VERSION, b="0.0.9"), "head:8786")
    with pytest.raises(SettingsError, match=r"worker b .* has no NavViz that can be asked"):
        dask_cluster.check_versions(_Answers(a=VERSION, b=AttributeError("x")), "head:8786")


def test_a_worker_refuses_the_task_of_another_version(tmp_path):
    navigator = get_navigator("regex-heuristic")
    task = WorkerTask(
        token="t",
        navigator=navigator,
        settings=navigator.settings_type(),
        run="r",
        store=TraceStore(str(tmp_path)),
        graphs=(),
        version="0.0.9",
    )
    episode = harbour(tmp_path, "r", count=1).episodes[0]
    with pytest.raises(SettingsError, match=rf"has NavViz {VERSION}, the task comes from 0\.0\.9"):
        walk_in_worker(task, episode)
