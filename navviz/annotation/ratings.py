"""Ratings and their history: nothing is overwritten without trace, nobody overwrites what they have
not seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, and_, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from navviz.annotation import database as schema
from navviz.annotation.annotators import now
from navviz.annotation.database import Database
from navviz.annotation.gold import columns_of, is_item, item_of
from navviz.annotation.records import Edit, EditAction, Item, Rating, Task, Value, value_adapter
from navviz.errors import ConflictError

_R, _E, _P = schema.ratings.c, schema.edits.c, schema.receipts.c
_HISTORY = (
    _E.revision, _E.who, _E.at, _E.action, _E.before, _E.after, _E.seconds,
    _R.dataset, _R.episode, _R.run, _R.task, _R.annotator,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mark:
    """How a window tells its actions apart: sent twice, an action counts once."""

    id: str
    after: str | None = None
    """The window's action on the same item before this one: where that one stands, this one may
    follow it.
    """
    seconds: float = 0.0
    """Time at work on the item since that action, in s."""


@dataclass(frozen=True, slots=True)
class _Change:
    """A value on its way into the database."""

    item: Item
    task: Task
    annotator: str
    who: str
    after: str | None
    action: EditAction
    mark: Mark | None = None
    seconds: float | None = None
    """Time at work, in s; ``None`` where nobody measured it."""


class Ratings:
    """The tables of ratings and edits."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(
        self,
        item: Item,
        annotator: str,
        value: Value,
        *,
        seen: int,
        who: str | None = None,
        action: EditAction = "save",
        mark: Mark | None = None,
        seconds: float | None = None,
    ) -> Rating:
        """Save one rating with its history, all or nothing.

        Raises `ConflictError` where the rating was changed after `seen`; nothing was overwritten.
        Saving the same value again after a lost answer is no conflict and changes nothing;
        `StoreError` where the database could not be written.
        """
        taken = mark.seconds if mark is not None else seconds
        change = _Change(
            item,
            value.task,
            annotator,
            who or annotator,
            value.model_dump_json(),
            action,
            mark,
            taken,
        )
        try:
            with self._database.write() as connection:
                return self._put(connection, change, seen)
        except IntegrityError as error:
            # two windows rated a new item at once: a row that is not there yet cannot be locked
            standing = self.get(item, value.task, annotator)
            if standing is not None and standing.value == value:
                return standing
            raise _conflict(standing) from error

    def _put(self, connection: Connection, change: _Change, seen: int) -> Rating:
        # before all else: an action whose answer was lost comes again, with a revision that is old
        # now
        done = (
            None if change.mark is None else _receipt(connection, change.mark.id, change.annotator)
        )
        if done is not None:
            return done
        row = _locked(connection, change)
        revision = row["revision"] if row is not None else 0
        seen = _base(connection, change, seen, row)
        if revision != seen:
            if row is not None and row["value"] == change.after:
                return _rating(row)
            raise _conflict(_rating(row) if row is not None else None)
        number = _write(connection, change, row)
        return _rating(
            connection.execute(select(schema.ratings).where(_R.id == number)).mappings().one()
        )

    def undo(
        self, annotator: str, task: Task | None = None, *, mark: Mark | None = None
    ) -> Rating | None:
        """Take back the annotator's last change (of a task) that was not taken back yet; ``None``
        if there is none.

        The value before it comes back as a new revision, so that the history shows both.
        """
        with self._database.write() as connection:
            edit = _last_own_save(connection, annotator, task)
            if edit is None:
                return None if mark is None else _receipt(connection, mark.id, annotator)
            row = (
                connection.execute(select(schema.ratings).where(_R.id == edit["rating"]))
                .mappings()
                .one()
            )
            rating = _rating(row)
            taken = mark.seconds if mark is not None else None
            change = _Change(
                rating.item, rating.task, annotator, annotator, edit["before"], "undo", mark, taken
            )
            return self._put(connection, change, rating.revision)

    def reopen(self, item: Item, task: Task, annotator: str, who: str) -> Rating | None:
        """Take an annotator's rating back, for them to rate anew; ``None`` where nothing stood."""
        with self._database.write() as connection:
            change = _Change(item, task, annotator, who, None, "reopen")
            row = _locked(connection, change)
            return (
                None
                if row is None or row["value"] is None
                else self._put(connection, change, row["revision"])
            )

    def get(self, item: Item, task: Task, annotator: str) -> Rating | None:
        """One rating, or ``None``."""
        with self._database.read() as connection:
            row = (
                connection.execute(select(schema.ratings).where(_key(item, task, annotator)))
                .mappings()
                .first()
            )
            return _rating(row) if row is not None else None

    def all(
        self,
        task: Task | None = None,
        annotator: str | None = None,
        items: Sequence[Item] | None = None,
        *,
        taken_back: bool = False,
    ) -> list[Rating]:
        """Ratings that stand, in the order made; with `taken_back`, those taken back too."""
        query = select(schema.ratings).order_by(_R.id)
        if not taken_back:
            query = query.where(_R.value.is_not(None))
        if task is not None:
            query = query.where(_R.task == task)
        if annotator is not None:
            query = query.where(_R.annotator == annotator)
        with self._database.read() as connection:
            ratings = [_rating(row) for row in connection.execute(query).mappings()]
        # here and not in the query: databases limit the parameters of a statement
        wanted = None if items is None else set(items)
        return (
            ratings if wanted is None else [rating for rating in ratings if rating.item in wanted]
        )

    def history(
        self, item: Item | None = None, task: Task | None = None, annotator: str | None = None
    ) -> list[Edit]:
        """All changes, oldest first."""
        query = select(*_HISTORY).join_from(schema.edits, schema.ratings).order_by(_E.id)
        if item is not None:
            query = query.where(is_item(_R, item))
        if task is not None:
            query = query.where(_R.task == task)
        if annotator is not None:
            query = query.where(_R.annotator == annotator)
        with self._database.read() as connection:
            return [_edit(row) for row in connection.execute(query).mappings()]


