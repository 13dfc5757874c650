"""What became of the landmarks of an instruction: where they are on the map, and whether the agent
was shown them.

A landmark that the agent never saw explains many failures by itself. A name is looked for among the
POIs near the reference path and near the agent's own path, first as a name ("BP gas station" is
BP), then by its kind ("the park").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from rapidfuzz import fuzz

from navviz.language.grammar.grammar import read_instruction
from navviz.language.placing.routes import GivenRoute, route_to
from navviz.records import Episode, Panel, Trace
from navviz.world.graph import Graph, Poi
from navviz.world.per_graph import per_graph

_JUNCTION: Final = re.compile(
    r"\b(?:intersections?|junctions?|side ?streets?|corners?|forks?|(?:stop)?lights?|signals?)\b",
    re.IGNORECASE,
)

_OTHER: Final = re.compile(r"\b(?:buildings?|houses?|shops?|stores?)\b", re.IGNORECASE)
"""What stands at a junction is not the junction: "the corner store"."""

_LEAST_LINKS: Final = 3


def names_junction(name: str) -> bool:
    """Whether a landmark's name is that of a junction or of its lights."""
    return _JUNCTION.search(name) is not None and _OTHER.search(name) is None


def spoken_junctions(episode: Episode, graph: Graph, names: Sequence[str]) -> dict[str, str]:
    """Return the node of the route that each phrase of an instruction speaks of."""
    wanted = [name for name in dict.fromkeys(names) if names_junction(name)]
    # a text that names no junction needs no alignment, which takes 45 ms
    route = GivenRoute.of_episode(episode, graph) if wanted else None
    if route is None:
        return {}
    _, aligned = route.align(read_instruction(episode.instruction))
    explained = route_to(route.part, aligned, aligned.node, 1.0)
    if explained is None:
        return {}
    places: dict[str, str] = {}
    for name in wanted:
        if _times(name, names, episode.instruction) != 1:
            continue
        texts = [unit.text for unit in aligned.scored.units]
        parts = _parts(name, names, texts)
        places_of_parts = [explained.unit_at.get(part) for part in parts]
        last = places_of_parts[-1] if places_of_parts else None
        node = None if last is None else episode.reference_path[last]
        # the reading may place a phrase at a node where no ways meet
        if node is not None and len(graph.neighbours(node)) >= _LEAST_LINKS:
            places[name] = node
    return places


def _parts(name: str, names: Sequence[str], texts: Sequence[str]) -> list[int]:
    """Return the parts of a reading that say a name."""
    # the reading drops what follows a junction: "the light directly in front" becomes "the light",
    # which counts where no other part says that ("the third light" is three parts of one text)
    parts = [number for number, text in enumerate(texts) if _times(name, names, text)]
    word = _JUNCTION.search(name)
    if parts or word is None or word.end() == len(name):
        return parts
    short = name[: word.end()]
    parts = [number for number, text in enumerate(texts) if _times(short, names, text)]
    last_phrases = {texts[part].rsplit(" · ", maxsplit=1)[-1] for part in parts}
    return parts if len(last_phrases) == 1 else []


def _times(name: str, names: Iterable[str], text: str) -> int:
    """How often a text says a name by itself, and not within a longer one."""
    longer = [other for other in names if name.lower() in other.lower()]
    rest = text
    # the longest first, as it may hold another one of these names
    for other in sorted(longer, key=len, reverse=True):
        if other.lower() != name.lower():
            rest = re.sub(re.escape(other), " ", rest, flags=re.IGNORECASE)
    return len(re.findall(rf"(?<![\w-]){re.escape(name)}(?![\w-])", rest, re.IGNORECASE))


NEAR_M: Final = 60.0
"""How far from a path a landmark may stand; an instruction speaks of what one walks by."""

_KEPT_ROUTES = 16

_KEPT_ANSWERS = 1024
"""Ways whose answers are kept with a graph; each is a few names."""

_ALIKE: Final = 88.0
"""Ratio of rapidfuzz above which two names are one: misspellings pass, other names of the same
length do not.
"""

_WORD: Final = re.compile(r"[\w']+")

