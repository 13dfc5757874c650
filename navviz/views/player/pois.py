"""Collect the POIs of a player document: shown to the agent, named as landmarks, near the way."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rapidfuzz import fuzz
from scipy.spatial import cKDTree

from navviz.records import Landmark, SeenPoi, Step
from navviz.views.player.cut import Cut, rounded
from navviz.views.player.schema import Area, PoiEntry, SeenEntry
from navviz.world.geometry import inside_box
from navviz.world.graph import Graph, Poi
from navviz.world.per_graph import per_graph

MAX_POIS = 500
"""POIs in a document beside those that the agent was shown; the nearest to the way are kept."""

MAX_ENTRIES = 20_000
"""Entries kept with a graph, some 20 MB."""

NEAR_WAY_M = 70.0
"""Landmarks this near to the way are drawn, seen or not: a narrow miss explains a failure."""

LIKE_NAME_M = 60.0
"""Radius around its node in which a shown POI without an id is searched by name."""

LIKE_NAME_SCORE = 80.0
"""RapidFuzz ratio in percent from which a shown name counts as the name of a POI."""

_SHOWN_TAGS = (
    "name",
    "amenity",
    "shop",
    "cuisine",
    "tourism",
    "leisure",
    "highway",
    "railway",
    "public_transport",
)


def kind_of(poi: Poi) -> str | None:
    """Return what a POI is, in the words of its tags: ``restaurant``, ``traffic signals``."""
    # the first of them is the name, which is no kind
    for key in _SHOWN_TAGS[1:]:
        if key in poi.tags:
            return str(poi.tags[key]).replace("_", " ")
    for key, value in poi.tags.items():
        if key != "name":
            return str(value).replace("_", " ")
    return None


@dataclass
class ShownPois:
    """Collects POIs and hands out their indices."""

    graph: Graph
    cut: Cut
    landmarks: Sequence[Landmark]
    steps: Sequence[Step]
    _order: dict[str, int] = field(default_factory=dict, init=False)
    _resolved: dict[tuple[str, str | None], str | None] = field(default_factory=dict, init=False)

    def seen(self, poi: SeenPoi, node: str | None) -> SeenEntry:
        """Return a POI that the agent was shown, with its own place or that of its node."""
        poi_id = self._id_in_graph(poi)
        anchor = poi.node or node
        fields = poi.model_dump(include=set(SeenEntry.model_fields) - {"node"})
        fields["node"] = None if poi.node is None else self.cut.index.get(poi.node, poi.node)
        if poi_id is not None:
            place = rounded(self.graph.pois[poi_id].position, self.graph.frame)
            return SeenEntry(**fields, poi=self._index(poi_id), at=place)
        if anchor is not None and anchor in self.graph:
            place = rounded(self.graph.position(anchor), self.graph.frame)
            return SeenEntry(**fields, at=place, approximate=True)
        return SeenEntry(**fields)

    def _index(self, poi_id: str) -> int:
        return self._order.setdefault(poi_id, len(self._order))

    def _id_in_graph(self, poi: SeenPoi) -> str | None:
        if poi.poi_id is not None and poi.poi_id in self.graph.pois:
            return poi.poi_id
        key = (poi.name, poi.node)
        # agents are shown the same POI at step after step, and each search compares many names
        if key not in self._resolved:
            self._resolved[key] = self._by_name(poi)
        return self._resolved[key]

    def _by_name(self, poi: SeenPoi) -> str | None:
        """Return the POI near its node with the most similar name, if any name is similar."""
        if poi.node is None or poi.node not in self.graph:
            return None
        near = self.graph.pois_near(self.graph.position(poi.node), LIKE_NAME_M)
        # -k: among equally similar names the nearest POI wins.
        scored = [(_likeness(poi.name, other), -k, other.id) for k, other in enumerate(near)]
        best = max(scored, default=(0.0, 0, ""))
        return best[2] if best[0] >= LIKE_NAME_SCORE else None

    def dump(self) -> list[PoiEntry]:
        """All POIs: those shown to the agent first, then those along the way."""
        for poi_id in self._along_the_way():
            self._index(poi_id)
        letters = {mark.name.casefold(): mark.letter for mark in self.landmarks if mark.letter}
        entries = [self._entry(self.graph.pois[poi_id]) for poi_id in self._order]
        if letters:
            for k, entry in enumerate(entries):
                if letter := letters.get(entry.name.casefold()):
                    entries[k] = entry.model_copy(update={"letter": letter})
        return entries

    def _entry(self, poi: Poi) -> PoiEntry:
        entries = _entries(self.graph)
        entry = entries.get(poi.id)
        if entry is not None:
            return entry
        kind = kind_of(poi)
        # a POI without a name is named by its kind, which would stand there twice
        if kind is not None and kind.casefold() == poi.name.casefold():
            kind = None
        entry = PoiEntry(
            id=poi.id,
            name=poi.name,
            at=rounded(poi.position, self.graph.frame),
            kind=kind or None,
            light=poi.tags.get("highway") == "traffic_signals" or None,
        )
        if len(entries) < MAX_ENTRIES:
            entries[poi.id] = entry
        return entry

    def _along_the_way(self) -> Iterable[str]:
        """POIs near the nodes of the cut, the nearest first, as many as there is room for."""
        if not self.graph.pois or not self.cut.ids:
            return []
        nodes = self.graph.metric_positions[[self.graph.index[node] for node in self.cut.ids]]
        pois = self.graph.metric_poi_positions
        # a box first: the tree then only looks up POIs around the way, not those of the whole city
        low, high = nodes.min(axis=0) - NEAR_WAY_M, nodes.max(axis=0) + NEAR_WAY_M
        boxed = np.flatnonzero(inside_box(pois, low, high))
        nearest, _ = cKDTree(nodes).query(pois[boxed], distance_upper_bound=NEAR_WAY_M)
        distances_m = np.asarray(nearest)
        order = np.argsort(distances_m, kind="stable")
        # SciPy gives an infinite distance where nothing lies within the bound.
        near = [int(boxed[k]) for k in order if np.isfinite(distances_m[k])]
        return [self.graph.poi_ids[k] for k in near[:MAX_POIS]]


@per_graph
def _entries(_: Graph) -> dict[str, PoiEntry]:
    """Return the entries of a graph that were made: walks of one map pass the same places."""
    return {}


def _likeness(name: str, poi: Poi) -> float:
    """Return the best RapidFuzz ratio of a name to the tags of a POI that agents are shown."""
    best = 0.0
    for key in _SHOWN_TAGS:
        if key in poi.tags:
            text = str(poi.tags[key]).replace("_", " ")
            best = max(best, fuzz.partial_ratio(name.casefold(), text.casefold()))
    return best


MAX_NUMBERS = 40_000
"""Coordinates in a document's backdrop; what comes later in the file is left out."""

