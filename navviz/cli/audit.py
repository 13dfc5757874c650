"""``navviz server audit``: what visitors of a server did."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from navviz.cli.command import add_command
from navviz.cli.console import print_table
from navviz.cli.options import Format
from navviz.cli.output import Form, print_records
from navviz.errors import SettingsError

_Since = Annotated[
    str | None, typer.Option("--since", help="Day or moment (UTC): 2026-11-22, 2026-11-22T14:00.")
]
_Visitor = Annotated[
    str | None, typer.Option("--visitor", help="This visitor alone, as the table names them.")
]
_Action = Annotated[
    str | None,
    typer.Option("--action", help="This action alone, as the table names it: 'came in'."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "audit",
        _audit,
        "Who came in, opened, ran, spent, stopped, exported and deleted on a server.",
        "navviz server audit --since 2026-11-22 --action exported",
        "navviz server audit --visitor annotator:ann --format json",
    )


def _audit(
    since: _Since = None,
    visitor: _Visitor = None,
    action: _Action = None,
    form: Format = Form.TABLE,
) -> None:
    from navviz.runs.audit import ACTIONS, AuditEntry, audit_log

    if action is not None and action not in ACTIONS:
        raise SettingsError(
            f"--action {action}: there is no such action; choose one of: {', '.join(ACTIONS)}."
        )
    entries = list(audit_log().entries(since=_moment(since), visitor=visitor, action=action))
    # a program gets no sentence, even where nothing was written
    if form is not Form.TABLE:
        records = [entry.model_dump(mode="json") for entry in entries]
        print_records(form, tuple(AuditEntry.model_fields), records, ())
        return
    if not entries:
        typer.echo("Nothing is logged; NavViz keeps an audit only as a server with a door.")
        return
    rows = []
    for entry in entries:
        figures = ", ".join(f"{name} {value}" for name, value in entry.figures.items())
        rows.append((entry.time, entry.visitor, entry.action, entry.object, figures))
    print_table(("time (UTC)", "visitor", "action", "object", "figures"), rows, [""] * len(rows))


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise SettingsError(
            f"--since {text}: is no day or moment; write 2026-11-22 or 2026-11-22T14:00."
        ) from error
    # the table prints UTC, so that a time without a zone is read as UTC
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
