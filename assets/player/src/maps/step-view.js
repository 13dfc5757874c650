// @ts-check
// What a step changes on the map: the way walked and to come, what the agent saw, what it could choose, its move.

import { stageAt, stageColor } from "../shell/stages.js";
import { metres } from "../text/figures.js";
import { nameRef } from "../text/linker.js";
import { drawBreaks } from "./breaks.js";
import { drawStates } from "./place-states.js";
import { sign } from "./signs.js";
import { skillColour, skillLegs } from "./skill-legs.js";
import { chain, roles, walkOf } from "./walks.js";

/** @typedef {import("./walk-map.js").WalkMap} WalkMap */
/** @typedef {import("../document").StepEntry} StepEntry */
/** @typedef {import("../document").CandidateEntry} CandidateEntry */
/** @typedef {import("../document").ObservationEntry} ObservationEntry */
/** @typedef {Partial<Record<"seen" | "leaps" | "chosen" | "rejected" | "offered", boolean>> & {memory?: Set<string>}} Drawn */

/**
 * Draw a step; returns what is now on the map, for the legend.
 * @param {WalkMap} view
 * @param {StepEntry | undefined} now
 * @returns {Drawn}
 */
export function drawStep(view, now) {
  drawBreaks(view);
  /** @type {Drawn} */
  const drawn = { leaps: drawWalks(view) };
  if (!now) return drawn;
  const way = walkOf(view.doc.steps, view.step - 1, view.end);
  if (now.observation && view.layers.shows("seen")) drawn.seen = drawVisible(view, now.observation);
  view.drawAround(now);
  if (view.layers.shows("memory")) drawn.memory = drawStates(view, now);
  if (view.layers.shows("candidates")) Object.assign(drawn, drawCandidates(view, now, way));
  drawMove(view, way);
  if (view.layers.shows("pois")) for (const poi of view.seen()) drawSeen(view, poi);
  const aim = now.decision?.legal === false ? view.spotAt(now.decision.target) : null;
  if (aim && view.here(now.decision?.target))
    view.add(sign(aim, "nv-sign-bad", { title: "Illegal decision", pane: "nv-chosen" }), "step");
  return drawn;
}

/** @param {WalkMap} view */
function drawWalks(view) {
  const { doc, step, end } = view;
  const { color } = view.api;
  const before = chain(doc.steps, end, 0, step);
  for (const leg of skillLegs(doc.steps, step, doc.steps.length)) {
    const { lines } = chain(doc.steps, end, leg.from, leg.to);
    const tint = skillColour(doc, leg.skill) ?? color("agent");
    view.drawWay(lines, { color: tint, weight: 2, opacity: 0.75, dashArray: "1 6" }, "step", "walk");
  }
  if (doc.stages.length) drawStages(view);
  for (const leg of doc.stages.length ? [] : skillLegs(doc.steps, 0, step)) {
    const { lines } = chain(doc.steps, end, leg.from, leg.to);
    const tint = skillColour(doc, leg.skill) ?? color("agent");
    const dashArray = leg.back ? "7 6" : undefined;
    view.drawWay(lines, { color: tint, weight: 4, lineJoin: "round", dashArray }, "step", "walk");
  }
  view.drawWay(before.leaps, { color: color("bad"), weight: 2.5, dashArray: "2 7" }, "step", "walk");
  return before.leaps.length > 0;
}

/** The way walked, each stage in its colour. @param {WalkMap} view */
function drawStages(view) {
  const { doc, step, end } = view;
  doc.stages.forEach(({ first, last }, i) => {
    if (first === undefined || last === undefined || first > step) return;
    const { lines } = chain(doc.steps, end, first - 1, Math.min(last, step));
    const tint = view.api.color(stageColor(i));
    view.drawWay(lines, { color: tint, weight: 4, lineJoin: "round" }, "step", "walk");
  });
}

/**
 * @param {WalkMap} view
 * @param {ObservationEntry} seen
 */
function drawVisible(view, seen) {
  const { color } = view.api;
  const visible = new Set(seen.visible.filter((node) => typeof node === "number"));
  if (!visible.size) return false;
  /** @type {import("../types").Spot[][]} */
  const lines = [];
  for (const node of visible) {
    for (const other of view.near.get(node) ?? [])
      if (node < other && visible.has(other)) lines.push(view.way([node, other]));
  }
  view.add(
    L.polyline(
      lines,
      view.on("walk", { color: color("seen"), weight: 20, opacity: 0.34, smoothFactor: 0, lineCap: "round" }),
    ),
    "step",
  );
  const dot = view.on("walk", { radius: 2, stroke: false, fillColor: color("seen-ink"), fillOpacity: 0.9 });
  for (const spot of view.line([...visible])) view.add(L.circleMarker(spot, dot), "step");
  return true;
}

