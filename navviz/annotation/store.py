"""The annotation store: one door for annotators, one for researchers.

::

    store = AnnotationStore("sqlite:////path/annotations.sqlite3")
    desk = store.sign_in("fox")                  # an annotator sees and writes only what is theirs
    desk.save(item, Navigability(navigable=True), seen=0)
    study = store.study()                        # a researcher sees everything, sets up queues,
    adjudicates

SQLite by default (one file, write-ahead log); a team uses PostgreSQL by URL, with the same code.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from navviz.annotation.annotators import Annotators, checked_name
from navviz.annotation.claims import Claims
from navviz.annotation.database import Database
from navviz.annotation.gold import KnownAnswer, KnownAnswers
from navviz.annotation.merge import MergeConflict, merge
from navviz.annotation.queues import Part, QueuePlace, Queues, progress_of
from navviz.annotation.ratings import Mark, Ratings
from navviz.annotation.records import (
    ADJUDICATED,
    Annotator,
    Edit,
    Follow,
    Item,
    Queue,
    QueueItem,
    QueueProgress,
    Rating,
    Task,
    Value,
)
from navviz.annotation.tickets import read_ticket, write_ticket
from navviz.errors import ConflictError, NavVizError, StoreError
from navviz.records import Explanation, Record

FILE_NAME = "annotations.sqlite3"

Purpose = Literal["door", "annotate"]
"""What a ticket of a study is good for: to come into the server, or to sit down at the desk."""


def database_url(workspace: Path) -> str:
    """``NAVVIZ_DB`` where it is set, else one SQLite file in the workspace folder."""
    return os.environ.get("NAVVIZ_DB") or f"sqlite:///{(workspace / FILE_NAME).resolve()}"


class AnnotationStore:
    """An open store; safe to share between threads, open one in each process.

    Raises `SettingsError` for a URL that is none, `StoreError` where the database cannot be opened.
    """

    def __init__(self, url: str) -> None:
        self._database = Database(url)
        self._annotators = Annotators(self._database)
        self._ratings = Ratings(self._database)
        self._queues = Queues(self._database)
        self._known_answers = KnownAnswers(self._database)
        self._claims = Claims(self._database)

    @property
    def name(self) -> str:
        """File or address of the database, without its password."""
        return self._database.name

    @property
    def study_id(self) -> str:
        """Tells this database from others: what windows keep for it has this in its name."""
        return self._annotators.study_id

    @property
    def tokens_required(self) -> bool:
        """Whether nobody gets in without a token."""
        return self._annotators.tokens_required

    def sign_in(self, name: str, token: str | None = None) -> Desk:
        """Sign an annotator in; a new pseudonym is taken on where the study asks for no tokens.

        Raises `InputError` for a name that cannot be one, `StoreError` for a wrong or missing
        token.
        """
        return self._desk(self._annotators.admit(name.strip(), token))

    def sit_down(self, name: str) -> Desk:
        """Sign in whom the server's door knows by this name: the door has asked for the token."""
        return self._desk(self._annotators.admit_known(name))

    def ticket(self, desk: Desk, key: bytes, purpose: Purpose = "annotate") -> str:
        """Write a ticket for whoever sits at a desk, to come back with; see `Annotators`."""
        token_hash = self._annotators.token_hash(desk.name)
        return write_ticket(key, f"{purpose} {self.study_id}", desk.name, token_hash)

    def sign_in_again(self, ticket: str, key: bytes, purpose: Purpose = "annotate") -> Desk | None:
        """Sign in by a ticket; ``None`` for one that is forged, too old, for another purpose, or of
        a token that was replaced since. Without a token nobody comes in by the door.
        """
        read = read_ticket(ticket)
        if read is None:
            return None

        def proof(token_hash: str) -> bool:
            may = bool(token_hash) or purpose != "door"
            return may and read.is_genuine(key, f"{purpose} {self.study_id}", token_hash)

        annotator = self._annotators.admit_again(read.name, proof)
        return None if annotator is None else self._desk(annotator)

    def check_token(self, name: str, token: str) -> Desk:
        """Sign in who has a token, and nobody new, whatever the study asks for.

        Raises `InputError` for no pseudonym, `StoreError` for a wrong name or token.
        """
        return self._desk(self._annotators.check(name.strip(), token))

    def without_token(self, names: Iterable[str]) -> list[str]:
        """Return those of some names that have no token here, sorted."""
        return sorted(name for name in names if not self._annotators.token_hash(name))

    def _desk(self, annotator: Annotator) -> Desk:
        self._annotators.note_seen(annotator.name)
        return Desk(annotator, self._ratings, self._queues, self._known_answers, self._claims)

    def study(
        self, name: str = "researcher", token: str | None = None, *, shared: bool = False
    ) -> Study:
        """Open the researcher's side; where tokens are required, or others come in, only with a
        researcher's token.
        """
        required = shared or self.tokens_required
        if required and self._annotators.check(name.strip(), token or "").role != "researcher":
            raise StoreError(f"{name} is no researcher of this study; ask one of them for access.")
        return self._study(name.strip())

    def study_of(self, desk: Desk) -> Study | None:
        """Open the researcher's side for who came in by a token; ``None`` for others."""
        is_known = desk.annotator.role == "researcher" and desk.annotator.has_token
        return self._study(desk.name) if is_known else None

    def as_operator(self) -> Study:
        """Open the researcher's side for who can read the file anyway."""
        return self._study("researcher")

    def _study(self, name: str) -> Study:
        return Study(
            name,
            self._annotators,
            self._ratings,
            self._queues,
            self._known_answers,
            self._claims,
        )

    def merge(self, others: Iterable[AnnotationStore]) -> list[MergeConflict]:
        """Put what other studies hold into this one; see `navviz.annotation.merge.merge`."""
        return merge(self._database, [other._database for other in others])  # noqa: SLF001 - of its own class

    def close(self) -> None:
        """Close all connections."""
        self._database.close()


