// @ts-check
// Which rows of a list one looks at, in which order: filters and sort as one value and as a link. The parameters are those
// of navviz/runs/episode_list.py, so that a link of the app's list says the same here.

/** @typedef {import("./types").ListColumn} ListColumn */
/** @typedef {import("./types").ListState} ListState */

const SEPARATOR = ",";

/** @returns {ListState} */
export function emptyState() {
  return { search: "", choices: {}, ranges: {}, sort: null, descending: false };
}

/** @param {string} text @returns {[number, number] | null} */
function limits(text) {
  const parts = text.split(SEPARATOR).map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [low, high] = parts;
  return parts.length === 2 && Number.isFinite(low) && Number.isFinite(high) && low <= high ? [low, high] : null;
}

/**
 * What a link's parameters say; what they hold beside that, or wrongly, is passed over.
 * @param {URLSearchParams} params
 * @param {ListColumn[]} columns
 * @returns {ListState}
 */
export function stateFrom(params, columns) {
  const state = emptyState();
  state.search = (params.get("q") ?? "").trim();
  for (const { name, filter } of columns) {
    const text = params.get(name) ?? "";
    if (filter === "range") {
      const both = limits(text);
      if (both) state.ranges[name] = both;
    } else if (filter) {
      const values = text.split(SEPARATOR).filter(Boolean);
      if (values.length) state.choices[name] = values;
    }
  }
  const sort = params.get("sort") ?? "";
  const column = columns.find(({ name }) => name === sort.replace(/^-/, ""));
  if (column && column.kind !== "tags") {
    state.sort = column.name;
    state.descending = sort.startsWith("-");
  }
  return state;
}

/** The parameters of a link, only those that say something. @param {ListState} state @returns {Record<string, string>} */
export function paramsOf(state) {
  /** @type {Record<string, string>} */
  const params = {};
  if (state.search) params.q = state.search;
  for (const [name, values] of Object.entries(state.choices)) {
    if (values.length) params[name] = values.join(SEPARATOR);
  }
  for (const [name, [low, high]] of Object.entries(state.ranges)) params[name] = `${low}${SEPARATOR}${high}`;
  if (state.sort) params.sort = (state.descending ? "-" : "") + state.sort;
  return params;
}

/** Whether a state may leave rows out. @param {ListState} state */
export function isFiltered(state) {
  const chosen = Object.values(state.choices).some((values) => values.length > 0);
  return state.search !== "" || chosen || Object.keys(state.ranges).length > 0;
}

/**
 * The state after a click on a column's head: numbers fall at first, so that the worst come first.
 * @param {ListState} state
 * @param {ListColumn} column
 * @returns {ListState}
 */
export function sortedBy(state, column) {
  if (state.sort === column.name) return { ...state, descending: !state.descending };
  return { ...state, sort: column.name, descending: column.kind === "number" };
}
