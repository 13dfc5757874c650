"""What the player's floor plan and 3-D scene need of a house: floors, stairs, rooms and doors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from navviz.views.player.cut import Cut
from navviz.world.floors import find_floors
from navviz.world.graph import Graph

__all__ = ["indoor_part"]


def indoor_part(graph: Graph, cut: Cut) -> dict[str, Any]:
    """The key ``indoor`` of a player document; empty for a graph outdoors.

    Returns
    -------
    ``{"indoor": {floors: [{name, level_m}], floor_of: [floor of each node of the cut], stairs: [node index],
    rooms: [{name, floor, box_m}], doors: [{at_m, floor}]}}``; rooms and doors only where the house's folder has them.
    """
    if graph.frame != "metric":
        return {}
    floors = find_floors(graph)
    stairs = [k for k, node in enumerate(cut.ids) if node in floors.stairs]
    drawing = graph.info.rooms
    return {
        "indoor": {
            "floors": [
                {"name": name, "level_m": level} for name, level in zip(floors.names, floors.levels_m, strict=True)
            ],
            "floor_of": [floors.of[node] for node in cut.ids],
            "stairs": stairs,
            "rooms": _boxes(drawing, len(floors)),
            "doors": _doors(drawing, len(floors)),
        }
    }


def _boxes(drawing: object, floors: int) -> list[dict[str, Any]]:
    """Rooms that can be drawn; what does not fit is passed over, it is only a decoration."""
    found = []
    for room in _listed(drawing, "rooms"):
        box, floor = room.get("box_m"), room.get("floor")
        if _numbers(box, 4) and isinstance(floor, int) and 0 <= floor < floors:
            found.append({"name": str(room.get("name", "")), "floor": floor, "box_m": box})
    return found


def _doors(drawing: object, floors: int) -> list[dict[str, Any]]:
    found = []
    for door in _listed(drawing, "doors"):
        at, floor = door.get("at_m"), door.get("floor")
        if _numbers(at, 2) and isinstance(floor, int) and 0 <= floor < floors:
            found.append({"at_m": at, "floor": floor})
    return found


def _listed(drawing: object, key: str) -> list[Mapping[str, Any]]:
    items = drawing.get(key) if isinstance(drawing, dict) else None
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _numbers(value: object, count: int) -> bool:
    return isinstance(value, list) and len(value) == count and all(isinstance(v, int | float) for v in value)
