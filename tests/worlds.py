"""A tiny world in Map2Seq's format, for tests that need no real data: a street, a crossing, a side
street.

::

            n0
            |
    w1--w0--x--e0--e1--e2     (30 m between neighbours, x has a traffic light, "Blue Door Café"
    beside e1)
            |
            s0--s1 = start (to the south)
"""

from __future__ import annotations

import json
import math
from pathlib import Path

from navviz.records import Episode
from navviz.world.geometry import bearing_deg, destination

ORIGIN = (54.0, 10.0)
SPACING_M = 30.0
PLACES = {
    "x": (0, 0), "n0": (0, 1), "w0": (-1, 0), "w1": (-2, 0), "e0": (1, 0), "e1": (2, 0), "e2": (3, 0), "s0": (0, -1), "s1": (0, -2)
}  # fmt: skip
STREETS = [
    ("s1", "s0"), ("s0", "x"), ("x", "n0"), ("w1", "w0"), ("w0", "x"), ("x", "e0"), ("e0", "e1"),
    ("e1", "e2"),
]  # fmt: skip
ROUTE = ["s1", "s0", "x", "e0", "e1"]


def tiny_episode(id: str = "1") -> Episode:  # noqa: A002 - the field's name
    """An episode over `ROUTE`, as a program gives it: without a heading."""
    return Episode(
        id=id, dataset="tiny", instruction="Go.", start="s1", reference_path=tuple(ROUTE), goal="e1"
    )


def at(node: str) -> tuple[float, float]:
    """Position of a node of the tiny world."""
    east, north = PLACES[node]
    return destination(
        ORIGIN, math.degrees(math.atan2(east, north)), SPACING_M * math.hypot(east, north)
    )


def write_world(folder: Path) -> Path:
    """Write ``osm/graph`` and ``splits/tiny.json``; returns the graph folder."""
    graph = folder / "osm" / "graph"
    graph.mkdir(parents=True)
    (graph / "nodes.txt").write_text("".join(f"{n},{at(n)[0]},{at(n)[1]}\n" for n in PLACES))
    both = [pair for a, b in STREETS for pair in ((a, b), (b, a))]
    (graph / "links.txt").write_text(
        "".join(f"{a},{round(bearing_deg(at(a), at(b))) % 360},{b}\n" for a, b in both)
    )
    cafe = destination(at("e1"), 0, 8)
    (graph / "pois.txt").write_text(
        f'x,{at("x")[0]},{at("x")[1]},{{"highway": "traffic_signals"}}\n'
        f'p1,{cafe[0]},{cafe[1]},{{"amenity": "cafe", "name": "Blue Door Café"}}\n'
    )
    (graph / "poi_links.txt").write_text(
        f"e1,0,{cafe[0]},{cafe[1]},p1\ns0,0,{at('x')[0]},{at('x')[1]},x\n"
    )
    (folder / "splits").mkdir()
    route = {"osm_path": ROUTE, "pano_path": [], "initial_heading": 0}
    text = "Walk to the light and turn right. Stop by the blue café."
    split = [{"route": route, "instructions": text, "instructions_id": 1}]
    (folder / "splits" / "tiny.json").write_text(json.dumps(split))
    return graph


def write_states(
    path: Path, walks: dict[str, dict[str, list[str | None]]], instruction: str = "Walk."
) -> Path:
    """Write a GROKE state file: ``{episode: {method: waypoints}}``, all on the tiny world's
    route.
    """
    states = {
        key: {
            "instruction_id": key,
            "landmarks": [
                {"name": "light", "category": "Traffic Control", "relative_position": "ahead"}
            ],
            "sub_instructions": [{"description": "Walk to the light", "status": "TODO"}],
            "osm_path": ROUTE,
            "initial_headings": 0,
            "full_instructions": instruction,
            **{
                method: {
                    "status": "DONE",
                    "predicated_path": waypoints,
                    "current_instruction_index": 1,
                }
                for method, waypoints in methods.items()
            },
        }
        for key, methods in walks.items()
    }
    path.write_text(json.dumps(states))
    return path
