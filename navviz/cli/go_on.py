"""``navviz go-on``: go on with a batch where it was paused, stopped or cut off, wherever it was
begun.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from navviz.cli.ending import with_exit_code
from navviz.cli.walked import AgainChoice, walk_and_report

_Folder = Annotated[
    Path, typer.Argument(help="Folder of the run, as the app or `navviz run` made it.")
]
_Pilot = Annotated[
    int,
    typer.Option(
        "--pilot", min=0, help="Walk so many episodes only, and tell what the rest costs."
    ),
]
_Again = Annotated[
    AgainChoice,
    typer.Option(
        "--again",
        help="Episodes that changed since the run walked them: refuse, or walk those again.",
    ),
]
_Json = Annotated[
    bool, typer.Option("--json", help="The last line is one JSON object with the metrics.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "go-on",
        help="Go on with a batch that the app or `navviz run` began; nothing is walked twice.",
    )(with_exit_code(_go_on))


def _go_on(
    folder: _Folder,
    pilot: _Pilot = 0,
    again: _Again = AgainChoice.REFUSE,
    *,
    as_json: _Json = False,
) -> None:
    from navviz.runner.batches import Batch

    walk_and_report(Batch.at(folder), pilot=pilot, again=again.value, as_json=as_json)
