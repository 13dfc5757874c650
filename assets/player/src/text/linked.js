// @ts-check
// Texts as elements, with what they speak of marked.
import { el } from "../dom.js";
import { amount, capital } from "./figures.js";

/** @typedef {import("./linker.js").Linker} Linker */

/** Texts longer than this wait in part behind a button. */
export const LONG_TEXT = 30_000;

/** Ids longer than this are cut short by their style; the element holds the whole id, so copying gives the whole. */
const LONG_ID = 14;

/**
 * A marked reference; one that the map cannot show says why and is no way to it.
 * @param {string} text
 * @param {string} ref
 * @param {Linker} [linker]
 */
export function mark(text, ref, linker) {
  const reason = linker?.unplaced(ref);
  if (reason) return el("span", { class: "nv-unplaced", text, title: sentence(`${text}: ${reason}`) });
  const id = ref.startsWith("n:") && text.length > LONG_ID;
  const props = { class: id ? "nv-ref nv-id nv-cut" : "nv-ref", text, data: { ref }, tabindex: -1 };
  return el("span", id ? { ...props, title: text } : props);
}

/** @param {string} text */
const sentence = (text) => `${capital(text)}.`;

/**
 * @template {Node} T
 * @param {DocumentFragment | Element} out
 * @param {number} length
 * @param {() => T} rest
 */
export function restLater(out, length, rest) {
  const button = el("button", {
    type: "button",
    class: "nv-more",
    text: `Show ${amount(length)} more characters`,
    on: { click: () => button.replaceWith(rest()) },
  });
  out.append(" … ", button);
  return out;
}

/**
 * The text as a fragment, references marked; what is very long waits behind a button.
 * @param {Linker} linker
 * @param {string} text
 * @returns {DocumentFragment}
 */
export function linked(linker, text) {
  const out = document.createDocumentFragment();
  for (const piece of linker.pieces(text.slice(0, LONG_TEXT))) {
    out.append(piece.ref ? mark(piece.text, piece.ref, linker) : piece.text);
  }
  if (text.length > LONG_TEXT) restLater(out, text.length - LONG_TEXT, () => linked(linker, text.slice(LONG_TEXT)));
  return out;
}

/**
 * Scroll a list so that one of its items shows, without moving the page.
 * @param {HTMLElement} list
 * @param {HTMLElement | undefined} item
 */
export function keepInView(list, item) {
  if (!item) return;
  const low = item.offsetTop - list.offsetTop;
  const high = low + item.offsetHeight;
  if (low < list.scrollTop) list.scrollTop = low;
  else if (high > list.scrollTop + list.clientHeight) list.scrollTop = Math.min(low, high - list.clientHeight); // what is higher than the list is read from its start
}
