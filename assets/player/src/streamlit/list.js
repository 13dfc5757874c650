// @ts-check
// The list of episodes as a component: its rows come once, in an element of their own; filters and sort run here, and the
// script hears of them afterwards.

import { Rows } from "../list/rows.js";
import { paramsOf, stateFrom } from "../list/state.js";
import { ListView } from "../list/view.js";
import { pageTheme } from "../shell/theme.js";
import { opened } from "./component.js";
import { Exchange, key, LOST_MS } from "./exchange.js";

/**
 * @template T
 * @typedef {import("./component.js").Component<T>} Component
 */
/** @typedef {import("../list/types").ListColumn} ListColumn */
/** @typedef {import("../list/types").ListState} ListState */
/** @typedef {import("../list/gallery.js").Thumb} Thumb */
/** @typedef {import("./exchange.js").Query} Query */
/**
 * @typedef {object} ListData
 * @property {string} rows  digest of the rows that it lists
 * @property {ListColumn[]} columns
 * @property {Query} query
 * @property {number} turn  of what the script has heard last
 * @property {string} view
 * @property {boolean} alike  whether failures can be compared
 * @property {Query} place  what a link to an episode says besides
 */
/** @typedef {import("./exchange.js").Send} Send */

/** A pause in typing after which the script hears of a search: shorter, and it would run for most letters of a word. */
const TYPING_MS = 300;
/** A pause in scrolling after which thumbnails are fetched, and how many at once. */
const SCROLL_MS = 60;
const MOST_THUMBS = 150;

/** Rows by their digest; the last ones only, since a run of 50,000 takes tens of megabytes. @type {Map<string, Promise<Rows>>} */
const read = new Map();
/** Those who wait for rows that come later than the list does. @type {Map<string, (rows: Rows) => void>} */
const waiting = new Map();
const KEPT = 2;

/** The rows of a list: a digest, a line feed, gzipped JSON of columns. @param {Component<Uint8Array | ArrayBuffer>} component */
export function rows({ data }) {
  const { digest, bytes } = opened(data);
  if (!read.has(digest)) {
    read.set(digest, unpack(bytes));
    for (const old of [...read.keys()].slice(0, -KEPT)) read.delete(old);
  }
  const made = /** @type {Promise<Rows>} */ (read.get(digest));
  const wait = waiting.get(digest);
  waiting.delete(digest);
  if (wait) made.then(wait);
  return () => {};
}

