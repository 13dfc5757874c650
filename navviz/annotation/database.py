"""One SQL database, on SQLite or PostgreSQL: opening, transactions, and errors that a user
understands.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Double,
    Engine,
    ForeignKey,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    event,
    inspect,
    text,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
    SQLAlchemyError,
)

from navviz.errors import SettingsError, StoreError
from navviz.support.installation.extras import needs_extra

_LOCK = 7_305_411
"""Key of the advisory lock that lets one process at a time set up a PostgreSQL database."""


def version_of(connection: Connection) -> int:
    """Version of an open database; 0 for an empty one.

    Raises `StoreError` where it is another program's file, or its version is damaged; nothing is
    written into it.
    """
    inspector = inspect(connection)
    tables = set(inspector.get_table_names())
    if "meta" in tables and {"key", "value"} <= {
        column["name"] for column in inspector.get_columns("meta")
    }:
        version = connection.execute(text("SELECT value FROM meta WHERE key = 'version'")).scalar()
        if version is not None:
            try:
                return int(str(version))
            except ValueError as error:
                what = f"The annotation database has a damaged version ({str(version)[:40]!r})"
                raise StoreError(
                    f"{what}; restore a copy of the file, nothing is written to this one."
                ) from error
    # a PostgreSQL database may hold tables of other programs; a file is one program's
    if connection.dialect.name == "sqlite" and tables - {"meta"}:
        raise StoreError(
            "This is no NavViz database; move the file away or set NAVVIZ_DB to another one."
        )
    return 0


def set_up(connection: Connection) -> None:
    """Give an empty database its tables, inside the transaction of `connection`."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    # read again within the lock: another process may have made the tables meanwhile
    version = version_of(connection)
    check(version)
    if version:
        return
    _tables.create_all(connection)
    connection.execute(text("DELETE FROM meta WHERE key IN ('version', 'study')"))
    # the name is drawn once, so that copies of a file keep the name of their study
    for key, value in (("study", secrets.token_hex(8)), ("version", str(DATABASE_VERSION))):
        connection.execute(meta.insert(), {"key": key, "value": value})


def check(version: int) -> None:
    """Refuse a database of another version; 0 is an empty one."""
    if version > DATABASE_VERSION:
        raise StoreError(
            f"The annotation database has version {version}, this NavViz reads"
            f" {DATABASE_VERSION}; update NavViz."
        )
    if 0 < version < DATABASE_VERSION:
        raise StoreError(
            f"The annotation database has version {version}, which was written before the first"
            " release; move the file away or set NAVVIZ_DB to another one."
        )


DATABASE_VERSION = 5
"""Changes with the tables; the first release has 5."""

_WAIT_S = 60
"""How long a writer waits for the others before it gives up."""

_HELP = {
    "readonly": (
        "is read-only; make the file and its folder writable, or set NAVVIZ_DB to another database"
    ),
    "full": "has no room left on its disk; free some space and save again",
    "locked": "is held by another program; close that program or try again",
    "unable to open": "cannot be opened; check that the folder exists and is writable",
    "not a database": "is no NavViz database; move the file away or set NAVVIZ_DB to another one",
    "malformed": "is damaged; restore a copy of the file, nothing more is written to this one",
    "i/o error": "cannot be read or written (disk error); check the disk and try again",
}


class Database:
    """An open annotation database.

    Raises `SettingsError` where the URL is no such URL; `StoreError` where the database cannot be
    opened, or belongs to another version of NavViz.
    """

    def __init__(self, url: str) -> None:
        self._url = _checked(url)
        self.name = (
            (self._url.database or "")
            if self.is_sqlite
            else self._url.render_as_string(hide_password=True)
        )
        self._engine = self._open()
        try:
            self._set_up()
        except StoreError:
            # an engine that nobody holds would keep its file open, which Windows cannot move away
            # then
            self.close()
            raise

    @property
    def is_sqlite(self) -> bool:
        """Whether it is one file."""
        return self._url.get_backend_name() == "sqlite"

    def _open(self) -> Engine:
        if not self.is_sqlite:
            with needs_extra("postgres"):
                return create_engine(
                    # a server that was started again has dropped the pooled connections
                    self._url,
                    pool_pre_ping=True,
                    connect_args={"connect_timeout": 10},
                )
        name = self._url.database or ""
        try:
            # SQLite makes a missing file, but no missing folder
            Path(name.removeprefix("file:")).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"{self.name} cannot be made ({error.strerror}); choose another folder."
            ) from error
        engine = create_engine(self._url, connect_args={"timeout": _WAIT_S})
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine

    def _set_up(self) -> None:
        with self.read() as connection:
            version = version_of(connection)
        check(version)
        if version:
            return
        if self.is_sqlite:
            with self._explained(), closing(self._engine.raw_connection()) as connection:
                # kept in the file; not within a transaction
                connection.cursor().execute("PRAGMA journal_mode=WAL")
        with self.write() as connection:
            set_up(connection)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a connection that sees one state of the database."""
        with self._explained(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a transaction: all of it is saved, or nothing. `IntegrityError` passes through."""
        engine = self._engine.execution_options(navviz_write=True)
        with self._explained(), engine.begin() as connection:
            yield connection

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        # callers know which name is taken, and say so better
        except IntegrityError:
            raise
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise StoreError(f"{self.name} {self._explanation(error)}.") from error

    def _explanation(self, error: SQLAlchemyError | sqlite3.Error) -> str:
        cause = str(error.orig if isinstance(error, DBAPIError) else error).strip()
        lower = cause.lower()
        for sign, words in _HELP.items():
            if sign in lower:
                return words
        if "no space left" in lower:
            return _HELP["full"]
        first = cause.splitlines()[0] if cause else type(error).__name__
        if (
            not self.is_sqlite
            and isinstance(error, DBAPIError)
            and (error.connection_invalidated or "connect" in lower or "resolve host" in lower)
        ):
            return (
                f"cannot be reached ({first}); what was saved before is safe, try again when it is"
                " back"
            )
        return f"could not be read or written ({first})"

    def close(self) -> None:
        """Close all connections; they are opened again when needed."""
        self._engine.dispose()


