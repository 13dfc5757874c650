// @ts-check
// All walks of a run on one map, drawn by assets/atlas.js as in the app. A click names episodes; a link leads to them.
import { el } from "../dom.js";
import { endMap } from "../maps/ending.js";
import { script, styles, whole } from "./chunks.js";

/** @typedef {import("./types").AtlasData} AtlasData */
/** @typedef {import("./types").SiteMap} SiteMap */

const ONE = "episode: ";

export class WalkMap {
  /**
   * @param {HTMLElement} box
   * @param {import("./run-data.js").RunData} data
   * @param {(row: number) => string} href
   * @param {(rows: Set<number>) => void} onChoose
   */
  constructor(box, data, href, onChoose) {
    this.data = data;
    this.href = href;
    this.onChoose = onChoose;
    /** @type {Set<number> | null} */
    this.passing = null;
    this.turn = 0;
    const { maps } = data.run;
    const options = maps.map(({ name, walks }, k) => el("option", { value: k, text: `${name} (${walks})` }));
    const pick = { change: () => this.draw(Number(this.picker.value)) };
    this.picker = el("select", { "aria-label": "Map", hidden: maps.length < 2, on: pick }, ...options);
    this.note = el("span", { class: "ns-quiet", text: "Click a path, a disc or a junction." });
    this.ground = el("div", { class: "ns-map" });
    box.replaceChildren(el("div", { class: "ns-map-bar" }, this.picker, this.note), this.ground);
    if (maps.length) this.draw(0);
    else this.note.textContent = "This run has no walk on a map.";
  }

  /** @param {number} number */
  async draw(number) {
    const turn = ++this.turn;
    styles("assets/leaflet.css");
    styles("assets/atlas.css");
    await script("assets/leaflet.js");
    await script("assets/atlas.js");
    /** @type {AtlasData} */
    const drawn = await whole(`map-${this.data.number}-${number}`);
    const rows = await Promise.all(drawn.walks.map(({ id }) => this.data.row(id)));
    if (turn !== this.turn || !this.ground.isConnected) return; // another map was chosen meanwhile
    const entry = this.data.run.maps[number];
    if (this.leaflet) endMap(this.leaflet);
    this.leaflet = leafletOf(this.ground, entry);
    drawn.theme = "auto";
    drawn.chosen = (mark) => this.tell(drawn, rows, mark);
    this.atlas = globalThis.NavVizAtlas.draw(this.leaflet, drawn);
    this.rows = rows;
    this.limit();
    this.ground.dataset.ready = "true";
  }

  /** @param {Set<number> | null} passing */
  show(passing) {
    this.passing = passing;
    this.limit();
  }

  limit() {
    const { passing, rows } = this;
    if (!this.atlas || !rows?.length) return;
    const kept = rows.flatMap((row, k) => (row !== undefined && (!passing || passing.has(row)) ? [k] : []));
    this.atlas.show(kept);
  }

  /** Offer what was clicked. @param {AtlasData} drawn @param {(number | undefined)[]} rows @param {string} mark */
  tell(drawn, rows, mark) {
    const found = new Set(rows.filter((row, k) => row !== undefined && isMarked(drawn, k, mark)));
    const chosen = /** @type {Set<number>} */ (found);
    const [first] = chosen;
    if (first === undefined) return;
    if (chosen.size === 1) {
      this.note.replaceChildren(el("a", { href: this.href(first), text: "Replay this episode" }));
      return;
    }
    const press = { click: () => this.onChoose(chosen) };
    this.note.replaceChildren(el("button", { type: "button", text: `Show these ${chosen.size} episodes`, on: press }));
  }
}

/** @param {HTMLElement} ground @param {SiteMap} entry */
function leafletOf(ground, { frame, corners, attribution }) {
  const geo = frame === "geo";
  const crs = geo ? L.CRS.EPSG3857 : L.CRS.Simple;
  const map = L.map(ground, { crs, preferCanvas: true, zoomSnap: 0.25, minZoom: geo ? 1 : -3, maxZoom: 20 });
  if (corners) map.fitBounds(corners, { padding: [12, 12] });
  if (attribution) map.attributionControl.addAttribution(escaped(attribution));
  return map;
}

/** Leaflet takes an attribution as markup. @param {string} text */
function escaped(text) {
  return el("span", { text }).innerHTML;
}

/** Whether a walk is among those of a mark. @param {AtlasData} drawn @param {number} k @param {string} mark */
function isMarked(drawn, k, mark) {
  const walk = drawn.walks[k];
  const { left, through } = drawn.marks;
  if (mark.startsWith(ONE)) return decodeURIComponent(mark.slice(ONE.length)) === walk.id;
  const places = mark.startsWith(left) ? walk.d : walk.v;
  const named = new Set(mark.slice(mark.startsWith(left) ? left.length : through.length).split(";"));
  return places.some((place) => named.has(drawn.names[place]));
}
