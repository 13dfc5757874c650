// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { allStates, hasStates, placeStates, stateClass, stateEntries } from "../src/maps/place-states.js";

const panel = (/** @type {any} */ data, kind = "graph") => ({ kind, title: "Map", data });
const MAP = panel({
  states: ["explored"],
  nodes: [{ id: "a", state: "explored" }, { id: "b", state: "pruned now" }, { id: "c" }, null, { state: "seen" }],
});

test("only nodes with an id and a state count", () => {
  assert.deepEqual(
    placeStates({ panels: [MAP] }).map((place) => place.id),
    ["a", "b"],
  );
});

test("other graphs and broken panels have none", () => {
  for (const item of [panel({ nodes: [{ id: "a", state: "x" }] }), panel({ states: [], nodes: 3 }), panel({}, "table")])
    assert.deepEqual(placeStates({ panels: [item] }), []);
  assert.deepEqual(placeStates(undefined), []);
});

test("the legend lists what has a look, in one order", () => {
  const doc = /** @type {any} */ ({ steps: [{ panels: [MAP] }, { panels: [] }] });
  assert.equal(hasStates(doc), true);
  assert.deepEqual([...allStates(doc)], ["explored", "pruned now"]);
  assert.deepEqual(stateEntries(new Set(["pruned now", "explored", "current"])), [
    ["place-explored", "explored"],
    ["place-pruned-now", "pruned now"],
  ]);
});

test("a state's class holds letters only", () => {
  assert.equal(stateClass("pruned now"), "nv-place-pruned-now");
  assert.equal(stateClass('x" onload="y'), "nv-place-x-onload-y");
  assert.equal(stateClass(undefined), "");
});
