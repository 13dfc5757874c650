// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { isCutOff, standIns } from "../src/shell/head.js";

test("the header names what stands in for a paper's agent, and nothing else", () => {
  // what the model was shown is said once, by the document's `eyes`
  assert.deepEqual(standIns({ variant: "text variant, no pictures", views: "auto", step_limit: 22 }), []);
  assert.deepEqual(standIns({ agents: "rules (stand-in)", reorder: "rules" }), ["agents=rules (stand-in)"]);
  assert.deepEqual(standIns({ agents: "imported", seed: null }), []);
});

test("a walk of ours that ended in the middle is not finished; a limit of steps is a result", () => {
  const steps = [{}];
  assert.equal(isCutOff({ steps }), true);
  for (const status of ["stopped", "budget"]) assert.equal(isCutOff({ steps, end: { status } }), true);
  for (const status of ["done", "limit", "error"]) assert.equal(isCutOff({ steps, end: { status } }), false);
  assert.equal(isCutOff({ steps: [] }), false, "nothing was walked");
  assert.equal(isCutOff({ steps, source: "log.json" }), false, "others' logs may write no end");
});
