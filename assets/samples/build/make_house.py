"""Make the sample house: ``python assets/samples/build/make_house.py`` writes
``assets/samples/house`` anew.

The plan stands in ``house_plan.py``; this writes it in the field's own formats: connectivity of the
Matterport3D simulator, R2R episodes, NavGPT's observation files. The seed gives the viewpoint ids
and the choice of words.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import house_plan as plan
import networkx as nx

FOLDER = Path(__file__).resolve().parents[1] / "house"
ROOM = {room.key: room for room in plan.ROOMS}
REACH_M = 4.0
"""Viewpoints of one room up to this far apart are linked."""
STAIRS_REACH_M = 2.5
OBJECTS_M = 3.0
SIGHT_M = 7.0

RNG = random.Random(plan.SEED)  # noqa: S311 - a sample, no secret
IDS = {name: f"{RNG.getrandbits(128):032x}" for name in [*plan.VIEWPOINTS, *plan.EXCLUDED]}
PLACES = plan.VIEWPOINTS | plan.EXCLUDED


def position(name: str) -> tuple[float, float, float]:
    """Camera position of a viewpoint."""
    room, x, y = PLACES[name]
    return x, y, round(floor_height(room, x) + plan.CAMERA_M, 3)


def floor_height(room: str, x: float) -> float:
    """Height under one's feet; the stairs rise from x = 8.2 to x = 13."""
    if room == "stairs":
        return 3.0 * min(1.0, max(0.0, (x - 8.2) / 4.6))
    return plan.FLOORS[ROOM[room].floor][1]


def distance(a: str, b: str) -> float:
    """Straight distance between two viewpoints."""
    return math.dist(position(a), position(b))


