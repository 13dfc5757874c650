// @ts-check
// The published runs beside each other, and where their figures come from.
import { el } from "../dom.js";
import { linkTo } from "./address.js";

/** @typedef {import("./run-data.js").RunData} RunData */
/** @typedef {import("./types").SiteDocument} SiteDocument */

/** Episodes that a cell of the table of outcomes links to. */
const MOST_LINKS = 200;

/** @param {HTMLElement} root @param {SiteDocument} site @param {RunData[]} runs */
export async function comparePage(root, site, runs) {
  const { compare } = site;
  if (!compare) {
    const why = site.compare_fault || "There is only one run on this site.";
    root.replaceChildren(el("p", { text: why }));
    return;
  }
  const metrics = [...new Set(compare.figures.map(({ metric }) => metric))];
  const names = [...new Set(compare.figures.map(({ run }) => run))];
  const head = el("tr", {}, el("th", { text: "run" }), ...metrics.map((metric) => el("th", { text: metric })));
  const lines = names.map((name) => {
    const cells = metrics.map((metric) => {
      const figure = compare.figures.find((one) => one.run === name && one.metric === metric);
      if (!figure) return el("td", { text: "–" });
      const { text, span, n, difference, pairs, p, test } = figure;
      const figures = `${difference}; p ${p.startsWith("<") ? p : `= ${p}`} · n = ${pairs}`;
      const tested = difference && el("small", { title: test, text: figures });
      return el("td", {}, el("b", { text }), el("small", { text: `${span} · n = ${n}` }), tested);
    });
    const base = name === compare.baseline ? " (baseline)" : "";
    return el("tr", {}, el("th", { text: name + base, scope: "row" }), ...cells);
  });
  const table = el(
    "div",
    { class: "ns-wide" },
    el("table", { class: "ns-table" }, el("thead", {}, head), el("tbody", {}, ...lines)),
  );
  const differing = el("div", {});
  root.replaceChildren(table, el("p", { class: "ns-quiet", text: compare.note }), differing);
  differing.replaceChildren(...(await outcomesOf(runs)));
}

/** Which runs succeed on which episodes, by pattern, the most frequent first. @param {RunData[]} runs */
async function outcomesOf(runs) {
  const [first, ...rest] = runs;
  const rows = await first.rows();
  const ids = rows.column("episode").map(String);
  /** @type {Map<string, string[]>} */
  const patterns = new Map();
  const outcomes = await Promise.all(runs.map(outcomeOf));
  for (const id of ids) {
    const ends = outcomes.map((success) => success.get(id));
    if (ends.some((end) => end === undefined || end === "unknown")) continue;
    const pattern = ends.map((end) => (end === "success" ? "✓" : "✗")).join(" ");
    patterns.set(pattern, [...(patterns.get(pattern) ?? []), id]);
  }
  if (!rest.length || !patterns.size) return [];
  const sorted = [...patterns].sort((a, b) => b[1].length - a[1].length);
  const parts = sorted.map(([pattern, episodes]) => {
    const over = rest.map(({ run }) => run.name);
    const links = episodes
      .slice(0, MOST_LINKS)
      .map((id) => el("a", { href: linkTo({ run: first.run.name, episode: id, with: over }), text: id }));
    const names = runs.map(({ run }, k) => `${pattern.split(" ")[k]} ${run.name}`).join(" · ");
    const summary = el("summary", {}, el("b", { text: episodes.length }), ` ${names}`);
    return el("details", { class: "ns-pattern" }, summary, el("p", {}, ...links));
  });
  const hint = "A link opens all walks of an episode on one map.";
  return [el("h2", { text: "Who succeeds where" }), el("p", { class: "ns-quiet", text: hint }), ...parts];
}

/** @param {RunData} data @returns {Promise<Map<string, string>>} */
async function outcomeOf(data) {
  const rows = await data.rows();
  return new Map(rows.column("episode").map((id, row) => [String(id), String(rows.cell("outcome", row))]));
}

/** @param {HTMLElement} root @param {SiteDocument} site @param {import("./types").SiteRun} run */
export function aboutPage(root, site, run) {
  const rows = [["Run", run.name], ["Episodes", `${run.episodes} (${run.summary})`], ...run.about];
  if (site.source) rows.unshift(["Source", site.source]);
  if (site.authors) rows.unshift(["Authors", site.authors]);
  let left = site.without.length ? `${site.without.join(", ")} were left out of this site` : "";
  // what is found is what is repeated letter by letter
  if (site.without.includes("thoughts")) left += "; a text that repeats a thought in other words, or in part, keeps it";
  if (left) rows.push(["Left out", left]);
  const lines = rows.map(([name, value]) =>
    el("tr", {}, el("th", { scope: "row", text: name }), el("td", { text: value })),
  );
  const files = run.files.map(({ role, name, sha256 }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", text: role }),
      el("td", {}, name, el("code", { text: sha256 ?? "not hashed" })),
    ),
  );
  const attributions = [...new Set(run.maps.map(({ attribution }) => attribution).filter(Boolean))];
  const licence = site.licence || "No licence was stated: ask the authors before you use the runs elsewhere.";
  root.replaceChildren(
    el("h2", { text: "Where the figures come from" }),
    el("table", { class: "ns-facts" }, el("tbody", {}, ...lines)),
    ...run.notes.map((text) => el("p", { class: "ns-quiet", text })),
    el("h2", { text: "Files, with their SHA-256" }),
    el("table", { class: "ns-facts" }, el("tbody", {}, ...files)),
    el("h2", { text: "Licence" }),
    el("p", { text: licence }),
    ...attributions.map((text) => el("p", { text: `Maps: ${text}` })),
    el("h2", { text: "Cite" }),
    el("pre", { text: site.bibtex }),
    el("p", {
      class: "ns-quiet",
      text: `Scores and causes were computed anew by ${site.made_with} from the files above.`,
    }),
  );
}
