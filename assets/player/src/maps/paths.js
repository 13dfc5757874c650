// @ts-check
// The ways that no step changes: the reference path, rings around goal and targets, the runs compared.
import { stageColor } from "../shell/stages.js";
import { sign } from "./signs.js";
import { chain } from "./walks.js";

/** @typedef {import("./walk-map.js").WalkMap} WalkMap */
/** @typedef {import("./walk-map.js").NodeRef} NodeRef */

/** @type {"butt"} */
const BUTT = "butt";

/** @param {WalkMap} view */
export function drawPaths(view) {
  const { color } = view.api;
  const { doc } = view;
  if (view.layers.shows("reference")) {
    const style = { color: color("reference"), weight: 8, opacity: 0.95, dashArray: "9 7", lineCap: BUTT };
    view.drawWay([doc.reference], style, "paths", "walk");
  }
  const goal = view.spotAt(view.goal);
  drawTargets(view);
  if (goal && view.here(view.goal) && !doc.episode.tasks.length) {
    const look = { color: color("reference"), weight: 1.6, opacity: 0.9, dashArray: "3 4", fillOpacity: 0.09 };
    view.add(L.circle(goal, { ...view.on("walk", look), radius: doc.episode.success_radius_m }), "paths");
  }
  if (!view.layers.shows("other")) return;
  if (doc.compare) drawCompared(view, doc.compare);
  for (const walk of doc.further ?? []) drawFurther(view, walk);
}

/** A ring of the success radius around each target, in its stage's colour. @param {WalkMap} view */
function drawTargets(view) {
  const { episode, stages } = view.doc;
  episode.tasks.forEach((task, i) => {
    const tint = view.api.color(stages.length ? stageColor(i) : "reference");
    const main = view.mainGoal(task);
    for (const node of task.goals) {
      const spot = view.spotAt(node);
      if (!spot || !view.here(node)) continue;
      const look = {
        color: tint,
        weight: 1.8,
        dashArray: "4 3",
        fillColor: tint,
        fillOpacity: 0.06,
        stroke: node === main,
      };
      view.add(L.circle(spot, { ...view.on("walk", look), radius: episode.success_radius_m }), "paths");
    }
  });
}

/** @param {WalkMap} view @param {import("../document").Compared} other */
function drawCompared(view, other) {
  const { lines } = chain(other.steps, other.end, 0, other.steps.length);
  // solid, as the legend shows it; only the reference path and what is not walked are dashed
  const style = { color: view.api.color("other"), weight: 4, lineCap: BUTT };
  view.drawWay(lines, style, "paths", "walk");
  stopSign(view, lines, "nv-sign-other", other.label);
}

/** @param {WalkMap} view @param {import("../document").FurtherWalk} walk */
function drawFurther(view, walk) {
  const { lines } = chain(walk.steps, walk.end, 0, walk.steps.length);
  view.drawWay(lines, { color: walk.colour, weight: 3, lineCap: BUTT }, "paths", "walk");
  const drawn = stopSign(view, lines, "nv-sign-further", walk.label)?.getElement()?.firstElementChild;
  if (drawn instanceof HTMLElement) drawn.style.setProperty("--nv-further", walk.colour);
}

/**
 * Where a run compared stops.
 * @param {WalkMap} view
 * @param {NodeRef[][]} lines
 * @param {string} look
 * @param {string} label
 */
function stopSign(view, lines, look, label) {
  const last = lines.at(-1)?.at(-1);
  const spot = view.spotAt(last);
  if (!spot || !view.here(last)) return null;
  return view.add(sign(spot, `nv-sign-stop ${look}`, { title: `Stop of ${label}`, pane: "markerPane" }), "ends");
}

/** Where the runs compared stand at this step: one cursor moves all. @param {WalkMap} view */
export function placeOthers(view) {
  const { compare, further } = view.doc;
  if (!(further?.length || compare?.partners) || !view.layers.shows("other")) return;
  view.others().forEach(({ steps, end, tint }, number) => {
    const step = (number === 0 && compare?.partners?.[view.step - 1]) || view.step;
    const node = view.step === 0 ? view.start : (steps[step - 1]?.node ?? end ?? steps.at(-1)?.node);
    const spot = view.spotAt(node);
    if (!spot || !view.here(node)) return;
    const look = { radius: 6, color: view.api.color("paper"), weight: 2, fillColor: tint, fillOpacity: 1 };
    view.add(L.circleMarker(spot, view.on("walk", look)), "step");
  });
}

/**
 * Where two walks part: what each of them does there.
 * @param {WalkMap} view
 * @returns {import("./label-view.js").Tag[]}
 */
export function moveTags(view) {
  const { compare } = view.doc;
  if (compare?.parting !== view.step) return [];
  return (compare.apart ?? []).flatMap(([node, text], number) => {
    const spot = view.spotAt(/** @type {NodeRef} */ (node));
    const look = number ? "nv-tag-other" : "nv-tag-stop";
    if (!spot || !view.here(/** @type {NodeRef} */ (node))) return [];
    return [{ spot, text: String(text), look, gap: 16, weight: 700, size: 1, must: true }];
  });
}
