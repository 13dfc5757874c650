"""The first open of each part of Explore on GROKE's 700 published episodes, nothing kept yet.

Goal: each under 3 s on a quiet machine. Processor time is measured, since others load the machine;
the ratio to scoring the run holds on a slower one too. The page around a part is not in it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.data

GOAL_S = 3.0
MOST_SCORINGS = 4.0

# each part in a process of its own: none finds what another one has read or imported
_PROGRAM = """
import json, sys, time
from pathlib import Path
from navviz.analysis.causes.counting import explain_run
from navviz.analysis.departure_slices import departure_slices
from navviz.analysis.scanners.registry import get_scanners, scan_run
from navviz.analysis.slices import run_features
from navviz.analysis.slices import failed_episodes, find_slices
from navviz.metrics.score import score_trace
from navviz.runs.opened import load
from navviz.runs.sources import Source
from navviz.views.figures.atlas import pack_atlas
from navviz.views.figures.overview import thumbnail_points

part, graph, results = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
run = load(Source("main", "opened", (graph,), None, results))
run.graph(next(iter(run.traces)))
begun_s = time.process_time()
run.listing()
scored_s = time.process_time() - begun_s

def gallery():
    drawn = []
    for key, trace in run.traces.items():
        on = run.graph(key)
        drawn.append(thumbnail_points(on, trace.episode.reference_path, trace.path))
    return drawn

def atlas():
    on, walks = run.map_walks(next(iter(run.worlds)))
    pack_atlas(on, walks, floor=None, density=False)
    return walks

def features():
    return find_slices(run_features(run.outlines, run.graph_of), failed_episodes(run.scores))

parts = {
    "Why it failed": lambda: explain_run(run),
    "What goes wrong": features,
    "Junctions": lambda: departure_slices(run.traces, run.graph_of),
    "Transcripts": lambda: scan_run(run.traces, run.graph_of, get_scanners()),
    "Atlas": atlas,
    "Gallery": gallery,
}
begun_s = time.process_time()
found = parts[part]()
print(json.dumps([time.process_time() - begun_s, scored_s, len(found)]))
"""


@pytest.mark.parametrize(
    ("part", "least"),
    [
        ("Why it failed", 700),
        ("What goes wrong", 100),
        ("Junctions", 20),
        ("Transcripts", 6),
        ("Atlas", 700),
        ("Gallery", 700),
    ],
)
def test_the_first_open_of_a_part(data_dir: Path, tmp_path: Path, part: str, least: int) -> None:
    graph = data_dir / "map2seq" / "osm" / "graph"
    results = data_dir / "groke" / "paper_results" / "main_test_seen.json"
    command = [sys.executable, "-c", _PROGRAM, part, str(graph), str(results)]
    environment = {**os.environ, "NAVVIZ_CACHE": str(tmp_path)}
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    taken_s, scored_s, found = json.loads(ran.stdout)
    print(f"{part}: {taken_s:.2f} s of processor time, {taken_s / scored_s:.1f} scorings")
    assert found >= least  # a part that finds nothing is fast too
    assert taken_s < GOAL_S
    assert taken_s < MOST_SCORINGS * scored_s
