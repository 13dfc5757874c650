"""One SQL database, on SQLite or PostgreSQL: opening, transactions, and errors that a user
understands.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
    SQLAlchemyError,
)

from navviz.annotation import migrations
from navviz.errors import SettingsError, StoreError
from navviz.support.installation.extras import needs_extra

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
    """An open annotation database, brought up to the newest version.

    Parameters
    ----------
    url
        ``sqlite:///FILE`` or ``postgresql+psycopg://USER:PASSWORD@HOST/NAME``.

    Raises
    ------
    SettingsError
        The URL is no such URL.
    StoreError
        The database cannot be opened, or belongs to a later NavViz.
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
            self._bring_up()
        except StoreError:
            # an engine that nobody holds would keep its file open, which Windows cannot move away
            # then
            self.close()
            raise

    def _bring_up(self) -> None:
        with self.read() as connection:
            version = migrations.version_of(connection)
        migrations.check(version)
        if version < migrations.DATABASE_VERSION:
            self._upgrade()

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

    def _upgrade(self) -> None:
        if self.is_sqlite:
            with self._explained(), closing(self._engine.raw_connection()) as connection:
                # kept in the file; not within a transaction
                connection.cursor().execute("PRAGMA journal_mode=WAL")
        with self.write() as connection:
            migrations.upgrade(connection)

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
        for sign, text in _HELP.items():
            if sign in lower:
                return text
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
