"""The navigator ``mgdm``: MGDM (Song et al. 2025) with its memories and chain of thought, in text
on viewpoint graphs.

The published agent is a trained model on pictures; here any language model reads texts, and the
memories work as in the paper: confidences are probabilities of the actions taken, a full short-term
memory is blurred where that leaves the least entropy, and a chain of thought is asked for at the
start of each sub-task and from time to time.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Literal

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
    Event,
    MoveEvent,
    Observation,
    Panel,
    PanelEvent,
    PlanEvent,
    Step,
    SubGoal,
)
from navviz.systems.asking import StepNavigator, Turn, Walk, ask
from navviz.systems.base import (
    INDOORS,
    Frames,
    MissingViews,
    NavigationTask,
    PromptedSettings,
    PromptKind,
    ServerPath,
    Settings,
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


class MgdmWalk(Walk[MgdmSettings]):
    """Where the agent is, what it remembers, and what it was advised."""

    def __init__(self, task: NavigationTask[MgdmSettings]) -> None:
        super().__init__(task, *place_after(task.episode, task.graph, None))
        options = task.settings
        self.long_term: LongTerm | None = None
        if options.long_term and options.training:
            training = open_episodes(Path(options.training).expanduser()).episodes.values()
            self.long_term = LongTerm(experiences(training, self.graph, self.episode))
        self.pictures: AgentPictures | None = None
        if options.views == "pictures":
            self.pictures = required_pictures(self.graph, options.picture_files, "picture_files")
        self.stops = 0
        self.begun = 1
        """First step of the current sub-task."""
        self.slots: tuple[Slot, ...] = ()
        self.chain = self.former_chain = ""
        self.chain_step = 0
        self.parts: tuple[str, ...] = ()

    @property
    def plan(self) -> tuple[SubGoal, ...]:
        """The parts that the chain of thought sees, by the stops made."""
        return plan_at(self.parts, self.stops, self.index - self.begun + 1)

    def prepare(self) -> Turn:
        """Say what this agent is; after a past the memory is lived through again."""
        if self.task.past is None:
            yield PlanEvent(panels=(self._agent_panel(),))
            return None
        for step in self.task.past.steps:
            self.index = step.index
            self._relive(step)
        return None

    def over(self) -> EndEvent | None:
        """One limit for the whole walk: a short part leaves its steps to the others."""
        tasks = max(1, len(self.episode.tasks))
        limit = self.options.moves_per_task * tasks
        if self.stops >= tasks:
            return self.end("done")
        if self.index >= limit:
            return self.end(
                "limit", f"{self.stops} of {tasks} sub-tasks were ended after {limit} steps"
            )
        return None

    def turn(self) -> Turn:
        """Think where it is due, decide by what is seen and remembered, and act."""
        options = self.options
        choices = look(self.graph, self.node, self.heading_deg)
        seen = observation_of(choices)
        yield from self.begin(
            seen,
            heading_deg=round(self.heading_deg, 2),
            sub_goal=self.stops if self.stops < len(self.parts) else None,
        )
        text = self.episode.instruction
        if options.cot_every > 0 and (self.index - self.begun) % options.cot_every == 0:
            messages = cot_messages(text, self.slots, seen.text, self.stops)
            self._advised(
                (yield from self.ask(Request(messages, purpose="cot", schema=COT_SCHEMA)))
            )
        hits = self._hits(choices)
        lines = [f"{hit.experience.action}, seeing {hit.experience.line[:160]}" for hit in hits]
        messages = decide_messages(
            text, self.chain, self.slots, seen.text, self.stops, lines, options.prompt
        )
        if self.pictures is not None:
            views = three_views(self.pictures, self.node, self.heading_deg)
            messages = pictured(messages, views)
        call = yield from self.ask(Request(messages, schema=DECISION_SCHEMA, logprobs=True))
        answer = weighed_answer(call, choices, hits)
        labels = {STOP_ID: "stop", **{choice.id: choice.action for choice in choices}}
        # no choice has this number, so that no bar is marked
        chosen = answer.action if answer.action is not None else -1
        yield PanelEvent(panel=memory_panel(self.slots, options.memory_size))
        if self.chain:
            panel = chain_panel(self.chain, self.former_chain, self.chain_step)
            yield PanelEvent(panel=panel)
        if self.long_term:
            yield PanelEvent(panel=long_term_panel(hits, stored=len(self.long_term)))
        panel = confidence_panel(answer.probabilities, labels, chosen, answer.source)
        yield PanelEvent(panel=panel)
        yield from self._act(choices, seen, answer)
        return None

    def _agent_panel(self) -> Panel:
        """Return what this agent is, and what it is not."""
        options = self.options
        memory = (
            f"{options.memory_size} slots, forgetting: {options.forgetting}, blur: {options.blur}"
        )
        chain = "off"
        if options.cot_every:
            chain = f"every {options.cot_every} steps and at each sub-task"
        retrieved = "off"
        if self.long_term is not None:
            retrieved = f"{options.long_term} of {len(self.long_term)} experiences"
        confidence = (
            "the probability of what was chosen: as the model states it, else its server's, else"
            " one over the ways"
        )
        agent = "text variant of MGDM; the paper's agent is a trained model that sees pictures"
        if options.views == "pictures":
            agent = (
                "MGDM's loop with its three cameras' pictures; the paper's model is a trained one"
            )
        items = [
            ["agent", agent],
            ["short-term memory", memory],
            ["chain of thought", chain],
            ["long-term memory", retrieved],
            ["confidence", confidence],
        ]
        return Panel(kind="keyvalue", title="MGDM as it runs here", data={"items": items})

    def _advised(self, call: Call) -> None:
        """Take a new chain of thought."""
        self.former_chain, self.chain = self.chain, chain_of(call)
        # a chain that names no parts leaves those of the one before
        self.chain_step, self.parts = self.index, decomposition_of(call) or self.parts

    def _hits(self, choices: tuple[NumberedCandidate, ...]) -> tuple[Hit, ...]:
        if self.long_term is None:
            return ()
        return self.long_term.retrieve(view_line(choices), self.options.long_term)

    def _act(
        self, choices: tuple[NumberedCandidate, ...], seen: Observation, answer: MgdmDecision
    ) -> Iterator[Event]:
        """Remember what is done, then do it."""
        memory = self._memory(answer.action, choices, answer)
        if self._is_full:
            if self.options.forgetting == "entropy" and self.options.blur == "model":
                forgotten = yield from self._blurred_by_model()
            else:
                forgotten = self._forget()
            for panel in forgetting_panels(forgotten):
                yield PanelEvent(panel=panel)
            self.slots = forgotten.after
        self.slots = (*self.slots, memory)
        reason = answer.progress or None
        if answer.action is None:
            reason = f"The reply {answer.fault}; the agent stays."
            yield DecisionEvent(decision=Decision(legal=False, reason=reason))
        elif answer.action == STOP_ID:
            yield DecisionEvent(decision=Decision(target=self.node, stop=True, reason=reason))
            self._stopped()
        else:
            ways = {choice.id: choice.candidate.node for choice in choices}
            target = ways[answer.action]
            decision = Decision(target=target, reason=reason)
            yield DecisionEvent(decision=decision, candidates=mark_chosen(seen.candidates, target))
            heading = self.graph.heading_deg(self.node, target)
            yield MoveEvent(path=(self.node, target), heading_deg=heading)
            self.node, self.heading_deg = target, heading

    def _stopped(self) -> None:
        self.stops += 1
        # the chain of thought is due at the first step of each part
        self.begun = self.index + 1

    def _memory(
        self, action: int | None, choices: tuple[NumberedCandidate, ...], answer: MgdmDecision
    ) -> Slot:
        """Return what is remembered of a step: a chosen number, or that the agent stayed."""
        progress = f"; {answer.progress}" if answer.progress else ""
        if action is None:
            # nothing is known of its confidence: one over all choices, stopping among them
            text, confidence = STAYED, 1 / (len(choices) + 1)
        elif action == STOP_ID:
            text, confidence = (
                f"ended part {self.stops + 1}{progress}",
                answer.probabilities[action],
            )
        else:
            choice = next(choice for choice in choices if choice.id == action)
            text = f"went {choice.action}, {choice.text}{progress}"
            confidence = answer.probabilities[action]
        return Slot(text, confidence, self.index, self.index)

    @property
    def _is_full(self) -> bool:
        """Whether the memory has to forget before it takes more."""
        options = self.options
        return len(self.slots) >= options.memory_size and options.forgetting != "none"

    def _forget(self, blur: Blur = joined) -> Forgetting:
        """Forget as the settings say."""
        if self.options.forgetting == "oldest":
            return forget_oldest(self.slots)
        return forget(self.slots, blur)

    def _blurred_by_model(self) -> Generator[Event, None, Forgetting]:
        """Blur with one call a pair; where a call fails, the texts are joined instead."""
        pairs: list[tuple[str, str]] = []

        def noted(first: str, second: str) -> str:
            pairs.append((first, second))
            return joined(first, second)

        # a first pass only notes the pairs: a call yields events, which a blur cannot do
        forget(self.slots, noted)
        texts: dict[tuple[str, str], str] = {}
        for pair in pairs:
            request = Request(blur_messages(*pair), purpose="blur", schema=BLUR_SCHEMA)
            texts[pair] = blur_text((yield from ask(self.model, request)), pair)
        return forget(self.slots, lambda first, second: texts[first, second])

    def _relive(self, step: Step) -> None:
        """Remember a past step as `_act` did; a blur's words stand in the step's calls."""
        choices = look(self.graph, self.node, self.heading_deg)
        for call in step.calls:
            if call.purpose == "cot" and call.error is None:
                self._advised(call)
        # a step may hold calls for the chain and for a blur, too
        decided = next((call for call in reversed(step.calls) if call.purpose == "decide"), None)
        answer = weighed_answer(decided, choices, self._hits(choices))
        stopped = step.decision is not None and step.decision.stop
        ways = {choice.candidate.node: choice.id for choice in choices}
        action = ways.get(step.path[-1]) if len(step.path) > 1 else None
        memory = self._memory(STOP_ID if stopped else action, choices, answer)
        # a fork must remember the same words without asking again: they stand in the trace
        blurs = iter([call for call in step.calls if call.purpose == "blur"])

        def blurred(first: str, second: str) -> str:
            call = next(blurs, None)
            return joined(first, second) if call is None else blur_text(call, (first, second))

        if self._is_full:
            self.slots = self._forget(blurred).after
        self.slots = (*self.slots, memory)
        if stopped:
            self._stopped()
        elif len(step.path) > 1:
            self.heading_deg = self.graph.heading_deg(step.path[-2], step.path[-1])
            self.node = step.path[-1]


def weighed_answer(
    call: Call | None, choices: tuple[NumberedCandidate, ...], hits: tuple[Hit, ...]
) -> MgdmDecision:
    """Read a decision, weighed by what an expert did in similar places, if there are any."""
    answer = read_answer(call, [STOP_ID, *(choice.id for choice in choices)])
    if not hits or answer.action is None:
        return answer
    actions = {choice.id: choice.action for choice in choices} | {STOP_ID: "stop"}
    shares = weighed(answer.probabilities, actions, hits)
    # of equals the model's own choice stays
    best = max(shares, key=lambda key: (shares[key], key == answer.action))
    source = f"{answer.source}, times the long-term memory's"
    return replace(answer, action=best, probabilities=shares, source=source)


def blur_text(call: Call, pair: tuple[str, str]) -> str:
    """Return what the model made of two memories; joined where it made nothing."""
    text = str((call.parsed or {}).get("memory") or "").strip()
    return text[:200] if text else joined(*pair)


class Mgdm(StepNavigator[MgdmSettings]):
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

    def begin(self, task: NavigationTask[MgdmSettings]) -> MgdmWalk:
        """Return the walk before its first step."""
        return MgdmWalk(task)
