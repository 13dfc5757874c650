// @ts-check
// The outdoor map: the street graph itself, with what lies around it, and tiles if one asks for them.
import { iconButton } from "../dom.js";
import { nameRef } from "../text/linker.js";
import { WalkMap } from "./walk-map.js";
import { walkOf } from "./walks.js";

/** @typedef {import("../types").Spot} Spot */

const OSM = "© OpenStreetMap contributors";
const TILES = "https://tile.openstreetmap.org/{z}/{x}/{y}.png";
/** Zooms from which dots of POIs, dots of crossings and names are shown. */
const DOTS_FROM = 15.5;
const CROSSINGS_FROM = 16.5;
const NAMES_FROM = 16.25;
const NAMELESS_FROM = 18;

export class StreetMap extends WalkMap {
  /**
   * @param {HTMLElement} container
   * @param {import("../document").ReplayDocument} doc
   * @param {import("../types").MapApi} api
   */
  constructor(container, doc, api) {
    super(container, doc, api, { zoomSnap: 0.25, zoomDelta: 0.5, maxZoom: 20.5, minZoom: 1 });
    /** Whether the map stays close to the agent. */
    this.close = false;
    /** @type {L.TileLayer | null} */
    this.tiles = null;
    this.begin();
  }

  // --- ground

  /** @override */
  drawGround() {
    const { color } = this.api;
    const ground = (/** @type {L.PathOptions & {radius?: number}} */ look) =>
      this.on("ground", { smoothFactor: 0.6, ...look });
    for (const area of this.doc.backdrop) {
      const rings = area.rings.map(pairs);
      const tint = color(`area-${area.kind}`) || color("area");
      if (area.line) this.add(L.polyline(rings, ground({ color: tint, weight: 2 })), "ground");
      else this.add(L.polygon(rings, ground({ color: tint, weight: 0.6, fillColor: tint, fillOpacity: 1 })), "ground");
    }
    const lines = this.doc.streets.map(pairs);
    this.casing = this.add(L.polyline(lines, ground({ color: color("street-edge"), lineCap: "round" })), "ground");
    this.streets = this.add(L.polyline(lines, ground({ color: color("street"), lineCap: "round" })), "ground");
    const crossing = ground({ radius: 1.8, stroke: false, fillColor: color("node"), fillOpacity: 1 });
    this.crossings = this.line(this.doc.nodes.crossings).map((spot) =>
      this.add(L.circleMarker(spot, crossing), "ground"),
    );
    this.dots = this.doc.pois.map((poi) => {
      const look = {
        radius: 3,
        weight: 1,
        color: color("ground"),
        fillColor: color(poi.light ? "light" : "poi"),
        fillOpacity: 1,
      };
      return this.add(L.circleMarker(this.spot(poi.at), ground(look)), "ground");
    });
  }

  /** Widths that follow the zoom. @override */
  restyle() {
    const zoom = this.map.getZoom();
    const wide = Math.max(1.6, Math.min(16, 1.5 * 1.75 ** (zoom - 14.4)));
    this.casing?.setStyle({ weight: wide + 1.6 });
    this.streets?.setStyle({ weight: wide });
    for (const dot of this.crossings ?? []) dot.setStyle({ fillOpacity: zoom >= CROSSINGS_FROM ? 1 : 0 });
    const shown = zoom >= DOTS_FROM && this.layers.shows("pois") ? 1 : 0;
    this.dots?.forEach((dot, i) => {
      const radius = (this.doc.pois[i].light ? 2 : 3) + Math.max(0, zoom - 17);
      dot.setStyle({ fillOpacity: shown, opacity: shown }).setRadius(radius);
    });
  }

  // --- labels

