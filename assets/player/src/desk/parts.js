// @ts-check
// Small parts of the desk: buttons that show their key, and texts.
import { el, keepFocus } from "../dom.js";
import { keySign } from "./keys.js";

/** @typedef {import("./types").Command} Command */

/**
 * A button with its key beside its word.
 * @param {Command} command
 * @param {{chosen?: boolean, disabled?: boolean, look?: string, title?: string}} [how]
 */
export function keyButton(command, { chosen = false, disabled = false, look = "", title } = {}) {
  const key = command.keys[0];
  return el(
    "button",
    {
      type: "button",
      class: `nv-key-button ${look}`,
      "aria-pressed": chosen ? "true" : "false",
      disabled,
      title,
      on: { mousedown: keepFocus, click: command.run },
    },
    el("span", { text: command.label }),
    key !== undefined && el("kbd", { text: keySign(key) }),
  );
}

/** A question over its choices. @param {string} text @param {...HTMLElement} choices */
export function question(text, ...choices) {
  return el("div", { class: "nv-question" }, el("p", { text }), el("div", { class: "nv-choices" }, choices));
}
