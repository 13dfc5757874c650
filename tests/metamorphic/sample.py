"""What is compared: a sample of one format, and what reading it gives, as values that compare cell
for cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from navviz.errors import Problems
from navviz.formats import open_episodes, open_graph, open_results
from navviz.formats.base import EpisodeSet, GraphOf, Run
from navviz.records import Episode
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Source
from navviz.world.graph import Graph
from tests.metamorphic.spellings import Part, Style, spelled

__all__ = ["Digest", "Sample", "episode_table", "graph_table", "run_table", "written"]

Digest = tuple[Any, int]
"""Tables as plain values, and the number of problems."""


@dataclass(frozen=True)
class Sample:
    """A small file, or a folder of them, of one format."""

    name: str
    parts: tuple[Part, ...]
    read: Callable[[Path], Digest]
    """Reads what is opened."""
    opened: str = ""
    """Name of the part that is opened; the folder itself where it is empty."""
    cannot: Mapping[str, str] = field(default_factory=dict)
    """Spellings that the format cannot have, with the reason."""

    @property
    def main(self) -> Part:
        """The part that a spelling must suit: the one that is opened, else the first."""
        return next((part for part in self.parts if part.name == self.opened), self.parts[0])


def written(sample: Sample, style: Style, folder: Path) -> Path:
    """Write a sample in a style, and return what is to be opened."""
    opened = folder
    for part in sample.parts:
        name, raw = spelled(part, style)
        if part.name == sample.opened and style.stem:
            name = name.replace(Path(part.name).name.partition(".")[0], style.stem)
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(raw)
        if part.name == sample.opened:
            opened = place
    return opened if sample.opened == "" or opened != folder else folder / sample.opened


def graph_table(opened: Path | Graph, world: str = "") -> Digest:
    """Return nodes, links with lengths, POIs and what is known of a graph."""
    graph = opened if isinstance(opened, Graph) else open_graph(opened, world)
    info = graph.info
    lengths = [graph.path_length_m((a, b)) for a, b in _pairs(graph)]
    near = [
        getattr(graph, name).tolist()
        for name in ("poi_link_nodes", "poi_link_pois", "poi_link_headings_deg")
    ]
    table = {
        "nodes": list(zip(graph.ids, graph.positions.tolist(), strict=True)),
        "links": list(zip(_pairs(graph), graph.headings_deg.tolist(), lengths, strict=True)),
        "pois": [(key, tuple(poi.position), dict(poi.tags)) for key, poi in graph.pois.items()],
        "poi links": near,
        "camera": info.camera_height_m,
        "excluded": info.excluded,
        "seen": (repr(info.observations), repr(info.visible_objects), repr(info.rooms), repr(info.scene)),
        "yaw": None if info.yaw_deg is None else list(info.yaw_deg),
        "splits": None if info.node_splits is None else list(info.node_splits),
        "backdrop": repr(info.backdrop),
    }  # fmt: skip
    return table, info.problems.count


def _pairs(graph: Graph) -> list[tuple[str, str]]:
    ends = zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)
    return [(graph.ids[a], graph.ids[b]) for a, b in ends]


def episode_table(path: Path | EpisodeSet) -> Digest:
    """Return every field of every episode but the split, which many formats take from the file's
    name.
    """
    read = path if isinstance(path, EpisodeSet) else open_episodes(path)
    rows = [
        _plain_extra(episode.model_dump(mode="json", exclude={"split"}))
        for episode in read.episodes.values()
    ]
    return (list(read.episodes), rows), read.problems.count


def run_table(
    path: Path, graph_of: GraphOf | Graph, episodes: Mapping[str, Episode] | None = None
) -> Digest:
    """Return the table and the whole traces of every run."""
    runs = open_results(path, graph_of, episodes)
    finder = (lambda _world: graph_of) if isinstance(graph_of, Graph) else graph_of
    tables = [_one_run(run, finder) for run in runs]
    graphs = {
        id(graph): graph
        for run in runs
        for graph in (finder(e.world) for e in run.episodes.values())
    }
    values = {id(problems): problems for problems in (run.problems for run in runs)}
    values |= {id(graph.info.problems): graph.info.problems for graph in graphs.values()}
    return tables, sum(problems.count for problems in values.values())


def _one_run(run: Run, graph_of: GraphOf) -> Any:
    opened = OpenRun(Source(run.name, "opened", (), None, run.source), run, graph_of, Problems())
    # a file that names no navigator and no split lends them its own name
    table = (
        opened.table(all=True).reset_index().drop(columns=["navigator", "split"]).to_dict("list")
    )
    traces = [_whole(run.traces[key].model_dump(mode="json")) for key in run.traces]
    details = {key: value for key, value in run.details.items() if key not in {"joined", "created"}}
    return run.method, table, traces, details


def _whole(trace: dict[str, Any]) -> dict[str, Any]:
    """Leave out what says from which file it came; an object's number, shown as it is written, is
    taken as a text.
    """
    header = {
        key: value
        for key, value in trace["header"].items()
        if key not in {"run", "source", "navigator"}
    }
    header["settings"] = {key: str(value) for key, value in header["settings"].items()}
    values = {key: value for key, value in header["episode"].items() if key != "split"}
    header["episode"] = _plain_extra(values)
    return {**trace, "header": header}


def _plain_extra(episode: dict[str, Any]) -> dict[str, Any]:
    """Take single numbers of fields without a known meaning as texts: they stay as written."""
    extra = {
        key: str(value) if isinstance(value, int | float) else value
        for key, value in episode["extra"].items()
    }
    return {**episode, "extra": extra}
