"""``navviz diagnose``: look for what is wrong with a run, a navigator or its figures, before
anybody believes them.
"""

from __future__ import annotations

import typer

from navviz.cli import (
    controls,
    influence,
    meaning,
    scan,
    show_context,
    slices,
    stability,
    verify,
)
from navviz.cli.command import new_group

_PARTS = (slices, scan, influence, stability, controls, verify, meaning, show_context)
"""In the order of the help: first what asks one run, then what walks again."""


def register(app: typer.Typer) -> None:
    """Add the group with its commands."""
    group = new_group("Look for what is wrong with a run, a navigator or its figures.")
    for part in _PARTS:
        part.register(group)
    app.add_typer(group, name="diagnose")
