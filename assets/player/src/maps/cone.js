// @ts-check
// From where, and in which direction, the user looks around: a cone on the map.
import { nodeAt } from "../nodes.js";

/** @typedef {{node: number, heading: number, field: number}} LookFrom */

/** Length of the cone, in metres. */
const LONG_M = { geo: 22, metric: 2.2 };
const DEGREE_M = 111_320;
const PARTS = 6;

/** @param {import("./walk-map.js").WalkMap} view @param {LookFrom | null} look */
export function showCone(view, look) {
  view.coneShape.remove();
  if (!look) return;
  const colour = view.api.color("lit");
  const style = view.on("walk", { color: colour, weight: 1.5, fillColor: colour, fillOpacity: 0.28 });
  const spots = coneSpots(view.doc, look).map((at) => view.spot(at));
  view.coneShape = L.polygon(spots, style).addTo(view.map);
}

/**
 * Its corner and its arc, in the document's coordinates.
 * @param {import("../document").ReplayDocument} doc
 * @param {LookFrom} look
 * @returns {number[][]}
 */
function coneSpots(doc, { node, heading, field }) {
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
