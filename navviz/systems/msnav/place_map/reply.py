"""What MapGPT and MSNav make of a reply: thought, plan and action, and every rule that forces a
decision.

The rules are those of the published parsers: an action that is not among the letters counts as the
first option, a reply that is no JSON stops the walk, and before stopping is offered the first
option is the first move.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from navviz.formats.texts import as_mapping
from navviz.support.guarded import decode_reply
from navviz.systems.msnav.place_map.prompt import Option

NO_PLAN = "No plans currently."
"""The plan of a reply that gives none."""

REPLY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "Thought": {"type": "string"},
        "New Planning": {"type": "string"},
        "Action": {"type": "string"},
    },
    "required": ["Thought", "New Planning", "Action"],
}
"""JSON Schema of a reply."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """One decision: where it goes, and which rule made it where it was not the model's own."""

    candidate: int | None
    """Place of the chosen candidate in the list of moves; ``None`` to stop."""
    thought: str = ""
    planning: str = NO_PLAN
    letter: str | None = None
    """The option that was taken; ``None`` for a stop that is no option."""
    rule: str | None = None
    """Why this is not what the reply said; ``None`` for the model's own decision."""
    parse_error: str | None = None

    @property
    def stop(self) -> bool:
        """Whether the walk ends here."""
        return self.candidate is None


def forced_stop(
    rule: str, *, thought: str = "", planning: str = NO_PLAN, parse_error: str | None = None
) -> Chosen:
    """Return a stop that a rule makes."""
    return Chosen(None, thought, planning, rule=rule, parse_error=parse_error)


def read_reply(reply: str | None, options: Sequence[Option]) -> Chosen:
    """Read a reply against the options of its step."""
    value, error = _object(reply)
    if error is not None:
        return forced_stop("a reply that is no JSON stops the walk", parse_error=error)
    thought, planning = _text(value.get("Thought")), _text(value.get("New Planning")) or NO_PLAN
    action = value.get("Action")
    letters = [option.letter for option in options]
    if str(action) in letters:
        return _taken(options, letters.index(str(action)), thought, planning, None)
    what = "the reply names no action"
    if action is not None:
        what = f"the action {_short(action)} is not among the options"
    if not options:
        rule = f"{what} and no way leads on: the walk stops"
        return forced_stop(rule, thought=thought, planning=planning)
    # the published code takes index 0 of the list, whatever it is
    first = "the walk stops" if options[0].place is None else "the first move is taken"
    return _taken(options, 0, thought, planning, f"{what}: {first}")


def _taken(
    options: Sequence[Option], place: int, thought: str, planning: str, rule: str | None
) -> Chosen:
    # stopping stands first where it is offered, but is no move
    stops = sum(option.place is None for option in options)
    option = options[place]
    candidate = None if option.place is None else place - stops
    return Chosen(candidate, thought, planning, option.letter, rule)


def _object(reply: str | None) -> tuple[dict[str, Any], str | None]:
    """Return the reply's JSON object, or why there is none; JSON of another kind is an object
    without fields.
    """
    text = (reply or "").strip()
    if text.startswith("```"):
        text = text.strip("`").removeprefix("json").strip()
    try:
        value = decode_reply(text)
    except ValueError as error:
        return {}, f"the reply is no JSON ({error})" if text else "the reply is empty"
    return as_mapping(value), None


def _text(value: object) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    # JSON may hold half a character, which no file can take
    return text.encode("utf-8", "replace").decode("utf-8").strip()


def _short(value: object) -> str:
    text = _text(value)
    return f"'{text[:40]}…'" if len(text) > 40 else f"'{text}'"