def _checked(url: str) -> URL:
    try:
        parsed = make_url(url)
        is_supported = parsed.get_dialect() is not None and parsed.get_backend_name() in {
            "sqlite",
            "postgresql",
        }
    except (ArgumentError, NoSuchModuleError) as error:
        raise SettingsError(
            "NAVVIZ_DB is no database URL; use sqlite:///FILE or postgresql+psycopg://..."
        ) from error
    if not is_supported or (parsed.get_backend_name() == "sqlite" and not parsed.database):
        raise SettingsError(
            "NAVVIZ_DB must be sqlite:///FILE or postgresql+psycopg://USER:PASSWORD@HOST/NAME."
        )
    return parsed


def _prepare_sqlite(connection: sqlite3.Connection, _record: Any) -> None:  # noqa: ANN401 (SQLAlchemy's own type)
    connection.isolation_level = None  # SQLAlchemy begins transactions, see _begin_sqlite
    # in WAL mode NORMAL could lose the last ratings with the power
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _begin_sqlite(connection: Connection) -> None:
    """Take the write lock at once: a reader that becomes a writer later could only fail."""
    writes = connection.get_execution_options().get("navviz_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


_tables = MetaData()

meta = Table(
    "meta", _tables, Column("key", Text, primary_key=True), Column("value", Text, nullable=False)
)

annotators = Table(
    "annotators",
    _tables,
    Column("name", Text, primary_key=True),
    Column("token_salt", Text),
    Column("token_hash", Text),
    Column("created", Text, nullable=False),
    Column("role", Text, nullable=False, server_default="annotator"),
)

ratings = Table(
    "ratings",
    _tables,
    Column("id", Integer, primary_key=True),
    Column("dataset", Text, nullable=False),
    Column("episode", Text, nullable=False),
    Column("run", Text, nullable=False),
    Column("task", Text, nullable=False),
    Column("annotator", Text, nullable=False),
    Column("value", Text),
    Column("revision", Integer, nullable=False),
    Column("created", Text, nullable=False),
    Column("changed", Text, nullable=False),
    Column("seconds", Double),
    # an empty run stands for none: NULLs differ from each other in a unique constraint
    UniqueConstraint("dataset", "episode", "run", "task", "annotator"),
)

edits = Table(
    "edits",
    _tables,
    Column("id", Integer, primary_key=True),
    Column("rating", Integer, ForeignKey("ratings.id"), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("who", Text, nullable=False, index=True),
    Column("at", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("before", Text),
    Column("after", Text),
    Column("seconds", Double),
    UniqueConstraint("rating", "revision"),
)

receipts = Table(
    "receipts",
    _tables,
    Column("id", Text, primary_key=True),
    Column("annotator", Text, nullable=False),
    Column("rating", Integer, ForeignKey("ratings.id")),
    Column("revision", Integer),
    Column("at", Text, nullable=False),
)

queues = Table(
    "queues",
    _tables,
    Column("name", Text, primary_key=True),
    Column("task", Text, nullable=False),
    Column("settings", Text, nullable=False),
    Column("created", Text, nullable=False),
    Column("closed", Text),
)

assignments = Table(
    "assignments",
    _tables,
    Column("queue", Text, ForeignKey("queues.name"), primary_key=True),
    Column("annotator", Text, primary_key=True),
    # a position is given by the queue, and drawn by no database
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("dataset", Text, nullable=False),
    Column("episode", Text, nullable=False),
    Column("run", Text, nullable=False),
    Column("skipped", Text),
    Column("reason", Text),
    Column("part", Text, nullable=False, server_default=""),
)

queue_events = Table(
    "queue_events",
    _tables,
    Column("id", Integer, primary_key=True),
    Column("queue", Text, nullable=False, index=True),
    Column("who", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("annotator", Text, nullable=False),
    Column("dataset", Text, nullable=False),
    Column("episode", Text, nullable=False),
    Column("run", Text, nullable=False),
    Column("note", Text, nullable=False),
)

known_answers = Table(
    "known_answers",
    _tables,
    Column("task", Text, primary_key=True),
    Column("dataset", Text, primary_key=True),
    Column("episode", Text, primary_key=True),
    Column("run", Text, primary_key=True),
    Column("value", Text, nullable=False),
    Column("comment", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("at", Text, nullable=False),
)

claims = Table(
    "claims",
    _tables,
    Column("id", Text, primary_key=True),
    Column("content", Text, nullable=False),
    Column("at", Text, nullable=False),
)
