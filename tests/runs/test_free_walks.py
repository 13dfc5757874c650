"""Own traces that were walked on no map: nothing is said of a map that they do not need."""

from __future__ import annotations

from pathlib import Path

from navviz.records import Episode
from navviz.records.trace_writer import TraceWriter
from navviz.runs.opened import load
from navviz.runs.sources import Source, graphs_of_run


def test_a_walk_without_a_map_asks_for_none(tmp_path: Path) -> None:
    episode = Episode(
        id="1",
        dataset="field",
        instruction="Go on.",
        world="meadow",
        start=(0.0, 0.0, 0.0),
        reference_path=[(0.0, 0.0, 0.0), (4.0, 0.0, 0.0)],
    )
    folder = tmp_path / "run"
    folder.mkdir()
    with TraceWriter(folder / "1.trace.jsonl", episode, "agent", frame="matterport") as writer:
        writer.step(position=(0.0, 0.0, 0.0), heading_deg=90.0)
        writer.step(position=(4.0, 0.0, 0.0), heading_deg=90.0)
    graphs, folder_problems = graphs_of_run(folder)
    assert folder_problems, "a folder without run.json says that it names no map"
    source = Source(folder.name, "workspace", graphs, None, folder, folder_problems=folder_problems)
    run = load(source)
    assert run.graph("1").name == "meadow"
    assert [str(problem) for problem in run.problems.kept] == []
