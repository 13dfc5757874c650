// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { moveWords } from "../src/text/turn-words.js";

// a crossing (2) with ways to all four sides, 40 m each; 7 lies half right of it, 8 beyond 3 to the north
const PLACES = {
  0: [0, -80],
  1: [0, -40],
  2: [0, 0],
  3: [40, 0],
  4: [0, 40],
  5: [-40, 0],
  6: [-40, 40],
  7: [15, 40],
  8: [40, 40],
};

/** @param {(number | string)[][]} paths @param {number[]} reference @param {number} [facing] */
function walk(paths, reference, facing) {
  const at = Object.values(PLACES).flatMap(([east, north]) => [north / 111_194.93, east / 111_194.93]);
  const steps = paths.map((path, index) => ({ index, node: path[0], path, heading_deg: index ? undefined : facing }));
  const nodes = { at, ids: Object.keys(PLACES), crossings: [2, 3] };
  return /** @type {any} */ ({ frame: "geo", nodes, reference, steps });
}
/** @param {any} doc @param {number} at */
const told = (doc, at) => {
  const words = moveWords(doc, at);
  return words && [words.did, words.route, Math.round(words.metres)];
};

test("a move is told by its turn, and the route's where it parts from it", () => {
  const path = [
    [0, 1, 2],
    [2, 3],
  ];
  assert.deepEqual(told(walk(path, [0, 1, 2, 4]), 1), ["turned right", "goes straight on", 40]);
  assert.deepEqual(told(walk(path, [0, 1, 2, 5]), 1), ["turned right", "turns left", 40]);
  assert.deepEqual(told(walk(path, [0, 1, 2, 3]), 1), ["turned right", "", 40]);
  assert.deepEqual(told(walk(path, [1, 4]), 1), ["turned right", "", 40], "it is not on the route");
  assert.deepEqual(
    told(
      walk(
        [
          [1, 2],
          [2, 1],
        ],
        [1, 2, 4],
      ),
      1,
    ),
    ["turned back", "goes straight on", 40],
  );
  assert.deepEqual(
    told(
      walk(
        [
          [1, 2],
          [2, 7],
        ],
        [1, 2, 3],
      ),
      1,
    ),
    ["bore right", "turns right", 43],
  );
});

test("the route is told where it goes another way within a move, and where it ends", () => {
  assert.deepEqual(told(walk([[0, 1, 2, 4]], [0, 1, 2, 3], 0), 0), ["went on", "turns right after 80 m", 120]);
  assert.deepEqual(told(walk([[0, 1, 2, 4]], [0, 1], 0), 0), ["went on", "ends after 40 m", 120]);
  assert.deepEqual(told(walk([[1, 2, 4]], [0, 1], 0), 0), ["went on", "ends here", 80]);
  assert.deepEqual(told(walk([[0, 1, 2]], [0, 1, 2, 3], 0), 0), ["went on", "", 80]);
});

test("two ways that have the same words are told apart", () => {
  const doc = walk(
    [
      [1, 2],
      [2, 4],
    ],
    [1, 2, 7],
  );
  doc.nodes.at[15] = 8 / 111_194.93; // 7 is now 11 degrees to the right: both are straight on
  assert.deepEqual(told(doc, 1), ["kept left", "keeps right", 40]);
});

test("of two turns to one side the wider is the sharp one", () => {
  const doc = walk(
    [
      [1, 2],
      [2, 6],
    ],
    [1, 2, 5],
  );
  doc.nodes.at.splice(12, 2, -20 / 111_194.93, -30 / 111_194.93); // 6 lies 124 degrees to the left
  assert.deepEqual(told(doc, 1), ["turned sharp left", "turns left", 36]);
});

test("turns within one move follow; the first move has a compass where nothing says how one stands", () => {
  assert.deepEqual(told(walk([[1, 2, 3, 8]], []), 0), ["set out north, then right, then left", "", 120]);
  assert.deepEqual(told(walk([[1, 2]], [1, 0]), 0), ["set out north", "goes south", 40]);
  assert.deepEqual(told(walk([[1, 2]], [1, 0], 90), 0), ["turned left", "turns right", 40]);
});

test("no words where a place is not on the map, or nothing was walked", () => {
  assert.equal(told(walk([[1, "x"]], []), 0), null);
  assert.equal(told(walk([[1]], []), 0), null);
});
