"""``navviz schema``: the JSON Schema of one line of a trace file."""

from __future__ import annotations

import json

import typer

from navviz.cli.ending import with_exit_code
from navviz.records.trace_files import event_schema


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("schema", help="Print the JSON Schema of a trace file's lines (*.trace.jsonl).")(
        with_exit_code(_print_schema)
    )


def _print_schema() -> None:
    typer.echo(json.dumps(event_schema(), indent=2, ensure_ascii=False))
