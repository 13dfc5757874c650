// @ts-check
// What-ifs on the map: each other link at its fork, coloured by where it ends, and one walk after such a link.
// The links are drawn once; a step or a key sets the points of one line and one dot.

import { metres } from "../text/figures.js";

/** @typedef {import("../what-if.js").Ghost} Ghost */
/** @typedef {import("./walk-map.js").WalkMap} WalkMap */

/** Length of a link as it is drawn at its fork, in pixels at least. */
const STUB_PX = 26;
const NEAR_PX = 12;
/** Colour, width and dashes by how the walk ends; each differs from the others without its colour. */
const LOOKS = {
  mends: { color: "good", weight: 6 },
  holds: { color: "good", weight: 6 },
  nearer: { color: "light", weight: 4 },
  farther: { color: "rejected", weight: 2.5 },
  ruins: { color: "bad", weight: 2.5 },
};
const HATCHED = "3 5";
/** What the legend calls links by how they end. @type {Record<import("../what-if.js").Outcome, string>} */
const NAMES = {
  mends: "link that reaches the goal",
  holds: "link that still reaches it",
  nearer: "ends nearer",
  farther: "ends no nearer",
  ruins: "misses the goal",
};

export class Ghosts {
  /** @param {WalkMap} view */
  constructor(view) {
    this.view = view;
    this.group = L.layerGroup().addTo(view.map);
    /** @type {Ghost[]} */
    this.all = [];
    /** @type {Ghost | null} */
    this.chosen = null;
    /** Told when the mouse comes to a link. @type {((ghost: Ghost) => void) | null} */
    this.onPoint = null;
    this.edge = L.polyline([]);
    this.line = L.polyline([]);
    this.end = L.circleMarker([0, 0]);
    view.map.on("mousemove", (event) => this.point(event.containerPoint));
    view.map.on("zoomend", () => this.draw());
  }

  /** @param {Ghost[]} all @param {(ghost: Ghost) => void} onPoint */
  show(all, onPoint) {
    this.all = all;
    this.onPoint = onPoint;
    this.draw();
    this.view.paint();
  }

  /** Positions of the map that is shown: on other floors a walk is not seen. @param {number[][]} tail */
  lines(tail) {
    /** @type {import("../types").Spot[][]} */
    const lines = [];
    let before = false;
    for (const at of tail) {
      const here = this.view.placeHere(at);
      if (here && !before) lines.push([]);
      if (here) lines[lines.length - 1].push(this.view.spot(at));
      before = here;
    }
    return lines;
  }

  /** The first pixels of a walk, long enough to be seen. @param {number[][]} tail */
  stub(tail) {
    const { map } = this.view;
    const [line] = this.lines(tail);
    if (!line) return [];
    /** @type {L.Point[]} */
    const points = line.map((spot) => map.latLngToLayerPoint(spot));
    let left = STUB_PX;
    /** @type {L.LatLng[]} */
    const stub = [map.layerPointToLatLng(points[0])];
    for (let i = 1; i < points.length && left > 0; i += 1) {
      const length = points[i].distanceTo(points[i - 1]);
      const part = length > left ? left / length : 1;
      const [p, q] = [points[i - 1], points[i]];
      stub.push(map.layerPointToLatLng(L.point(p.x + (q.x - p.x) * part, p.y + (q.y - p.y) * part)));
      left -= length;
    }
    return stub;
  }

  draw() {
    const { view, all } = this;
    this.group.clearLayers();
    if (!all.length) return;
    const { color } = view.api;
    // what mends lies above the rest
    for (const ghost of all.toReversed()) {
      const stub = this.stub(ghost.tail);
      if (stub.length < 2) continue;
      const look = LOOKS[ghost.outcome];
      const edge = { color: color("ground"), weight: look.weight + 3, opacity: 0.9 };
      this.group.addLayer(L.polyline(stub, view.on("walk", edge)));
      const dashArray = ghost.unstable ? HATCHED : undefined;
      const style = {
        color: color(look.color),
        weight: look.weight,
        dashArray,
        lineCap: /** @type {const} */ ("butt"),
      };
      this.group.addLayer(L.polyline(stub, view.on("walk", style)));
    }
    const under = view.on("move", { color: color("ground"), weight: 8, opacity: 0.85 });
    this.edge = L.polyline([], under).addTo(this.group);
    this.line = L.polyline([], view.on("move", { weight: 4, dashArray: "9 6" })).addTo(this.group);
    const dot = view.on("move", { radius: 7, weight: 3, fillColor: color("ground"), fillOpacity: 1 });
    this.end = L.circleMarker(view.spot(all[0].tail[0]), dot).addTo(this.group);
    this.set(this.chosen);
  }

  /** Show the walk after one link; null for none. @param {Ghost | null} ghost */
  choose(ghost) {
    this.set(ghost);
    this.view.labels.tags();
    this.view.labels.soon();
  }

  /** @param {Ghost | null} ghost */
  set(ghost) {
    this.chosen = ghost;
    const lines = ghost ? this.lines(ghost.tail) : [];
    const tint = this.view.api.color(ghost ? LOOKS[ghost.outcome].color : "rejected");
    this.edge.setLatLngs(lines);
    this.line.setLatLngs(lines).setStyle({ color: tint });
    const last = ghost?.tail.at(-1);
    const shown = last !== undefined && this.view.placeHere(last);
    if (shown) this.end.setLatLng(this.view.spot(last));
    this.end.setStyle({ color: tint, opacity: shown ? 1 : 0, fillOpacity: shown ? 1 : 0 });
  }

  /** What the legend lists of the links. @returns {import("./legend.js").Entries} */
  entries() {
    const { color } = this.view.api;
    const kinds = Object.entries(NAMES).filter(([kind]) => this.all.some(({ outcome }) => outcome === kind));
    return kinds.map(([kind, name]) => ["ghost", name, color(LOOKS[/** @type {keyof typeof LOOKS} */ (kind)].color)]);
  }

  /** The label at the end of the walk shown. @returns {import("./label-view.js").Tag[]} */
  tags() {
    const { chosen, view } = this;
    const last = chosen?.tail.at(-1);
    if (!this.all.length || !chosen || !last || !view.placeHere(last)) return [];
    const digits = view.doc.frame === "geo" ? 0 : 1;
    const text = chosen.ne === null ? "what if" : `what if: ${metres(chosen.ne, digits)}`;
    return [{ spot: view.spot(last), text, look: "nv-tag-ghost", gap: 13, weight: 650, size: 0.93, must: true }];
  }

  /** @param {L.Point} point */
  point(point) {
    if (!this.all.length || !this.onPoint) return;
    const { map } = this.view;
    /** @type {Ghost | null} */
    let best = null;
    let least = NEAR_PX;
    for (const ghost of this.all) {
      const stub = this.stub(ghost.tail).map((spot) => map.latLngToContainerPoint(spot));
      for (let i = 1; i < stub.length; i += 1) {
        const d = L.LineUtil.pointToSegmentDistance(point, stub[i - 1], stub[i]);
        // forks lie on several links: the tip of a link says which
        const tip = d + 0.2 * point.distanceTo(stub[stub.length - 1]);
        if (tip < least) [best, least] = [ghost, tip];
      }
    }
    if (best && best !== this.chosen) this.onPoint(best);
  }
}
