"""Two or more studies become one: every change of every rating once, in the order of their times.

The result is what the studies hold together, as sets. So it is the same in whatever order they
come, and a study that comes twice changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, select, text

from navviz.annotation import database as schema
from navviz.annotation.database import Database
from navviz.errors import InputError
from navviz.records import Record
from navviz.support.guarded import parse_json

Row = dict[str, Any]

_ITEM = ("dataset", "episode", "run")
_RATING = (*_ITEM, "task", "annotator")
_EDIT = ("at", "who", "action", "after", "seconds")
"""What makes a change the same one in two studies."""

_LISTS = ("items", "annotators", "training", "gold")
"""Settings of a queue that are put together; the others are those of the older queue."""


class MergeConflict(Record):
    """Something that two studies say otherwise."""

    what: str
    """Whose answer to which task, or a setting of a queue."""
    episode: str = ""
    first: str
    second: str
    stands: str
    """The later answer; the history of a rating keeps both."""


@dataclass(slots=True)
class _Content:
    """What a study holds, by what tells its parts apart."""

    people: dict[str, Row] = field(default_factory=dict)
    edits: dict[tuple[str, ...], dict[tuple[Any, ...], Row]] = field(default_factory=dict)
    """Changes of each rating."""
    queues: dict[str, Row] = field(default_factory=dict)
    parts: dict[tuple[str, str], list[Row]] = field(default_factory=dict)
    """Assignments of each queue and annotator."""
    events: dict[str, Row] = field(default_factory=dict)
    answers: dict[tuple[str, ...], Row] = field(default_factory=dict)
    claims: dict[str, Row] = field(default_factory=dict)


def _rows(connection: Connection, table: Table) -> list[Row]:
    query = select(table).order_by(*table.primary_key.columns)
    return [dict(row) for row in connection.execute(query).mappings()]


def _key(row: Mapping[str, Any], names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(row[name] for name in names)


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def _content(connection: Connection) -> _Content:
    content = _Content(people={row["name"]: row for row in _rows(connection, schema.annotators)})
    ratings = {row["id"]: row for row in _rows(connection, schema.ratings)}
    for row in _rows(connection, schema.edits):
        changes = content.edits.setdefault(_key(ratings[row["rating"]], _RATING), {})
        changes[_key(row, _EDIT)] = row
    content.queues = {row["name"]: row for row in _rows(connection, schema.queues)}
    for row in _rows(connection, schema.assignments):
        content.parts.setdefault((row["queue"], row["annotator"]), []).append(row)
    for row in _rows(connection, schema.queue_events):
        del row["id"]
        content.events[_text(row)] = row
    for row in _rows(connection, schema.known_answers):
        content.answers[_key(row, ("task", *_ITEM))] = row
    content.claims = {row["id"]: row for row in _rows(connection, schema.claims)}
    return content


def merge(target: Database, others: Iterable[Database]) -> list[MergeConflict]:
    """Put what the others hold into a study, all or nothing; returns what they say otherwise.

    Tokens and roles are those of the target: nobody gets in by what another server gave out.
    Raises `InputError` where two queues of one name ask for different tasks.
    """
    conflicts: list[MergeConflict] = []
    with target.write() as connection:
        if connection.dialect.name == "postgresql":
            # a rating that is saved meanwhile waits, and is saved behind the merged ones
            for table in _WRITTEN:
                connection.execute(text(f"LOCK TABLE {table.name} IN EXCLUSIVE MODE"))
        whole = _content(connection)
        for other in others:
            with other.read() as read:
                _add(whole, _content(read), conflicts)
        _write(connection, whole)
    return conflicts


def _add(whole: _Content, more: _Content, conflicts: list[MergeConflict]) -> None:
    for name, row in more.people.items():
        stranger = {"name": name, "role": "annotator", "token_salt": None, "token_hash": None}
        there = whole.people.get(name, {**stranger, "created": row["created"]})
        whole.people[name] = {**there, "created": min(there["created"], row["created"])}
    for key, changes in more.edits.items():
        known = whole.edits.setdefault(key, {})
        _note(conflicts, key, [list(known.values()), list(changes.values())])
        # the row of the target goes before: its number is known to the windows that made it
        strange = {mark: {**row, "rating": None} for mark, row in changes.items()}
        whole.edits[key] = strange | known
    for name, row in more.queues.items():
        whole.queues[name] = _queue(whole.queues.get(name, row), row, conflicts)
    for pair, part in more.parts.items():
        whole.parts[pair] = _part(whole.parts.get(pair, part), part)
    whole.events |= more.events
    for answer, row in more.answers.items():
        there = whole.answers.get(answer, row)
        if there["value"] != row["value"]:
            sides = [[dict.fromkeys(_EDIT) | one | {"after": one["value"]}] for one in (there, row)]
            _note(conflicts, (*answer[1:], answer[0], "@known"), sides)
        whole.answers[answer] = max(there, row, key=lambda one: (one["at"], _text(one)))
    for claim, row in more.claims.items():
        there = whole.claims.get(claim, row)
        whole.claims[claim] = min(there, row, key=lambda one: (one["at"], one["content"]))


def _ordered(changes: Iterable[Row]) -> list[Row]:
    return sorted(changes, key=lambda row: (row["at"], _text(_key(row, _EDIT))))


def _note(conflicts: list[MergeConflict], key: Sequence[str], sides: Sequence[list[Row]]) -> None:
    """Note where both sides went on by themselves, and came to different answers."""
    if not all(sides):
        return
    marks = [{(row["at"], row["who"], row["after"]) for row in side} for side in sides]
    last = [_ordered(side)[-1] for side in sides]
    if marks[0] <= marks[1] or marks[1] <= marks[0] or last[0]["after"] == last[1]["after"]:
        return
    texts = [f"{_said(row['after'])} ({row['at'][:19]}, {row['who']})" for row in last]
    stands = texts[last.index(_ordered(last)[-1])]
    _, episode, _, task, annotator = key
    what = f"{task} by {annotator}"
    conflict = MergeConflict(
        what=what, episode=episode, first=texts[0], second=texts[1], stands=stands
    )
    conflicts.append(conflict)


def _said(value: str | None) -> str:
    """Return an answer in one line, without what is empty."""
    if value is None:
        return "taken back"
    fields = parse_json(value, "")
    parts = []
    for name, cell in fields.items():
        if (name != "task" and cell not in (None, "", [], False)) or name == "navigable":
            parts.append(f"{name}: {cell if isinstance(cell, str) else _text(cell)}")
    return ", ".join(parts)


def _queue(here: Row, there: Row, conflicts: list[MergeConflict]) -> Row:
    """Put two queues of one name together: the lists of both, all else of the older one."""
    if here["task"] != there["task"]:
        what = f"{here['name']} is a queue of {here['task']} here, of {there['task']} there"
        raise InputError(what, "give one of them another name, as a new queue, and merge again")
    settings = [parse_json(row["settings"], "") for row in (here, there)]
    ages = []
    for row, own in zip((here, there), settings, strict=True):
        bare = {name: value for name, value in own.items() if name not in _LISTS}
        ages.append((row["created"], _text(bare)))
    merged = dict(settings[ages.index(min(ages))])
    for name, value in merged.items():
        first, second = (own.get(name) for own in settings)
        if first == second:
            continue
        if name in _LISTS:
            every = {_text(each): each for each in (*(first or ()), *(second or ()))}
            # nobody's order: that of the texts is the same whoever comes first
            merged[name] = [every[each] for each in sorted(every)]
            continue
        texts = {"first": str(first), "second": str(second), "stands": str(value)}
        conflicts.append(MergeConflict(what=f"{name} of the queue {here['name']}", **texts))
    return {
        **here,
        "settings": json.dumps(merged, separators=(",", ":"), ensure_ascii=False),
        "created": min(here["created"], there["created"]),
        "closed": max(here["closed"] or "", there["closed"] or "") or None,
    }


def _part(here: list[Row], there: list[Row]) -> list[Row]:
    """Put two parts of one annotator in one queue together."""
    both: dict[tuple[str, ...], Row] = {}
    for row in (*here, *there):
        item = _key(row, _ITEM)
        before = both.get(item, row)
        skip = max(before, row, key=lambda one: (one["skipped"] or "", one["reason"] or ""))
        skipped = {name: skip[name] for name in ("skipped", "reason")}
        both[item] = {**before, **skipped, "part": max(before["part"], row["part"])}
    places = [[(row["position"], _key(row, _ITEM)) for row in part] for part in (here, there)]
    if places[0] == places[1]:
        return list(both.values())
    # training comes first
    ordered = sorted(both.values(), key=lambda row: (not row["part"], _key(row, _ITEM)))
    return [{**row, "position": i} for i, row in enumerate(ordered)]


_WRITTEN = [each for each in schema.meta.metadata.sorted_tables if each is not schema.meta]
"""Tables that are written anew, those first that others point at."""

_COUNTED = (schema.ratings, schema.edits, schema.queue_events)


def _write(connection: Connection, whole: _Content) -> None:
    """Write a study anew, each row at its place in the order of times."""
    events = sorted(whole.events.values(), key=lambda row: (row["at"], _text(row)))
    for row in events:
        # whoever closed or opened a queue last is right
        queue = whole.queues.get(row["queue"])
        if queue is not None and row["action"] in {"close", "open"}:
            kept = queue["closed"] or row["at"]
            queue["is_closed"] = kept if row["action"] == "close" else None
    queues = []
    for name in sorted(whole.queues):
        row = whole.queues[name]
        row["closed"] = row.pop("is_closed", row["closed"])
        queues.append(row)
    numbers, ratings, edits = _numbered(whole)
    receipts = []
    for row in _rows(connection, schema.receipts):
        rating, revision = numbers.get((row["rating"], row["revision"]), (None, None))
        receipts.append({**row, "rating": rating, "revision": revision})
    parts = []
    for pair in sorted(whole.parts):
        parts += whole.parts[pair]
    rows = {
        schema.annotators: [whole.people[name] for name in sorted(whole.people)],
        schema.queues: queues,
        schema.assignments: parts,
        schema.queue_events: [{"id": i, **row} for i, row in enumerate(events, 1)],
        schema.known_answers: [whole.answers[key] for key in sorted(whole.answers)],
        schema.claims: [whole.claims[key] for key in sorted(whole.claims)],
        schema.ratings: ratings,
        schema.edits: edits,
        schema.receipts: receipts,
    }
    for table in reversed(_WRITTEN):
        connection.execute(delete(table))
    for table in _WRITTEN:
        if rows[table]:
            connection.execute(insert(table), rows[table])
        # PostgreSQL counts by itself, and has not seen these numbers
        if connection.dialect.name == "postgresql" and rows[table] and table in _COUNTED:
            last = {"table": table.name, "last": len(rows[table])}
            connection.execute(
                text("SELECT setval(pg_get_serial_sequence(:table, 'id'), :last)"), last
            )


_Numbers = dict[tuple[Any, Any], tuple[int, int]]


def _numbered(whole: _Content) -> tuple[_Numbers, list[Row], list[Row]]:
    """Return ratings and changes with their numbers, and the new ones by those of the target."""
    histories = [(key, _ordered(changes.values())) for key, changes in whole.edits.items()]
    histories.sort(key=lambda history: (history[1][0]["at"], history[0]))
    numbers: _Numbers = {}
    ratings, edits = [], []
    for number, (key, changes) in enumerate(histories, 1):
        before, taken = None, []
        for revision, row in enumerate(changes, 1):
            if row["rating"] is not None:
                numbers[row["rating"], row["revision"]] = number, revision
            edits.append({**row, "rating": number, "revision": revision, "before": before})
            before = row["after"]
            taken += [row["seconds"]] if row["seconds"] is not None else []
        ends = {"created": changes[0]["at"], "changed": changes[-1]["at"]}
        own = {"id": number, "value": before, "revision": len(changes), **ends}
        seconds = sum(taken) if taken else None
        ratings.append({**dict(zip(_RATING, key, strict=True)), **own, "seconds": seconds})
    edits.sort(key=lambda row: (row["at"], row["rating"], row["revision"]))
    return numbers, ratings, [{**row, "id": i} for i, row in enumerate(edits, 1)]
