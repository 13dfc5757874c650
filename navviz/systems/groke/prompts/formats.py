"""The five formats in which a view can be shown to a model."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from navviz.errors import SettingsError
from navviz.systems.groke import FORMATS, Format
from navviz.systems.groke.prompts.graphviz import render_graphviz
from navviz.systems.groke.prompts.grid import render_grid
from navviz.systems.groke.prompts.json_format import render_json
from navviz.systems.groke.prompts.textual import render_textual
from navviz.systems.groke.prompts.visible_area import View

_RENDERERS: dict[Format, Callable[[View], str]] = {
    "json": partial(render_json, coordinates=True),
    "json-optimised": render_json,
    "textual": render_textual,
    "graphviz": render_graphviz,
    "grid": render_grid,
}


def render(name: str, view: View) -> str:
    """Render the context exactly as it stands in the prompt.

    Raises
    ------
    SettingsError
        When there is no such format.
    """
    for format_name, renderer in _RENDERERS.items():
        if format_name == name:
            return renderer(view)
    raise SettingsError(f"There is no format {name!r}; choose one of {', '.join(FORMATS)}.")
