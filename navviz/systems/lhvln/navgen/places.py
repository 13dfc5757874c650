"""What tasks can be written about: regions with things in them, and the nodes at which a thing
counts as reached.

Three kinds of world give it: a scene of Habitat-Matterport3D (exact regions, no way to walk), a
house of viewpoints (things that can be seen within 3 m, room names exact where the house has a
drawing, else guessed from the sentence about a viewpoint), and a town (places of interest, the
street nodes that they are linked to).
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain, combinations

import numpy as np

from navviz.language.rooms import room_word
from navviz.world.floors import find_floors
from navviz.world.graph import Graph, Poi
from navviz.world.info import SceneObject, object_id

_REACH_M = 3.0
"""A thing is reached at viewpoints from which it is seen this near (REVERIE's and NavGPT's files
both list so far).
"""

_BLOCK_M = 150.0
"""Towns have no rooms; their places are grouped by squares of this side."""

_SAME_M = 1.0


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that a sub-task can send one to."""

    name: str
    goals: tuple[str, ...]
    """Nodes at which it counts as reached; in a scene without ways, the thing itself."""
    poi: str | None = None


@dataclass(frozen=True, slots=True)
class PlaceRegion:
    """A room, or a block of a town."""

    id: str
    room: str
    guessed: bool = False
    """Whether the room's name was read out of a sentence."""
    things: tuple[Thing, ...] = ()
    middle: tuple[float, ...] | None = None
    """In metres."""

    @property
    def label(self) -> str:
        """``Region 8: Kitchen``."""
        return f"Region {self.id}: {self.room}"

    def named(self, name: str) -> tuple[Thing, ...]:
        """Things of this name."""
        return tuple(thing for thing in self.things if thing.name == name)


@dataclass(frozen=True)
class Places:
    """All regions of one world by id."""

    world: str
    regions: Mapping[str, PlaceRegion] = field(default_factory=dict)
    walkable: bool = True
    """Whether ways between things are known."""
    outdoors: bool = False


def places_of(graph: Graph) -> Places:
    """Return what there is in a world."""
    if graph.info.scene is not None:
        regions: dict[str, PlaceRegion] = {}
        for region in graph.info.scene.rooms:
            room = f"Tie: {region.room}" if region.tie else str(region.room)
            placed = [thing for thing in region.objects if thing.position is not None]
            things = tuple(map(_thing, placed))
            regions[region.id] = PlaceRegion(region.id, room, things=things, middle=region.middle)
        return Places(graph.name, regions, walkable=False)
    if graph.frame == "geo":
        return Places(graph.name, _blocks(graph), outdoors=True)
    return Places(graph.name, _rooms(graph))


def _thing(thing: SceneObject) -> Thing:
    return Thing(thing.name.replace("/", ""), (object_id(thing),), object_id(thing))


