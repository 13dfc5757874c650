"""NavGPT: a language model reads the house as text, reasons, and acts (Zhou et al. 2023, arXiv:2305.16986).

Each turn it is shown eight directions and its history of thoughts, actions and summaries, and answers with a thought
and one action, or with its final answer. It may go to a linked viewpoint only; any other id is refused, and told.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from navviz.errors import InputError, Problems
from navviz.formats.house_observations import read_observations
from navviz.llm.base import Request
from navviz.navigators.asking import ask, end_status, listen, needed
from navviz.navigators.base import Settings, own_settings
from navviz.navigators.navgpt.extras import extras
from navviz.navigators.navgpt.prompt import (
    STOP,
    TOOL,
    Exchange,
    decide_messages,
    history_line,
    refusal,
    scratchpad,
    summarise_messages,
)
from navviz.observe.house import HouseObservations
from navviz.observe.navgpt_reply import parse_reply
from navviz.observe.panorama import look_around, observations_of, observe, summary_of
from navviz.observe.panorama_text import views_panel
from navviz.records import (
    Call,
    CallEvent,
    Candidate,
    Decision,
    DecisionEvent,
    DeltaEvent,
    EndEvent,
    Episode,
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
    Trace,
)
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel

__all__ = ["NavGpt", "NavGptSettings"]

_PURPOSE = "decide"


class NavGptSettings(Settings):
    """Settings of NavGPT; the defaults are those of its GPT-4 runs."""

    step_limit: int = Field(15, ge=1, le=200, description="The walk ends after this many turns.")
    summariser: Literal["files", "model"] = Field(
        "files", description="Who says what a viewpoint is, for the history: NavGPT's files or the model."
    )
    history_characters: int = Field(
        7000, ge=500, description="The history in the prompt is cut to this many characters, the oldest first."
    )
    observations: str = Field(
        "", description="Folder with NavGPT's observation files; empty takes those beside the connectivity graphs."
    )
    write_instruction: bool = Field(
        default=False, description="At the end let the model write an instruction for the path it walked."
    )
    draw_map: bool = Field(
        default=False, description="At the end let the model draw the walked path from text alone, beside the true one."
    )


@dataclass
class _Walk:
    """Where the agent is and what happened so far."""

    node: str
    heading_deg: float
    seen: HouseObservations
    first: str = ""
    """The first viewpoint in short."""
    past: list[Exchange] = field(default_factory=list)
    index: int = 0
    path: list[str] = field(default_factory=list)
    came_from_deg: float = 0.0
    """Heading before the last move."""
    summary: str | None = None
    """Of the viewpoint the agent stands at, where the model has written one."""

    def summarised(self, summary: str) -> None:
        """Put what the model said of this viewpoint into the history."""
        self.summary = summary
        if self.past and not self.past[-1].refused:
            line = history_line(self.node, summary, self.came_from_deg, self.heading_deg)
            self.past[-1] = Exchange(self.past[-1].reply, line)


class NavGpt:
    """The navigator ``navgpt``."""

    name: ClassVar[str] = "navgpt"
    summary: ClassVar[str] = "NavGPT: a language model reads eight directions and reasons; sees the linked viewpoints."
    needs_model: ClassVar[bool] = True
    frames: ClassVar[frozenset[Literal["geo", "metric"]]] = frozenset({"metric"})
    settings_type: ClassVar[type[Settings]] = NavGptSettings

    def navigate(
        self,
        episode: Episode,
        graph: Graph,
        llm: LanguageModel | None,
        settings: Settings,
        past: Trace | None = None,
    ) -> Iterator[Event]:
        """Walk the episode; see `navviz.navigators.base.Navigator`."""
        options = own_settings(settings, NavGptSettings, self.name)
        model = needed(llm, self.name)
        walk = _begin(episode, graph, _observations(graph, options))
        if past is None:
            yield PlanEvent(panels=(_told(graph, walk.seen),))
        else:
            _resume(walk, past, graph)
        while walk.index < options.step_limit:
            end = yield from _turn(walk, episode, graph, model, options)
            if end is not None:
                yield from _finish(walk, graph, model, options)
                yield end
                return
        yield from _finish(walk, graph, model, options)
        yield EndEvent(status="limit", reason=f"no final answer after {options.step_limit} turns", node=walk.node)


def _observations(graph: Graph, options: NavGptSettings) -> HouseObservations:
    if not options.observations:
        return observations_of(graph)
    folder = Path(options.observations).expanduser()
    found = read_observations(folder, graph.name, Problems())
    if not found:
        raise InputError(
            f"holds no observations of scan {graph.name}",
            "name the folder that holds observations_list_summarized, or leave the setting empty",
            file=str(folder),
        )
    return found


def _begin(episode: Episode, graph: Graph, seen: HouseObservations) -> _Walk:
    if episode.start not in graph:
        raise InputError(
            f"viewpoint {episode.start} is not in scan {graph.name}", "open the right house", episode=episode.id
        )
    heading = episode.start_heading_deg if episode.start_heading_deg is not None else 0.0
    return _Walk(episode.start, heading, seen, path=[episode.start])


def _told(graph: Graph, seen: HouseObservations) -> Panel:
    """Return what the agent's text is made of."""
    text = (
        f"Scene sentences and objects come from NavGPT's observation files of scan {graph.name}."
        if seen
        else f"No observation files for scan {graph.name}: the agent reads its geometry alone (directions, distances, "
        "stairs). For more, put observations_list_summarized, observations_summarized and objects_list beside its "
        "connectivity folder."
    )
    return Panel(kind="text", title="What the agent reads", data={"text": text})


