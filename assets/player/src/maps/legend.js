// @ts-check
// The legend lists what is on the map now, and nothing else.
import { el } from "../dom.js";

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
    this.show(all);
    const { offsetLeft: x, offsetTop: y, offsetWidth: w, offsetHeight: h } = this.box;
    this.said = said;
    this.box.hidden = hidden;
    this.box.replaceChildren(...kept);
    return h ? [x, y, x + w, y + h] : undefined;
  }
}
