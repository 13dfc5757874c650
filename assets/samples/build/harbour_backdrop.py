"""What the map draws behind the streets of the sample town: water, park, houses, piers, names
(GeoJSON features).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

import harbour_plan as plan
from harbour_shapes import (
    Point,
    along,
    circle,
    curve,
    inside,
    length,
    middle,
    move,
    nearest_on_edge,
    nearest_on_outline,
    offset,
    overlap,
    rectangle,
    resample,
    smooth,
    strip,
)

Streets = Mapping[str, Sequence[Point]]
Degrees = Callable[[Point], tuple[float, float]]

STREET_WIDTH_M = {
    "Quayside": 10.0,
    "High Street": 10.0,
    "Westgate": 10.0,
    "North Road": 9.0,
    "Eastgate": 9.0,
}
_LANE_WIDTH_M = 7.0
_ON_WATER = ("Fish Pier", "The Mole")
_NOT_A_BUILDING = {"Castle Green Courts", "West Quay Car Park", "Heron Fountain"}
_FREE_STREETS = {"Fish Pier", "The Mole", "Eastgate Circus"}
"""No ordinary houses stand along these."""


def backdrop(
    streets: Streets, poi_outlines: Mapping[str, Sequence[Point]], degrees: Degrees, seed: int
) -> list[dict[str, object]]:
    """GeoJSON features in drawing order; `kind` in their properties says what they are.

    Kinds: ``land``, ``park``, ``garden``, ``plaza``, ``water``, ``pier``, ``pitch``, ``building``
    (with `name` where it is a POI), ``bridge``, ``street`` (line with `name` and `width_m`),
    ``tree`` (point with `radius_m`), ``boat``, ``label`` (point with `name` and `size`). Positions
    are ``[lon, lat]``, as GeoJSON wants them.
    """
    rng = random.Random(seed)  # noqa: S311 - decoration, not secrets
    shapes = _Shapes(streets, poi_outlines, rng)
    return [
        _feature(kind, kind_of, points, more, degrees)
        for kind, kind_of, points, more in shapes.all()
    ]


def _feature(
    kind: str, geometry: str, points: Sequence[Point], more: Mapping[str, object], degrees: Degrees
) -> dict[str, object]:
    at = [[round(value, 6) for value in degrees(p)[::-1]] for p in points]
    coordinates: object = at
    if geometry == "Polygon":
        coordinates = [[*at, at[0]]]
    elif geometry == "Point":
        coordinates = at[0]
    return {
        "type": "Feature",
        "properties": {"kind": kind, **more},
        "geometry": {"type": geometry, "coordinates": coordinates},
    }


Shape = tuple[str, str, Sequence[Point], Mapping[str, object]]


class _Shapes:
    def __init__(
        self, streets: Streets, poi_outlines: Mapping[str, Sequence[Point]], rng: random.Random
    ) -> None:
        self.streets, self.pois, self.rng = streets, poi_outlines, rng
        coast = offset(resample(streets["Quayside"], 8), plan.COAST_SETBACK_M)
        (west, south), (east, _) = plan.BOUNDS
        self.sea = [(west, coast[0][1]), *coast, (east, coast[-1][1]), (east, south), (west, south)]
        stream = [p for stretch in curve(plan.RIVER, 8) for p in stretch]
        self.river_line = stream
        self.river = strip(stream, plan.RIVER_WIDTH_M)
        self.park = smooth(plan.PARK)
        self.pond = smooth(plan.POND)
        self.named = {
            name: list(outline)
            for name, outline in poi_outlines.items()
            if len(outline) > 1 and name not in _NOT_A_BUILDING
        }
        self.houses = self._houses()

    def all(self) -> Iterator[Shape]:
        (west, south), (east, north) = plan.BOUNDS
        yield "land", "Polygon", [(west, south), (east, south), (east, north), (west, north)], {}
        yield "park", "Polygon", self.park, {"name": "Castle Green"}
        yield "plaza", "Polygon", smooth(plan.PLAZA), {"name": "Market Cross"}
        yield "park", "Polygon", circle((254, 48), 14.0), {}
        for garden in plan.GARDENS:
            yield "garden", "Polygon", smooth(garden), {}
        yield "water", "Polygon", self.river, {"name": "River Mere"}
        yield "water", "Polygon", self.sea, {"name": "Tidewick Bay"}
        yield "water", "Polygon", self.pond, {"name": "Swan Pond"}
        yield from self._piers()
        yield from self._open_places()
        for house in self.houses:
            yield "building", "Polygon", house, {}
        for name, outline in self.named.items():
            yield "building", "Polygon", outline, {"name": name}
        yield from self._bridges()
        for name, line in self.streets.items():
            points = resample(line, 8)
            yield (
                "street",
                "LineString",
                points,
                {"name": name, "width_m": STREET_WIDTH_M.get(name, _LANE_WIDTH_M)},
            )
        yield from self._trees()
        yield from self._boats()
        yield from self._labels()

    def _piers(self) -> Iterator[Shape]:
        for name in _ON_WATER:
            yield "pier", "Polygon", strip(resample(self.streets[name], 8), 14), {"name": name}
        yield "pier", "Polygon", circle(plan.JUNCTIONS["mole-end"], 13.0), {}
        for along_m in (150, 190, 230):  # marina pontoons off the east quay
            line = resample(self.streets["Quayside"], 4)
            kerb, walking = along(line, length(line) - along_m + 40)
            yield (
                "pier",
                "Polygon",
                rectangle(move(kerb, walking + 90, 10), walking + 90, 3, 48),
                {},
            )

    def _open_places(self) -> Iterator[Shape]:
        for name in sorted(_NOT_A_BUILDING):
            kind = "water" if "Fountain" in name else "pitch"
            yield kind, "Polygon", list(self.pois[name]), {"name": name}

    def _bridges(self) -> Iterator[Shape]:
        for line in self.streets.values():
            over = [
                p
                for p in resample(line, 2)
                if math.dist(p, nearest_on_line(p, self.river_line)) < 12
            ]
            if over and not inside(over[0], self.sea):
                yield "bridge", "Polygon", strip(over, 13), {}

    # --- houses
    # ------------------------------------------------------------------------------------------------  # noqa: E501

    def _houses(self) -> list[list[Point]]:
        found: list[list[Point]] = []
        kerbs = [p for line in self.streets.values() for p in resample(line, 4)]
        for name, line in self.streets.items():
            if name in _FREE_STREETS:
                continue
            for side in (90, -90):
                found += self._row(line, side, kerbs, found)
        return found

    def _row(
        self,
        line: Sequence[Point],
        side: float,
        kerbs: Sequence[Point],
        standing: Sequence[Sequence[Point]],
    ) -> list[list[Point]]:
        row: list[list[Point]] = []
        total, at = length(line), 6.0
        while at < total - 5:
            width, depth = self.rng.uniform(8, 15), self.rng.uniform(9, 14)
            kerb, walking = along(line, at + width / 2)
            front = move(kerb, walking + side, self.rng.uniform(6.4, 7.6))
            house = rectangle(front, walking + side, width, depth)
            if self._free(house, kerbs, [*standing, *row]):
                row.append(house)
                at += width + self.rng.choice((0.6, 0.6, 0.6, 3.0))
            else:
                at += 3.0
        return row

    def _free(
        self, house: list[Point], kerbs: Sequence[Point], standing: Sequence[Sequence[Point]]
    ) -> bool:
        wet = [self.sea, self.river, self.park, smooth(plan.PLAZA)]
        centre = middle(house)
        if any(inside(p, area) for p in [*house, centre] for area in wet):
            return False
        near = [p for p in kerbs if math.dist(p, centre) < 25]
        if any(inside(p, house) or math.dist(p, nearest_on_outline(p, house)) < 5.6 for p in near):
            return False
        taken = [
            *standing,
            *self.named.values(),
            *(list(self.pois[name]) for name in _NOT_A_BUILDING),
        ]
        return not any(
            overlap(house, other) for other in taken if math.dist(centre, middle(other)) < 45
        )

    # --- decoration
    # --------------------------------------------------------------------------------------------

    def _trees(self) -> Iterator[Shape]:
        planted: list[Point] = []
        xs, ys = [p[0] for p in self.park], [p[1] for p in self.park]
        for _ in range(900):
            p = (self.rng.uniform(min(xs), max(xs)), self.rng.uniform(min(ys), max(ys)))
            blocked = [
                self.pond,
                *self.named.values(),
                *(list(self.pois[name]) for name in sorted(_NOT_A_BUILDING)),
            ]
            at_edge = math.dist(p, nearest_on_outline(p, self.park)) < 3
            free = (
                inside(p, self.park)
                and not at_edge
                and not any(inside(p, area) for area in blocked)
            )
            if free and all(math.dist(p, q) > 8 for q in planted):
                planted.append(p)
        for p in planted[:70]:
            yield "tree", "Point", [p], {"radius_m": round(self.rng.uniform(2.2, 4.0), 1)}

    def _boats(self) -> Iterator[Shape]:
        places = [
            ((x, y), 20.0)
            for x, y in ((-40, -150), (-130, -175), (120, -190), (-15, -215), (215, -262))
        ]
        places += [(p, 75.0) for p in ((40, -120), (48, -148), (55, -176), (16, -128), (25, -168))]
        places += [
            (p, self.rng.uniform(0, 360))
            for p in ((-330, -200), (-260, -285), (330, -285), (40, -292))
        ]
        for p, towards in places:
            yield (
                "boat",
                "Polygon",
                _boat(p, towards + self.rng.uniform(-12, 12), self.rng.uniform(8, 14)),
                {},
            )

    def _labels(self) -> Iterator[Shape]:
        for name, p in plan.WATER_LABELS:
            yield "label", "Point", [p], {"name": name, "size": "water"}
        yield "label", "Point", [(-92, 160)], {"name": "Castle Green", "size": "park"}
        yield "label", "Point", [(-15, 38)], {"name": "Market Cross", "size": "place"}


def nearest_on_line(p: Point, line: Sequence[Point]) -> Point:
    """Point of a polyline that lies nearest to `p`."""
    return min((nearest_on_edge(p, a, b) for a, b in pairwise(line)), key=lambda q: math.dist(p, q))


def _boat(p: Point, towards: float, long: float) -> list[Point]:
    stern = move(p, towards + 180, long / 2)
    left, right = move(stern, towards - 90, long * 0.16), move(stern, towards + 90, long * 0.16)
    shoulders = [move(q, towards, long * 0.6) for q in (right, left)]
    return [left, right, shoulders[0], move(p, towards, long / 2), shoulders[1]]
