"""Tables of ratings, and texts of data in them."""

from __future__ import annotations

import csv
import io
import re
import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine

from navviz.annotation import database
from navviz.annotation.database import DATABASE_VERSION, check, set_up, version_of
from navviz.annotation.exchange import export, parse
from navviz.annotation.label_studio import interface
from navviz.annotation.records import Item, Navigability, Queue, Rating
from navviz.annotation.store import AnnotationStore
from navviz.annotation.taxonomy import bundled_taxonomy
from navviz.errors import InputError, StoreError
from tests.alphabets import EVERY_PAYLOAD
from tests.hostile import EVERYTHING

ITEM = "dataset TEXT!, episode TEXT!, run TEXT!"
TABLES = {
    "annotators": "name TEXT! pk1, token_salt TEXT, token_hash TEXT, created TEXT!, role TEXT! = 'annotator'",
    "assignments": f"queue TEXT! pk1 -> queues.name, annotator TEXT! pk2, position INTEGER! pk3, {ITEM}, "
    "skipped TEXT, reason TEXT, part TEXT! = ''",
    "claims": "id TEXT! pk1, content TEXT!, at TEXT!",
    "edits": "id INTEGER! pk1, rating INTEGER! -> ratings.id, revision INTEGER!, who TEXT!, at TEXT!, "
    "action TEXT!, before TEXT, after TEXT, seconds DOUBLE; unique rating revision; index who",
    "known_answers": "task TEXT! pk1, dataset TEXT! pk2, episode TEXT! pk3, run TEXT! pk4, value TEXT!, "
    "comment TEXT!, who TEXT!, at TEXT!",
    "meta": "key TEXT! pk1, value TEXT!",
    "queue_events": "id INTEGER! pk1, queue TEXT!, who TEXT!, at TEXT!, action TEXT!, annotator TEXT!, "
    f"{ITEM}, note TEXT!; index queue",
    "queues": "name TEXT! pk1, task TEXT!, settings TEXT!, created TEXT!, closed TEXT",
    "ratings": f"id INTEGER! pk1, {ITEM}, task TEXT!, annotator TEXT!, value TEXT, revision INTEGER!, "
    "created TEXT!, changed TEXT!, seconds DOUBLE; unique dataset episode run task annotator",
    "receipts": "id TEXT! pk1, annotator TEXT!, rating INTEGER -> ratings.id, revision INTEGER, at TEXT!",
}
"""Other tables need another `DATABASE_VERSION`."""


@pytest.fixture
def connection():
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def _rows(connection: Connection, query: str) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.exec_driver_sql(query).mappings()]


def _table(connection: Connection, name: str) -> str:
    links = {
        row["from"]: f" -> {row['table']}.{row['to']}"
        for row in _rows(connection, f"PRAGMA foreign_key_list({name})")
    }
    columns = [
        f"{row['name']} {row['type']}"
        + "!" * row["notnull"]
        + (f" pk{row['pk']}" if row["pk"] else "")
        + (f" = {row['dflt_value']}" if row["dflt_value"] is not None else "")
        + links.get(row["name"], "")
        for row in _rows(connection, f"PRAGMA table_info({name})")
    ]
    indexes = [
        f"; {'unique' if row['unique'] else 'index'} "
        + " ".join(one["name"] for one in _rows(connection, f"PRAGMA index_info({row['name']})"))
        for row in _rows(connection, f"PRAGMA index_list({name})")
        if row["origin"] != "pk"
    ]
    return ", ".join(columns) + "".join(sorted(indexes, reverse=True))


def _tables(connection: Connection) -> dict[str, str]:
    names = _rows(connection, "SELECT name FROM sqlite_master WHERE type = 'table'")
    return {row["name"]: _table(connection, row["name"]) for row in names}


def _meta(connection: Connection) -> dict[str, str]:
    return {row["key"]: row["value"] for row in _rows(connection, "SELECT key, value FROM meta")}


def test_an_empty_database_gets_the_tables_and_the_name_of_its_study(connection):
    set_up(connection)
    assert _tables(connection) == TABLES
    meta = _meta(connection)
    assert meta.keys() == {"study", "version"}
    assert meta["version"] == str(DATABASE_VERSION)
    assert re.fullmatch("[0-9a-f]{16}", meta["study"])
    set_up(connection)
    assert _meta(connection) == meta