_KINDS: Final = frozenset(
    {
        "gas", "station", "fuel", "hotel", "inn", "restaurant", "store", "shop", "church", "bank",
        "cafe", "café", "coffee", "bar", "pub", "park", "playground", "school", "theater",
        "theatre", "pharmacy", "supermarket", "market", "building", "bus", "stop", "subway",
        "entrance", "entrances", "rental", "rentals", "lot", "area", "space", "green", "stoplight",
        "the", "a", "an", "light", "lights", "traffic", "of", "and", "at", "on", "in", "house",
    }
)  # fmt: skip
"""Words that say what a place is, not which; a name may go without them."""

_QUALIFIERS: Final = frozenset(
    {
        "first", "second", "third", "fourth", "fifth", "next", "following", "another", "last",
        "other", "double", "two", "three", "four", "large", "small", "big", "little", "set",
        "sets", "after", "that", "1st", "2nd", "3rd", "4th", "5th", "immediate", "same", "ahead",
        "far", "near", "left", "right", "long", "old", "new", "your", "this", "tiny", "quick",
    }
)  # fmt: skip
"""Words that choose one of a kind."""

_SAME_KIND: Final[tuple[tuple[str, str], ...]] = (
    (r"\b(stop ?)?lights?\b|traffic signals?", "traffic signals"),
    (r"\b(bike|bicycle|citi ?bike|citibike)\b", "bicycle rental"),
    (r"\bparking\b", "parking"),
    (r"\bsubway\b|\bmetro\b", "subway"),
    (r"\bgreen ?space\b|\bpark\b|\bsquare\b", "park"),
    (r"\bgarden\b", "garden"),
    (r"\bbus stops?\b", "bus stop"),
    (r"\bchurch\b|\bsynagogue\b|\bmosque\b", "place of worship"),
    (r"\bgas station\b", "fuel"),
    (r"\bcoffee\b", "cafe"),
    (r"\bgrocery\b", "supermarket"),
    (r"\bball ?field\b|\bcourts?\b", "pitch"),
)
"""Words of instructions and what OpenStreetMap calls the same."""

_OF_THE_STREET: Final = re.compile(
    r"\b(intersections?|side"
    r" ?streets?|corners?|t|junctions?|roads?|streets?|blocks?|buildings?|crossing|crosswalk|"
    r"forks?|curves?|dead ends?|lanes?|bend|median|sidewalk)\b"
)
"""What belongs to the street or to no map of places: nobody can look it up among the POIs."""


@dataclass(frozen=True, slots=True)
class LandmarkFate:
    """One landmark of an instruction."""

    name: str
    poi: str | None
    """Id of the place that answers to it best; ``None`` where none does."""
    poi_name: str | None
    route_m: float | None
    """How far it stands from the reference path, in metres."""
    shown_in: int | None
    """First step in which the agent was shown it; ``None`` where it never was, or where nobody
    logged it.
    """
    of_the_street: bool = False
    """Whether it is a junction, a block, a building: part of the street, and no place of the map.
    """

    def words(self, *, logged: bool) -> str:
        """Say it in a few words; `logged`: the trace holds what the agent was shown."""
        if self.of_the_street:
            return "part of the street, no place of the map"
        if self.poi is None:
            return "not on the map near the route"
        where = (
            f"on the map, {self.route_m:.0f} m from the route"
            if self.route_m is not None
            else "on the map"
        )
        if not logged:
            return where
        return (
            f"{where}, shown in step {self.shown_in}"
            if self.shown_in is not None
            else f"{where}, never shown"
        )


def fate_of_landmarks(trace: Trace, graph: Graph) -> tuple[LandmarkFate, ...]:
    """Tell for each landmark of the instruction where it is and whether the agent was shown it."""
    names = list(
        dict.fromkeys(
            mark.name for mark in trace.landmarks or trace.episode.landmarks if mark.name.strip()
        )
    )
    if not names or not graph.pois:
        return ()
    route = [node for node in trace.episode.reference_path if node in graph]
    answers = _answers(graph, names, [*route, *(node for node in trace.path if node in graph)])
    shown = _shown(trace)
    fates = []
    for name in names:
        poi = answers[name]
        # a log may name places without their ids
        step = None if poi is None else shown.get(poi.id, shown.get(poi.name.casefold()))
        step = step if step is not None else shown.get(name.casefold())
        away_m = None if poi is None or not route else _distance_m(graph, poi, route)
        # a place of the map that bears such a word goes before the street
        street = poi is None and _OF_THE_STREET.search(name.lower()) is not None
        poi_id, poi_name = (poi.id, poi.name) if poi is not None else (None, None)
        fates.append(
            LandmarkFate(name, poi_id, poi_name, away_m, step if poi is not None else None, street)
        )
    return tuple(fates)


