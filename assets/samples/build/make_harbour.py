"""Write the sample town Tidewick in Map2Seq's file format: ``python
assets/samples/build/make_harbour.py [FOLDER]``.

The same plan and seed give byte-identical files. Street nodes lie about 10 m apart, with
hexadecimal ids between junctions and numeric ids at them, links lead both ways, and a POI is linked
from every street node within 30 m of its outline, as in Map2Seq (Schumann and Riezler 2021).
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import sys
from dataclasses import dataclass, field
from pathlib import Path

import harbour_plan as plan
from harbour_backdrop import backdrop
from harbour_routes import ROUTES, Route
from harbour_shapes import (
    Point,
    along,
    curve,
    heading,
    length,
    middle,
    move,
    nearest_on_outline,
    rectangle,
    resample,
)

SEED = 1852
SPACING_M = 10.0
POI_RANGE_M = 30.0
HERE = Path(__file__).resolve().parent
_METRES_PER_DEGREE = math.radians(1.0) * 6_371_000.0


@dataclass
class Poi:
    """A point of interest with its outline (a single point for a bus stop)."""

    id: str
    name: str
    tags: dict[str, str]
    outline: list[Point]

    @property
    def position(self) -> Point:
        """Where the map puts it."""
        return middle(self.outline)


@dataclass
class Town:
    """The built town; positions in metres."""

    nodes: dict[str, Point] = field(default_factory=dict)
    links: list[tuple[str, str]] = field(default_factory=list)
    segments: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """Node ids of each stretch of street between two neighbouring junctions, both ways."""
    lines: dict[tuple[str, str], list[Point]] = field(default_factory=dict)
    """The same stretches as dense polylines."""
    streets: dict[str, list[Point]] = field(default_factory=dict)
    pois: list[Poi] = field(default_factory=list)

    def route(self, route: Route) -> list[str]:
        """Node ids of a route."""
        a, b, start_m = route.start
        first = self.segments[a, b]
        ids = first[round(start_m / SPACING_M) :]
        for k in range(len(route.via) - 1):
            ids += self.segments[route.via[k], route.via[k + 1]][1:]
        c, d, end_m = route.end
        return ids + self.segments[c, d][1 : 1 + round(end_m / SPACING_M)]


def build() -> Town:
    """Build the town from its plan."""
    town = Town()
    for name, position in plan.JUNCTIONS.items():
        town.nodes[_number(name)] = position
    for name, points in plan.STREETS.items():
        _lay_street(town, name, points)
    town.pois = [_light(name) for name in plan.TRAFFIC_LIGHTS] + [
        _poi(town, place) for place in plan.PLACES
    ]
    return town


def _digest(text: str) -> str:
    return hashlib.md5(f"{SEED}:{text}".encode(), usedforsecurity=False).hexdigest()


def _number(text: str) -> str:
    return str(9_000_000_000 + int(_digest(text)[:12], 16) % 1_000_000_000)


def _lay_street(town: Town, name: str, points: tuple[str | Point, ...]) -> None:
    stretches = curve([plan.JUNCTIONS[p] if isinstance(p, str) else p for p in points])
    town.streets[name] = [p for stretch in stretches for p in stretch]
    junctions = [i for i, p in enumerate(points) if isinstance(p, str)]
    for i, j in itertools.pairwise(junctions):
        line = [p for stretch in stretches[i:j] for p in stretch[:-1]] + [stretches[j - 1][-1]]
        _lay_segment(town, str(points[i]), str(points[j]), line)


def _lay_segment(town: Town, a: str, b: str, line: list[Point]) -> None:
    inner = resample(line, SPACING_M)[1:-1]
    ids = [_digest(f"{a}>{b}:{k}") for k in range(len(inner))]
    town.nodes.update(zip(ids, inner, strict=True))
    ids = [_number(a), *ids, _number(b)]
    town.segments[a, b], town.segments[b, a] = ids, ids[::-1]
    town.lines[a, b], town.lines[b, a] = line, line[::-1]
    for p, q in itertools.pairwise(ids):
        town.links += [(p, q), (q, p)]


def _light(junction: str) -> Poi:
    return Poi(_number(junction), "", {"highway": "traffic_signals"}, [plan.JUNCTIONS[junction]])


def _poi(town: Town, place: plan.Place) -> Poi:
    line = town.lines[place.start, place.end]
    if place.along_m > length(line):
        raise ValueError(f"{place.name} stands beyond the end of its street")
    kerb, walking = along(line, place.along_m)
    towards = walking + (90 if place.side == "right" else -90)
    front = move(kerb, towards, place.setback_m)
    outline = rectangle(front, towards, place.width_m, place.depth_m) if place.width_m else [front]
    tags = dict(pair.split("=", 1) for pair in place.tags.split(";"))
    return Poi(
        _number(f"poi {place.name} {place.start}"),
        place.name,
        {**tags, "name": place.name},
        outline,
    )


def degrees(p: Point) -> tuple[float, float]:
    """``(lat, lon)`` in degrees of a point in metres."""
    lat0, lon0 = plan.ORIGIN
    return lat0 + p[1] / _METRES_PER_DEGREE, lon0 + p[0] / (
        _METRES_PER_DEGREE * math.cos(math.radians(lat0))
    )


def _latlon(p: Point) -> str:
    lat, lon = degrees(p)
    return f"{lat:.7f},{lon:.7f}"


def node_lines(town: Town) -> list[str]:
    """Lines of ``nodes.txt``: id, lat, lng."""
    return [f"{node},{_latlon(p)}" for node, p in town.nodes.items()]


def link_lines(town: Town) -> list[str]:
    """Lines of ``links.txt``: id, heading, id; grouped by the first node, in node order."""
    order = {node: i for i, node in enumerate(town.nodes)}
    links = sorted(town.links, key=lambda link: order[link[0]])
    return [f"{a},{round(heading(town.nodes[a], town.nodes[b])) % 360},{b}" for a, b in links]


def poi_lines(town: Town) -> list[str]:
    """Lines of ``pois.txt``: id, lat, lng, tags as JSON."""
    return [
        f"{poi.id},{_latlon(poi.position)},{json.dumps(poi.tags, ensure_ascii=False)}"
        for poi in town.pois
    ]


def poi_link_lines(town: Town) -> list[str]:
    """Lines of ``poi_links.txt``: node, heading, lat, lng (nearest point of the outline), POI."""
    return [
        line
        for node in town.nodes
        for poi in town.pois
        for line in _poi_link(town.nodes[node], node, poi)
    ]


def _poi_link(p: Point, node: str, poi: Poi) -> list[str]:
    q = nearest_on_outline(p, poi.outline)
    if math.dist(p, q) > POI_RANGE_M:
        return []
    # Map2Seq gives 180 for a POI that lies on the node itself.
    towards = 180 if poi.id == node else round(heading(p, q)) % 360
    return [f"{node},{towards},{_latlon(q)},{poi.id}"]


def split(town: Town) -> list[dict[str, object]]:
    """Return the episodes, as Map2Seq's split files hold them."""
    episodes: list[dict[str, object]] = []
    for route in ROUTES:
        path = town.route(route)
        facing = round(heading(town.nodes[path[0]], town.nodes[path[1]])) % 360
        episodes.append(
            {
                "route": {"osm_path": path, "initial_heading": facing},
                "instructions": route.instruction,
                "instructions_id": route.id,
            }
        )
    return episodes


def files() -> dict[str, str]:
    """Text of every file of the sample, by its path in the folder."""
    town = build()
    graph = {
        "nodes": node_lines,
        "links": link_lines,
        "pois": poi_lines,
        "poi_links": poi_link_lines,
    }
    texts = {
        f"osm/graph/{name}.txt": "\n".join(lines(town)) + "\n" for name, lines in graph.items()
    }
    episodes = ",\n".join(json.dumps(episode, ensure_ascii=False) for episode in split(town))
    texts["splits/sample.json"] = f"[\n{episodes}\n]\n"
    features = backdrop(town.streets, {poi.name: poi.outline for poi in town.pois}, degrees, SEED)
    body = ",\n".join(
        json.dumps(feature, ensure_ascii=False, separators=(",", ":")) for feature in features
    )
    texts["osm/graph/attribution.txt"] = "Tidewick, an invented town\n"
    texts["osm/graph/backdrop.geojson"] = (
        f'{{"type":"FeatureCollection","features":[\n{body}\n]}}\n'
    )
    return texts


def main(folder: Path) -> None:
    """Write the files."""
    for name, text in files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        print(f"{path}: {len(text):,} characters")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "harbour")
