// @ts-check
// A published site: one page for the host and for the disk. What it shows stands behind the address's #.
import "../css/list.css";
import "../css/site.css";
import { el } from "../dom.js";
import { unpack } from "../text/strings.js";
import { liesAt, linkTo, place } from "./address.js";
import { EpisodePage } from "./episode-page.js";
import { aboutPage, comparePage } from "./other-pages.js";
import { RunData } from "./run-data.js";
import { RunPage } from "./run-page.js";

/** @typedef {import("./types").SiteDocument} SiteDocument */

class Site {
  /** @param {HTMLElement} root @param {SiteDocument} site */
  constructor(root, site) {
    this.site = site;
    liesAt(site.url);
    this.runs = site.runs.map((run, number) => new RunData(run, number));
    this.head = el("header", { class: "ns-head" });
    this.body = el("div", { class: "ns-body" });
    root.replaceChildren(this.head, this.body);
    this.root = root;
    /** @type {EpisodePage | undefined} */
    this.page = undefined;
    this.turn = 0;
    addEventListener("hashchange", () => this.show());
  }

  get current() {
    const name = place().get("run");
    return this.runs.find(({ run }) => run.name === name) ?? this.runs[0];
  }

  async show() {
    const turn = ++this.turn;
    const params = place();
    const data = this.current;
    this.page?.destroy();
    this.page = undefined;
    const view = params.has("episode") ? "episode" : (params.get("view") ?? "run");
    this.tell(view, data);
    this.root.dataset.view = view;
    delete this.root.dataset.ready;
    try {
      await this.draw(view, data, params.get("episode") ?? "", turn);
    } catch (error) {
      if (turn === this.turn) this.body.replaceChildren(el("p", { class: "ns-fault", text: String(error) }));
    }
    if (turn === this.turn) this.root.dataset.ready = "true";
  }

  /** @param {string} view @param {RunData} data @param {string} episode @param {number} turn */
  async draw(view, data, episode, turn) {
    const box = el("div", { class: `ns-page ns-${view === "episode" ? "wide-page" : "text-page"}` });
    if (view === "episode") {
      this.body.replaceChildren(box);
      const others = this.runs.filter((other) => other !== data);
      this.page = new EpisodePage(box, data, others);
      await this.page.open(episode);
    } else if (view === "compare") {
      this.body.replaceChildren(box);
      await comparePage(box, this.site, this.runs);
    } else if (view === "about") {
      this.body.replaceChildren(box);
      aboutPage(box, this.site, data.run);
    } else {
      const rows = await data.rows();
      if (turn !== this.turn) return; // another page was opened meanwhile
      this.body.replaceChildren(box);
      new RunPage(box, data, rows);
    }
  }

  /** @param {string} view @param {RunData} data */
  tell(view, data) {
    const { name } = data.run;
    const embedded = place().has("embed");
    document.body.classList.toggle("ns-embedded", embedded);
    this.head.hidden = embedded;
    const pages = [
      ["run", "Run", linkTo({ run: name })],
      ...(this.runs.length > 1 ? [["compare", "Compare", linkTo({ view: "compare", run: name })]] : []),
      ["about", "About", linkTo({ view: "about", run: name })],
    ];
    const links = pages.map(([key, text, href]) =>
      el("a", { href, text, "aria-current": key === view ? "page" : undefined }),
    );
    const options = this.runs.map(({ run }) =>
      el("option", { value: run.name, selected: run.name === name, text: run.name }),
    );
    const pick = { change: () => this.pick(picker.value) };
    const picker = el("select", { "aria-label": "Run", on: pick }, ...options);
    const title = el("h1", {}, el("a", { href: linkTo({ run: name }), text: this.site.title }));
    const run = this.runs.length > 1 ? picker : el("span", { class: "ns-quiet", text: this.walker(data) });
    this.head.replaceChildren(title, run, el("nav", { "aria-label": "Pages" }, ...links));
    const episode = place().get("episode");
    document.title = episode ? `${episode} · ${this.site.title}` : this.site.title;
  }

  /** @param {RunData} data */
  walker({ run }) {
    return [run.navigator, run.model].filter(Boolean).join(" · ");
  }

  /** @param {string} name */
  pick(name) {
    const view = place().get("view") ?? undefined;
    location.hash = linkTo({ run: name, view });
  }
}

/** Write the system's theme on the root, where the tokens look for it. */
function followSystem() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const write = () => {
    document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
  };
  dark.addEventListener("change", write);
  write();
}

async function begin() {
  const root = /** @type {HTMLElement} */ (document.getElementById("site"));
  const [part] = globalThis.navvizSite ?? [];
  if (part === undefined) return;
  await new Site(root, await unpack(part)).show();
}

followSystem();
const keep = globalThis.navviz_chunk;
globalThis.navviz_chunk = (name, parts) => {
  keep(name, parts);
  if (name !== "site") return;
  globalThis.navvizSite = parts;
  begin();
};