def places_of_landmarks(trace: Trace, graph: Graph) -> dict[str, str] | None:
    """Return the POI of each landmark of the instruction, by the landmark's name; a POI only once.

    ``None`` where the trace names no landmarks or the graph has no POIs: then nobody knows what the
    instruction means.
    """
    fates = fate_of_landmarks(trace, graph)
    places: dict[str, str] = {}
    for fate in fates:
        if fate.poi is not None and fate.poi not in places.values():
            places[fate.name] = fate.poi
    return places if fates else None


def places_or_reasons(trace: Trace, graph: Graph) -> dict[str, tuple[float, ...] | str]:
    """Return where each landmark of the instruction stands, or why it has no place, by its name.

    A place is ``(lat, lon)`` in degrees or ``(x, y, z)`` in metres. Other than in
    `places_of_landmarks`, two names may stand for one place, and a junction of the route has one.
    """
    fates: dict[str, tuple[float, ...] | str] = {}
    every = fate_of_landmarks(trace, graph)
    names = [fate.name for fate in every]
    # of the lights near a route one is as alike as the other: the reading says which is meant
    junctions = spoken_junctions(trace.episode, graph, names)
    for fate in every:
        if fate.name in junctions:
            fates[fate.name] = tuple(graph.position(junctions[fate.name]))
        elif fate.poi is None:
            fates[fate.name] = fate.words(logged=False)
        else:
            fates[fate.name] = tuple(graph.pois[fate.poi].position)
    return fates


def landmarks_panel(trace: Trace, graph: Graph) -> Panel | None:
    """Make the table of `fate_of_landmarks`; ``None`` where there is nothing to tell."""
    fates = fate_of_landmarks(trace, graph)
    if not fates:
        return None
    logged = any(step.observation is not None for step in trace.steps)
    rows = [[fate.name, fate.poi_name or "–", fate.words(logged=logged)] for fate in fates]
    return Panel(
        kind="table",
        title="Landmarks on the map",
        data={
            "columns": ["landmark", "place on the map", "where, and whether the agent saw it"],
            "rows": rows,
        },
    )


def bearers_of_name(name: str, graph: Graph, route: Sequence[str]) -> list[str]:
    """Return ids of the POIs within 60 m of a route that bear a landmark's own name."""
    if not own_words(name):
        return []
    named = [poi for poi in pois_near_nodes(graph, route) if "name" in poi.tags]
    return [poi.id for poi in named if _named_alike(name, poi) >= _ALIKE]


def pois_near_nodes(graph: Graph, nodes: Sequence[str], within_m: float = NEAR_M) -> list[Poi]:
    """List the POIs within some metres of some nodes, in the order of the map's file."""
    # a route may be of another map
    there = [graph.index[node] for node in dict.fromkeys(nodes) if node in graph]
    if not there or not graph.pois:
        return []
    kept, route = _kept_routes(graph), (within_m, *there)
    near = kept.get(route)
    if near is None:
        places = graph.metric_positions[there]
        # one tree of all POIs a map: a tree of each route's nodes took 30 times as long
        around: Any = graph.poi_tree.query_ball_point(places, within_m)  # a list a place
        near = sorted(set[int]().union(*around))
        if len(kept) >= _KEPT_ROUTES:
            kept.clear()
        kept[route] = near
    return [graph.pois[graph.poi_ids[k]] for k in near]


@per_graph
def _kept_routes(_graph: Graph) -> dict[tuple[float, ...], list[int]]:
    """Numbers of the POIs near the latest routes: each landmark of a text asks for the same."""
    return {}


