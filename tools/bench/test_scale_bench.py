"""A run of many short episodes: opened through the index, beside reading all of its traces.

Times are the processor's, as the machine may be busy, and each is held against a baseline of the
same run. Peak memory is that of a process of its own, for which this file is a program.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from navviz.formats import open_graph
from navviz.runs.episode_list import EpisodeList
from navviz.runs.index import build
from navviz.runs.index.indexed import AT_ONCE
from navviz.runs.opened import load
from navviz.runs.sources import Source
from tests.runs.large import read_whole
from tools.bench.scale_run import write_scale_run

pytestmark = pytest.mark.data

ROOT = Path(__file__).parents[2]
MOST_BYTES = 1.5e9
_LISTS = (
    EpisodeList().with_choice("outcome", ["failure"]),
    EpisodeList().with_choice("skills", ["Direction Adjustment"]).with_range("NE", (10, 50)),
    EpisodeList(search="bus stop left"),
    EpisodeList(sort="NE", descending=True),
    EpisodeList(sort="episode", descending=True),
)


def _spent_s(work: Callable[[], object]) -> float:
    begun = time.process_time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    children = ended.ru_utime + ended.ru_stime - begun[1].ru_utime - begun[1].ru_stime
    return time.process_time() - begun[0] + children


def measured(folder: Path, graphs: Path, way: str) -> dict[str, float]:
    """Open a run and show its list, whole or through its index; return seconds of the processor and
    bytes at the peak.
    """
    graph = open_graph(graphs)
    source = Source("walks", "opened", (graphs,), None, folder)
    # warm: modules are imported, the graph's index is made
    run = load(source, lambda _path, _world: graph)
    values: dict[str, float] = {}

    def opened() -> None:
        nonlocal run
        build._LAST.clear()
        if way == "whole":
            (run,) = read_whole(folder, graph)
        else:
            run = load(source, lambda _path, _world: graph)
        assert len(run.known_table()) == len(run.known_scores().rows) == len(run)

    if way == "first":
        build._LAST.clear()
        assert run.kept_at is not None
        run.kept_at.file.unlink(missing_ok=True)
    values["list_s"] = _spent_s(opened)
    if way == "first":
        assert run.complete is (len(run) <= AT_ONCE)
        values["measured_s"] = _spent_s(run.table)
    assert run.complete
    table = run.known_table()
    assert table["nDTW"].notna().all()
    values["filter_s"] = max(
        min(_spent_s(lambda each=each: each.apply(table)) for _ in range(3)) for each in _LISTS
    )
    values["success"] = run.scores.means["SR"] or 0.0
    values["peak_bytes"] = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return values


def _in_its_own_process(folder: Path, graphs: Path, way: str, cache: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "tools.bench.test_scale_bench", str(folder), str(graphs), way]
    environment = {**os.environ, "NAVVIZ_CACHE": str(cache)}
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    values: dict[str, float] = json.loads(ended.stdout.splitlines()[-1])
    return values


@pytest.mark.parametrize("count", [3_000, 50_000])
def test_a_run_of_many_episodes(
    benchmark: BenchmarkFixture,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    data_dir: Path,
    count: int,
) -> None:
    """Baseline: all traces read, scored and held in memory, of 2,000 episodes; it grows with their
    number.
    """
    graphs = data_dir / "map2seq" / "osm" / "graph"
    folder = write_scale_run(tmp_path / "walks", open_graph(graphs), count)
    small = (
        folder if count == 2_000 else write_scale_run(tmp_path / "small", open_graph(graphs), 2_000)
    )
    cache = tmp_path_factory.mktemp("cache")
    whole = _in_its_own_process(small, graphs, "whole", cache)
    first = _in_its_own_process(folder, graphs, "first", cache)
    again = benchmark.pedantic(_in_its_own_process, (folder, graphs, "again", cache), rounds=1)
    baseline_s = whole["list_s"] * count / 2_000
    ratios = {
        name: baseline_s / each["list_s"] for name, each in (("first", first), ("again", again))
    }
    benchmark.extra_info |= {
        "baseline_s": baseline_s,
        "whole": whole,
        "first": first,
        "again": again,
        "ratio": ratios,
    }
    assert first["success"] == again["success"]
    assert ratios["first"] > 12
    assert ratios["again"] > 40
    assert again["filter_s"] < again["list_s"]
    assert max(first["peak_bytes"], again["peak_bytes"]) < MOST_BYTES


if __name__ == "__main__":
    print(json.dumps(measured(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])))
