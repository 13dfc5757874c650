// @ts-check
// The agent's own map on the map: what became of each place (explored, seen, pruned), as its graph panel tells.
//
// A panel of kind "graph" whose data name `states` is such a map (MSNav, MapGPT); colours are those of the panel.

/** @typedef {import("../document").ReplayDocument} ReplayDocument */
/** @typedef {{id: string, state: string, note?: string}} PlaceState */
/** @typedef {Pick<import("../document").StepEntry, "panels">} Panels */

/** Colour, dashes and opacity of each state; what the map shows anyway (agent, candidates) has none. */
/** @type {Record<string, {color: string, dashArray?: string, opacity: number, word: string}>} */
const LOOKS = {
  explored: { color: "reference", opacity: 0.95, word: "explored" },
  seen: { color: "rejected", opacity: 0.9, word: "seen" },
  "pruned now": { color: "bad", dashArray: "3 3", opacity: 0.95, word: "pruned now" },
  "pruned before": { color: "rejected", dashArray: "2 4", opacity: 0.45, word: "pruned before" },
};
const RADIUS = 9;

/** The class of a state: "pruned now" gives "nv-place-pruned-now". @param {unknown} state */
export const stateClass = (state) => (typeof state === "string" ? `nv-place-${state.replaceAll(/[^a-z]+/g, "-")}` : "");

/**
 * The places that a step's panels tell the state of.
 * @param {Panels | undefined} step
 * @returns {PlaceState[]}
 */
export function placeStates(step) {
  const panel = step?.panels.find((item) => item.kind === "graph" && Array.isArray(item.data.states));
  const nodes = Array.isArray(panel?.data.nodes) ? panel.data.nodes : [];
  return nodes.filter((node) => typeof node?.id === "string" && typeof node.state === "string");
}

/** Whether any step has such a map. @param {ReplayDocument} doc */
export const hasStates = (doc) => doc.steps.some((step) => placeStates(step).length > 0);

/** The states that the legend may come to list. @param {ReplayDocument} doc */
export const allStates = (doc) =>
  new Set(doc.steps.flatMap((step) => placeStates(step).map((place) => place.state)).filter((state) => state in LOOKS));

/** Legend entries of some states. @param {Set<string>} states @returns {import("./legend.js").Entries} */
export const stateEntries = (states) =>
  Object.keys(LOOKS)
    .filter((state) => states.has(state))
    .map((state) => [stateClass(state).replace("nv-", ""), LOOKS[state].word]);

/**
 * Draw the states of a step; returns those that are on the map.
 * @param {import("./walk-map.js").WalkMap} view
 * @param {import("../document").StepEntry} now
 * @returns {Set<string>}
 */
export function drawStates(view, now) {
  const shown = /** @type {Set<string>} */ (new Set());
  const places = placeStates(now);
  if (!places.length) return shown;
  const index = new Map(view.doc.nodes.ids.map((id, i) => [id, i]));
  for (const { id, state } of places) {
    const node = index.get(id);
    const look = Object.hasOwn(LOOKS, state) ? LOOKS[state] : undefined;
    const spot = view.spotAt(node);
    if (!look || !spot || !view.here(node)) continue;
    const { color, dashArray, opacity } = look;
    const ring = { radius: RADIUS, color: view.api.color(color), weight: 2.6, opacity, dashArray, fill: false };
    view.add(L.circleMarker(spot, view.on("walk", ring)), "step");
    shown.add(state);
  }
  return shown;
}
