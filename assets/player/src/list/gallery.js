// @ts-check
// A list as thumbnails: reference and agent path of each row, drawn from numbers as they come into sight.
import { el, svg } from "../dom.js";
import { Windowed } from "./window.js";

/** @typedef {{r: number[], a: number[], l?: [string | null, number[]][], g?: string}} Thumb  `g`: the ground below them */

const CARD_PX = 148;

/** @param {number[]} flat */
function pointsOf(flat) {
  const pairs = [];
  for (let k = 0; k < flat.length; k += 2) pairs.push(`${flat[k]},${flat[k + 1]}`);
  return pairs.join(" ");
}

/** @param {Thumb} thumb @param {string} outcome @param {string} title */
function thumbnail(thumb, outcome, title) {
  const { r, a, l, g } = thumb;
  const parts = [];
  if (g) parts.push(svg("image", { class: "ground", href: g, width: 96, height: 96 }));
  if (r.length) {
    parts.push(svg("polyline", { class: "ref", points: pointsOf(r) }));
    parts.push(svg("circle", { class: "goal", cx: r[r.length - 2], cy: r[r.length - 1], r: 4.5 }));
  }
  for (const [colour, leg] of l ?? [[null, a]]) {
    const line = svg("polyline", { class: "agent", points: pointsOf(/** @type {number[]} */ (leg)) });
    if (typeof colour === "string") line.style.stroke = colour;
    parts.push(line);
  }
  if (a.length) {
    const [x, y] = a.slice(-2);
    parts.push(svg("circle", { class: "start", cx: a[0], cy: a[1], r: 3 }));
    // a cross for a failure, so that colour is not the only sign
    if (outcome === "failure") parts.push(svg("path", { class: "cross", d: `M${x - 3},${y - 3}l6,6m0,-6l-6,6` }));
    else parts.push(svg("circle", { class: "stop", cx: x, cy: y, r: 2.6 }));
  }
  const drawn = svg("svg", { class: "nl-thumb", viewBox: "0 0 96 96", role: "img", "aria-label": title }, ...parts);
  drawn.dataset.outcome = outcome;
  return drawn;
}

export class Gallery {
  /**
   * @param {HTMLElement} box
   * @param {(row: number) => Promise<Thumb>} thumbOf
   * @param {(row: number) => {title: string, caption: string, outcome: string, href: string}} cardOf
   */
  constructor(box, thumbOf, cardOf) {
    this.thumbOf = thumbOf;
    this.cardOf = cardOf;
    /** @type {number[]} */
    this.shown = [];
    this.across = 1;
    this.inner = el("div", { class: "nl-gallery", tabindex: 0, role: "list" });
    box.replaceChildren(this.inner);
    this.window = new Windowed(this.inner, CARD_PX, (line) => this.line(line));
    this.sizes = new ResizeObserver(() => this.fit());
    this.sizes.observe(this.inner);
  }

  /** @param {number[]} shown */
  show(shown) {
    this.shown = shown;
    this.inner.scrollTop = 0;
    this.across = Math.max(1, Math.floor(this.inner.clientWidth / CARD_PX));
    this.window.show(Math.ceil(shown.length / this.across));
  }

  fit() {
    const across = Math.max(1, Math.floor(this.inner.clientWidth / CARD_PX));
    if (across === this.across) return;
    this.across = across;
    this.window.show(Math.ceil(this.shown.length / across));
  }

  destroy() {
    this.sizes.disconnect();
    this.window.destroy();
  }

  /** @param {number} line */
  line(line) {
    const rows = this.shown.slice(line * this.across, (line + 1) * this.across);
    return el("div", { class: "nl-cards" }, ...rows.map((row) => this.card(row)));
  }

  /** @param {number} row */
  card(row) {
    const { title, caption, outcome, href } = this.cardOf(row);
    const picture = el("span", { class: "nl-picture" });
    this.thumbOf(row).then((thumb) => picture.replaceChildren(thumbnail(thumb, outcome, title)));
    return el(
      "a",
      { class: "nl-card", role: "listitem", href, title, data: { row } },
      picture,
      el("span", { text: caption }),
    );
  }
}
