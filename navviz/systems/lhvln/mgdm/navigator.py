"""The navigator ``mgdm``: MGDM (Song et al. 2025) with its memories and chain of thought, in text
on viewpoint graphs.

The published agent is a trained model on pictures; here any language model reads texts, and the
memories work as in the paper: confidences are probabilities of the actions taken, a full short-term
memory is blurred where that leaves the least entropy, and a chain of thought is asked for at the
start of each sub-task and from time to time.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field, model_validator

from navviz.formats import open_episodes
from navviz.llm.base import Request
from navviz.llm.pictures import pictured
from navviz.observations.agent_pictures import AgentPictures, required_pictures
from navviz.records import (
    Call,
    Decision,
    DecisionEvent,
    EndEvent,
    Episode,
    Event,
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
from navviz.systems.asking import ask, end_status, needed
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
)
from navviz.systems.indoors import mark_chosen, place_after, plan_at
from navviz.systems.lhvln.mgdm.long_term import (
    STOP_ID,
    Hit,
    LongTerm,
    NumberedCandidate,
    experiences,
    look,
    observation_of,
    three_views,
    view_line,
    weighed,
)
from navviz.systems.lhvln.mgdm.prompt import (
    BLUR_SCHEMA,
    COT_SCHEMA,
    DECISION_SCHEMA,
    STEP_PROMPT,
    Blur,
    Forgetting,
    MgdmDecision,
    Slot,
    blur_messages,
    chain_of,
    chain_panel,
    confidence_panel,
    cot_messages,
    decide_messages,
    decomposition_of,
    forget,
    forget_oldest,
    forgetting_panels,
    joined,
    long_term_panel,
    memory_panel,
    read_answer,
)
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel


TEXT_VARIANT: Literal["text variant, no pictures"] = "text variant, no pictures"

STAYED = "stayed, for the reply named no way"

"""Memory of a step whose reply could not be used."""


class MgdmSettings(PromptedSettings):
    """Settings of MGDM; the defaults are the paper's where it gives any."""

    prompt_kind: ClassVar[PromptKind] = STEP_PROMPT

    memory_size: int = Field(
        20, ge=2, le=200, description="Slots of the short-term memory (20 in the released code)."
    )
    forgetting: Literal["entropy", "oldest", "none"] = Field(
        "entropy",
        description=(
            "What a full memory does: blur by entropy (the paper), drop the oldest, or grow on."
        ),
    )
    blur: Literal["join", "model"] = Field(
        "join",
        description=(
            "How two memories become one: joined and cut to 200 characters, or rewritten by the"
            " model."
        ),
    )
    cot_every: int = Field(
        5,
        ge=0,
        le=100,
        description="Chain of thought at each sub-task and every so many steps; 0 turns it off.",
    )
    long_term: int = Field(
        0,
        ge=0,
        le=20,
        description="Experiences of an expert that weigh in on a decision; 0 turns them off.",
    )
    training: ServerPath = Field(
        "", description="Episodes file whose expert walks in this house are the long-term memory."
    )
    variant: Literal["text variant, no pictures", "pictures"] = Field(
        TEXT_VARIANT,
        description="What this agent is, which follows from views: the paper's sees pictures.",
    )
    views: Literal["text", "pictures"] = Field(
        "text",
        description=(
            "pictures shows the model what MGDM's three cameras see: 60 degrees to the left, ahead"
            " and to the right."
        ),
    )
    picture_files: ServerPath = Field(
        "",
        description=(
            "Folder with the pictures (36 views, skyboxes or panoramas); empty looks beside the"
            " connectivity graphs."
        ),
    )
    moves_per_task: int = Field(
        15, ge=1, le=500, description="The walk ends after this many steps for each sub-task."
    )

    @model_validator(mode="before")
    @classmethod
    def _say_variant(cls, values: Any) -> Any:  # noqa: ANN401 - what a user wrote
        """Say in each trace's header what the model was shown, whatever a user wrote there."""
        if not isinstance(values, Mapping):
            return values
        is_pictured = values.get("views") == "pictures"
        return {**values, "variant": "pictures" if is_pictured else TEXT_VARIANT}


@dataclass
class MgdmWalk:
    """Where the agent is, what it remembers, and what it was advised."""

    node: str
    heading_deg: float
    index: int = 0
    stops: int = 0
    begun: int = 1
    """First step of the current sub-task."""
    slots: tuple[Slot, ...] = ()
    chain: str = ""
    former_chain: str = ""
    chain_step: int = 0
    parts: tuple[str, ...] = ()

    def plan(self) -> tuple[SubGoal, ...]:
        """Return the parts that the chain of thought sees, by the stops made."""
        return plan_at(self.parts, self.stops, self.index - self.begun + 1)


