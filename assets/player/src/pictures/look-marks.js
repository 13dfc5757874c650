// @ts-check
// What is drawn into the picture that one looks around in: discs where one can go, and ways beside it; its lens.
import { bearingTo, direction, nextOnReference, project, signed, takenNode } from "./geometry.js";

/** @typedef {import("./look.js").Look} Look */
/** @typedef {import("./geometry.js").Way} Way */

export const WIDTH = 640;
export const HEIGHT = 360;
/** Height of a disc on the floor by its width. */
export const FLAT = 0.42;
/** Type on the picture, as it is seen. */
const LETTER_PX = 13;

/** The usual field of view, upright. */
export const FIELD = 62;
/** The widest field, 123 degrees across: beyond it, what lies at the edges looks twice as wide as it is. */
const WIDEST = 92;
/** Room for half a disc beside each of both next viewpoints. */
const EDGE_DEG = 7;

const RADIANS = Math.PI / 180;
/** The field across of one upright, and the other way round: a flat picture is wider than its angle. @param {number} field */
export const across = (field) => (2 * Math.atan((Math.tan((field * RADIANS) / 2) * WIDTH) / HEIGHT)) / RADIANS;
/** @param {number} field */
const upright = (field) => (2 * Math.atan((Math.tan((field * RADIANS) / 2) * HEIGHT) / WIDTH)) / RADIANS;

/**
 * Heading and field that show both ways, through a wider lens where they lie far apart; else the agent's.
 * @param {import("../types").Seer["doc"]} doc @param {import("../document").StepEntry} step
 */
export function lensOf(doc, step) {
  const node = /** @type {number} */ (step.node);
  const taken = takenNode(step);
  const next = nextOnReference(doc, node);
  const own = typeof taken === "number" && taken !== node ? bearingTo(doc, node, taken).heading : undefined;
  const other = next === undefined ? undefined : bearingTo(doc, node, next).heading;
  const usual = { heading: own ?? step.heading_deg ?? other ?? 0, field: FIELD };
  if (own === undefined || other === undefined) return usual;
  const apart = signed(other - own);
  const wide = upright(Math.abs(apart) + 2 * EDGE_DEG);
  return wide > WIDEST ? usual : { heading: own + apart / 2, field: Math.max(FIELD, wide) };
}

/** The disc of a way, where it lies in the picture. @param {Look} look @param {Way} way @returns {import("./look.js").Disc[]} */
export function discOf(look, way) {
  const spot = project(look.camera, WIDTH / HEIGHT, direction(way.heading, way.elevation));
  if (!spot || spot.x < -0.05 || spot.x > 1.05 || spot.y < 0) return [];
  // a place near one's feet lies below the picture: its disc stays at the edge
  const radius = Math.min(46, Math.max(9, 90 / Math.max(way.far, 0.5)));
  return [{ way, x: spot.x * WIDTH, y: Math.min(spot.y * HEIGHT, HEIGHT - radius * FLAT - 2), radius }];
}

/** @param {Look} look @param {import("./look.js").Disc} disc */
export function drawDisc(look, { way, x, y, radius }) {
  const { context, player } = look;
  const own = look.other ? "other" : "agent";
  const name = way.state === "chosen" ? own : way.reference ? "reference" : "rejected";
  const colour = player.colors.get(name);
  context.beginPath();
  context.ellipse(x, y, radius, radius * FLAT, 0, 0, 2 * Math.PI);
  context.globalAlpha = name === "rejected" ? 0.45 : 0.75;
  context.fillStyle = colour;
  context.fill();
  context.globalAlpha = 1;
  context.lineWidth = way.reference && way.state === "chosen" ? 4 : 2;
  context.strokeStyle =
    way.reference && way.state === "chosen" ? player.colors.get("reference") : player.colors.get("paper");
  context.stroke();
  if (name !== "rejected") write(look, wordsOf(look, way), x, y - radius * FLAT - 7, colour);
}

/** Whose way it is. @param {Look} look @param {Way} way */
export function wordsOf(look, way) {
  const who = look.other ?? "agent";
  if (way.state !== "chosen") return "reference";
  return way.reference ? `${who}, reference` : who;
}

/** Point at the edge to a way that lies outside of the picture: one would not know that there is another. @param {Look} look @param {Way} way */
export function drawAside(look, way) {
  const { context, player } = look;
  const aside = signed(way.heading - look.heading);
  const side = aside < 0 ? -1 : 1;
  const colour = player.colors.get(way.state === "chosen" ? (look.other ? "other" : "agent") : "reference");
  const [x, y] = [WIDTH / 2 + side * (WIDTH / 2 - 8), HEIGHT * (way.state === "chosen" ? 0.62 : 0.5)];
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - side * 22, y - 15);
  context.lineTo(x - side * 22, y + 15);
  context.closePath();
  context.lineWidth = 4;
  context.strokeStyle = player.colors.get("paper");
  context.stroke();
  context.fillStyle = colour;
  context.fill();
  const words = `${wordsOf(look, way)}, ${Math.round(Math.abs(aside))}°`;
  write(look, words, x - side * 30, y + 6, colour, side < 0 ? "left" : "right");
}

/** @param {Look} look @param {string} text @param {number} x @param {number} y @param {string} colour @param {CanvasTextAlign} [align] */
function write(look, text, x, y, colour, align = "center") {
  const { context } = look;
  // a narrow pane shows the picture smaller, and its words must stay as large as others
  const px = Math.max(16, (LETTER_PX * WIDTH) / (look.canvas.clientWidth || WIDTH));
  context.font = `600 ${px}px "Source Sans", system-ui, sans-serif`;
  context.textAlign = align;
  context.lineWidth = px / 4;
  context.strokeStyle = look.player.colors.get("paper");
  const half = context.measureText(text).width / 2 + px / 4;
  // a run's name over a disc at the edge would be cut there
  const at = align === "center" ? Math.max(half, Math.min(WIDTH - half, x)) : x;
  context.strokeText(text, at, y);
  context.fillStyle = colour;
  context.fillText(text, at, y);
}
