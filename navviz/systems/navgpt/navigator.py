"""NavGPT: a language model reads the house as text and acts (Zhou et al. 2023, arXiv:2305.16986).

Each turn it reads eight directions and its history of thoughts, actions and summaries, and answers
with a thought and one action, or with its final answer. It may go to a linked viewpoint only; any
other id is refused, with the reason in its history.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from navviz.errors import InputError, Problems
from navviz.formats.houses import read_observations
from navviz.llm.base import Request
from navviz.llm.pictures import pictured
from navviz.observations.agent_pictures import AgentPictures, Camera, required_pictures
from navviz.observations.panorama import (
    DIRECTIONS,
    SECTOR_DEG,
    ObjectDetail,
    observations_of,
    sector,
    views_panel,
)
from navviz.records import (
    Call,
    CallEvent,
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
    PicturePart,
    PlanEvent,
    StepEvent,
    SubGoal,
    Trace,
)
from navviz.records.cause import RepairKind
from navviz.systems.asking import ask, end_status, listen, needed
from navviz.systems.base import (
    INDOORS,
    Frames,
    MissingViews,
    NavigationTask,
    PromptedSettings,
    PromptKind,
    ServerPath,
    Settings,
    TaskNavigator,
    lacking,
    unhidden_way,
)
from navviz.systems.indoors import mark_chosen
from navviz.systems.navgpt.extras import extras
from navviz.systems.navgpt.prompt import (
    BACK_TOOL,
    DECIDE_PROMPT,
    STOP,
    TOOL,
    WENT_BACK,
    decide_messages,
    history_messages,
    observed,
    plan_messages,
    read_plan,
    refusal,
    refused_turn,
    scratchpad,
    summarise_messages,
)
from navviz.systems.navgpt.prompts.text import parse_reply
from navviz.systems.navgpt.walk import NavGptWalk, begin, reply_of, way_back
from navviz.world.graph import Graph
from navviz.world.house import HouseObservations

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel


class NavGptSettings(PromptedSettings):
    """Settings of NavGPT; the defaults are those of its published code."""

    prompt_kind: ClassVar[PromptKind] = DECIDE_PROMPT

    step_limit: int = Field(
        10,
        ge=1,
        le=200,
        description="The walk ends after this many turns (the code's max_iterations).",
    )
    temperature: float | None = Field(
        0.0,
        ge=0,
        le=2,
        description="Of the model, unless it has a temperature of its own (the code's is 0).",
    )
    as_published: bool = Field(
        default=False,
        description=(
            "Show the text letter by letter as the published code does: ways between 337.5 and 345"
            " degrees are hidden, turns are not wrapped, ways stand in the order of the navigable"
            " files."
        ),
    )
    objects: ObjectDetail = Field(
        "distances",
        description=(
            "What the text says of objects within 3 m (Table 3): nothing, names, or distances too."
        ),
    )
    planner: bool = Field(
        default=False, description="First let the model break the instruction into steps."
    )
    back_tracer: bool = Field(
        default=False,
        description=(
            "Give the model a second tool, which goes back to any viewpoint it has been to."
        ),
    )
    history: Literal["lines", "chain"] = Field(
        "lines",
        description=(
            "The history: a line a move, or an account that the model rewrites after each move."
        ),
    )
    summariser: Literal["files", "model"] = Field(
        "files",
        description="Who says what a viewpoint is, for the history: NavGPT's files or the model.",
    )
    history_characters: int = Field(
        7000,
        ge=500,
        description="The history in the prompt is cut to this many characters, the oldest first.",
    )
    views: Literal["text", "pictures"] = Field(
        "text",
        description=(
            "pictures shows the model a picture of each of the eight directions beside the text;"
            " the paper's agent reads the text alone."
        ),
    )
    picture_files: ServerPath = Field(
        "",
        description=(
            "Folder with the pictures (36 views, skyboxes or panoramas); empty looks beside the"
            " connectivity graphs."
        ),
    )
    observations: ServerPath = Field(
        "",
        description=(
            "Folder with NavGPT's observation files; empty takes those beside the connectivity"
            " graphs."
        ),
    )
    write_instruction: bool = Field(
        default=False,
        description="At the end let the model write an instruction for the path it walked.",
    )
    draw_map: bool = Field(
        default=False,
        description=(
            "At the end let the model draw the walked path from text alone, beside the true one."
        ),
    )


_PURPOSE = "decide"


class NavGpt(TaskNavigator[NavGptSettings]):
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
        if settings.observations or settings.views == "pictures":
            return None
        return lacking(graph, "descriptions", do="name their folder (--set observations=FOLDER)")

    def walk(self, task: NavigationTask[NavGptSettings]) -> Iterator[Event]:
        """Walk the episode; see `navviz.systems.base.Navigator`."""
        graph, options = task.graph, task.settings
        model = needed(task.llm, self.name)
        seen = _observations(graph, options)
        pictures = None
        if options.views == "pictures":
            pictures = required_pictures(graph, options.picture_files, "picture_files")
        walk = begin(
            task.episode, graph, seen, as_published=options.as_published, objects=options.objects
        )
        if task.past is None:
            ended = yield from _plan(walk, model, options)
            if ended is not None:
                yield ended
                return
        else:
            _resume(walk, task.past)
        while walk.index < options.step_limit:
            end = yield from _turn(walk, model, options, pictures)
            if end is not None:
                yield from _finish(walk, model, options)
                yield end
                return
        yield from _finish(walk, model, options)
        yield EndEvent(
            status="limit",
            reason=f"no final answer after {options.step_limit} turns",
            node=walk.node,
        )


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


def _sources_panel(walk: NavGptWalk, options: NavGptSettings) -> Panel:
    """Return what the agent's text is made of."""
    scan = walk.graph.name
    if walk.seen:
        text = f"Scene sentences and objects come from NavGPT's observation files of scan {scan}."
    else:
        text = (
            f"No observation files for scan {scan}: the agent reads its geometry alone (directions,"
            " distances, stairs). For more, put observations_list_summarized,"
            " observations_summarized and objects_list beside its connectivity folder; navviz"
            " fetch navgpt-text loads them."
        )
    if options.views == "pictures":
        text += " A picture of each direction is sent with it; the paper's agent reads text alone."
    return Panel(kind="text", title="What the agent reads", data={"text": text})


