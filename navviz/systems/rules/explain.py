"""What the navigator says about itself: how it read the text, which POI it took for each landmark,
the other routes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from navviz.records import Landmark, Panel
from navviz.systems.rules.grammar.grammar import (
    Reading,
    describe_mention,
    describe_stop,
    describe_unit,
)
from navviz.systems.rules.search.alignment import trace_back
from navviz.systems.rules.search.area import Sightings
from navviz.systems.rules.search.features import INDEX
from navviz.systems.rules.search.landmarks import QUALITIES
from navviz.systems.rules.search.routes import Search
from navviz.systems.rules.search.streets import ANGLES, SHAPES, streets_of
from navviz.world.graph import Graph, Poi


@dataclass(frozen=True, slots=True)
class Sighted:
    """A landmark that was taken for a POI."""

    mention: int
    poi: int
    quality: str
    distance_m: float
    lateral_m: float
    along_m: float
    at: int
    """Index into the route's nodes."""
    role: str


@dataclass(frozen=True)
class AlignedRoute:
    """One walk with its alignment."""

    nodes: tuple[int, ...]
    probability: float
    """Share of all probability that stops within the success radius of its end."""
    unit_at: dict[int, int]
    """Index into `nodes` where each unit was done; units without a place are missing."""
    turn_of: dict[int, str] = field(default_factory=dict)
    """How the junction of a unit looks: ``left · light · crossing``."""
    fit_of: dict[int, float] = field(default_factory=dict)
    """How well the junction of a unit fits its words, as log probability."""
    sighted: tuple[Sighted, ...] = ()


def runner_ups(
    graph: Graph, result: Search, radius_m: float, count: int
) -> list[tuple[int, float]]:
    """Return the answer and the next best stops, none within reach of another, with the probability
    around each.
    """
    picked = [(result.node, result.confidence)]
    nodes, share = np.array(list(result.node_mass)), np.array(list(result.node_mass.values()))
    if not len(nodes):
        return picked
    position = graph.metric_positions
    while len(picked) <= count:
        apart = np.hypot(*(position[nodes, :2] - position[picked[-1][0], :2]).T) > radius_m
        nodes, share = nodes[apart], share[apart]
        # `node_mass` lists the likeliest node first, and masks keep that order
        if not len(nodes) or share[0] < 1e-3:
            break
        best = int(share.argmax())
        near = np.hypot(*(position[nodes, :2] - position[nodes[best], :2]).T) <= radius_m
        picked.append((int(nodes[best]), float(share[near].sum())))
    return picked


def route_to(graph: Graph, result: Search, node: int, probability: float) -> AlignedRoute | None:
    """Find the most probable walk that stops at a node, and what was recognised on it; ``None`` if
    no walk does.
    """
    return routes_to(graph, result, [(node, probability)])[0]


def routes_to(
    graph: Graph, result: Search, places: Sequence[tuple[int, float]]
) -> list[AlignedRoute | None]:
    """Find the most probable walk to each of several nodes (given with its probability), as
    `route_to` does to one.
    """
    ends = [_best_end(result, node) for node, _ in places]
    walks = [end for end in ends if end is not None]
    hops = np.array([hop for hop, _ in walks], np.int64)
    links = np.array([link for _, link in walks], np.int64)
    traces: list[list[_Traced]] = [[] for _ in walks]
    for event in trace_back(result.lattice, hops, links):
        columns = (event.walk, event.hop, event.link, event.unit, event.use, event.sight)
        lists = [column.tolist() for column in columns]
        for walk, *values in zip(*lists, strict=True):
            traces[walk].append(_Traced(*values))
    walked = iter(traces)
    routes: list[AlignedRoute | None] = []
    for end, (_, probability) in zip(ends, places, strict=True):
        if end is None:
            routes.append(None)
        else:
            routes.append(_route(graph, result, end, next(walked), probability))
    return routes


def _best_end(result: Search, node: int) -> tuple[int, int] | None:
    """Links walked, less one, and last link of the most probable walk that stops at a node."""
    links = np.flatnonzero(result.scored.area.target == node)
    if not len(links):
        return None
    hop, at = np.unravel_index(
        int(result.total[:, links].argmax()), (result.total.shape[0], len(links))
    )
    return int(hop), int(links[at])


