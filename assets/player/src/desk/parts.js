// @ts-check
// Small parts of the desk: buttons that show their key, and texts.
import { el, keepFocus } from "../dom.js";
import { keySign } from "./keys.js";

/** @typedef {import("./types").Command} Command */

/**
 * A button with its key beside its word.
 * @param {Command} command
 * @param {{chosen?: boolean, disabled?: boolean, look?: string, title?: string}} [how]  a look of `nv-line` cuts a long label
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
      title: title ?? (look.includes("nv-line") ? command.label : undefined),
      on: { mousedown: keepFocus, click: command.run },
    },
    el("span", { text: command.label }),
    key !== undefined && el("kbd", { text: keySign(key) }),
  );
}

const PARTS = ".nv-ways, .nv-banner, .nv-desk-form, .nv-desk-after";

/**
 * Draw anew, and give the focus back to the button that has taken the place of the one that had it: who goes by Tab and
 * presses would begin again at the top of the page.
 * @param {HTMLElement} root @param {() => void} draw
 */
export function keepingFocus(root, draw) {
  const { activeElement: before } = document;
  const part = before instanceof HTMLElement && root.contains(before) ? before.closest(PARTS) : null;
  const words = before?.textContent;
  draw();
  if (!part || before?.isConnected) return;
  const alike = [...part.querySelectorAll("button")].find((button) => button.textContent === words && !button.disabled);
  alike?.focus({ preventScroll: true });
}

/**
 * A question over its choices: `nv-choices` as wide as they are, `nv-scale` in one row of equal widths, `nv-column` one
 * below the other.
 * @param {string} text @param {HTMLElement[]} choices @param {"nv-choices" | "nv-scale" | "nv-column"} [look]
 */
export function question(text, choices, look = "nv-choices") {
  return el("div", { class: "nv-question" }, el("p", { text }), el("div", { class: look }, choices));
}
