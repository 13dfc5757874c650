// @ts-check
// What the 3-D scene draws, as plotly's traces: what stays, and what a step moves.

import { flightOf, flightTraces, heightTrace } from "./flight.js";
import { line, lines, placeIn, QUIET } from "./scene-lines.js";
import { skillColour } from "./skill-legs.js";

/** @typedef {import("../document").ReplayDocument} ReplayDocument */
/** @typedef {(name: string) => string} Color */
/** @typedef {number[] | null} Place */

/** Length of the line that shows where the agent faces, in metres; over a town it is a part of the town's side. */
const NOSE_M = 0.9;
const NOSE_PART = 0.05;
/** Corners of the circles that make the goal's sphere. */
const CORNERS = 36;

/**
 * @param {ReplayDocument} doc
 * @param {Color} color
 * @returns {object[]}
 */
export function fixedTraces(doc, color) {
  const place = placeIn(doc);
  const flight = flightOf(doc);
  const reference = doc.reference.map(place);
  const goal = place(doc.episode.goal) ?? reference.at(-1) ?? null;
  const ends = [place(doc.episode.start), goal];
  const names = ["Start", "Goal"].filter((_, i) => ends[i]);
  const links = [];
  for (let i = 0; i < doc.links.length; i += 2) links.push([place(doc.links[i]), place(doc.links[i + 1])]);
  const looks = ["circle-open", "diamond"].filter((_, i) => ends[i]);
  const inks = [color("ink"), color("reference")].filter((_, i) => ends[i]);
  return [
    ...plates(doc, color),
    { ...QUIET, name: "links", mode: "lines", ...lines(links), line: { color: color("node"), width: 1.6 } },
    {
      ...QUIET,
      name: "viewpoints",
      mode: "markers",
      ...line(doc.nodes.ids.map((_, i) => place(i))),
      hoverinfo: "none",
      marker: { size: 3.4, color: floorColors(doc, color), line: { width: 0 } },
    },
    {
      ...QUIET,
      name: "reference",
      mode: "lines",
      ...line(reference),
      line: { color: color("reference"), width: 7, dash: "dash" },
    },
    ...sphere(goal, doc.episode.success_radius_m, color("reference")),
    {
      ...QUIET,
      name: "ends",
      mode: "markers+text",
      ...line(ends),
      text: names,
      textposition: "top center",
      textfont: { color: color("ink"), size: 13 },
      marker: { size: 6, symbol: looks, color: inks, line: { width: 3, color: color("ink") } },
    },
    ...compared(doc, color),
    ...(flight ? flightTraces(doc, flight, color) : []),
  ];
}

/**
 * What a step moves: the way to come, the way walked, where the agent faces and stands, what is lit.
 * @param {ReplayDocument} doc
 * @param {Color} color
 * @param {number} step
 * @param {number[][]} lit
 * @returns {({x: number[], y: number[], z: number[]} & Record<string, unknown>)[]}
 */
export function movingTraces(doc, color, step, lit) {
  const place = placeIn(doc);
  const way = (/** @type {number} */ from, /** @type {number} */ to) =>
    doc.steps
      .slice(from, to)
      .flatMap((entry) => (entry.path.length ? entry.path : [entry.node]))
      .map(place);
  const now = doc.steps[step - 1];
  const at = place(step === 0 ? doc.episode.start : now?.node);
  const heading = step === 0 ? doc.episode.start_heading_deg : now?.heading_deg;
  const before = way(0, step);
  const flight = flightOf(doc);
  return [
    {
      ...QUIET,
      name: "ahead",
      mode: "lines",
      ...line([before.at(-1) ?? null, ...way(step, doc.steps.length)]),
      line: { color: color("agent"), width: 2, dash: "dot" },
    },
    {
      ...QUIET,
      name: "walked",
      mode: "lines",
      ...line(before),
      line: { color: walkedColours(doc, color, step), width: 6 },
    },
    {
      ...QUIET,
      name: "facing",
      mode: "lines",
      ...line(nose(at, heading, flight)),
      line: { color: color("agent"), width: 9 },
    },
    {
      ...QUIET,
      name: "agent",
      mode: "markers",
      ...line([at]),
      marker: { size: 8, color: color("agent"), line: { width: 2, color: color("paper") } },
    },
    { ...QUIET, name: "light", mode: "markers", ...line(lit), marker: { size: 11, color: color("lit"), opacity: 0.8 } },
    ...(flight ? [heightTrace(flight, at, color)] : []),
  ];
}