def numbers(choices: tuple[NumberedCandidate, ...]) -> list[int]:
    """Numbers that may be chosen, stop first."""
    return [STOP_ID, *(choice.id for choice in choices)]


def advised(walk: MgdmWalk, call: Call) -> None:
    """Take a new chain of thought."""
    walk.former_chain, walk.chain = walk.chain, chain_of(call)
    # a chain that names no parts leaves those of the one before
    walk.chain_step, walk.parts = walk.index, decomposition_of(call) or walk.parts


def weighed_answer(
    answer: MgdmDecision, choices: tuple[NumberedCandidate, ...], hits: tuple[Hit, ...]
) -> MgdmDecision:
    """Return the decision weighed by what an expert did in similar places, if there are any."""
    if not hits or answer.action is None:
        return answer
    actions = {choice.id: choice.action for choice in choices} | {STOP_ID: "stop"}
    shares = weighed(answer.probabilities, actions, hits)
    # of equals the model's own choice stays
    best = max(shares, key=lambda key: (shares[key], key == answer.action))
    source = f"{answer.source}, times the long-term memory's"
    return replace(answer, action=best, probabilities=shares, source=source)


def move_line(choice: NumberedCandidate, progress: str) -> str:
    """Memory of a move."""
    return f"went {choice.action}, {choice.text}" + (f"; {progress}" if progress else "")


def stop_line(walk: MgdmWalk, progress: str) -> str:
    """Memory of the end of a part."""
    return f"ended part {walk.stops + 1}" + (f"; {progress}" if progress else "")


def full(walk: MgdmWalk, options: MgdmSettings) -> bool:
    """Whether the memory has to forget before it takes more."""
    return len(walk.slots) >= options.memory_size and options.forgetting != "none"


def forgotten_now(
    slots: tuple[Slot, ...], options: MgdmSettings, blur: Blur = joined
) -> Forgetting:
    """Forget as the settings say."""
    return forget_oldest(slots) if options.forgetting == "oldest" else forget(slots, blur)


def blur_text(call: Call, pair: tuple[str, str]) -> str:
    """Return what the model made of two memories; joined where it made nothing."""
    text = str((call.parsed or {}).get("memory") or "").strip()
    return text[:200] if text else joined(*pair)


def resume(
    walk: MgdmWalk, past: Trace, graph: Graph, options: MgdmSettings, long_term: LongTerm | None
) -> None:
    """Bring the walk to where an older trace ends: the memory is lived through again."""
    for step in past.steps:
        walk.index = step.index
        choices = look(graph, walk.node, walk.heading_deg)
        for call in step.calls:
            if call.purpose == "cot" and call.error is None:
                advised(walk, call)
        hits: tuple[Hit, ...] = ()
        if long_term is not None:
            hits = long_term.retrieve(view_line(choices), options.long_term)
        # a step may hold calls for the chain and for a blur, too
        decided = next((call for call in reversed(step.calls) if call.purpose == "decide"), None)
        answer = weighed_answer(read_answer(decided, numbers(choices)), choices, hits)
        _relive(walk, step, choices, answer, options)
        if step.decision is not None and step.decision.stop:
            walk.stops += 1
            walk.begun = walk.index + 1
        elif len(step.path) > 1:
            walk.heading_deg, walk.node = (
                graph.heading_deg(step.path[-2], step.path[-1]),
                step.path[-1],
            )


def _relive(
    walk: MgdmWalk,
    step: Step,
    choices: tuple[NumberedCandidate, ...],
    answer: MgdmDecision,
    options: MgdmSettings,
) -> None:
    """Remember a past step as `_act` did; what the model wrote for a blur stands in the step's
    calls.
    """
    target = step.path[-1] if len(step.path) > 1 else None
    choice = next((choice for choice in choices if choice.candidate.node == target), None)
    if step.decision is not None and step.decision.stop:
        text, confidence = stop_line(walk, answer.progress), answer.probabilities[STOP_ID]
    elif choice is not None:
        text, confidence = move_line(choice, answer.progress), answer.probabilities[choice.id]
    else:
        text, confidence = STAYED, 1 / (len(choices) + 1)
    # a fork must remember the same words without asking again: they stand in the trace
    blurs = iter([call for call in step.calls if call.purpose == "blur"])

    def blurred(first: str, second: str) -> str:
        call = next(blurs, None)
        return joined(first, second) if call is None else blur_text(call, (first, second))

    if full(walk, options):
        walk.slots = forgotten_now(walk.slots, options, blurred).after
    walk.slots = (*walk.slots, Slot(text, confidence, walk.index, walk.index))


