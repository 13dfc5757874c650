// @ts-check
// How much of a map's edges is taken by its furniture.

/** @typedef {import("../types").Box} Box */

/** Half a marker, in pixels, so that those at the edge of the route are whole. */
const MARKER = 22;
/** No side's padding is more than this share of the map, or a small map would show nothing. */
const MOST = 0.3;

/**
 * Padding of a map as [left, top, right, bottom], from the boxes of what lies over it.
 * @param {{x: number, y: number}} size
 * @param {{tools?: Box, legend?: Box, credit?: Box, floors?: Box}} over  relative to the map
 * @returns {Box}
 */
export function padding(size, { tools, legend, credit, floors }) {
  const below = Math.min(legend ? legend[1] : size.y, credit ? credit[1] : size.y);
  const right = tools ? size.x - tools[0] : 0;
  const left = floors ? floors[2] : 0;
  const wide = (/** @type {number} */ room) => Math.min(room + MARKER, MOST * size.x);
  const tall = (/** @type {number} */ room) => Math.min(room + MARKER, MOST * size.y);
  return [wide(left), tall(0), wide(right), tall(size.y - below)];
}
