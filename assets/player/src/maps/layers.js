// @ts-check
// Switches for what the map shows beside the agent's own way. What is chosen stays chosen.
import { el, iconButton } from "../dom.js";
import { keep, recall } from "../shell/memory.js";

/** @typedef {"reference" | "other" | "candidates" | "seen" | "memory" | "pois"} LayerName */

/** @type {Record<LayerName, string>} */
const NAMES = {
  reference: "Reference path",
  other: "Other run",
  candidates: "Candidates",
  seen: "Visible area",
  memory: "The agent's map",
  pois: "Places",
};

export class Layers {
  /** @param {() => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {Set<string>} */
    this.off = new Set();
    const saved = recall("layers.off");
    if (Array.isArray(saved)) for (const name of saved) this.off.add(String(name));
    this.list = el("div", { class: "nv-layer-list", hidden: true });
    this.button = iconButton("layers", "Layers", () => this.toggle(), { tool: "layers" });
  }

  /** @param {LayerName} name */
  shows(name) {
    return !this.off.has(name);
  }

  /** List the layers that the document has. @param {LayerName[]} there */
  offer(there) {
    this.button.hidden = !there.length;
    this.list.replaceChildren(...there.map((name) => this.row(name)));
  }

  /** @param {LayerName} name */
  row(name) {
    const change = () => this.set(name, box.checked);
    const box = el("input", { type: "checkbox", data: { layer: name }, on: { change } });
    box.checked = this.shows(name);
    return el("label", {}, box, el("span", { text: NAMES[name] }));
  }

  /**
   * @param {LayerName} name
   * @param {boolean} on
   */
  set(name, on) {
    if (on) this.off.delete(name);
    else this.off.add(name);
    keep("layers.off", [...this.off]);
    this.onChange();
  }

  toggle(open = this.list.hidden !== false) {
    this.list.hidden = !open;
    this.button.classList.toggle("nv-on", open);
  }
}
