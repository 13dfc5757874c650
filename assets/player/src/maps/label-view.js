// @ts-check
// The labels of a map: ends, what the agent was shown and could choose, names of places; none covers another.
import { el } from "../dom.js";
import { alongLine, placeInside, placeLabel } from "./labels.js";

/** @typedef {import("../types").Box} Box */
/** @typedef {import("../types").Spot} Spot */
/**
 * @typedef {object} Tag
 * @property {Spot} spot
 * @property {string} text
 * @property {string} look  its class
 * @property {number} [gap]
 * @property {number} [weight]
 * @property {number} [size]  in em of the map's type
 * @property {boolean} [left]
 * @property {boolean} [must]
 * @property {boolean} [centred]  whether it names the whole of `within`
 * @property {Spot[]} [within]  corners of a box to stay inside of
 */

/** Names wait so long, in milliseconds, until a step is painted. */
const WAIT_MS = 120;
const LONGEST = 32;
/** Things of one name this near to each other, in pixels, are named once. */
const DOUBLE_PX = 90;
/** Type of labels, in em of the map's type, and the least that can be read, in pixels. */
const SIZE = 12 / 14;
const LEAST_PX = 12;

export class Labels {
  /** @param {import("./walk-map.js").WalkMap} view */
  constructor(view) {
    this.view = view;
    this.group = L.layerGroup().addTo(view.map);
    /** Labels on the map, by all that they show. @type {Record<"tags" | "names", Map<string, L.Marker>>} */
    this.shown = { tags: new Map(), names: new Map() };
    /** How many places, words and texts the tags took; null where the map has moved since. @type {[number, number, number] | null} */
    this.tagged = null;
    /** @type {Box[]} */
    this.taken = [];
    /** @type {[text: string, p: L.Point][]} */
    this.said = [];
    /** Boxes of the labels that are set. @type {Box[]} */
    this.words = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.waiting = undefined;
    /** @type {{pen: CanvasRenderingContext2D, px: number, face: string} | null} */
    this.type = null;
  }

  /** The type may have grown. */
  forget() {
    this.type = null;
  }

  /** Labels of ends and of the step: set at once. */
  tags() {
    const { view } = this;
    if (view.gone || !view.map.getSize().x) return;
    this.taken = [...this.furniture(), ...this.signs(), ...this.paths()];
    this.words = [];
    this.said = [];
    this.fill("tags", view.tags());
    this.tagged = [this.taken.length, this.words.length, this.said.length];
  }

