// @ts-check
// Values of a panel, whatever they are.
import { el } from "../dom.js";
import { DASH } from "../text/figures.js";
import { jsonTree } from "../text/json-tree.js";
import { linked } from "../text/linked.js";
import { wordChanges } from "../text/words.js";

/**
 * @param {unknown} value
 * @param {import("../text/linker.js").Linker} linker
 * @returns {Node | string}
 */
export function valueView(value, linker) {
  if (value === null || value === undefined) return DASH;
  if (isMarked(value)) return marked(value, linker);
  if (isChanged(value)) return changesView(value.former, value.text);
  if (typeof value === "object") return jsonTree(value, linker, new Map());
  return linked(linker, String(value));
}

/** @typedef {{mark: {text: string, start?: number, end?: number}, wrong?: boolean}} Marked  a text with a part of it marked */

/** @param {unknown} value @returns {value is Marked} */
function isMarked(value) {
  return typeof value === "object" && value !== null && typeof (/** @type {any} */ (value).mark?.text) === "string";
}

/** @typedef {{text: string, former: string}} Changed  a text, and what stood there before */

/** @param {unknown} value @returns {value is Changed} */
function isChanged(value) {
  const { text, former } = /** @type {any} */ (value) ?? {};
  return typeof text === "string" && typeof former === "string";
}

/** @type {Record<string, "ins" | "del" | "span">} */
const TAGS = { new: "ins", gone: "del", same: "span" };

/**
 * What changed between two texts, word by word.
 * @param {string} former
 * @param {string} text
 */
export function changesView(former, text) {
  const parts = former === text ? [] : wordChanges(former, text);
  return el(
    "span",
    { class: "nv-changes" },
    parts.length ? parts.map(({ kind, text: words }) => el(TAGS[kind], { text: words })) : "the same",
  );
}

/**
 * @param {Marked} value
 * @param {import("../text/linker.js").Linker} linker
 */
function marked({ mark, wrong }, linker) {
  const { text, start, end } = mark;
  if (typeof start !== "number" || typeof end !== "number")
    return el("span", { class: wrong ? "nv-wrong" : "" }, linked(linker, text));
  const parts = [text.slice(0, start), text.slice(start, end), text.slice(end)].map((part) => linked(linker, part));
  return el("span", {}, parts[0], el("mark", { class: "nv-marked" }, parts[1]), parts[2]);
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
    words.map((word) => el("span", { class: "nv-chip", title: word }, linked(linker, word))),
  );
}
