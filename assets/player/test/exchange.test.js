// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { Exchange, LOST_MS } from "../src/streamlit/exchange.js";

/** @typedef {{query: object, base: object, turn: number}} Told */

/** A list and what it has sent. @param {import("node:test").TestContext} context */
function begun(context) {
  context.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  /** @type {Told[]} */
  const sent = [];
  const list = new Exchange((_name, told) => sent.push(/** @type {Told} */ (told)));
  list.take({ sort: "NE" }, 0, true);
  list.query = { sort: "NE", search: "bank" };
  list.tell();
  return { list, sent, wait: (/** @type {number} */ ms) => context.mock.timers.tick(ms) };
}

test("a query whose message was lost is sent once more, and stays in the list", (context) => {
  const { list, sent, wait } = begun(context);
  wait(LOST_MS - 1);
  assert.equal(list.take({ sort: "NE" }, 0, true), false, "the answer may be on its way");
  assert.equal(sent.length, 1);
  wait(1);
  assert.equal(list.take({ sort: "NE" }, 0, true), false);
  assert.deepEqual(sent[1], { query: { sort: "NE", search: "bank" }, base: { sort: "NE" }, turn: 1_000_000 + LOST_MS });
  assert.equal(list.take({ sort: "NE" }, 0, true), false, "it is not sent at each run of the script");
  assert.equal(sent.length, 2);
  assert.deepEqual(list.query, { sort: "NE", search: "bank" });
});

test("a lost query is given up with the run that it filtered", (context) => {
  const { list, sent, wait } = begun(context);
  wait(LOST_MS);
  list.take({ sort: "SR" }, 0, false);
  assert.equal(sent.length, 1);
  assert.equal(list.query.sort, "SR");
});

test("what the script changes meanwhile joins what was typed, whose echo is no news", (context) => {
  const { list, sent } = begun(context);
  list.query = { sort: "NE" }; // cleared before the script has answered
  assert.equal(list.take({ sort: "NE", search: "bank" }, sent[0].turn, true), false);
  assert.deepEqual(list.query, { sort: "NE" });
  assert.equal(list.take({ sort: "NE", search: "bank", cause: "left" }, sent[0].turn, true), true);
  assert.deepEqual(list.query, { sort: "NE", cause: "left" });
});
