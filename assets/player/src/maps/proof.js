// @ts-check
// The places that prove why a walk failed, such as a landmark that was never shown: a red ring at every step.
import { leadingCause } from "../nodes.js";

/** @typedef {import("./walk-map.js").WalkMap} WalkMap */

/** Quotes of the likely cause that have a place on the map. @param {WalkMap} view */
function placesOf(view) {
  return (leadingCause(view.doc)?.quotes ?? []).filter(({ at, source }) => at && source === "map");
}

/** @param {WalkMap} view */
export function drawProof(view) {
  for (const { at } of placesOf(view)) {
    const style = { radius: 14, color: view.api.color("bad"), weight: 3, fill: false, dashArray: "6 4" };
    view.add(L.circleMarker(view.spot(at ?? []), view.on("walk", style)), "step");
  }
}

/** What the rings are about. @param {WalkMap} view @returns {import("./label-view.js").Tag[]} */
export function proofTags(view) {
  return placesOf(view).map(({ at, text }) => ({
    spot: view.spot(at ?? []),
    text,
    look: "nv-tag-proof",
    gap: 18,
    weight: 700,
    size: 13 / 14,
    must: true,
  }));
}
