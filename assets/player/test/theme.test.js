// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { luminance } from "../src/shell/theme.js";

test("a colour of six digits is read whole", () => {
  // its first three alone, #0e1, are a bright green: a dark page once got a light player
  assert.ok((luminance("#0e1117") ?? 1) < 0.1);
  assert.ok((luminance("#fff") ?? 0) > 0.9);
  assert.ok((luminance("rgb(14, 17, 23)") ?? 1) < 0.1);
  assert.equal(luminance("canvas"), null);
});
