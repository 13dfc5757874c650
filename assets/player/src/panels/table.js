// @ts-check
// kind "table": {columns: [name], rows: [[cell] or {name: cell}], chosen?: index of a row, note?: sentence above,
// wide?: index of a column of long texts, which stand below their row in its whole width}
import { el } from "../dom.js";
import { rounded } from "../text/figures.js";
import { linked } from "../text/linked.js";
import { valueView } from "./value.js";

/** @type {import("./registry.js").PanelRenderer} */
export function draw(data, { linker }) {
  const columns = /** @type {string[]} */ (data.columns ?? []);
  const wide = typeof data.wide === "number" ? data.wide : -1;
  const head = el(
    "tr",
    {},
    columns.filter((_, k) => k !== wide).map((name) => el("th", {}, linked(linker, String(name)))),
  );
  const rows = /** @type {any[]} */ (data.rows ?? []).flatMap((row, i) => {
    const cells = /** @type {unknown[]} */ (Array.isArray(row) ? row : columns.map((name) => row[name]));
    const names = [i === data.chosen ? "nv-chosen" : "", cells[wide] ? "nv-over" : ""].filter(Boolean).join(" ");
    const shown = cells.filter((_, k) => k !== wide).map((cell) => cellView(cell, linker));
    const line = el("tr", { class: names || undefined }, shown);
    return cells[wide] ? [line, wideView(cells[wide], shown.length, names, linker)] : [line];
  });
  const note = data.note ? el("p", { class: "nv-panel-note" }, linked(linker, String(data.note))) : null;
  const table = el("table", { class: "nv-table" }, el("thead", {}, head), el("tbody", {}, rows));
  return el("div", {}, note, el("div", { class: "nv-scroll-x" }, table));
}

/**
 * The long text of a row, below it.
 * @param {unknown} cell
 * @param {number} columns
 * @param {string} names  classes of the row
 * @param {import("../text/linker.js").Linker} linker
 */
function wideView(cell, columns, names, linker) {
  const text = el("td", { colspan: columns }, valueView(cell, linker));
  return el("tr", { class: names.replace("nv-over", "nv-wide") }, text);
}

/**
 * @param {unknown} cell
 * @param {import("../text/linker.js").Linker} linker
 */
function cellView(cell, linker) {
  return typeof cell === "number"
    ? el("td", { class: "nv-num", text: rounded(cell) })
    : el("td", {}, valueView(cell, linker));
}