/**
 * The colour of the walk: one of each point where skills act, else the agent's.
 * @param {ReplayDocument} doc
 * @param {Color} color
 * @param {number} step
 * @returns {string | string[]}
 */
export function walkedColours(doc, color, step) {
  if (!doc.skills) return color("agent");
  const place = placeIn(doc);
  return doc.steps.slice(0, step).flatMap((entry) => {
    const nodes = (entry.path.length ? entry.path : [entry.node]).filter((node) => place(node) !== null);
    return nodes.map(() => skillColour(doc, entry.skill) ?? color("agent"));
  });
}

/**
 * @param {Place} at
 * @param {number | undefined} heading
 * @param {import("./flight.js").Flight | null} flight
 * @returns {Place[]}
 */
function nose(at, heading, flight) {
  if (!at || heading === undefined) return [];
  const turn = (heading * Math.PI) / 180;
  const long = Math.max(NOSE_M, flight ? NOSE_PART * flight.reach_m : 0);
  return [at, [at[0] + long * Math.sin(turn), at[1] + long * Math.cos(turn), at[2]]];
}

/** @param {ReplayDocument} doc @param {Color} color */
function floorColors(doc, color) {
  const shades = [color("mute"), color("poi"), color("landmark")];
  return (doc.indoor?.floor_of ?? []).map((floor) => shades[floor % shades.length]);
}

/**
 * The sphere within which a stop counts, as three circles: what lies in it and behind it stays visible.
 * @param {Place} middle
 * @param {number} radius
 * @param {string} tint
 */
function sphere(middle, radius, tint) {
  if (!middle) return [];
  const [x, y, z] = middle;
  const circle = (/** @type {(a: number, b: number) => number[]} */ point) =>
    Array.from({ length: CORNERS + 1 }, (_, k) => {
      const angle = (2 * Math.PI * k) / CORNERS;
      return point(radius * Math.cos(angle), radius * Math.sin(angle));
    });
  const circles = [
    circle((a, b) => [x + a, y + b, z]),
    circle((a, b) => [x + a, y, z + b]),
    circle((a, b) => [x, y + a, z + b]),
  ];
  return [
    { ...QUIET, name: "goal sphere", mode: "lines", ...lines(circles), opacity: 0.55, line: { color: tint, width: 2 } },
  ];
}

/**
 * Floors of the rooms, where the house's folder tells them.
 * @param {ReplayDocument} doc
 * @param {Color} color
 */
function plates(doc, color) {
  const { rooms, floors } = doc.indoor ?? { rooms: [], floors: [] };
  if (!rooms.length) return [];
  /** @type {Record<"x" | "y" | "z" | "i" | "j" | "k", number[]>} */
  const mesh = { x: [], y: [], z: [], i: [], j: [], k: [] };
  /** @type {Place[][]} */
  const walls = [];
  for (const {
    box_m: [west, south, east, north],
    floor,
  } of rooms) {
    const base = mesh.x.length;
    const level = floors[floor].level_m;
    mesh.x.push(west, east, east, west);
    mesh.y.push(south, south, north, north);
    mesh.z.push(level, level, level, level);
    mesh.i.push(base, base);
    mesh.j.push(base + 1, base + 2);
    mesh.k.push(base + 2, base + 3);
    walls.push([
      [west, south, level],
      [east, south, level],
      [east, north, level],
      [west, north, level],
      [west, south, level],
    ]);
  }
  return [
    {
      type: "mesh3d",
      name: "rooms",
      ...mesh,
      color: color("area-building"),
      opacity: 0.35,
      hoverinfo: "skip",
      showlegend: false,
    },
    { ...QUIET, name: "walls", mode: "lines", ...lines(walls), line: { color: color("mute"), width: 1.5 } },
  ];
}

/** @param {ReplayDocument} doc @param {Color} color */
function compared(doc, color) {
  if (!doc.compare) return [];
  const ways = [
    { ...doc.compare, tint: color("other") },
    ...(doc.further ?? []).map((walk) => ({ ...walk, tint: walk.colour })),
  ];
  return ways.map(({ steps, tint }) => ({
    ...QUIET,
    name: "compared",
    mode: "lines",
    ...line(steps.flatMap((step) => (step.path.length ? step.path : [step.node])).map(placeIn(doc))),
    line: { color: tint, width: 5, dash: "longdashdot" },
  }));
}
