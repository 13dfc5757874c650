// @ts-check
// Where something stands in a picture: headings are degrees clockwise from north (indoors: from +y), as everywhere.
import { nodeAt } from "../nodes.js";

/** @typedef {import("../document").ReplayDocument} ReplayDocument */
/** @typedef {import("../document").StepEntry} StepEntry */
/** @typedef {{heading: number, elevation: number, field: number}} Camera  vertical field; all in degrees */
/** @typedef {[number, number, number]} Vector  east, north, up */
/**
 * @typedef {object} Way  a place that one could go to from where the agent stands
 * @property {number} node
 * @property {string} label
 * @property {"chosen" | "rejected" | "offered" | "other"} state
 * @property {boolean} reference  whether the reference path goes there next
 * @property {number} heading
 * @property {number} elevation  of the floor below it
 * @property {number} far  in metres
 */

const RADIANS = Math.PI / 180;
const DEGREE_M = 111_320;
/** Height of a camera above its floor, in metres, where the world does not tell. */
const CAMERA_M = 1.5;

/** The simulator's vertical field, taken where a log names none. */
export const USUAL_FIELD = 60;

/** Turn an angle into -180 .. 180. @param {number} degrees */
export const signed = (degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;

/** @param {number} heading @param {number} elevation @returns {Vector} */
export function direction(heading, elevation) {
  const flat = Math.cos(elevation * RADIANS);
  return [Math.sin(heading * RADIANS) * flat, Math.cos(heading * RADIANS) * flat, Math.sin(elevation * RADIANS)];
}

/** Right, up and ahead of a camera. @param {Camera} camera @returns {[Vector, Vector, Vector]} */
export function axes({ heading, elevation }) {
  const [sinH, cosH] = [Math.sin(heading * RADIANS), Math.cos(heading * RADIANS)];
  const [sinE, cosE] = [Math.sin(elevation * RADIANS), Math.cos(elevation * RADIANS)];
  return [
    [cosH, -sinH, 0],
    [-sinH * sinE, -cosH * sinE, cosE],
    [sinH * cosE, cosH * cosE, sinE],
  ];
}

/** @param {Vector} a @param {Vector} b */
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/**
 * Where a direction meets a picture, as shares of its width and height from the upper left; null behind the camera.
 * @param {Camera} camera
 * @param {number} aspect  width by height
 * @param {Vector} towards
 * @returns {{x: number, y: number} | null}
 */
export function project(camera, aspect, towards) {
  const [right, up, ahead] = axes(camera);
  const depth = dot(ahead, towards);
  if (depth < 1e-6) return null;
  const half = Math.tan((camera.field * RADIANS) / 2);
  const x = (dot(right, towards) / depth / (half * aspect) + 1) / 2;
  return { x, y: (1 - dot(up, towards) / depth / half) / 2 };
}

/** East, north and up from one node to another, in metres. @param {Pick<ReplayDocument, "frame" | "nodes">} doc @param {number} from @param {number} to @returns {Vector} */
export function between(doc, from, to) {
  const [a, b] = [nodeAt(doc, from), nodeAt(doc, to)];
  if (doc.frame !== "geo") return [b[0] - a[0], b[1] - a[1], (b[2] ?? 0) - (a[2] ?? 0)];
  return [(b[1] - a[1]) * DEGREE_M * Math.cos(a[0] * RADIANS), (b[0] - a[0]) * DEGREE_M, 0];
}

/** Heading, elevation of the floor and distance of a node from another. @param {ReplayDocument} doc @param {number} from @param {number} to */
export function bearingTo(doc, from, to) {
  const [east, north, up] = between(doc, from, to);
  const flat = Math.hypot(east, north);
  return {
    heading: (Math.atan2(east, north) / RADIANS + 360) % 360,
    elevation: Math.atan2(up - CAMERA_M, Math.max(flat, 0.1)) / RADIANS,
    far: Math.hypot(flat, up),
  };
}

/** The node after this one on the reference path. @param {ReplayDocument} doc @param {number | string | undefined} node */
export function nextOnReference(doc, node) {
  const at = node === undefined ? -1 : doc.reference.indexOf(node);
  const next = at < 0 ? undefined : doc.reference[at + 1];
  return typeof next === "number" ? next : undefined;
}

/** Where the agent went from here. @param {StepEntry} step */
export function takenNode(step) {
  const next = step.path.find((node) => node !== step.node);
  return next ?? step.decision?.target;
}

/**
 * Ways on from where a step stands: what was offered, the way taken, and the reference's.
 * @param {ReplayDocument} doc
 * @param {StepEntry} step
 * @returns {Way[]}
 */
export function waysOf(doc, step) {
  const { node } = step;
  if (typeof node !== "number") return [];
  const [taken, next] = [takenNode(step), nextOnReference(doc, node)];
  /** @type {Map<number, Way>} */
  const ways = new Map();
  const add = (/** @type {unknown} */ to, /** @type {Partial<Way>} */ more) => {
    if (typeof to !== "number" || to === node || ways.has(to)) return;
    const label = doc.nodes.ids[to];
    ways.set(to, { node: to, label, state: "other", reference: to === next, ...bearingTo(doc, node, to), ...more });
  };
  for (const item of step.observation?.candidates ?? []) {
    const state = item.node === taken && item.state === "offered" ? "chosen" : item.state;
    /** @type {Partial<Way>} */
    const more = { state, label: item.label ?? item.direction ?? (doc.nodes.ids[Number(item.node)] || "") };
    if (item.heading_deg !== undefined) more.heading = item.heading_deg;
    add(item.node, more);
  }
  add(taken, { state: "chosen" });
  add(next, {});
  return [...ways.values()];
}
