// @ts-check
// What references mean: `n:` a node, `s:` a name, as the step shows it. Words and places that name the same light up
// together.
import { nodePlace } from "../nodes.js";
import { nameRef } from "./linker.js";

/** @typedef {import("../document").StepEntry} StepEntry */
/** @typedef {import("../types").Place} Place */

export class References {
  /** @param {import("../player.js").Player} player */
  constructor(player) {
    this.player = player;
    /** Places by step and reference: a map asks for the same ones at each paint. @type {Map<string, Place>} */
    this.places = new Map();
  }

  /** Forget the places of an older document. */
  clear() {
    this.places.clear();
  }

  /**
   * Label, node indices and positions of a reference, as the step knows it.
   * @param {string} ref
   * @param {number} step
   * @returns {Place}
   */
  resolve(ref, step) {
    const key = `${step} ${ref}`;
    let place = this.places.get(key);
    if (!place) {
      const { doc } = this.player;
      place = ref.startsWith("n:") ? nodePlace(doc, Number(ref.slice(2))) : this.namedPlace(ref, step);
      this.places.set(key, place);
    }
    return place;
  }

  /**
   * What is named so: as the step shows it, else as another step does, else on the map.
   * @param {string} ref
   * @param {number} step
   * @returns {Place}
   */
  namedPlace(ref, step) {
    const { doc } = this.player;
    /** @typedef {{name: string, at?: number[], node?: number | string}} Named */
    const named = (/** @type {Named[]} */ list) => list.filter((poi) => nameRef(poi.name) === ref && poi.at);
    const shown = (/** @type {StepEntry | undefined} */ entry) => named(entry?.observation?.pois ?? []);
    let pois = shown(doc.steps[step - 1]);
    if (!pois.length) pois = doc.steps.flatMap(shown);
    if (!pois.length) pois = named(doc.pois);
    if (!pois.length) pois = named(doc.planning.landmarks);
    const nodes = pois.map((poi) => poi.node).filter((node) => typeof node === "number");
    return { label: pois[0]?.name ?? ref.slice(2), nodes, at: pois.flatMap((poi) => (poi.at ? [poi.at] : [])) };
  }

  /** Light up the words of references, and no others. @param {string[]} refs */
  light(refs) {
    const { root } = this.player;
    for (const node of root.querySelectorAll(".nv-ref.nv-lit")) node.classList.remove("nv-lit");
    for (const ref of refs) {
      for (const node of root.querySelectorAll(`[data-ref="${CSS.escape(ref)}"]`)) node.classList.add("nv-lit");
    }
  }
}
