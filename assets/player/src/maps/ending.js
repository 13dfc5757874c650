// @ts-check
// The end of a map. `map.remove()` of Leaflet 1.9 forgets what it has put off: the end of a zoom (after 250 ms), the zoom of
// a wheel, the slide after a drag, and a canvas that is to be painted anew. Each of these then reads a pane that is gone,
// and fails where nobody can catch it.

/**
 * What Leaflet keeps without offering it.
 * @typedef {object} Inner
 * @property {boolean} [_animatingZoom]
 * @property {{_timer?: number}} [scrollWheelZoom]
 * @property {L.Map["panBy"]} panBy
 */
/** @typedef {{_redrawRequest?: number | null}} Canvas */

/** Remove a map in the middle of whatever it does. @param {L.Map} map */
export function endMap(map) {
  map.eachLayer((layer) => {
    const canvas = /** @type {Canvas} */ (/** @type {unknown} */ (layer));
    if (!canvas._redrawRequest) return;
    L.Util.cancelAnimFrame(canvas._redrawRequest);
    canvas._redrawRequest = null;
  });
  const inner = /** @type {Inner} */ (/** @type {unknown} */ (map));
  clearTimeout(inner.scrollWheelZoom?._timer);
  // the timer that ends a zoom has no handle; it does nothing where no zoom goes on
  inner._animatingZoom = false;
  // the frame in which a slide begins has no handle either
  inner.panBy = () => map;
  map.remove();
}
