"""What a window sends while somebody rates: actions with a mark each, so that sent twice they count
once.

A window acts at once and sends later, several actions together, again and again until each is
answered. They are done in their order; the first one that the database cannot take now ends the
delivery, so that nothing overtakes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from navviz.annotation.ratings import Mark
from navviz.annotation.records import Follow, Item, Queue, Rating, Task, Value
from navviz.annotation.store import Desk
from navviz.errors import ConflictError, NavVizError, StoreError
from navviz.records import Record

MOST_ACTIONS = 200
"""Actions that one delivery may hold."""
LONGEST_S = 4 * 3600.0
"""More time than this at one item between two actions was not measured rightly."""
_Id = Annotated[str, Field(pattern=r"^[\w-]{8,64}$")]


class DeskAction(Record):
    """One thing that an annotator did."""

    id: _Id
    kind: Literal["save", "skip", "unskip", "undo", "walk"]
    item: Item | None = None
    value: Value | None = None
    seen: Annotated[int, Field(ge=0)] = 0
    """Revision that the window knew."""
    after: _Id | None = None
    """The window's action on the same item before this one."""
    seconds: Annotated[float, Field(ge=0, le=LONGEST_S)] = 0.0
    reason: Annotated[str, Field(max_length=200)] | None = None
    choices: Annotated[tuple[str, ...], Field(max_length=2000)] = ()
    """Places that somebody chose who followed the instruction."""
    gave_up: bool = False


Walked = Callable[[DeskAction], Follow]
"""Walks the choices of an action and says where they led; raises `NavVizError` for choices that
cannot be.
"""


class DeskAnswer(Record):
    """What became of one action."""

    id: str
    state: Literal["saved", "conflict", "refused", "failed"]
    """``failed``: not now, send it again; ``refused``: never."""
    item: Item | None = None
    """The item that was changed; for an undo the server knows which."""
    value: Value | None = None
    """The rating as it stands."""
    revision: int | None = None
    message: str = ""


def deliver(
    desk: Desk, queue: Queue, actions: Sequence[Any], walked: Walked | None = None
) -> list[DeskAnswer]:
    """Do what a window sent, in order.

    Parameters
    ----------
    desk
        Of the annotator who is signed in; nobody else's ratings can be reached.
    queue
        Where they work; an action on another item or task is refused.
    actions
        As they came from the browser.
    walked
        Scores a walk; without it, none can be saved.

    Returns
    -------
    One answer for each action that was looked at; those after a failed one were not.
    """
    # once a delivery, not once an action: each look reads the whole part
    mine = {entry.item for entry in desk.items(queue.name)}
    answers: list[DeskAnswer] = []
    for raw in actions[:MOST_ACTIONS]:
        answers.append(_answer(desk, queue, mine, raw, walked))
        # the window sends the rest again, in order: an undo must never overtake its rating
        if answers[-1].state == "failed":
            break
    return answers


def _answer(
    desk: Desk, queue: Queue, mine: set[Item], raw: object, walked: Walked | None
) -> DeskAnswer:
    try:
        action = (
            DeskAction.model_validate_json(raw)
            if isinstance(raw, str)
            else DeskAction.model_validate(raw)
        )
    except ValidationError as error:
        return DeskAnswer(
            id=_id_of(raw),
            state="refused",
            message=f"This cannot be saved: {error.errors()[0]['msg']}.",
        )
    fault = _fault(action, queue, mine)
    if fault:
        return DeskAnswer(id=action.id, state="refused", item=action.item, message=fault)
    try:
        return _done(desk, queue, action, walked)
    except ConflictError as error:
        # another tab was quicker: the window gets what stands, so that its next try builds on it
        standing = desk.rating(action.item, queue.task) if action.item is not None else None
        return _answered(action, standing, "conflict", str(error))
    # a full disk or a locked file may be mended, so that the window sends the action again
    except StoreError as error:
        return DeskAnswer(id=action.id, state="failed", item=action.item, message=str(error))
    except NavVizError as error:
        return DeskAnswer(id=action.id, state="refused", item=action.item, message=str(error))


def _id_of(raw: object) -> str:
    return str(raw.get("id", "")) if isinstance(raw, dict) else ""


def _fault(action: DeskAction, queue: Queue, mine: set[Item]) -> str:
    """Say why an action cannot be done at all; empty where it can."""
    if queue.closed is not None:
        return f"The queue {queue.name} is closed; nothing more is rated in it."
    # an undo names no item: the store knows which change of this annotator was the last
    if action.kind == "undo":
        return ""
    if action.item is None or action.item not in mine:
        return f"This item is not in your part of the queue {queue.name}."
    task: Task | None = action.value.task if action.value is not None else None
    if action.kind == "walk":
        task = "follow"
    if action.kind in {"save", "walk"} and task is not None and task != queue.task:
        return f"The queue {queue.name} asks for another task."
    if (action.kind == "save") != (action.value is not None):
        return "A rating needs a value, and only a rating has one."
    return "A walk is saved by walking it." if action.kind == "save" and task == "follow" else ""


def _done(desk: Desk, queue: Queue, action: DeskAction, walked: Walked | None) -> DeskAnswer:
    mark = Mark(action.id, action.after, action.seconds)
    if action.kind == "undo":
        undone = desk.undo(queue.task, mark=mark)
        message = "" if undone is not None else "There is nothing to undo."
        return _answered(action, undone, "saved", message)
    item = action.item
    if item is None:  # `_fault` has refused it
        raise StoreError("The action names no item.")
    value = walked(action) if action.kind == "walk" and walked is not None else action.value
    if value is not None:
        return _answered(action, desk.save(item, value, seen=action.seen, mark=mark), "saved")
    desk.skip(queue.name, item, skipped=action.kind == "skip", reason=action.reason)
    return DeskAnswer(id=action.id, state="saved", item=item)


def _answered(
    action: DeskAction,
    rating: Rating | None,
    state: Literal["saved", "conflict"],
    message: str = "",
) -> DeskAnswer:
    item = rating.item if rating is not None else action.item
    value, revision = (rating.value, rating.revision) if rating is not None else (None, 0)
    return DeskAnswer(
        id=action.id, state=state, item=item, value=value, revision=revision, message=message
    )