def _request(
    options: NavGptSettings, messages: tuple[Message, ...], purpose: str, stop: tuple[str, ...] = ()
) -> Request:
    return Request(messages=messages, purpose=purpose, stop=stop, temperature=options.temperature)


def _plan(
    walk: NavGptWalk, model: LanguageModel, options: NavGptSettings
) -> Generator[Event, None, EndEvent | None]:
    """Yield what the text is made of, and the model's plan where the settings want one."""
    if not options.planner:
        yield PlanEvent(panels=(_sources_panel(walk, options),))
        return None
    call = yield from listen(model, _request(options, plan_messages(walk.task), "plan"))
    steps = read_plan(call.reply or "")
    yield PlanEvent(
        sub_goals=tuple(SubGoal(description=step) for step in steps),
        calls=(call,),
        panels=(_sources_panel(walk, options),),
    )
    if call.error is not None:
        return EndEvent(status=end_status(call), reason=call.error, node=walk.node)
    # a plan that is no numbered list is followed as it was written
    _follow(walk, steps or ((call.reply or walk.task).strip(),))
    return None


def _follow(walk: NavGptWalk, steps: Sequence[str]) -> None:
    walk.task = "\n".join(f"{k}. {step}" for k, step in enumerate(steps, start=1))
    walk.planned = True


def _turn(
    walk: NavGptWalk,
    model: LanguageModel,
    options: NavGptSettings,
    pictures: AgentPictures | None,
) -> Generator[Event, None, EndEvent | None]:
    """Take one turn; return the end where the walk ends with it."""
    walk.index += 1
    views, seen = walk.look()
    yield StepEvent(index=walk.index, node=walk.node, heading_deg=walk.heading_deg % 360.0)
    yield ObservationEvent(observation=seen)
    failed = yield from _remember(walk, seen, model, options)
    if failed is not None:
        return failed
    # after `_remember`: this line quotes the summary of the first viewpoint
    if not walk.first:
        walk.first = walk.start_line()
    yield PanelEvent(panel=views_panel(views))
    yield PanelEvent(panel=_history_panel(walk, seen, options))
    if options.as_published and (hidden := walk.hidden()):
        yield PanelEvent(panel=_hidden_panel(hidden))
    arrived = bool(walk.past) and not walk.past[-1].refused
    full = observed(seen.text, walk.node if arrived else None)
    first = walk.first if walk.past else full
    limit, back = options.history_characters, options.back_tracer
    messages = decide_messages(
        walk.task,
        first,
        walk.past,
        full,
        limit,
        planned=walk.planned,
        back_tracer=back,
        prompt=options.prompt,
    )
    if pictures is not None:
        messages = pictured(messages, _eight_views(walk, pictures))
    request = _request(options, messages, _PURPOSE, STOP)
    call = yield from listen(model, request)
    call = _understood(call)
    yield CallEvent(call=call)
    if call.error is not None:
        return EndEvent(status=end_status(call), reason=call.error, node=walk.node)
    return (yield from _act(walk, seen, call, options))


def _eight_views(
    walk: NavGptWalk, pictures: AgentPictures
) -> Iterator[tuple[str, PicturePart | None]]:
    """Yield a picture of each direction, clockwise from the agent's front, as its text has them."""
    # directions are fixed to the house, as in the text, and only begin where the agent faces
    front = sector(walk.heading_deg)
    for k, direction in enumerate(DIRECTIONS):
        camera = Camera(SECTOR_DEG * (front + k) % 360.0)
        yield f"Image {k + 1} ({direction})", pictures.take(walk.node, camera)


def _hidden_panel(hidden: Sequence[str]) -> Panel:
    text = f"Its code leaves out, for their heading of 337.5 to 345 degrees: {', '.join(hidden)}."
    return Panel(kind="text", title="Ways that NavGPT does not see here", data={"text": text})


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


