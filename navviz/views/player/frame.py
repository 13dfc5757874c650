"""The player as a frame in a notebook's output cell, small enough that a notebook can hold many.

Each output holds its own code and document, packed, and works alone: in any order, when others were
cleared, in JupyterLab and in what nbconvert makes of it. Only plotly's script for a house's 3-D
scene (2 MB packed) stands once in a notebook: the output that carries it hands it to the frames
that ask, whenever they or it appear. Where that output was cleared, or where every output is a page
of its own (Colab), only the floor plan is drawn, and a note in place of the scene says what to do.

A frame can reach neither the notebook nor the network. Its content security policy names each
script by its hash, also the packed ones and plotly's: no other script runs, whoever sends it.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from navviz.views.player.files import font_css, leaflet_css, leaflet_js, player_css, player_js
from navviz.views.player.html import PAGE_CSS, TILES, document_json, script_hash

SceneScript = Literal["own", "shared", "none"]
"""Where the 3-D scene gets plotly's script from: the frame itself, another output of the notebook,
or not at all.
"""

_WAITING = (
    "The 3-D scene waits for plotly's script, which stands in this notebook's first replay of a"
    " house: run that cell again, or call navviz.replay(..., alone=True) here."
)

_START = """
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
    """Frame a player document for a notebook's output cell.

    Parameters
    ----------
    document
        From `navviz.views.player.document.replay_document`.
    height_px
        Of the frame.
    scene
        For a house: where its 3-D scene gets plotly's script from; `plotly_carrier` is what hands
        out a shared one.
    step
        Where the replay starts, counted from 1; 0 is before the first step.
    live
        Name under which a widget finds the frame, to follow and to set its state.
    episodes
        Whether that widget goes to the next and the previous episode, too (keys n and p).
    """
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
    """Return the page within the frame.

    Parameters
    ----------
    document, scene, step
        As `replay_frame` has them.
    live
        Whether the page around the frame follows and sets its step, playing and selection by
        messages, as the notebook's widget does.
    episodes
        Whether that page also goes to the next and the previous episode (keys n and p).
    """
    house = document.get("frame") == "metric" and scene != "none"
    scripts = [leaflet_js(), player_js()]
    # First: the player looks for plotly when it mounts.
    if house and scene == "own":
        scripts.insert(0, _plotly())
    hashes = [script_hash(script) for script in (_START, *scripts)]
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
        f' id="navviz-packed">{packed}</script><script>{_START}</script></body></html>'
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
