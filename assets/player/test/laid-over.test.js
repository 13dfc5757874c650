// @ts-check
// Walks of other documents laid over one: the same places are one node, others are added.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isSameEpisode, laidOver } from "../src/site/laid-over.js";
import { doc, step } from "./documents.js";

/** @typedef {import("../src/document").ReplayDocument} ReplayDocument */

/** @param {number} start @param {string} [dataset] @returns {ReplayDocument["episode"]} */
function episode(start, dataset = "d") {
  return { id: "1", dataset, instruction: "Go.", start, success_radius_m: 25, tasks: [], step_tasks: [] };
}

/** @param {number} index @param {number} node @param {number} to */
function move(index, node, to) {
  return step(index, { node, path: [node, to], decision: { stop: false, legal: true, target: to } });
}

/** @param {Partial<ReplayDocument>} [more] @returns {ReplayDocument} */
function documentOf(more = {}) {
  return doc({
    episode: episode(0),
    nodes: { ids: ["a", "b", "c"], at: [0, 0, 0, 1, 0, 2], crossings: [] },
    links: [0, 1, 1, 2],
    streets: [[0, 0, 0, 2]],
    steps: [move(1, 0, 1), move(2, 1, 2)],
    end: { status: "done", node: 2 },
    ...more,
  });
}

/** @type {Partial<ReplayDocument>} */
const OTHER = {
  nodes: { ids: ["b", "z", "a"], at: [0, 1, 5, 5, 0, 0], crossings: [] },
  episode: episode(2),
  streets: [[0, 1, 5, 5]],
  bends: [{ ends: [0, 1], at: [2, 2] }],
  steps: [move(1, 2, 0), move(2, 0, 1)],
  end: { status: "done", node: 1 },
  navigator: "two",
};

test("a walk is told by the first document's nodes, and places that this lacks are added", () => {
  const own = documentOf();
  const shown = laidOver({ name: "mine", doc: own }, [{ name: "theirs", doc: documentOf(OTHER) }], []);
  assert.deepEqual(shown.nodes.ids, ["a", "b", "c", "z"]);
  assert.deepEqual(shown.nodes.at.slice(6), [5, 5]);
  assert.deepEqual(
    shown.compare?.steps.map(({ path }) => path),
    [
      [0, 1],
      [1, 3],
    ],
  );
  assert.equal(shown.compare?.end, 3);
  assert.equal(shown.compare?.first_difference, 2);
  assert.deepEqual(shown.bends, [{ ends: [1, 3], at: [2, 2] }]);
  assert.equal(shown.streets.length, 2);
  assert.equal(shown.label, "mine");
  assert.equal(own.nodes.ids.length, 3, "the first document stays as it is");
});

test("poses that share a name and lie elsewhere are other places", () => {
  const poses = { ids: ["a", "b", "c"], at: [0, 0, 0, 1.5, 0, 2], crossings: [] };
  const others = [
    { name: "x", doc: documentOf({ nodes: poses }) },
    { name: "y", doc: documentOf({ nodes: poses }) },
  ];
  const shown = laidOver({ name: "mine", doc: documentOf() }, others, ["#123456"]);
  assert.deepEqual(shown.nodes.ids, ["a", "b", "c", "x: b", "y: b"]);
  assert.deepEqual(shown.compare?.steps[0].path, [0, 3]);
  assert.deepEqual(shown.further?.[0].steps[0].path, [0, 4]);
  assert.equal(shown.further?.[0].colour, "#123456");
});

test("walks that are alike have no first difference", () => {
  const shown = laidOver({ name: "mine", doc: documentOf() }, [{ name: "x", doc: documentOf() }], []);
  assert.equal(shown.compare?.first_difference, undefined);
  assert.equal(shown.streets.length, 1);
});

test("an id of another data set and another start is another episode", () => {
  const other = documentOf({ episode: episode(1, "e") });
  assert.ok(!isSameEpisode(documentOf(), other));
  assert.ok(isSameEpisode(documentOf(), documentOf({ episode: episode(0, "e") })));
  assert.ok(!isSameEpisode(documentOf(), documentOf({ world: "elsewhere" })));
});
