"""Replies in EASI's trajectories as model calls: a plan of several actions, carried out without
asking again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from navviz.formats.files import Json
from navviz.formats.texts import as_list
from navviz.records import Call, Panel
from navviz.support.guarded import decode_reply

_THOUGHTS = ("visual_state_description", "reasoning_and_reflection", "language_plan")
_TITLE = "Plan being carried out"


def calls_of(
    steps: Sequence[Mapping[str, Any]],
) -> list[tuple[tuple[Call, ...], tuple[Panel, ...]]]:
    """Return calls and panels of each step; a step without a reply shows the plan that it carries
    out.
    """
    replies: list[tuple[tuple[Call, ...], tuple[Panel, ...]]] = []
    plan: list[str] = []
    place = 0
    for step in steps:
        reply = step.get("llm_response")
        calls: tuple[Call, ...] = ()
        if isinstance(reply, str) and reply.strip():
            call, plan = _call(reply)
            # a new reply replaces the rest of the plan before it, carried out or not
            calls, place = (call,), 0
        replies.append((calls, (_panel(plan, place),) if plan else ()))
        place += 1
    return replies


def _call(reply: str) -> tuple[Call, list[str]]:
    try:
        parsed = decode_reply(reply)
        fault = None if isinstance(parsed, dict) else "the reply is no JSON object"
    except ValueError as error:
        parsed, fault = None, f"the reply is no JSON ({error})"
    if not isinstance(parsed, dict):
        return Call(reply=reply, parse_error=fault), []
    thoughts = "\n\n".join(
        text for key in _THOUGHTS if isinstance(text := parsed.get(key), str) and text.strip()
    )
    return Call(reply=reply, thoughts=thoughts or None, parsed=parsed), _plan(
        parsed.get("executable_plan")
    )


def _plan(entries: Json) -> list[str]:
    listed = as_list(entries)
    items = [item for item in listed if isinstance(item, dict)]
    return [str(item.get("action_name", item.get("action_id", "?"))) for item in items]


def _panel(plan: Sequence[str], place: int) -> Panel:
    rows = []
    for k, name in enumerate(plan):
        state = "done" if k < place else ""
        if k == place:
            state = "now"
        rows.append([state, k + 1, name])
    title = _TITLE if place < len(plan) else "Plan, carried out; the log goes on without a reply"
    return Panel(kind="table", title=title, data={"columns": ["", "#", "action"], "rows": rows})