/** @param {Uint8Array} bytes */
async function unpack(bytes) {
  const copy = new Uint8Array(bytes); // a view of the message's buffer may not be read later
  const stream = new Blob([copy]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Rows(await new Response(stream).json());
}

/** @param {string} digest @returns {Promise<Rows>} */
function rowsOf(digest) {
  return read.get(digest) ?? new Promise((resolve) => waiting.set(digest, resolve));
}

class AppList {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = document.createElement("div");
    this.root.className = "navviz-list";
    parent.replaceChildren(this.root);
    /** @type {ListView | null} */
    this.list = null;
    /** @type {ListData | null} */
    this.data = null;
    this.exchange = new Exchange((name, value) => this.send(name, value));
    /** @type {Send} */
    this.send = () => {};
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.pause = undefined;
    this.thumbs = new Thumbs((wanted) => this.send("want", wanted));
    this.root.addEventListener("click", (event) => this.onClick(event));
  }

  /** @param {ListData} data */
  async update(data) {
    const before = this.data;
    this.data = data;
    this.root.dataset.theme = pageTheme(this.root);
    const rows = await rowsOf(data.rows);
    if (this.data !== data) return; // a later run of the script was faster
    const isNew =
      !this.list ||
      before?.alike !== data.alike ||
      before?.rows !== data.rows ||
      JSON.stringify(before.columns) !== JSON.stringify(data.columns);
    let isElsewhere = false;
    let isNews = isNew || before?.view !== data.view;
    const isSameRun = before?.view === data.view && before.place.run === data.place.run;
    const spot = isNew && isSameRun ? this.list?.spot() : undefined;
    if (isNew) this.make(rows, data);
    if (isNews) this.list?.turn(data.view);
    if (this.exchange.take(data.query, data.turn, isSameRun)) [isNews, isElsewhere] = [true, true];
    if (isNews) this.list?.show(this.state); // else it would scroll up at each run of the script
    // causes were found meanwhile: the rows are new, but whoever reads them stays where they are
    if (spot && !isElsewhere) this.list?.resume(spot);
    this.root.dataset.ready = key(data.query);
  }

  /** @param {Rows} rows @param {ListData} data */
  make(rows, data) {
    const typing = this.list?.filters.search === document.activeElement;
    this.list?.destroy();
    this.thumbs.forget();
    this.list = new ListView(this.root, rows, data.columns, {
      change: (state) => this.change(state),
      open: (row) => this.open(row),
      href: (row) => this.href(row),
      thumbOf: (row) => this.thumbs.of(row),
      alike: data.alike ? (row) => this.alike(row) : undefined,
      run: () => this.data?.place.run ?? "",
    });
    if (typing) this.list.filters.search.focus(); // causes were found meanwhile: the rows are new, not the search
  }

  get state() {
    return stateFrom(new URLSearchParams(this.exchange.query), this.data?.columns ?? []);
  }

  /** @param {ListState} state */
  change(state) {
    const typed = state.search !== this.state.search;
    this.exchange.query = paramsOf(state);
    this.list?.show(state);
    this.later(typed ? TYPING_MS : 0);
  }

  /** @param {number} pause_ms */
  later(pause_ms) {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.exchange.tell(), pause_ms);
  }

  /** @param {number} row */
  open(row) {
    clearTimeout(this.pause);
    const episode = String(this.list?.rows.cell("episode", row));
    // with its list, which the script may not have heard of yet
    this.send("open", { episode, ...this.exchange.told });
  }

  /** Look for the failures nearest to one. The script finds them: nothing is shown before. @param {number} row */
  alike(row) {
    clearTimeout(this.pause);
    const episode = encodeURIComponent(String(this.list?.rows.cell("episode", row)));
    // as LikeTarget in navviz/analysis/alike.py writes it, with no step: the one that decided the end
    this.exchange.query = { like: `${episode};`, sort: "-likeness" };
    this.exchange.tell();
  }

  /** @param {number} row */
  href(row) {
    const episode = String(this.list?.rows.cell("episode", row));
    return `replay?${new URLSearchParams({ ...this.data?.place, episode, ...this.exchange.query })}`;
  }

  /** A plain click stays in this window; with a key or another button the browser opens the link. @param {MouseEvent} event */
  onClick(event) {
    const sign = event.target instanceof Element ? event.target.closest("[data-alike]") : null;
    if (sign instanceof HTMLElement) {
      event.preventDefault();
      this.alike(Number(sign.dataset.alike));
      return;
    }
    const link = event.target instanceof Element ? event.target.closest("a[data-row]") : null;
    if (!(link instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.open(Number(link.dataset.row));
  }

  destroy() {
    clearTimeout(this.pause);
    this.list?.destroy();
    this.root.remove();
  }
}

/** Thumbnails by row, fetched as they come into sight. */
class Thumbs {
  /** @param {(rows: number[]) => void} fetch */
  constructor(fetch) {
    this.fetch = fetch;
    /** @type {Map<number, {made: Promise<Thumb>, give: (thumb: Thumb) => void}>} */
    this.parts = new Map();
    /** Rows to fetch, the latest last. @type {Set<number>} */
    this.wanted = new Set();
    this.under = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.pause = undefined;
  }

  /** @param {number} row @returns {Promise<Thumb>} */
  of(row) {
    let part = this.parts.get(row);
    if (!part) {
      /** @type {(thumb: Thumb) => void} */
      let give = () => {};
      const made = new Promise((/** @type {(thumb: Thumb) => void} */ resolve) => {
        give = resolve;
      });
      part = { made, give };
      this.parts.set(row, part);
      this.wanted.add(row);
      this.later(SCROLL_MS);
    }
    return part.made;
  }

  /** @param {number} pause_ms */
  later(pause_ms) {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.ask(), pause_ms);
  }

  ask() {
    if (!this.wanted.size) return;
    // one after the other: the script answers the last trigger alone
    const left_ms = this.under + LOST_MS - Date.now();
    if (this.under && left_ms > 0) {
      this.later(left_ms);
      return;
    }
    this.under = Date.now();
    this.fetch([...this.wanted].slice(-MOST_THUMBS));
  }

  /** @param {Record<string, Thumb>} thumbs */
  take(thumbs) {
    for (const [row, thumb] of Object.entries(thumbs)) {
      this.wanted.delete(Number(row));
      this.parts.get(Number(row))?.give(thumb);
    }
    this.under = 0;
    this.later(0);
  }

  forget() {
    clearTimeout(this.pause);
    this.parts.clear();
    this.wanted.clear();
    this.under = 0;
  }
}

/** @type {WeakMap<Element, AppList>} */
const lists = new WeakMap();
/** The list that thumbnails are for: a page has one. @type {AppList | null} */
let current = null;

/** @param {Component<ListData>} component */
export async function list({ data, parentElement, setTriggerValue }) {
  const shown = lists.get(parentElement) ?? new AppList(parentElement);
  lists.set(parentElement, shown);
  current = shown;
  shown.send = setTriggerValue;
  await shown.update(data);
  return () => {
    lists.delete(parentElement);
    if (current === shown) current = null;
    shown.destroy();
  };
}

/** @param {Component<{rows: string, thumbs: Record<string, Thumb>}>} component */
export function thumbs({ data }) {
  if (current && data.rows === current.data?.rows && Object.keys(data.thumbs).length) current.thumbs.take(data.thumbs);
  return () => {};
}
