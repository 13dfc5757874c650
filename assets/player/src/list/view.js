// @ts-check
// The one list of episodes: filters, count, and the rows as table or gallery. A published site and the app's Explore show it;
// what differs between them (where a row leads, where thumbnails come from) is its host's.
import { el } from "../dom.js";
import { amount } from "../text/figures.js";
import { csvName, csvOf, download } from "./csv.js";
import { Filters } from "./filters.js";
import { Gallery } from "./gallery.js";
import { emptyState, sortedBy } from "./state.js";
import { Table } from "./table.js";

/** @typedef {import("./types").ListColumn} ListColumn */
/** @typedef {import("./types").ListState} ListState */
/** @typedef {import("./rows.js").Rows} Rows */
/**
 * @typedef {object} ListHost
 * @property {(state: ListState) => void} change  somebody wants another state: the host keeps it and calls `show`
 * @property {(row: number) => void} open
 * @property {(row: number) => string} href
 * @property {(row: number) => Promise<import("./gallery.js").Thumb>} thumbOf
 * @property {(row: number) => void} [alike]  look for failures like one; where not given, nobody can
 * @property {() => string} run  its name, of which a download has its own
 */
/**
 * @typedef {object} Spot  where somebody is in the list
 * @property {number} top
 * @property {number} left
 * @property {number} at  the line that the arrow keys have reached
 * @property {boolean} isOpen  whether the filters are unfolded
 * @property {boolean} hasFocus  whether the keyboard is in the rows
 */

export class ListView {
  /**
   * @param {HTMLElement} root
   * @param {Rows} rows
   * @param {ListColumn[]} columns
   * @param {ListHost} host
   */
  constructor(root, rows, columns, host) {
    this.rows = rows;
    this.columns = columns;
    this.host = host;
    this.state = emptyState();
    /** @type {number[]} */
    this.shown = [];
    /** Rows besides which none is shown, whatever the filters say. @type {Set<number> | null} */
    this.only = null;
    this.view = "";
    this.before = el("div", { class: "nl-before" });
    this.after = el("div", { class: "nl-after" });
    const filterBar = el("div", { class: "nl-filter-bar" });
    this.count = el("span", { class: "nl-count", "aria-live": "polite" });
    const save = { click: () => download(csvName(host.run()), csvOf(rows, columns, this.shown)) };
    const help = "Download these episodes as CSV, in this order";
    this.csv = el("button", { type: "button", class: "nl-csv", title: help, text: "CSV", on: save });
    this.none = el("p", { class: "nl-none", text: "No episode passes these filters; clear one of them." });
    this.box = el("div", { class: "nl-box" });
    this.filters = new Filters(filterBar, rows, columns, (state) => host.change(state));
    root.replaceChildren(
      el("div", { class: "nl-bar" }, this.before, filterBar, this.count, this.csv, this.after),
      this.none,
      this.box,
    );
  }

  /** Show the rows as "table" or "gallery"; any other view leaves the box to the host. @param {string} view */
  turn(view) {
    this.view = view;
    this.table?.destroy();
    this.gallery?.destroy();
    this.table = this.gallery = undefined;
    this.box.replaceChildren();
    if (view === "table") {
      this.table = new Table(this.box, this.rows, this.columns, {
        open: (row) => this.host.open(row),
        sort: (column) => this.host.change(sortedBy(this.state, column)),
        href: (row) => this.host.href(row),
        alike: this.host.alike,
      });
    } else if (view === "gallery") {
      this.gallery = new Gallery(this.box, this.host.thumbOf, (row) => this.card(row));
    }
  }

  /** Show what passes. @param {ListState} state */
  show(state) {
    this.state = state;
    const { rows, only } = this;
    this.shown = rows.apply(state);
    if (only) this.shown = this.shown.filter((row) => only.has(row));
    const { shown } = this;
    const outcomes = rows.column("outcome");
    const succeeded = shown.filter((row) => outcomes[row] === "success").length;
    const hasOutcome = shown.some((row) => !["unknown", "unfinished"].includes(String(outcomes[row])));
    const rate = hasOutcome ? ` · ${amount(succeeded)} succeeded` : "";
    this.count.textContent = `${amount(shown.length)} of ${amount(rows.count)} episodes${rate}`;
    this.csv.disabled = shown.length === 0;
    this.none.hidden = shown.length > 0;
    this.filters.show(state);
    this.table?.show(shown, state);
    this.gallery?.show(shown);
  }

  /** What scrolls. */
  get scroller() {
    return this.table?.inner ?? this.gallery?.inner;
  }

  /** @returns {Spot} */
  spot() {
    const { scrollTop: top = 0, scrollLeft: left = 0 } = this.scroller ?? {};
    const hasFocus = this.scroller?.contains(document.activeElement) ?? false;
    return { top, left, at: this.table?.at ?? 0, isOpen: this.filters.fold.open, hasFocus };
  }

  /** Go where another list was that had the same rows: `show` begins at the top. @param {Spot} spot */
  resume({ top, left, at, isOpen, hasFocus }) {
    const { scroller, table, shown } = this;
    this.filters.fold.open = isOpen;
    if (table) table.at = Math.max(0, Math.min(at, shown.length - 1));
    if (!scroller) return;
    if (hasFocus) scroller.focus({ preventScroll: true });
    scroller.scrollTop = top;
    scroller.scrollLeft = left;
    table?.window.redraw();
  }

  /** @param {number} row */
  card(row) {
    const episode = String(this.rows.cell("episode", row));
    const outcome = String(this.rows.cell("outcome", row));
    const error = this.rows.cell("NE", row);
    // indoors half a metre decides: its column has digits, where whole metres would call 2.9 and 3.1 the same
    const digits = this.columns.find(({ name }) => name === "NE")?.digits ?? 0;
    const caption = typeof error === "number" ? `${episode} · ${error.toFixed(digits)} m` : episode;
    const title = `${episode}: ${outcome}. ${this.rows.cell("instruction", row) ?? ""}`;
    return { title, caption, outcome, href: this.host.href(row) };
  }

  destroy() {
    this.table?.destroy();
    this.gallery?.destroy();
    this.filters.destroy();
  }
}
