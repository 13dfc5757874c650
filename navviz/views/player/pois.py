"""The POIs of a player document: those that the agent was shown, those of the landmarks, and those along the way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz
from scipy.spatial import cKDTree

from navviz.records import Landmark, SeenPoi, Step
from navviz.views.player.cut import Cut, rounded
from navviz.views.player.schema import PoiEntry, SeenEntry
from navviz.world.graph import Graph, Poi
from navviz.world.per_graph import per_graph
from navviz.world.pois import positions_of

__all__ = ["ShownPois"]

MAX_POIS = 500
"""POIs in a document beside those that the agent was shown; the nearest to the way are kept."""
NEAR_WAY_M = 70.0
"""Landmarks this near to the way are drawn, seen or not: one that the agent just missed tells why it failed."""
LIKE_NAME_M = 60.0
"""How far from its node a shown POI is looked for by name, where the log does not give its id."""
LIKE_NAME_SCORE = 80.0
"""RapidFuzz ratio in percent from which a shown name is taken for that of a POI."""
_SHOWN_TAGS = ("name", "amenity", "shop", "cuisine", "tourism", "leisure", "highway", "railway", "public_transport")


def kind_of(poi: Poi) -> str | None:
    """Return what a POI is, in the words of its tags: ``restaurant``, ``traffic signals``."""
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
        """Return a POI that the agent was shown, with its place: its own, or that of the node it is attached to."""
        known = self._known(poi)
        anchor = poi.node or node
        told = poi.model_dump(include=set(SeenEntry.model_fields) - {"node"})
        told["node"] = None if poi.node is None else self.cut.index.get(poi.node, poi.node)
        if known is not None:
            place = rounded(self.graph.pois[known].position, self.graph.frame)
            return SeenEntry(**told, poi=self._index(known), at=place)
        if anchor is not None and anchor in self.graph:
            place = rounded(self.graph.position(anchor), self.graph.frame)
            return SeenEntry(**told, at=place, approximate=True)
        return SeenEntry(**told)

    def _index(self, poi_id: str) -> int:
        return self._order.setdefault(poi_id, len(self._order))

    def _known(self, poi: SeenPoi) -> str | None:
        if poi.poi_id is not None and poi.poi_id in self.graph.pois:
            return poi.poi_id
        key = (poi.name, poi.node)
        if key not in self._resolved:
            self._resolved[key] = self._by_name(poi)
        return self._resolved[key]

    def _by_name(self, poi: SeenPoi) -> str | None:
        """Return the POI near its node that is named most like it, where one is like it at all."""
        if poi.node is None or poi.node not in self.graph:
            return None
        near = self.graph.pois_near(self.graph.position(poi.node), LIKE_NAME_M)
        scored = [(_likeness(poi.name, other), -k, other.id) for k, other in enumerate(near)]
        best = max(scored, default=(0.0, 0, ""))
        return best[2] if best[0] >= LIKE_NAME_SCORE else None

    def dump(self) -> list[PoiEntry]:
        """All POIs: those shown to the agent first, then those along the way."""
        for poi_id in self._along_the_way():
            self._index(poi_id)
        letters = {mark.name.casefold(): mark.letter for mark in self.landmarks if mark.letter}
        return [self._entry(self.graph.pois[poi_id], letters) for poi_id in self._order]

    def _entry(self, poi: Poi, letters: dict[str, str]) -> PoiEntry:
        kind = kind_of(poi)
        return PoiEntry(
            id=poi.id,
            name=poi.name,
            at=rounded(poi.position, self.graph.frame),
            kind=kind if kind and kind.casefold() != poi.name.casefold() else None,
            light=poi.tags.get("highway") == "traffic_signals" or None,
            letter=letters.get(poi.name.casefold()),
        )

    def _along_the_way(self) -> Iterable[str]:
        """POIs near the nodes of the cut, the nearest first, as many as there is room for."""
        if not self.graph.pois or not self.cut.ids:
            return []
        nodes = self.graph.metric_positions[[self.graph.index[node] for node in self.cut.ids]]
        pois, low, high = _metric_pois(self.graph), nodes.min(axis=0) - NEAR_WAY_M, nodes.max(axis=0) + NEAR_WAY_M
        boxed = np.flatnonzero(((pois >= low) & (pois <= high)).all(axis=1))
        distances_m = np.asarray(cKDTree(nodes).query(pois[boxed], distance_upper_bound=NEAR_WAY_M)[0])
        order = np.argsort(distances_m, kind="stable")
        near = [int(boxed[k]) for k in order if np.isfinite(distances_m[k])]
        return [self.graph.poi_ids[k] for k in near[:MAX_POIS]]


@per_graph
def _metric_pois(graph: Graph) -> NDArray[np.float64]:
    """Positions of all POIs in metres, in their order."""
    positions = positions_of(graph.pois, graph.positions.shape[1])
    return graph.to_metric(positions) if graph.frame == "geo" else positions


def _likeness(name: str, poi: Poi) -> float:
    texts = [str(poi.tags[key]).replace("_", " ") for key in _SHOWN_TAGS if key in poi.tags]
    return max((fuzz.partial_ratio(name.casefold(), text.casefold()) for text in texts), default=0.0)
