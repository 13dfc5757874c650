// @ts-check
// Which part of the world the map shows: the whole route, the step, or a place that the text points at.
import { padding } from "./fitting.js";
import { narrow, widen } from "./sheets.js";
import { walkOf } from "./walks.js";

/** @typedef {import("./walk-map.js").WalkMap} WalkMap */
/** @typedef {import("../types").Spot} Spot */

/** How far out of the fitted route one can zoom. */
const ZOOM_OUT = 1.5;
/** A place that proves the cause is shown with the fork where it lies within so many widths of its box. */
const WITH_OTHERS = 2;

/** All that a fitted map must show. @param {WalkMap} view @returns {Spot[]} */
export function wantedSpots(view) {
  const { doc } = view;
  const everywhere = () => view.line(doc.nodes.ids.map((_, i) => i));
  if (view.api.options.whole && !doc.reference.length) return everywhere();
  const compared = view.others().flatMap(({ steps }) => steps.flatMap((step) => [step.node, ...step.path]));
  // one place of each target: an object that stands in six rooms would shrink the walk to a corner
  const targets = doc.episode.tasks.map((task) => view.mainGoal(task));
  const marks = view.line([view.start, view.goal, ...targets, ...compared]);
  const spots = [...view.way(doc.reference), ...view.way(view.walked), ...marks];
  return spots.length ? spots : everywhere();
}

/** Where a map was put at once, and with which wishes: it need not be put there again. */
export class Framing {
  /**
   * @param {L.Map} map
   * @param {Record<import("./sheets.js").Sheet, L.Canvas>} sheets
   */
  constructor(map, sheets) {
    this.map = map;
    this.sheets = sheets;
    this.placing = false;
    /** @type {{wish: string, zoom: number, center: L.LatLng} | null} */
    this.fitted = null;
    map.on("movestart", () => {
      if (!this.placing) widen(map, sheets);
    });
  }

  /**
   * @param {string} wish
   * @param {() => void} place
   */
  put(wish, place) {
    narrow(this.sheets);
    this.placing = true;
    place();
    this.placing = false;
    this.fitted = { wish, zoom: this.map.getZoom(), center: this.map.getCenter() };
  }

  /** Whether the map still shows what it was fitted to; Leaflet keeps its middle to the pixel. @param {string} wish */
  fulfils(wish) {
    const { map, fitted } = this;
    if (fitted?.wish !== wish || map.getZoom() !== fitted.zoom) return false;
    return map.latLngToContainerPoint(fitted.center).distanceTo(map.getSize().divideBy(2)) < 2;
  }
}

/**
 * Show the whole route, clear of legend and buttons. Where that changes nothing, no canvas is drawn anew: a browser tells
 * the first size, too.
 * @param {WalkMap} view
 * @param {boolean} animate
 */
export function fitRoute(view, animate) {
  const { map } = view;
  const spots = view.wanted();
  const size = map.getSize();
  if (!spots.length || !size.x || !size.y) return;
  const sides = padding(size, view.furniture());
  const [left, top, right, bottom] = sides;
  const bounds = L.latLngBounds(spots);
  const wish = JSON.stringify([size, sides, bounds, view.closest()]);
  if (view.framing.fulfils(wish)) return;
  const zoom = map.getBoundsZoom(bounds, false, L.point(left + right, top + bottom));
  const most = map.getMaxZoom();
  map.options.minZoom = Math.min(zoom, view.closest()) - ZOOM_OUT;
  const place = () =>
    map.fitBounds(bounds, {
      paddingTopLeft: [left, top],
      paddingBottomRight: [right, bottom],
      maxZoom: Math.min(view.closest(), most),
      animate,
    });
  if (animate) place();
  else view.framing.put(wish, place);
}

/**
 * Bring the step into view where it is not.
 * @param {WalkMap} view
 * @param {import("../document").StepEntry | undefined} now
 */
export function followStep(view, now) {
  const { map, doc } = view;
  const spots = view.way(now ? walkOf(doc.steps, view.step - 1, view.end) : [doc.episode.start]);
  if (!spots.length || !map.getSize().x) return;
  const bounds = L.latLngBounds(spots);
  if (map.getBounds().pad(-0.02).contains(bounds)) return;
  const fits = map.getBoundsZoom(bounds.pad(0.2)) >= map.getZoom();
  if (fits) map.panTo(bounds.getCenter(), { duration: 0.25 });
  else map.fitBounds(bounds.pad(0.2), { maxZoom: map.getZoom() });
}

/**
 * Go to the places of a reference.
 * @param {WalkMap} view
 * @param {number[][]} at
 */
export function goTo(view, at) {
  const { map } = view;
  const bounds = L.latLngBounds(at.map((place) => view.spot(place)));
  const near = Math.max(map.getZoom(), view.nearZoom());
  if (at.length > 1) map.fitBounds(bounds.pad(0.4), { maxZoom: near });
  else map.setView(bounds.getCenter(), near, { animate: true });
}

/**
 * Show a position from near, with places that lie not too far from it, clear of legend and buttons.
 * @param {WalkMap} view
 * @param {number[]} at
 * @param {number[][]} others
 */
export function closeUpOf(view, at, others) {
  const bounds = view.around(view.spot(at));
  const wide = bounds.pad(WITH_OTHERS);
  for (const other of others) if (wide.contains(view.spot(other))) bounds.extend(view.spot(other));
  const [left, top, right, bottom] = padding(view.map.getSize(), view.furniture());
  view.map.fitBounds(bounds, { animate: true, paddingTopLeft: [left, top], paddingBottomRight: [right, bottom] });
}
