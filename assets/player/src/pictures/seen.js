// @ts-check
// What the agent saw: its pictures, with each way that it could take where it begins.
import { el, svg } from "../dom.js";
import { direction, project, signed, USUAL_FIELD, waysOf } from "./geometry.js";
import { Look } from "./look.js";

/** @typedef {import("../document").StepEntry} StepEntry */
/** @typedef {import("../document").ViewEntry} ViewEntry */
/** @typedef {import("./geometry.js").Way} Way */
/** @typedef {import("../types").Seer} Player  what pictures need of one */

const AROUND = new Set(["cube", "panorama", "discrete"]);
/** Height of the first arrow at an edge, and of the next below it. */
const [EDGE, NEXT] = [0.24, 0.17];
/** Shares of the picture at which an arrow still stands. */
const [LEFT, RIGHT, TOP, BOTTOM] = [0.03, 0.97, 0.12, 0.92];
/** Arrows that stand nearer to each other, in shares of the picture, would cover each other's words. */
const APART = { x: 0.16, y: 0.17 };

/** The views of a step; null where there are none. @param {StepEntry} step @param {Player} player */
export function seenPictures(step, player) {
  const boxes = [...viewsOf(step, player, player.look), ...others(player)];
  if (!boxes.length) return null;
  const [first] = boxes;
  if (boxes.length === 1 && first === player.look.box) return first;
  return el("div", { class: `nv-seen-pictures nv-of-${Math.min(boxes.length, 3)}` }, boxes);
}

/** One box to look around in, else one for each picture. @param {StepEntry} step @param {Player} player @param {Look} look */
function viewsOf(step, player, look) {
  const views = step.views ?? [];
  const around = views.find(({ kind }) => AROUND.has(kind));
  if (around && typeof step.node === "number") return [look.of(step, around)];
  const ways = waysOf(player.doc, step);
  return views.map((view) => pictureView(view, ways, player, look.other));
}

/** What the run compared with saw, from where the two part; its own way is marked in it. @param {Player} player */
function others(player) {
  const { compare } = player.doc;
  const from = compare?.first_difference;
  if (!compare || !from || player.step < from) return [];
  const other = compare.steps[player.step - 1];
  if (!other?.views?.length) return [];
  const look = otherLook(player, compare.label);
  let step = compared.get(other);
  if (!step) {
    const views = other.views.map((view) => ({
      ...view,
      label: [compare.label, view.label].filter(Boolean).join(": "),
    }));
    step = /** @type {StepEntry} */ (/** @type {unknown} */ ({ ...other, views, index: player.step }));
    compared.set(other, step);
  }
  return viewsOf(step, player, look).slice(0, 1);
}

/**
 * Steps of the run compared with, as their pictures need them: the same ones each time, else the view would begin anew.
 * @type {WeakMap<import("../document").ComparedStep, StepEntry>}
 */
const compared = new WeakMap();
/** @type {WeakMap<Player, Look>} */
const looks = new WeakMap();

/** The second box to look around in. @param {Player} player @param {string} label */
function otherLook(player, label) {
  const look = looks.get(player) ?? new Look(player, label);
  look.other = label;
  looks.set(player, look);
  return look;
}

/**
 * @param {ViewEntry} view
 * @param {Way[]} ways
 * @param {Player} player
 * @param {string} [other]  name of the run compared with, where it saw this
 */
function pictureView(view, ways, player, other) {
  const [picture] = view.pictures;
  if (picture === null) return null;
  const frame = player.pictures.frame(picture);
  // no arrow in a picture that nobody says the heading of: it would point at a wrong place
  const heading = view.heading_deg;
  const image = frame.querySelector("img");
  if (image && heading !== undefined && ways.length) {
    const camera = { heading, elevation: view.elevation_deg ?? 0, field: view.field_deg ?? USUAL_FIELD };
    const draw = () => frame.append(...arrows(ways, camera, image.naturalWidth / image.naturalHeight, player, other));
    if (image.complete) draw();
    else image.addEventListener("load", draw, { once: true });
  }
  if (image) {
    frame.title = "Click: full size";
    frame.addEventListener("click", () => player.pictures.open(picture));
  }
  return el("figure", { class: "nv-seen-picture" }, frame, el("figcaption", { text: caption(view, heading) }));
}

/** @param {ViewEntry} view @param {number | undefined} heading */
function caption(view, heading) {
  const parts = [
    view.label,
    heading === undefined ? "" : `heading ${Math.round(heading)}°`,
    view.elevation_deg ? `elevation ${Math.round(view.elevation_deg)}°` : "",
    heading !== undefined && view.field_deg === undefined ? `field of view taken as ${USUAL_FIELD}°` : "",
  ];
  return parts.filter(Boolean).join(" · ");
}

