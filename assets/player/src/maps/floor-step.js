// @ts-check
// What an agent indoors sees around it: eight sectors, and objects by angle and distance.
import { along, sectorOf } from "./angles.js";

/** @typedef {import("./floor-map.js").FloorMap} FloorMap */
/** @typedef {import("../document").StepEntry} StepEntry */
/** @typedef {import("../types").Spot} Spot */

/** How far observations reach, in metres. */
const REACH_M = 3;

/** Whether the agent is told of eight directions. @param {StepEntry} now */
export function seesAround(now) {
  return (
    Boolean(now.observation?.format.startsWith("panorama")) || now.panels.some((panel) => panel.kind === "directions")
  );
}

/** How many directions the agent is told of: eight, or as many as its text has ranges. @param {StepEntry} now */
export function sectorsOf(now) {
  const told = now.panels.find((panel) => panel.kind === "directions")?.data.directions;
  const ranges = Array.isArray(told) ? told.filter((entry) => entry?.range_deg) : [];
  return ranges.length || 8;
}

/**
 * The sectors around the agent, fixed to the house; the one that it calls its front is filled.
 * @param {FloorMap} view
 * @param {number} node
 * @param {number} heading
 * @param {number} count
 */
export function drawSectors(view, node, heading, count) {
  const { color } = view.api;
  const at = view.metresOf(node);
  const wide = 360 / count;
  const front = sectorOf(heading, count);
  const spot = (/** @type {number} */ degrees, /** @type {number} */ far) => view.spot(along(at, degrees, far));
  const arc = Array.from({ length: 10 }, (_, k) => spot(front * wide + wide * (k / 9 - 0.5), REACH_M));
  view.add(
    L.polygon(
      [view.spotOf(node), ...arc],
      view.on("walk", { stroke: false, fillColor: color("seen"), fillOpacity: 0.2 }),
    ),
    "step",
  );
  view.add(
    L.circle(view.spotOf(node), {
      ...view.on("walk", { color: color("seen-ink"), weight: 1, dashArray: "2 4", fill: false }),
      radius: REACH_M,
    }),
    "step",
  );
  const spokes = Array.from({ length: count }, (_, k) => [
    spot((k + 0.5) * wide, 0.55 * REACH_M),
    spot((k + 0.5) * wide, REACH_M),
  ]);
  view.add(L.polyline(spokes, view.on("walk", { color: color("seen-ink"), weight: 1, opacity: 0.5 })), "step");
}

/**
 * What the agent was shown, where its angle and distance put it; else where the world has it.
 * @param {FloorMap} view
 * @param {StepEntry} now
 * @param {number | undefined} heading
 */
export function placed(view, now, heading) {
  const at = typeof now.node === "number" ? view.metresOf(now.node) : null;
  return (now.observation?.pois ?? []).flatMap((poi) => {
    const said = /^(left|right) ([\d.]+)/.exec(poi.direction ?? "");
    if (said && heading !== undefined && at && poi.distance_m !== undefined) {
      const angle = heading + (said[1] === "left" ? -1 : 1) * Number(said[2]);
      return [{ ...poi, at: [...along(at, angle, poi.distance_m), at[2]] }];
    }
    return poi.at && !poi.approximate ? [{ ...poi, at: poi.at }] : [];
  });
}
