// @ts-check
// Guidelines and worked examples as annotators see them. Whatever was written, its text stays text.
import { el } from "../dom.js";
import { blocks, spans } from "../text/blocks.js";

/** The guidelines' headings, lists and paragraphs. @param {string} text */
export const guidelines = (text) => blocks(text).map(element);

/** @param {import("../text/blocks.js").Block} block */
function element(block) {
  if (block.kind === "list") {
    const items = block.items.map((item) => el("li", {}, inline(item)));
    return block.ordered ? el("ol", { start: block.start }, items) : el("ul", {}, items);
  }
  if (block.kind === "code") return el("pre", { text: block.text });
  return el(block.kind === "heading" ? "h4" : "p", {}, inline(block.text));
}

/** @param {string} text */
function inline(text) {
  const tags = /** @type {const} */ ({ strong: "b", emphasis: "em", code: "code" });
  return spans(text).map((span) => (span.kind === "text" ? span.text : el(tags[span.kind], { text: span.text })));
}
