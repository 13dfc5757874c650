// @ts-check
import assert from "node:assert/strict";
import test from "node:test";
import { bendsOf } from "../src/maps/bends.js";

test("a link's bends are known from either end", () => {
  const bends = bendsOf({ frame: "geo", bends: [{ ends: [4, 7], at: [1, 2, 3, 4] }] });
  assert.deepEqual(bends.get("4 7"), [
    [1, 2],
    [3, 4],
  ]);
  assert.deepEqual(bends.get("7 4"), [
    [3, 4],
    [1, 2],
  ]);
  assert.equal(bends.get("4 8"), undefined);
});

test("a world of straight streets has none", () => {
  assert.equal(bendsOf({ frame: "geo" }).size, 0);
});

test("in a house a bend has three coordinates", () => {
  const bends = bendsOf({ frame: "metric", bends: [{ ends: [0, 1], at: [1, 2, 3] }] });
  assert.deepEqual(bends.get("0 1"), [[1, 2, 3]]);
});
