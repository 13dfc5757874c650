// @ts-check
// The widgets of a list's filters: a field to search, the values of each column with their counts, limits of numbers.
import { el } from "../dom.js";
import { emptyState, isFiltered } from "./state.js";
import { labelOf } from "./table.js";

/** @typedef {import("./types").ListColumn} ListColumn */
/** @typedef {import("./types").ListState} ListState */
/** @typedef {import("./rows.js").Rows} Rows */

/** Values of a column that are listed, the most frequent first. */
const MOST_VALUES = 60;

export class Filters {
  /**
   * @param {HTMLElement} box
   * @param {Rows} rows
   * @param {ListColumn[]} columns
   * @param {(state: ListState) => void} onChange
   */
  constructor(box, rows, columns, onChange) {
    this.rows = rows;
    this.onChange = onChange;
    this.state = emptyState();
    this.all = columns;
    this.columns = columns.filter((column) => this.divides(column));
    this.sorts = columns.filter(({ kind }) => kind !== "tags");
    const typed = { input: () => this.set({ search: this.search.value.trim() }) };
    const hint = { type: "search", placeholder: "Search instructions and ids", "aria-label": "Search" };
    this.search = el("input", { ...hint, on: typed });
    this.body = el("div", { class: "nl-filter-list" });
    this.mark = el("span", { class: "nl-filter-mark" });
    const summary = el("summary", {}, "Filters", this.mark);
    this.fold = el("details", { class: "nl-filters" }, summary, this.body);
    this.clear = el("button", {
      type: "button",
      class: "nl-clear",
      text: "Clear filters",
      on: { click: () => this.reset() },
    });
    this.chips = el("span", { class: "nl-chips" });
    const sort = { change: () => this.set({ sort: this.by.value || null, descending: this.falls(this.by.value) }) };
    this.by = el("select", { "aria-label": "Sort by", on: sort }, el("option", { value: "", text: "File order" }));
    for (const { name, label } of this.sorts) this.by.append(el("option", { value: name, text: label }));
    const turn = { click: () => this.set({ descending: !this.state.descending }) };
    this.direction = el("button", { type: "button", class: "nl-direction", on: turn });
    const order = el("span", { class: "nl-order" }, this.by, this.direction);
    box.replaceChildren(this.search, this.fold, order, this.chips, this.clear);
    this.onPress = (/** @type {Event} */ event) => this.closeFrom(event.target);
    document.addEventListener("pointerdown", this.onPress);
    this.fold.addEventListener("keydown", (event) => this.closeByKey(event));
  }

  destroy() {
    document.removeEventListener("pointerdown", this.onPress);
  }

  /** @param {KeyboardEvent} event */
  closeByKey(event) {
    if (event.key !== "Escape" || !this.fold.open) return;
    event.stopPropagation();
    this.fold.open = false;
    this.fold.querySelector("summary")?.focus();
  }

  /** Whether a column's numbers fall at first, so that the worst come first. @param {string} name */
  falls(name) {
    return this.sorts.some((column) => column.name === name && column.kind === "number");
  }

  /** @param {EventTarget | null} target */
  closeFrom(target) {
    if (this.fold.open && target instanceof Node && !this.fold.contains(target)) this.fold.open = false;
  }

  /** Whether a filter by this column leaves rows out. @param {ListColumn} column */
  divides({ name, filter }) {
    if (filter === "range") {
      const span = this.rows.span(name);
      return span !== null && span.low < span.high;
    }
    return filter !== undefined && this.rows.counts(name).size > 1;
  }

  /** @param {ListState} state */
  show(state) {
    this.state = state;
    if (this.search.value.trim() !== state.search) this.search.value = state.search;
    const chosen = Object.values(state.choices).filter((values) => values.length);
    const count = chosen.length + Object.keys(state.ranges).length;
    this.mark.textContent = count ? String(count) : "";
    this.clear.hidden = !isFiltered(state);
    this.chips.replaceChildren(...this.chipsOf(state));
    this.by.value = state.sort ?? "";
    this.direction.textContent = state.descending ? "↓" : "↑";
    this.direction.title = state.descending ? "Falling; press for rising" : "Rising; press for falling";
    this.direction.setAttribute("aria-label", this.direction.title);
    this.direction.disabled = !state.sort;
    if (!this.body.contains(document.activeElement))
      this.body.replaceChildren(...this.columns.map((column) => this.part(column)));
  }

  /** One button for each filter that is on: it says what passes, and takes the filter away. @param {ListState} state */
  chipsOf(state) {
    const chips = [];
    for (const column of this.all) {
      const { name, label } = column;
      for (const value of state.choices[name] ?? []) {
        const rest = state.choices[name].filter((other) => other !== value);
        const choices = { ...state.choices, [name]: rest };
        chips.push(this.chip(`${label}: ${labelOf(value, column)}`, { choices }));
      }
      if (Object.hasOwn(state.ranges, name)) {
        const { [name]: limits, ...ranges } = state.ranges;
        chips.push(this.chip(`${label}: ${limits[0]} to ${limits[1]}`, { ranges }));
      }
    }
    return chips;
  }

  /** @param {string} text @param {Partial<ListState>} without */
  chip(text, without) {
    const press = { click: () => this.set(without) };
    const props = { type: "button", class: "nl-off", title: `Take this filter away: ${text}` };
    return el("button", { ...props, on: press }, el("span", { text }), " ✕");
  }

  /** @param {Partial<ListState>} change */
  set(change) {
    this.onChange({ ...this.state, ...change });
  }

  reset() {
    this.search.value = "";
    this.set({ search: "", choices: {}, ranges: {} });
  }

  /** @param {ListColumn} column */
  part(column) {
    const inner = column.filter === "range" ? this.range(column) : this.choice(column);
    return el("fieldset", { title: column.help }, el("legend", { text: column.label }), ...inner);
  }

  /** @param {ListColumn} column */
  choice(column) {
    const { name } = column;
    const chosen = new Set(this.state.choices[name] ?? []);
    const counts = [...this.rows.counts(name)].sort((a, b) => b[1] - a[1]).slice(0, MOST_VALUES);
    return counts.map(([value, count]) => {
      const turn = (/** @type {Event} */ event) => {
        const box = /** @type {HTMLInputElement} */ (event.target);
        if (box.checked) chosen.add(value);
        else chosen.delete(value);
        this.set({ choices: { ...this.state.choices, [name]: [...chosen] } });
      };
      const box = el("input", { type: "checkbox", checked: chosen.has(value), on: { change: turn } });
      return el("label", {}, box, el("span", { text: labelOf(value, column) }), el("small", { text: count }));
    });
  }

  /** @param {ListColumn} column */
  range({ name }) {
    const span = this.rows.span(name) ?? { low: 0, high: 0 };
    const [low, high] = this.state.ranges[name] ?? [span.low, span.high];
    const whole = [Math.floor(span.low), Math.ceil(span.high)];
    const fields = [low, high].map((value, k) =>
      el("input", {
        type: "number",
        step: "any",
        value: k ? Math.ceil(value) : Math.floor(value),
        "aria-label": k ? "at most" : "at least",
        on: { change: () => take() },
      }),
    );
    const take = () => {
      const both = fields.map((field, k) => (field.value === "" ? whole[k] : Number(field.value)));
      const ranges = { ...this.state.ranges };
      if (both[0] <= whole[0] && both[1] >= whole[1]) delete ranges[name];
      else ranges[name] = [Math.min(...both), Math.max(...both)];
      this.set({ ranges });
    };
    return [el("div", { class: "nl-limits" }, fields[0], el("span", { text: "to" }), fields[1])];
  }
}
