"""All episodes of a run on one map that one can pan and zoom: paths, departures, junctions; folium,
without network.

Up to `PATHS_DRAWN` walks are drawn one by one, and the map itself counts departures and junctions
of those that pass a filter (`shown_walks`). More of them hide each other: then streets are drawn by
how many walks pass. ``assets/atlas.js`` draws what `atlas_map` packs: points in whole units, each
as the steps from the one before.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, cycle, groupby, pairwise
from operator import itemgetter
from typing import Any, Final, Literal
from urllib.parse import quote

import folium
import numpy as np
import shapely
from numpy.typing import NDArray

from navviz.views import palette
from navviz.views.episode_map import attribution, offline_files
from navviz.views.figures.atlas_walk import LEFT_HERE, ONE_EPISODE, PATHS_DRAWN, THROUGH, AtlasWalk
from navviz.views.map_script import MapCall
from navviz.views.player.files import atlas_css, own_file
from navviz.views.player.floor_plan import floor_shapes
from navviz.views.player.pictures import ground_of
from navviz.world.floors import Floors, find_floors
from navviz.world.geometry import inside_box
from navviz.world.graph import Graph
from navviz.world.link_lines import drawn_bends

"""Marks that a click tells: behind each, percent-encoded ids; of departures several with ``;``
between them.
"""


_SCALE: Final = {"geo": 1_000_000, "metric": 100}
"""Whole units in a degree (0.1 m) and in a metre."""

_TOLERANCE: Final = {"geo": 1.5e-5, "metric": 0.03}
"""How far a line may move when points are left out, in degrees (1.7 m) and metres."""

_TEXT_LETTERS: Final = 150

_NAMED: Final = 5
"""Episodes named at each place where walks are drawn as traffic."""

_JUNCTIONS: Final = 3000
"""Junctions drawn where walks are drawn as traffic, those with the most failures first."""

_OUTCOMES: Final = {
    "success": (palette.SUCCESS, "Success"),
    "failure": (palette.FAILURE, "Failure"),
    "unknown": (palette.UNKNOWN, "No goal known"),
}

_AROUND_M: Final = 150.0

_TALLEST: Final = 0.48
"""Height of what is shown first, in widths: a page's map is half as high as it is wide."""

_Floor = tuple[Floors, int] | None

Theme = Literal["auto", "light", "dark"]


def atlas_map(
    graph: Graph,
    walks: Sequence[AtlasWalk],
    *,
    floor: int | None = None,
    theme: Theme = "auto",
    density: bool | None = None,
) -> folium.Map:
    """Draw all walks of one world."""
    return packed_map(pack_atlas(graph, walks, floor=floor, density=density), theme)


@dataclass(frozen=True, slots=True)
class PackedAtlas:
    """The computed content of an atlas, which is the same for each theme and may be cached."""

    frame: str
    attribution: str | None
    corners: list[list[float]] | None
    drawn: dict[str, Any]


def pack_atlas(
    graph: Graph,
    walks: Sequence[AtlasWalk],
    *,
    floor: int | None = None,
    density: bool | None = None,
) -> PackedAtlas:
    """Compute the content of an atlas; see `atlas_map`.

    It takes nine tenths of the time of an atlas, since streets are joined and simplified.
    """
    level = (find_floors(graph), floor) if floor is not None and graph.frame == "metric" else None
    corners = _corners(graph, walks, level)
    dense = len(walks) > PATHS_DRAWN if density is None else density
    places = _Places(graph, level)
    drawn: dict[str, Any] = {"walks": [], "traffic": [], "departures": [], "junctions": []}
    if not dense:
        drawn["walks"] = [_walk(places, walk) for walk in walks]
    else:
        drawn |= _traffic(places, walks)
    outcomes: list[dict[str, Any]] = []
    for name, (colour, label) in _OUTCOMES.items():
        dash = palette.OUTCOME_DASHES[name]
        outcomes.append({"name": name, "label": label, "colour": colour, "dash": dash})
    rooms: list[dict[str, Any]] = []
    for name, outline in floor_shapes(graph, *level) if level is not None else ():
        closed = np.array([*outline, outline[0]])
        rooms.append({"name": name, "line": places.line(closed)})
    colours = {
        "street": palette.STREET,
        "streetDark": palette.THEMES["dark"]["street-line"],
        "calm": palette.NODE,
        "fails": palette.AGENT,
        "ink": palette.INK,
        "inkDark": palette.PAPER,
    }
    drawn = drawn | {
        "scale": places.scale,
        "outcomes": outcomes,
        "colours": colours | {"traffic": palette.REFERENCE},
        "marks": {"left": LEFT_HERE, "through": THROUGH},
        "shown": {"departures": not dense, "junctions": False},
        "streets": _streets(places, corners),
        "rooms": rooms,
        "ground": None if level is None else ground_of(graph, *level),
        # Last: all parts above number the nodes that they use.
        "places": places.used,
        # encoded, since a mark names several ids with `;` between them
        "names": [quote(node, safe="") for node in places.named],
    }
    box = corners.tolist() if corners is not None else None
    return PackedAtlas(graph.frame, graph.info.attribution, box, drawn)