/**
 * @param {WalkMap} view
 * @param {StepEntry} now
 * @param {(number | string)[]} way
 * @returns {Drawn}
 */
function drawCandidates(view, now, way) {
  const items = view.candidates(now);
  const chosen = items.find((item) => item.state === "chosen");
  const kinds = roles(
    items,
    [...way, ...(now.node === undefined ? [] : [now.node]), ...(chosen ? [chosen.node, ...(chosen.path ?? [])] : [])],
    view.near,
  );
  const shown = new Set();
  for (const [item, role] of kinds) {
    const spot = view.spotAt(item.node);
    if (item.path && item.path.length > 1 && item.state !== "chosen") drawRoute(view, item);
    if (!spot || !view.here(item.node)) continue;
    shown.add(role);
    drawCandidate(view, item, role, spot);
  }
  return { chosen: shown.has("chosen"), rejected: shown.has("branch"), offered: shown.has("offered") };
}

/**
 * @param {WalkMap} view
 * @param {CandidateEntry} item
 */
function drawRoute(view, item) {
  const rejected = item.state === "rejected";
  const style = {
    color: view.api.color(rejected ? "rejected" : "offered"),
    weight: 2,
    opacity: 0.85,
    dashArray: rejected ? "2 4" : undefined,
  };
  view.drawWay([item.path ?? []], style, "step", "walk");
}

/**
 * @param {WalkMap} view
 * @param {CandidateEntry} item
 * @param {import("./walks.js").Role} role
 * @param {import("../types").Spot} spot
 */
function drawCandidate(view, item, role, spot) {
  const { color } = view.api;
  const title = [item.state, item.label, item.reason].filter(Boolean).join(" · ");
  if (role === "chosen") view.add(sign(spot, "nv-cand nv-cand-chosen", { title, pane: "nv-chosen" }), "step");
  else if (role === "branch") view.add(sign(spot, "nv-cand nv-cand-rejected", { title }), "step");
  else if (role === "offered") {
    const ring = { radius: 5, color: color("offered"), weight: 2.2, fillColor: color("ground"), fillOpacity: 1 };
    view.add(L.circleMarker(spot, view.on("walk", ring)), "step");
  } else {
    const dot = { radius: 2.6, stroke: false, fillColor: color("rejected"), fillOpacity: 0.95 };
    view.add(L.circleMarker(spot, view.on("walk", dot)), "step");
  }
}

/**
 * The move, above what the agent did not choose.
 * @param {WalkMap} view
 * @param {(number | string)[]} way
 */
function drawMove(view, way) {
  if (way.length < 2) return;
  const { color } = view.api;
  const now = view.doc.steps[view.step - 1];
  const stage = stageAt(view.doc.stages, view.step);
  const plain = color(stage < 0 ? "agent" : stageColor(stage));
  const tint = stage < 0 ? (skillColour(view.doc, now?.skill) ?? plain) : plain;
  const dashArray = now?.walk_back ? "9 7" : undefined;
  view.drawWay([way], { color: color("ground"), weight: 9, opacity: 0.95 }, "step", "move");
  view.drawWay([way], { color: tint, weight: 5.5, dashArray }, "step", "move");
  const last = view.spotAt(way.at(-1));
  if (!last || !view.here(way.at(-1))) return;
  view.add(
    L.circleMarker(
      last,
      view.on("move", { radius: 6.5, color: tint, weight: 3, fillColor: color("ground"), fillOpacity: 1 }),
    ),
    "step",
  );
}

/**
 * A landmark that the agent was shown.
 * @param {WalkMap} view
 * @param {import("../document").SeenEntry & {at: number[]}} poi
 */
function drawSeen(view, poi) {
  if (!view.placeHere(poi.at)) return;
  const spot = view.spot(poi.at);
  const anchor = view.spotAt(poi.node);
  if (anchor && !poi.approximate) {
    view.add(
      L.polyline(
        [anchor, spot],
        view.on("walk", { color: view.api.color("landmark"), weight: 1.4, opacity: 0.9, dashArray: "1 4" }),
      ),
      "step",
    );
  }
  const facts = [
    poi.name,
    poi.position ?? poi.direction,
    poi.distance_m === undefined ? null : metres(poi.distance_m),
    poi.approximate ? "shown at its node" : null,
  ];
  const look = poi.letter ? "nv-sign-letter" : "nv-sign-object";
  view.add(
    sign(spot, look, { text: poi.letter ?? "", title: facts.filter(Boolean).join(" · "), ref: nameRef(poi.name) }),
    "step",
  );
}
