"""Samples of the kinds of logs and maps that a guess or the content tells: tables of poses, replies of
routers, lines in cells, maps by other names. Of a log its mapping is saved, as a user has it.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from navviz.formats.mapping.guess import guess
from navviz.formats.mapping.model import as_toml, sidecar_of
from navviz.formats.mapping.structure import structure
from navviz.world.scene_graph import bare_world
from tests.formats.mapping import test_kinds as kinds
from tests.metamorphic.sample import Digest, Sample, graph_table, run_table, written
from tests.metamorphic.spellings import Part, Style

__all__ = ["SAMPLES"]

BY_FORM = {
    "a list as lines": "the mapping says which of both it is",
    "bzip2": "nobody packs logs so",
    "another name": "a walk is named by its file, where nothing else names it",
}
_MAPPINGS: dict[str, str] = {}


def _log(name: str, file: str, kind: Any, content: Any) -> Sample:
    def read(path: Path) -> Digest:
        if name not in _MAPPINGS:
            with TemporaryDirectory() as folder:
                whole = written(sample, Style(), Path(folder))
                _MAPPINGS[name] = as_toml(guess(structure(whole)))
        sidecar_of(path).write_text(_MAPPINGS[name], encoding="utf-8")
        return run_table(path, bare_world)

    sample = Sample(name, (Part(file, kind, content),), read, file, BY_FORM)
    return sample


def _map(name: str, file: str, kind: Any, content: Any) -> Sample:
    cannot = {"a list as lines": "it is one object", "bzip2": "nobody packs maps so"}
    return Sample(name, (Part(file, kind, content),), graph_table, file, cannot)


def _cells(kind: str) -> str:
    cell = kinds.CELLS[kind].replace('"', '""')
    return "route_id,mode,geometry\n" + "".join(f'{k},bus,"{cell}"\n' for k in range(3))


ROS = kinds._pose_file("ros", kinds._posed("mocap")[:12])
STEPS = [
    {"n": k, "x": x, "z": -y, "yaw": -heading, "action": "move_forward"}
    for k, (x, y, heading) in enumerate(kinds.ARC)
]
OVERPASS = {
    "version": 0.6,
    "generator": "Overpass API",
    "elements": [
        *({"type": "node", "id": k, "lat": 48.125 + k / 1024, "lon": 11.5} for k in (1, 2, 3)),
        {"type": "way", "id": 9, "nodes": [1, 2, 3], "tags": {"highway": "footway"}},
    ],
}
JOSM = """<?xml version="1.0"?>
<osm version="0.6" generator="JOSM">
<node id="-1" lat="48.1" lon="11.5" action="modify"/>
<node id="-2" lat="48.1" lon="11.5010" action="modify"/>
<node id="-3" lat="48.1010" lon="11.5010" action="delete"/>
<way id="-10" action="modify"><nd ref="-1"/><nd ref="-2"/><tag k="highway" v="footway"/></way>
<way id="-20" action="delete"><nd ref="-2"/><nd ref="-3"/><tag k="highway" v="footway"/></way>
</osm>
"""

SAMPLES = (
    _log("TUM poses", "walk.tum", "text", kinds.TABLES["tum_head.txt"][0]),
    _log("KITTI poses", "00.txt", "text", kinds.TABLES["kitti_00.txt"][0]),
    _log("EuRoC poses", "data.csv", "text", kinds.TABLES["euroc.csv"][0]),
    _log("ROS odometry", "odom.csv", "text", ROS),
    _log("GeoLife track", "track.plt", "text", kinds._plt()),
    _log("rows of trips", "rows.csv", "text", kinds._rows_of_trips("bus,run,frame,x,y") + "\n"),
    _log("x, z and yaw of steps", "log.json", "json", [{"episode_id": k, "steps": STEPS} for k in "ab"]),
    _log("Google Directions", "google.json", "json", kinds.REPLIES["google routes"][0]),
    _log("Valhalla", "valhalla.json", "json", kinds.REPLIES["valhalla"][0]),
    _log("OSRM", "osrm.json", "json", kinds.REPLIES["osrm geojson"][0]),
    *(_log(f"{kind} in cells", "routes.csv", "text", _cells(kind)) for kind in ("json", "wkt", "polyline")),
    _log("Google Takeout", "Records.json", "json", kinds.DISKS["Records.json"][0]),
    _log("pedestrians", "biwi_eth.txt", "text", "\n".join(kinds.PEDESTRIANS) + "\n"),
    _map("an answer of Overpass", "overpass.json", "json", OVERPASS),
    _map("a map of JOSM", "edited.osm", "text", JOSM),
)  # fmt: skip
