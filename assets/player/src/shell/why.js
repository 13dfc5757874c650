// @ts-check
// Why it failed: what explains the act that was not done, its proof one click away, marked in text and map.
import { el, keepFocus } from "../dom.js";
import { leadingCause } from "../nodes.js";
import { linked } from "../text/linked.js";

/** @typedef {import("../document").CauseEntry} CauseEntry */
/** @typedef {import("../document").QuoteEntry} QuoteEntry */

/** Tabs of the pane that hold a quote's source. @type {Record<string, string>} */
export const TABS = { prompt: "prompt", thoughts: "thoughts", reply: "reply" };
/** What a source is called. @type {Record<string, string>} */
const NAMES = {
  instruction: "Instruction",
  prompt: "Prompt",
  thoughts: "Thoughts",
  reply: "Reply",
  plan: "Plan",
  map: "Map",
  decision: "Decision",
  setting: "Setting",
};
const MARK = "nv-proof";

/** Where a quote stands, in words. @param {QuoteEntry} quote */
function sourceName(quote) {
  const name = NAMES[quote.source] ?? quote.source;
  return quote.step === undefined ? name : `${name}, step ${quote.step}`;
}

/** A quote as a button that shows where it stands. @param {QuoteEntry} quote @param {() => void} click */
export function quoteLine(quote, click) {
  return el(
    "li",
    {},
    el(
      "button",
      { type: "button", class: "nv-quote", title: "Show where it stands", on: { mousedown: keepFocus, click } },
      el("b", { text: sourceName(quote) }),
      el("span", { text: quote.text }),
    ),
  );
}

export class Why {
  /** @param {import("../player.js").Player} player */
  constructor(player) {
    this.player = player;
    this.open = false;
  }

  /** The first cause at or before the departure, else the first hint there. @returns {CauseEntry | undefined} */
  get cause() {
    return leadingCause(this.player.doc);
  }

  /** Causes that hold too, the likely one left out. */
  get others() {
    return this.player.doc.causes?.all.filter((cause) => cause !== this.cause) ?? [];
  }

  /** What can be repaired here, in words: the page has to be able to walk again. @returns {string | undefined} */
  get repair() {
    const { doc, options } = this.player;
    return options.actions?.some(({ name }) => name === "repair") ? doc.causes?.repair : undefined;
  }

  /** Have the page walk again with something repaired. @param {number} [cause] */
  walkRepair(cause) {
    const { player } = this;
    player.pause();
    player.options.onAction?.("repair", player.step, undefined, cause);
  }

  /** @param {string} label @param {string} words @param {number} [cause] */
  repairButton(label, words, cause) {
    const on = { mousedown: keepFocus, click: () => this.walkRepair(cause) };
    const title = `Walk again: ${words}${cause === undefined ? " (r)" : ""}`;
    return el("button", { type: "button", class: "nv-small nv-repair-button", title, text: label, on });
  }

  /** The rows over the map: the cause, then its proof where it is open. @returns {HTMLElement[]} */
  rows() {
    const { causes } = this.player.doc;
    if (!causes) return [];
    const { cause, repair } = this;
    const button = repair ? this.repairButton("Repair", repair) : null;
    if (!cause) {
      // the act stands above; what the log is too poor for is told in its place
      const none = causes.unchecked ? el("p", { class: "nv-note nv-no-cause", text: causes.unchecked }) : null;
      if (button) return [el("div", { class: "nv-cause" }, none, button)];
      return none ? [none] : [];
    }
    const go = { mousedown: keepFocus, click: () => this.player.toCause() };
    const turn = { mousedown: keepFocus, click: () => this.turn() };
    const more = this.others.length ? ` and ${this.others.length} more` : "";
    const hint = cause.grade === "hint";
    const about = "A hint: its kind is not shown to be right in 85 of 100 hits that nobody had seen";
    const head = el(
      "div",
      { class: hint ? "nv-cause nv-hint" : "nv-cause" },
      hint ? el("span", { class: "nv-hint-mark", text: "hint", title: about }) : null,
      el(
        "button",
        { type: "button", class: "nv-cause-sentence", title: "Go to the step where it began (c)", on: go },
        linked(this.player.linker, cause.sentence),
      ),
      el("button", {
        type: "button",
        class: "nv-small nv-proof-button",
        "aria-expanded": String(this.open),
        text: this.open ? "Hide proof" : `Proof${more}`,
        on: turn,
      }),
      button,
    );
    return this.open ? [head, this.proof(cause)] : [head];
  }

