"""A prompt text by the user, or a published one, for GROKE's decisions.

A template is a text with the places ``{instruction}``, ``{sub_goal}``, ``{landmarks}``, ``{plan}``
and ``{map}``; what stands before a line ``=== user ===`` is the system message. All other braces
stay as they are. It may also be one of GROKE's step logs (``stepN_METHOD.jsonl``): then the prompt
of its first line is the template.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from navviz.errors import InputError, Problems
from navviz.formats.files import json_lines
from navviz.formats.texts import as_mapping
from navviz.records import Message, SubGoal
from navviz.support.guarded import is_regular, read_text
from navviz.systems.groke.logs.calls import read_call, read_prompt

PLACES = ("instruction", "sub_goal", "landmarks", "plan", "map")
_PLACE = re.compile("|".join(rf"\{{{name}\}}" for name in PLACES))
_USER = re.compile(r"^=== user ===[ \t]*\n", re.MULTILINE)
_LANDMARK = re.compile(r"^Landmark: .*$", re.MULTILINE)
_STATE = re.compile(r"^(Sub-Goal State: .*\n)", re.MULTILINE)
_NEEDED = ("sub_goal", "map")


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """Texts with places to fill."""

    system: str
    user: str

    def fill(
        self,
        *,
        instruction: str,
        plan: Sequence[SubGoal],
        current: int,
        landmarks: Sequence[str],
        context: str,
        fault: str | None = None,
    ) -> tuple[Message, ...]:
        """Messages of one decision; what is filled in is not searched for places again."""
        values = {
            "instruction": instruction.strip(),
            "sub_goal": plan[current].description,
            "landmarks": f"Landmark: {', '.join(landmarks)}" if landmarks else "",
            "plan": "\n".join(_line(number, goal) for number, goal in enumerate(plan, start=1)),
            "map": context,
        }
        system, user = _filled(self.system, values), _filled(self.user, values)
        if fault:
            again = "The walker has not moved. Answer again."
            user += f"\n\nYour last answer could not be used: {fault}. {again}"
        message = Message(role="user", text=user)
        return (Message(role="system", text=system), message) if system else (message,)


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda match: values[match[0][1:-1]], text)


def _line(number: int, goal: SubGoal) -> str:
    tries = ""
    if goal.status == "IN_PROGRESS" and goal.iteration is not None:
        tries = f", Iteration: {goal.iteration}"
    return f"{number}. {goal.description} ({goal.status}{tries})"


def read_template(path: Path) -> PromptTemplate:
    """Read a template.

    Raises
    ------
    InputError
        When the file cannot be read, or has no place for the sub-goal or the map.
    """
    if path.suffix == ".jsonl":
        template = _of_log(path)
    else:
        text = read_text(path)
        head, *rest = _USER.split(text, maxsplit=1)
        system, user = (head, rest[0]) if rest else ("", text)
        template = PromptTemplate(system.strip(), user.strip())
    missing = [name for name in _NEEDED if f"{{{name}}}" not in template.user + template.system]
    if missing:
        what = f"has no place for {' and '.join(missing)}"
        raise InputError(
            what, f"write {{{missing[0]}}} where it belongs", file=path.name, field="prompt_file"
        )
    return template


def _of_log(path: Path) -> PromptTemplate:
    if not is_regular(path):
        raise InputError("cannot be read (no such file)", "check the path", file=path.name)
    first = next((as_mapping(value) for _, value in json_lines(path, Problems())), {})
    messages = read_call(first).messages
    system = "".join(message.text for message in messages if message.role == "system")
    user = "".join(message.text for message in messages if message.role == "user")
    return PromptTemplate(system, _emptied(user))


def _emptied(text: str) -> str:
    """Return a published prompt with places where its values stand."""
    prompt = read_prompt(text)
    # an empty text lacks the places that are needed, so that `read_template` refuses it
    if not prompt.context or prompt.sub_goal is None or prompt.instruction is None:
        return ""
    plan = "\n".join(_line(k, goal) for k, goal in enumerate(prompt.plan, start=1))
    text = text.replace(prompt.context, "{map}", 1).replace(plan, "{plan}", 1)
    text = text.replace(f"Instruction: {prompt.instruction}", "Instruction: {instruction}", 1)
    goal = prompt.plan[prompt.sub_goal].description
    text = text.replace(f"Current Sub-Goal: {goal}", "Current Sub-Goal: {sub_goal}", 1)
    # a prompt without landmarks has no line for them: one is made below the sub-goal's state
    if _LANDMARK.search(text):
        return _LANDMARK.sub("{landmarks}", text, count=1)
    return _STATE.sub(r"\1{landmarks}", text, count=1)
