"""Versions of the annotation database, and the steps from one to the next.

A step is frozen once it was released: it says what its version looked like, whatever
`navviz.annotation.schema` looks like today. Files of every older version are brought up when they
are opened; newer ones are refused.

Not alembic: a few steps forward need none of its branches, downgrades and scripts, and databases
that carry their version in ``meta`` would have to be stamped anew; it takes 0.4 s to import before
the first rating can be saved.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    inspect,
    text,
)

from navviz.errors import StoreError

_LOCK = 7_305_411
"""Key of the advisory lock that lets one process at a time migrate a PostgreSQL database."""


def version_of(connection: Connection) -> int:
    """Version of an open database; 0 for an empty one.

    Raises
    ------
    StoreError
        It is another program's file, or its version is damaged; nothing is written into it.
    """
    inspector = inspect(connection)
    tables = set(inspector.get_table_names())
    if "meta" in tables and {"key", "value"} <= {
        column["name"] for column in inspector.get_columns("meta")
    }:
        version = connection.execute(text("SELECT value FROM meta WHERE key = 'version'")).scalar()
        if version is not None:
            return _number(version)
    # a PostgreSQL database may hold tables of other programs; a file is one program's
    if connection.dialect.name == "sqlite" and tables - {"meta"}:
        raise StoreError(
            "This is no NavViz database; move the file away or set NAVVIZ_DB to another one."
        )
    return 0


def _number(version: object) -> int:
    try:
        return int(str(version))
    except ValueError as error:
        what = f"The annotation database has a damaged version ({str(version)[:40]!r})"
        raise StoreError(
            f"{what}; restore a copy of the file, nothing is written to this one."
        ) from error


def upgrade(connection: Connection) -> None:
    """Bring a database up to `DATABASE_VERSION` inside the transaction of `connection`."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    # read again within the lock: another process may have migrated it meanwhile
    version = version_of(connection)
    check(version)
    for step in _STEPS[version:]:
        step(connection)
    if version < DATABASE_VERSION:
        connection.execute(text("DELETE FROM meta WHERE key = 'version'"))
        insert = text("INSERT INTO meta (key, value) VALUES ('version', :version)")
        connection.execute(insert, {"version": str(DATABASE_VERSION)})


def check(version: int) -> None:
    """Refuse a database of a later NavViz."""
    if version > DATABASE_VERSION:
        raise StoreError(
            f"The annotation database has version {version}, this NavViz reads up to"
            f" {DATABASE_VERSION}; update NavViz."
        )


def _to_1(connection: Connection) -> None:
    """Annotators, ratings and their history."""
    tables = MetaData()
    Table(
        "meta", tables, Column("key", Text, primary_key=True), Column("value", Text, nullable=False)
    )
    Table(
        "annotators",
        tables,
        Column("name", Text, primary_key=True),
        Column("token_salt", Text),
        Column("token_hash", Text),
        Column("created", Text, nullable=False),
    )
    # an empty run stands for none: NULLs differ from each other in a unique constraint
    names = ("dataset", "episode", "run", "task", "annotator")
    key = [Column(name, Text, nullable=False) for name in names]
    Table(
        "ratings",
        tables,
        Column("id", Integer, primary_key=True),
        *key,
        Column("value", Text),
        Column("revision", Integer, nullable=False),
        Column("created", Text, nullable=False),
        Column("changed", Text, nullable=False),
        UniqueConstraint(*names),
    )
    Table(
        "edits",
        tables,
        Column("id", Integer, primary_key=True),
        Column("rating", Integer, ForeignKey("ratings.id"), nullable=False),
        Column("revision", Integer, nullable=False),
        Column("who", Text, nullable=False, index=True),
        Column("at", Text, nullable=False),
        Column("action", Text, nullable=False),
        Column("before", Text),
        Column("after", Text),
        UniqueConstraint("rating", "revision"),
    )
    tables.create_all(connection)


def _to_2(connection: Connection) -> None:
    """Queues, and roles of annotators."""
    connection.execute(
        text("ALTER TABLE annotators ADD COLUMN role TEXT NOT NULL DEFAULT 'annotator'")
    )
    tables = MetaData()
    Table(
        "queues",
        tables,
        Column("name", Text, primary_key=True),
        Column("task", Text, nullable=False),
        Column("settings", Text, nullable=False),
        Column("created", Text, nullable=False),
    )
    Table(
        "assignments",
        tables,
        Column("queue", Text, ForeignKey("queues.name"), primary_key=True),
        Column("annotator", Text, primary_key=True),
        # a position is given by the queue, and drawn by no database
        Column("position", Integer, primary_key=True, autoincrement=False),
        Column("dataset", Text, nullable=False),
        Column("episode", Text, nullable=False),
        Column("run", Text, nullable=False),
        Column("skipped", Text),
    )
    tables.create_all(connection)


def _to_3(connection: Connection) -> None:
    """Time per item, reasons for skipping, receipts of what windows sent, and a name that tells
    studies apart.
    """
    connection.execute(text("ALTER TABLE ratings ADD COLUMN seconds DOUBLE PRECISION"))
    connection.execute(text("ALTER TABLE edits ADD COLUMN seconds DOUBLE PRECISION"))
    connection.execute(text("ALTER TABLE assignments ADD COLUMN reason TEXT"))
    tables = MetaData()
    # known here for the foreign key alone; the table is there and is not made again
    Table("ratings", tables, Column("id", Integer, primary_key=True))
    receipts = Table(
        "receipts",
        tables,
        Column("id", Text, primary_key=True),
        Column("annotator", Text, nullable=False),
        Column("rating", Integer, ForeignKey("ratings.id")),
        Column("revision", Integer),
        Column("at", Text, nullable=False),
    )
    receipts.create(connection)
    # drawn once, so that copies of a file keep the name of their study
    name = text("INSERT INTO meta (key, value) VALUES ('study', :name)")
    connection.execute(name, {"name": secrets.token_hex(8)})


def _to_4(connection: Connection) -> None:
    """Queues that are closed, what a lead did to them, training items, and known answers."""
    connection.execute(text("ALTER TABLE queues ADD COLUMN closed TEXT"))
    connection.execute(text("ALTER TABLE assignments ADD COLUMN part TEXT NOT NULL DEFAULT ''"))
    tables = MetaData()
    item = ("dataset", "episode", "run")
    Table(
        "queue_events",
        tables,
        Column("id", Integer, primary_key=True),
        Column("queue", Text, nullable=False, index=True),
        Column("who", Text, nullable=False),
        Column("at", Text, nullable=False),
        Column("action", Text, nullable=False),
        Column("annotator", Text, nullable=False),
        *(Column(name, Text, nullable=False) for name in item),
        Column("note", Text, nullable=False),
    )
    Table(
        "known_answers",
        tables,
        *(Column(name, Text, primary_key=True) for name in ("task", *item)),
        Column("value", Text, nullable=False),
        Column("comment", Text, nullable=False),
        Column("who", Text, nullable=False),
        Column("at", Text, nullable=False),
    )
    tables.create_all(connection)


def _to_5(connection: Connection) -> None:
    """Causes that annotators judge."""
    tables = MetaData()
    claims = Table(
        "claims",
        tables,
        Column("id", Text, primary_key=True),
        Column("content", Text, nullable=False),
        Column("at", Text, nullable=False),
    )
    claims.create(connection)


_STEPS: tuple[Callable[[Connection], None], ...] = (_to_1, _to_2, _to_3, _to_4, _to_5)
DATABASE_VERSION = len(_STEPS)
