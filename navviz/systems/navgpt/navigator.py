"""NavGPT: a language model reads the house as text and acts (Zhou et al. 2023, arXiv:2305.16986).

Each turn it reads eight directions and its history of thoughts, actions and summaries, and answers
with a thought and one action, or with its final answer. It may go to a linked viewpoint only; any
other id is refused, with the reason in its history.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, Problems
from navviz.formats.houses import read_captions, read_observations
from navviz.llm.base import Request
from navviz.llm.pictures import pictured
from navviz.observations.agent_pictures import AgentPictures, folder_of, required_pictures
from navviz.observations.panorama import (
    DirectionView,
    look_around,
    observations_of,
    observe,
    summary_of,
    views_panel,
)
from navviz.observations.view_text import ViewCaptions
from navviz.records import (
    Call,
    Decision,
    DecisionEvent,
    DeltaEvent,
    EndEvent,
    Event,
    Message,
    MoveEvent,
    Observation,
    ObservationEvent,
    Panel,
    PanelEvent,
    PlanEvent,
    Step,
    StepEvent,
    SubGoal,
    Trace,
)
from navviz.records.finding import RepairKind
from navviz.systems.asking import StepNavigator, Turn, Walk, end_status, listen
from navviz.systems.base import (
    INDOORS,
    Frames,
    MissingViews,
    NavigationTask,
    Settings,
    lacking,
    unhidden_way,
)
from navviz.systems.indoors import mark_chosen
from navviz.systems.navgpt.extras import extras
from navviz.systems.navgpt.prompt import (
    BACK_TOOL,
    STOP,
    TOOL,
    WENT_BACK,
    Exchange,
    decide_messages,
    history_line,
    history_messages,
    layout_of,
    layout_panel,
    moved,
    observed,
    plan_messages,
    read_plan,
    refusal,
    refused_turn,
    scratchpad,
    summarise_messages,
    with_guess,
)
from navviz.systems.navgpt.prompts.text import (
    is_hidden,
    parse_reply,
    published_text,
    published_ways,
)
from navviz.systems.navgpt.settings import NavGptSettings
from navviz.systems.navgpt.views import CAPTIONS, GRIDS, PUBLISHED, fuse_messages, is_described
from navviz.systems.spatial import FileSpatial, ask_layout
from navviz.world.graph import Graph
from navviz.world.house import HouseObservations
from navviz.world.link_lines import arrival_deg

_PURPOSE = "decide"


class NavGptWalk(Walk[NavGptSettings]):
    """Where the agent is, what it sees there, and what has happened so far.

    As published its heading is that of the ``navigable`` file, from -15 to 345.
    """

    def __init__(self, task: NavigationTask[NavGptSettings]) -> None:
        start, graph, options = task.episode.start, task.graph, task.settings
        self.seen = _observations(graph, options)
        self.pictures: AgentPictures | None = None
        if options.views == "pictures":
            self.pictures = required_pictures(graph, options.picture_files, "picture_files")
        self.grid = GRIDS[options.granularity]
        self.captions = ViewCaptions(graph.name)
        if options.granularity != PUBLISHED:
            self.captions = _captions(graph, options)
        self.lines: dict[str, list[str | None]] = {}
        """By viewpoint, what is told of each heading where that is not in NavGPT's files."""
        self.layout = ""
        """A guess of what the destination looks like; empty where nobody was asked."""
        if start not in graph:
            what = f"viewpoint {start} is not in scan {graph.name}"
            raise InputError(what, "open the right house", episode=task.episode.id)
        super().__init__(task, start, task.episode.start_heading_deg or 0.0)
        self.instruction = self.episode.instruction
        """The instruction, or the plan where one was made."""
        self.is_planned = False
        self.first = ""
        """The first viewpoint in short."""
        self.turns: list[Exchange] = []
        self.path = [start]
        self.action = ""
        """The last move in words."""
        self.summary: str | None = None
        """Of the viewpoint the agent stands at, where the model has written one."""
        self.to_chain = False
        """Whether the account of the history chain lacks the last move."""
        self.unhidden: tuple[str, str] | None = None
        """A viewpoint, and the one whose way from there a repair shows."""

    def prepare(self) -> Turn:
        """Yield what the text is made of, and the model's plan where the settings want one."""
        if self.task.past is not None:
            self._relive(self.task.past)
            return None
        calls: list[Call] = []
        scan = self.graph.name
        if self.seen:
            text = "Scene sentences and objects come from NavGPT's observation files of scan"
            text = f"{text} {scan}."
        else:
            text = (
                f"No observation files for scan {scan}: the agent reads its geometry alone"
                " (directions, distances, stairs). For more, put observations_list_summarized,"
                " observations_summarized and objects_list beside its connectivity folder; navviz"
                " fetch navgpt-text loads them."
            )
        if self.captions:
            text += f" {CAPTIONS}"
        if self.options.views == "pictures":
            text += f" {len(self.grid.elevations_deg) * self.grid.headings} pictures of"
            text += f" {self.grid.field_deg:.0f} degrees are sent with it; the paper's agent reads"
            text += " text alone."
        panels = [Panel(kind="text", title="What the agent reads", data={"text": text})]
        if self.options.spatial != "off":
            calls += yield from self._guess()
            panels.append(layout_panel(self.layout, self.options.spatial))
        failed = calls and calls[-1].error is not None
        if not self.options.planner or failed:
            yield PlanEvent(calls=tuple(calls), panels=tuple(panels))
            return self.end(end_status(calls[-1]), calls[-1].error) if failed else None
        messages = plan_messages(self.instruction)
        call = yield from listen(self.model, self._request(messages, "plan"))
        steps = read_plan(call.reply or "")
        yield PlanEvent(
            sub_goals=tuple(SubGoal(description=step) for step in steps),
            calls=(*calls, call),
            panels=tuple(panels),
        )
        if call.error is not None:
            return self.end(end_status(call), call.error)
        # a plan that is no numbered list is followed as it was written
        self._follow(steps or ((call.reply or self.instruction).strip(),))
        return None

    def _guess(self) -> Generator[DeltaEvent, None, tuple[Call, ...]]:
        """Let the model or a file say what the destination looks like."""
        text = self.episode.instruction
        if self.options.spatial == "file":
            self.layout = (
                FileSpatial.open(self.options.spatial_file, self.episode).read(text).layout
            )
            return ()
        temperature = self.options.temperature
        self.layout, call = yield from ask_layout(self.model, text, temperature=temperature)
        return (call,)

    def over(self) -> EndEvent | None:
        """End at the limit of turns."""
        limit = self.options.step_limit
        if self.index >= limit:
            return self.end("limit", f"no final answer after {limit} turns")
        return None

    def events(self) -> Iterator[Event]:
        """Walk to the end, and let the model write and draw what the settings want."""
        for event in super().events():
            # a walk whose plan failed has nothing to tell
            if isinstance(event, EndEvent) and self.index:
                yield from extras(
                    self.path,
                    self.graph,
                    self.model,
                    self.seen,
                    instruction=self.options.write_instruction,
                    top_down_map=self.options.draw_map,
                )
            yield event

    def turn(self) -> Turn:
        """Look, remember, and do what the reply says."""
        options = self.options
        yield StepEvent(index=self.index, node=self.node, heading_deg=self.heading_deg % 360.0)
        if self.captions and self.node not in self.lines:
            yield from self._tell()
        views, seen = self.look()
        yield ObservationEvent(observation=seen)
        yield from self._remember(seen)
        # after `_remember`: this line quotes the summary of the first viewpoint
        if not self.first:
            self.first = self.start_line()
        yield PanelEvent(panel=views_panel(views))
        text = scratchpad(self.turns, seen.text, options.history_characters)
        data = {"text": text or "Nothing yet: this is the first turn."}
        yield PanelEvent(panel=Panel(kind="text", title="History buffer", data=data))
        if options.as_published and (hidden := self.hidden()):
            text = "Its code leaves out, for their heading of 337.5 to 345 degrees:"
            data = {"text": f"{text} {', '.join(hidden)}."}
            title = "Ways that NavGPT does not see here"
            yield PanelEvent(panel=Panel(kind="text", title=title, data=data))
        arrived = bool(self.turns) and not self.turns[-1].refused
        full = observed(seen.text, self.node if arrived else None)
        messages = decide_messages(
            with_guess(self.instruction, self.layout),
            self.first if self.turns else full,
            self.turns,
            full,
            options.history_characters,
            planned=self.is_planned,
            back_tracer=options.back_tracer,
            directions=self.grid.headings,
            prompt=options.prompt,
        )
        if self.pictures is not None:
            around = self.grid.pictures(self.pictures, self.node, self.heading_deg)
            messages = pictured(messages, around)
        call = yield from self.ask(self._request(messages, _PURPOSE, STOP), _understood)
        return (yield from self._act(seen, (call.reply or "").partition(STOP[0])[0]))

    def _request(
        self, messages: tuple[Message, ...], purpose: str, stop: tuple[str, ...] = ()
    ) -> Request:
        temperature = self.options.temperature
        return Request(messages=messages, purpose=purpose, stop=stop, temperature=temperature)

    def _follow(self, steps: Sequence[str]) -> None:
        self.instruction = "\n".join(f"{k}. {step}" for k, step in enumerate(steps, start=1))
        self.is_planned = True

    def _tell(self) -> Iterator[Event]:
        """Take the captions of this viewpoint, and let the model join them where it shall."""
        lines = self.grid.captions(self.captions.views.get(self.node, {}))
        if self.options.summariser == "model" and len(self.grid.elevations_deg) > 1:
            for k, line in enumerate(lines):
                if line is not None:
                    call = yield from self.ask(self._request(fuse_messages(line), "fuse-views"))
                    lines[k] = (call.reply or "").strip() or line
        self.lines[self.node] = lines

    def _remember(self, seen: Observation) -> Iterator[Event]:
        """Let the model summarise the viewpoint and rewrite the history, as the settings say."""
        if self.options.summariser == "model" and self.summary is None:
            request = self._request(summarise_messages(seen.text), "summarise")
            call = yield from self.ask(request)
            self.summarised((call.reply or "").strip() or self.what())
        if self.options.history == "chain" and self.to_chain:
            messages = history_messages(self.account, self.action, self.node, self.what())
            call = yield from self.ask(self._request(messages, "history"))
            self.rewrite((call.reply or "").strip() or self.turns[-1].answer)
            self.to_chain = False

    def _act(self, seen: Observation, reply: str) -> Turn:
        _, tool, target, answer = parse_reply(reply)
        path: tuple[str, ...] | None = None
        refused_target = None
        if tool is not None and answer is not None:
            fault = "Invalid Format: an action and a final answer at once. Write one of them."
        elif answer is not None:
            yield DecisionEvent(decision=Decision(target=self.node, stop=True))
            return self.end("done", answer)
        elif tool is None or target is None:
            fault = "Invalid Format: write 'Action:' and 'Action Input:' after 'Thought:'."
        else:
            refused_target = target
            if tool == TOOL:
                # by the links, not by the text: the published code lets the model go a hidden
                # way, too
                path = (self.node, target) if self.graph.has_link(self.node, target) else None
                fault = refusal(target, self.offered())
            elif tool == BACK_TOOL and self.options.back_tracer:
                visited = tuple(dict.fromkeys(node for node in self.path if node != self.node))
                # back through visited viewpoints
                if target in visited:
                    path = self.graph.subgraph(set(self.path)).hops(self.node, target)
                fault = refusal(target, visited)
            else:
                tools = f"the only tool is {TOOL}"
                if self.options.back_tracer:
                    tools = f"the tools are {TOOL} and {BACK_TOOL}"
                fault = f"{tool} is not a tool; {tools}."
        if path is None:
            self.turns.append(refused_turn(reply, fault, refused_target, tool))
            decision = Decision(target=refused_target, legal=False, reason=fault)
            yield DecisionEvent(decision=decision)
            return None
        decision = Decision(target=target, reason=WENT_BACK if len(path) > 2 else None)
        yield DecisionEvent(decision=decision, candidates=mark_chosen(seen.candidates, path[1]))
        self.arrive(path, reply)
        yield MoveEvent(path=path, heading_deg=self.heading_deg % 360.0)
        return None

    def _relive(self, past: Trace) -> None:
        """Bring the walk to where an older trace ends."""
        self.unhidden = unhidden_way(past)
        self.layout = layout_of(past)
        if past.sub_goals:
            self._follow([goal.description for goal in past.sub_goals])
        for step in past.steps:
            self.index = step.index
            if summary := reply_of(step, "summarise"):
                self.summarised(summary.strip())
            # before the step's own move, as in `_remember`: the account is of the move before it
            if (account := reply_of(step, "history")) and self.to_chain:
                self.rewrite(account.strip())
                self.to_chain = False
            if not self.first:
                self.first = self.start_line()
            reply = reply_of(step, _PURPOSE) or ""
            if len(step.path) > 1:
                self.arrive(step.path, reply)
            elif step.decision is not None and not step.decision.stop:
                answer = step.decision.reason or "no move was made."
                tool = parse_reply(reply)[1]
                self.turns.append(refused_turn(reply, answer, step.decision.target, tool))

    @property
    def account(self) -> str:
        """The history before the last move, as the chain wrote it last."""
        # a refused turn led nowhere, and is no part of the account
        moves = [turn.answer for turn in self.turns[:-1] if not turn.refused]
        return moves[-1] if moves else self.first

    def summarised(self, summary: str) -> None:
        """Put what the model said of this viewpoint into the history."""
        self.summary = summary
        if self.turns and not self.turns[-1].refused:
            self.rewrite(history_line(self.node, summary, self.action))

    def rewrite(self, answer: str) -> None:
        """Replace what the history says of the last move."""
        self.turns[-1] = Exchange(self.turns[-1].reply, answer)

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
        lines = None
        if self.options.granularity != PUBLISHED:
            lines = self.lines.get(self.node) or [None] * self.grid.headings
        views = look_around(self.graph, self.node, self.heading_deg, self.seen, lines)
        described = self.node in self.seen.scenes if lines is None else is_described(lines)
        if not self.options.as_published:
            return views, observe(views, described=described, objects=self.options.objects)
        ways = published_ways(self.graph, self.node, self.seen)
        hidden = self.hidden()
        order = {way.node: k for k, way in enumerate(ways) if way.node not in hidden}
        views = tuple(_shown(view, order) for view in views)
        shown = observe(views, described=described, objects=self.options.objects)
        # without scene sentences there is nothing to write the published text of: ours stands in
        if not described:
            return views, shown
        scene = self.seen.scenes[self.node]
        objects = self.seen.objects.get(self.node, ((),) * len(views))
        text = published_text(
            scene, objects, ways, self.heading_deg, self.options.objects, self._shown_by_repair
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
        if self.options.as_published:
            return tuple(way.node for way in published_ways(self.graph, self.node, self.seen))
        return tuple(self.graph.neighbours(self.node))

    def arrive(self, path: Sequence[str], reply: str) -> None:
        """Take over a move along `path`, by the action of a reply."""
        heading = self._heading_after(path)
        went_back = parse_reply(reply)[1] == BACK_TOOL
        self.action = WENT_BACK
        if not went_back:
            self.action = moved(self.heading_deg, heading, as_published=self.options.as_published)
        # the old summary goes before the next line asks `what` the new place is
        self.node, self.heading_deg, self.summary = path[-1], heading, None
        self.turns.append(Exchange(reply, history_line(self.node, self.what(), self.action)))
        self.path.extend(path[1:])
        self.to_chain = True

    def _heading_after(self, path: Sequence[str]) -> float:
        if self.options.as_published:
            # not the bearing of the graph: the published code goes on with the heading of its file
            for way in published_ways(self.graph, path[-2], self.seen):
                if way.node == path[-1]:
                    return way.heading_deg
        return arrival_deg(self.graph, path[-2], path[-1])


def _shown(view: DirectionView, order: dict[str, int]) -> DirectionView:
    kept = [way for way in view.candidates if way.node in order]
    return replace(view, candidates=tuple(sorted(kept, key=lambda way: order[way.node])))


def _captions(graph: Graph, options: NavGptSettings) -> ViewCaptions:
    folder = folder_of(graph, options.caption_files)
    captions = ViewCaptions(graph.name)
    if folder is not None:
        captions = read_captions(folder, graph.name, Problems())
    if not captions and options.views == "text":
        raise InputError(
            f"there are no captions of scan {graph.name}, and NavGPT's sentences are those of"
            f" {PUBLISHED} alone",
            "name LangNav's captions in the setting caption_files, set views=pictures, or leave"
            " granularity out",
            file=options.caption_files,
            field="granularity",
        )
    return captions


def _observations(graph: Graph, options: NavGptSettings) -> HouseObservations:
    if not options.observations:
        return observations_of(graph)
    folder = Path(options.observations).expanduser()
    observations = read_observations(folder, graph.name, Problems())
    if not observations:
        raise InputError(
            f"holds no observations of scan {graph.name}",
            "name the folder that holds observations_list_summarized, or leave the setting empty",
            file=str(folder),
        )
    return observations


def _understood(call: Call) -> Call:
    """Return the call with its reply parsed, and the written thought among its thoughts."""
    if call.reply is None:
        return call
    # a backend without stop words goes on to make up the observation
    thought, tool, target, answer = parse_reply(call.reply.partition(STOP[0])[0])
    parts = {"thought": thought, "action": tool, "action_input": target, "final_answer": answer}
    thoughts = "\n\n".join(text for text in (call.thoughts, thought) if text)
    return call.model_copy(
        update={
            "thoughts": thoughts or None,
            "parsed": {name: part for name, part in parts.items() if part is not None},
            "parse_error": None if tool or answer else "names neither an action nor a final answer",
        }
    )


def reply_of(step: Step, purpose: str) -> str | None:
    """Return the last answer of the model in a step for a purpose."""
    replies = [call.reply or "" for call in step.calls if call.purpose == purpose]
    return replies[-1] if replies else None


class NavGpt(StepNavigator[NavGptSettings]):
    """The navigator ``navgpt``."""

    name: ClassVar[str] = "navgpt"
    summary: ClassVar[str] = (
        "NavGPT: a language model reads eight directions and reasons; sees the linked viewpoints."
    )
    needs_model: ClassVar[bool] = True
    frames: ClassVar[Frames] = INDOORS
    settings_type: ClassVar[type[Settings]] = NavGptSettings
    repairs: ClassVar[frozenset[RepairKind]] = frozenset({"unhide_way"})

    def missing_views(self, graph: Graph, settings: NavGptSettings) -> MissingViews | None:
        """See `navviz.systems.base.missing_views`."""
        # a folder that the settings name is refused where it does not describe the house
        is_published = settings.granularity == PUBLISHED
        if settings.observations or settings.views == "pictures" or not is_published:
            return None
        return lacking(graph, "descriptions", do="name their folder (--set observations=FOLDER)")

    def begin(self, task: NavigationTask[NavGptSettings]) -> NavGptWalk:
        """Return the walk before its first turn."""
        return NavGptWalk(task)
