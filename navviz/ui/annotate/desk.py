"""The desk: one client-side component that rates, with a way for what it sends and a way for the
maps it needs.

Keys never wait for the server. Two fragments beside the desk answer it: one takes the ratings, one
hands out the sheets; neither runs the page again.
"""

from __future__ import annotations

import hashlib
import json
import time
from datetime import UTC
from typing import Any

import streamlit as st

from navviz.analysis.landmarks import places_or_reasons
from navviz.annotation.gold import KnownAnswer, is_right
from navviz.annotation.guidelines import guidelines_of
from navviz.annotation.records import Edit, Failures, Follow, Item, Queue, QueueItem, Rating
from navviz.annotation.store import Desk, DeskAction, DeskAnswer, deliver
from navviz.annotation.taxonomy import Label, Taxonomy, workspace_taxonomy
from navviz.errors import InputError, NavVizError
from navviz.language.skills import SKILLS
from navviz.metrics.score import score_trace
from navviz.records import Explanation
from navviz.records.trace_files import fold, write_trace
from navviz.runner import RunConfig, trace_path, write_config
from navviz.runner.config import now
from navviz.runs.opened import OpenRun, workspace_dir
from navviz.runs.sources import Identity
from navviz.systems.human.navigator import HumanWalk
from navviz.ui.annotate.session import Work, run_of
from navviz.ui.annotate.sheets import route_pictures, sheet_of, translated, walk_sheet
from navviz.ui.components.browser import mount, mount_part
from navviz.ui.components.player import with_served_pictures
from navviz.ui.components.rating_history import ACTIONS, described
from navviz.ui.state.session import current, widget
from navviz.views.player.document import replay_document
from navviz.views.player.pictures import PictureTable


def cause_sheet(run: OpenRun, item: Item, cause: Explanation) -> dict[str, Any]:
    """Return the sheet of a claim; built once for each run and claim."""
    return _walk_sheet(run.source.identity, item.model_dump_json(), run, item, cause)


# Streamlit leaves arguments that begin with an underscore out of a cache's key: identity and name
# of the item stand for them
@st.cache_resource(max_entries=128, show_spinner=False)
def _walk_sheet(
    identity: Identity, name: str, _run: OpenRun, _item: Item, _cause: Explanation
) -> dict[str, Any]:
    del identity, name
    trace, graph = _run.trace(_item.episode), _run.graph(_item.episode)
    table = PictureTable(_run.pictures(_item.episode))
    shown = _cause.model_dump(mode="json", exclude_none=True)
    document = replay_document(
        trace,
        graph,
        causes={"causes": [shown], "likely": 0},
        places=places_or_reasons(trace, graph),
        running=False,
        pictures=table,
    )
    # taken from the document, so that the desk asks about the sentence that the player shows
    [entry] = document["causes"]["all"]
    claim = {name: entry[name] for name in ("sentence", "step")}
    return {"document": document, "claim": claim, "table": table}


def walked(desk: Desk, queue: Queue, action: DeskAction) -> Follow:
    """Walk the choices again, write the walk as a trace of the navigator ``human``, and score it.

    Raises `NavVizError` where the data is not open, a choice was not in sight, or the trace cannot
    be written.
    """
    run, item = run_of(queue), action.item
    if run is None or item is None or item.episode not in run.traces:
        raise InputError(
            "the data of this walk is not open here", "open it on the page Explore and walk again"
        )
    graph = run.graph(item.episode)
    walk = HumanWalk(run.trace(item.episode).episode, graph, desk.name)
    # walked again here: no figure of a walk comes from the browser
    for target in action.choices:
        walk.choose(target)
    trace = fold(walk.events(f"human-{desk.name}", now(), gave_up=action.gave_up))
    scores = score_trace(trace, graph)
    success = scores["SR"]
    out, name = workspace_dir() / "runs", str(trace.header.run)
    graphs = tuple(str(path) for path in run.source.graphs)
    # without it the walk would open without its graphs
    write_config(out / name, RunConfig(run=name, navigator="human", graphs=graphs))
    write_trace(trace, trace_path(out, name, trace.episode.id))
    return Follow(
        walk=tuple(walk.path),
        gave_up=action.gave_up,
        distance_m=scores["NE"],
        # who gives up within the goal's radius did not find it
        success=None if success is None else bool(success) and not action.gave_up,
        elapsed_s=round(action.seconds, 1),
    )


IDLE_S = 60
"""A pause at an item that is longer than this was no work: it is left out of the time."""

_MOST_SHEETS = 8

_EMPTY: dict[str, Any] = {
    "marks": [],
    "places": [],
    "pictures": [],
    "suggestions": [],
    "steps": [],
    "history": [],
    "note": "",
    "stand": None,
    "claim": None,
}


def show(work: Work) -> None:
    """Show the desk of a queue."""
    # names of annotators and queues are free text: a digest is safe within a key
    name = hashlib.blake2b(
        f"{work.study}:{work.desk.name}:{work.queue.name}".encode(), digest_size=9
    ).hexdigest()
    mount("desk", key=f"annotate_desk_{name}", data=_packed(_desk(work, name)), on={})
    _post(work, name)
    _shelf(work, name)


