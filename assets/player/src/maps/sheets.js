// @ts-check
// The map's canvases: ground and walk lie apart, so that a step paints a few shapes only; its move lies above the signs.
// Each canvas is copied whole into every frame that a browser without a graphics card paints, so that there are few.

/** @typedef {"ground" | "walk" | "move"} Sheet  a canvas of its own */
/** @typedef {"ground" | "paths" | "ends" | "step" | "light"} GroupName  what is cleared together */

/** Canvases from below to above; Leaflet's markers lie at 600. @type {[Sheet, number][]} */
const SHEETS = [
  ["ground", 210],
  ["walk", 420],
  ["move", 580],
];
/** @type {GroupName[]} */
const GROUPS = ["ground", "paths", "ends", "step", "light"];
/** Elements on panes of their own: signs below the move and the ends, the chosen place above, labels above all. */
const PANES = { "nv-signs": 560, "nv-chosen": 610, "nv-labels": 650 };

/** So much more than the map shows, as a share of it, a canvas draws on each side: little at rest; far when the map is moved. */
const AT_REST = 0.1;
const MOVING = 0.4;

/** @param {L.Map} map */
export function makeSheets(map) {
  const sheets = /** @type {Record<Sheet, L.Canvas>} */ ({});
  for (const [name, level] of SHEETS) {
    const pane = map.createPane(`nv-${name}`);
    pane.style.zIndex = String(level);
    pane.style.pointerEvents = "none";
    sheets[name] = L.canvas({ pane: `nv-${name}`, padding: AT_REST });
    // a frame that was asked for may come after the map has gone, and need not come after all was drawn in another way
    const canvas = /** @type {{_redraw: () => void, _redrawRequest?: number, _ctx?: object}} */ (
      /** @type {unknown} */ (sheets[name])
    );
    const redraw = canvas._redraw;
    canvas._redraw = () => {
      if (canvas._redrawRequest) L.Util.cancelAnimFrame(canvas._redrawRequest);
      if (canvas._ctx) redraw.call(canvas);
    };
  }
  for (const [name, level] of Object.entries(PANES)) map.createPane(name).style.zIndex = String(level);
  return sheets;
}

/** Let the canvases reach far, since the map is about to move. @param {L.Map} map @param {Record<Sheet, L.Canvas>} sheets */
export function widen(map, sheets) {
  for (const sheet of Object.values(sheets)) {
    if (sheet.options.padding === MOVING) continue;
    sheet.options.padding = MOVING;
    const drawn = /** @type {{_update: () => void}} */ (/** @type {unknown} */ (sheet));
    if (map.hasLayer(sheet)) drawn._update();
  }
}

/** Let the canvases be small again from the next drawing on. @param {Record<Sheet, L.Canvas>} sheets */
export function narrow(sheets) {
  for (const sheet of Object.values(sheets)) sheet.options.padding = AT_REST;
}

/** @param {L.Map} map @returns {Record<GroupName, L.LayerGroup>} */
export function makeGroups(map) {
  return /** @type {Record<GroupName, L.LayerGroup>} */ (
    Object.fromEntries(GROUPS.map((name) => [name, L.layerGroup().addTo(map)]))
  );
}