def coloured(packed: PackedAtlas, groups: Mapping[str, str]) -> PackedAtlas:
    """Return an atlas of single walks coloured by their group instead of their outcome."""
    walks = packed.drawn["walks"]
    counts = Counter(groups[walk["id"]] for walk in walks if walk["id"] in groups)
    names = [name for name, _ in counts.most_common()]
    looks = []
    # colour is not the only sign: neighbours in the legend have other lines
    lines = cycle(palette.OUTCOME_DASHES.values())
    for name, colour, dash in zip(names, palette.SERIES, lines, strict=False):
        looks.append({"name": name, "label": name, "colour": colour, "dash": dash})
    own = {name: number for number, name in enumerate(names[: len(looks)])}
    others = len(looks)
    grey, dashes = palette.UNKNOWN, palette.OUTCOME_DASHES
    for name, line in (("other groups", "failure"), ("in no group", "unknown")):
        label = name.capitalize()
        looks.append({"name": name, "label": label, "colour": grey, "dash": dashes[line]})
    regrouped = []
    for walk in walks:
        group = groups.get(walk["id"])
        look = others + 1 if group is None else own.get(group, others)
        regrouped.append(walk | {"o": look})
    return replace(packed, drawn=packed.drawn | {"outcomes": looks, "walks": regrouped})


def packed_map(packed: PackedAtlas, theme: Theme = "auto") -> folium.Map:
    """Draw a computed atlas on a new map; see `atlas_map`."""
    crs, min_zoom = ("EPSG3857", 1) if packed.frame == "geo" else ("Simple", -3)
    chart = folium.Map(tiles=None, crs=crs, prefer_canvas=True)
    chart.options.update(zoom_snap=0.25, min_zoom=min_zoom, max_zoom=20)
    offline_files(chart, own_file("atlas.js"), atlas_css())
    if packed.corners is not None:
        corners = _window(packed.corners) if packed.frame == "geo" else packed.corners
        chart.fit_bounds(corners, padding=(12, 12))
    call = "globalThis.navvizAtlas = NavVizAtlas.draw(MAP, "
    chart.add_child(MapCall(call, packed.drawn | {"theme": theme}))
    if packed.attribution:
        chart.add_child(attribution(packed.attribution))
    return chart


def _window(corners: list[list[float]]) -> list[list[float]]:
    """Return what a wide map shows first: all of it, or the middle of a world that is much higher
    than wide, such as Manhattan, which would fill a seventh of the map else.
    """
    (south, west), (north, east) = corners
    middle = (south + north) / 2
    tall = (north - south) / max((east - west) * math.cos(math.radians(middle)), 1e-9)
    if tall <= _TALLEST:
        return corners
    half = (north - south) / tall * _TALLEST / 2
    return [[middle - half, west], [middle + half, east]]


def shown_walks(walks: Sequence[AtlasWalk], passing: Iterable[str]) -> folium.FeatureGroup:
    """Return the layer that limits an `atlas_map` of the same walks to the episodes that pass.

    streamlit-folium adds it to the map in the browser, which is not drawn again.
    """
    episodes = set(passing)
    group = folium.FeatureGroup(name="shown")
    shown = [k for k, walk in enumerate(walks) if walk.episode in episodes]
    group.add_child(MapCall("globalThis.navvizAtlas.show(", shown))
    return group


