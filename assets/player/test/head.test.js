// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { headFigures, isCutOff, standIns } from "../src/shell/head.js";

test("the header names what stands in for a paper's agent, and nothing else", () => {
  // what the model was shown is said once, by the document's `eyes`
  assert.deepEqual(standIns({ variant: "text variant, no pictures", views: "auto", step_limit: 22 }), []);
  assert.deepEqual(standIns({ agents: "rules (stand-in)", reorder: "rules" }), ["agents=rules (stand-in)"]);
  assert.deepEqual(standIns({ agents: "imported", seed: null }), []);
});

test("each kind of episode has its own figures; those of NDH begin with goal progress", () => {
  const first = (/** @type {Record<string, number | null>} */ metrics, tasks = /** @type {unknown[]} */ ([])) =>
    Object.keys(headFigures({ episode: { tasks }, metrics }))[0];
  assert.equal(first({ GP: -1.5, NE: 4 }), "GP");
  assert.equal(first({ GP: null }), "GP", "a progress that cannot be measured is a dash, not another figure");
  assert.equal(first({ NE: 4 }), "NE");
  assert.equal(first({ NE_rec: 4, GP: 1 }), "NE_rec");
  assert.equal(Object.keys(headFigures({ episode: { tasks: [{}] }, metrics: { GP: 1 } })).includes("ISR"), true);
});

test("a walk of ours that ended in the middle is not finished; a limit of steps is a result", () => {
  const steps = [{}];
  assert.equal(isCutOff({ steps }), true);
  for (const status of ["stopped", "budget"]) assert.equal(isCutOff({ steps, end: { status } }), true);
  for (const status of ["done", "limit", "error"]) assert.equal(isCutOff({ steps, end: { status } }), false);
  assert.equal(isCutOff({ steps: [] }), false, "nothing was walked");
  assert.equal(isCutOff({ steps, source: "log.json" }), false, "others' logs may write no end");
});
