"""MGDM's state in the middle of a walk, its settings, and how a fork lives through the past
again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from navviz.records import Call, Step, SubGoal, Trace
from navviz.systems.base import PromptedSettings, PromptKind, ServerPath
from navviz.systems.lhvln.mgdm.long_term import Hit, LongTerm, weighed
from navviz.systems.lhvln.mgdm.memory import Blur, Forgetting, Slot, forget, forget_oldest, joined
from navviz.systems.lhvln.mgdm.prompt import STEP_PROMPT
from navviz.systems.lhvln.mgdm.reply import MgdmDecision, chain_of, decomposition_of, read_answer
from navviz.systems.lhvln.mgdm.views import STOP_ID, NumberedCandidate, look, view_line
from navviz.systems.plan import plan_at
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
        _follow(walk, step, graph)


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


def _follow(walk: MgdmWalk, step: Step, graph: Graph) -> None:
    if step.decision is not None and step.decision.stop:
        walk.stops += 1
        walk.begun = walk.index + 1
    elif len(step.path) > 1:
        walk.heading_deg, walk.node = graph.heading_deg(step.path[-2], step.path[-1]), step.path[-1]