class _Places:
    """Positions as ``(x, y)``, longitude and latitude or metres, and numbers for the used nodes."""

    def __init__(self, graph: Graph, level: _Floor) -> None:
        self.graph = graph
        order = [1, 0] if graph.frame == "geo" else [0, 1]
        self.xy: NDArray[np.float64] = graph.positions[:, order].astype(float)
        self.scale, self.tolerance = _SCALE[graph.frame], _TOLERANCE[graph.frame]
        self.on_floor = np.ones(len(graph), dtype=bool)
        if level is not None:
            floors, floor = level
            floor_of = [floors.of.get(node) for node in graph.ids]
            self.on_floor = np.array([number == floor for number in floor_of], dtype=bool)
        self.named: dict[str, int] = {}

    @property
    def used(self) -> list[list[int]]:
        """Places of the numbered nodes."""
        return [self.at(node) for node in self.named]

    def at(self, node: str) -> list[int]:
        """Place in whole units."""
        return np.rint(self.xy[self.graph.index[node]] * self.scale).astype(int).tolist()  # type: ignore[no-any-return]

    def has(self, node: str | None) -> bool:
        """Whether a node can be drawn."""
        if node is None or node not in self.graph.index:
            return False
        return bool(self.on_floor[self.graph.index[node]])

    def number(self, node: str) -> int:
        """Return the number of a node."""
        return self.named.setdefault(node, len(self.named))

    def line(self, points: NDArray[np.float64]) -> list[int]:
        """Simplify a line and pack it as differences of whole units."""
        # Douglas and Peucker 1973, doi:10.3138/FM57-6770-U75U-7727
        if len(points) > 2:
            line = shapely.LineString(points)
            simple = line.simplify(self.tolerance, preserve_topology=False)
            points = shapely.get_coordinates(simple)
        whole = np.rint(points * self.scale).astype(np.int64)
        return np.diff(whole, axis=0, prepend=0).ravel().tolist()

    def bent(self, index: Sequence[int]) -> NDArray[np.float64]:
        """Return the line along some nodes, by number, with the bends of the links between them."""
        if self.graph.shapes is None or len(index) < 2:
            return self.xy[index]
        ids, parts = self.graph.ids, list[NDArray[np.float64]]()
        for i, j in pairwise(index):
            bends = drawn_bends(self.graph, ids[i], ids[j])[:, :2]
            parts += [self.xy[[i]][:, :2], bends[:, ::-1] if self.graph.frame == "geo" else bends]
        return np.concatenate([*parts, self.xy[[index[-1]]][:, :2]])

    def pieces(self, path: Sequence[str]) -> Iterator[NDArray[np.float64]]:
        """Yield the parts of a path on the floor; at stairs up to the first node beyond them."""
        numbers = self.graph.index
        index = np.array([numbers[node] for node in path if node in numbers], dtype=int)
        if not len(index):
            return
        if self.on_floor[index].all():
            yield self.bent(index.tolist() if len(index) > 1 else index.repeat(2).tolist())
            return
        near = self.on_floor[index]
        drawn = near | np.append(near[1:], [False]) | np.insert(near[:-1], 0, False)
        pairs = zip(drawn.tolist(), index.tolist(), strict=True)
        for is_drawn, group in groupby(pairs, key=itemgetter(0)):
            part = [k for _, k in group]
            if is_drawn:
                # A line needs two points, even where the agent stood at one node alone.
                yield self.bent(part if len(part) > 1 else part * 2)


def _walk(places: _Places, walk: AtlasWalk) -> dict[str, Any]:
    text = walk.instruction
    if len(text) > _TEXT_LETTERS:
        text = text[:_TEXT_LETTERS] + "…"
    failed_at = walk.failed_at
    return {
        "id": walk.episode,
        "mark": ONE_EPISODE + quote(walk.episode, safe=""),
        "o": list(_OUTCOMES).index(walk.outcome),
        "text": text,
        "p": [places.line(piece) for piece in places.pieces(walk.path)],
        "d": [places.number(node) for node in walk.departures if places.has(node)],
        "v": [places.number(node) for node in walk.passed if places.has(node)],
        "f": places.number(failed_at) if failed_at is not None and places.has(failed_at) else None,
    }


def _traffic(places: _Places, walks: Sequence[AtlasWalk]) -> dict[str, Any]:
    """Return streets by the number of walks, with departures and junctions counted in Python."""
    left: Counter[str] = Counter()
    visits: Counter[str] = Counter()
    failures: Counter[str] = Counter()
    left_by: dict[str, list[str]] = {}
    failed_by: dict[str, list[str]] = {}
    for walk in walks:
        left.update(node for node in walk.departures if places.has(node))
        visits.update(node for node in walk.passed if places.has(node))
        for node in walk.departures:
            _name(left_by, node, walk.episode)
        if walk.failed_at is not None and places.has(walk.failed_at):
            failures[walk.failed_at] += 1
            _name(failed_by, walk.failed_at, walk.episode)
    departures = []
    for node, count in left.items():
        place = {"node": quote(node, safe=""), "at": places.at(node)}
        departures.append(place | {"count": count, "ids": left_by[node]})
    junctions = []
    for node, count in failures.most_common(_JUNCTIONS):
        place = {"mark": THROUGH + quote(node, safe=""), "at": places.at(node)}
        counts = {"visits": visits[node], "failures": count}
        junctions.append(place | counts | {"ids": failed_by[node]})
    traffic = list(_bands(places, walks))
    return {"traffic": traffic, "departures": departures, "junctions": junctions}


