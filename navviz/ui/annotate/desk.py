"""The desk: one client-side component that rates, with a way for what it sends and a way for the maps it needs.

Keys never wait for the server. Two fragments beside the desk answer it: one takes the ratings, one hands out the
sheets; neither runs the page again.
"""

from __future__ import annotations

import hashlib
import json
import time
from datetime import UTC
from typing import Any

import streamlit as st

from navviz.annotation.gold import KnownAnswer, is_right
from navviz.annotation.guidelines import guidelines_of
from navviz.annotation.inbox import DeskAnswer, deliver
from navviz.annotation.records import Edit, Failures, QueueItem, Rating
from navviz.annotation.store import Desk
from navviz.annotation.taxonomy import Taxonomy, workspace_taxonomy
from navviz.errors import InputError, NavVizError
from navviz.language.skills import SKILLS
from navviz.runs.opened import workspace_dir
from navviz.systems.human.navigator import HumanWalk
from navviz.ui.annotate.session import Work
from navviz.ui.annotate.sheets import sheet_of, translated, walk_sheet
from navviz.ui.annotate.walks import walked
from navviz.ui.components.browser import mount, mount_part
from navviz.ui.state.session import current, widget
from navviz.ui.study.access import described

__all__ = ["show"]

IDLE_S = 60
"""A pause at an item that is longer than this was no work: it is left out of the time."""
_MOST_SHEETS = 8
_EMPTY: dict[str, Any] = {
    "marks": [],
    "places": [],
    "suggestions": [],
    "steps": [],
    "history": [],
    "note": "",
    "stand": None,
}
_ACTIONS = {"save": "saved", "undo": "undone", "import": "imported", "reopen": "opened again"}


def show(work: Work) -> None:
    """Show the desk of a queue."""
    name = hashlib.blake2b(f"{work.study}:{work.desk.name}:{work.queue.name}".encode(), digest_size=9).hexdigest()
    mount("desk", key=f"annotate_desk_{name}", data=_packed(_desk(work, name)), on={})
    _post(work, name)
    _shelf(work, name)


