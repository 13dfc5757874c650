// @ts-check
// The player's map without a player: the route, its places, no agent. One map for all items; each gets its document.
import { FloorMap } from "../maps/floor-map.js";
import { StreetMap } from "../maps/street-map.js";
import { nodePlace } from "../nodes.js";
import { Colors } from "../shell/theme.js";
import { nameRef } from "../text/linker.js";

/** @typedef {import("../document").ReplayDocument} ReplayDocument */
/** @typedef {import("../types").Place} Place */

export class DeskMap {
  /**
   * @param {HTMLElement} root  holds the colours
   * @param {HTMLElement} box
   * @param {{hover: (refs: string[]) => void, pick: (ref: string) => void}} handlers
   */
  constructor(root, box, handlers) {
    this.box = box;
    this.handlers = handlers;
    this.colors = new Colors(root);
    /** @type {ReplayDocument | null} */
    this.doc = null;
    /** @type {import("../types").MapBackend | null} */
    this.map = null;
    this.frame = "";
    /** Places that the text names. @type {Set<number>} */
    this.named = new Set();
    this.sizes = new ResizeObserver(() => this.map?.resize());
    this.sizes.observe(box);
  }

  /** @param {ReplayDocument} doc @param {import("./types").Mark[]} marks */
  show(doc, marks) {
    if (doc === this.doc) return;
    this.named = new Set(marks.flatMap(({ pois }) => pois));
    this.doc = doc;
    if (this.map && this.frame === doc.frame) {
      this.map.update(doc);
      this.map.showStep(doc.steps.length);
      this.map.fit(false);
      return;
    }
    this.map?.destroy();
    this.box.replaceChildren();
    this.frame = doc.frame;
    const Backend = doc.frame === "geo" ? StreetMap : FloorMap;
    this.map = new Backend(this.box, doc, this.api(doc));
    this.map.showStep(doc.steps.length);
  }

  /** @param {ReplayDocument} first @returns {import("../types").MapApi} */
  api(first) {
    const desk = this;
    return {
      get doc() {
        return desk.doc ?? first;
      },
      options: { agentWord: "your walk", whole: true },
      resolve: (ref) => this.resolve(ref),
      hover: (refs) => this.handlers.hover(refs),
      pick: (ref) => this.handlers.pick(ref),
      mentions: () => 0,
      named: () => desk.named,
      color: (name) => this.colors.get(name),
      focus: () => {},
    };
  }

  /** Where a reference is: ``n:`` a node, ``s:`` a name, ``p:`` places by their index. @param {string} ref @returns {Place} */
  resolve(ref) {
    const { doc } = this;
    if (!doc) return { label: ref, nodes: [], at: [] };
    if (ref.startsWith("n:")) return nodePlace(doc, Number(ref.slice(2)));
    const chosen = new Set(ref.startsWith("p:") ? ref.slice(2).split(",").map(Number) : []);
    const pois = doc.pois.filter((poi, i) => chosen.has(i) || nameRef(poi.name) === ref);
    return { label: pois[0]?.name ?? ref.slice(2), nodes: [], at: pois.map((poi) => poi.at) };
  }

  /** @param {string[]} refs */
  light(refs) {
    this.map?.highlight(refs);
  }

  /** @param {string} ref */
  panTo(ref) {
    this.map?.panTo(ref);
  }

  setTheme() {
    this.map?.setTheme();
  }

  destroy() {
    this.sizes.disconnect();
    this.map?.destroy();
    this.map = null;
  }
}
