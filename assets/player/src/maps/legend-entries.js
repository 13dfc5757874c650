// @ts-check
// What the legend lists and what the layers' switches offer, from the document and the step that is drawn.
import { allStates, hasStates, stateEntries } from "./place-states.js";
import { skillColour, skillsUsed } from "./skill-legs.js";

/** @typedef {import("./walk-map.js").WalkMap} WalkMap */
/** @typedef {import("./layers.js").LayerName} LayerName */
/** @typedef {import("./legend.js").Entry} Entry */
/** @typedef {import("./legend.js").Entries} Entries */

/** Layers that a document has. @param {import("../document").ReplayDocument} doc @returns {LayerName[]} */
export function layersOf(doc) {
  const seen = doc.steps.map((step) => step.observation).filter((part) => part !== undefined);
  /** @type {[LayerName, boolean][]} */
  const all = [
    ["reference", doc.reference.length > 0],
    ["other", Boolean(doc.compare)],
    ["candidates", seen.some((part) => part.candidates.length > 0)],
    ["seen", seen.some((part) => part.visible.length > 0)],
    ["memory", hasStates(doc)],
    ["pois", doc.pois.length > 0],
  ];
  return all.filter(([, has]) => has).map(([name]) => name);
}

/** All that the legend may come to list. @param {WalkMap} view @returns {Entries} */
export function allEntries(view) {
  const { doc } = view;
  const there = layersOf(doc);
  const has = (/** @type {LayerName} */ name) => there.includes(name) && view.layers.shows(name);
  const states = new Set(doc.steps.flatMap((step) => (step.observation?.candidates ?? []).map((item) => item.state)));
  return entries(view, {
    other: has("other"),
    seen: has("seen"),
    leaps: doc.steps.some((step) => step.jumps?.length),
    chosen: has("candidates") && states.has("chosen"),
    rejected: has("candidates") && states.has("rejected"),
    offered: has("candidates") && states.has("offered"),
    memory: has("memory") ? allStates(doc) : undefined,
  });
}

/** What the legend lists now. @param {WalkMap} view @param {import("./step-view.js").Drawn} drawn @returns {Entries} */
export function shownEntries(view, drawn) {
  return entries(view, { ...drawn, other: Boolean(view.doc.compare) && view.layers.shows("other") });
}

/**
 * @param {WalkMap} view
 * @param {Partial<Record<"other", boolean>> & import("./step-view.js").Drawn} shown
 * @returns {Entries}
 */
function entries(view, { other, seen, leaps, chosen, rejected, offered, memory }) {
  const { doc } = view;
  return [
    doc.reference.length > 0 && view.layers.shows("reference") && ["reference", "reference path"],
    ...walkEntries(view),
    other && doc.compare && ["other", doc.compare.label],
    ...(other ? (doc.further ?? []).map((walk) => /** @type {Entry} */ (["further", walk.label, walk.colour])) : []),
    seen && ["seen", "visible area"],
    chosen && ["chosen", "chosen"],
    rejected && ["rejected", "not taken"],
    offered && ["offered", view.offeredWord()],
    ...(memory ? stateEntries(memory) : []),
    leaps && ["jump", "jump"],
    ...view.whatIf.entries(),
  ];
}

/** The agent's colour, or those of the skills that act. @param {WalkMap} view @returns {Entries} */
function walkEntries({ doc, api }) {
  if (!doc.steps.length) return [];
  const skills = skillsUsed(doc.steps);
  if (!doc.skills || !skills.length) return [["agent", doc.label ?? api.options.agentWord ?? "agent"]];
  return [
    ...skills.map(
      (skill) => /** @type {Entry} */ (["skill", doc.skills?.[skill].short ?? "", skillColour(doc, skill)]),
    ),
    doc.steps.some((step) => step.walk_back) && ["back", "back to the best stop"],
  ];
}