def test_a_database_without_its_version_counts_as_empty(connection):
    assert version_of(connection) == 0
    connection.exec_driver_sql("CREATE TABLE meta (key TEXT, value TEXT)")
    connection.exec_driver_sql("INSERT INTO meta VALUES ('study', '7')")
    assert version_of(connection) == 0


@pytest.mark.parametrize(
    ("version", "says"),
    [
        (6, "has version 6, this NavViz reads 5; update NavViz."),
        (1, "has version 1, which was written before the first release; move the file away or"),
    ],
)
def test_another_version_is_refused_and_left_as_it_is(connection, version, says):
    connection.exec_driver_sql("CREATE TABLE meta (key TEXT, value TEXT)")
    connection.exec_driver_sql(f"INSERT INTO meta VALUES ('version', '{version}')")
    with pytest.raises(StoreError) as error:
        set_up(connection)
    assert str(error.value).startswith(f"The annotation database {says}")
    assert _meta(connection) == {"version": str(version)}
    check(DATABASE_VERSION)


@pytest.mark.parametrize(
    ("name", "lock"),
    [("postgresql", [("SELECT pg_advisory_xact_lock(:key)", {"key": 7_305_411})]), ("sqlite", [])],
    ids=["server", "file"],
)
def test_one_process_at_a_time_sets_a_team_s_database_up(monkeypatch, name, lock):
    """The key is frozen too: every NavViz that opens the database waits for the same lock."""
    monkeypatch.setattr(database, "version_of", lambda _: DATABASE_VERSION)
    executed: list[Any] = []
    set_up(
        SimpleNamespace(
            dialect=SimpleNamespace(name=name),
            execute=lambda query, values: executed.append((str(query), values)),
        )  # type: ignore[arg-type]
    )
    assert executed == lock


TEXTS = {text.strip(): text for text in EVERY_PAYLOAD}
"""By the name that begins and ends with no blank."""
ITEMS = [Item(dataset=name, episode=name, run=name) for name in TEXTS]
VALUES = [Navigability(navigable=True, comment=text) for text in TEXTS.values()]
AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_a_database_obeys_no_text(store: AnnotationStore) -> None:
    study = store.study()
    for item, value in zip(ITEMS, VALUES, strict=True):
        name = item.episode
        study.queues.create(Queue(name=name, task="navigability", items=(item,)))
        study.queues.guide(name, TEXTS[name], name)
        study.take_in(item, "fox", value)
        with pytest.raises(InputError, match="is no pseudonym"):
            study.take_in(item, f"x{name}", value)
    assert {queue.name for queue in study.queues.all()} == TEXTS.keys()
    kept = {rating.item: rating.value for rating in study.ratings()}
    assert kept == dict(zip(ITEMS, VALUES, strict=True))


def _ratings() -> list[Rating]:
    fields = {"task": "navigability", "revision": 1, "created": AT, "changed": AT}
    return [
        Rating(item=item, annotator=item.episode, value=value, **fields)
        for item, value in zip(ITEMS, VALUES, strict=True)
    ]


@pytest.mark.parametrize("form", ["csv", "jsonl", "label_studio"])
def test_a_file_of_ratings_brings_each_text_back(form: str) -> None:
    text = export(_ratings(), form, dict(zip(ITEMS, TEXTS.values(), strict=True)))
    if form == "csv":
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert not [cell for cell in cells if re.match(r"[=+\-@\t\r]", cell)]
    read, problems = parse(text, form)
    assert problems.count == 0
    assert [(each.item, each.value) for each in read] == list(zip(ITEMS, VALUES, strict=True))
    assert [each.annotator for each in read] == list(TEXTS)


def test_an_interface_obeys_no_text() -> None:
    taxonomy = bundled_taxonomy()
    first = taxonomy.dimensions[0].model_copy(update={"title": EVERYTHING})
    changed = taxonomy.model_copy(update={"dimensions": (first, *taxonomy.dimensions[1:])})
    names = [each.tag for each in ET.fromstring(interface(taxonomy)).iter()]
    read = [*ET.fromstring(interface(changed)).iter()]
    assert [each.tag for each in read] == names
    assert EVERYTHING.replace("\t", " ") in [
        each.get("hint", "").replace("\t", " ") for each in read
    ]
