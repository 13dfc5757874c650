"""Known answers: items that a researcher has settled beforehand, to train annotators and to check
them unseen.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pydantic import ValidationError
from sqlalchemy import ColumnElement, RowMapping, and_, delete, insert, select

from navviz.annotation import database as schema
from navviz.annotation.annotators import now
from navviz.annotation.database import Database
from navviz.annotation.records import (
    AXES,
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
from navviz.annotation.taxonomy import Taxonomy
from navviz.errors import InputError
from navviz.formats.texts import as_list, as_mapping, id_text
from navviz.metrics.extraction import normal_name
from navviz.records import Record
from navviz.support.guarded import as_typed, csv_table, parse_json

_BETWEEN = "\x1f"
"""The unit separator of ASCII, which stands in no run's name."""


def columns_of(item: Item) -> dict[str, str]:
    """Return the columns of an item by name."""
    # without a claim the column is what the first version wrote
    run = f"{item.run}{_BETWEEN}{item.claim}" if item.claim else item.run
    return {"dataset": item.dataset, "episode": item.episode, "run": run}


def item_of(row: Mapping[str, Any] | RowMapping) -> Item:
    """Return the item of a row."""
    run, _, claim = row["run"].partition(_BETWEEN)
    return Item(dataset=row["dataset"], episode=row["episode"], run=run, claim=claim)


def is_item(
    columns: Any,  # noqa: ANN401 - a table's columns, which SQLAlchemy does not type by name
    item: Item,
) -> ColumnElement[bool]:
    """Return the condition that a row is about an item."""
    wanted = columns_of(item)
    return and_(*(columns[name] == value for name, value in wanted.items()))


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
    """The table of known answers; an annotator sees one after their own training answer."""

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
            answer = frozenset(normal_name(mention.text) for mention in value.mentions)
        case Skills():
            answer = frozenset((label.step, label.skill) for label in value.labels)
        case CauseVerdict():
            answer = value.answer
    return answer


