"""Queues: which items an annotator rates, in which order, and how far they got."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import pstdev
from typing import Literal

from sqlalchemy import Connection, RowMapping, and_, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from navviz.annotation import database as schema
from navviz.annotation.annotators import now
from navviz.annotation.database import Database
from navviz.annotation.gold import columns_of, is_item, item_of, with_gold
from navviz.annotation.records import Item, Queue, QueueEvent, QueueItem, QueueProgress, Task
from navviz.errors import InputError, StoreError

Order = Literal["listed", "random", "disagreement"]
Part = Literal["training", "gold", "main"]
PARTS: frozenset[Part] = frozenset({"training", "gold", "main"})

ORDERS: tuple[Order, ...] = ("listed", "random", "disagreement")

Outcome = tuple[float | None, float | None]
"""Success (0 or 1) and navigation error in m of one run of an episode."""


def disagreement(outcomes: Sequence[Outcome]) -> tuple[float, float]:
    """How far navigators disagree on an episode, to sort by."""
    successes = [success for success, _ in outcomes if success is not None]
    errors_m = [error_m for _, error_m in outcomes if error_m is not None]
    share = sum(successes) / len(successes) if len(successes) > 1 else 0.0
    spread_m = pstdev(errors_m) if len(errors_m) > 1 else 0.0
    return 4 * share * (1 - share), spread_m


def in_order(
    items: Sequence[Item],
    order: Order,
    *,
    seed: int = 0,
    outcomes: Mapping[str, Sequence[Outcome]] | None = None,
) -> list[Item]:
    """Sort the items of a queue."""
    if order == "random":
        return random.Random(seed).sample(list(items), len(items))  # noqa: S311 (no secret)
    if order == "listed":
        return list(items)
    ranks = {item: disagreement((outcomes or {}).get(item.episode, ())) for item in items}
    # `reverse` keeps the order of equals as listed
    return sorted(items, key=lambda item: ranks[item], reverse=True)


def sample(items: Sequence[Item], size: int, seed: int) -> list[Item]:
    """Draw a random sample without replacement; the same seed gives the same sample."""
    return random.Random(seed).sample(list(items), min(size, len(items)))  # noqa: S311 (no secret)


def deal(
    items: Sequence[Item], annotators: Sequence[str], overlap: float, seed: int
) -> dict[str, list[Item]]:
    """Items for each annotator: a share that all of them get, the others dealt out evenly.

    The shared items are chosen by `seed`; everybody keeps the order of `items`.
    """
    shared = set(sample(items, round(overlap * len(items)), seed))
    others = [item for item in items if item not in shared]
    dealt = {}
    for i, name in enumerate(annotators):
        # every n-th item and not a block: all parts have easy and hard stretches of the list
        mine = shared | set(others[i :: len(annotators)])
        dealt[name] = [item for item in items if item in mine]
    return dealt


_Q, _A, _R, _V = schema.queues.c, schema.assignments.c, schema.ratings.c, schema.queue_events.c

MOST_GUIDELINES = 20_000
"""Characters; an annotator reads them beside each item."""

_TRAINING = "training"
"""What stands as the part of an assignment that belongs to the training round."""


_RANK: tuple[Part, ...] = ("training", "main", "gold")


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """Where an annotator was given an item."""

    queues: tuple[str, ...] = ()
    part: Part = "main"


class Queues:
    """The tables of queues and assignments."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, queue: Queue) -> None:
        """Save a queue and deal its items; raises `InputError` for an empty one, `StoreError` for a
        taken name.
        """
        if not queue.items or not queue.name.strip():
            raise InputError(
                "the queue has no name or no items", "choose at least one episode", field="items"
            )
        dealt = deal(queue.items, queue.annotators, queue.overlap, queue.seed)
        try:
            with self._database.write() as connection:
                values = {
                    "name": queue.name,
                    "task": queue.task,
                    "settings": _settings(queue),
                    "created": now(),
                }
                connection.execute(insert(schema.queues).values(values))
                for name, items in dealt.items():
                    _assign(connection, queue.name, name, with_gold(queue, name, items))
        except IntegrityError as error:
            raise StoreError(
                f"There already is a queue called {queue.name}; choose another name."
            ) from error

    def delete(self, name: str, who: str = "") -> None:
        """Delete a queue; its ratings stay, and so does what was done to it."""
        with self._database.write() as connection:
            # in the same transaction: no queue goes without a line that says who did it
            _log(connection, name, who, "delete")
            connection.execute(delete(schema.assignments).where(_A.queue == name))
            connection.execute(delete(schema.queues).where(_Q.name == name))

    def all(self, annotator: str | None = None) -> list[Queue]:
        """All queues, or those that an annotator has a part in, in the order they were made."""
        with self._database.read() as connection:
            rows = connection.execute(
                select(_Q.settings, _Q.closed).order_by(_Q.created, _Q.name)
            ).mappings()
            queues = [_queue(row) for row in rows]
            assigned = select(_A.queue).where(_A.annotator == annotator).distinct()
            mine = set(connection.execute(assigned).scalars())
        if annotator is None:
            return queues
        # a queue without annotators is everybody's; parts may be handed over to others
        mine |= {q.name for q in queues if not q.annotators or annotator in q.annotators}
        return [q for q in queues if q.name in mine]

    def items(self, name: str, annotator: str) -> list[QueueItem]:
        """Return an annotator's items in order; somebody new gets all items of an open queue,
        nobody else gets any.
        """
        self._join(name, annotator)
        return self._entries(name, annotator).get(annotator, [])

    def everyone(self, name: str) -> dict[str, list[QueueItem]]:
        """Return everybody's items in order, by annotator; who has not come is not there."""
        return self._entries(name)

    def _entries(self, name: str, annotator: str | None = None) -> dict[str, list[QueueItem]]:
        # ratings belong to items and not to queues: what was rated in another queue counts here too
        same_item = and_(
            _R.dataset == _A.dataset,
            _R.episode == _A.episode,
            _R.run == _A.run,
            _R.annotator == _A.annotator,
        )
        query = (
            select(
                _A.annotator,
                _A.position,
                _A.dataset,
                _A.episode,
                _A.run,
                _A.skipped,
                _A.reason,
                _A.part,
                _R.value,
            )
            .join_from(schema.assignments, schema.queues)
            .outerjoin(schema.ratings, and_(same_item, _R.task == _Q.task))
            .where(_A.queue == name)
            .order_by(_A.annotator, _A.position)
        )
        if annotator is not None:
            query = query.where(_A.annotator == annotator)
        entries: dict[str, list[QueueItem]] = {}
        with self._database.read() as connection:
            for row in connection.execute(query).mappings():
                entries.setdefault(row["annotator"], []).append(_entry(row))
        return entries

    def _join(self, name: str, annotator: str) -> None:
        queue = self._get(name)
        with self._database.read() as connection:
            mine = select(func.count()).where(_A.queue == name, _A.annotator == annotator)
            joined = connection.execute(mine).scalar_one() > 0
        if joined or queue.annotators or queue.closed is not None:
            return  # whoever has a part reads it without waiting for those who write
        try:
            with self._database.write() as connection:
                _assign(connection, name, annotator, with_gold(queue, annotator, queue.items))
        except IntegrityError:
            return  # another window of the same annotator was quicker

    def skip(
        self,
        name: str,
        annotator: str,
        item: Item,
        *,
        skipped: bool = True,
        reason: str | None = None,
    ) -> None:
        """Mark an item as skipped, with the reason, or take that back."""
        mine = and_(_A.queue == name, _A.annotator == annotator)
        same = is_item(_A, item)
        with self._database.write() as connection:
            values = {"skipped": now() if skipped else None, "reason": reason if skipped else None}
            if (
                connection.execute(
                    update(schema.assignments).where(mine, same).values(values)
                ).rowcount
                == 0
            ):
                raise StoreError(
                    f"Episode {item.episode} is not in the queue {name} of {annotator}."
                )

    def progress(self, name: str) -> list[QueueProgress]:
        """How far everybody got who has items of the queue."""
        everyone = self.everyone(name).items()
        return [progress_of(name, annotator, entries) for annotator, entries in everyone]

    def placed(self) -> dict[tuple[Task, str, Item], QueuePlace]:
        """Return where each annotator was given an item, by task, annotator and item."""
        queues = {queue.name: queue for queue in self.all()}
        # items that stand in a queue for their known answer alone
        gold = {name: set(queue.gold) - set(queue.items) for name, queue in queues.items()}
        query = select(_A.queue, _A.annotator, _A.dataset, _A.episode, _A.run, _A.part)
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(_A.queue)).mappings().all()
        given: dict[tuple[Task, str, Item], QueuePlace] = {}
        for row in rows:
            # made or deleted since the queues were read
            if row["queue"] not in queues:
                continue
            item, queue = item_of(row), queues[row["queue"]]
            part: Part = "gold" if item in gold[queue.name] else "main"
            if row["part"] == _TRAINING:
                part = "training"
            key = queue.task, row["annotator"], item
            before = given.get(key)
            names = (*before.queues, queue.name) if before else (queue.name,)
            if before is not None:
                # an answer that was shown once is known; what was also asked for itself counts
                part = min(before.part, part, key=_RANK.index)
            given[key] = QueuePlace(names, part)
        return given

    # --- what a lead does to a queue that runs; each leaves a line in its history

    def hand_over(
        self, name: str, giver: str, taker: str, items: Sequence[Item], who: str
    ) -> list[Item]:
        """Move open items of one annotator to the end of another's part; returns those that moved.

        What the giver has rated or skipped stays with them, and so does what the taker already has.
        Raises `StoreError` where the queue is not there or everybody has all its items anyway.
        """
        if not self._get(name).annotators:
            raise StoreError(
                f"Everybody who comes gets all items of {name}; there is nothing to hand over."
            )
        entries = self.everyone(name)
        has = {entry.item for entry in entries.get(taker, [])}
        wanted = set(items) - has
        movable = [
            entry.item for entry in entries.get(giver, []) if (entry.is_open and not entry.training)
        ]
        moving = [item for item in movable if item in wanted]
        # behind all positions, which may have gaps where items were handed over
        first = max((entry.position for entry in entries.get(taker, [])), default=-1) + 1
        try:
            with self._database.write() as connection:
                # taken first, one by one: what somebody rates in this moment must not stand in two
                # parts
                moved = [item for item in moving if _take(connection, name, giver, item)]
                _assign(connection, name, taker, [(item, False) for item in moved], first)
                for item in moved:
                    _log(connection, name, who, "hand over", giver, item, f"to {taker}")
        except IntegrityError as error:  # another lead was quicker
            raise StoreError(
                f"The part of {taker} in {name} has just changed; try again."
            ) from error
        return moved

    def close(self, name: str, who: str, *, closed: bool = True) -> None:
        """Let nothing more be rated in a queue, or open it again; raises `StoreError` for one that
        is not there.
        """
        with self._database.write() as connection:
            values = {"closed": now() if closed else None}
            if (
                connection.execute(
                    update(schema.queues).where(_Q.name == name).values(values)
                ).rowcount
                == 0
            ):
                raise _missing(name)
            _log(connection, name, who, "close" if closed else "open")

    def guide(self, name: str, text: str, who: str) -> None:
        """Put other guidelines beside a queue's items; an empty text brings back those that come
        with NavViz.

        Raises `InputError` for a text of more than `MOST_GUIDELINES` characters, `StoreError` for a
        queue that is not there.
        """
        if len(text) > MOST_GUIDELINES:
            what = f"has {len(text):,} characters"
            raise InputError(what, f"write no more than {MOST_GUIDELINES:,}", field="guidelines")
        with self._database.write() as connection:
            # settings are one JSON text: of two leads who write at once, one would lose a change
            query = select(_Q.settings, _Q.closed).where(_Q.name == name).with_for_update()
            row = connection.execute(query).mappings().first()
            if row is None:
                raise _missing(name)
            settings = _settings(_queue(row).model_copy(update={"guidelines": text.strip()}))
            connection.execute(
                update(schema.queues).where(_Q.name == name).values(settings=settings)
            )
            _log(
                connection,
                name,
                who,
                "guidelines",
                note=f"{len(text.strip()):,} characters" if text.strip() else "",
            )

    def reopen(self, name: str, annotator: str, item: Item, who: str, note: str = "") -> None:
        """Let an annotator come to a skipped item again, and write down that the item was opened
        for them.

        A rating of it is taken back by `Ratings.reopen`.
        """
        self.skip(name, annotator, item, skipped=False)
        with self._database.write() as connection:
            _log(connection, name, who, "reopen", annotator, item, note)

    def see_done(self, name: str, who: str) -> None:
        """Write down that a researcher was told that a queue is done."""
        with self._database.write() as connection:
            _log(connection, name, who, "see done")

    def events(self, name: str) -> list[QueueEvent]:
        """Return what researchers did to a queue, oldest first."""
        query = select(schema.queue_events).where(_V.queue == name).order_by(_V.id)
        with self._database.read() as connection:
            return [_event(row) for row in connection.execute(query).mappings()]

    def stamp(self) -> tuple[int, ...]:
        """Return counts that change with every rating, skip, part and action of a researcher."""
        # ids and counts alone: every window asks each three seconds, and no rating is read for it
        counts = (
            select(func.coalesce(func.max(schema.edits.c.id), 0)).scalar_subquery(),
            select(func.coalesce(func.max(_V.id), 0)).scalar_subquery(),
            select(func.count()).select_from(schema.assignments).scalar_subquery(),
            select(func.count(_A.skipped)).scalar_subquery(),
            select(func.count()).select_from(schema.queues).scalar_subquery(),
        )
        with self._database.read() as connection:
            return tuple(connection.execute(select(*counts)).one())

    def _get(self, name: str) -> Queue:
        with self._database.read() as connection:
            row = (
                connection.execute(select(_Q.settings, _Q.closed).where(_Q.name == name))
                .mappings()
                .first()
            )
        if row is None:
            raise _missing(name)
        return _queue(row)


