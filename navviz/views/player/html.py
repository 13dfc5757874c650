"""The player as one HTML file that replays from ``file://`` with no network.

Leaflet, player and document stand in the file. Its content security policy names the two scripts by
their hashes: a text that became markup could not run, and nothing can be sent anywhere.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping
from typing import Any

from navviz.records import Trace
from navviz.views.player.document import replay_document
from navviz.views.player.files import font_css, leaflet_css, leaflet_js, player_css, player_js
from navviz.views.player.pictures import FILE_BYTES, PictureTable, with_data
from navviz.world.graph import Graph

TILES = "https://tile.openstreetmap.org"
"""The one address that a page may ask for pictures, once a user switches the tiles on."""

_START = """
const doc = JSON.parse(document.getElementById("navviz-document").textContent);
const root = document.getElementById("navviz");
NavVizPlayer.mount(root, doc, { file: true, step: root.dataset.start }).then((player) => {
  globalThis.navvizPlayer = player;
});
"""

FILM_PX = 4096
"""Longer side of a film's pictures: what the app itself asks for to look around in a strip."""
PAGE_CSS = "html,body{margin:0;height:100%}#navviz{height:100vh;border:0;border-radius:0}"


def document_json(document: Mapping[str, Any]) -> str:
    """Return the document as JSON for a ``<script>`` element: no ``<``, no line separators."""
    # a NaN is an error here: `JSON.parse` in the browser would refuse the whole document
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def document_page(
    document: Mapping[str, Any],
    *,
    title: str | None = None,
    scene: bool = True,
    step: int | None = None,
) -> str:
    """Return a whole HTML page that shows a player document; it needs no network.

    Parameters
    ----------
    document
        From `navviz.views.player.document.replay_document`.
    title
        Of the page; the document's own where ``None``.
    scene
        Whether a house comes with its 3-D scene; plotly's script adds 4.8 MB to the page.
    step
        Where the replay starts, unless the address names a step.
    """
    scripts = [_inert(leaflet_js()), _inert(player_js()), _START]
    if scene and document.get("frame") == "metric":
        from plotly.offline import get_plotlyjs

        scripts.insert(0, _inert(get_plotlyjs()))
    # of the escaped scripts: the browser hashes what stands between the tags
    hashes = " ".join(f"'sha256-{script_hash(script)}'" for script in scripts)
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:"
        f" {TILES}; font-src data:; base-uri 'none'; form-action 'none'"
    )
    name = html.escape(title if title is not None else str(document.get("title", "Replay")))
    tags = "\n".join(f"<script>{script}</script>" for script in scripts)
    start = "" if step is None else f' data-start="{step:d}"'
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}</title>
<style>{font_css()}\n{leaflet_css()}\n{player_css()}\n{PAGE_CSS}</style>
</head>
<body>
<div id="navviz" class="navviz-player"{start}></div>
<script type="application/json" id="navviz-document">{document_json(document)}</script>
{tags}
</body>
</html>
"""


def illustrated_page(
    document: Mapping[str, Any],
    pictures: PictureTable | None,
    *,
    title: str | None = None,
    scene: bool = True,
    step: int | None = None,
) -> str:
    """Return the page of `document_page` with its pictures in it: at most 20 MB as a whole."""
    # first without pictures: only the size of this page says how much room they have
    page = document_page(document, title=title, scene=scene, step=step)
    if pictures is None or not document.get("pictures"):
        return page
    filled = with_data(document, pictures, FILE_BYTES - len(page.encode()))
    return document_page(filled, title=title, scene=scene, step=step)


def film_page(document: Mapping[str, Any], pictures: PictureTable | None) -> str:
    """Return the page that a film is taken of: its pictures in full where they fit into 20 MB.

    One may look around in a strip of six faces, of which 512 pixels would leave 85 for each.
    """
    page = document_page(document, scene=False)
    if pictures is None or not document.get("pictures"):
        return page
    room_bytes = FILE_BYTES - len(page.encode())
    filled = with_data(document, pictures, room_bytes, most_px=FILM_PX)
    if len(filled["notes"]) > len(document["notes"]):
        # a note says that some are left out: all of them small tell more than some of them large
        filled = with_data(document, pictures, room_bytes)
    return document_page(filled, scene=False)


def _inert(script: str) -> str:
    """Escape a script of ours so that it cannot end its element early."""
    # "<!--" counts, too: it lets a later "<script" hide the closing tag from the HTML parser.
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def script_hash(script: str) -> str:
    """Return a script's hash as a content security policy names it (SHA-256, base64)."""
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")


def replay_html(
    trace: Trace,
    graph: Graph,
    *,
    title: str | None = None,
    scene: bool = True,
    **parts: Any,  # noqa: ANN401
) -> str:
    """Return a trace's replay as one HTML page; `parts` go to `replay_document`.

    Without `running` among them, a trace without an end is shown as cut off, since a file never
    grows.
    """
    document = replay_document(trace, graph, title=title, **({"running": False} | parts))
    return illustrated_page(document, parts.get("pictures"), scene=scene)