class _Traced(NamedTuple):
    """One walk's part in an `Event`."""

    hop: int
    link: int
    unit: int
    use: int
    sight: int


def _route(
    graph: Graph,
    result: Search,
    end: tuple[int, int],
    traced: Sequence[_Traced],
    probability: float,
) -> AlignedRoute:
    scored, area = result.scored, result.scored.area
    streets = streets_of(graph)
    hop, link = end
    walked = {hop: link}
    unit_at: dict[int, int] = {}
    turn_of: dict[int, str] = {}
    fit_of: dict[int, float] = {}
    sighted: list[Sighted | None] = []
    for at, here, unit, choice, sight in traced:
        walked[at] = here
        if choice >= 0:
            unit_at[unit] = at
            step = int(area.choice_step[choice])
            lit = "light" if streets.lit[area.source[here]] else "no light"
            turn_of[unit] = (
                f"{ANGLES[streets.step_angle[step]]} · {lit} · {SHAPES[streets.step_shape[step]]}"
            )
            fit_of[unit] = float(scored.model.use[unit, choice])
            # corners are seen from the link that leads to the junction, as they were scored
            before = int(area.choice_from[choice])
            for mention in scored.units[unit].mentions:
                corner = scored.corners.get(mention)
                if corner is not None:
                    sighted.append(_sighted(corner, mention, before, at, "at a junction"))
        elif sight >= 0:
            # a sighting is made at the end of its link, a junction is the beginning of the link
            # taken
            unit_at[unit] = at + 1
            seen = scored.model.seen[unit]
            if seen is not None:
                mention = scored.units[unit].mentions[0]
                sighted.append(_sighted(seen, mention, here, at + 1, "on the way"))
    nodes = (int(area.source[walked[0]]), *(int(area.target[walked[t]]) for t in range(hop + 1)))
    for mention, seen in scored.stops.items():
        sighted.append(_sighted(seen, mention, link, len(nodes) - 1, "at the stop"))
    # stable: sightings of one place keep the order in which they were traced
    ordered = sorted(filter(None, sighted), key=lambda sighting: sighting.at)
    return AlignedRoute(nodes, probability, unit_at, turn_of, fit_of, tuple(ordered))


def _sighted(seen: Sightings, mention: int, link: int, at: int, role: str) -> Sighted | None:
    index = int(np.searchsorted(seen.link, link))
    if index >= len(seen.link) or seen.link[index] != link:
        return None
    # slots are numbers of features, and those of one family follow one another
    quality = QUALITIES[int(seen.slots[index, 0]) - _first_match_slot(role)]
    along, lateral = float(seen.along_m[index]), float(seen.lateral_m[index])
    return Sighted(
        mention,
        int(seen.poi[index]),
        quality,
        float(np.hypot(along, lateral)),
        lateral,
        along,
        at,
        role,
    )


def _first_match_slot(role: str) -> int:
    context = {"at a junction": "corner", "on the way": "pass", "at the stop": "stop"}[role]
    return INDEX[f"{context}-match:{QUALITIES[0]}"]


# --- panels
# -------------------------------------------------------------------------------------------------------  # noqa: E501


def reading_panel(graph: Graph, result: Search, route: AlignedRoute | None) -> Panel:
    """How each phrase was read and where on the chosen route it was matched."""
    reading = result.scored.reading
    rows = []
    lengths = _lengths(graph, route.nodes) if route is not None else np.zeros(1)
    for k, unit in enumerate(result.scored.units):
        if route is None or k not in route.unit_at:
            where = "not found on the route"
        else:
            at = route.unit_at[k]
            where = f"after {lengths[at]:.0f} m at {graph.ids[route.nodes[at]]}"
            where += f" ({route.turn_of[k]})" if k in route.turn_of else ""
        rows.append([unit.text, describe_unit(unit, reading.mentions), where])
    stop = "nowhere"
    if route is not None:
        stop = f"after {lengths[-1]:.0f} m at {graph.ids[route.nodes[-1]]}"
    rows.append([reading.stop.text or "the end of the text", describe_stop(reading), stop])
    return Panel(
        kind="table",
        title="How it read the instruction",
        data={"columns": ["Phrase", "Reading", "Where"], "rows": rows},
    )