  /** @param {CauseEntry} cause */
  proof(cause) {
    const list = el(
      "ul",
      { class: "nv-quotes", "aria-label": "Proof" },
      cause.quotes.map((quote) => quoteLine(quote, () => this.show(quote))),
    );
    for (const other of this.others) {
      const hint = other.grade === "hint" ? "Hint" : "Also";
      const on = { mousedown: keepFocus, click: () => this.player.jump(other.step) };
      const text = `${hint}, step ${other.step}: ${other.sentence}`;
      const row = el("li", {}, el("button", { type: "button", class: "nv-quote nv-mute", text, on }));
      const number = this.player.doc.causes?.all.indexOf(other);
      if (this.repair && other.repair) row.append(this.repairButton("Repair this", other.repair, number));
      list.append(row);
    }
    return list;
  }

  turn() {
    this.open = !this.open;
    this.player.head.showNotes();
    this.player.map.resize();
  }

  /** Go to a quote: its step, its tab, its place. @param {QuoteEntry} quote */
  show(quote) {
    const { player } = this;
    if (quote.step !== undefined) player.jump(quote.step);
    const tab = TABS[quote.source];
    if (tab) player.pane.open(tab);
    // words of a JSON text stand apart where it is set in type
    if (tab && !this.ranges(quote).length) player.pane.calls.showRaw();
    this.mark([quote], true);
    if (quote.at) player.map.closeUp(quote.at);
  }

  /** Mark what proves the cause, as far as the step shows it. */
  markHere() {
    const { cause, player } = this;
    const quotes = cause?.quotes.filter(({ step }) => step === undefined || step === player.step) ?? [];
    const left = player.doc.divergence;
    // the words of the act that was not done, at the step that did something else
    if (left?.words && left.step === player.step) quotes.push({ source: "instruction", text: left.words });
    this.mark(quotes, false);
  }

  /**
   * Highlights lie over the text, so that no node of it changes.
   * @param {QuoteEntry[]} quotes
   * @param {boolean} scroll
   */
  mark(quotes, scroll) {
    const { highlights } = CSS;
    if (!highlights) return; // an older browser shows the proof in the list alone
    const ranges = quotes.flatMap((quote) => this.ranges(quote));
    if (!ranges.length) highlights.delete(MARK);
    else highlights.set(MARK, new Highlight(...ranges));
    const first = ranges[0]?.startContainer.parentElement;
    if (scroll && first) this.player.pane.scrollToElement(first);
  }

  /** Where the words of a quote stand on the page. @param {QuoteEntry} quote @returns {Range[]} */
  ranges(quote) {
    const { pane } = this.player;
    if (TABS[quote.source]) return TABS[quote.source] === pane.shown ? rangesIn(pane.body, quote.text, 1) : [];
    if (quote.source === "instruction" || quote.source === "plan") return rangesIn(pane.top, quote.text, 1);
    return [];
  }
}

/**
 * Ranges of a text within an element, over the borders of its parts; blanks count as one.
 * @param {Element} box
 * @param {string} wanted
 * @param {number} most
 * @returns {Range[]}
 */
function rangesIn(box, wanted, most) {
  /** @type {{node: Text, at: number}[]} */
  const places = [];
  let text = "";
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { data } = /** @type {Text} */ (node);
    for (let i = 0; i < data.length; i += 1) {
      const blank = /\s/.test(data[i]);
      if (blank && (text === "" || text.endsWith(" "))) continue;
      text += blank ? " " : data[i].toLowerCase();
      places.push({ node: /** @type {Text} */ (node), at: i });
    }
  }
  const sought = wanted.replace(/\s+/g, " ").trim().toLowerCase();
  /** @type {Range[]} */
  const ranges = [];
  if (!sought || text.length !== places.length) return ranges;
  for (let at = text.indexOf(sought); at >= 0 && ranges.length < most; at = text.indexOf(sought, at + 1)) {
    const range = document.createRange();
    const last = places[at + sought.length - 1];
    range.setStart(places[at].node, places[at].at);
    range.setEnd(last.node, last.at + 1);
    ranges.push(range);
  }
  return ranges;
}
