// @ts-check
// A JSON value as a tree that folds.
import { el, fold } from "../dom.js";
import { linked, mark } from "./linked.js";

/** @typedef {import("./linker.js").Linker} Linker */
/** @typedef {Map<string, boolean>} Folds  what the user opened or closed stays so in the next step */

/** Values of at most so many entries and characters stand on one line. */
const SHORT = { entries: 8, chars: 120 };

/** @param {string} text @returns {{value: unknown} | null} */
export function parseJson(text) {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/**
 * @param {unknown} value
 * @param {Linker} linker
 * @param {Folds} folds
 * @param {string} [path]
 * @param {number} [depth]
 * @returns {HTMLElement}
 */
export function jsonTree(value, linker, folds, path = "$", depth = 0) {
  if (value === null || typeof value !== "object") return leaf(value, linker);
  const list = Array.isArray(value);
  /** @type {[string, unknown][]} */
  const entries = list ? value.map((item, i) => [String(i), item]) : Object.entries(value);
  if (!entries.length) return el("span", { class: "nv-j-mute", text: list ? "[]" : "{}" });
  if (isShort(value, entries)) return short(list, entries, linker);
  const open = folds.get(path) ?? depth < 2;
  const keys = entries.slice(0, 4).map(([key]) => key);
  const body = el("div", { class: "nv-j-body" });
  const fill = () => {
    if (body.childElementCount) return;
    for (const [key, item] of entries) {
      const where = `${path}.${list ? "*" : key}`;
      body.append(
        el("div", { class: "nv-j-row" }, keyOf(key, linker), jsonTree(item, linker, folds, where, depth + 1)),
      );
    }
  };
  if (open) fill();
  const summary = el("summary", { class: "nv-j-mute", text: list ? `${entries.length} items` : keys.join(", ") });
  return fold({ class: "nv-j" }, summary, body, open, (now) => {
    folds.set(path, now);
    if (now) fill();
  });
}

/**
 * @param {string} key
 * @param {Linker} linker
 */
function keyOf(key, linker) {
  const ref = linker.letter(key) ?? linker.tokens.get(key);
  return el("span", { class: "nv-j-key" }, ref ? mark(key, ref, linker) : key);
}

/**
 * @param {object} value
 * @param {[string, unknown][]} entries
 */
const isShort = (value, entries) =>
  entries.length <= SHORT.entries &&
  entries.every(([, item]) => item === null || typeof item !== "object") &&
  JSON.stringify(value).length <= SHORT.chars;

/**
 * @param {boolean} list
 * @param {[string, unknown][]} entries
 * @param {Linker} linker
 */
function short(list, entries, linker) {
  const box = el("span", { class: "nv-j-short" });
  entries.forEach(([key, item], i) => {
    if (i) box.append("  ");
    if (!list) box.append(keyOf(key, linker), " ");
    box.append(leaf(item, linker));
  });
  return box;
}

/**
 * @param {unknown} value
 * @param {Linker} linker
 */
function leaf(value, linker) {
  if (value === "") return el("span", { class: "nv-j-mute", text: '""' });
  if (typeof value !== "string") return el("span", { class: "nv-j-num", text: String(value) });
  const ref = linker.letter(value) ?? linker.tokens.get(value);
  return el("span", { class: "nv-j-str" }, ref ? mark(value, ref, linker) : linked(linker, value));
}
