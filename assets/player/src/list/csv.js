// @ts-check
// A list as CSV: the rows that pass, in their order, each column whole. The rules are those of navviz/support/guarded/tables.py.

/** @typedef {import("./types").Cell} Cell */
/** @typedef {import("./types").ListColumn} ListColumn */
/** @typedef {import("./rows.js").Rows} Rows */

/** How a cell begins that a spreadsheet may take for a formula, or that was guarded before. */
const FORMULA = /^'*[=+\-@\t\r\n]/;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const QUOTED = /[",\r\n]/;

/** @param {Cell} cell */
function textOf(cell) {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "number") return String(cell);
  const text = Array.isArray(cell) ? cell.join("; ") : cell;
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * The head has the names that links and tables of the command line have, not what people read: those may change.
 * @param {Rows} rows
 * @param {ListColumn[]} columns
 * @param {number[]} shown
 */
export function csvOf(rows, columns, shown) {
  const lines = [columns.map(({ name }) => textOf(name)).join(",")];
  for (const row of shown) lines.push(columns.map(({ name }) => textOf(rows.cell(name, row))).join(","));
  return `${lines.join("\n")}\n`;
}

/** A run's name as a file's: `walks/json` is no folder of the browser's downloads. @param {string} run */
export function csvName(run) {
  const name = run.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+|(?<![-.])[-.]+$/g, "");
  return `${name || "episodes"}.csv`;
}

/** Give a text to the browser's downloads. @param {string} name @param {string} text */
export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // the browser reads the address after the click has returned
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
