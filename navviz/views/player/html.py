"""The player as one HTML file that replays from ``file://`` with no network.

Leaflet, player and document stand in the file. Its content security policy names the two scripts by
their hashes: a text that became markup could not run, and nothing can be sent anywhere.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

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

_TALK_START = """
const talk = JSON.parse(document.getElementById("navviz-document").textContent);
new NavVizTalk(document.getElementById("navviz"), talk);
"""

FILM_PX = 4096
"""Longer side of a film's pictures: what the app itself asks for to look around in a strip."""

PAGE_CSS = (
    "html,body{margin:0;height:100%}#navviz,.nv-talk>.navviz-player{height:100vh;border:0;"
    "border-radius:0}.nv-talk{overflow:hidden}"
)


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
    """Return a whole HTML page that shows a player document; it needs no network."""
    start = "" if step is None else f' data-start="{step:d}"'
    return _file_page(
        str(document.get("title", "Replay")) if title is None else title,
        f'class="navviz-player"{start}',
        document_json(document),
        _START,
        scene=scene and document.get("frame") == "metric",
    )


def talk_page(slides: Sequence[Any], documents: Sequence[Mapping[str, Any]]) -> str:
    """Return a whole HTML page that goes from slide to slide; it needs no network.

    A slide has ``document`` (a number in `documents`), ``step`` and ``caption``. Houses have their
    floor plans: plotly's script would be half of the page.
    """
    talk = {"slides": slides, "documents": [_packed(document_json(one)) for one in documents]}
    return _file_page("Talk", 'class="nv-talk"', document_json(talk), _TALK_START, scene=False)


def _file_page(title: str, root: str, data: str, start: str, *, scene: bool) -> str:
    scripts = [_inert(leaflet_js()), _inert(player_js()), start]
    if scene:
        from plotly.offline import get_plotlyjs

        scripts.insert(0, _inert(get_plotlyjs()))
    # of the escaped scripts: the browser hashes what stands between the tags
    hashes = " ".join(f"'sha256-{script_hash(script)}'" for script in scripts)
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:"
        f" {TILES}; font-src data:; base-uri 'none'; form-action 'none'"
    )
    tags = "\n".join(f"<script>{script}</script>" for script in scripts)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<style>{font_css()}\n{leaflet_css()}\n{player_css()}\n{PAGE_CSS}</style>
</head>
<body>
<div id="navviz" {root}></div>
<script type="application/json" id="navviz-document">{data}</script>
{tags}
</body>
</html>
"""


def illustrated_page(
    document: Mapping[str, Any],
    pictures: PictureTable | None,
    *,
    scene: bool = True,
    step: int | None = None,
) -> str:
    """Return the page of `document_page` with its pictures in it: at most 20 MB as a whole."""
    # first without pictures: only the size of this page says how much room they have
    page = document_page(document, scene=scene, step=step)
    if pictures is None or not document.get("pictures"):
        return page
    filled = with_data(document, pictures, FILE_BYTES - len(page.encode()))
    return document_page(filled, scene=scene, step=step)


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


SceneScript = Literal["own", "shared", "none"]
"""Where the 3-D scene gets plotly's script from: the frame itself, another output of the notebook,
or not at all.
"""

_WAITING = (
    "The 3-D scene waits for plotly's script, which stands in this notebook's first replay of a"
    " house: run that cell again, or call navviz.replay(..., alone=True) here."
)

_FRAME_START = """
const packed = document.getElementById("navviz-packed").textContent;
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const unzip = () => new DecompressionStream("gzip");
const unzipped = (text) => new Blob([bytes(text)]).stream().pipeThrough(unzip());
const unpacked = (text) => new Response(unzipped(text)).text();
const run = (code) => {
  document.head.append(Object.assign(document.createElement("script"), { textContent: code }));
};
const ask = () => parent.postMessage({ navviz: "plotly?" }, "*");
const handed = () => new Promise((resolve) => {
  addEventListener("message", async ({ source, data }) => {
    if (source !== parent || globalThis.Plotly) return;
    if (data?.navviz === "plotly!") ask();
    if (data?.navviz !== "plotly" || typeof data.packed !== "string") return;
    run(await unpacked(data.packed));
    if (globalThis.Plotly) resolve();
  });
  ask();
});
(async () => {
  const parts = JSON.parse(await unpacked(packed));
  const { css, scripts, doc, shared, note, step, live, episodes } = parts;
  document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
  for (const code of scripts) run(code);
  const options = { file: true, step, ...(shared ? { loadPlotly: handed, plotlyNote: note } : {}) };
  const root = document.getElementById("navviz");
  const tell = (message) => parent.postMessage(message, "*");
  const onAction = (to) => tell({ navviz: "episode", to });
  if (live) Object.assign(options, { file: !episodes, episodes, onAction });
  const player = await NavVizPlayer.mount(root, JSON.parse(doc), options);
  globalThis.navvizPlayer = player;
  if (live) follow(player, root, tell);
})();
function follow(player, root, tell) {
  let selection = "", sent = "";
  const state = () => {
    const { step, playing } = root.dataset;
    const now = { navviz: "state", step: Number(step), playing: playing === "true", selection };
    if (JSON.stringify(now) !== sent) tell(now);
    sent = JSON.stringify(now);
  };
  // a node by its id, anything else by its name
  const refOf = (name) => {
    const node = player.doc.nodes.ids.indexOf(name);
    return node < 0 ? `s:${name.toLowerCase()}` : `n:${node}`;
  };
  const light = () => {
    const refs = selection ? [refOf(selection)] : [];
    player.lightText(refs);
    player.map.highlight(refs);
    if (selection) player.map.panTo(refs[0]);
  };
  new MutationObserver(state).observe(root, { attributeFilter: ["data-step", "data-playing"] });
  root.addEventListener("click", ({ target }) => {
    const ref = target instanceof Element && target.closest("[data-ref]")?.dataset.ref;
    if (!ref) return;
    selection = player.references.resolve(ref, player.step).label ?? "";
    state();
  }, true);
  addEventListener("message", ({ source, data }) => {
    if (source === parent && data?.navviz === "hello") tell({ navviz: "ready" });
    // the walk goes on: its newer document holds what the older one did
    if (source === parent && data?.navviz === "doc") player.update(JSON.parse(data.doc));
    if (source !== parent || data?.navviz !== "set") return;
    const { step, playing } = data;
    if (typeof data.selection === "string" && data.selection !== selection) {
      selection = data.selection;
      light();
    }
    if (typeof step === "number") player.go(step);
    if (typeof playing === "boolean" && playing !== player.transport.playing) player.toggle();
    state();
  });
  tell({ navviz: "ready" });
}
"""

_CARRIER = """
(() => {
  const first = !window.navvizPlotly;
  window.navvizPlotly = "PLOTLY";
  if (first) addEventListener("message", ({ data, source }) => {
    if (data?.navviz !== "plotly?") return;
    source?.postMessage({ navviz: "plotly", packed: window.navvizPlotly }, "*");
  });
  for (const frame of document.querySelectorAll("iframe.navviz-replay"))
    frame.contentWindow?.postMessage({ navviz: "plotly!" }, "*");
})();
"""


def replay_frame(
    document: Mapping[str, Any],
    height_px: int = 640,
    *,
    scene: SceneScript = "shared",
    step: int | None = None,
    live: str = "",
    episodes: bool = False,
) -> str:
    """Frame a player document for a notebook's output cell."""
    title = html.escape(f"NavViz replay of {document.get('title', 'an episode')}", quote=True)
    content = frame_page(document, scene=scene, step=step, live=bool(live), episodes=episodes)
    page = html.escape(content, quote=True)
    style = f"width:100%;height:{int(height_px)}px;border:0"
    name = f' data-navviz="{html.escape(live, quote=True)}"' if live else ""
    # without `allow-same-origin`: with it, scripts in the frame could reach the notebook's page
    return (
        f'<iframe class="navviz-replay"{name} srcdoc="{page}" style="{style}"'
        f' sandbox="allow-scripts" allow="fullscreen" title="{title}" loading="lazy"></iframe>'
    )


