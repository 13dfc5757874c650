// @ts-check
// The keys of the desk come before all others on the page: what a click has left focused, or a closed box, never keeps
// them. Fields that one types in, open lists and dialogs do.

/** @typedef {import("./types").Command} Command */

const FIELDS = "textarea, select, [contenteditable=''], [contenteditable=true]";
/** What a picture to look around in does by keys, once it has the focus; all others stay the desk's. */
const LOOKS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter", "Escape"]);
const NO_TEXT = new Set(["button", "checkbox", "color", "file", "image", "radio", "range", "reset", "submit"]);

/** Whether a key belongs to what has the focus. @param {KeyboardEvent} event */
export function typedElsewhere(event) {
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return false;
  // a dialog of the page (the line is down) keeps the keys only where it has the focus
  if (document.querySelector("dialog[open]") || target.closest("[role=dialog]")) return true;
  if (target instanceof HTMLInputElement && !NO_TEXT.has(target.type)) {
    const box = target.getAttribute("role") === "combobox";
    return !box || target.getAttribute("aria-expanded") === "true";
  }
  if (target.closest(FIELDS)) return true;
  if (target.matches(".nv-look canvas")) return LOOKS.has(event.key);
  const pressed = event.key === "Enter" || event.key === " ";
  return pressed && target.matches("button, a, summary, [role=button]") && target.matches(":focus-visible");
}

/** The name of a key in a command's list. @param {KeyboardEvent} event */
export const keyName = (event) => (event.key.length === 1 ? event.key.toLowerCase() : event.key);

/** How a key is written on its button. @param {string} key */
export function keySign(key) {
  /** @type {Record<string, string>} */
  const signs = {
    ArrowUp: "↑",
    ArrowDown: "↓",
    ArrowLeft: "←",
    ArrowRight: "→",
    Enter: "↵",
    Escape: "Esc",
    " ": "Space",
  };
  return signs[key] ?? key.toUpperCase();
}
