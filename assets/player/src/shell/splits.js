// @ts-check
// Two splits that can be dragged: map | pane, and plan and decision above | thoughts below. They are remembered.
import { keep, recall } from "./memory.js";

/** Shares that neither side of a split may fall below. */
const LEAST = 0.2;

export class Splits {
  /**
   * @param {import("../player.js").Player} player
   * @param {HTMLElement} column  between map and pane
   * @param {HTMLElement} row  between plan and thoughts
   */
  constructor(player, column, row) {
    this.player = player;
    this.make(column, "column", player.main, "map and text");
    this.make(row, "row", player.paneBox, "plan and thoughts");
  }

  /**
   * @param {HTMLElement} bar
   * @param {"column" | "row"} name
   * @param {HTMLElement} box  what is split
   * @param {string} what
   */
  make(bar, name, box, what) {
    bar.setAttribute("role", "separator");
    bar.setAttribute("aria-orientation", name === "column" ? "vertical" : "horizontal");
    bar.title = `Drag to share the room between ${what}; double-click for the first share`;
    const saved = recall(`split.${name}`);
    if (typeof saved === "number") this.set(box, name, saved);
    bar.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      bar.setPointerCapture(event.pointerId);
      bar.dataset.dragged = "true";
    });
    bar.addEventListener("pointermove", (event) => {
      if (!bar.dataset.dragged) return;
      const part = share(box, name, event);
      this.set(box, name, part);
      // at each move, not at the end: a page that is left before the pointer is let go keeps what was last seen
      keep(`split.${name}`, part);
    });
    // comes after a release as well as after a cancelled touch or a window that took the pointer away
    bar.addEventListener("lostpointercapture", () => {
      delete bar.dataset.dragged;
    });
    bar.addEventListener("dblclick", () => {
      box.style.removeProperty(`--nv-${name}`);
      delete box.dataset[name];
      keep(`split.${name}`, null);
    });
  }

  /**
   * @param {HTMLElement} box
   * @param {"column" | "row"} name
   * @param {number} part
   */
  set(box, name, part) {
    box.style.setProperty(`--nv-${name}`, `${(100 * Math.min(1 - LEAST, Math.max(LEAST, part))).toFixed(2)}%`);
    box.dataset[name] = "set";
  }
}

/**
 * @param {HTMLElement} box
 * @param {"column" | "row"} name
 * @param {PointerEvent} event
 */
function share(box, name, event) {
  const edges = box.getBoundingClientRect();
  const part =
    name === "column" ? (event.clientX - edges.left) / edges.width : (event.clientY - edges.top) / edges.height;
  return Math.min(1 - LEAST, Math.max(LEAST, part));
}
