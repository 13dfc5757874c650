// @ts-check
// An episode: the player between the previous and the next one of the list, with a link to its step and a snippet to embed it.
import { el } from "../dom.js";
import { paramsOf, stateFrom } from "../list/state.js";
import { go, linkTo, note, place, whole } from "./address.js";
import { script, styles } from "./chunks.js";
import { isSameEpisode, laidOver } from "./laid-over.js";

/** @typedef {import("./run-data.js").RunData} RunData */

const OFTEN_MS = 250;
/** Walks that the colours tell apart: the one compared and those behind it, as in the app. */
const MOST_OVER = 7;
/** Other runs that stand in the bar; more are folded. */
const MOST_BESIDE = 2;

export class EpisodePage {
  /**
   * @param {HTMLElement} root
   * @param {RunData} data
   * @param {RunData[]} others  the site's other runs
   */
  constructor(root, data, others) {
    this.root = root;
    this.data = data;
    this.others = others;
    this.bare = place().has("embed");
    this.state = stateFrom(place(), data.run.columns);
    /** The other runs whose walks are laid over this one. */
    this.over = place().getAll("with").slice(0, MOST_OVER);
    /** Links to the same step in other runs, by their names. @type {Map<string, HTMLAnchorElement>} */
    this.elsewhere = new Map();
    /** @type {number[]} */
    this.order = [];
    this.row = 0;
    this.step = 0;
    this.written = 0;
    this.bar = el("nav", { class: "ns-episode", hidden: this.bare, "aria-label": "Episode" });
    this.box = el("div", { class: "ns-player" });
    root.replaceChildren(this.bar, this.box);
  }

  /** @param {string} episode */
  async open(episode) {
    styles("assets/leaflet.css");
    styles("assets/player.css");
    const code = script("assets/leaflet.js").then(() => script("assets/player.js"));
    const [rows, row] = await Promise.all([this.data.rows(), this.data.row(episode), code]);
    if (row === undefined) {
      this.box.replaceChildren(el("p", { text: `${this.data.run.name} has no episode ${episode}.` }));
      return;
    }
    this.row = row;
    this.rows = rows;
    this.order = rows.apply(this.state);
    const own = await this.data.document(row);
    const laid = await this.laid(own, episode);
    const doc = laid.length ? laidOver({ name: this.data.run.name, doc: own }, laid, furtherColours()) : own;
    if (!this.box.isConnected) return;
    await this.tell(episode);
    const wanted = Number(place().get("step") ?? "");
    const root = el("div", {});
    this.box.replaceChildren(root);
    const Player = /** @type {typeof import("../player.js").Player} */ (globalThis.NavVizPlayer);
    this.player = await Player.mount(root, doc, {
      deepLink: false,
      height: "fill",
      episodes: !this.bare,
      start: "cause",
      ...(wanted ? { step: wanted } : {}),
      onStep: (step) => this.remember(step),
      onAction: (name, _step, other) => this.act(name, other),
      runIndex: this.bare ? undefined : () => this.index(),
      loadPlotly: () => script("assets/plotly.js"),
    });
    this.step = this.player.step;
    this.point(episode);
  }

  /**
   * The walks to lay over this one: of the runs that the address names, where they walked this very episode.
   * @param {import("../document").ReplayDocument} own
   * @param {string} episode
   */
  async laid(own, episode) {
    const walks = [];
    for (const other of this.others) {
      const row = this.over.includes(other.run.name) ? await other.row(episode) : undefined;
      if (row === undefined) continue;
      const doc = await other.document(row);
      if (isSameEpisode(own, doc)) walks.push({ name: other.run.name, doc });
    }
    return walks;
  }

  /** Ids and instructions of the run, for the player's search. @returns {Promise<[string, string][]>} */
  async index() {
    const rows = await this.data.rows();
    return rows.column("episode").map((id, row) => [String(id), String(rows.cell("instruction", row) ?? "")]);
  }

  /** @param {string} name @param {string} [other] */
  act(name, other) {
    if (name === "open" && other) go(this.link({ episode: other }));
    const next = this.neighbour(name === "next" ? 1 : -1);
    if ((name === "next" || name === "previous") && next !== undefined) go(this.link({ episode: next }));
  }

  /** @param {number} direction @returns {string | undefined} */
  neighbour(direction) {
    const at = this.order.indexOf(this.row);
    const row = this.order[at < 0 ? 0 : at + direction];
    return row === undefined ? undefined : String(this.rows?.cell("episode", row));
  }

  /** @param {import("./address.js").Place} more */
  link(more) {
    const embed = this.bare ? "1" : undefined;
    const as = place().get("as") ?? undefined;
    return linkTo({ run: this.data.run.name, as, with: this.over, ...paramsOf(this.state), embed, ...more });
  }

  /** A link to the step that is shown, without the list. */
  stepLink() {
    const episode = String(this.rows?.cell("episode", this.row));
    return linkTo({ run: this.data.run.name, episode, with: this.over, step: this.step || undefined });
  }