def _turn(
    walk: _Walk, episode: Episode, graph: Graph, model: LanguageModel, options: NavGptSettings
) -> Generator[Event, None, EndEvent | None]:
    """One turn; gives the end where the walk ends with it."""
    walk.index += 1
    views = look_around(graph, walk.node, walk.heading_deg, walk.seen)
    seen = observe(views, described=walk.node in walk.seen.scenes)
    yield StepEvent(index=walk.index, node=walk.node, heading_deg=walk.heading_deg)
    yield ObservationEvent(observation=seen)
    if options.summariser == "model" and walk.summary is None:
        failed = yield from _summarise(walk, graph, seen, model)
        if failed is not None:
            return failed
    if not walk.first:
        walk.first = _start_line(walk, graph)
    messages = _messages(walk, episode, seen, options)
    yield PanelEvent(panel=views_panel(views))
    yield PanelEvent(panel=_history_panel(walk, seen, options))
    call = _understood((yield from listen(model, Request(messages=messages, purpose=_PURPOSE, stop=STOP))))
    yield CallEvent(call=call)
    if call.error is not None:
        return EndEvent(status=end_status(call), reason=call.error, node=walk.node)
    return (yield from _act(walk, graph, seen, call))


def _understood(call: Call) -> Call:
    """Return the call with its reply taken apart: what the model wrote as its thought stands among the thoughts."""
    if call.reply is None:
        return call
    thought, tool, target, answer = parse_reply(call.reply.partition(STOP[0])[0])
    parts = {"thought": thought, "action": tool, "action_input": target, "final_answer": answer}
    return call.model_copy(
        update={
            "thoughts": "\n\n".join(text for text in (call.thoughts, thought) if text) or None,
            "parsed": {name: part for name, part in parts.items() if part is not None},
            "parse_error": None if tool or answer else "names neither an action nor a final answer",
        }
    )


def _start_line(walk: _Walk, graph: Graph) -> str:
    what = walk.summary or summary_of(graph, walk.node, walk.seen)
    return (
        "Navigation start, no actions taken yet.\n"
        f'Current viewpoint "{walk.node}": Scene from the viewpoint is a {what}'
    )


def _messages(walk: _Walk, episode: Episode, seen: Observation, options: NavGptSettings) -> tuple[Message, ...]:
    full = f'\nCurrent Viewpoint "{walk.node}":\n{seen.text}'
    first = walk.first if walk.past else full
    return decide_messages(episode.instruction, first, walk.past, full, options.history_characters)


def _history_panel(walk: _Walk, seen: Observation, options: NavGptSettings) -> Panel:
    text = scratchpad(walk.past, seen.text, options.history_characters)
    return Panel(kind="text", title="History buffer", data={"text": text or "Nothing yet: this is the first turn."})


