"""Samples of VLN-CE's files, and of logs that are read by a mapping."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from navviz.formats import open_episodes
from navviz.formats.mapping.model import as_toml, mapping_of, sidecar_of
from navviz.world.graph import Graph
from navviz.world.scene_graph import bare_world
from tests.formats.vlnce import made
from tests.metamorphic.sample import Digest, Sample, episode_table, run_table
from tests.metamorphic.spellings import Part

__all__ = ["SAMPLES"]

TEXT = "Geh über den Flur / am Sofa vorbei."
ONE_OBJECT = {"a list as lines": "it is one object", "bzip2": "nobody packs JSON so"}
LINES = {"lines as a list": "its evaluators write lines", "bzip2": "nobody packs JSON so"}
ORDER = {
    "keys sorted": "the order of episodes is that of the keys",
    "keys reversed": "as for sorted keys",
}


def _no_graph(world: str) -> Graph:
    """Return the ground of walks without a map, as opened runs have it."""
    return bare_world(world)


SPLIT = {
    "episodes": [
        made.episode(k, instruction={"instruction_text": TEXT}) for k in (1, 2)
    ],
    "instruction_vocab": {},
}  # fmt: skip
IDS = frozenset({"episode_id", "trajectory_id"})
EPISODES_PART = Part("val_seen.json", "json", SPLIT, IDS)
KNOWN_FILE = "split/val_seen.json"


def _runs(path: Path) -> Digest:
    """Read results beside an episode file that is always spelled in one way."""
    result = made.write(path.parent / KNOWN_FILE, SPLIT)
    return run_table(path, _no_graph, open_episodes(result).episodes)


def _results(
    name: str, file: str, kind: Any, content: Any, cannot: dict[str, str], ids: str = ""
) -> Sample:
    part = Part(file, kind, content, frozenset(ids.split()))
    return Sample(name, (part,), _runs, file, cannot)


FIGURES = {str(k): made.figures() for k in (1, 2)}
FIGURE_LINES = [
    {"scene_id": made.SCAN, "episode_id": k, "success": 1.0, "spl": 0.5, "os": 1.0, "ne": 0.25, "steps": 9,
     "episode_instruction": TEXT}
    for k in (1, 2)
]  # fmt: skip
RXR = [{"instruction_id": k, "path": [[0, 0.5, 0], [0, 0.5, -1.5]]} for k in (1, 2)]
POSES = [[0, 0, -5, 0, 0, 0, 1], [2, 0, -5, 0, 0, 1, 0]]
AERIAL = {
    "episode_id": "a1", "trajectory_id": "t", "is_collisioned": False, "success": 1, "trajectory": POSES,
    "note": TEXT,
}  # fmt: skip
OPENFLY = [
    {"env_name": "gtav", "sample_idx": k, "instruction": TEXT, "start_position": [0, 0, 5], "end_position": [9, 0, 5],
     "final_position": [8, 0, 5], "success": True, "spl": 0.5, "trajectory_length": 8, "distance_to_goal": 1}
    for k in (1, 2)
]  # fmt: skip
LINE = {"type": "LineString", "coordinates": [[10.125, 48.125], [10.125, 48.25]]}
GEOJSON = {
    "type": "FeatureCollection",
    "features": [{"properties": {"id": k, "instruction": TEXT}, "geometry": LINE} for k in (1, 2)],
}
GPX = (
    '<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><name>a</name>\n<desc>Geh los.</desc><trkseg>\n'
    '<trkpt lat="48.125" lon="10.125"/><trkpt lat="48.25" lon="10.125"/></trkseg></trk></gpx>'
)
PREFIXED = (
    '<?xml version="1.0"?>\n<g:gpx xmlns:g="http://www.topografix.com/GPX/1/1"><g:trk><g:name>a</g:name>\n'
    '<g:desc>Geh los.</g:desc><g:trkseg><g:trkpt lat="48.125" lon="10.125"/>\n'
    '<g:trkpt lat="48.25" lon="10.125"/></g:trkseg></g:trk></g:gpx>'
)
HOME_MADE = [
    {"no": k, "house": "flur", "said": TEXT, "ok": 1.0, "track": [[1, 0.5, -3], [1, 0.5, -4]], "why": [TEXT, TEXT]}
    for k in (1, 2)
]  # fmt: skip
MAPPING = mapping_of(
    {
        "name": "mein Agent",
        "format": "json",
        "episodes": "[*]",
        "episode": {"id": "no", "world": "house", "instruction": "said"},
        "walk": {"positions": "track[*]", "thoughts": "why[*]"},
        "figures": {"success": "ok"},
    },
    "mein.toml",
)


RANKS = tuple(
    Part(f"stats_ep_r{k}_w2.json", "json", {str(k + 1): made.figures()}) for k in range(2)
)
FILES = tuple(
    Part(f"stats_{k}.json", "json", made.figures() | {"id": str(k)}, frozenset({"id"}))
    for k in (1, 2)
)
RULE = "=" * 20
OPEN_NAV = f"""{RULE} The current episode id is 1 {RULE}
Instruction: {TEXT}
Actions: 1. Go on.
2. Stop.
{"-" * 20} Step 1 {"-" * 20}
========== Thought ==========
Über den Flur.
The final env action: [{{'action': {{'action': 4, 'action_args': {{'angle': 0.5, 'distance': 1.0}}}}}}]
"""


def _mapped(form: str) -> Callable[[Path], Digest]:
    def read(path: Path) -> Digest:
        mapping = MAPPING.model_copy(update={"format": form})
        sidecar_of(path).write_text(as_toml(mapping), encoding="utf-8")
        return run_table(path, _no_graph)

    return read


SAVED_PART = Part("log.json", "json", HOME_MADE, frozenset({"no"}))
BY_FORM = {
    "a list as lines": "the mapping says which of both it is",
    "lines as a list": "as for a list as lines",
    "bzip2": "nobody packs JSON so",
}

SAMPLES = (
    Sample("VLN-CE episodes", (EPISODES_PART,), episode_table, "val_seen.json", ONE_OBJECT),
    _results("VLN-CE ground truth", "gt.json", "json", {"1": made.expert(), "2": made.expert()}, ONE_OBJECT | ORDER),
    _results("VLN-CE predictions", "predictions.json", "json", made.predictions(), ONE_OBJECT | ORDER),
    _results("RxR-CE predictions", "predictions.jsonl", "lines", RXR, LINES, "instruction_id"),
    _results("VLN-CE figures by episode", "stats_ep.json", "json", FIGURES, ONE_OBJECT | ORDER),
    _results("VLN-CE figures by line", "progress.json", "lines", FIGURE_LINES, LINES, "episode_id"),
    _results("AerialVLN walks", "a1.json", "json", AERIAL, ONE_OBJECT),
    _results("CityNav walks", "mgp.json", "json", {"trajectory_logs": {"7": [[0, 0, 30, 0.5], [0, 9, 30, 1.5]]}},
             ONE_OBJECT),
    _results("OpenFly figures", "gtav.jsonl", "lines", OPENFLY, LINES, "sample_idx"),
    _results("GeoJSON lines", "walk.geojson", "json", GEOJSON, ONE_OBJECT, "id"),
    _results("GPX tracks", "walk.gpx", "text", GPX,
             {"bzip2": "nobody packs GPX so"}),
    _results("GPX tracks with a prefix", "walk.gpx", "text", PREFIXED, {"bzip2": "nobody packs GPX so"}),
    Sample("VLN-CE figures of two ranks", RANKS, _runs, RANKS[0].name,
           ONE_OBJECT | {"another name": "ranks are told by their names"}),
    Sample("VLN-CE figures of one file an episode", FILES, _runs, cannot=ONE_OBJECT),
    _results("Open-Nav log", "navigator_log.log", "text", OPEN_NAV,
             {"bzip2": "nobody packs logs so", "no newline at the end": "a line that is printed has one: it is named"}),
    Sample("a log with its mapping", (SAVED_PART,), _mapped("json"), "log.json", BY_FORM),
    Sample("lines with their mapping", (Part("log.jsonl", "lines", HOME_MADE, frozenset({"no"})),),
           _mapped("json lines"), "log.jsonl", BY_FORM),
)  # fmt: skip
