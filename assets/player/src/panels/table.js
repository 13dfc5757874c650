// @ts-check
// kind "table": {columns: [name], rows: [[cell] or {name: cell}], chosen?: index of a row, note?: sentence above}
import { el } from "../dom.js";
import { rounded } from "../text/figures.js";
import { linked } from "../text/linked.js";
import { valueView } from "./value.js";

/** @type {import("./registry.js").PanelRenderer} */
export function draw(data, { linker }) {
  const columns = /** @type {string[]} */ (data.columns ?? []);
  const head = el(
    "tr",
    {},
    columns.map((name) => el("th", {}, linked(linker, String(name)))),
  );
  const rows = /** @type {any[]} */ (data.rows ?? []).map((row, i) => {
    const cells = Array.isArray(row) ? row : columns.map((name) => row[name]);
    return el(
      "tr",
      { class: i === data.chosen ? "nv-chosen" : undefined },
      cells.map((cell) => cellView(cell, linker)),
    );
  });
  const note = data.note ? el("p", { class: "nv-panel-note" }, linked(linker, String(data.note))) : null;
  const table = el("table", { class: "nv-table" }, el("thead", {}, head), el("tbody", {}, rows));
  return el("div", {}, note, el("div", { class: "nv-scroll-x" }, table));
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
