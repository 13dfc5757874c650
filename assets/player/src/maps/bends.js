// @ts-check
// The shapes of links that do not run straight from node to node.

/** @typedef {import("../document").ReplayDocument} ReplayDocument */

/**
 * The positions that links pass between their nodes, by both nodes, either way.
 * @param {Pick<ReplayDocument, "bends" | "frame">} doc
 * @returns {Map<string, number[][]>}
 */
export function bendsOf(doc) {
  const size = doc.frame === "geo" ? 2 : 3;
  /** @type {Map<string, number[][]>} */
  const out = new Map();
  for (const { ends, at } of doc.bends ?? []) {
    const line = [];
    for (let i = 0; i < at.length; i += size) line.push(at.slice(i, i + size));
    out.set(`${ends[0]} ${ends[1]}`, line);
    out.set(`${ends[1]} ${ends[0]}`, [...line].reverse());
  }
  return out;
}
