// @ts-check
// A move in the words of directions: "turned right, then left; the route goes straight on".
import { between } from "../pictures/geometry.js";
import { metres } from "./figures.js";

/** @typedef {import("../document").ReplayDocument} ReplayDocument */
/** What of a document a walk's words need: its own steps, or those of a walk beside it.
 * @typedef {Omit<ReplayDocument, "steps"> & {steps: {path: (number | string)[], node?: number | string, heading_deg?: number}[]}} Walk
 */

/** Over so much of the way before and after a crossing its direction is judged: a single link there may point anywhere. */
const ARM_M = 25;
/** Crossings nearer than this are one. */
const NEAR_M = 5;
/** Up to these bends one goes straight on, or bears to a side; beyond the last one turns back. */
const STRAIGHT_DEG = 20;
const BEAR_DEG = 50;
const BACK_DEG = 150;
/** Turns within one move that are named. */
const NAMED = 2;

/** Words for what the walk did and for what the route does: straight on, bear, turn, turn back. */
const DID = ["went straight on", "bore", "turned", "turned back", "kept"];
const DOES = ["goes straight on", "bears", "turns", "turns back", "keeps"];

/**
 * Where the agent went in a step, and where the route goes on from there when that is another way.
 * @param {Walk} doc
 * @param {number} at - index of the step
 * @returns {{did: string, route: string, metres: number} | null} `null` where places are not on the map
 */
export function moveWords(doc, at) {
  const step = doc.steps[at];
  const way = placesOf(step.path);
  if (way.length < 2 || way.length < distinct(step.path)) return null;
  const facing = arrival(doc, at);
  const bend = facing === null ? null : turned(facing, departure(doc, way));
  const next = routeFrom(doc, way);
  const due = next && facing !== null ? turned(facing, departure(doc, next)) : null;
  const fork = doc.frame !== "geo" || doc.nodes.crossings.includes(way[0]);
  if (bend !== null && !fork && !next && Math.abs(bend) <= BACK_DEG) {
    return { ...told(doc, way, "went on"), route: partsLater(doc, way) };
  }
  const [did, route] = bend === null ? [`set out ${compass(departure(doc, way))}`, ""] : bothWords(bend, due);
  const goes = next && facing === null ? `goes ${compass(departure(doc, next))}` : route;
  return { ...told(doc, way, did), route: goes || partsLater(doc, way) };
}

/** Where the route goes another way within a move that began on it. @param {Walk} doc @param {number[]} way */
function partsLater(doc, way) {
  const { reference } = doc;
  const links = new Set(reference.map((node, i) => `${node} ${reference[i + 1]}`));
  let k = 0;
  while (k < way.length - 1 && links.has(`${way[k]} ${way[k + 1]}`)) k += 1;
  if (k === 0 && reference.at(-1) === way[0]) return "ends here";
  if (k === 0 || k === way.length - 1) return "";
  const after = `after ${metres(lengthOf(doc, way.slice(0, k + 1)), 0)}`;
  const next = routeFrom(doc, way.slice(k));
  if (!next) return reference.at(-1) === way[k] ? `ends ${after}` : "";
  const facing = departure(doc, way.slice(0, k + 1).reverse()) + 180;
  const [, route] = bothWords(turned(facing, departure(doc, way.slice(k))), turned(facing, departure(doc, next)));
  return `${route} ${after}`;
}

/** @param {Walk} doc @param {number[]} way @param {string} first */
function told(doc, way, first) {
  const later = doc.frame === "geo" ? laterTurns(doc, way) : [];
  return { did: [first, ...later].join(", then "), metres: lengthOf(doc, way) };
}

/** @param {number} bend @param {number | null} due */
function bothWords(bend, due) {
  if (due === null) return [words(bend, DID), ""];
  const [did, does] = [words(bend, DID), words(due, DOES)];
  if (words(due, DID) !== did) return [did, does];
  const [here, there] = bend < due ? ["left", "right"] : ["right", "left"];
  if (Math.abs(bend) <= STRAIGHT_DEG) return [`${DID[4]} ${here}`, `${DOES[4]} ${there}`];
  // only turns of one side are left that may be told apart by their size
  const size = Math.abs(bend) - Math.abs(due);
  if (did.startsWith(`${DID[2]} `) && Math.abs(bend) <= BACK_DEG && Math.abs(size) >= STRAIGHT_DEG) {
    return size > 0 ? [did.replace(" ", " sharp "), does] : [did, does.replace(" ", " sharp ")];
  }
  return [did, `takes another way ${Math.abs(due) > BACK_DEG ? "back" : `to the ${sideOf(due)}`}`];
}

