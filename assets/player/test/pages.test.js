// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { pageTops } from "../src/shell/pages.js";

/** Lines of 20 pixels, 10 apart; blocks as letters. @param {string} blocks @returns {import("../src/shell/pages.js").Line[]} */
const lines = (blocks) =>
  [...blocks].map((block, i) => ({ top: 30 * i, bottom: 30 * i + 20, block: /** @type {any} */ (block) }));

test("a text that fits is one page", () => {
  assert.deepEqual(pageTops(lines("aaa"), 80, 80), [0]);
  assert.deepEqual(pageTops([], 80, 80), [0]);
});

test("no line is cut: a page begins between two lines", () => {
  // lines end at 20, 50, 80, 110 ...; 100 pixels hold three of them, and the gap after the third is at 85
  assert.deepEqual(pageTops(lines("aaaaaaa"), 100, 100), [0, 85, 175]);
});

test("later pages may be higher than the first", () => {
  assert.deepEqual(pageTops(lines("aaaaaaaa"), 60, 300), [0, 55]);
});

test("a page ends with a paragraph where one ends near its end, not where most of it would stay empty", () => {
  assert.deepEqual(pageTops(lines("aaabbbbb"), 130, 130), [0, 85, 205]);
  assert.deepEqual(pageTops(lines("abbbbbbb"), 130, 130), [0, 115]);
});

test("where the first page has no room for a line, the text begins on the second", () => {
  const below = lines("aaa").map(({ top, bottom, block }) => ({ top: top + 12, bottom: bottom + 12, block }));
  assert.deepEqual(pageTops(below, 20, 60), [0, 12, 67]);
});

test("a line that is higher than a page gets a page, and the rest goes on", () => {
  const block = /** @type {any} */ ("a");
  const tall = [
    { top: 0, bottom: 500, block },
    { top: 510, bottom: 530, block },
  ];
  assert.deepEqual(pageTops(tall, 600, 100), [0]);
  assert.deepEqual(pageTops(tall, 510, 510), [0, 505]);
});