def frame_page(
    document: Mapping[str, Any],
    *,
    scene: SceneScript = "shared",
    step: int | None = None,
    live: bool = False,
    episodes: bool = False,
) -> str:
    """Return the page within the frame."""
    house = document.get("frame") == "metric" and scene != "none"
    scripts = [leaflet_js(), player_js()]
    # First: the player looks for plotly when it mounts.
    if house and scene == "own":
        scripts.insert(0, _plotly())
    hashes = [script_hash(script) for script in (_FRAME_START, *scripts)]
    if house and scene == "shared":
        # it comes in a message of the page around: only plotly's own text may run
        hashes.append(_plotly_hash())
    parts = {
        "css": f"{font_css()}\n{leaflet_css()}\n{player_css()}\n{PAGE_CSS}",
        "scripts": scripts,
        "doc": document_json(document),
        "shared": house and scene == "shared",
        "note": _WAITING,
        "step": step,
        "live": live,
        "episodes": episodes,
    }
    return _page(_packed(json.dumps(parts, ensure_ascii=False)), hashes)


def plotly_carrier() -> str:
    """Return the script that hands plotly's to the frames of a notebook whenever they ask."""
    return f"<script>{_CARRIER.replace('PLOTLY', packed_plotly())}</script>"


def _page(packed: str, hashes: list[str]) -> str:
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes)
    policy = (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:"
        f" {TILES}; font-src data:; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta'
        f' http-equiv="Content-Security-Policy" content="{html.escape(policy)}"><body'
        ' style="margin:0"><div id="navviz" class="navviz-player"></div><script type="text/plain"'
        f' id="navviz-packed">{packed}</script><script>{_FRAME_START}</script></body></html>'
    )


def _packed(text: str) -> str:
    # without a time in it, the same text always packs to the same bytes; "replace", since half a
    # character in one text must not break the whole page
    return base64.b64encode(gzip.compress(text.encode("utf-8", "replace"), mtime=0)).decode("ascii")


def _plotly() -> str:
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())


@cache
def packed_plotly() -> str:
    """Return plotly's script as frames unpack it."""
    return _packed(_plotly())


@cache
def _plotly_hash() -> str:
    return script_hash(_plotly())


class NotebookScripts:
    """Which output carries plotly's script: the first of a house, and its cell's next run."""

    def __init__(self) -> None:
        self.cell: str | None = None
        self.count: int | None = None

    def carries_plotly(self) -> bool:
        """Whether the output that is being made has to carry it."""
        cell, count = _running_cell()
        # a cell that runs again loses its old output, and with it the script
        if self.count is not None and (cell is None or cell != self.cell or count == self.count):
            return False
        self.cell, self.count = cell, count
        return True


SCRIPTS = NotebookScripts()


def _running_cell() -> tuple[str | None, int]:
    """Return the id of the running cell (``None`` where it is unknown) and how many have run."""
    # IPython is not among our packages: a notebook has imported it already
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None:
        return None, 0
    # a shell in a terminal has none
    request = shell.get_parent() if hasattr(shell, "get_parent") else None
    cell = None
    if isinstance(request, dict):
        cell = request.get("metadata", {}).get("cellId")
    return (cell if isinstance(cell, str) else None), int(shell.execution_count)