def _packed(content: object) -> bytes:
    """Return JSON behind its digest, as the components take it."""
    payload = json.dumps(content, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
    return hashlib.blake2b(payload, digest_size=12).hexdigest().encode() + b"\n" + payload


def _taxonomy(work: Work) -> Taxonomy | None:
    return workspace_taxonomy(workspace_dir()) if work.queue.task == "failure" else None


def _desk(work: Work, name: str) -> dict[str, Any]:
    taxonomy = _taxonomy(work)
    labels = taxonomy.labels() if taxonomy is not None else []
    # those taken back come too: they have no value, but their revision goes on counting
    ratings = {
        rating.item: rating for rating in work.desk.ratings(work.queue.task, taken_back=True)
    }
    entries = [_entry(work, entry, ratings.get(entry.item), taxonomy) for entry in work.entries]
    gold = work.desk.feedback(work.queue)
    for row, entry in zip(entries, work.entries, strict=True):
        row["feedback"] = _feedback(gold.get(entry.item), ratings.get(entry.item))
    return {
        "desk": name,
        "study": work.study,
        "annotator": work.desk.name,
        "queue": work.queue.name,
        "task": work.queue.task,
        "entries": entries,
        "guidelines": guidelines_of(work.queue),
        "idle_s": IDLE_S,
        "labels": [_label_entry(label) for label in labels],
        "taxonomy": (
            {"name": taxonomy.name, "version": taxonomy.version} if taxonomy is not None else None
        ),
        "skills": [skill.value for skill in SKILLS] if work.queue.task == "skill" else [],
    }


def _label_entry(label: Label) -> dict[str, Any]:
    return {"code": label.code, "titles": list(label.titles), "help": label.help}


def _entry(
    work: Work, entry: QueueItem, rating: Rating | None, taxonomy: Taxonomy | None
) -> dict[str, Any]:
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


def _feedback(
    gold: KnownAnswer | None, rating: Rating | DeskAnswer | None
) -> dict[str, Any] | None:
    """Return what is told after a training item: ``None`` for any other and before they have
    answered.
    """
    if gold is None or rating is None or rating.value is None:
        return None
    right = is_right(rating.value, gold.value)
    return {"right": right, "answer": described(gold.value), "comment": gold.comment}


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
            text = "The queue is not there any more; the researcher may have closed it."
            ids = [action.get("id") for action in actions if isinstance(action, dict)]
            return [_unsaved(action_id, "refused", text) for action_id in ids]
        answers = deliver(desk, queue, actions, lambda action: walked(desk, queue, action))
    except NavVizError as error:
        ids = [action.get("id") for action in actions if isinstance(action, dict)]
        return [_unsaved(ids[0] if ids else "", "failed", str(error))]
    gold = desk.feedback(queue)
    replies: list[dict[str, Any]] = []
    for answer in answers:
        expected = gold.get(answer.item) if answer.item else None
        replies.append(answer.model_dump(mode="json") | {"feedback": _feedback(expected, answer)})
    return replies


def _unsaved(action_id: object, state: str, text: str) -> dict[str, Any]:
    """Return the reply to an action that saved nothing; the window shows its text."""
    reply = {"id": action_id, "state": state, "message": text}
    return reply | {"item": None, "value": None, "revision": None}


# --- sheets


@st.fragment
def _shelf(work: Work, name: str) -> None:
    """Hand out the sheets that the window asked for last."""
    key = f"annotate_shelf_{name}"

    def on_ask() -> None:
        ask = getattr(widget(key), "ask", None)
        current().annotate.ask = ask if isinstance(ask, dict) else None

    ask = current().annotate.ask or {}
    places = range(len(work.entries))
    # The browser sends it: anything may stand there.
    wanted = [place for place in ask.get("positions", []) if isinstance(place, int)]
    positions = [place for place in wanted if place in places]
    sheets = [_sheet(work, position, ask.get("walk")) for position in positions[:_MOST_SHEETS]]
    data = _packed({"desk": name, "sheets": sheets, "turn": ask.get("turn")})
    mount_part("shelf", key=key, data=data, on={"ask": on_ask})


def _sheet(work: Work, position: int, taken: object) -> dict[str, Any]:
    item = work.entries[position].item
    sheet: dict[str, Any] = {**_EMPTY, "position": position, "episode": item.episode}
    try:
        sheet |= _contents(work, position, taken)
    except NavVizError as error:
        return sheet | {"document": None, "note": str(error)}
    table = sheet.pop("table", None)  # what is kept for all sessions stays as it is
    if table is not None:
        sheet["document"] = with_served_pictures(sheet["document"], table)
    return sheet | {
        "history": [_line(edit) for edit in reversed(work.desk.history(item, work.queue.task))]
    }


def _contents(work: Work, position: int, taken: object) -> dict[str, Any]:
    item, task = work.entries[position].item, work.queue.task
    if item.episode not in work.run.traces:
        what = f"the data that is open has no episode {item.episode} of this queue"
        raise InputError(what, "skip it, or open the data the queue was made from")
    if task == "follow":
        walk = HumanWalk(
            work.run.trace(item.episode).episode, work.run.graph(item.episode), work.desk.name
        )
        # the window sends its choices and no place: the walk is made again here
        for target in taken if isinstance(taken, list) else ():
            walk.choose(str(target))
        own_episode = work.run.trace(item.episode).episode
        return walk_sheet(walk, route_pictures(work.run, own_episode))
    if task == "cause":
        cause = work.desk.claim(item)
        if cause is None:
            what = f"the cause of episode {item.episode} is not in this database"
            raise InputError(what, "skip it, and tell the researcher")
        return cause_sheet(work.run, item, cause)
    sheet = sheet_of(work.run, task, item.episode, _taxonomy(work))
    return sheet if work.queue.suggestions else sheet | {"suggestions": []}


def _line(edit: Edit) -> str:
    """One change of a rating in words."""
    text = "not rated" if edit.after is None else described(edit.after)
    return (
        f"{edit.at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC, {edit.who}: {ACTIONS[edit.action]}"
        f" {text}"
    )
