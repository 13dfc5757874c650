// @ts-check
import assert from "node:assert/strict";
import test from "node:test";
import { colourOf, skillColour, skillFor, skillLegs, skillsUsed } from "../src/maps/skill-legs.js";
import { pieces, relationsIn } from "../src/panels/reordered-parts.js";

const STEPS = [
  { skill: 2, sub_goal: 0 },
  { skill: 2, sub_goal: 1 },
  { sub_goal: 1 },
  { skill: 0, sub_goal: 2 },
  { skill: 0, sub_goal: 2, walk_back: true },
];
const SKILLS = [
  { name: "Direction", short: "D", colour: "#111" },
  { name: "Vertical", short: "V", colour: "#222" },
  { name: "Stop", short: "S", colour: "#333" },
];

test("the walk is cut where another skill acts, and at the way back", () => {
  assert.deepEqual(skillLegs(STEPS, 0, 5), [
    { skill: 2, back: false, from: 0, to: 2 },
    { skill: undefined, back: false, from: 2, to: 3 },
    { skill: 0, back: false, from: 3, to: 4 },
    { skill: 0, back: true, from: 4, to: 5 },
  ]);
  assert.deepEqual(skillLegs(STEPS, 1, 2), [{ skill: 2, back: false, from: 1, to: 2 }]);
  assert.deepEqual(skillLegs(STEPS, 0, 0), []);
});

test("colours come from the document alone", () => {
  assert.equal(skillColour({ skills: SKILLS }, 2), "#333");
  assert.equal(skillColour({ skills: SKILLS }, undefined), undefined);
  assert.equal(skillColour({}, 2), undefined);
  assert.equal(colourOf({ skills: SKILLS }, "Vertical"), "#222");
  assert.equal(colourOf({ skills: SKILLS }, undefined), undefined);
  assert.deepEqual(skillsUsed(STEPS), [0, 2]);
  assert.equal(skillFor(STEPS, 1), 2);
  assert.equal(skillFor(STEPS, 9), undefined);
});

test("the original is cut into what its parts come from", () => {
  const text = "Turn left after the sofa, then wait.";
  const parts = [{ span: [16, 24] }, { span: [0, 9] }, { span: [31, 35] }, { span: null }, { span: [16, 24] }];
  // @ts-expect-error spans are pairs
  const found = pieces(text, parts);
  assert.deepEqual(
    found.map((piece) => [piece.text, Boolean(piece.span)]),
    [
      ["Turn left", true],
      [" after ", false],
      ["the sofa", true],
      [", then ", false],
      ["wait", true],
      [".", false],
    ],
  );
  assert.equal(found.map((piece) => piece.text).join(""), text);
  assert.deepEqual(relationsIn(found[1], [{ relation: "forward", cue: "after", span: [10, 15] }]), [
    { text: " ", relation: null },
    { text: "after", relation: "forward" },
    { text: " ", relation: null },
  ]);
  assert.deepEqual(pieces("abc", []), [{ text: "abc", start: 0, span: null }]);
});
