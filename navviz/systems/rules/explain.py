"""What the navigator says about itself: how it read the text, which POI it took for each landmark,
the other routes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navviz.language.grammar.grammar import (
    Reading,
    describe_mention,
    describe_stop,
    describe_unit,
)
from navviz.language.placing.routes import AlignedRoute, Search, Sighted
from navviz.records import Landmark, Panel
from navviz.world.graph import Graph, Poi


def runner_ups(
    graph: Graph, result: Search, radius_m: float, count: int
) -> list[tuple[int, float]]:
    """Return the answer and next best stops, apart from each other, with their probabilities."""
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