def phrases_panel(reading: Reading) -> Panel:
    """How each phrase was read."""
    rows = [[unit.text, describe_unit(unit, reading.mentions)] for unit in reading.units]
    rows.append([reading.stop.text or "the end of the text", describe_stop(reading)])
    return Panel(
        kind="table",
        title="How it read the instruction",
        data={"columns": ["Phrase", "Reading"], "rows": rows},
    )


def _lengths(graph: Graph, nodes: tuple[int, ...]) -> NDArray[np.float64]:
    position = graph.metric_positions[list(nodes)]
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(position, axis=0), axis=1))])


def landmark_panel(graph: Graph, result: Search, route: AlignedRoute | None) -> Panel:
    """Which POI was taken for each landmark, and why."""
    ids = graph.poi_ids
    sighted = {s.mention: s for s in route.sighted} if route is not None else {}
    columns = [
        "Landmark",
        "POI",
        "Matched by",
        "Similarity",
        "Distance (m)",
        "Side",
        "Where",
        "Others that fit",
    ]
    rows: list[list[object]] = []
    for k, mention in enumerate(result.scored.reading.mentions):
        matches = result.scored.matches[k]
        seen = sighted.get(k)
        if seen is None:
            count, why = len(matches.pois), "no POI nearby fits"
            if count:
                why = "none beside the route where it was expected"
            rows.append([describe_mention(mention), None, why, None, None, None, None, count])
            continue
        similarity = float(matches.similarity[np.flatnonzero(matches.pois == seen.poi)[0]])
        rows.append(
            [
                describe_mention(mention),
                _poi_name(graph.pois[ids[seen.poi]]),
                seen.quality,
                round(similarity),
                round(seen.distance_m, 1),
                "right" if seen.lateral_m > 0 else "left",
                f"{seen.role}, node {graph.ids[_node_at(route, seen)]}",
                len(matches.pois) - 1,
            ]
        )
    return Panel(kind="table", title="Landmarks", data={"columns": columns, "rows": rows})


def _node_at(route: AlignedRoute | None, seen: Sighted) -> int:
    return route.nodes[seen.at] if route is not None else 0


def _poi_name(poi: Poi) -> str:
    kinds = ", ".join(f"{key}={value}" for key, value in poi.tags.items() if key != "name")
    return f"{poi.tags['name']} ({kinds})" if "name" in poi.tags and kinds else poi.name


def text_landmarks(reading: Reading) -> tuple[Landmark, ...]:
    """Return the landmarks of the text as records."""
    # without P and S, which mark the agent and the start on GROKE's grid
    letters = iter("ABCDEFGHIJKLMNOQRTUVWXYZ")
    landmarks = []
    for mention in reading.mentions:
        words = [mention.near, mention.side, "corner" if mention.corner else None]
        position = " ".join(filter(None, words)) or None
        landmark = Landmark(
            name=mention.text,
            category=mention.category,
            letter=next(letters, None),
            relative_position=position,
        )
        landmarks.append(landmark)
    return tuple(landmarks)


def routes_panel(graph: Graph, routes: list[AlignedRoute]) -> Panel:
    """Return the chosen route and the runners-up by probability."""
    items = []
    for k, route in enumerate(routes):
        length_m, parts = _lengths(graph, route.nodes)[-1], len(route.unit_at)
        item = {
            "label": graph.ids[route.nodes[-1]],
            "value": round(route.probability, 4),
            "chosen": k == 0,
            "note": f"{length_m:.0f} m, {parts} of the plan's parts found",
        }
        items.append(item)
    return Panel(kind="bars", title="Where it could stop", data={"items": items})


def confidence_panel(result: Search, *, length_prior: bool, sees: str) -> Panel:
    """Return the probability within the success radius of the answer; ``data["confidence"]`` is the
    number itself.
    """
    placed = sum(u.kind == "junction" for u in result.scored.units)
    items: list[list[object]] = [
        ["Probability of stopping here (within the success radius)", round(result.confidence, 3)],
        ["Junction events read", placed],
        ["Landmarks read", len(result.scored.reading.mentions)],
        ["Links searched", len(result.scored.area.links)],
        ["Knows how long the data set's routes are", "yes" if length_prior else "no"],
        ["Sees", sees],
    ]
    return Panel(
        kind="keyvalue",
        title="Confidence",
        data={"items": items, "confidence": round(result.confidence, 6)},
    )
