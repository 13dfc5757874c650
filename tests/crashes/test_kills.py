"""kill -9 at random moments of everything that writes; 500 times each at night."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from navviz.annotation.records import Item, Navigability
from navviz.annotation.store import AnnotationStore
from navviz.records.trace_files import read_trace
from tests.annotation.conftest import opened, postgres_server, url  # noqa: F401 - fixtures
from tests.cli.test_fetch import Server, server  # noqa: F401 - a fixture
from tests.paths import ROOT
from tests.worlds import write_world
from tests.zygote import Forked

KILLS = [pytest.param(4), pytest.param(500, marks=pytest.mark.nightly)]
Opened = Callable[[str], AnnotationStore]


class Jobs:
    """A process that forks the job, kills it, and passes on what it said."""

    def __init__(self, *arguments: object) -> None:
        environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "tests.crashes.jobs", *map(str, arguments)]
        self._process = Forked(
            command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def kill_after(self, seconds: float) -> list[str]:
        """Let the job go on, for so long; return what it said."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()
        return list(iter(lambda: self._process.stdout.readline().strip() or "ended", "ended"))

    def __enter__(self) -> Jobs:
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.communicate()
        assert self._process.returncode == 0


@pytest.fixture
def world(tmp_path):
    write_world(tmp_path / "world")
    split = tmp_path / "world" / "splits" / "tiny.json"
    [entry] = json.loads(split.read_text())
    split.write_text(json.dumps([entry | {"instructions_id": number} for number in range(1, 9)]))
    return tmp_path / "world"


def _calls(folder: Path) -> dict[str, int]:
    """Calls on disk by trace; each trace is readable, with one header, one end at most, and steps
    in order.
    """
    counts = {}
    for path in sorted(folder.rglob("*.trace.jsonl")):
        if path.stat().st_size == 0:
            continue  # not begun
        whole = [line for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]
        if not whole:
            continue
        kinds = Counter(json.loads(line)["type"] for line in whole)
        assert kinds["header"] == 1
        assert kinds["end"] <= 1
        trace = read_trace(path)
        assert [step.index for step in trace.steps] == list(range(1, len(trace.steps) + 1))
        counts[path.name] = len(trace.calls)
    return counts


@pytest.mark.parametrize("kills", KILLS)
def test_a_run_with_four_workers_goes_on_where_it_was_killed(world, tmp_path, kills):
    dice, before, rounds = random.Random(1), dict[str, int](), 0
    with Jobs("run", world, tmp_path / "out0") as first:
        first.kill_after(600)
    whole = _calls(tmp_path / "out0")
    assert len(whole) == 8
    while rounds < kills:
        out = tmp_path / f"out{rounds + 1}"
        before = {}
        with Jobs("run", world, out) as jobs:
            for _ in range(min(kills, 10)):
                rounds += 1
                jobs.kill_after(dice.uniform(0.0, 0.6))
                after = _calls(out)
                assert all(after.get(name, 0) >= count for name, count in before.items()), (
                    "a paid call was lost"
                )
                before = after
            said = jobs.kill_after(600)
        assert said[-1] == "whole 8"
        assert _calls(out).keys() == whole.keys()
        assert all(_calls(out)[name] >= count for name, count in whole.items())


@pytest.mark.parametrize("kills", KILLS)
def test_what_a_live_run_has_shown_is_on_disk(world, tmp_path, kills):
    dice = random.Random(2)
    with Jobs("live", world, tmp_path / "live") as jobs:
        for _ in range(kills):
            said = jobs.kill_after(dice.uniform(0.01, 0.5))
            if not said:
                continue
            shown = max(
                (int(line.split()[1]) for line in said if line.startswith("shown ")), default=0
            )
            folder = Path(said[0].partition(" ")[2])
            _calls(folder)
            lines = [
                line
                for path in folder.rglob("*.trace.jsonl")
                for line in path.read_text().splitlines(keepends=True)
            ]
            assert sum(line.endswith("\n") for line in lines) >= shown


@pytest.mark.parametrize("kills", KILLS)
def test_an_import_that_was_killed_is_taken_in_once_when_it_is_repeated(
    url: str,  # noqa: F811
    opened: Opened,  # noqa: F811
    tmp_path: Path,
    kills: int,
) -> None:
    value = Navigability(navigable=True, confidence=3).model_dump(mode="json")
    items = [Item(dataset="sample", episode=str(k)).model_dump() for k in range(60)]
    lines = [
        {"type": "rating", "item": item, "annotator": "fox", "task": "navigability", "value": value}
        for item in items
    ]
    file = tmp_path / "ratings.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    opened(url)
    dice = random.Random(4)
    with Jobs("bring", url, file) as jobs:
        for _ in range(kills):
            jobs.kill_after(dice.uniform(0.02, 0.4))
        assert jobs.kill_after(600) == ["whole 60 0"]
    study = opened(url).study()
    assert Counter(rating.item.episode for rating in study.ratings()) == {
        str(k): 1 for k in range(60)
    }
    assert len(study.history()) == 60
