"""Split a task into parts: by its list of sub-tasks, or by a model."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from navviz.llm.base import Request
from navviz.records import Call, EndEvent, Episode, Event, Message, Panel, PlanEvent, Task
from navviz.systems.asking import end_status, listen, needed

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel

SPLIT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"parts": {"type": "array", "items": {"type": "string"}}},
    "required": ["parts"],
}
SPLIT_TITLE = "The task in parts"
_TASK = (
    "You are given an instruction that sends a robot to several places, one after another. Split it"
    " into one short instruction for each place that must be reached, in order; leave out what is"
    " to be done there. Each must make sense by itself. Answer in JSON with the key parts."
)
_MOVE = re.compile(r"^Move_to\(")


@dataclass(frozen=True, slots=True)
class TaskPart:
    """One part of a task."""

    text: str
    """What the inner navigator is told."""
    goals: tuple[str, ...] = ()


def part_text(task: Task) -> str:
    """Return a sub-task as an instruction: its own words, or a sentence made of target and
    region.
    """
    # tasks written by people are sentences already
    if not _MOVE.match(task.description) or task.target is None:
        return task.description
    # places of a town have proper names, things of a house want an article
    name = task.target if task.target[:1].isupper() else f"the {task.target}"
    room = (task.region or "").partition(": ")[2].lower()
    if not room:
        return f"Walk to {name} and stop there."
    return f"Walk to {name} in the {room} and stop there."


def parts_of(episode: Episode) -> tuple[TaskPart, ...]:
    """Return the sub-tasks as parts; an episode without any is one part."""
    if not episode.tasks:
        return (TaskPart(episode.instruction, (episode.goal,) if episode.goal else ()),)
    return tuple(TaskPart(part_text(task), task.goals) for task in episode.tasks)


def split_panel(parts: tuple[TaskPart, ...], by: str) -> Panel:
    """Return the parts as a table; a fork reads them from it."""
    rows = [[k, part.text] for k, part in enumerate(parts, start=1)]
    return Panel(
        kind="table",
        title=f"{SPLIT_TITLE}, {by}",
        data={"columns": ["part", "what is walked"], "rows": rows},
    )


def split_by_model(
    episode: Episode, llm: LanguageModel | None, navigator: str
) -> Generator[Event, None, tuple[TaskPart, ...] | None]:
    """Let the model split the instruction; ``None`` after an `EndEvent` where it did not.

    Where it gives more parts than the episode has sub-tasks, the rest is left out; fewer stay
    fewer.
    """
    messages = Message(role="system", text=_TASK), Message(role="user", text=episode.instruction)
    call = yield from listen(
        needed(llm, navigator), Request(messages, purpose="split", schema=SPLIT_SCHEMA)
    )
    texts = _texts(call)
    if not texts:
        reason = (
            call.error
            or f"The model did not split the task: {call.parse_error or 'it named no part'}."
        )
        yield PlanEvent(calls=(call,))
        yield EndEvent(
            status=end_status(call) if call.error else "error", reason=reason, node=episode.start
        )
        return None
    count = len(episode.tasks) or len(texts)
    parts = tuple(TaskPart(text) for text in texts[:count])
    yield PlanEvent(calls=(call,), panels=(split_panel(parts, "by the model"),))
    return parts


def _texts(call: Call) -> list[str]:
    parts = (call.parsed or {}).get("parts")
    if not isinstance(parts, list):
        return []
    texts = [str(text).strip() for text in parts]
    return [text for text in texts if text]
