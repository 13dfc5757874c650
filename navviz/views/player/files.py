"""Read Leaflet's files from its PyPI package, and the player's built files from `assets`.

Nothing is fetched from a network, and no third-party JavaScript is copied into the repository.
"""

from __future__ import annotations

import base64
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from navviz.errors import NavVizError
from navviz.support.installation.files import assets_dir

ASSETS = assets_dir()
FONT_FILE = "source-sans-3-latin-wght-normal.woff2"
"""As Fontsource publishes it, under the SIL Open Font License 1.1 (OFL.txt beside it)."""


@cache
def _leaflet_folder() -> Path:
    # found without an import: the package is made for Django, which is not installed
    spec = find_spec("js_lib_leaflet")
    if spec is None or not spec.submodule_search_locations:
        raise NavVizError(
            "Leaflet's files are missing; install them with: pip install"
            " django-js-lib-leaflet==1.9.4.1"
        )
    return Path(next(iter(spec.submodule_search_locations))) / "static" / "js_lib_leaflet"


@cache
def leaflet_js() -> str:
    """Leaflet's script, without the pointer to its source map."""
    text = (_leaflet_folder() / "leaflet.js").read_text(encoding="utf-8")
    # else a browser's developer tools ask for a file that no page brings
    return re.sub(r"\n//# sourceMappingURL=.*", "", text)


@cache
def leaflet_images() -> dict[str, str]:
    """Return the pictures of Leaflet's marker as data URLs, by the options of `L.Icon.Default`."""
    names = {
        "iconUrl": "marker-icon.png",
        "iconRetinaUrl": "marker-icon-2x.png",
        "shadowUrl": "marker-shadow.png",
    }
    folder = _leaflet_folder() / "images"
    return {option: _data_url(folder / name) for option, name in names.items()}


def _data_url(image: Path) -> str:
    return f"data:image/png;base64,{base64.b64encode(image.read_bytes()).decode('ascii')}"


@cache
def leaflet_css() -> str:
    """Leaflet's style sheet with its images as data URLs, so that nothing is fetched."""
    folder = _leaflet_folder()

    def inlined(match: re.Match[str]) -> str:
        image = folder / match[1]
        # no address may stay, since a page must fetch nothing
        if not image.is_file():
            return "none"
        return f"url({_data_url(image)})"

    text = (folder / "leaflet.css").read_text(encoding="utf-8")
    return re.sub(r"url\(['\"]?(images/[\w.-]+)['\"]?\)", inlined, text)


@cache
def own_file(name: str) -> str:
    """Return a script or style sheet of ours, out of `assets`."""
    return (ASSETS / name).read_text(encoding="utf-8")


@cache
def font_css() -> str:
    """Return the rule that gives a page of our own the app's font: Source Sans, Latin letters.

    One variable file of 29 kB serves all weights. Other scripts are left to the reader's fonts.
    """
    font = (ASSETS / "fonts" / FONT_FILE).read_bytes()
    address = f"data:font/woff2;base64,{base64.b64encode(font).decode('ascii')}"
    return (
        '@font-face { font-family: "Source Sans"; font-weight: 200 900; font-display: swap;'
        f' src: url({address}) format("woff2"); }}'
    )


@cache
def atlas_css() -> str:
    """Return the style sheet of the atlas with the tokens and the font that it names."""
    return f"{font_css()}\n{own_file('tokens.css')}\n{own_file('atlas.css')}"


def player_js() -> str:
    """Return the script that defines ``globalThis.NavVizPlayer`` and ``globalThis.NavVizPick``."""
    return own_file("player.js")


def player_css() -> str:
    """Return the style sheet of the player and of the map to pick nodes on."""
    return own_file("player.css")
