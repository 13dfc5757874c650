// @ts-check
// kind "graph": {nodes: [{id, label?, score?, state?, note?, chosen?, current?, x?, y?}], links: [[id, id] or {source,
// target}], states?: [name], note?}. A state gives a node its look and, where `states` lists it, a place in the key.
import { el, svg } from "../dom.js";
import { stateClass } from "../maps/place-states.js";
import { shortId } from "../text/figures.js";
import { BOX, graphLayout } from "./graph-layout.js";

/** @typedef {{id: string, label?: unknown, score?: unknown, state?: unknown, note?: unknown, chosen?: unknown, current?: unknown, x?: number, y?: number}} GraphNode */

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
    class: node.chosen || node.current ? "nv-chosen" : "",
  });
  const label = svg("text", { x: x + 8, y: y + 4 });
  const score = typeof node.score === "number" ? ` ${Math.round(node.score * 100) / 100}` : "";
  label.textContent = String(node.label ?? shortId(node.id)) + score;
  const group = svg(
    "g",
    { class: [ref ? "nv-ref" : "", stateClass(node.state)].filter(Boolean).join(" ") },
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
