"""What belongs to one item beside its text: its map, without an agent, and what its task needs.

A blind sheet is made from the episode alone: no trace reaches it. *Follow it* gets a world of its
own that holds only what can be seen from where the annotator stands, so that neither route nor goal
leaves the server.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from navviz.analysis.acts import decisive_act
from navviz.analysis.landmarks import fate_of_landmarks
from navviz.annotation.records import Failures, Task
from navviz.annotation.taxonomy import Taxonomy
from navviz.language.mentions import landmark_names
from navviz.language.skills import skill_of
from navviz.observations.pictures.films import WalkPictures
from navviz.records import Episode, Landmark, Observation, Step, Trace, TraceHeader
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity
from navviz.systems.human.navigator import CurrentPlace, HumanWalk
from navviz.ui.data import cache
from navviz.views.player.document import replay_document
from navviz.views.player.pictures import LevelView, PictureTable
from navviz.world.geometry import relative_direction, turn_deg
from navviz.world.graph import Graph, Poi
from navviz.world.info import WorldInfo

_REACH_M = {"geo": 60.0, "metric": 6.0}
"""How far from the route a place may stand to be offered for a mention."""
_MOST_LISTED = 9
_MOST_PICTURES = 120
"""To mark landmarks in: ten places with twelve level views each."""
_SIDES = {"Forward": "ahead", "Left": "to the left", "Right": "to the right", "Back": "behind"}


def sheet_of(run: OpenRun, task: Task, episode: str, taxonomy: Taxonomy | None) -> dict[str, Any]:
    """Return the sheet of an item; built once for each run, task and episode."""
    version = "" if taxonomy is None else f"{taxonomy.name} {taxonomy.version}"
    return _sheet(run.source.identity, task, episode, version, run, taxonomy)


@st.cache_resource(max_entries=256, show_spinner=False)
def _sheet(
    identity: Identity,
    task: Task,
    episode: str,
    version: str,
    _run: OpenRun,
    _taxonomy: Taxonomy | None,
) -> dict[str, Any]:
    del identity, version
    if task in {"failure", "skill"}:
        return replay_sheet(_run, episode, _taxonomy if task == "failure" else None)
    own_episode = _run.trace(episode).episode
    graph = _run.graph_of(own_episode.world)
    # navigability and difficulty are judged from the text and the map alone
    seen = route_pictures(_run, own_episode) if task == "mentions" else None
    return blind_sheet(own_episode, graph, seen)


def _blind(
    episode: Episode,
    graph: Graph,
    steps: Sequence[Step] = (),
    pictures: PictureTable | None = None,
) -> dict[str, Any]:
    """Return the player's document of an episode that nobody has walked: no run, no plan, no
    figures.
    """
    # gold sub-goals and landmarks would say what the text alone should say to who judges it
    nothing: dict[str, Any] = {
        "sub_goals": (),
        "landmarks": (),
        "step_tasks": (),
        "extra": {},
        "split": None,
    }
    bare = episode.model_copy(update=nothing)
    trace = Trace(
        header=TraceHeader(run="", episode=bare, navigator="", created=""), steps=tuple(steps)
    )
    return replay_document(trace, graph, running=True, pictures=pictures)


def route_pictures(run: OpenRun, episode: Episode) -> PictureTable:
    """Find the pictures of places, whoever stood there: no trace of an agent is asked for any."""
    bare = Trace(header=TraceHeader(run="", episode=episode, navigator="", created=""))
    rotations = run.graph_of(episode.world).info.rotations
    folders = run.picture_folders()
    return PictureTable(WalkPictures(folders, bare, rotations, films=False), around=False)


def _route_pictures(table: PictureTable, episode: Episode, graph: Graph) -> list[dict[str, Any]]:
    """List the level pictures along a route, to mark landmarks in; those ahead come first."""
    route = [node for node in (episode.start, *episode.reference_path) if node in graph]
    places = list(dict.fromkeys(route))
    listed = []
    ahead_deg = episode.start_heading_deg or 0.0
    for number, node in enumerate(places, start=1):
        # at the last place one still looks where one came from the place before
        if number < len(places):
            ahead_deg = graph.heading_deg(node, places[number])
        for view in sorted(table.level(node), key=partial(_aside_deg, ahead_deg)):
            name = table.name_of(view.picture)
            side = _side(ahead_deg, view)
            caption = f"place {number} of {len(places)} of the route, {side}{name}"
            picture = {"picture": view.picture, "name": name, "caption": caption}
            listed.append(picture if view.cut is None else picture | {"cut": list(view.cut)})
    return listed[:_MOST_PICTURES]


def _aside_deg(ahead_deg: float, view: LevelView) -> float:
    return 0.0 if view.heading_deg is None else abs(turn_deg(ahead_deg, view.heading_deg))


def _side(ahead_deg: float, view: LevelView) -> str:
    if view.heading_deg is None:
        return ""
    return f"{_SIDES[relative_direction(ahead_deg, view.heading_deg)]}, "


def blind_sheet(
    episode: Episode, graph: Graph, pictures: PictureTable | None = None
) -> dict[str, Any]:
    """Return the route with its streets, places and named landmarks, without any agent's walk.

    `pictures` are those of its places (`route_pictures`).
    """
    listed = [] if pictures is None else _route_pictures(pictures, episode, graph)
    document = _blind(episode, graph, pictures=pictures)
    # the player knows a place by its index in the document
    index = {poi["id"]: i for i, poi in enumerate(document["pois"])}
    places = []
    reach_m = _REACH_M[graph.frame]
    route = [node for node in (*episode.reference_path, episode.start) if node in graph]
    pois: dict[str, Poi] = {}
    for node in route:
        near = graph.pois_near(graph.position(node), reach_m)
        pois |= {poi.id: poi for poi in near}
    for poi in sorted(pois.values(), key=lambda poi: poi.name.lower()):
        place = {"id": poi.id, "name": poi.name, "kind": _kind(poi), "poi": index.get(poi.id)}
        places.append(place)
    names = [mark.name for mark in episode.landmarks] or list(landmark_names(episode.instruction))
    bare = episode.model_copy(update={"landmarks": tuple(Landmark(name=name) for name in names)})
    trace = Trace(header=TraceHeader(run="", episode=bare, navigator="", created=""))
    marks: dict[int, dict[str, Any]] = {}
    for fate in fate_of_landmarks(trace, graph):
        if fate.poi is None or fate.poi not in index:
            continue
        for match in re.finditer(
            # no \b: a name may begin or end with a character that is no letter
            rf"(?<!\w){re.escape(fate.name)}(?!\w)",
            episode.instruction,
            re.IGNORECASE,
        ):
            # two landmarks may match at one character: the first one keeps it
            marks.setdefault(
                match.start(),
                {"start": match.start(), "end": match.end(), "pois": [index[fate.poi]]},
            )
    sheet = {
        "document": document,
        "marks": [marks[start] for start in sorted(marks)],
        "places": places,
    }
    return sheet if pictures is None else sheet | {"pictures": listed, "table": pictures}


def _kind(poi: Poi) -> str | None:
    if "name" not in poi.tags:
        return None
    return next(
        (str(text).replace("_", " ") for key, text in poi.tags.items() if key != "name"), None
    )


# --- replays


def replay_sheet(run: OpenRun, episode: str, taxonomy: Taxonomy | None) -> dict[str, Any]:
    """Return the agent's replay, for the tasks that judge what it did: suggestions, or the steps it
    routed.
    """
    document, table = cache.illustrated(run, episode)
    sheet: dict[str, Any] = {"document": document, "table": table}
    if taxonomy is not None:
        divergence = run.divergence(episode)
        act = decisive_act(run.trace(episode), run.graph(episode), divergence)
        sentence = divergence.sentence if act is None else act.sentence
        caption = "Suggested by the automatic analysis"
        offers: dict[str, dict[str, Any]] = {}
        for code in taxonomy.suggestions.get(divergence.kind, ()):
            offers[code] = _offer(taxonomy, code, divergence.step, caption, sentence)
        misfit = "The instruction does not fit its route"
        for contradiction in cache.contradictions(run, episode):
            for code in taxonomy.suggestions.get(f"contradiction: {contradiction.kind}", ()):
                # A code suggested twice keeps its first sentence and its last place.
                first = offers.pop(code, None)
                offers[code] = first or _offer(taxonomy, code, None, misfit, contradiction.sentence)
        return sheet | {"suggestions": list(offers.values())}
    steps = [step for step in run.trace(episode).steps if step.due_part]
    return sheet | {"steps": [_routed(step) for step in steps]}


def _routed(step: Step) -> dict[str, Any]:
    named = skill_of(step)
    entry = {"index": step.index, "text": step.due_part}
    return entry | {"named": named.value if named is not None else None}


def _offer(
    taxonomy: Taxonomy, code: str, step: int | None, caption: str, sentence: str
) -> dict[str, Any]:
    title = taxonomy.label(code).titles[-1]
    return {"code": code, "title": title, "step": step, "caption": caption, "sentence": sentence}


def translated(failures: Failures, taxonomy: Taxonomy) -> tuple[Failures, str]:
    """Return labels in this version of the taxonomy, and a word on those that have no place in
    it.
    """
    if failures.taxonomy_version == taxonomy.version:
        return failures, ""
    now, lost = taxonomy.translate(failures)
    note = (
        f"No place in version {taxonomy.version} for: {', '.join(lost)}; label these again."
        if lost
        else ""
    )
    return now, note


# --- following


def walk_sheet(walk: HumanWalk, pictures: PictureTable | None = None) -> dict[str, Any]:
    """Return what can be seen from where somebody stands who follows the instruction, and nothing
    else: of `pictures`, those of the places where he stands or stood.
    """
    place, graph = walk.place, walk.graph
    nodes = {*walk.path, place.node, *place.observation.visible_nodes}
    nodes.update(*place.links, *place.routes.values())
    part = graph.subgraph(node for node in nodes if node in graph)
    shown = [poi.poi_id for poi in place.observation.pois if poi.poi_id is not None]
    pois = {poi: graph.pois[poi] for poi in shown if poi in graph.pois}
    none = np.empty(0, np.int32)
    seen = replace(
        part,
        pois=pois,
        poi_link_nodes=none,
        poi_link_pois=none,
        poi_link_headings_deg=np.empty(0),
        poi_link_positions=np.empty((0, 2)),
        # the map's source has to be named; all else of the world is out of sight
        info=WorldInfo(attribution=graph.info.attribution),
    )
    episode = walk.episode.model_copy(update={"reference_path": (), "goal": None, "tasks": ()})
    walked = [Step(index=1, node=walk.path[0], path=tuple(walk.path))] if len(walk.path) > 1 else []
    observation = place.observation.model_copy(update={"text": None})
    here = Step(
        index=len(walked) + 1,
        node=place.node,
        heading_deg=place.heading_deg,
        observation=observation,
    )
    document = _blind(episode, seen, [*walked, here], pictures)
    listed = set(_worth_naming(place))
    choices = []
    for candidate in place.observation.candidates:
        away = f"{candidate.distance_m:.0f} m" if candidate.distance_m else None
        facts = [candidate.direction, away, candidate.label]
        text = " · ".join(fact for fact in facts if fact) or candidate.node
        choices.append({"node": candidate.node, "text": text, "listed": candidate.node in listed})
    stand = {
        "here": place.node,
        "choices": choices,
        "taken": list(walk.choices),
        "walked_m": graph.path_length_m(walk.path),
        "in_sight": _in_sight(place.observation),
        "note": "",
    }
    return {"document": document, "stand": stand, "table": pictures}


def _in_sight(observation: Observation) -> list[str]:
    """Landmarks by the letters that stand on the map."""
    lines: dict[str, None] = {}
    for poi in observation.pois:
        where = ", ".join(
            dict.fromkeys(
                text for text in ((poi.direction or "").lower(), poi.position or "") if text
            )
        )
        lines[f"{poi.letter or '·'}  {poi.name}" + (f" ({where})" if where else "")] = None
    return list(lines)


def _worth_naming(place: CurrentPlace) -> list[str]:
    """Return up to nine places for the list: the next, crossings, turns there, the farthest.

    All places, also the others, can be clicked on the map.
    """
    candidates = list(place.observation.candidates)
    if len(candidates) <= _MOST_LISTED:
        return [candidate.node for candidate in candidates]
    nearest, farthest = candidates[0].node, candidates[-1].node
    named = []
    for candidate in candidates:
        is_turn = bool(candidate.label) or candidate.direction != "Forward"
        if candidate.direction and (is_turn or candidate.node in {nearest, farthest}):
            named.append(candidate.node)
    return named[:_MOST_LISTED]
