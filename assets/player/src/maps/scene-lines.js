// @ts-check
// Lines and places of the 3-D scene as plotly takes them.

/** @typedef {import("../document").ReplayDocument} ReplayDocument */
/** @typedef {number[] | null} Place */

/** What all traces of the scene share. */
export const QUIET = { type: "scatter3d", hoverinfo: "skip", showlegend: false };

/** @param {ReplayDocument} doc @returns {(node: number | string | undefined) => Place} */
export function placeIn(doc) {
  const { at, ids } = doc.nodes;
  return (node) => (typeof node === "number" && node < ids.length ? at.slice(3 * node, 3 * node + 3) : null);
}

/** Coordinates of a line; null breaks it. @param {Place[]} points */
export function line(points) {
  const kept = points.filter((p) => p !== null);
  return { x: kept.map((p) => p[0]), y: kept.map((p) => p[1]), z: kept.map((p) => p[2]) };
}

/** Coordinates of several lines with breaks between them. @param {Place[][]} lines */
export function lines(lines) {
  /** @type {{x: (number | null)[], y: (number | null)[], z: (number | null)[]}} */
  const out = { x: [], y: [], z: [] };
  for (const points of lines) {
    const { x, y, z } = line(points);
    out.x.push(...x, null);
    out.y.push(...y, null);
    out.z.push(...z, null);
  }
  return out;
}
