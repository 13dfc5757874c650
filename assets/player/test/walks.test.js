// @ts-check
import assert from "node:assert/strict";
import test from "node:test";
import { chain, neighbours, roles, walkOf } from "../src/maps/walks.js";

test("a step without a path leads straight to the next one", () => {
  const steps = [{ node: 0, path: [] }, { node: 3, path: [3, 4] }, { path: [] }];
  assert.deepEqual(walkOf(steps, 0, undefined), [0, 3]);
  assert.deepEqual(walkOf(steps, 1, undefined), [3, 4]);
  assert.deepEqual(walkOf(steps, 2, 9), [], "a hole in the log goes nowhere");
  assert.deepEqual(walkOf([{ node: 1, path: [] }], 0, 2), [1, 2], "the last one leads to the end");
  assert.deepEqual(walkOf([{ node: 1, path: [] }], 0, 1), [1]);
});

test("walks that follow each other are one line", () => {
  const steps = [
    { node: 0, path: [0, 1] },
    { node: 1, path: [1, 2, 3] },
    { node: 3, path: [] },
  ];
  assert.deepEqual(chain(steps, undefined, 0, 3), { lines: [[0, 1, 2, 3]], leaps: [] });
});

test("a jump ends a line and is told apart", () => {
  const steps = [
    { node: 0, path: [0, 1, 7], jumps: [1] },
    { node: 7, path: [7, 8] },
  ];
  assert.deepEqual(chain(steps, undefined, 0, 2), {
    lines: [
      [0, 1],
      [7, 8],
    ],
    leaps: [[1, 7]],
  });
});

test("a step that begins elsewhere is a leap", () => {
  const steps = [
    { node: 0, path: [0, 1] },
    { node: 5, path: [5, 6] },
  ];
  assert.deepEqual(chain(steps, undefined, 0, 2), {
    lines: [
      [0, 1],
      [5, 6],
    ],
    leaps: [[1, 5]],
  });
});

test("the rest of a way begins where the walk so far ends", () => {
  const steps = [
    { node: 0, path: [0, 1] },
    { node: 1, path: [1, 2] },
  ];
  assert.deepEqual(chain(steps, undefined, 1, 2), { lines: [[1, 2]], leaps: [] });
});

test("only the first node of a branch not taken is marked as such", () => {
  // 0 - 1 - 2 - 3 is the way; 4 - 5 branches off at 2
  const near = neighbours([0, 1, 1, 2, 2, 3, 2, 4, 4, 5]);
  const item = (/** @type {number} */ node, /** @type {"chosen" | "rejected" | "offered"} */ state) => ({
    node,
    state,
  });
  const items = [
    item(1, "rejected"),
    item(2, "rejected"),
    item(3, "chosen"),
    item(4, "rejected"),
    item(5, "rejected"),
    item(9, "offered"),
  ];
  assert.deepEqual(
    [...roles(items, [0, 1, 2, 3], near).values()],
    ["way", "way", "chosen", "branch", "beyond", "offered"],
  );
});

test("where no way was walked every rejected place is a branch", () => {
  const items = [{ node: 4, state: /** @type {const} */ ("rejected") }];
  assert.deepEqual([...roles(items, [], neighbours([])).values()], ["branch"]);
});

test("a place far from the way, reached by nodes that were not told, is a branch of its own", () => {
  const near = neighbours([0, 1, 0, 5, 5, 6, 6, 7, 7, 8]);
  const item = (/** @type {number} */ node) => ({ node, state: /** @type {const} */ ("rejected") });
  assert.deepEqual([...roles([item(7), item(8)], [0, 1], near).values()], ["branch", "beyond"]);
});
