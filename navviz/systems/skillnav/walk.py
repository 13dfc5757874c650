"""Where a walk of SkillNav is: place, global map, sub-goals given out; and how a fork brings it back there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from navviz.errors import InputError
from navviz.language.reorder import sentences
from navviz.observations.panorama import observations_of, summary_of
from navviz.observations.panorama_text import angle_text
from navviz.records import Episode, Step, Trace
from navviz.systems.skillnav.agents import TURN_DEG
from navviz.systems.skillnav.aims import read_aim
from navviz.systems.skillnav.localiser import (
    PATIENCE_OUTDOORS,
    Localised,
    SubgoalProgress,
    first_sub_goal,
    localise_by_rules,
)
from navviz.systems.skillnav.memory import GlobalMap, Place
from navviz.systems.skillnav.panels import AGENT_TITLE, sub_goal_data
from navviz.systems.skillnav.places import look
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg, departure_deg

__all__ = ["FIRST", "SkillWalk", "begin", "resume"]

FIRST = "The first part needs no model: nothing of the instruction has been carried out yet (rule: first sentence)."

_TURN_WITHIN_DEG = 65.0
"""Way and word agree; the next turn word is 90 degrees off, so a quarter of the circle stays unclaimed."""
_MOST_OBJECTS = 8
"""Names told of a place, so that a line of the prompt stays readable."""


@dataclass
class SkillWalk:
    """The state of one walk."""

    episode: Episode
    graph: Graph
    node: str
    heading_deg: float
    original: str
    reordered: str = ""
    index: int = 0
    path: list[str] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    """Sub-goals given out so far, ``G``."""
    memory: GlobalMap = field(default_factory=GlobalMap)
    progress: SubgoalProgress = field(default_factory=SubgoalProgress)

    @property
    def parts(self) -> list[str]:
        """Sentences of the reordered text."""
        return [self.reordered[a:b] for a, b in sentences(self.reordered)]

    @property
    def height_m(self) -> float:
        """Height of the place; 0 outdoors."""
        return self.graph.position(self.node)[2] if self.graph.frame == "metric" else 0.0

    def arrive(self) -> Place:
        """Look around, and take what is seen into the global map."""
        place = look(self.graph, self.node, self.heading_deg)
        self.memory.arrive(place)
        return place

    def localised_by_rules(self, place: Place) -> Localised:
        """Return the part that is due, by the rules; the first one at the first step."""
        if self.index == 0:
            self.progress.begin(0, place, self.height_m)
            first = first_sub_goal(self.reordered)
            return Localised(first, FIRST) if first else Localised("", problem="the reordered text is empty")
        return localise_by_rules(self.parts, self.progress, place, self.height_m)

    def take(self, located: Localised) -> None:
        """Note a sub-goal as given out; one that only goes on is noted once."""
        if located.sub_goal and (not self.given or self.given[-1] != located.sub_goal):
            self.given.append(located.sub_goal)
        parts = self.parts
        self.memory.finished = located.finished
        place = next((k for k, part in enumerate(parts) if located.sub_goal and located.sub_goal in part), None)
        self.memory.remaining = None if place is None else len(parts) - 1 - place

    def moved(self, path: Sequence[str], sub_goal: str) -> None:
        """Walk; note whether the sub-goal's turn was made."""
        if len(path) > 1:
            angle = turn_deg(self.heading_deg, departure_deg(self.graph, path[0], path[1]))
            wanted = read_aim(sub_goal)
            if wanted.turns and abs(turn_deg(angle, TURN_DEG[wanted.turn or "straight"])) <= _TURN_WITHIN_DEG:
                self.progress.turned = True
            self.heading_deg = arrival_deg(self.graph, path[-2], path[-1])
            self.progress.moves += 1
        self.node = path[-1] if path else self.node
        self.path.extend(path[1:])

    def views(self, count: int) -> list[str]:
        """Return what the localiser reads of the last viewpoints, one line each, oldest first."""
        lines, heading = [], self.episode.start_heading_deg or 0.0
        for k, node in enumerate(self.path, start=1):
            moved = ""
            if k > 1:
                before = self.path[k - 2]
                link = self.graph.heading_deg(before, node)
                moved = f"; you turned {angle_text(turn_deg(heading, link))} degrees, walked "
                moved += f"{self.graph.link_m(before, node):.1f} m{self._rise(before, node)}"
                heading = link
            lines.append(f"View {k}: {self._told(node)}{moved}")
        return lines[-count:]

    def _rise(self, a: str, b: str) -> str:
        if self.graph.frame == "geo":
            return ""
        rise = self.graph.position(b)[2] - self.graph.position(a)[2]
        return f", went {'up' if rise > 0 else 'down'} {abs(rise):.1f} m" if abs(rise) >= 0.1 else ""

    def _told(self, node: str) -> str:
        if self.graph.frame == "geo":
            return look(self.graph, node, 0.0).summary
        near = observations_of(self.graph).objects.get(node, ())
        names = list(dict.fromkeys(thing.name for sector in near for thing in sector))[:_MOST_OBJECTS]
        told = f"; objects: {', '.join(names)}" if names else ""
        return f"{summary_of(self.graph, node).rstrip('.')}{told}"


def begin(episode: Episode, graph: Graph) -> SkillWalk:
    """Return a walk at its start; raises `InputError` where that is not on the graph."""
    if episode.start not in graph:
        raise InputError(f"{episode.start} is not in {graph.name}", "open its world", episode=episode.id, field="start")
    heading = episode.start_heading_deg if episode.start_heading_deg is not None else 0.0
    told = episode.extra.get("original_instruction")
    original = told if isinstance(told, str) and told.strip() else episode.instruction
    progress = SubgoalProgress(patience=PATIENCE_OUTDOORS) if graph.frame == "geo" else SubgoalProgress()
    return SkillWalk(episode, graph, episode.start, heading, original, path=[episode.start], progress=progress)


def resume(walk: SkillWalk, past: Trace) -> None:
    """Bring a walk to where an older trace ends: place, map, stop probabilities and the list ``G`` up to there.

    The text comes from the trace's plan, which a user may have changed; without a plan it is ordered anew.
    """
    walk.reordered = " ".join(goal.description.strip() for goal in past.sub_goals)
    for step in past.steps:
        place = walk.arrive()
        due = _due(step)
        if walk.reordered:
            walk.localised_by_rules(place)
        walk.index = step.index
        if due and (not walk.given or walk.given[-1] != due):
            walk.given.append(due)
        stop = _stop_of(step)
        if stop is not None:
            walk.memory.stop_prob[walk.node] = stop
        if any(a not in walk.graph for a in step.path):
            raise InputError("the trace leaves the graph", "fork it on its own world", episode=walk.episode.id)
        walk.moved([b for k, b in enumerate(step.path) if k == 0 or b != step.path[k - 1]], due)
    states = [goal.status for goal in past.sub_goals]
    if (
        past.steps
        and states
        and tuple(g.description for g in past.steps[-1].plan) != tuple(g.description for g in past.sub_goals)
    ):
        done = [k for k, state in enumerate(states) if state == "COMPLETED"]
        walk.progress.index, walk.progress.began_z_m = min(done[-1] + 1 if done else 0, len(states) - 1), None


def _due(step: Step) -> str:
    return str(sub_goal_data(step).get("sub_goal", ""))


def _stop_of(step: Step) -> float | None:
    """Return the stop probability that was stored in a step."""
    data = next((panel.data for panel in step.panels if panel.title == AGENT_TITLE), {})
    value = data.get("stop_prob")
    return float(value) if isinstance(value, int | float) else None
