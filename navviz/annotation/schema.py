"""Tables of the annotation database as they are today; `navviz.annotation.migrations` says how they
came to be.

Times are ISO 8601 text in UTC, values are JSON text: the same on SQLite and on PostgreSQL.
"""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Integer, MetaData, Table, Text

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
    Column("role", Text, nullable=False),
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
    Column("seconds", Float),
)

edits = Table(
    "edits",
    _tables,
    Column("id", Integer, primary_key=True),
    Column("rating", Integer, ForeignKey("ratings.id"), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("who", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("before", Text),
    Column("after", Text),
    Column("seconds", Float),
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
    Column("position", Integer, primary_key=True),
    Column("dataset", Text, nullable=False),
    Column("episode", Text, nullable=False),
    Column("run", Text, nullable=False),
    Column("skipped", Text),
    Column("reason", Text),
    Column("part", Text, nullable=False),
)

queue_events = Table(
    "queue_events",
    _tables,
    Column("id", Integer, primary_key=True),
    Column("queue", Text, nullable=False),
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