def _packed(told: object) -> bytes:
    """Return JSON behind its digest, as the components take it."""
    payload = json.dumps(told, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
    return hashlib.blake2b(payload, digest_size=12).hexdigest().encode() + b"\n" + payload


def _taxonomy(work: Work) -> Taxonomy | None:
    return workspace_taxonomy(workspace_dir()) if work.queue.task == "failure" else None


def _desk(work: Work, name: str) -> dict[str, Any]:
    taxonomy = _taxonomy(work)
    labels = taxonomy.labels() if taxonomy is not None else []
    held = {rating.item: rating for rating in work.desk.ratings(work.queue.task, taken_back=True)}
    entries = [_entry(work, entry, held.get(entry.item), taxonomy) for entry in work.entries]
    known = work.desk.feedback(work.queue)
    for told, entry in zip(entries, work.entries, strict=True):
        told["feedback"] = _feedback(known.get(entry.item), held.get(entry.item))
    return {
        "desk": name,
        "study": work.study,
        "annotator": work.desk.name,
        "queue": work.queue.name,
        "task": work.queue.task,
        "entries": entries,
        "guidelines": guidelines_of(work.queue),
        "idle_s": IDLE_S,
        "labels": [{"code": one.code, "titles": list(one.titles), "help": one.help} for one in labels],
        "taxonomy": {"name": taxonomy.name, "version": taxonomy.version} if taxonomy is not None else None,
        "skills": [skill.value for skill in SKILLS] if work.queue.task == "skill" else [],
    }


def _entry(work: Work, entry: QueueItem, rating: Rating | None, taxonomy: Taxonomy | None) -> dict[str, Any]:
    value = rating.value if rating is not None else None
    if isinstance(value, Failures) and taxonomy is not None:
        value = translated(value, taxonomy)[0]
    trace = work.run.traces.get(entry.item.episode)
    return {
        "item": entry.item.model_dump(),
        "text": trace.episode.instruction if trace is not None else "",
        "rated": value is not None,
        "skipped": entry.skipped and value is None,
        "reason": entry.reason,
        "value": value.model_dump(mode="json") if value is not None else None,
        "revision": rating.revision if rating is not None else 0,
        "training": entry.training,
    }


def _feedback(known: KnownAnswer | None, rating: Rating | DeskAnswer | None) -> dict[str, Any] | None:
    """Return what is told after a training item: ``None`` for any other and before they have answered."""
    if known is None or rating is None or rating.value is None:
        return None
    right = is_right(rating.value, known.value)
    return {"right": right, "answer": described(known.value), "comment": known.comment}


# --- ratings


@st.fragment
def _post(work: Work, name: str) -> None:
    """Take what the window sends; the answers go back as this element's data."""
    key = f"annotate_post_{name}"

    def came() -> None:
        sent = getattr(widget(key), "actions", None)
        if isinstance(sent, dict):
            current().annotate.answers = _answers(work.desk, sent)

    data = {"desk": name, "answers": current().annotate.answers, "turn": time.monotonic_ns()}
    mount_part("post", key=key, data=data, on={"actions": came})


def _answers(desk: Desk, sent: dict[str, Any]) -> list[dict[str, Any]]:
    actions = sent.get("actions")
    if not isinstance(actions, list):
        return []
    try:
        queue = next((queue for queue in desk.queues() if queue.name == sent.get("queue")), None)
        if queue is None:
            told = "The queue is not there any more; the researcher may have closed it."
            return [{"id": one.get("id"), "state": "refused", "item": None, "value": None, "revision": None,
                     "told": told} for one in actions if isinstance(one, dict)]  # fmt: skip
        answers = deliver(desk, queue, actions, lambda action: walked(desk, queue, action))
    except NavVizError as error:
        first = next((one.get("id") for one in actions if isinstance(one, dict)), "")
        return [{"id": first, "state": "failed", "item": None, "value": None, "revision": None, "told": str(error)}]
    known = desk.feedback(queue)
    return [
        answer.model_dump(mode="json")
        | {"feedback": _feedback(known.get(answer.item) if answer.item else None, answer)}
        for answer in answers
    ]


# --- sheets


@st.fragment
def _shelf(work: Work, name: str) -> None:
    """Hand out the sheets that the window asked for last."""
    key = f"annotate_shelf_{name}"

    def asked() -> None:
        ask = getattr(widget(key), "ask", None)
        current().annotate.ask = ask if isinstance(ask, dict) else None

    ask = current().annotate.ask or {}
    positions = [one for one in ask.get("positions", []) if isinstance(one, int) and 0 <= one < len(work.entries)]
    sheets = [_sheet(work, position, ask.get("walk")) for position in positions[:_MOST_SHEETS]]
    data = _packed({"desk": name, "sheets": sheets, "turn": ask.get("turn")})
    mount_part("shelf", key=key, data=data, on={"ask": asked})


def _sheet(work: Work, position: int, taken: object) -> dict[str, Any]:
    item = work.entries[position].item
    told: dict[str, Any] = {**_EMPTY, "position": position, "episode": item.episode}
    try:
        told |= _contents(work, position, taken)
    except NavVizError as error:
        return told | {"document": None, "note": str(error)}
    return told | {"history": [_line(edit) for edit in reversed(work.desk.history(item, work.queue.task))]}


def _contents(work: Work, position: int, taken: object) -> dict[str, Any]:
    item, task = work.entries[position].item, work.queue.task
    if item.episode not in work.run.traces:
        what = f"the data that is open has no episode {item.episode} of this queue"
        raise InputError(what, "skip it, or open the data the queue was made from")
    if task == "follow":
        walk = HumanWalk(work.run.trace(item.episode).episode, work.run.graph(item.episode), work.desk.name)
        for target in taken if isinstance(taken, list) else ():
            walk.choose(str(target))
        return walk_sheet(walk)
    return sheet_of(work.run, task, item.episode, _taxonomy(work))


def _line(edit: Edit) -> str:
    """One change of a rating in words."""
    told = "not rated" if edit.after is None else described(edit.after)
    return f"{edit.at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC, {edit.who}: {_ACTIONS[edit.action]} {told}"