def with_gold(queue: Queue, annotator: str, items: Sequence[Item]) -> list[tuple[Item, bool]]:
    """Put together an annotator's part: training items first, then their items with gold items
    among them.

    Which gold items and where is drawn by the queue's seed and the annotator's name, so that two
    annotators cannot find them by comparing.
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


_YES: Final = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class KnownRow:
    """One row that gives an answer."""

    item: Item
    value: Value
    comment: str


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """One row that gives none, with the reason."""

    row: str
    """As one finds it: ``row 3``."""
    episode: str
    reason: str

    def __str__(self) -> str:
        """Return the row, its episode and the reason in one line."""
        of = f", episode {self.episode}" if self.episode else ""
        return f"{self.row}{of}: {self.reason}"


def read_known(
    text: str, task: Task, items: Iterable[Item], taxonomy: Taxonomy, file: str = "the text"
) -> tuple[list[KnownRow], list[RefusedRow]]:
    """Read known answers.

    Raises `InputError` where the text is neither a table with a column ``episode`` nor JSON.
    """
    # by episode and claim alone: a table written by hand names neither data set nor run
    by_key = {(item.episode, item.claim): item for item in items}
    good: list[KnownRow] = []
    refused: list[RefusedRow] = []
    first: dict[Item, str] = {}
    for where, row in _rows(text, file):
        episode, claim = id_text(_cell(row, "episode")), _cell(row, "claim")
        item = by_key.get((episode, claim))
        fault = _misplaced(task, episode, claim, item, first)
        if fault is None and item is not None:
            try:
                value = _value(row, task, taxonomy)
            except InputError as error:
                fault = error.problem.what
            except ValueError as error:
                fault = str(error)
            else:
                good.append(KnownRow(item, value, _cell(row, "comment")))
                # only a good row counts: the faulty one before it must not refuse its correction
                first[item] = where
        if fault is not None:
            refused.append(RefusedRow(where, episode, fault))
    return good, refused


def _rows(text: str, file: str) -> Iterator[tuple[str, Row]]:
    """Yield each row with its name."""
    if text.lstrip()[:1] in {"[", "{"}:
        yield from _json_rows(text, file)
        return
    # spreadsheets put a byte order mark before the first column
    header = text.lstrip("\ufeff").partition("\n")[0]
    # what is copied out of a spreadsheet has tabs
    separator = "\t" if "\t" in header else ","
    columns, rows = csv_table(text, file, separator=separator)
    if "episode" not in columns:
        raise InputError("lacks the column episode", "name it in the first row", file=file)
    for number, cells in rows:
        # spreadsheets export empty rows below a table
        if any(cells.values()):
            yield f"row {number}", cells


def _json_rows(text: str, file: str) -> Iterator[tuple[str, Row]]:
    raw = parse_json(text, file)
    if isinstance(raw, dict):
        for number, (episode, answer) in enumerate(raw.items(), start=1):
            fields = answer if isinstance(answer, dict) else {"answer": answer}
            yield f"entry {number}", {**fields, "episode": episode}
        return
    for number, row in enumerate(as_list(raw), start=1):
        yield f"entry {number}", as_mapping(row)


def _cell(row: Row, name: str) -> str:
    cell = row.get(name)
    return "" if cell is None else str(cell).strip()


def _misplaced(
    task: Task, episode: str, claim: str, item: Item | None, first: Mapping[Item, str]
) -> str | None:
    """Say why a row belongs to no item; ``None`` where it belongs to one."""
    if not episode:
        return "it names no episode"
    if task == "cause" and not claim:
        return "it names no claim; an export of verdicts has them in the column claim"
    if item is None:
        return f"the open run has no such {'claim' if claim else 'episode'}"
    return f"{first[item]} has an answer to it already" if item in first else None


def _value(row: Row, task: Task, taxonomy: Taxonomy) -> Value:
    """Return the answer of a row; raises `ValueError` with the reason."""
    whole = row.get("value")
    fields: dict[str, Any] = {}
    if whole:
        raw = parse_json(whole, "value") if isinstance(whole, str) else whole
        if isinstance(raw, dict):
            # the comment of an export is one annotator's; the reason has a column of its own
            fields = {**raw, "comment": ""}
    else:
        fields = _fields(row, task, taxonomy)
    try:
        value = value_adapter.validate_python({"task": task, **fields})
    except ValidationError as error:
        wrong = error.errors()[0]
        name = ".".join(str(part) for part in wrong["loc"][1:])
        raise ValueError(f"{name or 'answer'}: {wrong['msg'].lower()}") from error
    if value.task != task:
        raise ValueError(f"its answer is of the task {value.task}")
    return value


def _fields(row: Row, task: Task, taxonomy: Taxonomy) -> dict[str, Any]:
    """Return the fields of an answer in words."""
    answer = _cell(row, "answer") or _cell(row, "navigable") or _cell(row, "codes")
    if task == "navigability":
        if answer.lower() not in _YES:
            raise ValueError(f"{answer[:40]!r} is neither yes nor no")
        return {"navigable": _YES[answer.lower()]}
    if task == "difficulty":
        # three numbers in one cell, or a column for each axis
        levels = answer.replace(",", " ").split() or [_cell(row, axis) for axis in AXES]
        if len(levels) != len(AXES) or not all(levels):
            raise ValueError(f"an answer has three levels ({', '.join(AXES)})")
        return dict(zip(AXES, map(as_typed, levels), strict=True))
    if task == "cause":
        return {"answer": answer.lower()}
    if task != "failure":
        raise ValueError("answers of this task need a column value, as an export writes it")
    codes = answer.replace(",", " ").split()
    defined = {label.code for label in taxonomy.labels()}
    unknown = [code for code in codes if code not in defined]
    if unknown:
        raise ValueError(f"{unknown[0][:40]} is no code of {taxonomy.name}")
    labels = [{"code": code} for code in codes]
    return {"taxonomy": taxonomy.name, "taxonomy_version": taxonomy.version, "labels": labels}