def _history_panel(walk: NavGptWalk, seen: Observation, options: NavGptSettings) -> Panel:
    text = scratchpad(walk.past, seen.text, options.history_characters)
    data = {"text": text or "Nothing yet: this is the first turn."}
    return Panel(kind="text", title="History buffer", data=data)


def _remember(
    walk: NavGptWalk, seen: Observation, model: LanguageModel, options: NavGptSettings
) -> Generator[DeltaEvent | CallEvent, None, EndEvent | None]:
    """Let the model summarise the viewpoint and rewrite the history, as the settings say."""
    if options.summariser == "model" and walk.summary is None:
        call = yield from ask(model, _request(options, summarise_messages(seen.text), "summarise"))
        if call.error is not None:
            return EndEvent(status=end_status(call), reason=call.error, node=walk.node)
        walk.summarised((call.reply or "").strip() or walk.what())
    if options.history == "chain" and walk.to_chain:
        messages = history_messages(walk.account, walk.action, walk.node, walk.what())
        call = yield from ask(model, _request(options, messages, "history"))
        if call.error is not None:
            return EndEvent(status=end_status(call), reason=call.error, node=walk.node)
        walk.rewrite((call.reply or "").strip() or walk.past[-1].answer)
        walk.to_chain = False
    return None


def _act(
    walk: NavGptWalk, seen: Observation, call: Call, options: NavGptSettings
) -> Generator[Event, None, EndEvent | None]:
    reply = (call.reply or "").partition(STOP[0])[0]
    _, tool, target, answer = parse_reply(reply)
    if tool is not None and answer is not None:
        fault = "Invalid Format: an action and a final answer at once. Write one of them."
        yield from _refuse(walk, None, fault, reply)
    elif answer is not None:
        yield DecisionEvent(decision=Decision(target=walk.node, stop=True))
        return EndEvent(status="done", reason=answer, node=walk.node)
    elif tool is None or target is None:
        fault = "Invalid Format: write 'Action:' and 'Action Input:' after 'Thought:'."
        yield from _refuse(walk, None, fault, reply)
    elif tool == TOOL:
        # by the links, not by the text: the published code lets the model go a hidden way, too
        path = (walk.node, target) if walk.graph.has_link(walk.node, target) else None
        yield from _go(walk, target, path, seen, reply, refusal(target, walk.offered()))
    elif tool == BACK_TOOL and options.back_tracer:
        visited = tuple(dict.fromkeys(node for node in walk.path if node != walk.node))
        yield from _go(walk, target, way_back(walk, target), seen, reply, refusal(target, visited))
    else:
        tools = f"the only tool is {TOOL}"
        if options.back_tracer:
            tools = f"the tools are {TOOL} and {BACK_TOOL}"
        yield from _refuse(walk, target, f"{tool} is not a tool; {tools}.", reply)
    return None


def _refuse(walk: NavGptWalk, target: str | None, answer: str, reply: str) -> Iterator[Event]:
    walk.past.append(refused_turn(reply, answer, target, parse_reply(reply)[1]))
    yield DecisionEvent(decision=Decision(target=target, legal=False, reason=answer))


def _go(
    walk: NavGptWalk,
    target: str,
    path: tuple[str, ...] | None,
    seen: Observation,
    reply: str,
    refused: str,
) -> Iterator[Event]:
    if path is None:
        yield from _refuse(walk, target, refused, reply)
        return
    reason = WENT_BACK if len(path) > 2 else None
    decision = Decision(target=target, reason=reason)
    yield DecisionEvent(decision=decision, candidates=mark_chosen(seen.candidates, path[1]))
    walk.arrive(path, reply)
    yield MoveEvent(path=path, heading_deg=walk.heading_deg % 360.0)


def _finish(walk: NavGptWalk, model: LanguageModel, options: NavGptSettings) -> Iterator[Event]:
    yield from extras(
        walk.path,
        walk.graph,
        model,
        walk.seen,
        instruction=options.write_instruction,
        top_down_map=options.draw_map,
    )


def _resume(walk: NavGptWalk, past: Trace) -> None:
    """Bring the walk to where an older trace ends."""
    walk.unhidden = unhidden_way(past)
    if past.sub_goals:
        _follow(walk, [goal.description for goal in past.sub_goals])
    for step in past.steps:
        walk.index = step.index
        if summary := reply_of(step, "summarise"):
            walk.summarised(summary.strip())
        # before the step's own move, as in `_remember`: the account is of the move before it
        if (account := reply_of(step, "history")) and walk.to_chain:
            walk.rewrite(account.strip())
            walk.to_chain = False
        if not walk.first:
            walk.first = walk.start_line()
        reply = reply_of(step, _PURPOSE) or ""
        if len(step.path) > 1:
            walk.arrive(step.path, reply)
        elif step.decision is not None and not step.decision.stop:
            answer = step.decision.reason or "no move was made."
            tool = parse_reply(reply)[1]
            walk.past.append(refused_turn(reply, answer, step.decision.target, tool))
