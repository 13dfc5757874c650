// @ts-check
// Pointing on a map: what the mouse is over lights up in the text, and what the text points at lights up here.
import { el } from "../dom.js";
import { counted, shortId } from "../text/figures.js";
import { nameRef } from "../text/linker.js";

/** @typedef {{ref: string, p: L.Point, node?: number, poi?: {name: string, kind?: string, distance_m?: number}}} Target */

/** How near the mouse must be to a node and to a POI, in pixels. */
const NODE_PX = 14;
const POI_PX = 10;

export class Pointer {
  /** @param {import("./walk-map.js").WalkMap} view */
  constructor(view) {
    this.view = view;
    /** @type {L.LeafletMouseEvent | null} */
    this.mouse = null;
    /** @type {number | null} */
    this.waiting = null;
    /** @type {string | undefined} */
    this.pointed = undefined;
    this.tip = el("div", { class: "nv-map-tip", hidden: true });
    view.plan.append(this.tip);
    this.listen();
  }

  listen() {
    const { map } = this.view;
    map.on("mousemove", (event) => {
      this.mouse = event;
      this.waiting ??= requestAnimationFrame(() => {
        this.waiting = null;
        this.point();
      });
    });
    map.on("mouseout", () => {
      this.mouse = null;
      this.leave();
    });
    map.on("movestart", () => {
      this.tip.hidden = true;
    });
    map.on("click", (event) => {
      const target = this.nearest(event.containerPoint);
      if (target?.node !== undefined && event.originalEvent.altKey && this.view.api.breakAt)
        this.view.api.breakAt(this.view.doc.nodes.ids[target.node]);
      else if (target) this.view.api.pick(target.ref);
    });
  }

  point() {
    if (!this.mouse || this.view.gone) return;
    const target = this.nearest(this.mouse.containerPoint);
    if (target?.ref === this.pointed) return;
    if (!target) {
      this.leave();
      return;
    }
    this.pointed = target.ref;
    this.view.api.hover([target.ref]);
    this.view.highlight([target.ref]);
    this.showTip(target);
  }

  leave() {
    if (!this.pointed && this.tip.hidden) return;
    this.pointed = undefined;
    this.tip.hidden = true;
    this.view.api.hover([]);
    this.view.highlight([]);
  }

  /**
   * The nearest node or POI within a finger's width of a point.
   * @param {L.Point} point
   * @returns {Target | null}
   */
  nearest(point) {
    const { view } = this;
    const here = view.map.containerPointToLatLng(point);
    const corner = view.map.containerPointToLatLng(point.add([NODE_PX, -NODE_PX]));
    const [dLat, dLng] = [Math.abs(corner.lat - here.lat), Math.abs(corner.lng - here.lng)];
    /** @type {Target | null} */
    let best = null;
    let least = NODE_PX;
    const look = (/** @type {import("../types").Spot} */ at, /** @type {Omit<Target, "p">} */ target) => {
      if (Math.abs(at[0] - here.lat) > dLat || Math.abs(at[1] - here.lng) > dLng) return;
      const p = view.map.latLngToContainerPoint(at);
      const d = p.distanceTo(point);
      if (d >= least) return;
      least = d;
      best = { ...target, p };
    };
    const count = view.doc.nodes.ids.length;
    for (let node = 0; node < count; node += 1)
      if (view.here(node)) look(view.spotOf(node), { ref: `n:${node}`, node });
    least = Math.min(least, POI_PX);
    for (const { at, ...poi } of view.shownPois()) look(view.spot(at), { ref: nameRef(poi.name), poi });
    return best;
  }

  /** @param {Target} target */
  showTip({ ref, node, poi, p }) {
    const { view } = this;
    const lines = poi
      ? [
          el("b", { text: poi.name }),
          poi.kind ?? "",
          poi.distance_m === undefined ? "" : `${poi.distance_m.toFixed(1)} m away`,
        ]
      : [el("b", { class: "nv-id", text: shortId(view.doc.nodes.ids[node ?? 0]) }), ...view.nodeFacts(node ?? 0)];
    const spoken = view.api.mentions(ref);
    if (spoken) lines.push(`in the text ${spoken === 1 ? "once" : counted(spoken, "time", "times")}`);
    this.tip.replaceChildren(...lines.filter(Boolean).map((line) => el("div", {}, line)));
    this.tip.hidden = false;
    const size = view.map.getSize();
    this.tip.style.left = `${Math.min(p.x + 16, size.x - this.tip.offsetWidth - 8)}px`;
    this.tip.style.top = `${Math.max(8, Math.min(p.y + 14, size.y - this.tip.offsetHeight - 8))}px`;
  }

  destroy() {
    if (this.waiting !== null) cancelAnimationFrame(this.waiting);
  }
}
