// @ts-check
// kind "graph": {nodes: [{id, label?, score?, state?, note?, chosen?, current?, visited?, frontier?, ring?, x?, y?}], links:
// [[id, id] or {source, target}], states?: [name], way_back?: [id], note?}. A state gives a node its look and, where
// `states` lists it, a place in the key; a ring is a part of 1, drawn around the node.
import { el, svg } from "../dom.js";
import { stateClass } from "../maps/place-states.js";
import { shortId } from "../text/figures.js";
import { BOX, graphLayout } from "./graph-layout.js";

/** @typedef {{id: string, label?: unknown, score?: unknown, state?: unknown, note?: unknown, chosen?: unknown, current?: unknown, visited?: unknown, frontier?: unknown, ring?: unknown, x?: number, y?: number}} GraphNode */

/** @type {import("./registry.js").PanelRenderer} */
export function draw(data, { linker, doc }) {
  const nodes = /** @type {any[]} */ (data.nodes ?? []).map(asNode);
  const at = graphLayout(nodes, doc);
  const drawing = svg("svg", { viewBox: `0 0 ${BOX.width} ${BOX.height}`, class: "nv-graph", role: "img" });
  for (const link of data.links ?? []) {
    const [a, b] = Array.isArray(link) ? link : [link.source ?? link.from, link.target ?? link.to];
    const p = at.get(String(a));
    const q = at.get(String(b));
    if (p && q) drawing.append(svg("line", { x1: p[0], y1: p[1], x2: q[0], y2: q[1] }));
  }
  const back = /** @type {unknown[]} */ (data.way_back ?? [])
    .map((id) => at.get(String(id)))
    .filter((p) => p !== undefined);
  if (back.length > 1) {
    drawing.append(svg("polyline", { class: "nv-walk-back", points: back.map((p) => p.join(",")).join(" ") }));
  }
  for (const node of nodes) drawing.append(nodeView(node, at.get(node.id) ?? [0, 0], linker));
  const states = keyView(Array.isArray(data.states) ? data.states : [], nodes);
  const note = data.note ? el("p", { class: "nv-panel-note", text: String(data.note) }) : null;
  return states || note ? el("div", {}, note, drawing, states) : drawing;
}

/**
 * The states that stand in the drawing.
 * @param {unknown[]} states
 * @param {GraphNode[]} nodes
 */
function keyView(states, nodes) {
  const there = states.filter((state) => nodes.some((node) => node.state === state));
  if (!there.length) return null;
  return el(
    "div",
    { class: "nv-panel-key" },
    there.map((state) =>
      el("span", {}, el("i", { class: `nv-key nv-key-${stateClass(state).slice(3)}` }), String(state)),
    ),
  );
}

/** @param {any} node @returns {GraphNode} */
const asNode = (node) => (typeof node === "object" && node ? { ...node, id: String(node.id) } : { id: String(node) });

/**
 * @param {GraphNode} node
 * @param {[number, number]} place
 * @param {import("../text/linker.js").Linker} linker
 */
function nodeView(node, [x, y], linker) {
  const ref = linker.tokens.get(node.id);
  const dot = svg("circle", {
    cx: x,
    cy: y,
    r: node.current ? 7 : 5,
    class: node.chosen || node.current ? "nv-chosen" : node.visited ? "nv-visited" : node.frontier ? "nv-frontier" : "",
  });
  const label = svg("text", { x: x + 8, y: y + 4 });
  const score = typeof node.score === "number" ? ` ${Math.round(node.score * 100) / 100}` : "";
  label.textContent = String(node.label ?? shortId(node.id)) + score;
  const group = svg(
    "g",
    { class: [ref ? "nv-ref" : "", stateClass(node.state)].filter(Boolean).join(" ") },
    ...ringView(node, x, y),
    dot,
    label,
  );
  if (node.note) {
    const title = svg("title", {});
    title.textContent = `${label.textContent}: ${node.note}`;
    group.append(title);
  }
  if (ref) group.dataset.ref = ref;
  return group;
}

/**
 * A part of a circle around the node: a whole one is 1.
 * @param {GraphNode} node
 * @param {number} x
 * @param {number} y
 */
function ringView({ ring }, x, y) {
  if (typeof ring !== "number" || !(ring > 0)) return [];
  const r = 9.5;
  const whole = 2 * Math.PI * r;
  const title = svg("title");
  title.textContent = `stop ${Math.round(ring * 100) / 100}`;
  const dashes = `${whole * Math.min(ring, 1)} ${whole}`;
  return [svg("circle", { cx: x, cy: y, r, class: "nv-ring", "stroke-dasharray": dashes }, title)];
}
