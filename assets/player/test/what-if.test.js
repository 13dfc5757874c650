// @ts-check
import assert from "node:assert/strict";
import test from "node:test";
import { ghostsOf, nextDecisive, outcomeOf, positions } from "../src/what-if.js";
import { doc } from "./documents.js";

/** @type {import("../src/document").WhatIfEntry} */
const ENTRY = {
  who: "rules-local",
  follows: false,
  success: false,
  ne_m: 60,
  decisive: [1],
  // 0: (48, 11), 1: one millionth farther north, 2: one east of that
  at: [48000000, 11000000, 1, 0, 0, 1],
  cells: [
    [1, 0, [0, 1, 2, 1], 80, 0],
    [1, 0, [0, 3], 20, 1],
    [1, 0, [0, 2], 10, 0],
    [2, 1, [1, 2], null, 2],
  ],
  left_out: 0,
};

test("positions are sums of their differences", () => {
  assert.deepEqual(positions([48000000, 11000000, 1, 0, 0, 1], 2), [
    [48, 11],
    [48.000001, 11],
    [48.000001, 11.000001],
  ]);
  assert.deepEqual(positions([1500, -2000, 0, -500, 0, 3000], 3), [
    [1.5, -2, 0],
    [1, -2, 3],
  ]);
});

test("a walk is runs of places, and what is proven comes first", () => {
  const steps = ghostsOf(doc({ what_if: ENTRY }));
  const [mended, near, far] = steps.get(1) ?? [];
  assert.deepEqual(mended.tail, positions(ENTRY.at, 2));
  assert.deepEqual(
    [mended, near, far].map(({ ne, reference, outcome }) => [ne, reference, outcome]),
    [
      [20, true, "mends"],
      [10, false, "mends"],
      [80, false, "farther"],
    ],
  );
  assert.equal(far.tail.length, 2);
  const [unreached] = steps.get(2) ?? [];
  assert.deepEqual([unreached.unstable, unreached.outcome], [true, "farther"]);
  assert.equal(ghostsOf(doc()).size, 0);
});

test("of a success a link holds or ruins it", () => {
  const success = { ...ENTRY, success: true, ne_m: 5 };
  assert.equal(outcomeOf(success, 25, 25), "holds");
  assert.equal(outcomeOf(success, 26, 25), "ruins");
  assert.equal(outcomeOf(ENTRY, 59, 25), "nearer");
});

test("the next decisive step lies on either side", () => {
  assert.equal(nextDecisive([2, 5], 2, 1), 5);
  assert.equal(nextDecisive([2, 5], 5, 1), undefined);
  assert.equal(nextDecisive([2, 5], 5, -1), 2);
  assert.equal(nextDecisive([2, 5], 0, 1), 2);
});