def _name(named: dict[str, list[str]], node: str, episode: str) -> None:
    episodes = named.setdefault(node, [])
    if len(episodes) < _NAMED and episode not in episodes:
        episodes.append(episode)


def _bands(places: _Places, walks: Sequence[AtlasWalk]) -> Iterator[dict[str, Any]]:
    """Yield links by traffic in bands of doubling counts; a walk counts once on each link."""
    index, count = places.graph.index, len(places.graph)
    keys: list[int] = []
    for walk in walks:
        nodes = [index[node] for node in walk.path if node in index]
        # one number for a link, the same either way
        keys.extend({min(a, b) * count + max(a, b) for a, b in pairwise(nodes) if a != b})
    links, traffic = np.unique(np.array(keys, dtype=np.int64), return_counts=True)
    pairs = np.column_stack((links // max(count, 1), links % max(count, 1)))
    drawn = places.on_floor[pairs].any(axis=1)
    pairs, traffic = pairs[drawn], traffic[drawn]
    band = np.log2(traffic).astype(int)
    low, top = int(band.min(initial=99)), int(band.max(initial=0))
    for k in np.unique(band).tolist():
        title = f"{2**k:,} to {2 ** (k + 1) - 1:,} walks pass here" if k else "1 walk passes here"
        share = (k - low) / max(top - low, 1)
        look = {"weight": round(1.5 + 8 * share, 1), "opacity": round(0.35 + 0.6 * share, 2)}
        yield {"title": title, "lines": _merged(places, pairs[band == k]), **look}


def _streets(places: _Places, corners: NDArray[np.float64] | None) -> list[list[int]]:
    """Return the links around the walks, each once, joined to long lines."""
    graph = places.graph
    links = np.unique(np.sort(np.column_stack((graph.sources, graph.targets)), axis=1), axis=0)
    if corners is None or not len(links):
        return []
    south, west, north, east = corners.ravel()
    # 150 m in degrees of latitude; in a house 10 m
    around = _AROUND_M / (111_000 if graph.frame == "geo" else 15)
    low, high = np.array([west, south]) - around, np.array([east, north]) + around
    inside = inside_box(places.xy, low, high) & places.on_floor
    return _merged(places, links[inside[links].all(axis=1)])


def _merged(places: _Places, pairs: NDArray[np.integer[Any]]) -> list[list[int]]:
    if not len(pairs):
        return []
    if places.graph.shapes is None:
        lines = shapely.linestrings(places.xy[pairs])
    else:
        lines = [shapely.linestrings(places.bent(pair)) for pair in pairs.tolist()]
    # joined first: a link of two points alone has none that could be left out
    merged = shapely.line_merge(shapely.multilinestrings(lines))
    simple = shapely.simplify(shapely.get_parts(merged), places.tolerance, preserve_topology=False)
    return [places.line(shapely.get_coordinates(line)) for line in simple]


def _corners(graph: Graph, walks: Sequence[AtlasWalk], level: _Floor) -> NDArray[np.float64] | None:
    """Return the south-west and north-east corner of walks and rooms, in folium's order."""
    # without walks they are those of the graph
    places = _Places(graph, level)
    walked = set(chain.from_iterable(walk.path for walk in walks))
    index = {graph.index[node] for node in walked if node in graph.index}
    chosen = [k for k in index if places.on_floor[k]] or list(range(len(graph)))
    if not chosen:
        return None
    points = places.xy[chosen][:, ::-1]
    if graph.shapes is not None:
        pieces = chain.from_iterable(places.pieces(walk.path) for walk in walks)
        points = np.vstack([points[:, -2:], *(piece[:, 1::-1] for piece in pieces)])
    rooms = floor_shapes(graph, *level) if level is not None else []
    outlines = [np.array(outline, dtype=float)[:, ::-1] for _, outline in rooms]
    points = np.vstack([points, *outlines])
    return np.array([points.min(axis=0), points.max(axis=0)])


def walked_floors(graph: Graph, walks: Sequence[AtlasWalk]) -> Mapping[int, int]:
    """Count the walks on each floor of a house, the most walked floor first."""
    floors = find_floors(graph)
    counts: Counter[int] = Counter()
    for walk in walks:
        # A set: a walk up and down the same stairs counts once on each floor.
        counts.update({floors.of[node] for node in walk.path if node in floors.of})
    return dict(counts.most_common())
