"""What a paper's figure of an episode shows: landmarks, wrong guesses, and the steps and labels
that one chooses.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from navviz.analysis.landmarks import (
    NEAR_M,
    bearers_of_name,
    fate_of_landmarks,
    places_of_landmarks,
)
from navviz.errors import SettingsError
from navviz.records import SeenPoi, Trace
from navviz.views.figures.figure_panels import FigureEpisode, names_in
from navviz.world.graph import Graph


def guesses_of_landmarks(trace: Trace, graph: Graph) -> dict[str, SeenPoi | None]:
    """Return by a landmark's name what the navigator took for it wrongly; ``None`` where it took
    nothing at all.

    A landmark that it took rightly in any step is not among them; neither is one for which it took
    nothing and which is not on the map. Empty where the trace does not say what the agent was
    shown, and without a reference path.
    """
    route = [node for node in trace.episode.reference_path if node in graph]
    if not route or all(step.observation is None for step in trace.steps):
        return {}
    guesses: dict[str, SeenPoi | None] = {}
    for fate in fate_of_landmarks(trace, graph):
        # what was shown under the landmark's name
        shown: list[SeenPoi] = []
        for each in trace.steps:
            if each.observation is not None:
                shown += each.observation.pois
        seen = [poi for poi in shown if poi.name.casefold() == fate.name.casefold()]
        if not seen and fate.poi is not None and fate.shown_in is None:
            guesses[fate.name] = None
        bearers = bearers_of_name(fate.name, graph, route)
        if seen and not any(_is_right(poi, bearers, graph, route) for poi in seen):
            guesses[fate.name] = seen[0]
    return guesses


def _is_right(seen: SeenPoi, bearers: Sequence[str], graph: Graph, route: Sequence[str]) -> bool:
    if seen.poi_id is not None and seen.poi_id in graph.pois:
        if bearers:
            return seen.poi_id in bearers
        return _gap_m(_points(graph, seen.poi_id), _nodes(graph, route)) <= NEAR_M
    if seen.node is None or seen.node not in graph:
        return True  # nobody can tell
    here = _nodes(graph, [seen.node])
    places = [_points(graph, poi) for poi in bearers] or [_nodes(graph, route)]
    return min(_gap_m(here, points) for points in places) <= NEAR_M


def _nodes(graph: Graph, nodes: Sequence[str]) -> NDArray[np.float64]:
    return graph.metric_positions[[graph.index[node] for node in nodes]]


def _points(graph: Graph, poi: str) -> NDArray[np.float64]:
    """Points of a POI's outline in metres: the middle of a park may be far from its edge."""
    # the links give their place by its number in the map's file
    order = list(graph.pois).index(poi)
    linked = (
        graph.poi_link_positions[graph.poi_link_pois == order]
        if len(graph.poi_link_positions)
        else []
    )
    places = np.array([*linked, graph.pois[poi].position], dtype=float)
    return graph.to_metric(places) if graph.frame == "geo" else places


def _gap_m(points: NDArray[np.float64], others: NDArray[np.float64]) -> float:
    # one of the two may have no heights
    size = min(points.shape[1], others.shape[1])
    return float(np.linalg.norm(points[:, None, :size] - others[None, :, :size], axis=2).min())


def figure_of(
    trace: Trace, graph: Graph, *, steps: Collection[int] = (), names: Collection[str] | None = None
) -> FigureEpisode:
    """Gather what a figure of an episode shows.

    Raises `SettingsError` for a step that the walk does not have, or a name that stands nowhere on
    the map.
    """
    check_steps(trace, steps)
    episode = FigureEpisode(
        trace,
        graph,
        places_of_landmarks(trace, graph),
        guesses_of_landmarks(trace, graph),
        tuple(sorted(set(steps))),
    )
    return episode if names is None else replace(episode, only=_written_names(names, episode))


def check_steps(trace: Trace, steps: Collection[int]) -> None:
    """Refuse steps that a walk does not have. Raises `SettingsError` naming the first of them."""
    indexes = [step.index for step in trace.steps]
    if missing := sorted(set(steps) - set(indexes)):
        has = f"steps {indexes[0]} to {indexes[-1]}" if indexes else "no steps"
        raise SettingsError(
            f"Step {missing[0]} cannot be numbered: the walk of episode {trace.episode.id} has"
            f" {has}."
        )


def _written_names(names: Collection[str], episode: FigureEpisode) -> frozenset[str]:
    """Return names as the figure writes them."""
    there = {name.casefold(): name for name in names_in(episode)}
    for name in names:
        if name.casefold() not in there:
            of = f"episode {episode.trace.episode.id}"
            listed = f"it has {', '.join(there.values())}" if there else "it has nothing to label"
            raise SettingsError(f"“{name}” is not in the figure of {of}: {listed}.")
    return frozenset(there[name.casefold()] for name in names)


def parsed_steps(text: str) -> list[int]:
    """Read numbers of steps as one writes them: ``1,5,9`` or ``1-3 9``.

    Raises `SettingsError` for what is no number of a step.
    """
    steps: list[int] = []
    for part in re.split(r"[\s,;]+", text.strip()):
        # a range may be pasted with the dash of print
        match = re.fullmatch(r"(\d{1,6})(?:[-–](\d{1,6}))?", part)
        if not part:
            continue
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if match is None or not 1 <= first <= last:
            raise SettingsError(f"“{part}” names no steps: write them as 1,5,9 or 1-3.")
        # a slip such as 1-999999 would list a million steps
        if last - first > 1000:
            raise SettingsError(
                f"{part} are more steps than a figure can number: name the few that matter."
            )
        steps += range(first, last + 1)
    return steps
