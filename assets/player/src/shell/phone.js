// @ts-check
// The sheets of a player on a phone: below the map lies the reason, the plan or the text, one at a time (narrow.css).
import { el, keepFocus } from "../dom.js";

/** @typedef {"why" | "plan" | "text"} SheetName */

/** @type {[SheetName, string][]} */
const SHEETS = [
  ["why", "Why"],
  ["plan", "Plan"],
  ["text", "Text"],
];

export class Phone {
  /**
   * @param {HTMLElement} root  of the player; its `data-sheet` says which sheet lies there
   * @param {HTMLElement} frame
   */
  constructor(root, frame) {
    this.root = root;
    this.buttons = SHEETS.map(([name, text]) =>
      el("button", {
        type: "button",
        text,
        data: { sheet: name },
        on: { mousedown: keepFocus, click: () => this.open(name) },
      }),
    );
    frame.append(el("div", { class: "nv-sheets", role: "group", "aria-label": "Below the map" }, ...this.buttons));
    this.open("why");
  }

  /** @param {SheetName} name */
  open(name) {
    this.root.dataset.sheet = name;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.dataset.sheet === name));
  }
}
