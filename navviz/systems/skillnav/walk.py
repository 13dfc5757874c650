"""Where a walk of SkillNav is: place, global map, sub-goals; and how a fork resumes it."""

from __future__ import annotations

from collections.abc import Sequence

from navviz.errors import InputError
from navviz.language.reorder import sentences
from navviz.observations.agent_pictures import AgentPictures, Camera
from navviz.observations.panorama import angle_text, observations_of, summary_of
from navviz.records import PicturePart, Step, Trace
from navviz.systems.asking import Walk
from navviz.systems.base import NavigationTask
from navviz.systems.skillnav.agents import (
    PATIENCE_OUTDOORS,
    TURN_DEG,
    Localised,
    SubgoalProgress,
    first_sub_goal,
    localise_by_rules,
    read_aim,
)
from navviz.systems.skillnav.memory import GlobalMap, Place, look
from navviz.systems.skillnav.panels import AGENT_TITLE
from navviz.systems.skillnav.settings import SkillNavSettings
from navviz.world.geometry import turn_deg
from navviz.world.link_lines import arrival_deg, departure_deg

FIRST = (
    "The first part needs no model: nothing of the instruction has been carried out yet (rule:"
    " first sentence)."
)

_TURN_WITHIN_DEG = 65.0
"""Way and word agree; the next turn word is 90 degrees off, so a quarter of the circle stays
unclaimed.
"""
_MOST_OBJECTS = 8
"""Names of things at a place, so that a line of the prompt stays readable."""


class SkillWalk(Walk[SkillNavSettings]):
    """Where the agent is, and what it remembers."""

    def __init__(self, task: NavigationTask[SkillNavSettings]) -> None:
        episode, graph = task.episode, task.graph
        if episode.start not in graph:
            what = f"{episode.start} is not in {graph.name}"
            raise InputError(what, "open its world", episode=episode.id, field="start")
        super().__init__(task, episode.start, episode.start_heading_deg or 0.0)
        # the reader of reordered instructions keeps the words of the data set there
        original = episode.extra.get("original_instruction")
        self.original = episode.instruction
        if isinstance(original, str) and original.strip():
            self.original = original
        self.reordered = ""
        self.path = [episode.start]
        self.given: list[str] = []
        """Sub-goals given out so far, ``G``."""
        self.memory = GlobalMap()
        self.progress = SubgoalProgress()
        if graph.frame == "geo":
            self.progress.patience = PATIENCE_OUTDOORS
        self.camera: AgentPictures | None = None
        """Takes the localiser's pictures, where it sees any."""

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
        if self.index <= 1:
            self.progress.begin(0, place, self.height_m)
            first = first_sub_goal(self.reordered)
            if not first:
                return Localised("", problem="the reordered text is empty")
            return Localised(first, FIRST)
        return localise_by_rules(self.parts, self.progress, place, self.height_m)

    def take(self, located: Localised) -> None:
        """Note a sub-goal as given out; one that only goes on is noted once."""
        if located.sub_goal and (not self.given or self.given[-1] != located.sub_goal):
            self.given.append(located.sub_goal)
        parts = self.parts
        self.memory.finished = located.finished
        due = located.sub_goal
        # a model may hand out half a sentence; in other words it is found nowhere, and the count
        # stays unknown
        places = [k for k, part in enumerate(parts) if due and due in part]
        self.memory.remaining = len(parts) - 1 - places[0] if places else None

    def moved(self, path: Sequence[str], sub_goal: str) -> None:
        """Walk; note whether the sub-goal's turn was made."""
        if len(path) > 1:
            angle = turn_deg(self.heading_deg, departure_deg(self.graph, path[0], path[1]))
            wanted = read_aim(sub_goal)
            off = abs(turn_deg(angle, TURN_DEG[wanted.turn or "straight"]))
            if wanted.turns and off <= _TURN_WITHIN_DEG:
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
            lines.append(f"View {k}: {self._summary(node)}{moved}")
        return lines[-count:]

    def pictures(self, count: int, camera: AgentPictures) -> list[tuple[str, PicturePart | None]]:
        """Return the last views in the direction of the walk, each labelled as its line is."""
        views = []
        # numbered as in `views`, which counts first and cuts then
        for k, node in enumerate(self.path[-count:], start=max(1, len(self.path) - count + 1)):
            heading = self.heading_deg
            if k < len(self.path):
                heading = self.graph.heading_deg(node, self.path[k])
            views.append((f"View {k}", camera.take(node, Camera(heading % 360.0))))
        return views

    def _rise(self, a: str, b: str) -> str:
        if self.graph.frame == "geo":
            return ""
        rise = self.graph.position(b)[2] - self.graph.position(a)[2]
        if abs(rise) < 0.1:
            return ""
        return f", went {'up' if rise > 0 else 'down'} {abs(rise):.1f} m"

    def _summary(self, node: str) -> str:
        if self.graph.frame == "geo":
            return look(self.graph, node, 0.0).summary
        names: dict[str, None] = {}
        for sector in observations_of(self.graph).objects.get(node, ()):
            names.update(dict.fromkeys(thing.name for thing in sector))
        summary = summary_of(self.graph, node).rstrip(".")
        if not names:
            return summary
        return f"{summary}; objects: {', '.join(list(names)[:_MOST_OBJECTS])}"

    def relive(self, past: Trace) -> None:
        """Go to where an older trace ends: place, map, stop probabilities, the list ``G``.

        The text comes from the trace's plan, which a user may have changed; without a plan it is
        ordered anew.
        """
        self.reordered = " ".join(goal.description.strip() for goal in past.sub_goals)
        for step in past.steps:
            place = self.arrive()
            due = step.due_part
            self.index = step.index
            if self.reordered:
                # for the progress of the rules alone: what was due stands in the trace
                self.localised_by_rules(place)
            if due and (not self.given or self.given[-1] != due):
                self.given.append(due)
            stop = _stop_of(step)
            if stop is not None:
                self.memory.stop_prob[self.node] = stop
            if any(a not in self.graph for a in step.path):
                raise InputError(
                    "the trace leaves the graph",
                    "fork it on its own world",
                    episode=self.episode.id,
                )
            # a step may repeat a node, and from a node to itself there is no heading
            self.moved([b for k, b in enumerate(step.path) if k == 0 or b != step.path[k - 1]], due)
        if not past.steps or not past.sub_goals:
            return
        walked = [goal.description for goal in past.steps[-1].plan]
        if walked != [goal.description for goal in past.sub_goals]:
            # the user has changed the plan: its own states say where the rules go on
            done = [k for k, goal in enumerate(past.sub_goals) if goal.status == "COMPLETED"]
            following = done[-1] + 1 if done else 0
            self.progress.index = min(following, len(past.sub_goals) - 1)
            self.progress.began_z_m = None


def _stop_of(step: Step) -> float | None:
    """Return the stop probability that was stored in a step."""
    for panel in step.panels:
        if panel.title == AGENT_TITLE:
            value = panel.data.get("stop_prob")
            return float(value) if isinstance(value, int | float) else None
    return None
