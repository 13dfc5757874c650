// @ts-check
// The rows of a list as columns: search, filters, sort. No DOM here; 50,000 rows are filtered in some milliseconds.

/** @typedef {import("./types").Cell} Cell */
/** @typedef {import("./types").ListState} ListState */

/** As `_natural` in navviz/runs/episode_list.py pads them: the app's Next and Previous follow the same order. */
const DIGITS = 20;

/** A text by which others are compared: in any case, and episode 2 comes before episode 10. @param {string} text */
function natural(text) {
  return text.toLowerCase().replace(/\p{Nd}+/gu, (digits) => digits.padStart(DIGITS, "0"));
}

export class Rows {
  /** @param {Record<string, Cell[]>} columns  of equal length */
  constructor(columns) {
    this.columns = columns;
    this.count = Object.values(columns)[0]?.length ?? 0;
    /** @type {string[] | undefined} */
    this.texts = undefined;
    /** @type {Map<string, Cell[]>} */
    this.sortKeys = new Map();
  }

  /** @param {string} name @returns {Cell[]} */
  column(name) {
    return Object.hasOwn(this.columns, name) ? this.columns[name] : [];
  }

  /** @param {string} name @param {number} row @returns {Cell} */
  cell(name, row) {
    return this.column(name)[row] ?? null;
  }

  /** What a search looks through, in lower case; made when somebody first searches. */
  haystacks() {
    if (!this.texts) {
      const [ids, texts] = [this.column("episode"), this.column("instruction")];
      this.texts = ids.map((id, row) => `${texts[row] ?? ""} ${id}`.toLowerCase());
    }
    return this.texts;
  }

  /** The rows that pass a state, in its order. @param {ListState} state @returns {number[]} */
  apply(state) {
    let rows = Array.from({ length: this.count }, (_, row) => row);
    const words = state.search.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length) {
      const texts = this.haystacks();
      rows = rows.filter((row) => words.every((word) => texts[row].includes(word)));
    }
    for (const [name, values] of Object.entries(state.choices)) {
      if (values.length) rows = this.chosen(rows, name, new Set(values));
    }
    for (const [name, [low, high]] of Object.entries(state.ranges)) {
      const column = this.column(name);
      rows = rows.filter((row) => within(column[row], low, high));
    }
    return state.sort ? this.sorted(rows, state.sort, state.descending) : rows;
  }

  /**
   * Rows with one of some values; with all of them, where cells are lists.
   * @param {number[]} rows
   * @param {string} name
   * @param {Set<string>} values
   */
  chosen(rows, name, values) {
    const column = this.column(name);
    return rows.filter((row) => {
      const cell = column[row];
      if (Array.isArray(cell)) return [...values].every((value) => cell.includes(value));
      return cell !== null && cell !== undefined && values.has(String(cell));
    });
  }

  /**
   * Rows by a column; missing values come last either way, and equal ones stay in file order.
   * @param {number[]} rows
   * @param {string} name
   * @param {boolean} descending
   */
  sorted(rows, name, descending) {
    const keys = this.keys(name);
    const present = rows.filter((row) => (keys[row] ?? null) !== null);
    const missing = rows.filter((row) => (keys[row] ?? null) === null);
    const sign = descending ? -1 : 1;
    present.sort((a, b) => sign * compare(keys[a], keys[b]) || a - b);
    return [...present, ...missing];
  }

  /** What a column is sorted by, made once: 50,000 texts take longer to make comparable than to compare. @param {string} name */
  keys(name) {
    const made =
      this.sortKeys.get(name) ?? this.column(name).map((cell) => (typeof cell === "string" ? natural(cell) : cell));
    this.sortKeys.set(name, made);
    return made;
  }

  /** How often each value of a column occurs, also within lists. @param {string} name @returns {Map<string, number>} */
  counts(name) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const cell of this.column(name)) {
      for (const value of Array.isArray(cell) ? cell : [cell]) {
        if (value !== null && value !== undefined) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
      }
    }
    return counts;
  }

  /** The smallest and the largest number of a column; null where there is none. @param {string} name */
  span(name) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const cell of this.column(name)) {
      if (typeof cell !== "number") continue;
      low = Math.min(low, cell);
      high = Math.max(high, cell);
    }
    return low <= high ? { low, high } : null;
  }
}

/** @param {Cell} cell @param {number} low @param {number} high */
function within(cell, low, high) {
  return typeof cell === "number" && cell >= low && cell <= high;
}

/** @param {Cell} a @param {Cell} b */
function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [String(a), String(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
