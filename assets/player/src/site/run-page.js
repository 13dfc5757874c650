// @ts-check
// A run: figures, why it failed, and its episodes as table, gallery or map, all on one state of the list.
import { el } from "../dom.js";
import { isFiltered, paramsOf, stateFrom } from "../list/state.js";
import { ListView } from "../list/view.js";
import { capital } from "../text/figures.js";
import { linkTo, note, place } from "./address.js";
import { causesOf, figuresOf, groupsOf } from "./figures.js";
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
    /** @type {HTMLDetailsElement | undefined} */
    this.groups = undefined;
    this.tools = el("div", { class: "ns-views", role: "group", "aria-label": "View" });
    this.marks = el("span", { class: "ns-marks" });
    const box = el("div", { class: "ns-list" });
    const head = el("section", { "aria-label": "Figures" }, ...figuresOf(run));
    root.replaceChildren(head, el("h2", { text: "Why it failed" }), this.causes, el("h2", { text: "Episodes" }), box);
    this.list = new ListView(box, rows, run.columns, {
      change: (state) => this.take(state),
      open: (row) => location.assign(this.href(row)),
      href: (row) => this.href(row),
      thumbOf: (row) => data.thumb(row),
      run: () => run.name,
    });
    this.list.before.append(this.tools);
    this.list.after.append(this.marks);
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

  /** The list was filtered or sorted. @param {ListState} state */
  take(state) {
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
    const { data, list } = this;
    const buttons = VIEWS.map((view) => {
      const text = capital(view);
      const pressed = String(view === this.view);
      return el("button", { type: "button", "aria-pressed": pressed, text, on: { click: () => this.turn(view) } });
    });
    this.tools.replaceChildren(...buttons);
    list.turn(this.view);
    this.map = undefined;
    if (this.view === "map") {
      this.map = new WalkMap(
        list.box,
        data,
        (row) => this.href(row),
        (chosen) => this.choose(chosen),
      );
    }
    this.show();
  }

  /** Show what passes. */
  show() {
    const { run } = this.data;
    const { list, only } = this;
    list.only = this.view === "map" ? null : only;
    list.show(this.state);
    const { choices } = this.state;
    this.causes.replaceChildren(
      causesOf(run, "acts", choices.act ?? [], (act) => this.by("act", act)),
      causesOf(run, "causes", choices.cause ?? [], (cause) => this.by("cause", cause)),
    );
    if (run.groups.length) {
      const isOpen = this.groups?.open;
      this.groups = groupsOf(run, choices.words ?? [], (group) => this.by("words", group));
      // drawn anew for each filter: who has unfolded it reads on
      if (isOpen) this.groups.open = true;
      this.causes.append(this.groups);
    }
    this.map?.show(isFiltered(this.state) ? new Set(list.shown) : null);
    const chosen = only && `${only.size} from the map ✕`;
    const end = { click: () => this.choose(null) };
    this.marks.replaceChildren(
      ...(chosen ? [el("button", { type: "button", text: chosen, title: "Show all again", on: end })] : []),
    );
  }

  /** Filter by one value of a column; chosen again, by none. @param {string} column @param {string} value */
  by(column, value) {
    const already = (this.state.choices[column] ?? []).includes(value);
    this.take({ ...this.state, choices: { ...this.state.choices, [column]: already ? [] : [value] } });
  }

  /** Keep the rows that were clicked on the map. @param {Set<number> | null} chosen */
  choose(chosen) {
    this.only = chosen;
    if (chosen) this.turn("table");
    else this.show();
  }
}
