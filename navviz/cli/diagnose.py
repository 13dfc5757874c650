"""``navviz diagnose``: look for what is wrong with a run, a navigator or its figures, before
anybody believes them.
"""

from __future__ import annotations

import typer

from navviz.cli import (
    controls,
    influence,
    information,
    scan,
    show_context,
    slices,
    text_scores,
    verify,
)
from navviz.cli.output import new_group

_PARTS = (
    slices.register,
    scan.register,
    information.register,
    influence.register,
    text_scores.register,
    verify.register_stability,
    controls.register,
    verify.register,
    slices.register_meaning,
    show_context.register,
)
"""In the order of the help: first what asks one run, then what walks again."""


def register(app: typer.Typer) -> None:
    """Add the group with its commands."""
    group = new_group("Look for what is wrong with a run, a navigator or its figures.")
    for part in _PARTS:
        part(group)
    app.add_typer(group, name="diagnose")