def _blocks(graph: Graph) -> dict[str, PlaceRegion]:
    """Named places of a town by square."""
    linked: dict[str, list[str]] = {}
    for node in graph.ids:
        for link in graph.poi_links(node):
            linked.setdefault(link.poi, []).append(node)
    named = [poi for key, poi in graph.pois.items() if "name" in poi.tags and key in linked]
    if not named:
        return {}
    at = graph.to_metric(np.array([poi.position for poi in named], dtype=float))
    groups: dict[tuple[int, int], list[int]] = {}
    for k, (x, y) in enumerate(at.tolist()):
        groups.setdefault((int(x // _BLOCK_M), int(y // _BLOCK_M)), []).append(k)
    blocks: dict[str, PlaceRegion] = {}
    for number, (_, members) in enumerate(sorted(groups.items()), start=1):
        things = []
        for poi in (named[k] for k in members):
            goals = tuple(dict.fromkeys(linked[poi.id]))
            things.append(Thing(poi.name, goals, poi.id))
        middle = tuple(at[members].mean(axis=0).tolist())
        name = str(number)
        blocks[name] = PlaceRegion(name, "Block", things=tuple(things), middle=middle)
    return blocks


# --- houses of viewpoints
# -------------------------------------------------------------------------------------------


def _rooms(graph: Graph) -> dict[str, PlaceRegion]:
    """Return the rooms of a house: as drawn, else neighbouring viewpoints of one room word."""
    drawn = _drawn_rooms(graph)
    room_of = drawn or _guessed_rooms(graph)
    members: dict[str, list[str]] = {}
    for node, key in room_of.items():
        members.setdefault(key, []).append(node)
    things = _things_by_region(graph, room_of)
    rooms: dict[str, PlaceRegion] = {}
    for number, (key, nodes) in enumerate(members.items(), start=1):
        middle = np.mean([graph.position(node) for node in nodes], axis=0)
        rooms[str(number)] = PlaceRegion(
            str(number),
            key.partition("#")[0].capitalize(),
            guessed=not drawn,
            things=tuple(things.get(key, ())),
            middle=tuple(middle.tolist()),
        )
    return rooms


def _drawn_rooms(graph: Graph) -> dict[str, str]:
    """Room of each viewpoint by the drawing of the house; empty where there is none."""
    rooms = (graph.info.rooms or {}).get("rooms")
    if not isinstance(rooms, list):
        return {}
    floors = find_floors(graph)
    labels: dict[str, str] = {}
    for node in graph.ids:
        x, y = graph.position(node)[:2]
        for room in rooms:
            x0, y0, x1, y1 = room["box_m"]
            if room["floor"] == floors.of[node] and x0 <= x <= x1 and y0 <= y <= y1:
                # rooms of one name on two floors stay apart
                labels[node] = f"{room['name']}#{room['floor']}"
                break
    return labels


def _guessed_rooms(graph: Graph) -> dict[str, str]:
    """Room of each viewpoint by its sentence; linked viewpoints with one word are one room."""
    seen = graph.info.observations
    words: dict[str, str] = {}
    summaries = seen.summaries if seen else {}
    for node in graph.ids:
        word = room_word(summaries.get(node, ""))
        if word:
            words[node] = word
    rooms: dict[str, str] = {}
    for number, node in enumerate(node for node in graph.ids if node in words):
        if node in rooms:
            continue
        front = [node]
        while front:
            here = front.pop()
            if here not in rooms:
                # the number keeps rooms of one name apart; labels leave it out
                rooms[here] = f"{words[node]}#{number}"
                neighbours = graph.neighbours(here)
                front += [other for other in neighbours if words.get(other) == words[node]]
    return rooms


def _things_by_region(graph: Graph, room_of: Mapping[str, str]) -> dict[str, list[Thing]]:
    """Things with a goal, under the room of the viewpoint nearest to them."""
    things: dict[str, list[Thing]] = {}
    for poi, goals in _goals(graph):
        near = min(
            goals,
            key=lambda node: float(np.linalg.norm(np.subtract(graph.position(node), poi.position))),
        )
        if near in room_of:
            things.setdefault(room_of[near], []).append(Thing(poi.name, goals, poi.id))
    return things


def _goals(graph: Graph) -> Iterable[tuple[Poi, tuple[str, ...]]]:
    """Objects with the viewpoints from which they are seen within 3 m."""
    visible = graph.info.visible_objects
    if visible:
        yield from _visible_goals(graph, visible.visible())
        return
    seen = graph.info.observations
    listing: dict[str, list[str]] = {}
    for node, sectors in (seen.objects if seen else {}).items():
        for name in {_kind(thing.name) for thing in chain.from_iterable(sectors)}:
            listing.setdefault(name, []).append(node)
    for poi in graph.pois.values():
        nodes = listing.get(poi.name, ())
        # the name alone is not enough: a house has many chairs
        near = [node for node in nodes if _flat_m(graph, node, poi) <= _REACH_M + _SAME_M]
        if near:
            yield poi, tuple(near)


def _kind(name: str) -> str:
    """Return the name of an object without its number (``chair_2``)."""
    return re.sub(r"_\d+$", "", name)


def _visible_goals(
    graph: Graph, seen: Iterable[tuple[str, object]]
) -> Iterable[tuple[Poi, tuple[str, ...]]]:
    """Place true objects at the middle of where they are seen from: REVERIE gives no position."""
    nodes: dict[tuple[str, str], list[str]] = {}
    for node, thing in seen:
        if node in graph:
            nodes.setdefault(
                (str(getattr(thing, "id", "")), str(getattr(thing, "name", ""))), []
            ).append(node)
    for (key, name), goals in nodes.items():
        middle = np.mean([graph.position(node) for node in goals], axis=0).tolist()
        yield Poi(f"{name} {key}", tuple(middle), {"name": name}), tuple(dict.fromkeys(goals))


def _flat_m(graph: Graph, node: str, poi: Poi) -> float:
    a, b = graph.position(node), poi.position
    # so far up or down is another floor, however near it is on the plan
    if abs(a[2] - b[2]) > _REACH_M - _SAME_M:
        return float("inf")
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def tags_at(graph: Graph, node: str) -> tuple[str, ...]:
    """Return the names at a node: room, objects, places of interest; NavGen has pictures."""
    tags: list[str] = []
    seen = graph.info.observations
    if seen:
        room = room_word(seen.summaries.get(node, ""))
        tags += [room] if room else []
        things = chain.from_iterable(seen.objects.get(node, ()))
        tags += [_kind(thing.name) for thing in things]
    tags += [graph.pois[link.poi].name for link in graph.poi_links(node)] if node in graph else []
    return tuple(dict.fromkeys(tags))


SceneDictionary = dict[str, list[str]]

NOT_EXTRACTED = frozenset(
    {
        "wall",
        "frame",
        "floor",
        "sheet",
        "unknown",
        "stairs",
        "ceiling",
        "window",
        "curtain",
        "pillow",
        "beam",
        "decoration",
    }
)  # fmt: skip
"""Names that are left out when a scene is extracted: a task that names one is rejected."""

DROPPED = NOT_EXTRACTED | {"wood", "cleaner", "door knob", "mirror", "switch", "device"}
"""Names that no prompt shows."""

MOST_OBJECTS = 5
"""LH-VLN's prompt shows at most five objects a region."""

_REGIONS = 3
"""LH-VLN's prompt shows three regions."""


def scene_dictionary(
    places: Places, rng: random.Random, *, sample_objects: bool = True, sample_regions: bool = False
) -> SceneDictionary:
    """Names in each region, without duplicates."""
    chosen = list(places.regions)
    if sample_regions and len(chosen) > _REGIONS:
        middles: dict[str, tuple[float, ...]] = {}
        for key, region in places.regions.items():
            if region.middle is not None:
                middles[key] = region.middle
        chosen = list(mid_distance_regions(middles))
    dictionary: SceneDictionary = {}
    for key in chosen:
        region = places.regions[key]
        things = dict.fromkeys(thing.name for thing in region.things)
        # before the draw, so that no place among the five is lost to a name that no prompt shows
        names = [name for name in things if name not in DROPPED]
        if sample_objects and len(names) > MOST_OBJECTS:
            names = rng.sample(names, MOST_OBJECTS)
        dictionary[region.label] = names
    return dictionary


def mid_distance_regions(middles: Mapping[str, tuple[float, ...]]) -> tuple[str, ...]:
    """Three regions: the pair at median distance, and the one with the nearest mean to both."""
    if len(middles) <= _REGIONS:
        return tuple(middles)
    # ids break ties, so that a world always gives the same regions
    pairs = sorted((math.dist(middles[a], middles[b]), a, b) for a, b in combinations(middles, 2))
    distance_m, first, second = pairs[len(pairs) // 2]
    rest = [key for key in middles if key not in {first, second}]
    third = min(
        rest,
        key=lambda key: abs(
            (
                (math.dist(middles[key], middles[first]) + math.dist(middles[key], middles[second]))
                / 2
            )
            - distance_m
        ),
    )
    return first, second, third
