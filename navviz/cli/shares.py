"""``navviz server shares``: what each visitor of a server has spent of their share of tokens, and
how it is renewed.
"""

from __future__ import annotations

from typing import Annotated

import typer

from navviz.cli.command import add_command
from navviz.cli.console import print_table
from navviz.cli.options import Format
from navviz.cli.output import Form, print_records

_Renew = Annotated[
    list[str] | None,
    typer.Option(
        "--renew", help="Give this account its whole share again; may be given repeatedly."
    ),
]


def register(app: typer.Typer) -> None:
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
