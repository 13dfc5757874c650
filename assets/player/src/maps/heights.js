// @ts-check
// How high an agent flew: a strip under the map with its height along the steps. A plan seen from above shows no
// height, and the 3-D scene no numbers.
import { el, svg } from "../dom.js";
import { metres } from "../text/figures.js";

/** @typedef {import("../document").ReplayDocument} ReplayDocument */
/** @typedef {number | string | undefined} NodeRef */

/** Walks that rise and fall by less, in metres, have no strip: thresholds, ramps, a camera that nods. */
const LEAST_RISE_M = 2;

/**
 * The agent's height before each step and at the end, in metres; null where the log has a hole.
 * @param {ReplayDocument} doc
 * @returns {(number | null)[]}
 */
export function heightsOf(doc) {
  const nodes = [doc.episode.start, ...doc.steps.map(({ node }) => node), doc.end?.node];
  return nodes.map((node) => heightOf(doc, node));
}

/** @param {ReplayDocument} doc @param {NodeRef} node */
function heightOf(doc, node) {
  return typeof node === "number" ? (doc.nodes.at[3 * node + 2] ?? null) : null;
}

/** Whether a walk has a strip: only one that moves freely, on a ground without storeys. @param {ReplayDocument} doc */
export function hasHeights(doc) {
  // storeys of a house have buttons and levels of their own
  if (doc.frame !== "metric" || !doc.free || (doc.indoor?.floors.length ?? 0) > 1) return false;
  const { low, high } = span(heightsOf(doc));
  return high - low >= LEAST_RISE_M;
}

/** @param {(number | null)[]} heights */
function span(heights) {
  const there = heights.filter((each) => each !== null);
  return { low: Math.min(...there), high: Math.max(...there) };
}

export class Heights {
  /** @param {HTMLElement} container @param {ReplayDocument} doc */
  constructor(container, doc) {
    this.container = container;
    this.line = svg("path", { class: "nv-heights-line" });
    this.goal = svg("path", { class: "nv-heights-goal" });
    this.mark = el("i", { class: "nv-heights-mark" });
    this.now = el("strong");
    this.most = el("span", { class: "nv-heights-most" });
    this.least = el("span", { class: "nv-heights-least" });
    // stretched to the strip's size: lines keep their width by vector-effect
    const curve = svg("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" });
    curve.append(this.goal, this.line);
    const plot = el("div", { class: "nv-heights-plot" }, curve, this.mark, this.most, this.least);
    const head = el("div", { class: "nv-heights-now" }, "Height", this.now);
    this.box = el("div", { class: "nv-heights", role: "img" }, head, plot);
    container.append(this.box);
    this.update(doc);
  }

  /** @param {ReplayDocument} doc */
  update(doc) {
    this.doc = doc;
    this.heights = heightsOf(doc);
    this.box.hidden = !hasHeights(doc);
    this.container.classList.toggle("nv-with-heights", !this.box.hidden);
    if (this.box.hidden) return;
    const goal = heightOf(doc, doc.episode.goal);
    const { low, high } = span([...this.heights, goal]);
    this.low = low;
    this.rise = high - low;
    this.line.setAttribute("d", this.path());
    this.goal.setAttribute("d", goal === null ? "" : `M0 ${this.y(goal)}H1`);
    this.most.textContent = metres(high);
    this.least.textContent = metres(low);
    const goes = `Height along the steps, from ${metres(low)} to ${metres(high)}`;
    this.box.setAttribute("aria-label", goal === null ? goes : `${goes}; the goal at ${metres(goal)}`);
  }

  /** A hole in the log is a hole in the line. */
  path() {
    let pen = "M";
    return (this.heights ?? [])
      .map((height, k) => {
        if (height === null) {
          pen = "M";
          return "";
        }
        const piece = `${pen}${this.x(k)} ${this.y(height)}`;
        pen = "L";
        return piece;
      })
      .join("");
  }

  /** @param {number} k */
  x(k) {
    return k / Math.max(1, (this.heights?.length ?? 2) - 1);
  }

  /** @param {number} height */
  y(height) {
    return 1 - (height - (this.low ?? 0)) / (this.rise || 1);
  }

  /** @param {number} step */
  showStep(step) {
    if (this.box.hidden) return;
    const height = this.heights?.[step] ?? null;
    this.now.textContent = metres(height);
    this.mark.hidden = height === null;
    if (height === null) return;
    this.mark.style.left = `${100 * this.x(step)}%`;
    this.mark.style.top = `${100 * this.y(height)}%`;
  }
}
