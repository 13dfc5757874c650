// @ts-check
// What the annotator looks at while rating: the item's map, or the agent's replay.
import { DeskMap } from "./map.js";
import { DeskReplay } from "./replay.js";

/** Tasks about what the agent did: its replay is shown, and no bare map. */
const REPLAYED = ["failure", "skill", "cause"];

export class ItemView {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.replays = REPLAYED.includes(desk.data.task);
    const handlers = {
      hover: (/** @type {string[]} */ refs) => desk.view.lightText(refs),
      pick: (/** @type {string} */ ref) => this.pick(ref),
    };
    this.map = this.replays ? null : new DeskMap(desk.root, desk.view.left, handlers);
    this.replay = new DeskReplay(desk);
  }

  /** Show the item on the desk; until its document is there, the one before is veiled. */
  show() {
    const { root, sheet } = this.desk;
    root.dataset.ready = String(sheet !== undefined);
    // a class of its own: a rule on data-ready would have the player, too, styled anew when it is painted
    root.classList.toggle("nv-desk-late", sheet === undefined);
    if (!sheet?.document) return;
    this.map?.show(sheet.document, sheet.marks);
    if (this.replays) this.replay.show(sheet.document);
  }

  /** Choose what was clicked on the map. @param {string} ref */
  pick(ref) {
    const { form } = this.desk;
    if (ref.startsWith("n:")) form.pickNode?.(Number(ref.slice(2)));
    else form.pick?.(ref.slice(2));
  }

  /** The item's player, once it is there. */
  get player() {
    return this.replay.player;
  }

  /** Light up places on whatever map there is. @param {string[]} refs */
  light(refs) {
    this.map?.light(refs);
    this.player?.map.highlight(refs);
  }

  /** @param {string} ref */
  panTo(ref) {
    this.map?.panTo(ref);
    this.player?.map.panTo(ref);
  }

  destroy() {
    this.replay.drop();
    this.map?.destroy();
  }
}
