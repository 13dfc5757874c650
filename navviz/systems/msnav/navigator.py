"""MSNav: a model walks with a map of Places in words, kept small by pruning (Liu et al. 2025,
arXiv:2508.16654).

With ``views=pictures`` it sees pictures as the paper's agent does, else words stand for them (the
text variant). Without its three modules it is MapGPT (Chen 2024).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from navviz.errors import InputError
from navviz.llm.base import Request
from navviz.observations.discrete_views import CandidateView, snapped_heading_deg
from navviz.observations.view_text import ViewText
from navviz.records import (
    Call,
    CallEvent,
    Candidate,
    Decision,
    DecisionEvent,
    EndEvent,
    Episode,
    Event,
    MoveEvent,
    Observation,
    ObservationEvent,
    PanelEvent,
    PicturePart,
    PlanEvent,
    SeenPoi,
    Step,
    StepEvent,
)
from navviz.records.cause import RepairKind
from navviz.systems.asking import end_status, listen, needed
from navviz.systems.base import (
    EVERYWHERE,
    Frames,
    MissingViews,
    NavigationTask,
    Settings,
    TaskNavigator,
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
    SpatialReading,
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
from navviz.systems.msnav.spatial import FileSpatial, Spatial, ask_spatial
from navviz.systems.msnav.ways import HouseWays, Ways, agent_panel, ways_of
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel

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


@dataclass
class _MapWalk:
    """Where the agent is and what it remembers."""

    episode: Episode
    graph: Graph
    ways: Ways
    options: MsnavSettings
    node: str
    heading_deg: float
    memory: MapMemory
    reading: SpatialReading = field(default_factory=SpatialReading)
    views: dict[str, str] = field(default_factory=dict)
    """Text of the view that last showed a place."""
    marks: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Objects that were marked in it."""
    images: dict[str, PicturePart | None] = field(default_factory=dict)
    """Picture that last showed a place."""
    actions: list[str] = field(default_factory=list)
    plans: list[tuple[int, str]] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    read: list[str] = field(default_factory=list)
    step: int = 0
    """Time step t of the next decision, from 0."""

    def look(self) -> _Scene:
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
        stop = self.step >= self.options.stop_after
        options = make_options(ways, self.memory.places, self.heading_deg, stop=stop)
        planning = self.plans[-1][1] if self.plans else NO_PLANNING
        layout = None if self.options.spatial == "off" else self.reading.layout
        text = self.episode.instruction
        prompt = make_prompt(self.memory, text, self.actions, planning, options, layout, self.step)
        shown = {self.memory.places[node]: text for node, text in self.views.items()}
        return _Scene(ways, options, prompt, views_text(shown), self._images())

    def _images(self) -> Mapping[int, PicturePart | None] | None:
        if self.ways.source != "pictures":
            return None
        return {self.memory.places[node]: picture for node, picture in self.images.items()}

    def go(self, way: CandidateView, option: Option) -> tuple[str, ...]:
        """Take a way; gives the nodes walked."""
        path = way.path or (self.node, way.node)
        self.actions.append(option.text)
        self.node, self.heading_deg = way.node, self.ways.facing_deg(way)
        return path