class Desk:
    """What one annotator can see and do; nothing here reaches another annotator's ratings."""

    def __init__(
        self,
        annotator: Annotator,
        ratings: Ratings,
        queues: Queues,
        known_answers: KnownAnswers,
        claims: Claims,
    ) -> None:
        self.annotator = annotator
        self.name = annotator.name
        self._ratings, self._queues, self._known_answers = ratings, queues, known_answers
        self._claims = claims

    def save(self, item: Item, value: Value, *, seen: int, mark: Mark | None = None) -> Rating:
        """Save a rating; see `Ratings.save` for `seen`, `mark` and the errors."""
        return self._ratings.save(item, self.name, value, seen=seen, mark=mark)

    def rating(self, item: Item, task: Task) -> Rating | None:
        """My rating of an item."""
        return self._ratings.get(item, task, self.name)

    def ratings(self, task: Task | None = None, *, taken_back: bool = False) -> list[Rating]:
        """All my ratings; with `taken_back`, those too that I took back."""
        return self._ratings.all(task, self.name, taken_back=taken_back)

    def history(self, item: Item, task: Task) -> list[Edit]:
        """How my rating of an item came to be."""
        return self._ratings.history(item, task, self.name)

    def feedback(self, queue: Queue) -> dict[Item, KnownAnswer]:
        """Return the known answers of training items that I have rated, and of no other item."""
        if not queue.training:
            return {}
        rated = {entry.item for entry in self.items(queue.name) if entry.training and entry.rated}
        answers = self._known_answers.all(queue.task)
        return {item: answer for item, answer in answers.items() if item in rated}

    def undo(self, task: Task | None = None, *, mark: Mark | None = None) -> Rating | None:
        """Take back my last change not taken back yet; sent twice under one mark, once."""
        return self._ratings.undo(self.name, task, mark=mark)

    def claim(self, item: Item) -> Explanation | None:
        """Return an item's cause as annotators see it, without its detector, if any."""
        claim = self._claims.get(item)
        return None if claim is None else claim.blind

    def queues(self) -> list[Queue]:
        """Return the queues that I have a part in."""
        return self._queues.all(self.name)

    def items(self, queue: str) -> list[QueueItem]:
        """My items of a queue, in order."""
        return self._queues.items(queue, self.name)

    def progress(self, queue: str) -> QueueProgress:
        """How far I got."""
        return progress_of(queue, self.name, self.items(queue))

    def skip(
        self, queue: str, item: Item, *, skipped: bool = True, reason: str | None = None
    ) -> None:
        """Put an item off, with the reason, or take that back."""
        self._queues.skip(queue, self.name, item, skipped=skipped, reason=reason)


class Study:
    """What a researcher can see and do."""

    def __init__(
        self,
        name: str,
        annotators: Annotators,
        ratings: Ratings,
        queues: Queues,
        known_answers: KnownAnswers,
        claims: Claims,
    ) -> None:
        self.name = name
        self.annotators = annotators
        self._ratings = ratings
        self.queues = queues
        self.known_answers = known_answers
        self.claims = claims

    def ratings(
        self,
        task: Task | None = None,
        items: Sequence[Item] | None = None,
        *,
        parts: AbstractSet[Part] = frozenset({"main"}),
    ) -> list[Rating]:
        """Everybody's ratings that stand, without adjudicated ones; training rounds and gold items
        only where `parts` asks for them.
        """
        # the known answer is shown in a training round, so its ratings say nothing about agreement;
        # gold items were chosen for their known answer, and not for the study
        placed = self.queues.placed()
        standing = []
        for rating in self._ratings.all(task, items=items):
            place = placed.get((rating.task, rating.annotator, rating.item), QueuePlace())
            if rating.annotator != ADJUDICATED and place.part in parts:
                standing.append(rating)
        return standing

    def adjudicated(self, task: Task | None = None) -> list[Rating]:
        """Return the ratings that researchers settled on."""
        return self._ratings.all(task, ADJUDICATED)

    def adjudicate(
        self, item: Item, value: Value, *, seen: int, seconds: float | None = None
    ) -> Rating:
        """Settle on a value for an item that annotators disagree on; the history says who did."""
        return self._ratings.save(
            item, ADJUDICATED, value, seen=seen, who=self.name, seconds=seconds
        )

    def take_in(
        self,
        item: Item,
        annotator: str,
        value: Value,
        *,
        seen: int = 0,
        seconds: float | None = None,
    ) -> Rating:
        """Save an imported rating under its annotator; `seconds` at work; history says who did."""
        # a file may name anybody, and no person may stand as the adjudicated value
        name = checked_name(annotator)
        return self._ratings.save(
            item, name, value, seen=seen, who=self.name, action="import", seconds=seconds
        )

    def reopen(self, queue: Queue, annotator: str, item: Item, note: str = "") -> None:
        """Let an annotator rate an item of a queue anew: a rating is taken back, a skip too; the
        history keeps both.
        """
        self.queues.reopen(queue.name, annotator, item, self.name, note)
        self._ratings.reopen(item, queue.task, annotator, self.name)

    def stamp(self) -> tuple[int, ...]:
        """Return numbers that are others as soon as anybody rates, skips, or changes a queue."""
        return self.queues.stamp()

    def history(self, item: Item | None = None, task: Task | None = None) -> list[Edit]:
        """All changes by everybody, oldest first."""
        return self._ratings.history(item, task)


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
    """Do what a window sent, in order."""
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
            id=str(raw.get("id", "")) if isinstance(raw, dict) else "",
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
