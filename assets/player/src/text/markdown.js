// @ts-check
// Thoughts in readable type.
import { el } from "../dom.js";
import { blocks, spans } from "./blocks.js";
import { LONG_TEXT, linked, mark, restLater } from "./linked.js";

/** @typedef {import("./linker.js").Linker} Linker */

/**
 * @param {string} text
 * @param {Linker} linker
 * @returns {HTMLElement}
 */
export function markdown(text, linker) {
  const most = 4 * LONG_TEXT;
  const box = el("div", { class: "nv-prose" });
  for (const block of blocks(text.slice(0, most))) box.append(element(block, linker));
  if (text.length > most) restLater(box, text.length - most, () => markdown(text.slice(most), linker));
  return box;
}

/**
 * @param {import("./blocks.js").Block} block
 * @param {Linker} linker
 */
function element(block, linker) {
  if (block.kind === "list") {
    const items = block.items.map((item) => el("li", { dir: "auto" }, inline(item, linker)));
    return block.ordered ? el("ol", { start: block.start }, items) : el("ul", {}, items);
  }
  if (block.kind === "code") return el("pre", {}, linked(linker, block.text));
  return el(block.kind === "heading" ? "h4" : "p", { dir: "auto" }, inline(block.text, linker));
}

/**
 * @param {string} text
 * @param {Linker} linker
 */
function inline(text, linker) {
  const out = document.createDocumentFragment();
  for (const span of spans(text)) {
    const ref = span.kind === "code" ? linker.letter(span.text) : undefined;
    const body = ref ? mark(span.text, ref, linker) : linked(linker, span.text);
    if (span.kind === "text") out.append(body);
    else out.append(el(span.kind === "strong" ? "strong" : span.kind === "code" ? "code" : "em", {}, body));
  }
  return out;
}