def _write(connection: Connection, change: _Change, row: RowMapping | None) -> int:
    """Write the rating, its history and the window's receipt; returns the rating's number."""
    at = now()
    revision = 1 if row is None else row["revision"] + 1
    seconds = change.seconds
    values: dict[str, Any] = {"value": change.after, "revision": revision, "changed": at}
    if row is None:
        values |= {
            **columns_of(change.item),
            "task": change.task,
            "annotator": change.annotator,
            "created": at,
        }
        new = insert(schema.ratings).values(**values, seconds=seconds)
        number = connection.execute(new.returning(_R.id)).scalar_one()
    else:
        number = row["id"]
        # a change without a time leaves what was measured before
        values |= {} if seconds is None else {"seconds": (row["seconds"] or 0.0) + seconds}
        connection.execute(update(schema.ratings).where(_R.id == number).values(values))
    history = {
        "rating": number,
        "revision": revision,
        "who": change.who,
        "at": at,
        "action": change.action,
    }
    before = row["value"] if row is not None else None
    connection.execute(
        insert(schema.edits).values(**history, before=before, after=change.after, seconds=seconds)
    )
    if change.mark is not None:
        receipt = {
            "id": change.mark.id,
            "annotator": change.annotator,
            "rating": number,
            "revision": revision,
        }
        connection.execute(insert(schema.receipts).values(**receipt, at=at))
    return int(number)


def _receipt(connection: Connection, mark: str, annotator: str) -> Rating | None:
    """Return the rating as an action left it that came before; ``None`` for one that is new."""
    query = select(
        schema.ratings, schema.edits.c.after, schema.edits.c.revision.label("then"), _E.at
    )
    query = query.join(schema.receipts).join(
        schema.edits, and_(_E.rating == _R.id, _E.revision == _P.revision)
    )
    row = (
        # of this annotator alone: nobody's mark answers for another's
        connection.execute(query.where(_P.id == mark, _P.annotator == annotator)).mappings().first()
    )
    return (
        None
        if row is None
        else _rating({**row, "value": row["after"], "revision": row["then"], "changed": row["at"]})
    )


def _base(connection: Connection, change: _Change, seen: int, row: RowMapping | None) -> int:
    """Return the revision that a change follows: of the window's action before it, if any."""
    if change.mark is None or change.mark.after is None or row is None:
        return seen
    query = select(_P.revision).where(_P.id == change.mark.after, _P.rating == row["id"])
    revision = connection.execute(query).scalar()
    return seen if revision is None else max(seen, int(revision))


def _key(item: Item, task: Task, annotator: str) -> ColumnElement[bool]:
    return and_(
        is_item(_R, item),
        _R.task == task,
        _R.annotator == annotator,
    )


def _locked(connection: Connection, change: _Change) -> RowMapping | None:
    """Return the row that a change is of, which nobody else changes until this one is through."""
    query = select(schema.ratings).where(_key(change.item, change.task, change.annotator))
    # PostgreSQL locks the row; on SQLite the transaction has the whole file
    return connection.execute(query.with_for_update()).mappings().first()


def _last_own_save(connection: Connection, annotator: str, task: Task | None) -> RowMapping | None:
    query = select(schema.edits).join(schema.ratings)
    mine = or_(_E.who == annotator, _E.action == "reopen")
    query = query.where(mine, _R.annotator == annotator).order_by(_E.id)
    if task is not None:
        query = query.where(_R.task == task)
    # a stack: each undo takes a save off, so that the next undo finds the one before it
    standing: list[RowMapping] = []
    for edit in connection.execute(query).mappings():
        if edit["action"] == "save":
            standing.append(edit)
        elif (
            edit["action"] == "undo"
        ):  # of one task, it may have taken back an earlier change than the last of all
            own = (k for k, each in enumerate(standing) if each["rating"] == edit["rating"])
            last = max(own, default=len(standing))
            del standing[last : last + 1]
        elif (
            edit["action"] == "reopen"
        ):  # what was rated before it is not the annotator's to bring back
            standing = [each for each in standing if each["rating"] != edit["rating"]]
    return standing[-1] if standing else None


def _value(
    text: str | None,
) -> Any:  # noqa: ANN401 (one of the records of `Value`, as pydantic finds it)
    return None if text is None else value_adapter.validate_json(text)


def _rating(row: Mapping[str, Any] | RowMapping) -> Rating:
    return Rating(
        item=item_of(row),
        task=row["task"],
        annotator=row["annotator"],
        value=_value(row["value"]),
        revision=row["revision"],
        created=row["created"],
        changed=row["changed"],
        seconds=row["seconds"],
    )


def _edit(row: RowMapping) -> Edit:
    return Edit(
        item=item_of(row),
        task=row["task"],
        annotator=row["annotator"],
        revision=row["revision"],
        who=row["who"],
        at=row["at"],
        action=row["action"],
        before=_value(row["before"]),
        after=_value(row["after"]),
        seconds=row["seconds"],
    )


def _conflict(standing: Rating | None) -> ConflictError:
    if standing is None:
        return ConflictError(
            "This item was changed in another window; reload the page, nothing was overwritten."
        )
    return ConflictError(
        f"Episode {standing.item.episode} was changed in another window at"
        f" {standing.changed:%H:%M:%S} UTC; reload to see that rating, nothing was overwritten."
    )
