"""MSNav: a model walks with a map of Places in words, kept small by pruning (Liu et al. 2025,
arXiv:2508.16654).

With ``views=pictures`` it sees pictures as the paper's agent does, else words stand for them (the
text variant). Without its three modules it is MapGPT (Chen 2024).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from navviz.errors import InputError
from navviz.llm.base import Request
from navviz.observations.discrete_views import CandidateView, snapped_heading_deg
from navviz.observations.view_text import ViewText
from navviz.records import (
    Call,
    Candidate,
    Decision,
    DecisionEvent,
    EndEvent,
    Event,
    MoveEvent,
    Observation,
    PanelEvent,
    PicturePart,
    PlanEvent,
    SeenPoi,
)
from navviz.records.finding import RepairKind
from navviz.systems.asking import StepNavigator, Turn, Walk
from navviz.systems.base import (
    EVERYWHERE,
    Frames,
    MissingViews,
    NavigationTask,
    Settings,
    lacking,
    unhidden_way,
)
from navviz.systems.msnav.marking import mark_objects
from navviz.systems.msnav.place_map.hints import early_stop
from navviz.systems.msnav.place_map.memory import MapMemory
from navviz.systems.msnav.place_map.panels import (
    OptionRow,
    hint_panel,
    map_panel,
    options_panel,
    planning_panel,
    pruning_panel,
)
from navviz.systems.msnav.place_map.prompt import (
    NO_PLANNING,
    REPLY_SCHEMA,
    Chosen,
    Option,
    PlacePrompt,
    action_text,
    forced_stop,
    landmarks,
    make_options,
    make_prompt,
    read_reply,
    reading_of,
    spatial_panel,
)
from navviz.systems.msnav.prompt import decide_messages, views_text
from navviz.systems.msnav.settings import MsnavSettings, ServedSpatial
from navviz.systems.msnav.ways import HouseWays, Ways, agent_panel, ways_of
from navviz.systems.spatial import (
    SPATIAL_TOKENS,
    FileSpatial,
    Spatial,
    SpatialReading,
    ask_spatial,
)
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg

_PURPOSE = "decide"
PLACEHOLDER = "(no view is kept: this place was taken off the map)"
"""Stands where a pruned place had its view."""


@dataclass(frozen=True, slots=True)
class _Scene:
    """What the agent has before it at one step."""

    ways: tuple[CandidateView, ...]
    options: tuple[Option, ...]
    prompt: PlacePrompt
    views: str
    images: Mapping[int, PicturePart | None] | None = None
    """By Place number, where the agent sees pictures."""

    def option_of(self, node: str) -> Option | None:
        """Return the option that leads to a place."""
        moves = [option for option in self.options if option.place is not None]
        return next(
            (option for way, option in zip(self.ways, moves, strict=True) if way.node == node), None
        )


class _MapWalk(Walk[MsnavSettings]):
    """Where the agent is and what it remembers."""

    def __init__(
        self, task: NavigationTask[MsnavSettings], ways: Ways, spatial: Spatial | None
    ) -> None:
        heading_deg = snapped_heading_deg(task.episode.start_heading_deg or 0.0)
        super().__init__(task, task.episode.start, heading_deg)
        self.ways, self.spatial = ways, spatial
        self.memory = MapMemory(self.options.rules)
        self.reading = SpatialReading()
        self.views: dict[str, str] = {}
        """Text of the view that last showed a place."""
        self.marks: dict[str, tuple[str, ...]] = {}
        """Objects that were marked in it."""
        self.images: dict[str, PicturePart | None] = {}
        """Picture that last showed a place."""
        self.actions: list[str] = []
        self.plans: list[tuple[int, str]] = []
        self.thoughts: list[str] = []
        self.read: list[str] = []

    @property
    def time(self) -> int:
        """Time step t of the decision, from 0."""
        return self.index - 1

    def prepare(self) -> Turn:
        """Read the instruction for objects, and walk through the past."""
        past = self.task.past
        reading = reading_of(past) if past is not None else None
        if reading is None:
            reading = yield from self._read_instruction()
        self.reading = reading
        if past is None:
            return None
        for step in past.steps:
            if step.node is None:
                continue
            self.index = step.index
            scene = self._look()
            replies = [call.reply for call in step.calls if call.purpose == _PURPOSE and call.reply]
            if replies:
                self._heard(read_reply(replies[-1], scene.options))
            if len(step.path) > 1:
                self._follow(scene, step.path)
        shown = unhidden_way(past)
        if shown is not None:
            self.memory.keep(shown[1])
        return None

    def over(self) -> EndEvent | None:
        """End at the limit of steps."""
        limit = self.options.step_limit
        if self.index >= limit:
            return self.end("limit", f"not stopped after {limit} steps")
        return None

    def turn(self) -> Turn:
        """Look, ask where to go, and go there or stop."""
        scene = self._look()
        yield from self.begin(self._observation(scene))
        yield PanelEvent(panel=map_panel(self.memory))
        yield PanelEvent(panel=pruning_panel(self.memory))
        limit = self.options.image_limit
        if limit and len(self.memory.places) > limit:
            chosen = forced_stop(
                f"more than {limit} places with room for a picture stop the walk without a call"
            )
        else:
            understood = partial(_understood, options=scene.options)
            call = yield from self.ask(self._request(scene), understood)
            chosen = read_reply(call.reply, scene.options)
        self._heard(chosen)
        yield from self._explained(scene, chosen)
        legal = chosen.rule is None
        if chosen.candidate is None:
            decision = Decision(target=self.node, stop=True, legal=legal, reason=chosen.rule)
            yield DecisionEvent(decision=decision)
            return self.end("done", chosen.rule or "The model chose to stop.")
        way = scene.ways[chosen.candidate]
        yield DecisionEvent(
            decision=Decision(target=way.node, legal=legal, reason=chosen.rule),
            candidates=self._candidates(scene, way.node),
        )
        option = scene.option_of(way.node) or Option("", "go", self.memory.places[way.node])
        path = way.path or (self.node, way.node)
        self._go(way, option)
        yield MoveEvent(path=path, heading_deg=self.heading_deg)
        return None

    def _read_instruction(self) -> Generator[Event, None, SpatialReading]:
        """Read objects and layout of the instruction, once, with panels of what this agent is."""
        options, text = self.options, self.episode.instruction
        calls: tuple[Call, ...] = ()
        reading = SpatialReading()
        if self.spatial is not None and options.spatial != "off":
            reading = self.spatial.read(text)
        elif options.spatial == "model":
            reading, calls = yield from ask_spatial(
                self.model,
                text,
                temperature=options.temperature,
                max_output_tokens=options.reply_tokens(SPATIAL_TOKENS),
            )
        elif options.spatial == "http":
            reading = ServedSpatial(options.spatial_url).read(text)
        elif options.spatial == "file":
            reading = FileSpatial.open(options.spatial_file, self.episode).read(text)
        marking = "oracle objects" if self.ways.source == "objects" else "marked by name"
        panels = (
            agent_panel(self.ways.source, options, is_street=self.graph.frame == "geo"),
            spatial_panel(reading, marking),
        )
        yield PlanEvent(landmarks=landmarks(reading), calls=calls, panels=panels)
        failed = next((call.error for call in calls if call.error), None)
        if failed is not None:
            raise InputError(
                f"the instruction could not be read for objects ({failed})",
                "try again, or set spatial = off",
            )
        return reading

    def _look(self) -> _Scene:
        """Arrive at the place where the agent stands: map, pruning, options, prompt."""
        ways = self.ways.candidates(self.node)
        arrival = self.memory.arrive(self.node, [way.node for way in ways])
        for way in ways:
            marked = mark_objects(
                self.ways.text(self.node, way), self.reading.direct, self.reading.potential
            )
            self.views[way.node], self.marks[way.node] = marked.text, marked.names
            self.images[way.node] = self.ways.picture(self.node, way)
            self.read.append(marked.text)
        for score in arrival.removed:
            self.views[score.node], self.marks[score.node] = PLACEHOLDER, ()
            self.images[score.node] = None
        places = self.memory.places
        stop = self.time >= self.options.stop_after
        options = make_options(ways, places, self.heading_deg, stop=stop)
        planning = self.plans[-1][1] if self.plans else NO_PLANNING
        layout = None if self.options.spatial == "off" else self.reading.layout
        text = self.episode.instruction
        prompt = make_prompt(self.memory, text, self.actions, planning, options, layout, self.time)
        views = views_text({places[node]: text for node, text in self.views.items()})
        images = None
        if self.ways.source == "pictures":
            images = {places[node]: picture for node, picture in self.images.items()}
        return _Scene(ways, options, prompt, views, images)

    def _observation(self, scene: _Scene) -> Observation:
        pois: list[SeenPoi] = []
        for way in scene.ways:
            pois += [SeenPoi(name=name, node=way.node) for name in self.marks.get(way.node, ())]
        return Observation(
            format=f"places-{self.ways.source}",
            text=f"{scene.prompt}\n\n{scene.views}",
            visible_nodes=tuple(way.node for way in scene.ways),
            pois=tuple(pois),
            candidates=self._candidates(scene),
        )

    def _candidates(self, scene: _Scene, chosen: str | None = None) -> tuple[Candidate, ...]:
        moves = [option for option in scene.options if option.place is not None]
        candidates = []
        for way, option in zip(scene.ways, moves, strict=True):
            candidate = Candidate(
                node=way.node,
                state="chosen" if way.node == chosen else "offered",
                label=option.letter,
                direction=option.direction,
                heading_deg=round(way.heading_deg, 2),
                angle_deg=round(turn_deg(self.heading_deg, way.heading_deg), 2),
                distance_m=round(way.distance_m, 2),
                path=way.path,
            )
            candidates.append(candidate)
        return tuple(candidates)

    def _request(self, scene: _Scene) -> Request:
        options = self.options
        messages = decide_messages(
            scene.prompt,
            scene.views,
            pruned=options.pruning,
            marked=bool(self.reading.names),
            remote=self.episode.dataset == "REVERIE",
            outdoors=self.graph.frame == "geo",
            text=options.prompt,
            images=scene.images,
        )
        return Request(
            messages,
            purpose=_PURPOSE,
            schema=REPLY_SCHEMA,
            temperature=options.temperature,
            max_output_tokens=options.reply_tokens(),
        )

    def _heard(self, chosen: Chosen) -> None:
        self.plans.append((self.time, chosen.planning))
        self.thoughts.append(chosen.thought)

    def _explained(self, scene: _Scene, chosen: Chosen) -> Iterator[Event]:
        """Yield the panels of a decision."""
        letters = [option.letter for option in scene.options if option.place is not None]
        moves = dict(zip(letters, scene.ways, strict=True))
        rows = []
        for option in scene.options:
            way = moves.get(option.letter)
            if way is None:
                rows.append(OptionRow(option))
            else:
                rows.append(
                    OptionRow(option, way.node, way.view, way.selected, self.views[way.node])
                )
        yield PanelEvent(panel=options_panel(rows, chosen.letter, chosen.rule))
        yield PanelEvent(panel=planning_panel(self.plans))
        if chosen.stop and chosen.rule is None:
            missing, quoted = early_stop(self.reading, self.read, self.thoughts, chosen.thought)
            if missing and quoted:
                yield PanelEvent(panel=hint_panel(missing, quoted))

    def _go(self, way: CandidateView, option: Option) -> None:
        self.actions.append(option.text)
        self.node, self.heading_deg = way.node, self.ways.facing_deg(way)

    def _follow(self, scene: _Scene, path: tuple[str, ...]) -> None:
        """Go where an old step went; by hand it may have gone past several places at once."""
        way = next((way for way in scene.ways if way.node == path[-1]), None)
        option = scene.option_of(path[-1])
        if way is not None and option is not None:
            self._go(way, option)
            return
        for node in path[1:-1]:
            self.memory.arrive(node, [other.node for other in self.ways.candidates(node)])
        place = self.memory.places.get(path[-1], len(self.memory.places))
        self.actions.append(action_text("go", place))
        self.node = path[-1]
        self.heading_deg = snapped_heading_deg(arrival_deg(self.graph, path[-2], path[-1]))


def _understood(call: Call, options: tuple[Option, ...]) -> Call:
    """Return the call with what was made of its reply; the thought stands among the thoughts."""
    if call.error is not None:
        return call
    chosen = read_reply(call.reply, options)
    parts = {"Thought": chosen.thought, "New Planning": chosen.planning, "Action": chosen.letter}
    return call.model_copy(
        update={
            "thoughts": (
                "\n\n".join(text for text in (call.thoughts, chosen.thought) if text) or None
            ),
            "parsed": {name: part for name, part in parts.items() if part is not None},
            "parse_error": chosen.parse_error,
        }
    )


class Msnav(StepNavigator[MsnavSettings]):
    """The navigator ``msnav``."""

    name: ClassVar[str] = "msnav"
    summary: ClassVar[str] = (
        "MSNav: a model reads a map of Places that rules prune, and sees the linked viewpoints in"
        " words (text variant) or, with views=pictures, in pictures as the paper's agent does."
        " Outdoors, on junctions, it is ours, not the paper's. preset=mapgpt is MapGPT."
    )
    needs_model: ClassVar[bool] = True
    frames: ClassVar[Frames] = EVERYWHERE
    settings_type: ClassVar[type[Settings]] = MsnavSettings
    repairs: ClassVar[frozenset[RepairKind]] = frozenset({"unhide_way"})

    def __init__(self, spatial: Spatial | None = None, texts: ViewText | None = None) -> None:
        self._spatial, self._texts = spatial, texts

    def missing_views(self, graph: Graph, settings: MsnavSettings) -> MissingViews | None:
        """See `navviz.systems.base.missing_views`."""
        if graph.frame == "geo" or self._texts is not None:
            return None
        if settings.views == "geometry":
            return MissingViews("views=geometry tells directions alone", "choose other views")
        missing = lacking(
            graph, "descriptions", "views", do="name LangNav's captions in view_files"
        )
        # captions and named folders are read last, since that takes time
        if settings.views != "auto" or missing is None:
            return None
        return missing if ways_of(graph, settings).source == "geometry" else None

    def begin(self, task: NavigationTask[MsnavSettings]) -> _MapWalk:
        """Return the walk before its first step."""
        if task.episode.start not in task.graph:
            raise InputError(
                f"the start {task.episode.start} is not in {task.graph.name}",
                "open the right graph",
                episode=task.episode.id,
                field="start",
            )
        options = task.settings
        ways = ways_of(task.graph, options)
        if self._texts is not None and task.graph.frame == "metric":
            ways = HouseWays(
                task.graph, type(self._texts).__name__, self._texts, options.view_selection
            )
        return _MapWalk(task, ways, self._spatial)
