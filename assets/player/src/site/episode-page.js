// @ts-check
// An episode: the player between the previous and the next one of the list, with a link to its step and a snippet to embed it.
import { el } from "../dom.js";
import { paramsOf, stateFrom } from "../list/state.js";
import { go, linkTo, note, place, whole } from "./address.js";
import { script, styles } from "./chunks.js";

/** @typedef {import("./run-data.js").RunData} RunData */

const OFTEN_MS = 250;

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
    const doc = await this.data.document(row);
    if (!this.box.isConnected) return;
    await this.tell(episode);
    const asked = Number(place().get("step") ?? "");
    const root = el("div", {});
    this.box.replaceChildren(root);
    const Player = /** @type {typeof import("../player.js").Player} */ (globalThis.NavVizPlayer);
    this.player = await Player.mount(root, doc, {
      deepLink: false,
      height: "fill",
      episodes: !this.bare,
      start: "cause",
      ...(asked ? { step: asked } : {}),
      onStep: (step) => this.remember(step),
      onAction: (name, _step, other) => this.act(name, other),
      runIndex: this.bare ? undefined : () => this.index(),
      loadPlotly: () => script("assets/plotly.js"),
    });
    this.step = this.player.step;
  }

  /** Ids and instructions of the run, for the player's search. @returns {Promise<[string, string][]>} */
  async index() {
    const rows = await this.data.rows();
    return rows.column("episode").map((id, row) => [String(id), String(rows.cell("instruction", row) ?? "")]);
  }

  /** @param {string} name @param {string} [other] */
  act(name, other) {
    if (name === "open" && other) go(this.link({ episode: other }));
    const next = this.beside(name === "next" ? 1 : -1);
    if ((name === "next" || name === "previous") && next !== undefined) go(this.link({ episode: next }));
  }

  /** @param {number} direction @returns {string | undefined} */
  beside(direction) {
    const at = this.order.indexOf(this.row);
    const row = this.order[at < 0 ? 0 : at + direction];
    return row === undefined ? undefined : String(this.rows?.cell("episode", row));
  }

  /** @param {import("./address.js").Place} more */
  link(more) {
    const embed = this.bare ? "1" : undefined;
    const as = place().get("as") ?? undefined;
    return linkTo({ run: this.data.run.name, as, ...paramsOf(this.state), embed, ...more });
  }

  /** A link to the step that is shown, without the list. */
  stepLink() {
    const episode = String(this.rows?.cell("episode", this.row));
    return linkTo({ run: this.data.run.name, episode, step: this.step || undefined });
  }

  /** Write the step into the address, but not more often than browsers allow. @param {number} step */
  remember(step) {
    this.step = step;
    clearTimeout(this.waiting);
    const episode = String(this.rows?.cell("episode", this.row));
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
    for (const other of this.others) {
      if ((await other.row(episode)) === undefined) continue;
      const href = linkTo({ run: other.run.name, episode });
      others.push(el("a", { href, text: `in ${other.run.name}`, title: "The same episode in this run" }));
    }
    this.bar.replaceChildren(
      el("a", { href: this.link({}), text: "← List" }),
      this.arrow("‹", "Previous episode (p)", -1),
      el("b", { text: episode, title: where }),
      el("span", { class: "ns-quiet", text: where }),
      this.arrow("›", "Next episode (n)", 1),
      ...others,
      el("span", { class: "ns-space" }),
      this.copier("Copy link", "Address of this step", () => whole(this.stepLink())),
      this.copier("Embed", "Snippet of HTML for your own page", () => this.snippet()),
    );
  }

  /** @param {string} text @param {string} title @param {number} direction */
  arrow(text, title, direction) {
    const episode = this.beside(direction);
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
