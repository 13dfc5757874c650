"""``navviz shares``: what each visitor of a server has spent of their share of tokens, and how it
is renewed.
"""

from __future__ import annotations

from typing import Annotated

import typer

from navviz.cli.console import print_table
from navviz.cli.ending import with_exit_code

_Renew = Annotated[
    list[str] | None,
    typer.Option(
        "--renew", help="Give this account its whole share again; may be given repeatedly."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "shares",
        help="Tokens that visitors of a server have spent, and that are lent to their batches.",
    )(with_exit_code(_shares))


def _shares(renew: _Renew = None) -> None:
    from navviz.runner.ledger import ledger

    book = ledger()
    for name in renew or ():
        book.renew(name)
    rows = [
        (account.name, f"{account.spent:,}", f"{account.lent:,}") for account in book.standings()
    ]
    if not rows:
        typer.echo("No visitor has asked a model yet.")
        return
    print_table(("account", "spent", "lent"), rows, [""] * len(rows))
