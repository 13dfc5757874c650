// @ts-check
// Pages of a text that is longer than its box: a film shows one after the other, since nobody can scroll in it.
import { el } from "../dom.js";

/** @typedef {{top: number, bottom: number, block: Element | null}} Line  in pixels from the text's upper edge */

/** Texts that go on on a further page. A prompt has thousands of words, and is sent again at each step. */
const PAGED = new Set(["thoughts", "reply"]);
/** A page ends where a paragraph does, else a sentence, if one ends within this last share of the page. */
const LAST_SHARE = 0.35;
/** Put before a sentence that would go on on the next page; gone when the text is one again. */
const BREAK = "br.nv-page-break";
/** A pane that is lower shows no text that one could page through. */
const LEAST_PX = 60;
const BLOCKS = "p, li, pre, h4, h5, td, dd";

/**
 * Where pages begin, so that no line is cut.
 * @param {Line[]} lines  from top to bottom
 * @param {number} first  height of the first page
 * @param {number} further  height of the others
 * @returns {number[]}
 */
export function pageTops(lines, first, further) {
  const tops = [0];
  // a long plan may leave no line's room on the first page: then the text begins on the next
  if (lines.length && lines[0].bottom > first) tops.push(lines[0].top);
  let at = 0;
  for (;;) {
    const top = tops[tops.length - 1];
    const high = tops.length > 1 ? further : first;
    const over = lines.findIndex(({ bottom }, i) => i > at && bottom > top + high);
    if (over < 0) return tops;
    at = paragraphStart(lines, at, over, top + high * (1 - LAST_SHARE));
    tops.push((lines[at - 1].bottom + lines[at].top) / 2);
  }
}

/**
 * The last line up to `over` that begins a paragraph and lies below `least`; else `over` itself.
 * @param {Line[]} lines
 * @param {number} at
 * @param {number} over
 * @param {number} least
 */
function paragraphStart(lines, at, over, least) {
  for (let k = over; k > at && lines[k].top > least; k--) if (lines[k].block !== lines[k - 1].block) return k;
  return over;
}

/** The pages of the text in a player's pane, while it presents. */
export class Pages {
  /** @param {import("../player.js").Player} player */
  constructor(player) {
    this.player = player;
    /** @type {number[]} */
    this.tops = [0];
  }

  /** Cut the open text into pages, show the first, and return how many there are. */
  count() {
    const { pane, root } = this.player;
    this.reset();
    if (!PAGED.has(pane.shown ?? "") || pane.body.scrollHeight <= pane.body.clientHeight + 1) return 1;
    const { edge } = this;
    // a line or two would end within a sentence
    const first = pane.body.clientHeight < LEAST_PX ? 0 : pane.body.clientHeight;
    root.classList.add("nv-page-further");
    const further = pane.body.clientHeight - edge;
    root.classList.remove("nv-page-further");
    if (further < LEAST_PX) return 1;
    this.tops = cutAtSentences(pane.body, first, further);
    this.show(0);
    return this.tops.length;
  }

  /** Room above the text. */
  get edge() {
    return Number.parseFloat(getComputedStyle(this.player.pane.body).paddingTop);
  }

  /** @param {number} page  from 0 */
  show(page) {
    const { tops } = this;
    const { pane, root } = this.player;
    if (tops.length < 2) return;
    root.classList.toggle("nv-page-further", page > 0);
    const { body } = pane;
    const edge = page > 0 ? this.edge : 0;
    const high = body.clientHeight;
    // the last page may be short: without room below it, the box would scroll less far
    const text = /** @type {HTMLElement | null} */ (body.firstElementChild);
    if (text) text.style.paddingBottom = `${high}px`;
    body.scrollTop = tops[page] - edge;
    const end = tops[page + 1];
    const below = end === undefined ? 0 : Math.max(0, high - edge - (end - tops[page]));
    // whole lines only: what lies between two pages' edges belongs to the other page
    body.style.clipPath = `inset(${edge}px 0 ${below}px 0)`;
    pane.tabs.querySelector(".nv-page-number")?.remove();
    pane.tabs.append(el("span", { class: "nv-page-number", text: `page ${page + 1} of ${tops.length}` }));
  }