  /** The same step in another run, with this one laid over it where that was laid over this. @param {string} name @param {string} episode */
  stepIn(name, episode) {
    const over = this.over.map((each) => (each === name ? this.data.run.name : each));
    return linkTo({ run: name, episode, with: over, step: this.step || undefined });
  }

  /** Let the links to other runs lead to the step that is shown. @param {string} episode */
  point(episode) {
    for (const [name, link] of this.elsewhere) link.href = this.stepIn(name, episode);
  }

  /** Write the step into the address, but not more often than browsers allow. @param {number} step */
  remember(step) {
    this.step = step;
    clearTimeout(this.waiting);
    const episode = String(this.rows?.cell("episode", this.row));
    this.point(episode);
    const write = () => {
      this.written = performance.now();
      if (this.box.isConnected) note(this.link({ episode, step }));
    };
    if (performance.now() - this.written > OFTEN_MS) write();
    else this.waiting = setTimeout(write, OFTEN_MS);
  }

  /** The bar above the player. @param {string} episode */
  async tell(episode) {
    const at = this.order.indexOf(this.row);
    const where = at < 0 ? "" : `${at + 1} of ${this.order.length}`;
    const others = [];
    this.elsewhere.clear();
    for (const other of this.others) {
      if ((await other.row(episode)) !== undefined) others.push(this.other(other.run.name, episode));
    }
    this.bar.replaceChildren(
      el("a", { href: this.link({}), text: "← List" }),
      this.arrow("‹", "Previous episode (p)", -1),
      el("b", { text: episode, title: where }),
      el("span", { class: "ns-quiet", text: where }),
      this.arrow("›", "Next episode (n)", 1),
      ...(others.length > MOST_BESIDE ? [this.folded(others)] : others),
      el("span", { class: "ns-space" }),
      this.copier("Copy link", "Address of this step", () => whole(this.stepLink())),
      this.copier("Embed", "Snippet of HTML for your own page", () => this.snippet()),
    );
  }

  /** A link to the episode in another run, and a switch that lays its walk over this one. @param {string} name @param {string} episode */
  other(name, episode) {
    const link = el("a", { href: this.stepIn(name, episode), text: `in ${name}`, title: "The same step in this run" });
    this.elsewhere.set(name, link);
    const shown = this.over.includes(name);
    const press = { click: () => this.lay(name, episode) };
    const title = shown ? `Take the walk of ${name} off the map` : `Lay the walk of ${name} over this one`;
    const look = { type: "button", text: "over it", title, "aria-label": title, "aria-pressed": String(shown) };
    const full = !shown && this.over.length >= MOST_OVER;
    return el("span", { class: "ns-other" }, link, el("button", { ...look, disabled: full, on: press }));
  }

  /** @param {HTMLElement[]} others */
  folded(others) {
    const count = this.over.length;
    const text = count ? `${count} of ${others.length} other runs over it` : `${others.length} other runs`;
    return el("details", { class: "ns-others" }, el("summary", { text }), ...others);
  }

  /** Lay the walk of another run over this one, or take it off. @param {string} name @param {string} episode */
  lay(name, episode) {
    const over = this.over.includes(name) ? this.over.filter((each) => each !== name) : [...this.over, name];
    go(this.link({ episode, with: over, step: this.step || undefined }));
  }

  /** @param {string} text @param {string} title @param {number} direction */
  arrow(text, title, direction) {
    const episode = this.neighbour(direction);
    const at = this.order.indexOf(this.row);
    if (episode === undefined || at + direction < 0)
      return el("span", { class: "ns-arrow", "aria-hidden": "true", text });
    return el("a", { class: "ns-arrow", href: this.link({ episode }), title, "aria-label": title, text });
  }

  /** @param {string} text @param {string} title @param {() => string} content */
  copier(text, title, content) {
    const press = { click: () => this.copy(content()) };
    return el("button", { type: "button", text, title, on: press });
  }

  snippet() {
    const address = whole(`${this.stepLink()}&embed=1`);
    const frame = el("iframe", { src: address, title: `NavViz: ${this.data.run.name}`, width: "100%", height: 640 });
    frame.setAttribute("style", "border:0");
    frame.setAttribute("loading", "lazy");
    return frame.outerHTML;
  }

  /** Show a text to copy, and copy it where the browser lets a page. @param {string} text */
  async copy(text) {
    const field = el("textarea", { readonly: true, rows: 3, "aria-label": "To copy" });
    field.value = text;
    const said = el("span", { class: "ns-quiet", text: "" });
    const close = el("button", { type: "button", text: "Close", on: { click: () => box.remove() } });
    const box = el("div", { class: "ns-copy" }, field, said, close);
    this.root.querySelector(".ns-copy")?.remove();
    this.bar.after(box);
    field.select();
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = "Copied.";
    } catch {
      said.textContent = "Press Ctrl+C to copy.";
    }
  }

  destroy() {
    clearTimeout(this.waiting);
    this.player?.destroy();
  }
}

/** The colours of the walks behind the first that is laid over, from the tokens. */
function furtherColours() {
  const tokens = getComputedStyle(document.documentElement);
  return Array.from({ length: MOST_OVER - 1 }, (_, k) => tokens.getPropertyValue(`--nv-further-${k + 1}`).trim());
}