  /** Names of places wait until a step is painted. */
  soon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.names(), WAIT_MS);
  }

  /** The map has moved: tags and names may find other places. */
  moved() {
    this.tagged = null;
    this.soon();
  }

  names() {
    const { view } = this;
    if (view.gone || !view.map.getSize().x) return;
    if (this.tagged) [this.taken.length, this.words.length, this.said.length] = this.tagged;
    else this.tags();
    this.fill("names", view.names(), view.nameRoom());
  }

  /**
   * Set labels, as many as there is room for; those that stay as they are are left alone.
   * @param {"tags" | "names"} kind
   * @param {Iterable<Tag>} tags
   * @param {number} [room]
   */
  fill(kind, tags, room = Number.POSITIVE_INFINITY) {
    const before = this.shown[kind];
    const now = new Map();
    this.shown[kind] = now;
    for (const tag of tags) {
      if (now.size >= room) break;
      const drawn = this.place(tag);
      if (!drawn) continue;
      const key = JSON.stringify([tag.spot, tag.look, drawn]);
      now.set(key, before.get(key) ?? this.marker(tag, drawn).addTo(this.group));
      before.delete(key);
    }
    for (const marker of before.values()) this.group.removeLayer(marker);
  }

  /**
   * Find a place for a label and take it.
   * @param {Tag} tag
   * @returns {{words: string, style: Record<string, string>} | null}
   */
  place({ spot, text, gap = 8, weight = 500, size = SIZE, left, must, centred, within }) {
    const { map } = this.view;
    const p = map.latLngToContainerPoint(spot);
    const edges = map.getSize();
    if (this.said.some(([other, q]) => other === text && q.distanceTo(p) < DOUBLE_PX)) return null;
    const words = text.length > LONGEST ? `${text.slice(0, LONGEST - 2).trimEnd()}…` : text;
    const [width, height] = this.measure(words, weight, size);
    const corners = within?.map((corner) => map.latLngToContainerPoint(corner));
    /** @type {Box | undefined} */
    const room = corners ? [corners[0].x, corners[0].y, corners[1].x, corners[1].y] : undefined;
    const at = /** @type {[number, number]} */ ([p.x, p.y]);
    /** @type {Box} */
    const around = [2, 2, edges.x - 2, edges.y - 2];
    const wish = { at, width, height, gap, within: room, left, must };
    const box =
      room && centred ? placeInside(width, height, room, this.taken, this.words) : placeLabel(wish, this.taken, around);
    if (!box) return null;
    this.taken.push(box);
    this.words.push(box);
    this.said.push([text, p]);
    const style = {
      left: `${box[0] - p.x}px`,
      top: `${box[1] - p.y}px`,
      width: `${width}px`,
      height: `${height}px`,
      "font-size": `${height / 1.3}px`,
      "font-weight": String(weight),
    };
    return { words, style };
  }

  /** @param {Tag} tag @param {{words: string, style: Record<string, string>}} drawn */
  marker({ spot, look }, { words, style }) {
    const html = el("div", { class: `nv-tag ${look}`, text: words, style });
    const icon = L.divIcon({ html, className: "nv-tag-icon", iconSize: [0, 0] });
    return L.marker(spot, { pane: "nv-labels", interactive: false, keyboard: false, icon });
  }

  /**
   * Width and height of a label, in pixels.
   * @param {string} words
   * @param {number} weight
   * @param {number} size
   * @returns {[number, number]}
   */
  measure(words, weight, size) {
    this.type ??= this.readType();
    const px = Math.max(LEAST_PX, this.type.px * size);
    this.type.pen.font = `${weight} ${px}px ${this.type.face}`;
    return [Math.ceil(this.type.pen.measureText(words).width) + 4, px * 1.3];
  }

  readType() {
    const style = getComputedStyle(this.view.box);
    const pen = document.createElement("canvas").getContext("2d");
    if (!pen) throw new Error("this browser has no canvas");
    return { pen, px: Number.parseFloat(style.fontSize), face: style.fontFamily };
  }

  // --- what labels must leave free

  /** @returns {Box[]} */
  furniture() {
    const { view } = this;
    const parts = [
      view.tools,
      view.legend.box,
      view.credit,
      ...view.plan.querySelectorAll(".nv-floors, .leaflet-control-scale"),
    ];
    /** @type {Box[]} */
    const boxes = [];
    for (const part of parts) {
      const box = view.boxOf(part);
      if (box) boxes.push([box[0] - 3, box[1] - 3, box[2] + 3, box[3] + 3]);
    }
    return boxes;
  }

  /** @returns {Box[]} */
  signs() {
    const { view } = this;
    /** @type {Box[]} */
    const boxes = [];
    const around = (/** @type {L.LatLngExpression} */ spot, /** @type {number} */ half) => {
      const p = view.map.latLngToContainerPoint(spot);
      boxes.push([p.x - half, p.y - half, p.x + half, p.y + half]);
    };
    for (const group of [view.groups.ends, view.groups.step]) {
      group.eachLayer((layer) => {
        if (layer instanceof L.Marker) around(layer.getLatLng(), 10);
      });
    }
    const agent = view.spotAt(view.standing);
    if (agent) around(agent, 15);
    return boxes;
  }

  /** @returns {Box[]} */
  paths() {
    const { view } = this;
    const lines = [view.doc.reference, view.walked].map((nodes) => view.way(nodes.filter((node) => view.here(node))));
    return lines.flatMap((line) => {
      const points = line.map((spot) => view.map.latLngToContainerPoint(spot));
      return alongLine(
        points.map((p) => /** @type {[number, number]} */ ([p.x, p.y])),
        5,
      );
    });
  }

  /** Dots that no name may cover. @param {Spot[]} spots */
  keepFree(spots) {
    const { map } = this.view;
    const edges = map.getSize();
    for (const spot of spots) {
      const { x, y } = map.latLngToContainerPoint(spot);
      if (x > 0 && y > 0 && x < edges.x && y < edges.y) this.taken.push([x - 3, y - 3, x + 3, y + 3]);
    }
  }

  destroy() {
    clearTimeout(this.waiting);
  }
}