def heading(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    """Degrees clockwise from +y."""
    return math.degrees(math.atan2(b[0] - a[0], b[1] - a[1])) % 360.0


def linked(a: str, b: str) -> bool:
    """Whether one can walk from `a` to `b` in one move."""
    if a == b:
        return False
    if (a, b) in plan.THROUGH_DOORS or (b, a) in plan.THROUGH_DOORS:
        return True
    reach_m = REACH_M if PLACES[a][0] != "stairs" else STAIRS_REACH_M
    return PLACES[a][0] == PLACES[b][0] and distance(a, b) <= reach_m


def graph() -> nx.Graph:
    """Return the house as agents load it."""
    found = nx.Graph()
    names = list(plan.VIEWPOINTS)
    found.add_nodes_from(names)
    for a in names:
        found.add_weighted_edges_from((a, b, distance(a, b)) for b in names if linked(a, b))
    return found


# --- the simulator's connectivity ------------------------------------------------------------


def connectivity() -> list[dict[str, Any]]:
    """One entry a viewpoint, in the simulator's format."""
    turns = random.Random(plan.SEED + 1)  # noqa: S311
    names = list(PLACES)
    return [
        {
            "image_id": IDS[name],
            "pose": pose(name, turns.uniform(0, 2 * math.pi)),
            "included": name in plan.VIEWPOINTS,
            "visible": [a_sees_b(name, other) for other in names],
            "unobstructed": [linked(name, other) for other in names],
            "height": plan.CAMERA_M,
        }
        for name in names
    ]


def pose(name: str, angle: float) -> list[float]:
    """4x4 camera pose, row by row; the camera stands upright and was set up at any angle."""
    x, y, z = position(name)
    c, s = round(math.cos(angle), 6), round(math.sin(angle), 6)
    return [c, 0.0, -s, x, s, 0.0, c, y, 0.0, -1.0, 0.0, z, 0.0, 0.0, 0.0, 1.0]


def a_sees_b(a: str, b: str) -> bool:
    """Tell whether two places are in one room, or linked through a door."""
    return a != b and (PLACES[a][0] == PLACES[b][0] or linked(a, b))


# --- what one sees ------------------------------------------------------------


def sector(degrees: float) -> int:
    """Which of NavGPT's eight absolute sectors a heading lies in; 0 is centred on north."""
    return int((degrees % 360.0 + 22.5) // 45.0) % 8


def objects_near(name: str, reach_m: float) -> Iterator[tuple[str, float, float]]:
    """Objects of the same room within reach, as ``(name, heading, distance)``; nearest first."""
    room = PLACES[name][0]
    here = position(name)
    seen = []
    for thing, x, y in plan.OBJECTS.get(room, ()):
        away = math.hypot(x - here[0], y - here[1])
        if away <= reach_m:
            seen.append((thing, heading(here, (x, y)), away))
    yield from sorted(seen, key=lambda item: item[2])


def doors_seen(name: str) -> Iterator[tuple[str, float, float]]:
    """Yield openings of the room, as ``(words, heading, distance)``."""
    room = PLACES[name][0]
    here = position(name)
    for door in plan.DOORS:
        if room not in door.rooms:
            continue
        other = ROOM[door.rooms[door.rooms[0] == room]]
        way = f"{door.what} leading to the {other.name}"
        if "stairs" in door.rooms:
            way = _stairs_words(room, other.name)
        yield way, heading(here, door.at), math.dist(here[:2], door.at)


def _stairs_words(room: str, other: str) -> str:
    if room == "hall":
        return "oak stairs leading up"
    if room == "landing":
        return "oak stairs leading down"
    return f"the stairs going {'down to the hall' if other == 'hall' else 'up to the landing'}"


def article(thing: str) -> str:
    """Return ``a`` or ``an`` before a noun; nothing before ``the`` or a plural."""
    if thing.startswith(("the ", "a ", "an ", "oak ", "stairs", "hanging")):
        return thing
    return f"{'an' if thing[0] in 'aeiou' else 'a'} {thing}"


def scene(name: str, k: int, words: random.Random) -> str:
    """One sentence on one of the eight directions."""
    room = ROOM[PLACES[name][0]]
    things = [thing for thing, degrees, _ in objects_near(name, SIGHT_M) if sector(degrees) == k][
        :3
    ]
    ways = [way for way, degrees, _ in doors_seen(name) if sector(degrees) == k]
    parts = [article(thing) for thing in dict.fromkeys(things)] + [article(way) for way in ways]
    if not parts:
        return words.choice(
            (
                f"There is {room.wall}.",
                f"The view ends at {room.wall}.",
                f"Only {room.wall} is there.",
            )
        )
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    openings = (
        f"A {room.name} with {listed}.",
        f"This side of the {room.name} has {listed}.",
        f"In the {room.name}: {listed}.",
    )
    return words.choice(openings)


def summary(name: str) -> str:
    """Return what NavGPT's summariser says of a viewpoint; it goes on from "Scene from the
    viewpoint is a".
    """
    room = ROOM[PLACES[name][0]]
    things = [article(thing) for thing, _, _ in objects_near(name, SIGHT_M)][:3]
    ways = [way for way, _, _ in sorted(doors_seen(name), key=lambda item: item[2])][:2]
    text = f"view of a {room.name}"
    if things:
        text += f" with {', '.join(dict.fromkeys(things))}"
    return text + (
        f"; from here one sees {' and '.join(article(way) for way in ways)}." if ways else "."
    )


def nearby(name: str) -> list[dict[str, dict[str, float]]]:
    """NavGPT's object list: one dictionary a sector, repeated names numbered."""
    sectors: list[dict[str, dict[str, float]]] = [{} for _ in range(8)]
    found = list(objects_near(name, OBJECTS_M))
    names = [thing for thing, _, _ in found]
    count: dict[str, int] = {}
    for thing, degrees, away in found:
        count[thing] = count.get(thing, 0) + 1
        key = f"{thing}_{count[thing]}" if names.count(thing) > 1 else thing
        sectors[sector(degrees)][key] = {"heading": round(degrees, 4), "distance": round(away, 4)}
    return sectors


# --- episodes ------------------------------------------------------------


def episodes() -> list[dict[str, Any]]:
    """R2R entries; the reference path is the shortest, as in R2R."""
    house = graph()
    return [
        {
            "distance": round(nx.dijkstra_path_length(house, route.start, route.goal), 2),
            "scan": plan.SCAN,
            "path_id": route.path_id,
            "path": [IDS[name] for name in nx.dijkstra_path(house, route.start, route.goal)],
            "heading": round(math.radians(route.facing_deg), 3),
            "instructions": list(route.instructions),
        }
        for route in plan.ROUTES
    ]


def rooms() -> dict[str, Any]:
    """Outlines and names, for drawing only; no agent reads them."""
    return {
        "floors": [{"name": name, "height_m": height} for name, height in plan.FLOORS],
        "rooms": [
            {"name": room.name, "floor": room.floor, "box_m": list(room.box)} for room in plan.ROOMS
        ],
        "doors": [
            {"at_m": list(door.at), "floor": ROOM[door.rooms[0]].floor} for door in plan.DOORS
        ],
    }


def write(path: Path, content: object) -> None:
    """Write JSON, one entry a line where it is a list or an object, so that a change reads well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, list):
        lines = ",\n".join(json.dumps(item) for item in content)
        path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    elif isinstance(content, dict):
        lines = ",\n".join(
            f"{json.dumps(key)}: {json.dumps(value)}" for key, value in content.items()
        )
        path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def main() -> None:
    """Write all files of the house."""
    words = random.Random(plan.SEED + 2)  # noqa: S311
    names = list(plan.VIEWPOINTS)
    write(FOLDER / "connectivity" / f"{plan.SCAN}_connectivity.json", connectivity())
    (FOLDER / "connectivity" / "scans.txt").write_text(plan.SCAN + "\n", encoding="utf-8")
    write(FOLDER / "R2R_sample.json", episodes())
    scenes = {IDS[name]: [scene(name, k, words) for k in range(8)] for name in names}
    write(FOLDER / "observations_list_summarized" / f"{plan.SCAN}.json", scenes)
    write(
        FOLDER / "observations_summarized" / f"{plan.SCAN}_summarized.json",
        {IDS[n]: summary(n) for n in names},
    )
    write(
        FOLDER / "objects_list" / f"{plan.SCAN}.json", {IDS[name]: nearby(name) for name in names}
    )
    write(FOLDER / "rooms" / f"{plan.SCAN}.json", rooms())


if __name__ == "__main__":
    main()
