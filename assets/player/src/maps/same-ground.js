// @ts-check
// Whether a map needs another ground for another document.

/** @typedef {import("../document").ReplayDocument} ReplayDocument */

/** Whether two documents show the same ground, so that it need not be drawn again: a walk that took another way of the
 *  same length has other places along it.
 *  @param {ReplayDocument} a @param {ReplayDocument} b */
export function sameGround(a, b) {
  return (
    sameList(a.nodes.ids, b.nodes.ids) &&
    sameList(a.nodes.crossings, b.nodes.crossings) &&
    a.pois.length === b.pois.length &&
    a.pois.every((poi, i) => poi.id === b.pois[i].id) &&
    a.streets.length === b.streets.length &&
    a.streets.every((street, i) => sameList(street, b.streets[i]))
  );
}

/** @template T @param {T[]} a @param {T[]} b */
function sameList(a, b) {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
