// @ts-check
// The map's canvases: what stays and what a step changes lie apart, so that a step paints a few shapes only.

/** @typedef {"ground" | "paths" | "step" | "move" | "light"} Sheet  a canvas of its own */
/** @typedef {"ground" | "paths" | "ends" | "step" | "light"} GroupName  what is cleared together */

/** Canvases from below to above; Leaflet's markers lie at 600. @type {[Sheet, number][]} */
const SHEETS = [
  ["ground", 210],
  ["paths", 410],
  ["step", 420],
  ["light", 430],
  ["move", 580],
];
/** @type {GroupName[]} */
const GROUPS = ["ground", "paths", "ends", "step", "light"];
/** Elements on panes of their own: signs below the move and the ends, the chosen place above, labels above all. */
const PANES = { "nv-signs": 560, "nv-chosen": 610, "nv-labels": 650 };

/** A canvas draws a little more than the map shows, for dragging. */
const CANVAS_PADDING = 0.4;

/** @param {L.Map} map */
export function makeSheets(map) {
  const sheets = /** @type {Record<Sheet, L.Canvas>} */ ({});
  for (const [name, level] of SHEETS) {
    const pane = map.createPane(`nv-${name}`);
    pane.style.zIndex = String(level);
    pane.style.pointerEvents = "none";
    sheets[name] = L.canvas({ pane: `nv-${name}`, padding: CANVAS_PADDING });
    // a frame that was asked for may come after the map has gone
    const canvas = /** @type {{_redraw: () => void, _ctx?: object}} */ (/** @type {unknown} */ (sheets[name]));
    const redraw = canvas._redraw;
    canvas._redraw = () => {
      if (canvas._ctx) redraw.call(canvas);
    };
  }
  for (const [name, level] of Object.entries(PANES)) map.createPane(name).style.zIndex = String(level);
  return sheets;
}

/** @param {L.Map} map @returns {Record<GroupName, L.LayerGroup>} */
export function makeGroups(map) {
  return /** @type {Record<GroupName, L.LayerGroup>} */ (
    Object.fromEntries(GROUPS.map((name) => [name, L.layerGroup().addTo(map)]))
  );
}
