// @ts-check
// Signs on a map: elements of ours that Leaflet puts at a place.
import { el, svg } from "../dom.js";
import { turn } from "./angles.js";

/**
 * @param {import("../types").Spot} at
 * @param {string} className
 * @param {{text?: string, title?: string, ref?: string, pane?: string, raise?: number}} [more]
 */
export function sign(at, className, { text = "", title = "", ref, pane = "nv-signs", raise = 0 } = {}) {
  const html = el("div", { class: `nv-sign ${className}`, title, data: ref ? { ref } : {} }, el("span", { text }));
  const icon = L.divIcon({ html, className: "nv-sign-icon", iconSize: [22, 22] });
  return L.marker(at, { icon, pane, keyboard: false, interactive: false, zIndexOffset: raise });
}

/** The agent: an arrow in a disc. */
export class Agent {
  constructor() {
    const drawing = svg(
      "svg",
      { viewBox: "-16 -16 32 32" },
      svg("circle", { r: 13 }),
      svg("path", { d: "M0-9 6.5 8 0 4.6-6.5 8z" }),
    );
    this.arrow = el("div", { class: "nv-agent" });
    /** Where the arrow points, in degrees without bounds, so that it never turns the long way round. */
    this.pointed = 0;
    this.arrow.append(drawing);
    const icon = L.divIcon({ html: this.arrow, className: "nv-agent-icon", iconSize: [30, 30] });
    this.marker = L.marker([0, 0], {
      icon,
      pane: "markerPane",
      interactive: false,
      keyboard: false,
      zIndexOffset: 900,
    });
  }

  /**
   * @param {L.Map} map
   * @param {import("../types").Spot | null} at
   * @param {number | undefined} heading
   * @param {boolean} elsewhere  whether it is on another floor
   */
  place(map, at, heading, elsewhere) {
    if (!at) {
      this.marker.remove();
      return;
    }
    this.marker.setLatLng(at).addTo(map);
    this.arrow.classList.toggle("nv-no-heading", heading === undefined);
    this.arrow.classList.toggle("nv-elsewhere", elsewhere);
    this.pointed += turn((heading ?? 0) - this.pointed);
    this.arrow.style.setProperty("--nv-heading", `${this.pointed}deg`);
  }

  remove() {
    this.marker.remove();
  }
}
