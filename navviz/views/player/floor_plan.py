"""What the player's floor plan and 3-D scene need of a house: floors, stairs, rooms and doors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from pydantic import ValidationError

from navviz.views.player.cut import Cut
from navviz.views.player.schema import Door, Floor, House, Outline, Room
from navviz.world.floors import Floors, find_floors
from navviz.world.graph import Graph

__all__ = ["floor_shapes", "house_of"]

Drawn = TypeVar("Drawn", Room, Door)


def house_of(graph: Graph, cut: Cut) -> House | None:
    """Return the house of a player document, with rooms and doors where its folder has them; ``None`` outdoors."""
    if graph.frame != "metric":
        return None
    floors = find_floors(graph)
    return House(
        floors=[Floor(name=name, level_m=level) for name, level in zip(floors.names, floors.levels_m, strict=True)],
        floor_of=[floors.of[node] for node in cut.ids],
        stairs=[k for k, node in enumerate(cut.ids) if node in floors.stairs],
        rooms=list(_drawn(graph.info.rooms, "rooms", Room, len(floors))),
        doors=list(_drawn(graph.info.rooms, "doors", Door, len(floors))),
        outlines=list(_outlines(graph, floors)),
    )


def floor_shapes(graph: Graph, floors: Floors, floor: int) -> list[tuple[str, list[tuple[float, float]]]]:
    """Return names and corners, in metres, of what is known of a floor: rooms, else regions."""
    shapes = []
    for room in _drawn(graph.info.rooms, "rooms", Room, len(floors)):
        west, south, east, north = room.box_m
        if room.floor == floor:
            shapes.append((room.name, [(west, south), (east, south), (east, north), (west, north)]))
    shapes += [(region.name, region.outline_m) for region in _outlines(graph, floors) if region.floor == floor]
    return shapes


def _outlines(graph: Graph, floors: Floors) -> Iterator[Outline]:
    """Regions of a scene by the objects in them."""
    drawing: object = graph.info.rooms
    regions = drawing.get("outlines") if isinstance(drawing, dict) else None
    for region in regions if isinstance(regions, list) else []:
        try:
            floor = floors.of[region["node"]]
            outline = Outline(name=region.get("name", ""), floor=floor, outline_m=region["outline_m"])
        except (AttributeError, KeyError, TypeError, ValidationError):  # no region, or one of another scene
            continue
        if len(outline.outline_m) > 2:
            yield outline


def _drawn(drawing: object, key: str, kind: type[Drawn], floors: int) -> Iterator[Drawn]:
    """Rooms or doors that can be drawn; what does not fit is passed over, it is only a decoration."""
    items = drawing.get(key) if isinstance(drawing, dict) else None
    for item in items if isinstance(items, list) else []:
        try:
            part = kind.model_validate({name: item.get(name, "") for name in kind.model_fields})
        except (AttributeError, ValidationError):
            continue
        if 0 <= part.floor < floors:
            yield part
