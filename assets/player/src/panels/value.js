// @ts-check
// Values of a panel, whatever they are.
import { el } from "../dom.js";
import { DASH } from "../text/figures.js";
import { jsonTree } from "../text/json-tree.js";
import { linked } from "../text/linked.js";

/**
 * @param {unknown} value
 * @param {import("../text/linker.js").Linker} linker
 * @returns {Node | string}
 */
export function valueView(value, linker) {
  if (value === null || value === undefined) return DASH;
  if (typeof value === "object") return jsonTree(value, linker, new Map());
  return linked(linker, String(value));
}

/**
 * @param {string} title
 * @param {unknown} items
 * @param {import("../text/linker.js").Linker} linker
 */
export function chips(title, items, linker) {
  if (!Array.isArray(items) || !items.length) return null;
  const words = items.map((item) =>
    typeof item === "object" && item ? Object.values(item).join(" · ") : String(item),
  );
  return el(
    "div",
    { class: "nv-chips", title },
    words.map((word) => el("span", { class: "nv-chip" }, linked(linker, word))),
  );
}
