// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { csvName, csvOf } from "../src/list/csv.js";
import { Rows } from "../src/list/rows.js";
import { emptyState, isFiltered, paramsOf, sortedBy, stateFrom } from "../src/list/state.js";

const rows = new Rows({
  episode: ["10", "2", "a"],
  instruction: ["Turn left at the Bank", "Go on", "Turn right"],
  outcome: ["success", "failure", "failure"],
  NE: [3.5, null, 80],
  skills: [["Stop", "Region"], [], ["Stop"]],
});
/** @type {import("../src/list/types").ListColumn[]} */
const columns = [
  { name: "episode", label: "Episode", help: "", kind: "text" },
  { name: "outcome", label: "Outcome", help: "", kind: "text", filter: "choice" },
  { name: "NE", label: "NE", help: "", kind: "number", filter: "range" },
  { name: "skills", label: "Skills", help: "", kind: "tags", filter: "tags" },
];

test("a search finds all of its words in instruction or id, in any case", () => {
  assert.deepEqual(rows.apply({ ...emptyState(), search: "BANK turn" }), [0]);
  assert.deepEqual(rows.apply({ ...emptyState(), search: "2" }), [1]);
  assert.deepEqual(rows.apply({ ...emptyState(), search: "turn nowhere" }), []);
});

test("filters by values, by all of some tags, and by limits", () => {
  assert.deepEqual(rows.apply({ ...emptyState(), choices: { outcome: ["failure"] } }), [1, 2]);
  assert.deepEqual(rows.apply({ ...emptyState(), choices: { skills: ["Stop", "Region"] } }), [0]);
  assert.deepEqual(rows.apply({ ...emptyState(), ranges: { NE: [0, 50] } }), [0]);
});

test("sorts numbers and texts with numbers in them; what is missing comes last either way", () => {
  assert.deepEqual(rows.apply({ ...emptyState(), sort: "NE", descending: true }), [2, 0, 1]);
  assert.deepEqual(rows.apply({ ...emptyState(), sort: "NE" }), [0, 2, 1]);
  assert.deepEqual(rows.apply({ ...emptyState(), sort: "episode" }), [1, 0, 2]);
});

test("counts values, also within lists", () => {
  assert.deepEqual(Object.fromEntries(rows.counts("skills")), { Stop: 2, Region: 1 });
  assert.deepEqual(rows.span("NE"), { low: 3.5, high: 80 });
});

test("a state survives its link, and what a link says wrongly is passed over", () => {
  const state = {
    ...emptyState(),
    search: "bank",
    choices: { outcome: ["failure", "success"] },
    sort: "NE",
    descending: true,
  };
  assert.deepEqual(stateFrom(new URLSearchParams(paramsOf(state)), columns), state);
  const odd = stateFrom(new URLSearchParams("sort=-nothing&NE=5,a&skills=Stop&__proto__=x&outcome="), columns);
  assert.deepEqual(odd, { ...emptyState(), choices: { skills: ["Stop"] } });
  assert.equal(isFiltered(odd), true);
  assert.equal(isFiltered(emptyState()), false);
});

test("a click on a head sorts numbers from the highest, then turns round", () => {
  const once = sortedBy(emptyState(), columns[2]);
  assert.deepEqual([once.sort, once.descending], ["NE", true]);
  assert.equal(sortedBy(once, columns[2]).descending, false);
});

test("CSV has what passes, in its order, whole, and no cell that a spreadsheet would compute", () => {
  const odd = new Rows({
    episode: ["=1+1", "-2", 'a "b", c'],
    NE: [1.25, null, 3],
    skills: [["Stop", "Region"], [], null],
  });
  const kept = [columns[0], columns[2], columns[3]];
  const text = csvOf(odd, kept, [2, 0, 1]);
  assert.equal(text, 'episode,NE,skills\n"a ""b"", c",3,\n\'=1+1,1.25,Stop; Region\n-2,,\n');
  assert.equal(csvName("walks/../json"), "walks-..-json.csv");
  assert.equal(csvName("//"), "episodes.csv");
});