/**
 * An arrow with its label for each way; what lies outside of the picture stands at its edge.
 * @param {Way[]} ways
 * @param {import("./geometry.js").Camera} camera
 * @param {number} aspect
 * @param {Player} player
 * @param {string} [other]
 */
function arrows(ways, camera, aspect, player, other) {
  // what lies outside stands at the edges, one below the other
  const atEdge = { left: 0, right: 0 };
  /** @type {{x: number, y: number}[]} */
  const taken = [];
  return ways.map((way) => {
    const spot = project(camera, aspect, direction(way.heading, way.elevation));
    const aside = signed(way.heading - camera.heading);
    const inside = spot !== null && spot.x >= 0 && spot.x <= 1;
    const x = inside && spot ? Math.min(RIGHT, Math.max(LEFT, spot.x)) : aside < 0 ? LEFT : RIGHT;
    const y =
      inside && spot ? Math.min(BOTTOM, Math.max(TOP, spot.y)) : EDGE + NEXT * atEdge[aside < 0 ? "left" : "right"]++;
    const turn = inside ? 0 : aside < 0 ? -90 : 90;
    const at = inside ? freePlace(x, y, taken) : { x, y };
    taken.push(at);
    return arrow(way, at.x, at.y, turn, player, other);
  });
}

/**
 * The place itself, or the next free one above it: two streets may begin in nearly the same direction.
 * @param {number} x
 * @param {number} y
 * @param {{x: number, y: number}[]} taken
 */
function freePlace(x, y, taken) {
  const covers = (/** @type {number} */ at) =>
    taken.some((other) => Math.abs(other.x - x) < APART.x && Math.abs(other.y - at) < APART.y);
  for (let at = y; at >= TOP; at -= APART.y) if (!covers(at)) return { x, y: at };
  return { x, y };
}

/**
 * @param {Way} way
 * @param {number} x
 * @param {number} y
 * @param {number} turn
 * @param {Player} player
 * @param {string} [other]
 */
function arrow(way, x, y, turn, player, other) {
  const side = x > 0.8 ? " nv-at-right" : x < 0.2 ? " nv-at-left" : "";
  const whose = other && way.state === "chosen" ? " nv-way-compared" : "";
  const look = `nv-way nv-way-${way.state}${whose}${way.reference ? " nv-way-reference" : ""} nv-ref${side}`;
  const words = {
    chosen: other ? `the way of ${other}` : "the agent's way",
    rejected: "rejected",
    offered: "offered",
    other: "not offered",
  };
  const title = `${way.label}: ${words[way.state]}${way.reference ? ", the reference's way" : ""}`;
  const shape = svg(
    "svg",
    { viewBox: "-12 -12 24 24", style: `rotate:${turn}deg` },
    svg("path", { d: "M0-11 10 2H4v9h-8V2h-6z" }),
  );
  const goes = (/** @type {MouseEvent} */ event) => {
    event.stopPropagation();
    player.map.panTo(`n:${way.node}`);
  };
  return el(
    "span",
    {
      class: look,
      title,
      data: { ref: `n:${way.node}` },
      // half an arrow from the edge, also in a small picture
      style: { left: `clamp(0.8em, ${100 * x}%, 100% - 0.8em)`, top: `${100 * y}%` },
      on: { click: goes },
    },
    shape,
    el("b", { text: way.label.length > 18 ? `${way.label.slice(0, 8)}…` : way.label }),
  );
}

/** A picture where it stood in a prompt. @param {number} index @param {Player} player */
export function promptPicture(index, player) {
  const part = player.doc.pictures?.prompts[index];
  if (!part) return el("span");
  const frame = player.pictures.frame(part.picture, 320);
  const image = frame.querySelector("img");
  if (image) frame.addEventListener("click", () => player.pictures.open(part.picture));
  const facts = [
    part.label,
    part.width && part.height ? `${part.width} × ${part.height}` : "",
    part.size_bytes ? `${Math.round(part.size_bytes / 1000)} kB` : "",
    part.detail ? `detail ${part.detail}` : "",
    part.tokens ? `about ${part.tokens} tokens` : "",
  ];
  return el(
    "figure",
    { class: "nv-prompt-picture" },
    frame,
    el("figcaption", { text: facts.filter(Boolean).join(" · ") }),
  );
}
