// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { standIns } from "../src/shell/head.js";

test("the header names what stands in for a paper's agent, and nothing else", () => {
  assert.deepEqual(standIns({ variant: "text variant, no pictures", views: "auto", step_limit: 22 }), ["text variant"]);
  assert.deepEqual(standIns({ variant: "pictures", views: "pictures" }), ["pictures"]);
  assert.deepEqual(standIns({ agents: "rules (stand-in)", reorder: "rules" }), ["agents=rules (stand-in)"]);
  assert.deepEqual(standIns({ agents: "imported", seed: null }), []);
});
