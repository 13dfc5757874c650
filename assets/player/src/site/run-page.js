// @ts-check
// A run: figures, why it failed, and its episodes as table, gallery or map, all on one state of the list.
import { el } from "../dom.js";
import { Filters } from "../list/filters.js";
import { Gallery } from "../list/gallery.js";
import { isFiltered, paramsOf, sortedBy, stateFrom } from "../list/state.js";
import { Table } from "../list/table.js";
import { linkTo, note, place } from "./address.js";
import { causesOf, figuresOf } from "./figures.js";
import { WalkMap } from "./walk-map.js";

/** @typedef {import("../list/types").ListState} ListState */
/** @typedef {import("./run-data.js").RunData} RunData */

const VIEWS = ["table", "gallery", "map"];

export class RunPage {
  /** @param {HTMLElement} root @param {RunData} data @param {import("../list/rows.js").Rows} rows */
  constructor(root, data, rows) {
    this.data = data;
    this.rows = rows;
    const { run } = data;
    const params = place();
    this.state = stateFrom(params, run.columns);
    this.view = VIEWS.includes(params.get("as") ?? "") ? String(params.get("as")) : "table";
    /** Rows that a click on the map left. @type {Set<number> | null} */
    this.only = null;
    this.causes = el("section", { "aria-label": "Why it failed" });
    this.bar = el("div", { class: "ns-bar" });
    this.tools = el("div", { class: "ns-views", role: "group", "aria-label": "View" });
    this.count = el("span", { class: "ns-count", "aria-live": "polite" });
    this.marks = el("span", { class: "ns-marks" });
    this.box = el("div", { class: "ns-list" });
    const asked = el("div", { class: "ns-asked" });
    this.bar.append(this.tools, asked, this.count, this.marks);
    const head = el("section", { "aria-label": "Figures" }, ...figuresOf(run));
    root.replaceChildren(
      head,
      el("h2", { text: "Why it failed" }),
      this.causes,
      el("h2", { text: "Episodes" }),
      this.bar,
      this.box,
    );
    this.filters = new Filters(asked, rows, run.columns, (state) => this.set(state));
    this.draw();
  }

  /** @param {Record<string, string>} [more] */
  link(more = {}) {
    const as = this.view === "table" ? undefined : this.view;
    return linkTo({ run: this.data.run.name, as, ...paramsOf(this.state), ...more });
  }

  /** @param {number} row */
  href(row) {
    return this.link({ episode: String(this.rows.cell("episode", row)) });
  }

  /** @param {ListState} state */
  set(state) {
    this.state = state;
    note(this.link());
    this.show();
  }

  /** @param {string} view */
  turn(view) {
    this.view = view;
    note(this.link());
    this.draw();
  }

  /** Make the view that is chosen. */
  draw() {
    const { data, rows } = this;
    this.table = this.gallery = this.map = undefined;
    const buttons = VIEWS.map((view) => {
      const text = view[0].toUpperCase() + view.slice(1);
      const pressed = String(view === this.view);
      return el("button", { type: "button", "aria-pressed": pressed, text, on: { click: () => this.turn(view) } });
    });
    this.tools.replaceChildren(...buttons);
    if (this.view === "table") {
      this.table = new Table(this.box, rows, data.run.columns, {
        open: (row) => location.assign(this.href(row)),
        sort: (column) => this.set(sortedBy(this.state, column)),
        href: (row) => this.href(row),
      });
    } else if (this.view === "gallery") {
      this.gallery = new Gallery(
        this.box,
        (row) => data.thumb(row),
        (row) => this.card(row),
      );
    } else {
      this.map = new WalkMap(
        this.box,
        data,
        (row) => this.href(row),
        (chosen) => this.choose(chosen),
      );
    }
    this.show();
  }

  /** @param {number} row */
  card(row) {
    const episode = String(this.rows.cell("episode", row));
    const outcome = String(this.rows.cell("outcome", row));
    const error = this.rows.cell("NE", row);
    const caption = typeof error === "number" ? `${episode} · ${error.toFixed(0)} m` : episode;
    const title = `${episode}: ${outcome}. ${this.rows.cell("instruction", row) ?? ""}`;
    return { title, caption, outcome, href: this.href(row) };
  }

  /** Show what passes. */
  show() {
    const { run } = this.data;
    let shown = this.rows.apply(this.state);
    const { only } = this;
    if (only && this.view !== "map") shown = shown.filter((row) => only.has(row));
    this.shown = shown;
    this.filters.show(this.state);
    const succeeded = shown.filter((row) => this.rows.cell("outcome", row) === "success").length;
    const known = shown.some((row) => this.rows.cell("outcome", row) !== "unknown");
    const rate = known ? ` · ${succeeded} succeeded` : "";
    this.count.textContent = `${shown.length} of ${this.rows.count} episodes${rate}`;
    this.causes.replaceChildren(causesOf(run, this.state.choices.cause ?? [], (cause) => this.byCause(cause)));
    this.table?.show(shown, this.state);
    this.gallery?.show(shown);
    this.map?.show(isFiltered(this.state) ? new Set(shown) : null);
    const chosen = only && `${only.size} from the map ✕`;
    const end = { click: () => this.choose(null) };
    this.marks.replaceChildren(
      ...(chosen ? [el("button", { type: "button", text: chosen, title: "Show all again", on: end })] : []),
    );
  }

  /** @param {string} cause */
  byCause(cause) {
    const already = (this.state.choices.cause ?? []).includes(cause);
    this.set({ ...this.state, choices: { ...this.state.choices, cause: already ? [] : [cause] } });
  }

  /** Keep the rows that were clicked on the map. @param {Set<number> | null} chosen */
  choose(chosen) {
    this.only = chosen;
    if (chosen) this.turn("table");
    else this.show();
  }
}
