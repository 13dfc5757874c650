// @ts-check
import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { searchEpisodes, unpackIndex } from "../src/text/run-index.js";

/** @type {import("../src/text/run-index.js").IndexEntry[]} */
const RUN = [
  ["1", "Turn left at the lights and stop at the bank."],
  ["12", "Go to the park. Stop behind the bank on the left."],
  ["2", "Walk on past twelve houses."],
];
const ids = (/** @type {string} */ words, /** @type {string} */ without = "") =>
  searchEpisodes(RUN, words, 10, without).map(({ id }) => id);

test("episodes are found by id first, then by the words of their instruction in any order", () => {
  assert.deepEqual(ids("1"), ["1", "12"]);
  assert.deepEqual(ids("bank left"), ["1", "12"]);
  assert.deepEqual(ids("BANK left", "1"), ["12"]);
  assert.deepEqual(ids("bank twelve"), []);
  assert.deepEqual(ids("  "), []);
});

test("the words stand in the middle of an excerpt", () => {
  const [hit] = searchEpisodes(RUN, "behind the bank", 1);
  assert.deepEqual([hit.id, hit.match], ["12", "behind the bank"]);
  assert.equal(hit.before + hit.match + hit.after, RUN[1][1]);
});

test("an index comes packed", async () => {
  assert.deepEqual(await unpackIndex(gzipSync(JSON.stringify(RUN))), RUN);
});