class Mgdm(TaskNavigator[MgdmSettings]):
    """The navigator ``mgdm``."""

    name: ClassVar[str] = "mgdm"
    summary: ClassVar[str] = (
        "MGDM, text variant (not the trained model of the paper): numbered ways as text, a memory"
        " that blurs by entropy, a chain of thought; (0) ends a sub-task."
    )
    needs_model: ClassVar[bool] = True
    frames: ClassVar[Frames] = INDOORS
    settings_type: ClassVar[type[Settings]] = MgdmSettings

    def missing_views(self, graph: Graph, settings: MgdmSettings) -> MissingViews | None:
        """See `navviz.systems.base.missing_views`."""
        return None if settings.views == "pictures" else lacking(graph, "descriptions", "objects")

    def walk(self, task: NavigationTask[MgdmSettings]) -> Iterator[Event]:
        """Walk the episode; see `navviz.systems.base.Navigator`."""
        episode, graph, options, past = task.episode, task.graph, task.settings, task.past
        model = needed(task.llm, self.name)
        long_term = _long_term(episode, graph, options)
        pictures = None
        if options.views == "pictures":
            pictures = required_pictures(graph, options.picture_files, "picture_files")
        node, heading, _ = place_after(episode, graph, None)
        walk = MgdmWalk(node, heading)
        if past is None:
            yield PlanEvent(panels=(_agent_panel(options, long_term),))
        else:
            resume(walk, past, graph, options, long_term)
        tasks = max(1, len(episode.tasks))
        # one limit for the whole walk: a short part leaves its steps to the others
        limit = options.moves_per_task * tasks
        while walk.index < limit and walk.stops < tasks:
            end = yield from _turn(walk, episode, graph, model, options, long_term, pictures)
            if end is not None:
                yield end
                return
        yield _end(walk, tasks, limit)


def _end(walk: MgdmWalk, tasks: int, limit: int) -> EndEvent:
    if walk.stops >= tasks:
        return EndEvent(status="done", node=walk.node, plan=walk.plan())
    reason = f"{walk.stops} of {tasks} sub-tasks were ended after {limit} steps"
    return EndEvent(status="limit", reason=reason, node=walk.node, plan=walk.plan())


def _agent_panel(options: MgdmSettings, long_term: LongTerm | None) -> Panel:
    """Return what this agent is, and what it is not."""
    memory = f"{options.memory_size} slots, forgetting: {options.forgetting}, blur: {options.blur}"
    chain = f"every {options.cot_every} steps and at each sub-task" if options.cot_every else "off"
    retrieved = "off"
    if long_term is not None:
        retrieved = f"{options.long_term} of {len(long_term)} experiences"
    confidence = (
        "the probability of what was chosen: as the model states it, else its server's, else one"
        " over the ways"
    )
    agent = "text variant of MGDM; the paper's agent is a trained model that sees pictures"
    if options.views == "pictures":
        agent = "MGDM's loop with its three cameras' pictures; the paper's model is a trained one"
    items = [
        ["agent", agent],
        ["short-term memory", memory],
        ["chain of thought", chain],
        ["long-term memory", retrieved],
        ["confidence", confidence],
    ]
    return Panel(kind="keyvalue", title="MGDM as it runs here", data={"items": items})


def _long_term(episode: Episode, graph: Graph, options: MgdmSettings) -> LongTerm | None:
    if not options.long_term or not options.training:
        return None
    training = open_episodes(Path(options.training).expanduser()).episodes.values()
    return LongTerm(experiences(training, graph, episode))


def _turn(
    walk: MgdmWalk,
    episode: Episode,
    graph: Graph,
    model: LanguageModel,
    options: MgdmSettings,
    long_term: LongTerm | None,
    pictures: AgentPictures | None,
) -> Generator[Event, None, EndEvent | None]:
    """One step; gives the end where the walk ends with it."""
    walk.index += 1
    choices = look(graph, walk.node, walk.heading_deg)
    seen = observation_of(choices)
    yield StepEvent(
        index=walk.index,
        node=walk.node,
        heading_deg=round(walk.heading_deg, 2),
        plan=walk.plan(),
        sub_goal=walk.stops if walk.stops < len(walk.parts) else None,
    )
    yield ObservationEvent(observation=seen)
    if options.cot_every > 0 and (walk.index - walk.begun) % options.cot_every == 0:
        failed = yield from _think(walk, episode, model, seen)
        if failed is not None:
            return failed
    hits = (
        long_term.retrieve(view_line(choices), options.long_term) if long_term is not None else ()
    )
    lines = [f"{hit.experience.action}, seeing {hit.experience.line[:160]}" for hit in hits]
    messages = decide_messages(
        episode.instruction,
        walk.chain,
        walk.slots,
        seen.text,
        walk.stops,
        lines,
        options.prompt,
    )
    if pictures is not None:
        messages = pictured(messages, three_views(pictures, walk.node, walk.heading_deg))
    call = yield from ask(model, Request(messages, schema=DECISION_SCHEMA, logprobs=True))
    if call.error is not None:
        return EndEvent(
            status=end_status(call), reason=call.error, node=walk.node, plan=walk.plan()
        )
    answer = weighed_answer(read_answer(call, numbers(choices)), choices, hits)
    yield from _shown(
        walk, options, choices, answer, hits, len(long_term) if long_term is not None else 0
    )
    return (yield from _act(walk, graph, choices, seen, answer, model, options))


