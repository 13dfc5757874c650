"""Queues: which items an annotator rates, in which order, and how far they got."""

from __future__ import annotations

import random
from collections.abc import Sequence

from sqlalchemy import Connection, and_, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from navviz.annotation import schema
from navviz.annotation.annotators import now
from navviz.annotation.database import Database
from navviz.annotation.records import Item, Queue, QueueItem, QueueProgress
from navviz.errors import InputError, StoreError

__all__ = ["Queues", "deal", "sample"]

_Q, _A, _R = schema.queues.c, schema.assignments.c, schema.ratings.c


def sample(items: Sequence[Item], size: int, seed: int) -> list[Item]:
    """Draw a random sample without replacement; the same seed gives the same sample."""
    return random.Random(seed).sample(list(items), min(size, len(items)))  # noqa: S311 (no secret)


def deal(items: Sequence[Item], annotators: Sequence[str], overlap: float, seed: int) -> dict[str, list[Item]]:
    """Items for each annotator: a share that all of them get, the others dealt out evenly.

    The shared items are chosen by `seed`; everybody keeps the order of `items`.
    """
    shared = set(sample(items, round(overlap * len(items)), seed))
    others = [item for item in items if item not in shared]
    mine = {name: shared | set(others[i :: len(annotators)]) for i, name in enumerate(annotators)}
    return {name: [item for item in items if item in chosen] for name, chosen in mine.items()}


class Queues:
    """The tables of queues and assignments."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, queue: Queue) -> None:
        """Save a queue and deal its items; raises `InputError` for an empty one, `StoreError` for a taken name."""
        if not queue.items or not queue.name.strip():
            raise InputError("the queue has no name or no items", "choose at least one episode", field="items")
        dealt = deal(queue.items, queue.annotators, queue.overlap, queue.seed) if queue.annotators else {}
        try:
            with self._database.write() as connection:
                values = {"name": queue.name, "task": queue.task, "settings": queue.model_dump_json(), "created": now()}
                connection.execute(insert(schema.queues).values(values))
                for name, items in dealt.items():
                    _assign(connection, queue.name, name, items)
        except IntegrityError as error:
            raise StoreError(f"There already is a queue called {queue.name}; choose another name.") from error

    def delete(self, name: str) -> None:
        """Delete a queue; the ratings that were made in it stay."""
        with self._database.write() as connection:
            connection.execute(delete(schema.assignments).where(_A.queue == name))
            connection.execute(delete(schema.queues).where(_Q.name == name))

    def all(self, annotator: str | None = None) -> list[Queue]:
        """All queues, or those that an annotator has a part in, in the order they were made."""
        with self._database.read() as connection:
            rows = connection.execute(select(_Q.settings).order_by(_Q.created, _Q.name)).scalars()
            queues = [Queue.model_validate_json(row) for row in rows]
        return [q for q in queues if annotator is None or not q.annotators or annotator in q.annotators]

    def items(self, name: str, annotator: str) -> list[QueueItem]:
        """Return an annotator's items in order; somebody new gets all items of an open queue, nobody else gets any."""
        self._join(name, annotator)
        same_item = and_(
            _R.dataset == _A.dataset, _R.episode == _A.episode, _R.run == _A.run, _R.annotator == _A.annotator
        )
        query = (
            select(_A.position, _A.dataset, _A.episode, _A.run, _A.skipped, _A.reason, _R.value)
            .join_from(schema.assignments, schema.queues, _A.queue == _Q.name)
            .outerjoin(schema.ratings, and_(same_item, _R.task == _Q.task))
            .where(_A.queue == name, _A.annotator == annotator)
            .order_by(_A.position)
        )
        with self._database.read() as connection:
            return [
                QueueItem(
                    position=row.position,
                    item=Item(dataset=row.dataset, episode=row.episode, run=row.run),
                    skipped=row.skipped is not None,
                    reason=row.reason,
                    rated=row.value is not None,
                )
                for row in connection.execute(query)
            ]

    def _join(self, name: str, annotator: str) -> None:
        with self._database.read() as connection:
            settings = connection.execute(select(_Q.settings).where(_Q.name == name)).scalar()
            mine = select(func.count()).where(_A.queue == name, _A.annotator == annotator)
            joined = connection.execute(mine).scalar_one() > 0
        if settings is None:
            raise StoreError(f"There is no queue called {name}; the researcher may have deleted it.")
        queue = Queue.model_validate_json(settings)
        if joined or queue.annotators:
            return
        try:
            with self._database.write() as connection:
                _assign(connection, name, annotator, queue.items)
        except IntegrityError:
            return  # another window of the same annotator was quicker

    def skip(self, name: str, annotator: str, item: Item, *, skipped: bool = True, reason: str | None = None) -> None:
        """Mark an item as skipped, with the reason, or take that back."""
        mine = and_(_A.queue == name, _A.annotator == annotator)
        same = and_(_A.dataset == item.dataset, _A.episode == item.episode, _A.run == item.run)
        with self._database.write() as connection:
            values = {"skipped": now() if skipped else None, "reason": reason if skipped else None}
            if connection.execute(update(schema.assignments).where(mine, same).values(values)).rowcount == 0:
                raise StoreError(f"Episode {item.episode} is not in the queue {name} of {annotator}.")

    def progress(self, name: str) -> list[QueueProgress]:
        """How far everybody got who has items of the queue."""
        with self._database.read() as connection:
            query = select(_A.annotator).where(_A.queue == name).distinct().order_by(_A.annotator)
            annotators = list(connection.execute(query).scalars())
        return [progress_of(name, annotator, self.items(name, annotator)) for annotator in annotators]


def progress_of(queue: str, annotator: str, items: Sequence[QueueItem]) -> QueueProgress:
    """Count an annotator's items."""
    return QueueProgress(
        queue=queue,
        annotator=annotator,
        total=len(items),
        rated=sum(item.rated for item in items),
        skipped=sum(item.skipped and not item.rated for item in items),
    )


def _assign(connection: Connection, queue: str, annotator: str, items: Sequence[Item]) -> None:
    rows = [
        {"queue": queue, "annotator": annotator, "position": i, **item.model_dump()} for i, item in enumerate(items)
    ]
    if rows:
        connection.execute(insert(schema.assignments), rows)
