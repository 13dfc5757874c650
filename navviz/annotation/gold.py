"""Known answers: items that a researcher has settled beforehand, to train annotators and to check
them unseen.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import RowMapping, delete, insert, select

from navviz.annotation import schema
from navviz.annotation.annotators import now
from navviz.annotation.database import Database
from navviz.annotation.item_columns import columns_of, is_item, item_of
from navviz.annotation.records import (
    CauseVerdict,
    Difficulty,
    Edit,
    Failures,
    Follow,
    Item,
    Mentions,
    Navigability,
    Queue,
    QueueItem,
    Skills,
    Task,
    Value,
    value_adapter,
)
from navviz.metrics.extraction import normal_name
from navviz.records import Record

TOLERANCE = 1
"""How far a rating of difficulty may be from the known one on each axis."""
_K = schema.known_answers.c


class KnownAnswer(Record):
    """The answer that a researcher holds right for one item."""

    item: Item
    task: Task
    value: Value
    comment: str = ""
    """Why; annotators read it in the training round."""
    who: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Checked:
    """How often an annotator's answers were the known ones."""

    training_right: int = 0
    training: int = 0
    gold_right: int = 0
    gold: int = 0


class KnownAnswers:
    """The table of known answers; an annotator sees one only after their own answer in the training
    round.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, item: Item, value: Value, comment: str, who: str) -> None:
        """Save the known answer of an item, over the one before."""
        values = {
            **columns_of(item),
            "task": value.task,
            "value": value.model_dump_json(),
            "comment": comment,
        }
        # delete and insert: SQLAlchemy's upserts are of one dialect each
        with self._database.write() as connection:
            connection.execute(
                delete(schema.known_answers).where(is_item(_K, item), _K.task == value.task)
            )
            connection.execute(insert(schema.known_answers).values(**values, who=who, at=now()))

    def remove(self, item: Item, task: Task) -> None:
        """Forget the known answer of an item."""
        with self._database.write() as connection:
            connection.execute(
                delete(schema.known_answers).where(is_item(_K, item), _K.task == task)
            )

    def all(self, task: Task) -> dict[Item, KnownAnswer]:
        """Return the known answers of a task, in the order they were given."""
        query = select(schema.known_answers).where(_K.task == task).order_by(_K.at, _K.episode)
        with self._database.read() as connection:
            answers = [_answer(row) for row in connection.execute(query).mappings()]
        return {answer.item: answer for answer in answers}


def _answer(row: RowMapping) -> KnownAnswer:
    return KnownAnswer(
        item=item_of(row),
        task=row["task"],
        value=value_adapter.validate_json(row["value"]),
        comment=row["comment"],
        who=row["who"],
        at=row["at"],
    )


def is_right(given: Value, answer: Value) -> bool:
    """Whether an answer is the known one; confidence and comments do not count.

    Difficulty may differ by `TOLERANCE` on each axis. Labels, mentions and skills are compared as
    sets.
    """
    if isinstance(given, Difficulty) and isinstance(answer, Difficulty):
        return all(abs(a - b) <= TOLERANCE for a, b in zip(given.axes, answer.axes, strict=True))
    # answers of two tasks may have the same essence, such as True
    return type(given) is type(answer) and essence(given) == essence(answer)


def essence(value: Value) -> Hashable:
    """Return what of a rating is compared: the answer without confidence, comment and notes."""
    answer: Hashable = None
    match value:
        case Navigability():
            answer = value.navigable
        case Follow():
            answer = value.success
        case Difficulty():
            answer = value.axes
        case Failures():
            answer = value.codes
        case Mentions():
            answer = _names(value)
        case Skills():
            answer = frozenset((label.step, label.skill) for label in value.labels)
        case CauseVerdict():
            answer = value.answer
    return answer


def _names(value: Mentions) -> frozenset[str]:
    return frozenset(normal_name(mention.text) for mention in value.mentions)


def with_gold(queue: Queue, annotator: str, items: Sequence[Item]) -> list[tuple[Item, bool]]:
    """Put together an annotator's part: training items first, then their items with gold items
    among them.

    Which gold items and where is drawn by the queue's seed and the annotator's name, so that two
    annotators cannot find them by comparing.

    Returns
    -------
    Items in order, each with whether it belongs to the training round.
    """
    training = dict.fromkeys(queue.training)
    own = [item for item in items if item not in training]
    # nobody gets an item twice
    taken = {*training, *own}
    spare = [item for item in dict.fromkeys(queue.gold) if item not in taken]
    # seeded by a text, whose hash is the same in every process
    dice = random.Random(f"{queue.seed}:{queue.name}:{annotator}")  # noqa: S311 (no secret is made of it)
    # the share is one of the whole part: n gold items among m own make n / (n + m)
    count = min(len(spare), round(queue.gold_share * len(own) / (1 - queue.gold_share)))
    for item in dice.sample(spare, count):
        own.insert(dice.randint(0, len(own)), item)
    return [(item, True) for item in training] + [(item, False) for item in own]


def checked(
    entries: Mapping[str, Sequence[QueueItem]],
    edits: Iterable[Edit],
    answers: Mapping[Item, KnownAnswer],
) -> dict[str, Checked]:
    """Compare everybody's first answers with the known ones, by annotator.

    The first answer counts, since after it a training item shows the right answer.
    """
    first: dict[tuple[str, Item], Value] = {}
    for edit in edits:
        if edit.action == "save" and edit.after is not None and edit.item in answers:
            # edits come in their order, so that the first one stays
            first.setdefault((edit.annotator, edit.item), edit.after)
    return {name: _checked(name, part, first, answers) for name, part in entries.items()}


def _checked(
    name: str,
    part: Sequence[QueueItem],
    first: Mapping[tuple[str, Item], Value],
    answers: Mapping[Item, KnownAnswer],
) -> Checked:
    trained, unseen = [], []
    for entry in part:
        given = first.get((name, entry.item))
        if given is None or entry.item not in answers:
            continue
        right = is_right(given, answers[entry.item].value)
        if entry.training:
            trained.append(right)
        else:
            unseen.append(right)
    return Checked(sum(trained), len(trained), sum(unseen), len(unseen))