def _think(
    walk: MgdmWalk, episode: Episode, model: LanguageModel, seen: Observation
) -> Generator[Event, None, EndEvent | None]:
    messages = cot_messages(episode.instruction, walk.slots, seen.text, walk.stops)
    call = yield from ask(model, Request(messages, purpose="cot", schema=COT_SCHEMA))
    if call.error is not None:
        return EndEvent(
            status=end_status(call), reason=call.error, node=walk.node, plan=walk.plan()
        )
    advised(walk, call)
    return None


def _shown(
    walk: MgdmWalk,
    options: MgdmSettings,
    choices: tuple[NumberedCandidate, ...],
    answer: MgdmDecision,
    hits: tuple[Hit, ...],
    stored: int,
) -> Iterator[Event]:
    labels = {STOP_ID: "stop", **{choice.id: choice.action for choice in choices}}
    # no choice has this number, so that no bar is marked
    chosen = answer.action if answer.action is not None else -1
    yield PanelEvent(panel=memory_panel(walk.slots, options.memory_size))
    if walk.chain:
        yield PanelEvent(panel=chain_panel(walk.chain, walk.former_chain, walk.chain_step))
    if stored:
        yield PanelEvent(panel=long_term_panel(hits, stored=stored))
    yield PanelEvent(panel=confidence_panel(answer.probabilities, labels, chosen, answer.source))


def _act(
    walk: MgdmWalk,
    graph: Graph,
    choices: tuple[NumberedCandidate, ...],
    seen: Observation,
    answer: MgdmDecision,
    model: LanguageModel,
    options: MgdmSettings,
) -> Generator[Event, None, EndEvent | None]:
    # nothing is known of its confidence: one over all choices, stopping among them
    if answer.action is None:
        yield from _remember(walk, STAYED, 1 / (len(choices) + 1), model, options)
        yield DecisionEvent(
            decision=Decision(legal=False, reason=f"The reply {answer.fault}; the agent stays.")
        )
        return None
    confidence = answer.probabilities[answer.action]
    if answer.action == STOP_ID:
        yield from _remember(walk, stop_line(walk, answer.progress), confidence, model, options)
        yield DecisionEvent(
            decision=Decision(target=walk.node, stop=True, reason=answer.progress or None)
        )
        walk.stops += 1
        # the chain of thought is due at the first step of each part
        walk.begun = walk.index + 1
        return None
    choice = next(choice for choice in choices if choice.id == answer.action)
    target = choice.candidate.node
    yield from _remember(walk, move_line(choice, answer.progress), confidence, model, options)
    decision = Decision(target=target, reason=answer.progress or None)
    yield DecisionEvent(decision=decision, candidates=mark_chosen(seen.candidates, target))
    heading = graph.heading_deg(walk.node, target)
    yield MoveEvent(path=(walk.node, target), heading_deg=heading)
    walk.node, walk.heading_deg = target, heading
    return None


def _remember(
    walk: MgdmWalk, text: str, confidence: float, model: LanguageModel, options: MgdmSettings
) -> Iterator[Event]:
    """Add a memory; where there is no room, forget first, and show how."""
    if full(walk, options):
        if options.forgetting == "entropy" and options.blur == "model":
            forgotten = yield from _blurred_by_model(walk.slots, model)
        else:
            forgotten = forgotten_now(walk.slots, options)
        for panel in forgetting_panels(forgotten):
            yield PanelEvent(panel=panel)
        walk.slots = forgotten.after
    walk.slots = (*walk.slots, Slot(text, confidence, walk.index, walk.index))


def _blurred_by_model(
    slots: tuple[Slot, ...], model: LanguageModel
) -> Generator[Event, None, Forgetting]:
    """Blur with one call a pair; where a call fails, the texts are joined instead."""
    pairs: list[tuple[str, str]] = []

    def noted(first: str, second: str) -> str:
        pairs.append((first, second))
        return joined(first, second)

    # a first pass only notes the pairs: a call yields events, which a blur cannot do
    forget(slots, noted)
    texts: dict[tuple[str, str], str] = {}
    for pair in pairs:
        call = yield from ask(
            model, Request(blur_messages(*pair), purpose="blur", schema=BLUR_SCHEMA)
        )
        texts[pair] = blur_text(call, pair)
    return forget(slots, lambda first, second: texts[first, second])