def _summarise(
    walk: _Walk, graph: Graph, seen: Observation, model: LanguageModel
) -> Generator[DeltaEvent | CallEvent, None, EndEvent | None]:
    call = yield from ask(model, Request(messages=summarise_messages(seen.text), purpose="summarise"))
    if call.error is not None:
        return EndEvent(status=end_status(call), reason=call.error, node=walk.node)
    walk.summarised((call.reply or "").strip() or summary_of(graph, walk.node, walk.seen))
    return None


def _act(walk: _Walk, graph: Graph, seen: Observation, call: Call) -> Generator[Event, None, EndEvent | None]:
    reply = (call.reply or "").partition(STOP[0])[0]
    _, tool, target, answer = parse_reply(reply)
    if tool is not None and answer is not None:
        yield from _refuse(
            walk, None, "Invalid Format: an action and a final answer at once. Write one of them.", reply
        )
        return None
    if answer is not None:
        yield DecisionEvent(decision=Decision(target=walk.node, stop=True))
        return EndEvent(status="done", reason=answer, node=walk.node)
    if tool is None or target is None:
        yield from _refuse(walk, None, "Invalid Format: write 'Action:' and 'Action Input:' after 'Thought:'.", reply)
    elif tool != TOOL:
        yield from _refuse(walk, target, f"{tool} is not a tool; the only tool is {TOOL}.", reply)
    elif not graph.has_link(walk.node, target):
        yield from _refuse(walk, target, refusal(target, graph.neighbours(walk.node)), reply)
    else:
        yield from _move(walk, graph, target, seen, reply)
    return None


def _refuse(walk: _Walk, target: str | None, answer: str, reply: str) -> Iterator[Event]:
    walk.past.append(Exchange(reply, answer, refused=True))
    yield DecisionEvent(decision=Decision(target=target, legal=False, reason=answer))


def _move(walk: _Walk, graph: Graph, target: str, seen: Observation, reply: str) -> Iterator[Event]:
    heading = graph.heading_deg(walk.node, target)
    path = (walk.node, target)
    yield DecisionEvent(decision=Decision(target=target), candidates=_marked(seen.candidates, target))
    yield MoveEvent(path=path, heading_deg=heading)
    _arrive(walk, graph, target, heading, reply)


def _arrive(walk: _Walk, graph: Graph, node: str, heading_deg: float, reply: str) -> None:
    line = history_line(node, summary_of(graph, node, walk.seen), walk.heading_deg, heading_deg)
    walk.past.append(Exchange(reply, line))
    walk.came_from_deg = walk.heading_deg
    walk.node, walk.heading_deg, walk.summary = node, heading_deg, None
    walk.path.append(node)


def _marked(candidates: tuple[Candidate, ...], chosen: str) -> tuple[Candidate, ...]:
    return tuple(way.model_copy(update={"state": "chosen"}) if way.node == chosen else way for way in candidates)


def _finish(walk: _Walk, graph: Graph, model: LanguageModel, options: NavGptSettings) -> Iterator[Event]:
    yield from extras(
        walk.path, graph, model, walk.seen, instruction=options.write_instruction, top_down_map=options.draw_map
    )


def _resume(walk: _Walk, past: Trace, graph: Graph) -> None:
    """Bring the walk to where an older trace ends."""
    for step in past.steps:
        walk.index = step.index
        summaries = [call.reply for call in step.calls if call.purpose == "summarise" and call.reply]
        if summaries:
            walk.summarised(summaries[-1].strip())
        if not walk.first:
            walk.first = _start_line(walk, graph)
        reply = _reply_of(step)
        if len(step.path) > 1:
            _arrive(walk, graph, step.path[-1], graph.heading_deg(step.path[-2], step.path[-1]), reply)
        elif step.decision is not None and not step.decision.stop:
            walk.past.append(Exchange(reply, step.decision.reason or "no move was made.", refused=True))


def _reply_of(step: Step) -> str:
    return next((call.reply or "" for call in reversed(step.calls) if call.purpose == _PURPOSE), "")
