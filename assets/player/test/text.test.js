// @ts-check
import assert from "node:assert/strict";
import test from "node:test";
import { blocks, spans } from "../src/text/blocks.js";
import { amount, DASH, duration, metres, money, shortId } from "../src/text/figures.js";
import { passages, search } from "../src/text/finder.js";
import { unpackStrings } from "../src/text/strings.js";
import { doc, STRINGS } from "./documents.js";

test("markdown comes in blocks", () => {
  const text = "# Title\n\nOne\ntwo.\n\n- a\n- b\n\n3. c\n\n```\ncode *x*\n```\n**Bold line**\n";
  assert.deepEqual(blocks(text), [
    { kind: "heading", text: "Title" },
    { kind: "paragraph", text: "One two." },
    { kind: "list", ordered: false, start: 1, items: ["a", "b"] },
    { kind: "list", ordered: true, start: 3, items: ["c"] },
    { kind: "code", text: "code *x*" },
    { kind: "heading", text: "Bold line" },
  ]);
});

test("a fence that never ends is still code", () => {
  assert.deepEqual(blocks("```\nlost"), [{ kind: "code", text: "lost" }]);
});

test("a line is bold, italic, code or plain", () => {
  assert.deepEqual(spans("a **b** `c` *d* 2*3*4"), [
    { kind: "text", text: "a " },
    { kind: "strong", text: "b" },
    { kind: "text", text: " " },
    { kind: "code", text: "c" },
    { kind: "text", text: " " },
    { kind: "emphasis", text: "d" },
    { kind: "text", text: " 2*3*4" },
  ]);
});

test("what is missing is a dash, and figures carry their unit", () => {
  assert.equal(amount(undefined), DASH);
  assert.equal(amount(12345), "12,345");
  assert.equal(money(0.0123), "$0.0123");
  assert.equal(money(1.5), "$1.50");
  assert.equal(duration(2), "2.0 s");
  assert.equal(duration(119.7), "2 min 0 s");
  assert.equal(metres(2.345, 1), "2.3 m");
  assert.equal(metres(null), DASH);
  assert.equal(shortId("0123456789abcdef"), "012345…");
});

test("packed texts are unpacked", async () => {
  const { gzipSync } = await import("node:zlib");
  const gzip = gzipSync(JSON.stringify(["Häuser", "家"])).toString("base64");
  assert.deepEqual(await unpackStrings({ gzip }), ["Häuser", "家"]);
  assert.deepEqual(await unpackStrings(["a"]), ["a"]);
  // of a walk that goes on, in several packs, which may be alike
  assert.deepEqual(await unpackStrings({ gzip, more: [gzip] }), ["Häuser", "家", "Häuser", "家"]);
});

test("search finds words in prompts, thoughts, replies and landmarks, with their step", () => {
  const all = passages(doc(), STRINGS);
  const found = (/** @type {string} */ words) => search(all, words, 10).map(({ what, step, tab }) => [what, step, tab]);
  assert.deepEqual(found("CAFÉ"), [
    ["landmark", 0, null],
    ["thoughts", 1, "thoughts"],
  ]);
  assert.deepEqual(found("go to"), [["reply", 1, "reply"]]);
  assert.deepEqual(found("where to"), [["prompt", 1, "prompt"]]);
  assert.deepEqual(found("corner"), [["landmark", 1, "seen"]]);
  assert.deepEqual(found("turn right"), [["sub-goal 2", 2, null]]);
  assert.deepEqual(found("  "), []);
});

test("a result tells the words around", () => {
  const [hit] = search(passages(doc(), STRINGS), "near", 1);
  assert.deepEqual([hit.before, hit.match, hit.after], ["The café is ", "near", " a2."]);
});
