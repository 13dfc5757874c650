"""Following a run of 50,000 traces while nothing happens, and while an episode is added.

Seconds are the processor's, as the machine may be busy.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from navviz.formats import open_graph
from navviz.runs.growth import Growth
from navviz.runs.index import build
from navviz.runs.opened import load
from navviz.runs.sources import Source, samples_dir
from tools.bench.scale_run import write_scale_run

TRACES = 50_000
MOST_SHARE = 0.02
"""Of one core, for a page that looks every two seconds."""
LARGE = 6_000
"""Traces of a run whose rows are kept, as those of 50,000 are."""


def _spent_s(work) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def test_following_costs_little_while_nothing_happens(tmp_path: Path, benchmark) -> None:
    old = time.time() - 86_400
    for number in range(TRACES):
        path = tmp_path / f"{number:06d}.trace.jsonl"
        path.touch()
        os.utime(path, (old, old))
    growth = Growth(tmp_path)
    look_s = _spent_s(lambda: [growth.look(0) for _ in range(30)]) / 30
    growth._whole_s = 0.0
    whole_s = _spent_s(lambda: growth.look(0))
    share = (30 * look_s + whole_s) / 60
    benchmark.extra_info |= {"look_ms": 1e3 * look_s, "whole_s": whole_s, "share": share}
    print(f"a look {1e3 * look_s:.2f} ms, all files {whole_s:.2f} s, {100 * share:.2f} % of a core")
    benchmark.pedantic(growth.look, args=(0,), rounds=5)
    assert share < MOST_SHARE


def test_a_new_episode_of_a_large_run_costs_a_part_of_opening_it(tmp_path: Path, benchmark) -> None:
    graphs = samples_dir() / "harbour"
    graph = open_graph(graphs)
    folder = write_scale_run(tmp_path / "walks", graph, LARGE)
    source = Source("walks", "opened", (graphs,), None, folder)

    def opened() -> None:
        run = load(source, lambda _path, _world: graph)
        run.finish()
        assert len(run.known_table()) == len(run)

    first_s = _spent_s(opened)
    build._LAST.clear()
    again_s = _spent_s(opened)
    write_scale_run(folder, graph, LARGE + 1)
    grown_s = _spent_s(opened)
    write_scale_run(folder, graph, LARGE + 51)
    many_s = _spent_s(opened)
    each_ms = 1e3 * (many_s - grown_s) / 49
    benchmark.extra_info |= {"first_s": first_s, "grown_s": grown_s, "each_ms": each_ms}
    print(
        f"first {first_s:.2f} s, again {again_s:.2f} s, with one more {grown_s:.2f} s, each of fifty"
        f" {each_ms:.1f} ms"
    )
    benchmark.pedantic(opened, rounds=1)
    # reading and measuring all of them anew is the work that it is held against
    assert each_ms < 1e3 * first_s / 4
    assert grown_s - again_s < first_s / 4
