// @ts-check
// Ctrl+K: search in prompts, thoughts, replies and landmarks; a result leads to its step.
import { el } from "../dom.js";
import { passages, search } from "../text/finder.js";

/** @typedef {import("../text/finder.js").Hit} Hit */

const MOST_HITS = 60;

export class Search {
  /** @param {import("../player.js").Player} player */
  constructor(player) {
    this.player = player;
    /** @type {Hit[]} */
    this.hits = [];
    this.chosen = 0;
    /** What has the passages of this document. @type {{doc: object, all: import("../text/finder.js").Passage[]} | null} */
    this.known = null;
    const on = { input: () => this.look(), keydown: (/** @type {KeyboardEvent} */ event) => this.onKey(event) };
    this.field = el("input", {
      type: "search",
      class: "nv-search-field",
      "aria-label": "Search",
      placeholder: "Search prompts, thoughts, replies, landmarks",
      on,
    });
    this.list = el("ol", { class: "nv-hits" });
    this.note = el("p", { class: "nv-mute nv-search-note" });
    this.box = el("dialog", { class: "nv-search", "aria-label": "Search" }, this.field, this.list, this.note);
    player.root.append(this.box);
    this.box.addEventListener("focusout", (event) => {
      if (!this.box.contains(/** @type {Node | null} */ (event.relatedTarget))) this.box.close();
    });
  }

  open() {
    this.player.pause();
    if (!this.box.open) this.box.show();
    this.field.focus();
    this.field.select();
    this.look();
  }

  close() {
    // a closed dialog's field keeps the focus until the next frame, and would take the key that comes before it
    this.field.blur();
    this.box.close();
  }

  all() {
    const { doc, strings } = this.player;
    if (this.known?.doc !== doc) this.known = { doc, all: passages(doc, strings) };
    return this.known.all;
  }

  look() {
    const words = this.field.value;
    this.hits = search(this.all(), words, MOST_HITS);
    this.chosen = 0;
    this.note.textContent = this.said(words);
    this.list.replaceChildren(...this.hits.map((hit, i) => this.row(hit, i)));
    this.choose(0);
  }

  /** @param {string} words */
  said(words) {
    if (!words.trim()) return "↑ ↓ choose, enter goes to the step, escape leaves";
    if (!this.hits.length) return "Nothing in this episode says that.";
    return this.hits.length === MOST_HITS ? `The first ${MOST_HITS} places` : "";
  }

  /**
   * @param {Hit} hit
   * @param {number} i
   */
  row(hit, i) {
    const on = {
      mousedown: (/** @type {Event} */ event) => event.preventDefault(),
      click: () => this.go(i),
      mousemove: () => this.choose(i),
    };
    return el(
      "li",
      { class: "nv-hit", on },
      el("span", { class: "nv-hit-where", text: `${hit.step === 0 ? "start" : `step ${hit.step}`} · ${hit.what}` }),
      el("span", { class: "nv-hit-text" }, hit.before, el("mark", { text: hit.match }), hit.after),
    );
  }

  /** @param {number} i */
  choose(i) {
    this.chosen = Math.max(0, Math.min(this.hits.length - 1, i));
    [...this.list.children].forEach((row, k) => {
      row.classList.toggle("nv-on", k === this.chosen);
      if (k === this.chosen) row.scrollIntoView({ block: "nearest" });
    });
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter") this.go(this.chosen);
    else if (event.key === "ArrowDown") this.choose(this.chosen + 1);
    else if (event.key === "ArrowUp") this.choose(this.chosen - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Go to a result: its step, its tab, its words. @param {number} i */
  go(i) {
    const hit = this.hits[i];
    if (!hit) return;
    this.close();
    const { player } = this;
    player.go(hit.step);
    if (!hit.tab) return;
    player.pane.open(hit.tab);
    this.show(hit);
  }

  /** Mark the words in the tab and bring them into view. @param {Hit} hit */
  show(hit) {
    const { body } = this.player.pane;
    const range = findRange(body, hit.match.toLowerCase());
    if (!range?.startContainer.parentElement) return;
    const target = range.startContainer.parentElement;
    for (let part = target.closest("details"); part; part = part.parentElement?.closest("details") ?? null)
      part.open = true;
    this.player.pane.scrollToElement(target);
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
  }
}

/**
 * The words in an element, wherever its texts are split.
 * @param {Node} box
 * @param {string} words  in lower case
 */
function findRange(box, words) {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  /** @type {[Text, number][]} */
  const nodes = [];
  let text = "";
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    nodes.push([node, text.length]);
    text += node.data;
  }
  const at = text.toLowerCase().indexOf(words);
  if (at < 0) return null;
  const place = (/** @type {number} */ offset) => nodes.findLast(([, start]) => start <= offset);
  const first = place(at);
  const last = place(at + words.length - 1);
  if (!first || !last) return null;
  const range = document.createRange();
  range.setStart(first[0], at - first[1]);
  range.setEnd(last[0], at + words.length - last[1]);
  return range;
}
