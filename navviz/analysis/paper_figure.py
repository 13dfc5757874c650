"""What a paper's figure of an episode shows: landmarks, wrong guesses, and the steps and labels
that one chooses.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from navviz.analysis.landmark_guesses import guesses_of_landmarks
from navviz.analysis.landmarks import places_of_landmarks
from navviz.errors import SettingsError
from navviz.records import Trace
from navviz.views.figures.figure_panels import FigureEpisode, names_in
from navviz.world.graph import Graph


def figure_of(
    trace: Trace, graph: Graph, *, steps: Collection[int] = (), names: Collection[str] | None = None
) -> FigureEpisode:
    """Gather what a figure of an episode shows.

    Parameters
    ----------
    trace, graph
        The episode.
    steps
        Steps whose numbers stand on the agent's path.
    names
        Names of landmarks and rooms that are labelled, whatever their case; ``None`` labels all.

    Raises
    ------
    SettingsError
        For a step that the walk does not have, or a name that stands nowhere on the map.
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
    """Refuse steps that a walk does not have.

    Raises
    ------
    SettingsError
        Naming the first of them.
    """
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

    Raises
    ------
    SettingsError
        For what is no number of a step.
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
