// @ts-check
// The nodes at which walks pause: red dots, as in the gutter of the time line.

/** @param {import("./walk-map.js").WalkMap} view */
export function drawBreaks(view) {
  for (const { node } of view.api.options.breakpoints ?? []) {
    const spot = view.spotAt(view.doc.nodes.ids.indexOf(node ?? ""));
    const style = {
      radius: 6,
      color: view.api.color("paper"),
      weight: 2,
      fillColor: view.api.color("bad"),
      fillOpacity: 1,
    };
    if (spot) view.add(L.circleMarker(spot, view.on("walk", style)), "step");
  }
}
