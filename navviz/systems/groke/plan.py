"""GROKE's sub-instruction agent: an instruction becomes ordered sub-goals and landmarks."""

from __future__ import annotations

import itertools
import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from navviz.errors import InputError
from navviz.language.mentions import QUERIES, landmark_names
from navviz.llm.base import Request
from navviz.records import Call, DeltaEvent, Episode, Landmark, Message, PlanEvent, SubGoal
from navviz.systems.asking import listen
from navviz.systems.groke.prompts.prompt import PLAN_SCHEMA, plan_messages

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel

Divider = Literal["model", "sentences", "none", "given"]

_TRIES = 3
"""Asks for a plan; a model that fails three times writes no JSON."""
# a full stop before a digit is a decimal point
_FULL_STOP = re.compile(r"\.(?!\d)|[!?\n]")


@dataclass(frozen=True, slots=True)
class Plan:
    """What the sub-instruction agent hands over."""

    sub_goals: tuple[SubGoal, ...]
    landmarks: tuple[Landmark, ...]
    queries: Mapping[str, str] = field(default_factory=dict)
    """What to look for on the map instead of a landmark's name, in lower case."""


def split_sentences(instruction: str) -> tuple[str, ...]:
    """Return the rule-based divider: the instruction's sentences, each ended by a full stop."""
    return tuple(f"{part.strip()}." for part in _FULL_STOP.split(instruction) if part.strip())


def divide(episode: Episode, divider: Divider) -> Plan | None:
    """Return the plan where no model is needed for it, else ``None``.

    Landmarks are the episode's own where it has some, else found in the instruction by
    `landmark_names`. Raises `InputError` when the instruction is empty, or a given plan is wanted
    and the episode has none.
    """
    if not episode.instruction.strip():
        raise InputError(
            "the instruction is empty", "write one", episode=episode.id, field="instruction"
        )
    if divider == "model":
        return None
    if divider == "given":
        if not episode.sub_goals:
            raise InputError(
                "has no sub-goals", "choose another divider", episode=episode.id, field="sub_goals"
            )
        goals: Sequence[SubGoal] = episode.sub_goals
    else:
        texts: tuple[str, ...] = (episode.instruction.strip(),)
        if divider == "sentences":
            texts = split_sentences(episode.instruction)
        goals = [SubGoal(description=text) for text in texts]
    return with_landmarks(episode.instruction, tuple(goals), episode.landmarks)


def with_landmarks(
    instruction: str, goals: tuple[SubGoal, ...], landmarks: tuple[Landmark, ...]
) -> Plan:
    """Return a plan with the given landmarks, else with those found in the instruction."""
    named = tuple(Landmark(name=name) for name in landmark_names(instruction))
    # a fork brings the names that were found before: they keep their queries
    if landmarks in {(), named}:
        return Plan(goals, named, QUERIES)
    return Plan(goals, landmarks)


def plan_by_model(
    llm: LanguageModel, episode: Episode
) -> Generator[DeltaEvent | PlanEvent, None, tuple[Plan, Call]]:
    """Ask the model for the plan; the model reads what was wrong with an answer, up to three tries.

    Yields a `PlanEvent` after each call, the last with the plan. Returns the plan - empty where the
    last call failed or gave none - and that call, whose `error` or `parse_error` says why.
    """
    messages = plan_messages(episode.instruction)
    for left in reversed(range(_TRIES)):
        call = yield from listen(llm, Request(messages, purpose="plan", schema=PLAN_SCHEMA))
        plan = Plan((), ())
        if call.error is None:
            plan, call = _understood(call)
        yield PlanEvent(sub_goals=plan.sub_goals, landmarks=plan.landmarks, calls=(call,))
        # a model can mend what it wrote when it reads the fault; a failed call ends the planning
        if plan.sub_goals or call.error is not None or not left:
            break
        fault = f"Your last answer could not be used: {call.parse_error}. Answer again."
        # built anew, so that faults of earlier answers do not add up
        messages = (*plan_messages(episode.instruction), Message(role="user", text=fault))
    return plan, call


def _understood(call: Call) -> tuple[Plan, Call]:
    try:
        return read_plan(call), call
    except ValueError as error:
        return Plan((), ()), call.model_copy(update={"parse_error": str(error)})


def read_plan(call: Call) -> Plan:
    """Read the sub-instruction agent's reply.

    Raises `ValueError` with the reason, when it holds no sub-goals.
    """
    if call.parsed is None:
        raise ValueError(call.parse_error or call.why_unread)
    goals = [_sub_goal(entry) for entry in _entries(call.parsed, "sub_goals")]
    kept = tuple(SubGoal(description=text) for text in goals if text)
    if not kept:
        raise ValueError("the reply has no sub_goals with a description")
    named = [entry for entry in _entries(call.parsed, "landmarks") if _text(entry, "name")]
    return Plan(kept, tuple(map(_landmark, named)))


def _entries(parsed: dict[str, Any], field: str) -> list[dict[str, Any]]:
    values = parsed.get(field)
    if not isinstance(values, list):
        return []
    return [value for value in values if isinstance(value, dict)]


def _text(entry: dict[str, Any], field: str) -> str:
    value = entry.get(field)
    return value.strip() if isinstance(value, str) else ""


def _sub_goal(entry: dict[str, Any]) -> str:
    """Return the description, led by the action where it does not name it itself."""
    action, text = _text(entry, "action"), _text(entry, "description")
    return f"{action} {text}".strip() if text and action not in text else text


def _landmark(entry: dict[str, Any]) -> Landmark:
    return Landmark(
        name=_text(entry, "name"),
        category=_text(entry, "category") or None,
        relative_position=_text(entry, "relative_position") or None,
    )


@dataclass(slots=True)
class PlanProgress:
    """How far the plan is."""

    goals: tuple[str, ...]
    current: int = 0
    tries: int = 0
    """Tries of the current sub-goal so far."""

    @property
    def done(self) -> bool:
        """Whether all sub-goals are completed."""
        return self.current >= len(self.goals)

    @property
    def plan(self) -> tuple[SubGoal, ...]:
        """The sub-goals with their states."""
        return tuple(self._goal(i, text) for i, text in enumerate(self.goals))

    @property
    def last_plan(self) -> tuple[SubGoal, ...]:
        """The sub-goals as an ended walk leaves them: the try that would be next was never made."""
        goals = list(self.plan)
        if not self.done:
            made = {"iteration": self.tries or None}
            goals[self.current] = goals[self.current].model_copy(update=made)
        return tuple(goals)

    def _goal(self, i: int, text: str) -> SubGoal:
        if i < self.current:
            return SubGoal(description=text, status="COMPLETED")
        if i == self.current:
            return SubGoal(description=text, status="IN_PROGRESS", iteration=self.tries + 1)
        return SubGoal(description=text)

    def complete(self) -> None:
        """Go on to the next sub-goal."""
        self.current, self.tries = self.current + 1, 0


def resumed(goals: Sequence[SubGoal], before: Sequence[SubGoal] = ()) -> PlanProgress:
    """Return the progress on a plan whose first sub-goals it or `before` has completed."""
    progress = PlanProgress(tuple(goal.description for goal in goals))
    # cut to the new plan: a longer one before it would go on past its end
    for goal, former in itertools.zip_longest(goals, before[: len(goals)]):
        same = former is not None and former.description == goal.description
        was_completed = same and former.status == "COMPLETED"
        if goal.status != "COMPLETED" and not was_completed:
            break
        progress.complete()
    return progress
