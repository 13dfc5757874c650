// @ts-check
// The cone of a look around, as places on the map.
import { nodeAt } from "../nodes.js";

/** Length of the cone, in metres. */
const LONG_M = { geo: 22, metric: 2.2 };
const DEGREE_M = 111_320;
const PARTS = 6;

/**
 * Its corner and its arc, in the document's coordinates.
 * @param {import("../document").ReplayDocument} doc
 * @param {{node: number, heading: number, field: number}} look
 * @returns {number[][]}
 */
export function coneSpots(doc, { node, heading, field }) {
  const at = nodeAt(doc, node);
  const spots = [at];
  for (let k = 0; k <= PARTS; k++) {
    const angle = ((heading - field / 2 + (field * k) / PARTS) * Math.PI) / 180;
    const [east, north] = [Math.sin(angle) * LONG_M[doc.frame], Math.cos(angle) * LONG_M[doc.frame]];
    if (doc.frame === "geo") {
      const across = DEGREE_M * Math.cos((at[0] * Math.PI) / 180);
      spots.push([at[0] + north / DEGREE_M, at[1] + east / across]);
    } else spots.push([at[0] + east, at[1] + north, at[2]]);
  }
  return spots;
}
