// @ts-check
// Where the nodes of a graph panel stand in its drawing.
import { nodeAt } from "../nodes.js";

/** The drawing's size and the room left around the nodes for their labels. */
export const BOX = { width: 320, height: 220, margin: 20, labels: 60 };

/**
 * Places in the drawing: the nodes' own x and y, else their places on the map, else a ring.
 * @param {{id: string, x?: number, y?: number}[]} nodes
 * @param {Pick<import("../document").ReplayDocument, "frame" | "nodes">} doc
 * @returns {Map<string, [number, number]>}
 */
export function graphLayout(nodes, doc) {
  const index = new Map(doc.nodes.ids.map((id, i) => [id, i]));
  const raw = nodes.map((node, i) => own(node) ?? onMap(index.get(node.id), doc) ?? onRing(i, nodes.length));
  const xs = raw.map((p) => p[0]);
  const ys = raw.map((p) => p[1]);
  const [x0, y0] = [Math.min(...xs), Math.min(...ys)];
  const width = BOX.width - BOX.margin - BOX.labels;
  const height = BOX.height - 2 * BOX.margin;
  const scale = Math.min(width / (Math.max(...xs) - x0 || 1), height / (Math.max(...ys) - y0 || 1));
  return new Map(
    nodes.map((node, i) => [node.id, [BOX.margin + (raw[i][0] - x0) * scale, BOX.margin + (raw[i][1] - y0) * scale]]),
  );
}

/** @param {{x?: number, y?: number}} node @returns {[number, number] | null} */
function own({ x, y }) {
  return typeof x === "number" && typeof y === "number" && Number.isFinite(x) && Number.isFinite(y) ? [x, -y] : null;
}

/**
 * @param {number | undefined} k
 * @param {Pick<import("../document").ReplayDocument, "frame" | "nodes">} doc
 * @returns {[number, number] | null}
 */
function onMap(k, doc) {
  if (k === undefined) return null;
  const [a, b] = nodeAt(doc, k);
  return doc.frame === "geo" ? [b * Math.cos((a * Math.PI) / 180), -a] : [a, -b];
}

/** @param {number} i @param {number} count @returns {[number, number]} */
function onRing(i, count) {
  const turn = (2 * Math.PI * i) / count;
  return [Math.sin(turn), -Math.cos(turn)];
}
