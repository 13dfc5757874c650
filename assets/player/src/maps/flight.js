// @ts-check
// What the 3-D scene adds for a walk with heights, of a drone or over hills: the ground below it, its height above the
// ground as upright lines, where it stopped, and an axis in metres. Without them a line in the air could be anywhere.
import { hasHeights } from "./heights.js";
import { line, lines, placeIn, QUIET } from "./scene-lines.js";

/** @typedef {import("../document").ReplayDocument} ReplayDocument */
/** @typedef {(name: string) => string} Color */
/** @typedef {number[] | null} Place */
/**
 * @typedef {object} Flight
 * @property {number} low  the least height of walk, reference and ends, in metres
 * @property {number} reach_m  the longer side of its ground
 * @property {number} stretch  how many times heights are drawn larger than lengths
 */

/** Upright lines along the walk; more would be a wall. */
const MOST_LINES = 40;
/** Heights that take less of the ground's side are stretched: 30 m over 2 km would look flat. */
const LEAST_RISE = 0.22;
const MOST_STRETCH = 10;

/** What there is to know of a flight; null where the walk stays on a floor. @param {ReplayDocument} doc @returns {Flight | null} */
export function flightOf(doc) {
  if (!hasHeights(doc)) return null;
  const { at, ids } = doc.nodes;
  const axis = (/** @type {number} */ k) => ids.map((_, i) => at[3 * i + k]);
  const span = (/** @type {number[]} */ values) => Math.max(...values) - Math.min(...values);
  const heights = axis(2);
  const reach = Math.max(span(axis(0)), span(axis(1)), 1);
  const rise = Math.max(span(heights), 1e-6);
  const stretch = Math.min(MOST_STRETCH, Math.max(1, Math.round((LEAST_RISE * reach) / rise)));
  return { low: Math.min(...heights), reach_m: reach, stretch };
}

/** Where the walk goes, with the place where it ends. @param {ReplayDocument} doc @returns {Place[]} */
function walkOf(doc) {
  const place = placeIn(doc);
  const steps = doc.steps.flatMap((step) => (step.path.length ? step.path : [step.node]));
  return [place(doc.episode.start), ...steps.map(place), place(doc.end?.node)];
}

/**
 * What stays: shadow, upright lines, stop.
 * @param {ReplayDocument} doc
 * @param {Flight} flight
 * @param {Color} color
 */
export function flightTraces(doc, flight, color) {
  const { low } = flight;
  const walk = walkOf(doc).filter((place) => place !== null);
  const every = Math.max(1, Math.ceil(walk.length / MOST_LINES));
  /** @type {Place[][]} */
  const upright = [];
  walk.forEach((place, i) => {
    if (i % every === 0 || i === walk.length - 1) upright.push([[place[0], place[1], low], place]);
  });
  const stop = doc.end ? (walk.at(-1) ?? null) : null;
  return [
    {
      ...QUIET,
      name: "shadow",
      mode: "lines",
      ...line(walk.map((place) => [place[0], place[1], low])),
      line: { color: color("mute"), width: 2.5 },
      opacity: 0.7,
    },
    {
      ...QUIET,
      name: "heights",
      mode: "lines",
      ...lines(upright),
      line: { color: color("mute"), width: 1.2 },
      opacity: 0.55,
    },
    {
      ...QUIET,
      name: "stop",
      mode: "markers+text",
      ...line([stop]),
      text: ["Stop"],
      textposition: "bottom center",
      textfont: { color: color("ink"), size: 13 },
      marker: { size: 5, symbol: "square", color: color("agent"), line: { width: 2, color: color("ink") } },
    },
  ];
}

/**
 * What a step moves: the line from the agent to the ground.
 * @param {Flight} flight
 * @param {Place} at
 * @param {Color} color
 */
export function heightTrace(flight, at, color) {
  const shown = at ? [[at[0], at[1], flight.low], at] : [];
  return { ...QUIET, name: "height", mode: "lines", ...line(shown), line: { color: color("agent"), width: 4 } };
}

/** What the axis of heights shows, for a corner of the pane: a narrow one would cut it beside the axis. @param {Flight} flight */
export const heightWords = ({ stretch }) => (stretch > 1 ? `Height in m, drawn × ${stretch}` : "Height in m");

/** The axis of heights, in metres. @param {Color} color */
export function heightAxis(color) {
  return {
    visible: true,
    title: { text: "" },
    tickfont: { color: color("ink"), size: 12 },
    // seen from afar, more numbers would touch each other
    nticks: 5,
    gridcolor: color("rule"),
    showgrid: true,
    zeroline: false,
    showspikes: false,
    showbackground: false,
  };
}