def progress_of(queue: str, annotator: str, items: Sequence[QueueItem]) -> QueueProgress:
    """Count an annotator's items."""
    return QueueProgress(
        queue=queue,
        annotator=annotator,
        total=len(items),
        rated=sum(item.rated for item in items),
        skipped=sum(item.skipped and not item.rated for item in items),
    )


def _settings(queue: Queue) -> str:
    return queue.model_dump_json(exclude={"closed"})


def _queue(row: RowMapping) -> Queue:
    closed = datetime.fromisoformat(row["closed"]) if row["closed"] is not None else None
    return Queue.model_validate_json(row["settings"]).model_copy(update={"closed": closed})


def _missing(name: str) -> StoreError:
    return StoreError(f"There is no queue called {name}; the researcher may have deleted it.")


def _entry(row: RowMapping) -> QueueItem:
    return QueueItem(
        position=row["position"],
        item=item_of(row),
        skipped=row["skipped"] is not None,
        reason=row["reason"],
        rated=row["value"] is not None,
        training=row["part"] == _TRAINING,
    )


def _take(connection: Connection, queue: str, annotator: str, item: Item) -> bool:
    """Take an item from an annotator; ``False`` where somebody else was quicker."""
    mine = and_(_A.queue == queue, _A.annotator == annotator, _A.skipped.is_(None))
    same = is_item(_A, item)
    return connection.execute(delete(schema.assignments).where(mine, same)).rowcount > 0


def _log(
    connection: Connection,
    queue: str,
    who: str,
    action: str,
    annotator: str = "",
    item: Item | None = None,
    note: str = "",
) -> None:
    fields = columns_of(item or Item(dataset="", episode=""))
    values = {
        "queue": queue,
        "who": who,
        "at": now(),
        "action": action,
        "annotator": annotator,
        "note": note,
        **fields,
    }
    connection.execute(insert(schema.queue_events).values(values))


def _event(row: RowMapping) -> QueueEvent:
    item = item_of(row)
    fields = {key: row[key] for key in ("queue", "who", "at", "action", "annotator", "note")}
    return QueueEvent.model_validate({**fields, "item": item if item.episode else None})


def _assign(
    connection: Connection,
    queue: str,
    annotator: str,
    items: Sequence[tuple[Item, bool]],
    first: int = 0,
) -> None:
    """Give items to an annotator, each with whether it belongs to the training round."""
    mine = {"queue": queue, "annotator": annotator}
    rows = []
    for i, (item, training) in enumerate(items, first):
        part = _TRAINING if training else ""
        rows.append({**mine, "position": i, "part": part, **columns_of(item)})
    if rows:
        connection.execute(insert(schema.assignments), rows)
