// @ts-check
import assert from "node:assert/strict";
import test from "node:test";
import { Linker, nameRef } from "../src/text/linker.js";
import { doc } from "./documents.js";

/** @param {Linker} linker @param {string} text */
const refs = (linker, text) => linker.pieces(text).flatMap(({ text, ref }) => (ref ? [[text, ref]] : []));

test("the pieces of a text joined are the text", () => {
  const linker = new Linker(doc());
  for (const text of ["go to a1, then (b1).", "", "a0a1 a0-a1", "“Blue Café” Blue Caféteria", "x'B'y <b>a2</b>"]) {
    assert.equal(
      linker
        .pieces(text)
        .map((piece) => piece.text)
        .join(""),
      text,
    );
  }
});

test("node ids are found as whole words", () => {
  const linker = new Linker(doc());
  assert.deepEqual(refs(linker, "from a1 to a2, not a11 or xa2"), [
    ["a1", "n:1"],
    ["a2", "n:2"],
  ]);
});

test("a short number is an id only in quotes", () => {
  const linker = new Linker(doc());
  assert.deepEqual(refs(linker, "after 12 steps"), []);
  assert.deepEqual(refs(linker, 'go to "12"'), [["12", "n:4"]]);
});

test("landmarks are found in any case, other places only as they are written", () => {
  const linker = new Linker(doc());
  assert.deepEqual(refs(linker, "the blue café"), [["blue café", "s:blue café"]]);
  assert.deepEqual(refs(linker, "the Park, a park"), [["Park", "s:park"]]);
});

test("a letter means what the step shows under it", () => {
  const linker = new Linker(doc());
  linker.setStep(null);
  assert.equal(linker.letter("B"), "s:blue café");
  assert.equal(linker.letter("S"), undefined);
  linker.setStep(doc().steps[0]);
  assert.equal(linker.letter("S"), "s:corner shop");
  assert.deepEqual(refs(linker, 'see "S" there'), [['"S"', "s:corner shop"]]);
});

test("a name of pattern signs is a name", () => {
  const linker = new Linker(doc({ pois: [{ id: "p", name: "What? (bar) [1]", at: [0, 0], kind: "bar" }] }));
  assert.deepEqual(refs(linker, "at What? (bar) [1]."), [["What? (bar) [1]", nameRef("What? (bar) [1]")]]);
});
