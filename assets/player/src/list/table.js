// @ts-check
// A list as a table: a click on a head sorts, one on a row opens it. Arrow keys go up and down, Enter opens.
import { el } from "../dom.js";
import { Windowed } from "./window.js";

/** @typedef {import("./types").ListColumn} ListColumn */
/** @typedef {import("./types").ListState} ListState */
/** @typedef {import("./rows.js").Rows} Rows */

const ROW_PX = 32;
/** Pixels of a column by its name or kind; the instruction takes what is left, too. @type {Record<string, number>} */
const WIDTHS = { episode: 96, outcome: 96, instruction: 380, cause: 220, number: 98, text: 138, tags: 180 };
/** Of the cell in front, whose sign looks for failures like a row's. */
const TOOL_PX = 34;
const MISSING = "–";

/** @param {string} value @param {ListColumn} column */
export function labelOf(value, { labels }) {
  return labels && Object.hasOwn(labels, value) ? labels[value] : value;
}

/** @param {import("./types").Cell} cell @param {ListColumn} column */
function cellText(cell, column) {
  if (cell === null || cell === undefined || (Array.isArray(cell) && !cell.length)) return MISSING;
  if (Array.isArray(cell)) return cell.map((value) => labelOf(value, column)).join(", ");
  if (typeof cell === "string") return labelOf(cell, column);
  if (typeof cell === "number" && column.digits !== undefined) return cell.toFixed(column.digits);
  return String(Math.round(cell * 1e4) / 1e4);
}

/** @param {KeyboardEvent} event */
const isChord = (event) => event.ctrlKey || event.metaKey || event.altKey;

export class Table {
  /**
   * @param {HTMLElement} box
   * @param {Rows} rows
   * @param {ListColumn[]} columns
   * @param {{open: (row: number) => void, sort: (column: ListColumn) => void, href: (row: number) => string,
   *   alike?: (row: number) => void}} on
   */
  constructor(box, rows, columns, on) {
    this.box = box;
    this.rows = rows;
    this.columns = columns;
    this.on = on;
    /** @type {number[]} */
    this.shown = [];
    this.at = 0;
    const widths = columns.map(({ name, kind }) => WIDTHS[name] ?? WIDTHS[kind]);
    const tracks = columns.map(({ name }, k) =>
      name === "instruction" ? `minmax(${widths[k]}px, 1fr)` : `${widths[k]}px`,
    );
    if (on.alike) tracks.unshift(`${TOOL_PX}px`);
    const whole = widths.reduce((sum, width) => sum + width, on.alike ? TOOL_PX : 0);
    const style = { "--nl-columns": tracks.join(" "), "--nl-width": `${whole}px` };
    this.head = el("div", { class: "nl-heads", role: "row" });
    const inner = el("div", { class: "nl-rows", role: "table", tabindex: 0, style }, this.head);
    box.replaceChildren(inner);
    this.window = new Windowed(inner, ROW_PX, (line) => this.line(line));
    inner.addEventListener("keydown", (event) => this.onKey(event));
    this.inner = inner;
  }

  /** @param {number[]} shown @param {ListState} state */
  show(shown, state) {
    this.shown = shown;
    this.at = 0;
    const heads = this.columns.map((column) => this.headOf(column, state));
    if (this.on.alike) heads.unshift(el("span", { class: "nl-tool", role: "columnheader", "aria-label": "Alike" }));
    this.head.replaceChildren(...heads);
    this.rove(this.buttons[0]);
    this.inner.setAttribute("aria-rowcount", String(shown.length + 1));
    this.inner.scrollTop = 0;
    this.window.show(shown.length);
  }

  /** @returns {HTMLButtonElement[]} */
  get buttons() {
    return [...this.head.querySelectorAll("button")];
  }

  /** Of the heads one is a stop of Tab, and arrows go on from it. @param {HTMLButtonElement | undefined} to */
  rove(to) {
    for (const button of this.buttons) button.tabIndex = button === to ? 0 : -1;
  }

  /** @param {ListColumn} column @param {ListState} state */
  headOf(column, state) {
    const sorts = state.sort === column.name;
    const direction = state.descending ? "descending" : "ascending";
    const arrow = state.descending ? " ↓" : " ↑";
    const cell = { class: `nl-cell nl-${column.kind}`, role: "columnheader", "aria-sort": sorts ? direction : "none" };
    if (column.kind === "tags") return el("span", { ...cell, title: column.help, text: column.label });
    const press = { click: () => this.on.sort(column) };
    const button = el("button", { type: "button", title: column.help, on: press }, column.label + (sorts ? arrow : ""));
    return el("span", cell, button);
  }

  /** @param {number} line */
  line(line) {
    const row = this.shown[line];
    const cells = this.columns.map((column) => {
      const text = cellText(this.rows.cell(column.name, row), column);
      const cell = { class: `nl-cell nl-${column.kind}`, role: "cell", title: text };
      if (column.name !== "outcome") return el("span", { ...cell, dir: "auto", text });
      return el("span", cell, el("span", { class: `nl-chip nl-${text}`, text }));
    });
    if (this.on.alike) cells.unshift(this.tool(row));
    const here = line === this.at ? " nl-here" : "";
    const props = { class: `nl-row${here}`, role: "row", href: this.on.href(row), tabindex: -1, data: { row } };
    return el("a", { ...props, "aria-rowindex": line + 2 }, ...cells);
  }

  /** @param {number} line */
  isFailure(line) {
    return line < this.shown.length && this.rows.cell("outcome", this.shown[line]) === "failure";
  }

  /** The cell in front: a failure's sign leads to those like it. @param {number} row */
  tool(row) {
    const cell = el("span", { class: "nl-tool", role: "cell" });
    if (this.rows.cell("outcome", row) !== "failure") return cell;
    const name = `Failures like ${this.rows.cell("episode", row)}`;
    // no button: the row is a link, which may hold none
    const sign = { class: "nl-alike", role: "button", title: `${name} (a)`, "aria-label": name, data: { alike: row } };
    cell.append(el("span", { ...sign, text: "≈" }));
    return cell;
  }

  destroy() {
    this.window.destroy();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const { buttons } = this;
    const head = buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    if (head >= 0) {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step || isChord(event)) return;
      event.preventDefault();
      const to = buttons[(head + step + buttons.length) % buttons.length];
      this.rove(to);
      to.focus();
      return;
    }
    const page = Math.max(1, Math.floor(this.inner.clientHeight / ROW_PX) - 2);
    /** @type {Record<string, number>} */
    const moves = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -this.shown.length,
      End: this.shown.length,
    };
    if (event.key === "Enter" && event.target === this.inner && this.shown.length) {
      this.on.open(this.shown[this.at]);
    } else if (event.key === "a" && this.on.alike && this.isFailure(this.at) && !isChord(event)) {
      this.on.alike(this.shown[this.at]);
    } else if (event.key in moves && !isChord(event)) {
      event.preventDefault();
      this.at = Math.max(0, Math.min(this.shown.length - 1, this.at + moves[event.key]));
      this.window.reveal(this.at);
      this.window.redraw();
    }
  }
}