class Msnav(TaskNavigator[MsnavSettings]):
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

    def walk(self, task: NavigationTask[MsnavSettings]) -> Iterator[Event]:
        """Walk the episode; see `navviz.systems.base.Navigator`."""
        options, past = task.settings, task.past
        model = needed(task.llm, self.name)
        if task.episode.start not in task.graph:
            raise InputError(
                f"the start {task.episode.start} is not in {task.graph.name}",
                "open the right graph",
                episode=task.episode.id,
                field="start",
            )
        heading = snapped_heading_deg(task.episode.start_heading_deg or 0.0)
        ways = ways_of(task.graph, options)
        if self._texts is not None and task.graph.frame == "metric":
            ways = HouseWays(
                task.graph, type(self._texts).__name__, self._texts, options.view_selection
            )
        walk = _MapWalk(
            task.episode,
            task.graph,
            ways,
            options,
            task.episode.start,
            heading,
            MapMemory(options.rules),
        )
        reading = reading_of(past) if past is not None else None
        if reading is None:
            reading = yield from _read_instruction(walk, model, self._spatial)
        walk.reading = reading
        if past is not None:
            for step in past.steps:
                if step.node is None:
                    continue
                walk.step = step.index - 1
                scene = walk.look()
                _remember_reply(walk, scene, step)
                if len(step.path) > 1:
                    _follow(walk, scene, step.path)
                walk.step = step.index
            shown = unhidden_way(past)
            if shown is not None:
                walk.memory.keep(shown[1])
        while walk.step < options.step_limit:
            end = yield from _turn(walk, model)
            if end is not None:
                yield end
                return
        yield EndEvent(
            status="limit", reason=f"not stopped after {options.step_limit} steps", node=walk.node
        )