def _answers(graph: Graph, names: Sequence[str], nodes: Sequence[str]) -> dict[str, Poi | None]:
    """Return the POI near some nodes that answers to each name best."""
    kept, way = _kept_answers(graph), tuple(nodes)
    ids = kept.get(way, {})
    missing = [name for name in names if name not in ids]
    if missing:
        near = pois_near_nodes(graph, nodes)
        ids = dict(ids)  # another thread may be reading it
        for name in missing:
            best = _best(name, near)
            ids[name] = None if best is None else best.id
        if len(kept) >= _KEPT_ANSWERS:
            kept.clear()
        kept[way] = ids
    answers: dict[str, Poi | None] = {}
    for name in names:
        poi_id = ids[name]
        answers[name] = None if poi_id is None else graph.pois[poi_id]
    return answers


@per_graph
def _kept_answers(_graph: Graph) -> dict[tuple[str, ...], dict[str, str | None]]:
    """Ids of the POIs that answer to names, by way: causes, places and panels ask for the same."""
    return {}


def _distance_m(graph: Graph, poi: Poi, route: Sequence[str]) -> float:
    place = np.array([poi.position], float)
    metric = graph.to_metric(place) if graph.frame == "geo" else place
    nodes = graph.metric_positions[[graph.index[node] for node in route]]
    return float(np.linalg.norm(nodes - metric, axis=1).min())


def _best(name: str, pois: Iterable[Poi]) -> Poi | None:
    """Return the POI that answers to a name best: by its own name, else by its kind."""
    pois = list(pois)
    named = max(
        # -k: of equals the first in the map's file wins, and places are never compared themselves
        ((_named_alike(name, poi), -k, poi) for k, poi in enumerate(pois) if "name" in poi.tags),
        default=None,
    )
    if named is not None and named[0] >= _ALIKE:
        return named[2]
    # what has a name of its own is not answered by any place of its kind
    if own_words(name):
        return None
    wanted_kind = next(
        (kind for words, kind in _SAME_KIND if re.search(words, name.lower())), name.lower()
    )
    kind = max(
        ((fuzz.partial_ratio(wanted_kind, _kinds(poi)), -k, poi) for k, poi in enumerate(pois)),
        default=None,
    )
    return kind[2] if kind is not None and kind[0] >= _ALIKE else None


def _kinds(poi: Poi) -> str:
    """Return what a POI is, without its name."""
    return " ".join(
        str(value).replace("_", " ").lower() for tag, value in poi.tags.items() if tag != "name"
    )


def _named_alike(name: str, poi: Poi) -> float:
    """How alike two names are, 0 to 100; either side may lack the words for the kind."""
    ours, theirs = own_words(name), own_words(str(poi.tags["name"]))
    if not ours or not theirs:
        return fuzz.ratio(name.lower(), str(poi.tags["name"]).lower())
    whole = fuzz.ratio(" ".join(ours), " ".join(theirs))
    shorter, longer = sorted((ours, theirs), key=len)
    # a single letter would be part of too many names
    part = 95.0 if set(shorter) <= set(longer) and sum(map(len, shorter)) >= 2 else 0.0
    return max(whole, part)


@lru_cache(maxsize=65536)
def own_words(name: str) -> tuple[str, ...]:
    """Return the words of a name that are no word for a kind of place."""
    words = _WORD.findall(name.lower().replace("’", "'"))
    words = [word for word in words if word not in _KINDS and word not in _QUALIFIERS]
    return tuple(word for word in words if not _is_kind(word))


@lru_cache(maxsize=65536)
def _is_kind(word: str) -> bool:
    return _OF_THE_STREET.fullmatch(word) is not None or any(
        re.fullmatch(words, word) for words, _ in _SAME_KIND
    )


def _shown(trace: Trace) -> dict[str, int]:
    """First step in which each POI was shown, by its id and by its name in lower case."""
    first: dict[str, int] = {}
    for step in trace.steps:
        for poi in step.observation.pois if step.observation is not None else ():
            for key in (poi.poi_id, poi.name.casefold()):
                if key is not None:
                    first.setdefault(key, step.index)
    return first
