// @ts-check
// The legend lists what is on the map now, and nothing else.
import { el } from "../dom.js";

/** Half a sign and its label, in pixels: a place this near to the legend is covered by it. */
const SIGN = 16;

/** @typedef {[kind: string, name: string, colour?: string]} Entry */
/** @typedef {(Entry | null | false | undefined)[]} Entries */

export class Legend {
  constructor() {
    this.box = el("div", { class: "nv-legend" });
    this.said = "";
  }

  /** @param {Entries} entries */
  show(entries) {
    const there = entries.filter((entry) => entry !== null && entry !== false && entry !== undefined);
    const said = JSON.stringify(there);
    if (said === this.said) return;
    this.said = said;
    this.box.hidden = !there.length;
    this.box.replaceChildren(
      ...there.map(([kind, name, colour]) => {
        /** @type {Record<string, string>} */
        const style = colour ? { "background-color": colour } : {};
        return el("span", {}, el("i", { class: `nv-key nv-key-${kind}`, style }), name);
      }),
    );
  }

  /**
   * The box that it takes with all that some step may show: the map is fitted to that, so that no step covers the route.
   * @param {Entries} all
   * @returns {import("../types").Box | undefined}
   */
  room(all) {
    const kept = [...this.box.childNodes];
    const { said } = this;
    const { hidden } = this.box;
    this.box.classList.remove("nv-legend-up");
    this.show(all);
    const { offsetLeft: x, offsetTop: y, offsetWidth: w, offsetHeight: h } = this.box;
    this.said = said;
    this.box.hidden = hidden;
    this.box.replaceChildren(...kept);
    return h ? [x, y, x + w, y + h] : undefined;
  }

  /**
   * Go to the upper edge where the legend would cover a place, and back where that is covered too.
   * @param {{x: number, y: number} | undefined} place  in pixels of the map
   */
  avoid(place) {
    const { box } = this;
    box.classList.remove("nv-legend-up");
    if (!place || box.hidden || !this.covers(place)) return;
    box.classList.add("nv-legend-up");
    if (this.covers(place)) box.classList.remove("nv-legend-up");
  }

  /** @param {{x: number, y: number}} place */
  covers({ x, y }) {
    const { offsetLeft: left, offsetTop: top, offsetWidth: wide, offsetHeight: high } = this.box;
    return x > left - SIGN && x < left + wide + SIGN && y > top - SIGN && y < top + high + SIGN;
  }
}