  /** Show the text as one again. */
  reset() {
    if (this.tops.length < 2) return;
    const { pane, root } = this.player;
    for (const line of pane.body.querySelectorAll(BREAK)) line.remove();
    // the breaks cut texts in two
    pane.body.normalize();
    this.tops = [0];
    root.classList.remove("nv-page-further");
    const text = /** @type {HTMLElement | null} */ (pane.body.firstElementChild);
    text?.style.removeProperty("padding-bottom");
    pane.body.style.removeProperty("clip-path");
    pane.body.scrollTop = 0;
    pane.tabs.querySelector(".nv-page-number")?.remove();
  }
}

/**
 * Where pages begin; a sentence that would go on on the next page begins there, on a line of its own.
 * @param {HTMLElement} box
 * @param {number} first
 * @param {number} further
 */
function cutAtSentences(box, first, further) {
  for (let page = 1; ; page++) {
    const lines = linesOf(box);
    const tops = pageTops(lines, first, further);
    if (page >= tops.length) return tops;
    const at = lines.findIndex(({ top }) => top > tops[page]);
    const high = page > 1 ? further : first;
    // each break moves all that follows: the next page's end is looked for anew
    if (at > 0 && lines[at].block === lines[at - 1].block)
      breakSentence(box, lines[at], tops[page - 1] + high * (1 - LAST_SHARE));
  }
}

/** Put a break before the sentence that a line goes on with, if it begins below `least`. @param {HTMLElement} box @param {Line} line @param {number} least */
function breakSentence(box, line, least) {
  const { block } = line;
  const whole = block instanceof HTMLBRElement ? (block.closest(BLOCKS) ?? block.parentElement) : block;
  if (!whole || whole.closest("pre")) return;
  const origin = box.getBoundingClientRect().top - box.scrollTop;
  // line ends of the source are blanks here, and would end a sentence
  const text = (whole.textContent ?? "").replace(/\s/g, " ");
  /** @type {Place | null} */
  let begin = null;
  for (const { index } of new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)) {
    const place = textAt(whole, index);
    const { top, middle } = place ? heightOf(place, origin) : { top: 0, middle: 0 };
    if (middle > line.top) {
      const last = textAt(whole, text.slice(0, index).trimEnd().length - 1);
      // the sentence before ends with the page: the line begins with this one
      if (last && heightOf(last, origin).middle < line.top) return;
      break;
    }
    if (top > least) begin = place;
  }
  if (!begin) return;
  const range = document.createRange();
  range.setStart(begin.node, begin.offset);
  range.insertNode(el("br", { class: "nv-page-break" }));
}

/** @typedef {{node: Text, offset: number}} Place  of a letter */

/** @param {Place} place @param {number} origin */
function heightOf({ node, offset }, origin) {
  const range = document.createRange();
  range.setStart(node, offset);
  range.setEnd(node, offset + 1);
  const { top, bottom } = range.getBoundingClientRect();
  return { top: top - origin, middle: (top + bottom) / 2 - origin };
}

/** The letter of a block by its number. @param {Element} block @param {number} index @returns {Place | null} */
function textAt(block, index) {
  const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  let before = 0;
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = /** @type {Text} */ (node);
    if (index < before + text.length) return { node: text, offset: index - before };
    before += text.length;
  }
  return null;
}

/** The lines of all text in a box, from top to bottom. @param {HTMLElement} box @returns {Line[]} */
function linesOf(box) {
  const origin = box.getBoundingClientRect().top - box.scrollTop;
  /** @type {Line[]} */
  const pieces = [];
  const nodes = document.createTreeWalker(box, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  const range = document.createRange();
  /** @type {{line: Element, inside: Element | null} | undefined} */
  let broken;
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const inside = node.parentElement?.closest(BLOCKS) ?? node.parentElement;
    if (node instanceof Element) {
      if (node.matches(BREAK)) broken = { line: node, inside };
      continue;
    }
    range.selectNodeContents(node);
    // behind a break, a paragraph of its own begins
    const block = broken?.inside === inside ? broken.line : inside;
    for (const { top, bottom, width } of range.getClientRects())
      if (width) pieces.push({ top: top - origin, bottom: bottom - origin, block });
  }
  return joined(pieces.sort((a, b) => a.top - b.top));
}

/** Pieces of text that stand beside each other, as one line. @param {Line[]} pieces @returns {Line[]} */
function joined(pieces) {
  /** @type {Line[]} */
  const lines = [];
  for (const { top, bottom, block } of pieces) {
    const last = lines.at(-1);
    // letters of another size or font lie a little higher or lower in the same line
    if (last && top < (last.top + last.bottom) / 2) last.bottom = Math.max(last.bottom, bottom);
    else lines.push({ top, bottom, block });
  }
  return lines;
}
