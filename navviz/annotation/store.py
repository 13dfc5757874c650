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
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from navviz.annotation.annotators import Annotators, checked_name
from navviz.annotation.claims import Claims
from navviz.annotation.database import Database
from navviz.annotation.gold import KnownAnswer, KnownAnswers
from navviz.annotation.queues import Queues, progress_of
from navviz.annotation.ratings import Mark, Ratings
from navviz.annotation.records import (
    ADJUDICATED,
    Annotator,
    Edit,
    Item,
    Queue,
    QueueItem,
    QueueProgress,
    Rating,
    Task,
    Value,
)
from navviz.annotation.tickets import read_ticket, write_ticket
from navviz.errors import StoreError
from navviz.records import Cause

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
        """Write a ticket for whoever sits at a desk, to come back with; see
        `navviz.annotation.tickets`.
        """
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
        return Study(
            name.strip(),
            self._annotators,
            self._ratings,
            self._queues,
            self._known_answers,
            self._claims,
        )

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
        """Take back my last change that was not taken back yet; sent twice under one mark, it
        counts once.
        """
        return self._ratings.undo(self.name, task, mark=mark)

    def claim(self, item: Item) -> Cause | None:
        """Return the cause of an item as annotators see it: without its detector; ``None`` where
        it has none.
        """
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
        self, task: Task | None = None, items: Sequence[Item] | None = None
    ) -> list[Rating]:
        """Everybody's ratings that stand; adjudicated ones and those of training rounds are left
        out.
        """
        # the known answer is shown in a training round, so its ratings say nothing about agreement
        trained = self.queues.trained()
        standing = []
        for rating in self._ratings.all(task, items=items):
            key = rating.task, rating.annotator, rating.item
            if rating.annotator != ADJUDICATED and key not in trained:
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
        """Save an imported rating, with its time at work in s, under its annotator's name; the
        history says who did.
        """
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
