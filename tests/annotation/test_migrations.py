"""What the database of each version looks like; a step that was released never changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine

from navviz.annotation import database
from navviz.annotation.database import DATABASE_VERSION, check, upgrade, version_of
from navviz.errors import StoreError

ITEM = "dataset TEXT!, episode TEXT!, run TEXT!"
RATING = f"id INTEGER! pk1, {ITEM}, task TEXT!, annotator TEXT!, value TEXT, revision INTEGER!, created TEXT!, "
EDIT = "id INTEGER! pk1, rating INTEGER! -> ratings.id, revision INTEGER!, who TEXT!, at TEXT!, action TEXT!, "
PART = f"queue TEXT! pk1 -> queues.name, annotator TEXT! pk2, position INTEGER! pk3, {ITEM}, skipped TEXT"
ANNOTATOR = "name TEXT! pk1, token_salt TEXT, token_hash TEXT, created TEXT!"
QUEUE = "name TEXT! pk1, task TEXT!, settings TEXT!, created TEXT!"
FIRST = {
    "annotators": ANNOTATOR,
    "edits": f"{EDIT}before TEXT, after TEXT; unique rating revision; index who",
    "meta": "key TEXT! pk1, value TEXT!",
    "ratings": f"{RATING}changed TEXT!; unique dataset episode run task annotator",
}
SECOND = {
    **FIRST,
    "annotators": f"{ANNOTATOR}, role TEXT! = 'annotator'",
    "assignments": PART,
    "queues": QUEUE,
}
THIRD = {
    **SECOND,
    "assignments": f"{PART}, reason TEXT",
    "edits": f"{EDIT}before TEXT, after TEXT, seconds DOUBLE PRECISION; unique rating revision; index who",
    "ratings": f"{RATING}changed TEXT!, seconds DOUBLE PRECISION; unique dataset episode run task annotator",
    "receipts": "id TEXT! pk1, annotator TEXT!, rating INTEGER -> ratings.id, revision INTEGER, at TEXT!",
}
FOURTH = {
    **THIRD,
    "assignments": f"{PART}, reason TEXT, part TEXT! = ''",
    "known_answers": "task TEXT! pk1, dataset TEXT! pk2, episode TEXT! pk3, run TEXT! pk4, value TEXT!, comment TEXT!, "
    "who TEXT!, at TEXT!",
    "queue_events": "id INTEGER! pk1, queue TEXT!, who TEXT!, at TEXT!, action TEXT!, annotator TEXT!, "
    f"{ITEM}, note TEXT!; index queue",
    "queues": f"{QUEUE}, closed TEXT",
}
FIFTH = {**FOURTH, "claims": "id TEXT! pk1, content TEXT!, at TEXT!"}
VERSIONS = (FIRST, SECOND, THIRD, FOURTH, FIFTH)


@pytest.fixture
def connection() -> Iterator[Connection]:
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


def test_each_version_looks_as_it_did_when_it_was_released(connection: Connection) -> None:
    assert len(VERSIONS) == DATABASE_VERSION
    for version, step in zip(VERSIONS, database._STEPS, strict=True):
        step(connection)
        assert _tables(connection) == version


def test_the_tables_of_today_are_those_of_the_newest_version(connection: Connection) -> None:
    """Named in the code as they stand in the database; SQLite alone keeps their defaults."""
    upgrade(connection)
    mine = {
        table.name: [(one.name, one.nullable) for one in table.columns]
        for table in database.meta.metadata.tables.values()
    }
    theirs = {name: [(row["name"], not row["notnull"]) for row in _rows(connection, f"PRAGMA table_info({name})")]
              for name in mine}  # fmt: skip
    assert {name: sorted(columns) for name, columns in theirs.items()} == {
        name: sorted(columns) for name, columns in mine.items()
    }


@pytest.mark.parametrize("start", range(DATABASE_VERSION))
def test_a_database_of_any_version_is_brought_up(connection: Connection, start: int) -> None:
    for step in database._STEPS[:start]:
        step(connection)
    if start:
        connection.exec_driver_sql(f"INSERT INTO meta (key, value) VALUES ('version', '{start}')")
    assert version_of(connection) == start
    upgrade(connection)
    assert _tables(connection) == FIFTH
    meta = _meta(connection)
    assert meta.keys() == {"study", "version"}
    assert meta["version"] == str(DATABASE_VERSION)
    assert re.fullmatch("[0-9a-f]{16}", meta["study"])
    upgrade(connection)
    assert _meta(connection) == meta


def test_a_database_without_its_version_counts_as_empty(connection: Connection) -> None:
    assert version_of(connection) == 0
    connection.exec_driver_sql("CREATE TABLE meta (key TEXT, value TEXT)")
    connection.exec_driver_sql("INSERT INTO meta VALUES ('study', '7')")
    assert version_of(connection) == 0


def test_a_later_version_is_refused_and_left_as_it_is(connection: Connection) -> None:
    connection.exec_driver_sql("CREATE TABLE meta (key TEXT, value TEXT)")
    connection.exec_driver_sql(f"INSERT INTO meta VALUES ('version', '{DATABASE_VERSION + 1}')")
    with pytest.raises(StoreError) as error:
        upgrade(connection)
    assert str(error.value) == (
        "The annotation database has version 6, this NavViz reads up to 5; update NavViz."
    )
    assert _meta(connection) == {"version": "6"}
    check(DATABASE_VERSION)


@pytest.mark.parametrize(
    ("name", "lock"),
    [("postgresql", [("SELECT pg_advisory_xact_lock(:key)", {"key": 7_305_411})]), ("sqlite", [])],
    ids=["server", "file"],
)
def test_one_process_at_a_time_brings_a_team_s_database_up(
    monkeypatch: pytest.MonkeyPatch, name: str, lock: list[Any]
) -> None:
    """The key is frozen too: every NavViz that opens the database waits for the same lock."""
    monkeypatch.setattr(database, "version_of", lambda _: DATABASE_VERSION)
    executed: list[Any] = []
    upgrade(
        SimpleNamespace(
            dialect=SimpleNamespace(name=name),
            execute=lambda query, values: executed.append((str(query), values)),
        )  # type: ignore[arg-type]
    )
    assert executed == lock
