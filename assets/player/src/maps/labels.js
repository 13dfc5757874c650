// @ts-check
// Where labels go: beside their place, on no other label, sign or path, inside the map.

/** @typedef {import("../types").Box} Box */
/** @typedef {[number, number]} Point */
/**
 * @typedef {object} Wish
 * @property {Point} at  in pixels
 * @property {number} width
 * @property {number} height
 * @property {number} gap  between the place and the label
 * @property {Box} [within]  edges to stay inside of; the map's where there are none
 * @property {boolean} [left]  whether the left side is tried first
 * @property {boolean} [must]  whether it is set even where it covers something, at its best side
 */

/** @param {Box} a @param {Box} b */
export const overlap = (a, b) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];

/** @param {Box} box @param {Box} edges */
export const inside = (box, edges) =>
  box[0] >= edges[0] && box[1] >= edges[1] && box[2] <= edges[2] && box[3] <= edges[3];

/**
 * The box for a label, or null where there is no room.
 * @param {Wish} wish
 * @param {Box[]} taken
 * @param {Box} edges
 * @returns {Box | null}
 */
export function placeLabel({ at: [x, y], width, height, gap, within, left, must }, taken, edges) {
  const half = height / 2;
  /** @type {Box} */
  const right = [x + gap, y - half, x + gap + width, y + half];
  /** @type {Box} */
  const leftBox = [x - gap - width, y - half, x - gap, y + half];
  /** @type {Box[]} */
  const boxes = [
    ...(left ? [leftBox, right] : [right, leftBox]),
    [x - width / 2, y - gap - height, x + width / 2, y - gap],
    [x - width / 2, y + gap, x + width / 2, y + gap + height],
  ];
  const fits = boxes.filter((box) => inside(box, within ?? edges));
  const free = fits.find((box) => !taken.some((other) => overlap(box, other)));
  return free ?? (must ? (fits[0] ?? boxes[0]) : null);
}

/**
 * The box of a name inside of what it names: above, below, at a corner or in the middle, where it
 * covers least, and never another label; null where it does not fit.
 * @param {number} width
 * @param {number} height
 * @param {Box} room
 * @param {Box[]} taken
 * @param {Box[]} [labels]
 * @returns {Box | null}
 */
export function placeInside(width, height, [left, top, right, bottom], taken, labels = []) {
  const edge = Math.min(8, (bottom - top) * 0.08);
  if (width > right - left - 2 * edge || height > bottom - top - 2 * edge) return null;
  const xs = [(left + right - width) / 2, left + edge, right - width - edge];
  const ys = [top + edge, bottom - height - edge, (top + bottom - height) / 2];
  const boxes = ys
    .flatMap((y) => xs.map((x) => /** @type {Box} */ ([x, y, x + width, y + height])))
    .filter((box) => !labels.some((label) => overlap(box, label)));
  if (!boxes.length) return null;
  const covered = boxes.map((box) => taken.filter((other) => overlap(box, other)).length);
  return boxes[covered.indexOf(Math.min(...covered))];
}

/**
 * Boxes along a line, so that no label covers it.
 * @param {Point[]} line
 * @param {number} half  half the width kept free
 * @returns {Box[]}
 */
export function alongLine(line, half) {
  /** @type {Box[]} */
  const boxes = [];
  for (let i = 0; i + 1 < line.length; i += 1) {
    const [p, q] = [line[i], line[i + 1]];
    const parts = Math.min(60, Math.max(1, Math.ceil(Math.hypot(q[0] - p[0], q[1] - p[1]) / (2 * half))));
    for (let s = 0; s <= parts; s += 1) {
      const x = p[0] + ((q[0] - p[0]) * s) / parts;
      const y = p[1] + ((q[1] - p[1]) * s) / parts;
      boxes.push([x - half, y - half, x + half, y + half]);
    }
  }
  return boxes;
}
