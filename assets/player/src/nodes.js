// @ts-check
// Nodes of a document, whose coordinates stand one after the other.

/** @typedef {import("./document").ReplayDocument} ReplayDocument */

/**
 * Coordinates of a node: two in the street, three in a house.
 * @param {Pick<ReplayDocument, "frame" | "nodes">} doc
 * @param {number} node
 */
export function nodeAt(doc, node) {
  const size = doc.frame === "geo" ? 2 : 3;
  return doc.nodes.at.slice(node * size, node * size + size);
}

/** Label and place of a node. @param {ReplayDocument} doc @param {number} node @returns {import("./types").Place} */
export function nodePlace(doc, node) {
  return { label: doc.nodes.ids[node], nodes: [node], at: [nodeAt(doc, node)] };
}

/** The first cause at or before the departure. @param {import("./document").ReplayDocument} doc */
export function leadingCause({ causes }) {
  return causes?.leading === undefined ? undefined : causes.all[causes.leading];
}
