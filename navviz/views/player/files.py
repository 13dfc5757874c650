"""Leaflet's own files, from the PyPI package that carries them, and the player's, in the order they are loaded.

Nothing is fetched from a network, and no third-party JavaScript is copied into the repository.
"""

from __future__ import annotations

import base64
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from navviz.errors import NavVizError
from navviz.installation.files import assets_dir

__all__ = ["ASSETS", "leaflet_css", "leaflet_js", "player_css", "player_js"]

ASSETS = assets_dir()

PLAYER_FILES = (
    "player_text.js",
    "player_panels.js",
    "player_panes.js",
    "player_timeline.js",
    "player_head.js",
    "player_address.js",
    "player.js",
    "player_map.js",
    "player_map_point.js",
    "player_scene.js",
    "player_indoor.js",
)
"""Plain scripts that share one scope."""

_INDOOR_FILES = frozenset({"player_scene.js", "player_indoor.js"})
"""Left out where they do not exist."""


@cache
def _leaflet_folder() -> Path:
    spec = find_spec("js_lib_leaflet")
    if spec is None or not spec.submodule_search_locations:
        raise NavVizError("Leaflet's files are missing; install them with: pip install django-js-lib-leaflet==1.9.4.1")
    return Path(next(iter(spec.submodule_search_locations))) / "static" / "js_lib_leaflet"


@cache
def leaflet_js() -> str:
    """Leaflet's script, without the pointer to its source map."""
    text = (_leaflet_folder() / "leaflet.js").read_text(encoding="utf-8")
    return re.sub(r"\n//# sourceMappingURL=.*", "", text)


@cache
def leaflet_css() -> str:
    """Leaflet's style sheet with its images as data URLs, so that nothing is fetched."""
    folder = _leaflet_folder()

    def inlined(match: re.Match[str]) -> str:
        image = folder / match[1]
        if not image.is_file():
            return "none"
        return f"url(data:image/png;base64,{base64.b64encode(image.read_bytes()).decode('ascii')})"

    text = (folder / "leaflet.css").read_text(encoding="utf-8")
    return re.sub(r"url\(['\"]?(images/[\w.-]+)['\"]?\)", inlined, text)


def player_js() -> str:
    """The player as one script that defines ``globalThis.NavVizPlayer``."""
    paths = [ASSETS / name for name in PLAYER_FILES]
    texts = [path.read_text(encoding="utf-8") for path in paths if path.exists() or path.name not in _INDOOR_FILES]
    body = "\n".join(texts)
    return f'(() => {{\n"use strict";\n{body}\nglobalThis.NavVizPlayer = NavVizPlayer;\n}})();\n'


def player_css() -> str:
    """The player's style sheets, indoors included where it exists."""
    paths = [ASSETS / "player.css", ASSETS / "player_indoor.css"]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths if path.exists())