  /** @override @returns {Iterable<import("./label-view.js").Tag>} */
  *names() {
    const zoom = this.map.getZoom();
    if (!this.layers.shows("pois")) return;
    // a small map has room for few names, and opens far out: first those that a reader looks for
    for (const i of this.api.named?.() ?? []) {
      const poi = this.doc.pois[i];
      if (poi && !poi.light)
        yield { spot: this.spot(poi.at), text: poi.name, look: "nv-tag-name nv-tag-named", gap: 6, weight: 650 };
    }
    if (zoom < NAMES_FROM) return;
    this.labels.keepFree(this.doc.pois.map((poi) => this.spot(poi.at)));
    const seenNames = new Set(this.seen().map((poi) => nameRef(poi.name)));
    for (const poi of this.doc.pois) {
      // what has no name of its own can wait
      if (poi.light || (!poi.kind && zoom < NAMELESS_FROM) || seenNames.has(nameRef(poi.name))) continue;
      yield { spot: this.spot(poi.at), text: poi.name, look: "nv-tag-name", gap: 6 };
    }
  }

  // --- the step

  /** @override */
  heading() {
    return super.heading() ?? this.bearing();
  }

  /** The direction of the step's move. */
  bearing() {
    if (this.step === 0) return undefined;
    const [a, b] = this.way(walkOf(this.doc.steps, this.step - 1, this.end));
    if (!a || !b || (a[0] === b[0] && a[1] === b[1])) return undefined;
    return (Math.atan2((b[1] - a[1]) * Math.cos((a[0] * Math.PI) / 180), b[0] - a[0]) * 180) / Math.PI;
  }

  /** With `close`, the map stays close to what the agent sees. @override @param {import("../document").StepEntry | undefined} now */
  follow(now) {
    if (!this.close || !now) {
      super.follow(now);
      return;
    }
    const way = this.way(walkOf(this.doc.steps, this.step - 1, this.end));
    const spots = [...way, ...this.line(now.observation?.visible ?? [])];
    if (spots.length)
      this.map.fitBounds(L.latLngBounds(spots).pad(0.15), { padding: [40, 40], maxZoom: 18.5, duration: 0.3 });
  }

  /** @override @param {number} node */
  nodeFacts(node) {
    const near = new Set(
      this.seen()
        .filter((poi) => poi.node === node)
        .map((poi) => poi.name),
    );
    return [
      this.doc.nodes.crossings.includes(node) ? "intersection" : "street node",
      near.size ? `landmarks here: ${[...near].join(", ")}` : "",
    ];
  }

  // --- tools

  /** @override */
  makeTools() {
    this.closeButton = iconButton("close", "Stay close to the agent", () => this.toggleClose(), { tool: "close" });
    this.tileButton = iconButton(
      "tiles",
      "Map tiles from openstreetmap.org (needs the network)",
      () => this.toggleTiles(),
      { tool: "tiles" },
    );
    return [...super.makeTools(), this.closeButton, this.tileButton];
  }

  toggleClose() {
    this.close = !this.close;
    this.closeButton?.classList.toggle("nv-on", this.close);
    if (!this.close) {
      this.fit();
      return;
    }
    this.take();
    this.follow(this.doc.steps[this.step - 1]);
  }

  toggleTiles() {
    if (this.tiles) {
      this.tiles.remove();
      this.tiles = null;
    } else {
      this.tiles = L.tileLayer(TILES, { maxNativeZoom: 19, maxZoom: 21, opacity: 0.85 }).addTo(this.map);
    }
    this.tileButton?.classList.toggle("nv-on", this.tiles !== null);
    this.box.classList.toggle("nv-with-tiles", this.tiles !== null);
    this.drawCredit();
  }

  /** @override */
  drawCredit() {
    const credits = [this.doc.graph.attribution, this.tiles ? OSM : null].filter(Boolean);
    this.credit.textContent = [...new Set(credits)].join(" · ");
  }
}

/** @param {number[]} flat @returns {Spot[]} */
function pairs(flat) {
  /** @type {Spot[]} */
  const out = [];
  for (let i = 0; i < flat.length; i += 2) out.push([flat[i], flat[i + 1]]);
  return out;
}