/** @param {number} bend @param {string[]} verbs */
function words(bend, [straight, bear, turn, back]) {
  const size = Math.abs(bend);
  if (size <= STRAIGHT_DEG) return straight;
  if (size > BACK_DEG) return back;
  return `${size < BEAR_DEG ? bear : turn} ${sideOf(bend)}`;
}

/** @param {number} bend */
const sideOf = (bend) => (bend < 0 ? "left" : "right");

/** The route's way on from where a move begins, if the move takes another. @param {Walk} doc @param {number[]} way */
function routeFrom(doc, way) {
  const { reference } = doc;
  const here = reference.flatMap((node, i) => (node === way[0] && i < reference.length - 1 ? [i] : []));
  if (!here.length || here.some((i) => reference[i + 1] === way[1])) return null;
  const next = placesOf(reference.slice(here[0]));
  return next.length > 1 ? next : null;
}

/** Turns at crossings within a move, after its first. @param {Walk} doc @param {number[]} way */
function laterTurns(doc, way) {
  const crossings = new Set(doc.nodes.crossings);
  const sides = [];
  for (let i = 1; i < way.length - 1; i++) {
    const bend = turned(departure(doc, way.slice(0, i + 1).reverse()) + 180, departure(doc, way.slice(i)));
    if (crossings.has(way[i]) && Math.abs(bend) >= BEAR_DEG)
      sides.push(Math.abs(bend) > BACK_DEG ? "back" : sideOf(bend));
  }
  return sides.slice(0, NAMED);
}

/** The heading with which the agent came: of its way, at the start as the log says. @param {Walk} doc @param {number} at */
function arrival(doc, at) {
  const { heading_deg: facing, node } = doc.steps[at];
  if (doc.frame !== "geo" && facing !== undefined) return facing;
  const back = typeof node === "number" ? [node] : [];
  for (let i = at - 1; i >= 0 && back.length && lengthOf(doc, back) < ARM_M; i--) {
    back.push(
      ...placesOf([...doc.steps[i].path].reverse()).filter((place, k, all) => place !== (all[k - 1] ?? back.at(-1))),
    );
  }
  return back.length > 1 ? departure(doc, back) + 180 : (facing ?? null);
}

/** The heading in which a way sets out: over 25 m in the street, over its first link in a house. @param {Walk} doc @param {number[]} way */
function departure(doc, way) {
  const arm = doc.frame === "geo" ? ARM_M : 0;
  let [far, end, east, north] = [0, 1, 0, 0];
  for (; end < way.length; end++) {
    const [x, y] = between(doc, way[end - 1], way[end]);
    const long = Math.hypot(x, y);
    const part = arm && far + long > arm ? (arm - far) / long : 1;
    [east, north, far] = [east + x * part, north + y * part, far + long];
    // beyond the next crossing it is another way
    if (far > 0 && (far >= arm || (far >= NEAR_M && doc.nodes.crossings.includes(way[end])))) break;
  }
  return (Math.atan2(east, north) * 180) / Math.PI;
}

/** @param {Walk} doc @param {number[]} way */
function lengthOf(doc, way) {
  let sum = 0;
  for (let i = 1; i < way.length; i++) sum += Math.hypot(...between(doc, way[i - 1], way[i]));
  return sum;
}

/** @param {number} from @param {number} to */
const turned = (from, to) => ((((to - from + 180) % 360) + 360) % 360) - 180;

/** @param {number} heading */
const compass = (heading) =>
  ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"][
    Math.round((((heading % 360) + 360) % 360) / 45) % 8
  ];

/** Places of the map on a way, each once in a row. @param {(number | string)[]} path @returns {number[]} */
function placesOf(path) {
  /** @type {number[]} */
  const out = [];
  for (const node of path) if (typeof node === "number" && node !== out.at(-1)) out.push(node);
  return out;
}

/** How many places a way has, foreign ones too. @param {(number | string)[]} path */
const distinct = (path) => path.filter((node, i) => node !== path[i - 1]).length;
