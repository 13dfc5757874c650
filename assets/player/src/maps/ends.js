// @ts-check
// The signs of start, goal, numbered targets and stop, and their labels.
import { STAGE_COLORS } from "../shell/stages.js";
import { sign } from "./signs.js";

/** @typedef {import("./walk-map.js").WalkMap} WalkMap */
/** @typedef {import("./walk-map.js").NodeRef} NodeRef */
/** @typedef {{start: L.Marker | null, stop: L.Marker | null, stopNode: NodeRef | undefined}} Ends  what later steps restyle */

/** @param {WalkMap} view @returns {Ends} */
export function drawEnds(view) {
  const { episode } = view.doc;
  const start = endSign(view, view.start, "nv-sign-start", "Start", -200);
  if (!episode.tasks.length) endSign(view, view.goal, "nv-sign-goal", "Goal", -100);
  episode.tasks.forEach((task, i) => {
    const main = view.mainGoal(task);
    if (main !== undefined) targetSign(view, main, i, task);
  });
  const stopNode = view.doc.end ? view.walked.at(-1) : undefined;
  return { start, stop: endSign(view, stopNode, "nv-sign-stop", "Stop", 0), stopNode };
}

/**
 * @param {WalkMap} view
 * @param {NodeRef | undefined} node
 * @param {string} look
 * @param {string} ref
 * @param {number} raise
 */
function endSign(view, node, look, ref, raise) {
  const spot = view.spotAt(node);
  return spot && view.here(node) ? view.add(sign(spot, look, { ref, pane: "markerPane", raise }), "ends") : null;
}

/**
 * A target with its number.
 * @param {WalkMap} view
 * @param {NodeRef} node
 * @param {number} i
 * @param {import("../document").TaskEntry} task
 */
function targetSign(view, node, i, task) {
  const spot = view.spotAt(node);
  if (!spot || !view.here(node)) return;
  const title = `Target ${i + 1}: ${task.target ?? task.description}`;
  const look = `nv-sign-target nv-sign-target-${(i % STAGE_COLORS) + 1}`;
  const made = view.add(sign(spot, look, { text: String(i + 1), title, pane: "markerPane", raise: -50 }), "ends");
  made.getElement()?.setAttribute("data-target", String(i + 1));
}

/** Show the ends as the step knows them: the stop faint until it is reached, the start under the agent. @param {WalkMap} view */
export function restyleEnds(view) {
  const later = view.step < view.doc.steps.length;
  view.ends.stop?.getElement()?.classList.toggle("nv-later", later);
  view.ends.stop?.setZIndexOffset(later ? -100 : 950);
  view.ends.start?.getElement()?.classList.toggle("nv-under", view.standing === view.start);
}

/** @param {WalkMap} view @returns {import("./label-view.js").Tag[]} */
export function endTags(view) {
  const { episode, steps } = view.doc;
  const ends = /** @type {[NodeRef | undefined, string, string][]} */ ([
    [view.start, "Start", "nv-tag-end"],
    [episode.tasks.length ? undefined : view.goal, "Goal", "nv-tag-goal"],
  ]);
  for (const task of episode.tasks) ends.push([view.mainGoal(task), task.target ?? "Target", "nv-tag-goal"]);
  if (view.step === steps.length) ends.push([view.ends.stopNode, "Stop", "nv-tag-stop"]);
  return ends.flatMap(([node, text, look]) => {
    const spot = view.spotAt(node);
    const gap = node === view.standing ? 20 : 13;
    return spot && view.here(node) ? [{ spot, text, look, gap, weight: 650, size: 0.93, must: true }] : [];
  });
}

/** Names of the places that the agent was shown. @param {WalkMap} view @returns {import("./label-view.js").Tag[]} */
export function seenTagsOf(view) {
  const here = view.spotAt(view.standing);
  return view
    .seen()
    .filter((poi) => view.placeHere(poi.at))
    .map((poi) => {
      const spot = view.spot(poi.at);
      const left = here !== null && spot[1] < here[1];
      return { spot, text: poi.name, look: "nv-tag-seen", gap: 13, weight: 700, size: 13 / 14, left };
    });
}
