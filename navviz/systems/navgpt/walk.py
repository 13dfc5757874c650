"""Where NavGPT is on a walk, what it sees there, and what has happened so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from navviz.errors import InputError
from navviz.observations.panorama import (
    DirectionView,
    ObjectDetail,
    look_around,
    observe,
    summary_of,
)
from navviz.records import Episode, Observation, Step
from navviz.systems.navgpt.prompt import BACK_TOOL, WENT_BACK, Exchange, history_line, moved
from navviz.systems.navgpt.prompts.text import (
    is_hidden,
    parse_reply,
    published_text,
    published_ways,
)
from navviz.world.graph import Graph
from navviz.world.house import HouseObservations
from navviz.world.link_lines import arrival_deg


@dataclass
class NavGptWalk:
    """The state of one walk."""

    graph: Graph
    node: str
    heading_deg: float
    """As published it is that of the ``navigable`` file, from -15 to 345."""
    seen: HouseObservations
    task: str
    """The instruction, or the plan where one was made."""
    as_published: bool = False
    objects: ObjectDetail = "distances"
    planned: bool = False
    first: str = ""
    """The first viewpoint in short."""
    past: list[Exchange] = field(default_factory=list)
    index: int = 0
    path: list[str] = field(default_factory=list)
    action: str = ""
    """The last move in words."""
    summary: str | None = None
    """Of the viewpoint the agent stands at, where the model has written one."""
    to_chain: bool = False
    """Whether the account of the history chain lacks the last move."""
    unhidden: tuple[str, str] | None = None
    """A viewpoint, and the one whose way from there a repair shows."""

    @property
    def account(self) -> str:
        """The history before the last move, as the chain wrote it last."""
        # a refused turn led nowhere, and is no part of the account
        moves = [turn.answer for turn in self.past[:-1] if not turn.refused]
        return moves[-1] if moves else self.first

    def summarised(self, summary: str) -> None:
        """Put what the model said of this viewpoint into the history."""
        self.summary = summary
        if self.past and not self.past[-1].refused:
            self.rewrite(history_line(self.node, summary, self.action))

    def rewrite(self, answer: str) -> None:
        """Replace what the history says of the last move."""
        self.past[-1] = Exchange(self.past[-1].reply, answer)

    def what(self) -> str:
        """Return what this viewpoint is, in one sentence."""
        return self.summary or summary_of(self.graph, self.node, self.seen)

    def start_line(self) -> str:
        """Return the first viewpoint in short."""
        return (
            "Navigation start, no actions taken yet.\n"
            f'Current viewpoint "{self.node}": Scene from the viewpoint is a {self.what()}'
        )

    def look(self) -> tuple[tuple[DirectionView, ...], Observation]:
        """Return what the agent sees, and what its model is shown of it."""
        views = look_around(self.graph, self.node, self.heading_deg, self.seen)
        described = self.node in self.seen.scenes
        if not self.as_published:
            return views, observe(views, described=described, objects=self.objects)
        ways = published_ways(self.graph, self.node, self.seen)
        hidden = self.hidden()
        order = {way.node: k for k, way in enumerate(ways) if way.node not in hidden}
        views = tuple(_shown(view, order) for view in views)
        shown = observe(views, described=described, objects=self.objects)
        # without scene sentences there is nothing to write the published text of: ours stands in
        if not described:
            return views, shown
        scene = self.seen.scenes[self.node]
        objects = self.seen.objects.get(self.node, ((),) * len(views))
        text = published_text(
            scene, objects, ways, self.heading_deg, self.objects, self._shown_by_repair
        )
        return views, shown.model_copy(update={"text": text})

    def hidden(self) -> tuple[str, ...]:
        """Return the ways on from here that the published code does not show."""
        ways = published_ways(self.graph, self.node, self.seen)
        hidden = [way.node for way in ways if is_hidden(way)]
        return tuple(node for node in hidden if node != self._shown_by_repair)

    @property
    def _shown_by_repair(self) -> str | None:
        if self.unhidden is None or self.unhidden[0] != self.node:
            return None
        return self.unhidden[1]

    def offered(self) -> tuple[str, ...]:
        """Return the linked viewpoints; as published in the order of its files, hidden ones too."""
        if self.as_published:
            return tuple(way.node for way in published_ways(self.graph, self.node, self.seen))
        return tuple(self.graph.neighbours(self.node))

    def arrive(self, path: Sequence[str], reply: str) -> None:
        """Take over a move along `path`, by the action of a reply."""
        heading = self._heading_after(path)
        went_back = parse_reply(reply)[1] == BACK_TOOL
        self.action = WENT_BACK
        if not went_back:
            self.action = moved(self.heading_deg, heading, as_published=self.as_published)
        # the old summary goes before the next line asks `what` the new place is
        self.node, self.heading_deg, self.summary = path[-1], heading, None
        self.past.append(Exchange(reply, history_line(self.node, self.what(), self.action)))
        self.path.extend(path[1:])
        self.to_chain = True

    def _heading_after(self, path: Sequence[str]) -> float:
        if self.as_published:
            # not the bearing of the graph: the published code goes on with the heading of its file
            for way in published_ways(self.graph, path[-2], self.seen):
                if way.node == path[-1]:
                    return way.heading_deg
        return arrival_deg(self.graph, path[-2], path[-1])


def _shown(view: DirectionView, order: dict[str, int]) -> DirectionView:
    kept = [way for way in view.candidates if way.node in order]
    return replace(view, candidates=tuple(sorted(kept, key=lambda way: order[way.node])))


def begin(
    episode: Episode,
    graph: Graph,
    seen: HouseObservations,
    *,
    as_published: bool,
    objects: ObjectDetail,
) -> NavGptWalk:
    """Return a walk before its first turn.

    Raises
    ------
    InputError
        When the start is not in the house.
    """
    start, task = episode.start, episode.instruction
    if start not in graph:
        what = f"viewpoint {start} is not in scan {graph.name}"
        raise InputError(what, "open the right house", episode=episode.id)
    heading_deg = episode.start_heading_deg or 0.0
    return NavGptWalk(
        graph, start, heading_deg, seen, task, as_published, objects, path=[episode.start]
    )


def way_back(walk: NavGptWalk, target: str) -> tuple[str, ...] | None:
    """Return the way back through visited viewpoints; ``None`` where there is none."""
    if target not in walk.path or target == walk.node:
        return None
    return walk.graph.subgraph(set(walk.path)).hops(walk.node, target)


def reply_of(step: Step, purpose: str) -> str | None:
    """Return the last answer of the model in a step for a purpose."""
    replies = [call.reply or "" for call in step.calls if call.purpose == purpose]
    return replies[-1] if replies else None
