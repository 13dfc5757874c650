// @ts-check
// The pictures of an item without a player: what one sees where one stands, and pictures of the route to draw boxes in.

import { Look } from "../pictures/look.js";
import { seenPictures } from "../pictures/seen.js";
import { Pictures } from "../pictures/store.js";
import { Colors } from "../shell/theme.js";

/** @typedef {import("../player.js").Player} Player */
/** @typedef {import("../document").ReplayDocument} ReplayDocument */

export class DeskEyes {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.root = desk.root;
    this.colors = new Colors(desk.root);
    this.pictures = new Pictures(this);
    this.look = new Look(this);
    /** @type {import("../types").Seer["walks"]} */
    this.walks = null;
    /** @type {import("../types").Seer["map"]} */
    this.map = {
      cone: (look) => desk.itemView.map?.map?.cone?.(look),
      highlight: (refs) => desk.itemView.light(refs),
      panTo: (ref) => desk.itemView.panTo(ref),
    };
  }

  /** The document of the item on the desk. */
  get doc() {
    return /** @type {ReplayDocument} */ (this.desk.sheet?.document);
  }

  get step() {
    return this.doc.steps.length;
  }

  /** Words of the text light up by the desk itself, when the map does. */
  lightText() {}

  /** What is seen from the last place of the item's walk; null where there is no picture. */
  seen() {
    const step = this.desk.sheet?.document?.steps.at(-1);
    return step ? seenPictures(step, this) : null;
  }
}
