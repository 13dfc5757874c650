"""A small street grid in Map2Seq's format, and records on it, for tests of the lower rooms."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from navviz.records import Decision, EndEvent, EndStatus, Episode, Step, Trace, TraceHeader
from navviz.world.graph import Graph
from navviz.world.house import HouseObservations, NearObject
from navviz.world.search import fewest_links

SPACING_M = 20.0
LAT0, LON0 = 48.0, 11.0
_DLAT = math.degrees(SPACING_M / 6_371_000.0)
_DLON = _DLAT / math.cos(math.radians(LAT0))


def name(row: int, column: int) -> str:
    """Id of a crossing: rows go north, columns east."""
    return f"r{row}c{column}"


def grid_rows(size: int = 7) -> list[tuple[str, float, float]]:
    return [
        (name(r, c), LAT0 + r * _DLAT, LON0 + c * _DLON) for r in range(size) for c in range(size)
    ]


def grid_links(size: int = 7) -> list[tuple[str, int, str]]:
    steps = ((1, 0, 0), (0, 1, 90), (-1, 0, 180), (0, -1, 270))
    return [
        (name(r, c), heading, name(r + dr, c + dc))
        for r in range(size)
        for c in range(size)
        for dr, dc, heading in steps
        if 0 <= r + dr < size and 0 <= c + dc < size
    ]


def grid(size: int = 7) -> Graph:
    """A grid of two-way streets, 20 m from crossing to crossing."""
    rows, links = grid_rows(size), grid_links(size)
    index = {node: i for i, (node, _, _) in enumerate(rows)}
    return Graph(
        name="grid",
        frame="geo",
        ids=[node for node, _, _ in rows],
        positions=np.array([row[1:] for row in rows]),
        sources=np.array([index[a] for a, _, _ in links], np.int32),
        targets=np.array([index[b] for _, _, b in links], np.int32),
        headings_deg=np.array([h for _, h, _ in links], float),
    )


def write_grid(folder: Path, size: int = 7) -> Path:
    """Write the grid with two POIs into ``folder/graph`` and return `folder`."""
    graph = folder / "graph"
    graph.mkdir(parents=True)
    write_lines(
        graph / "nodes.txt", (f"{node},{lat!r},{lon!r}" for node, lat, lon in grid_rows(size))
    )
    write_lines(graph / "links.txt", (f"{a},{h},{b}" for a, h, b in grid_links(size)))
    write_lines(
        graph / "pois.txt",
        [
            f"p1,{LAT0!r},{LON0!r},{json.dumps({'amenity': 'cafe', 'name': 'Kiosk, north'})}",
            f"p2,{LAT0 + _DLAT!r},{LON0!r},{json.dumps({'highway': 'traffic_signals'})}",
        ],
    )
    write_lines(
        graph / "poi_links.txt",
        [f"r0c0,10,{LAT0!r},{LON0!r},p1", f"r1c0,0,{LAT0 + _DLAT!r},{LON0!r},p2"],
    )
    return folder


def write_lines(path: Path, lines: Any) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def straight(row: int = 0, start: int = 0, end: int = 4) -> tuple[str, ...]:
    """Nodes along a row."""
    step = 1 if end >= start else -1
    return tuple(name(row, c) for c in range(start, end + step, step))


def episode(path: Sequence[str], key: str = "e1", **changes: Any) -> Episode:
    fields: dict[str, Any] = {
        "id": key, "dataset": "grid", "instruction": "Walk to the end.", "start": path[0],
        "reference_path": tuple(path), "goal": path[-1],
    }  # fmt: skip
    return Episode(**{**fields, **changes})


def trace(
    expected: Episode,
    moves: Sequence[Sequence[str]],
    status: EndStatus | None = "done",
    *,
    legal: Sequence[bool] = (),
) -> Trace:
    """A trace whose steps walk `moves`; an empty move is a step that stayed."""
    steps, here = [], expected.start
    for k, path in enumerate(moves, start=1):
        good = legal[k - 1] if legal else True
        steps.append(
            Step(
                index=k,
                node=here,
                path=tuple(path),
                decision=Decision(target=path[-1] if path else None, legal=good),
            )
        )
        here = path[-1] if path else here
    end = None if status is None else EndEvent(status=status, node=here)
    return Trace(
        header=TraceHeader(episode=expected, navigator="test"), steps=tuple(steps), end=end
    )


def route(graph: Graph, *stops: str) -> tuple[str, ...]:
    """Nodes along several stops."""
    path = stops[:1]
    for stop in stops[1:]:
        leg = fewest_links(graph, path[-1], stop)
        path += () if leg is None else leg[1:]
    return path


def split_item(path: Sequence[str], key: int | str = 1, **changes: Any) -> dict[str, Any]:
    """An item of a Map2Seq split."""
    way = {"pano_path": [], "osm_path": list(path), "initial_heading": 90}
    return {"route": way, "instructions": "Walk to the end.", "instructions_id": key, **changes}


def state_item(
    path: Sequence[str], waypoints: Any, method: str = "json", **changes: Any
) -> dict[str, Any]:
    """An item of a GROKE state file."""
    return {
        "instruction_id": "1",
        "landmarks": [{"name": "Kiosk", "category": "amenity", "relative_position": "left"}],
        "sub_instructions": [
            {"description": "Walk", "status": "TODO"},
            {"description": "Stop", "status": "TODO"},
        ],
        "osm_path": list(path),
        "initial_headings": 90,
        "full_instructions": "Walk to the end.",
        method: {
            "status": "DONE",
            "predicated_path": waypoints,
            "current_instruction_index": 2,
            "num_retry_current_instruction": 0,
            "current_instruction_status": "COMPLETED",
            "current_heading": 90.0,
        },
        **changes,
    }


def write_json(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def house(
    places: Mapping[str, tuple[float, float, float]], *chains: str, name: str = "house"
) -> Graph:
    """Viewpoints in metres, one letter each, linked both ways along chains of letters."""
    ids = list(places)
    pairs = [(ids.index(a), ids.index(b)) for chain in chains for a, b in pairwise(chain)]
    links = np.array(pairs + [(b, a) for a, b in pairs], np.int32).reshape(-1, 2)
    positions = np.array([places[node] for node in ids], float)
    return Graph(
        name=name,
        frame="metric",
        ids=ids,
        positions=positions,
        sources=links[:, 0],
        targets=links[:, 1],
    )


def corridor(letters: str, spacing_m: float = 100.0) -> Graph:
    """Viewpoints on a line to the east."""
    return house({node: (spacing_m * k, 0.0, 0.0) for k, node in enumerate(letters)}, letters)


def crossing(hall: str, ahead: str, north: str, north_m: float) -> Graph:
    """A house from s north to the crossing m; a kitchen west, an office east.

    Parameters
    ----------
    hall
        What s and m are called.
    ahead
        What is seen at m to the north.
    north, north_m
        What the viewpoint north of m is called, and its height.
    """
    places = {"s": (0, -3, 1.5), "m": (0, 0, 1.5), "w": (-3, 0, 1.5), "e": (3, 0, 1.5)}
    graph = house({**places, "n": (0, 3, north_m)}, "sm", "mw", "me", "mn", name="crossing")
    doors = {2: "A doorway to an office.", 6: "A doorway to a kitchen."}
    scenes = {
        "s": (f"A {hall}.",) * 8,
        "m": (ahead, *(doors.get(k, "") for k in range(1, 8))),
        "w": ("A kitchen with a stove.",) * 8,
        "e": ("An office with a desk.",) * 8,
        "n": (f"A {north}.",) * 8,
    }
    objects = {"w": (*(() for _ in range(7)), (NearObject("stove", 315.0, 1.0),))}
    named = {"s": hall, "m": hall, "w": "kitchen with a stove", "e": "office", "n": north}
    summaries = {node: f"{text}." for node, text in named.items()}
    observations = HouseObservations("crossing", scenes, summaries, objects)
    return replace(graph, info=replace(graph.info, observations=observations))
