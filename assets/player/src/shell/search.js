// @ts-check
// Ctrl+K: search in prompts, thoughts, replies and landmarks; a result leads to its step. Below them the other episodes
// of the run, where the page has them; a result leads there.
import { el } from "../dom.js";
import { passages, search } from "../text/finder.js";
import { searchEpisodes } from "../text/run-index.js";

/** @typedef {import("../text/finder.js").Hit} Hit */
/** @typedef {import("../text/run-index.js").EpisodeHit} EpisodeHit */

const MOST_HITS = 60;
const MOST_EPISODES = 40;
const FILE_HOLDS_ONE = "This file holds one episode only; the app searches the whole run.";

export class Search {
  /** @param {import("../player.js").Player} player */
  constructor(player) {
    this.player = player;
    /** @type {Hit[]} */
    this.hits = [];
    /** @type {EpisodeHit[]} */
    this.others = [];
    /** The other episodes of the run, once they are unpacked. @type {import("../text/run-index.js").IndexEntry[]} */
    this.index = [];
    this.chosen = 0;
    /** What has the passages of this document. @type {{doc: object, all: import("../text/finder.js").Passage[]} | null} */
    this.passages = null;
    const on = { input: () => this.look(), keydown: (/** @type {KeyboardEvent} */ event) => this.onKey(event) };
    this.field = el("input", {
      type: "search",
      class: "nv-search-field",
      "aria-label": "Search",
      placeholder: player.options.runIndex
        ? "Search this episode, and the run's ids and instructions"
        : "Search prompts, thoughts, replies, landmarks",
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
    this.readIndex();
  }

  /** Unpack the other episodes, once: a long run takes a moment, and its own episode's results need not wait. */
  async readIndex() {
    const index = await this.player.options.runIndex?.();
    if (!index || index === this.index) return;
    this.index = index;
    if (this.box.open) this.look();
  }

  close() {
    // a closed dialog's field keeps the focus until the next frame, and would take the key that comes before it
    this.field.blur();
    this.box.close();
  }

  all() {
    const { doc, strings } = this.player;
    if (this.passages?.doc !== doc) this.passages = { doc, all: passages(doc, strings) };
    return this.passages.all;
  }

  look() {
    const words = this.field.value;
    this.hits = search(this.all(), words, MOST_HITS);
    this.others = searchEpisodes(this.index, words, MOST_EPISODES, this.player.doc.episode.id);
    this.chosen = 0;
    this.note.textContent = this.said(words);
    const first = this.hits.length;
    this.list.replaceChildren(
      ...this.hits.map((hit, i) => this.row(hit, i, hit.step === 0 ? "start" : `step ${hit.step}`, hit.what)),
      ...this.others.map((hit, k) => this.row(hit, first + k, "episode", hit.id)),
    );
    this.choose(0);
  }

  /** @param {string} words */
  said(words) {
    const alone = this.player.options.file ? FILE_HOLDS_ONE : "";
    if (!words.trim()) return `↑ ↓ choose, enter goes there, escape leaves. ${alone}`.trim();
    const counted = [];
    if (this.hits.length === MOST_HITS) counted.push(`The first ${MOST_HITS} places in this episode.`);
    if (this.others.length === MOST_EPISODES) counted.push(`The first ${MOST_EPISODES} other episodes.`);
    if (!this.hits.length)
      counted.push(
        this.others.length || !this.index.length
          ? "Nothing in this episode says that."
          : "Nothing in this episode, and no other instruction of the run, says that.",
      );
    return [...counted, alone].join(" ").trim();
  }

  /**
   * @param {{before: string, match: string, after: string}} hit
   * @param {number} i
   * @param {string} where
   * @param {string} what
   */
  row(hit, i, where, what) {
    const on = {
      mousedown: (/** @type {Event} */ event) => event.preventDefault(),
      click: () => this.go(i),
      mousemove: () => this.choose(i),
    };
    return el(
      "li",
      { class: where === "episode" ? "nv-hit nv-hit-episode" : "nv-hit", on },
      el("span", { class: "nv-hit-where", text: `${where} · ${what}` }),
      el("span", { class: "nv-hit-text" }, hit.before, el("mark", { text: hit.match }), hit.after),
    );
  }

  /** @param {number} i */
  choose(i) {
    this.chosen = Math.max(0, Math.min(this.hits.length + this.others.length - 1, i));
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

  /** Go to a result: its step, its tab, its words; or its episode. @param {number} i */
  go(i) {
    const { player } = this;
    const hit = this.hits[i];
    const other = this.others[i - this.hits.length];
    if (!hit && !other) return;
    this.close();
    if (!hit) {
      player.options.onAction?.("open", player.step, other.id);
      return;
    }
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
