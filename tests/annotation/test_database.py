"""How the annotation database is opened and locked, and the sentence for each way in which it
fails.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, IntegrityError, InvalidRequestError, OperationalError

from navviz.annotation import database as migrations
from navviz.annotation.database import Database
from navviz.errors import SettingsError, StoreError

TEAM = "postgresql+psycopg://fox:hush@host/team"
SAFE = "what was saved before is safe, try again when it is back"


@pytest.fixture
def database(tmp_path):
    database = Database(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    yield database
    database.close()


@pytest.fixture
def team(monkeypatch):
    """A database at an address where nobody listens."""
    monkeypatch.setattr(Database, "_set_up", lambda _: None)
    return Database(TEAM)


def _told(database: Database, error: Exception) -> str:
    with pytest.raises(StoreError) as refusal, database._explained():
        raise error
    assert refusal.value.__cause__ is error
    return str(refusal.value).removeprefix(database.name)


@pytest.mark.parametrize(
    ("cause", "message"),
    [
        ("attempt to write a READONLY database",
         "is read-only; make the file and its folder writable, or set NAVVIZ_DB to another database"),
        ("database or disk is full", "has no room left on its disk; free some space and save again"),
        ("could not extend file: No space left on device",
         "has no room left on its disk; free some space and save again"),
        ("database is locked", "is held by another program; close that program or try again"),
        ("unable to open database file", "cannot be opened; check that the folder exists and is writable"),
        ("file is not a database", "is no NavViz database; move the file away or set NAVVIZ_DB to another one"),
        ("database disk image is malformed",
         "is damaged; restore a copy of the file, nothing more is written to this one"),
        ("disk I/O error", "cannot be read or written (disk error); check the disk and try again"),
        (" no such table: x\n(more) ", "could not be read or written (no such table: x)"),
        ("cannot connect", "could not be read or written (cannot connect)"),
        ("", "could not be read or written (OperationalError)"),
    ],
)  # fmt: skip
def test_each_fault_of_a_file_is_a_sentence(database, cause, message):
    assert _told(database, sqlite3.OperationalError(cause)) == f" {message}."
    if cause:
        assert _told(database, OperationalError("SELECT 1", {}, Exception(cause))) == f" {message}."


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OperationalError("SELECT 1", {}, Exception("Connection refused\nIs it running?")),
         f"cannot be reached (Connection refused); {SAFE}"),
        (OperationalError("SELECT 1", {}, Exception("failed to resolve host 'h': name not known")),
         f"cannot be reached (failed to resolve host 'h': name not known); {SAFE}"),
        (DBAPIError("SELECT 1", {}, Exception("server closed it"), connection_invalidated=True),
         f"cannot be reached (server closed it); {SAFE}"),
        (DBAPIError("SELECT 1", {}, Exception("deadlock detected")), "could not be read or written (deadlock detected)"),
        (InvalidRequestError("connect twice"), "could not be read or written (connect twice)"),
    ],
)  # fmt: skip
def test_a_database_elsewhere_may_be_out_of_reach(team, error, message):
    assert team.name == "postgresql+psycopg://fox:***@host/team"
    assert _told(team, error) == f" {message}."


def test_other_errors_pass_through(database):
    for error in (IntegrityError("INSERT", {}, Exception("UNIQUE")), ValueError("mine")):
        with pytest.raises(type(error)) as passed, database.write():
            raise error
        assert passed.value is error


def _arguments(database: Database) -> dict[str, Any]:
    """What the driver is told when a connection is made."""
    values: dict[str, Any] = {}

    @event.listens_for(database._engine, "do_connect")
    def connect(_dialect: Any, _record: Any, _arguments: Any, named: dict[str, Any]) -> None:
        values.update(named)
        raise sqlite3.OperationalError("enough")

    database.close()
    with pytest.raises(StoreError, match="enough"), database.read():
        pass
    return values


def test_how_long_one_waits(database, team):
    assert _arguments(database)["timeout"] == 60
    assert _arguments(team)["connect_timeout"] == 10
    assert team._engine.pool._pre_ping
    assert not team.is_sqlite
    assert database.is_sqlite


def test_a_file_waits_for_the_disk_and_holds_its_links(database, tmp_path):
    assert database.name == str(tmp_path / "a.sqlite3")
    with database.read() as connection:
        values = [connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("journal_mode", "synchronous", "foreign_keys")]  # fmt: skip
        assert values == ["wal", 2, 1]
        assert migrations.version_of(connection) == migrations.DATABASE_VERSION


def _writes(path: Path) -> bool:
    """Whether another program may write now."""
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as other:
        try:
            other.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        return True


def test_a_writer_holds_the_file_from_its_first_moment_and_a_reader_never(database, tmp_path):
    with database.read() as connection:
        connection.exec_driver_sql("SELECT * FROM meta")
        assert _writes(tmp_path / "a.sqlite3")
    with database.write() as connection:
        assert not _writes(tmp_path / "a.sqlite3")
        connection.exec_driver_sql("INSERT INTO meta (key, value) VALUES ('x', '1')")
    assert _writes(tmp_path / "a.sqlite3")


def test_a_reader_sees_one_state(database):
    count = "SELECT COUNT(*) FROM meta"
    with database.read() as reader:
        before = reader.exec_driver_sql(count).scalar()
        with database.write() as writer:
            writer.exec_driver_sql("INSERT INTO meta (key, value) VALUES ('x', '1')")
        assert reader.exec_driver_sql(count).scalar() == before
    with database.read() as reader:
        assert reader.exec_driver_sql(count).scalar() == before + 1


def _stop_within(database: Database) -> None:
    with database.write() as connection:
        connection.exec_driver_sql("INSERT INTO meta (key, value) VALUES ('x', '1')")
        raise ValueError("stop")


def test_a_transaction_that_fails_leaves_nothing(database):
    with pytest.raises(ValueError, match="stop"):
        _stop_within(database)
    with database.read() as connection:
        assert connection.exec_driver_sql("SELECT COUNT(*) FROM meta WHERE key = 'x'").scalar() == 0


def test_a_file_of_a_later_version_is_closed_again(database, monkeypatch):
    closed: list[Database] = []

    def close(self: Database) -> None:
        closed.append(self)

    monkeypatch.setattr(Database, "close", close)
    with database.write() as connection:
        connection.exec_driver_sql("UPDATE meta SET value = '99' WHERE key = 'version'")
    with pytest.raises(StoreError, match="version 99"):
        Database(str(database._url))
    assert len(closed) == 1
    monkeypatch.undo()
    closed[0].close()


def test_folders_are_made_and_one_that_cannot_be_is_named(tmp_path, monkeypatch):
    file = tmp_path / "new" / "folder" / "a.sqlite3"
    Database(f"sqlite:///{file}").close()
    Database(f"sqlite:///file:{file}?mode=rw&uri=true").close()
    assert file.is_file()
    monkeypatch.chdir(tmp_path)
    Database(f"sqlite:///file:{file}?mode=rw&uri=true").close()
    assert [one.name for one in tmp_path.iterdir()] == ["new"]
    with pytest.raises(StoreError) as error:
        Database(f"sqlite:///{file / 'b' / 'c.sqlite3'}")
    assert (
        str(error.value)
        == f"{file / 'b' / 'c.sqlite3'} cannot be made (Not a directory); choose another folder."
    )


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("nonsense", "is no database URL; use sqlite:///FILE or postgresql+psycopg://..."),
        ("oracle+no://x", "is no database URL; use sqlite:///FILE or postgresql+psycopg://..."),
        ("mysql://x/y", "must be sqlite:///FILE or postgresql+psycopg://USER:PASSWORD@HOST/NAME."),
        ("sqlite://", "must be sqlite:///FILE or postgresql+psycopg://USER:PASSWORD@HOST/NAME."),
    ],
    ids=["no address", "no dialect", "another server", "no file"],
)
def test_addresses_that_are_none(url, message):
    with pytest.raises(SettingsError) as error:
        Database(url)
    assert str(error.value) == f"NAVVIZ_DB {message}"
