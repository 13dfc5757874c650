"""``navviz server``: what the visitors of a server did and spent; for its operator."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from navviz.cli.options import Format
from navviz.cli.output import Form, add_command, new_group, print_records, print_table
from navviz.errors import SettingsError

_Renew = Annotated[
    list[str] | None,
    typer.Option(
        "--renew", help="Give this account its whole share again; may be given repeatedly."
    ),
]


def register_shares(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "shares",
        _shares,
        "Tokens that visitors of a server have spent, and that are lent to their batches.",
        "navviz server shares",
        "navviz server shares --renew annotator:ann",
    )


def _shares(renew: _Renew = None, form: Format = Form.TABLE) -> None:
    from navviz.runner.ledger import ledger

    book = ledger()
    # first, so that the table shows the accounts as they are then
    for name in renew or ():
        book.renew(name)
    if form is not Form.TABLE:
        records = []
        for account in book.standings():
            records.append({"account": account.name, "spent": account.spent, "lent": account.lent})
        print_records(form, ("account", "spent", "lent"), records, ())
        return
    rows = [
        (account.name, f"{account.spent:,}", f"{account.lent:,}") for account in book.standings()
    ]
    if not rows:
        typer.echo("No visitor has asked a model yet.")
        return
    print_table(("account", "spent", "lent"), rows, [""] * len(rows))


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


def register_audit(app: typer.Typer) -> None:
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


def register(app: typer.Typer) -> None:
    """Add the group with its commands."""
    server = new_group("Look at what visitors of a server did and spent.")
    register_audit(server)
    register_shares(server)
    app.add_typer(server, name="server")
