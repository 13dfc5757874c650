// @ts-check
// Lighting up the places that the text points at.

/** @typedef {import("./walk-map.js").WalkMap} WalkMap */

/** @param {WalkMap} view @param {string[]} refs */
export function lightUp(view, refs) {
  view.groups.light.clearLayers();
  for (const node of view.box.querySelectorAll(".nv-sign.nv-lit")) node.classList.remove("nv-lit");
  for (const ref of refs) {
    for (const at of view.api.resolve(ref, view.step).at) ring(view, view.spot(at), view.refHere(ref, at));
    for (const node of view.box.querySelectorAll(`.nv-sign[data-ref="${CSS.escape(ref)}"]`))
      node.classList.add("nv-lit");
  }
}

/**
 * @param {WalkMap} view
 * @param {import("../types").Spot} spot
 * @param {boolean} here
 */
function ring(view, spot, here) {
  const { color } = view.api;
  const outer = {
    radius: 15,
    color: color("lit"),
    weight: 4,
    fillColor: color("lit"),
    fillOpacity: here ? 0.25 : 0.1,
    dashArray: here ? undefined : "4 4",
  };
  view.add(L.circleMarker(spot, view.on("walk", outer)), "light");
  if (!here) return;
  const inner = { radius: 5, color: color("ground"), weight: 1.5, fillColor: color("lit"), fillOpacity: 1 };
  view.add(L.circleMarker(spot, view.on("walk", inner)), "light");
}
