// @ts-check
import assert from "node:assert/strict";
import test from "node:test";
import { hasHeights, heightsOf } from "../src/maps/heights.js";

/** @param {number[]} heights @param {object} [more] @returns {any} */
function flight(heights, more = {}) {
  const steps = heights.slice(0, -1).map((_, node) => ({ node }));
  const at = heights.flatMap((height, k) => [k, 0, height]);
  const end = { node: heights.length - 1 };
  return { frame: "metric", free: true, episode: { start: 0 }, nodes: { at }, steps, end, ...more };
}

test("the height before each step, and at the end", () => {
  assert.deepEqual(
    heightsOf(flight([5, 9, 7])),
    [5, 5, 9, 7],
    "at the start, before step 1, before step 2, at the end",
  );
});

test("a hole in the log has no height", () => {
  const doc = flight([5, 9, 7]);
  doc.steps[1].node = undefined;
  assert.deepEqual(heightsOf(doc), [5, 5, null, 7]);
});

test("only free walks that rise have a strip", () => {
  assert.equal(hasHeights(flight([5, 9, 7])), true);
  assert.equal(hasHeights(flight([5, 5.5, 6])), false, "a ramp");
  assert.equal(hasHeights(flight([5, 9], { free: false })), false, "a walk on viewpoints");
  assert.equal(hasHeights(flight([5, 9], { frame: "geo" })), false, "a street map");
  assert.equal(hasHeights(flight([5, 9], { indoor: { floors: [{}, {}] } })), false, "storeys");
  assert.equal(hasHeights(flight([5], { episode: { start: "nowhere" }, steps: [], end: undefined })), false);
});