def _read_instruction(
    walk: _MapWalk, model: LanguageModel, spatial: Spatial | None
) -> Generator[Event, None, SpatialReading]:
    """Objects and layout of the instruction, once, with the panels that say what this agent is."""
    calls: tuple[Call, ...] = ()
    reading = SpatialReading()
    if spatial is not None and walk.options.spatial != "off":
        reading = spatial.read(walk.episode.instruction)
    elif walk.options.spatial == "model":
        reading, calls = yield from ask_spatial(model, walk.episode.instruction, walk.options)
    elif walk.options.spatial == "http":
        reading = ServedSpatial(walk.options.spatial_url).read(walk.episode.instruction)
    elif walk.options.spatial == "file":
        reading = FileSpatial.open(walk.options.spatial_file, walk.episode).read(
            walk.episode.instruction
        )
    marking = "oracle objects" if walk.ways.source == "objects" else "marked by name"
    panels = (
        agent_panel(walk.ways.source, walk.options, is_street=walk.graph.frame == "geo"),
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


def _turn(walk: _MapWalk, model: LanguageModel) -> Generator[Event, None, EndEvent | None]:
    """One step; gives the end where the walk ends with it."""
    scene = walk.look()
    yield StepEvent(index=walk.step + 1, node=walk.node, heading_deg=walk.heading_deg)
    yield ObservationEvent(observation=_observation(walk, scene, None))
    yield PanelEvent(panel=map_panel(walk.memory))
    yield PanelEvent(panel=pruning_panel(walk.memory))
    limit = walk.options.image_limit
    if limit and len(walk.memory.places) > limit:
        chosen = forced_stop(
            f"more than {limit} places with room for a picture stop the walk without a call"
        )
    else:
        call = yield from listen(model, _request(walk, scene))
        if call.error is not None:
            yield CallEvent(call=call)
            return EndEvent(status=end_status(call), reason=call.error, node=walk.node)
        chosen = read_reply(call.reply, scene.options)
        yield CallEvent(call=_understood(call, chosen))
    walk.plans.append((walk.step, chosen.planning))
    walk.thoughts.append(chosen.thought)
    yield from _explained(walk, scene, chosen)
    return (yield from _act(walk, scene, chosen))


def _request(walk: _MapWalk, scene: _Scene) -> Request:
    messages = decide_messages(
        scene.prompt,
        scene.views,
        pruned=walk.options.pruning,
        marked=bool(walk.reading.names),
        remote=walk.episode.dataset == "REVERIE",
        outdoors=walk.graph.frame == "geo",
        text=walk.options.prompt,
        images=scene.images,
    )
    options = walk.options
    return Request(
        messages,
        purpose=_PURPOSE,
        schema=REPLY_SCHEMA,
        temperature=options.temperature,
        max_output_tokens=options.reply_tokens(),
    )


def _understood(call: Call, chosen: Chosen) -> Call:
    """Return the call with what was made of its reply; the thought stands among the thoughts."""
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


def _observation(walk: _MapWalk, scene: _Scene, chosen: str | None) -> Observation:
    pois: list[SeenPoi] = []
    for way in scene.ways:
        pois += [SeenPoi(name=name, node=way.node) for name in walk.marks.get(way.node, ())]
    return Observation(
        format=f"places-{walk.ways.source}",
        text=f"{scene.prompt}\n\n{scene.views}",
        visible_nodes=tuple(way.node for way in scene.ways),
        pois=tuple(pois),
        candidates=_candidates(walk, scene, chosen),
    )


def _candidates(walk: _MapWalk, scene: _Scene, chosen: str | None) -> tuple[Candidate, ...]:
    moves = [option for option in scene.options if option.place is not None]
    candidates = []
    for way, option in zip(scene.ways, moves, strict=True):
        candidate = Candidate(
            node=way.node,
            state="chosen" if way.node == chosen else "offered",
            label=option.letter,
            direction=option.direction,
            heading_deg=round(way.heading_deg, 2),
            angle_deg=round(turn_deg(walk.heading_deg, way.heading_deg), 2),
            distance_m=round(way.distance_m, 2),
            path=way.path,
        )
        candidates.append(candidate)
    return tuple(candidates)


def _explained(walk: _MapWalk, scene: _Scene, chosen: Chosen) -> Iterator[Event]:
    """Yield the panels of a decision."""
    letters = [option.letter for option in scene.options if option.place is not None]
    moves = dict(zip(letters, scene.ways, strict=True))
    rows = []
    for option in scene.options:
        way = moves.get(option.letter)
        if way is None:
            rows.append(OptionRow(option))
        else:
            rows.append(OptionRow(option, way.node, way.view, way.selected, walk.views[way.node]))
    yield PanelEvent(panel=options_panel(rows, chosen.letter, chosen.rule))
    yield PanelEvent(panel=planning_panel(walk.plans))
    if chosen.stop and chosen.rule is None:
        missing, quoted = early_stop(walk.reading, walk.read, walk.thoughts, chosen.thought)
        if missing and quoted:
            yield PanelEvent(panel=hint_panel(missing, quoted))


def _act(walk: _MapWalk, scene: _Scene, chosen: Chosen) -> Generator[Event, None, EndEvent | None]:
    legal = chosen.rule is None
    if chosen.candidate is None:
        yield DecisionEvent(
            decision=Decision(target=walk.node, stop=True, legal=legal, reason=chosen.rule)
        )
        return EndEvent(
            status="done", reason=chosen.rule or "The model chose to stop.", node=walk.node
        )
    way = scene.ways[chosen.candidate]
    option = scene.option_of(way.node)
    yield DecisionEvent(
        decision=Decision(target=way.node, legal=legal, reason=chosen.rule),
        candidates=_candidates(walk, scene, way.node),
    )
    path = walk.go(
        way, option if option is not None else Option("", "go", walk.memory.places[way.node])
    )
    walk.step += 1
    yield MoveEvent(path=path, heading_deg=walk.heading_deg)
    return None


def _remember_reply(walk: _MapWalk, scene: _Scene, step: Step) -> None:
    reply = next(
        (call.reply for call in reversed(step.calls) if call.purpose == _PURPOSE and call.reply),
        None,
    )
    if reply is not None:
        chosen = read_reply(reply, scene.options)
        walk.plans.append((walk.step, chosen.planning))
        walk.thoughts.append(chosen.thought)


def _follow(walk: _MapWalk, scene: _Scene, path: tuple[str, ...]) -> None:
    """Go where an old step went; by hand it may have gone past several places at once."""
    way = next((way for way in scene.ways if way.node == path[-1]), None)
    option = scene.option_of(path[-1])
    if way is not None and option is not None:
        walk.go(way, option)
        return
    for node in path[1:-1]:
        walk.memory.arrive(node, [other.node for other in walk.ways.candidates(node)])
    place = walk.memory.places.get(path[-1], len(walk.memory.places))
    walk.actions.append(action_text("go", place))
    walk.node = path[-1]
    walk.heading_deg = snapped_heading_deg(arrival_deg(walk.graph, path[-2], path[-1]))
