"""What the player's floor plan and 3-D scene need of a house: floors, stairs, rooms and doors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from pydantic import ValidationError

from navviz.views.player.cut import Cut
from navviz.views.player.pictures import floor_images
from navviz.views.player.schema import Door, Floor, House, Outline, Room
from navviz.world.floors import Floors, find_floors
from navviz.world.graph import Graph

Drawn = TypeVar("Drawn", Room, Door)


def house_of(graph: Graph, cut: Cut) -> House | None:
    """Return the house of a player document; ``None`` outdoors.

    It has rooms and doors where the folder of its graph has them.
    """
    if graph.frame != "metric":
        return None
    # floors of the whole house, not of the cut: they are numbered alike in every document
    floors = find_floors(graph)
    named_levels = zip(floors.names, floors.levels_m, strict=True)
    return House(
        floors=[Floor(name=name, level_m=level_m) for name, level_m in named_levels],
        floor_of=[floors.of[node] for node in cut.ids],
        stairs=[k for k, node in enumerate(cut.ids) if node in floors.stairs],
        rooms=list(_drawn(graph.info.rooms, "rooms", Room, len(floors))),
        doors=list(_drawn(graph.info.rooms, "doors", Door, len(floors))),
        outlines=list(_outlines(graph, floors)),
        pictures=floor_images(graph, floors),
    )


def floor_shapes(
    graph: Graph, floors: Floors, floor: int
) -> list[tuple[str, list[tuple[float, float]]]]:
    """Return names and corners, in metres, of the rooms and regions of a floor."""
    shapes = []
    for room in _drawn(graph.info.rooms, "rooms", Room, len(floors)):
        west, south, east, north = room.box_m
        box = [(west, south), (east, south), (east, north), (west, north)]
        if room.floor == floor:
            shapes.append((room.name, room.outline_m or box))
    regions = [region for region in _outlines(graph, floors) if region.floor == floor]
    return shapes + [(region.name, region.outline_m) for region in regions]


def _outlines(graph: Graph, floors: Floors) -> Iterator[Outline]:
    """Regions of a scene by the objects in them."""
    drawing: object = graph.info.rooms
    regions = drawing.get("outlines") if isinstance(drawing, dict) else None
    for region in regions if isinstance(regions, list) else []:
        try:
            floor = floors.of[region["node"]]
            name = region.get("name", "")
            outline = Outline(name=name, floor=floor, outline_m=region["outline_m"])
        except (AttributeError, KeyError, TypeError, ValidationError):
            continue  # not a region, or a region of another scene
        if len(outline.outline_m) > 2:
            yield outline


def _drawn(drawing: object, key: str, kind: type[Drawn], floors: int) -> Iterator[Drawn]:
    """Yield rooms or doors that can be drawn; leave out the rest, they only decorate."""
    items = drawing.get(key) if isinstance(drawing, dict) else None
    for item in items if isinstance(items, list) else []:
        try:
            # a name may be missing, an outline left out
            fields = {name: item.get(name, "") for name in kind.model_fields}
            if not fields.get("outline_m", True):
                del fields["outline_m"]
            part = kind.model_validate(fields)
        except (AttributeError, ValidationError):
            continue
        if 0 <= part.floor < floors:
            yield part
