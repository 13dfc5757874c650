// @ts-check
// What-ifs of a document, unpacked once: at each step the other links, each with the walk to its end.

/** @typedef {import("./document").WhatIfEntry} WhatIfEntry */
/** @typedef {"mends" | "nearer" | "farther" | "ruins" | "holds"} Outcome */
/** @typedef {{step: number, tail: number[][], ne: number | null, reference: boolean, unstable: boolean, outcome: Outcome}} Ghost */

const REFERENCE = 1;
const UNSTABLE = 2;
/** Decimal places of positions, by their number of coordinates: degrees or metres. @type {Record<number, number>} */
const PLACES = { 2: 6, 3: 3 };

/**
 * Positions from their differences.
 * @param {number[]} flat
 * @param {number} width  coordinates of a position
 */
export function positions(flat, width) {
  const scale = 10 ** PLACES[width];
  const last = Array.from({ length: width }, () => 0);
  /** @type {number[][]} */
  const out = [];
  for (let i = 0; i < flat.length; i += width) {
    for (let k = 0; k < width; k += 1) last[k] += flat[i + k];
    out.push(last.map((value) => value / scale));
  }
  return out;
}

/**
 * How a walk ends after a link, beside how it ended.
 * @param {WhatIfEntry} entry
 * @param {number | null} ne
 * @param {number} radius
 * @returns {Outcome}
 */
export function outcomeOf(entry, ne, radius) {
  const arrives = ne !== null && ne <= radius;
  if (entry.success) return arrives ? "holds" : "ruins";
  if (arrives) return "mends";
  return ne !== null && entry.ne_m !== undefined && ne < entry.ne_m ? "nearer" : "farther";
}

/**
 * The other links of each step, the nearest end first; of a follower, one a step.
 * @param {import("./document").ReplayDocument} doc
 * @returns {Map<number, Ghost[]>}
 */
export function ghostsOf(doc) {
  const entry = doc.what_if;
  /** @type {Map<number, Ghost[]>} */
  const steps = new Map();
  if (!entry) return steps;
  const at = positions(entry.at, doc.frame === "geo" ? 2 : 3);
  for (const [step, , runs, ne, flags] of entry.cells) {
    /** @type {number[][]} */
    const tail = [];
    for (let i = 0; i < runs.length; i += 2) tail.push(...at.slice(runs[i], runs[i] + runs[i + 1]));
    const ghost = {
      step,
      tail,
      ne,
      reference: (flags & REFERENCE) !== 0,
      unstable: (flags & UNSTABLE) !== 0,
      outcome: outcomeOf(entry, ne, doc.episode.success_radius_m),
    };
    const own = steps.get(step) ?? [];
    own.push(ghost);
    steps.set(step, own);
  }
  const far = (/** @type {Ghost} */ ghost) => ghost.ne ?? Number.POSITIVE_INFINITY;
  // what is proven comes first: the reference's link where it mends
  const proves = (/** @type {Ghost} */ ghost) => (ghost.reference && ghost.outcome === "mends" ? 0 : 1);
  for (const own of steps.values()) own.sort((a, b) => proves(a) - proves(b) || far(a) - far(b));
  return steps;
}

/**
 * The next decisive step in a direction; undefined where there is none.
 * @param {number[]} decisive
 * @param {number} step
 * @param {number} direction
 */
export function nextDecisive(decisive, step, direction) {
  return direction > 0 ? decisive.find((one) => one > step) : decisive.findLast((one) => one < step);
}