METRES_PER_DEGREE = 111_195.0
"""Of latitude, on a sphere with the mean radius of the Earth (6,371 km)."""


def backdrop(geojson: object, cut: Cut) -> list[Area]:
    """Areas and lines near the cut in file order.

    Features that cannot be parsed are left out: a backdrop is only a decoration.
    """
    # GeoJSON is in degrees: nodes with three coordinates lie in a house, in metres
    if not isinstance(geojson, dict) or not cut.positions or len(cut.positions[0]) != 2:
        return []
    kept: list[Area] = []
    room = MAX_NUMBERS
    for feature in geojson.get("features") or []:
        try:
            # as a list: a feature that breaks in its middle adds none of its shapes
            shapes = list(_shapes(feature))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            continue
        for shape in shapes:
            room -= sum(map(len, shape.rings))
            if room < 0:
                return kept
            kept.append(shape)
    return kept


def _shapes(feature: dict[str, Any]) -> Iterator[Area]:
    geometry = feature["geometry"]
    properties = feature.get("properties") or {}
    kind = str(properties.get("kind", "area"))
    coordinates = geometry["coordinates"]
    match geometry["type"]:
        case "Polygon":
            yield Area(kind=kind, rings=[_flat(ring) for ring in coordinates])
        case "MultiPolygon":
            for polygon in coordinates:
                yield Area(kind=kind, rings=[_flat(ring) for ring in polygon])
        case "LineString":
            yield Area(
                kind=kind,
                rings=[_flat(coordinates)],
                line=True,
                width_m=float(properties["width_m"]) if "width_m" in properties else None,
            )
        case "Point":
            radius_m = float(properties.get("radius_m", 3.0))
            yield Area(kind=kind, rings=[_disc(coordinates, radius_m)])


def _flat(ring: list[list[float]]) -> list[float]:
    """GeoJSON's ``[lon, lat]`` pairs as flat ``lat, lon``."""
    # GeoJSON allows a third number, the height, which a flat map has no use for.
    return _flattened((place[1], place[0]) for place in ring)


def _flattened(places: Iterable[tuple[float, float]]) -> list[float]:
    flat: list[float] = []
    for place in places:
        flat += rounded(place, "geo")
    return flat


def _disc(place: list[float], radius_m: float, corners: int = 10) -> list[float]:
    """Return the corners of a circle around ``[lon, lat]`` as flat ``lat, lon``."""
    lon, lat = float(place[0]), float(place[1])
    up_deg = radius_m / METRES_PER_DEGREE
    # Near a pole a degree of longitude shrinks to nothing: the disc must not grow without end.
    across_deg = up_deg / max(0.01, math.cos(math.radians(lat)))
    turns = [2 * math.pi * k / corners for k in range(corners)]
    return _flattened(
        (lat + up_deg * math.sin(turn), lon + across_deg * math.cos(turn)) for turn in turns
    )
