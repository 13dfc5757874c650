// @ts-check
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("../src", import.meta.url));
const LENGTH = 40_000;
const LIMIT_MS = 300; // of this process's own time: a linear pattern takes a few, a quadratic one some thousand
const UNITS = [" ", "\n", "a", "A", "0", "-", ".", "'", '"', "#", "(", "[", "_", "*", "`", "a ", "a-", "1.", "left "];

// a slash after such a sign begins a pattern; after a name or a number it divides
const LITERAL = /(?<=[(=,!&|?:[{;>]\s*|return )\/(?![/*])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)/g;

/** Every pattern that is written in the source, with its place. */
function patterns() {
  /** @type {{where: string, source: string, flags: string}[]} */
  const found = [];
  for (const file of readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".js"),
  )) {
    const text = readFileSync(join(SOURCE, file), "utf8");
    for (const match of text.matchAll(LITERAL)) {
      const line = text.slice(0, match.index).split("\n").length;
      found.push({ where: `${file}:${line}`, source: match[1], flags: match[2] });
    }
  }
  return found;
}

/** Whether a pattern takes more than its share on a repeated text. @param {string} source @param {string} flags */
function slowOn(source, flags) {
  const words = [...new Set(source.match(/[A-Za-z]{2,}/g) ?? [])].slice(0, 4).map((word) => `${word} `);
  for (const unit of [...UNITS, ...words]) {
    const text = `${unit.repeat(LENGTH / unit.length)}\u0001`;
    const before = process.cpuUsage();
    text.replace(new RegExp(source, [...new Set(`${flags}g`)].join("")), "");
    const { user } = process.cpuUsage(before);
    if (user > LIMIT_MS * 1000) return unit;
  }
  return null;
}

test("no pattern is held up by a repeated character", () => {
  const all = patterns();
  assert.ok(all.length > 30, `only ${all.length} patterns were found`);
  const slow = all.map((one) => ({ ...one, unit: slowOn(one.source, one.flags) })).filter(({ unit }) => unit !== null);
  assert.deepEqual(slow, []);
});

test("a pattern that is held up is noticed", () => {
  assert.equal(slowOn("[-.]+$", ""), "-");
});
