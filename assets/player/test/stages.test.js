// @ts-check
import assert from "node:assert/strict";
import test from "node:test";
import { standing } from "../src/pane/tasks.js";
import { marksOf, nextStage, stageAt, stageColor } from "../src/shell/stages.js";
import { wordChanges } from "../src/text/words.js";

/** @type {import("../src/document").StageEntry[]} */
const STAGES = [
  { state: "reached", status: "reached", stops: true, first: 1, last: 4 },
  { state: "missed", status: "stopped too far: 3.2 m", stops: true, first: 5, last: 9 },
  { state: "none", status: "not attempted", stops: false },
];

test("a step lies in one stage, or in none", () => {
  assert.deepEqual(
    [0, 1, 4, 5, 9, 10].map((step) => stageAt(STAGES, step)),
    [-1, 0, 0, 1, 1, -1],
  );
});

test("the keys go to where stages begin", () => {
  assert.equal(nextStage(STAGES, 0, 9, 1), 1);
  assert.equal(nextStage(STAGES, 1, 9, 1), 5);
  assert.equal(nextStage(STAGES, 6, 9, 1), 9);
  assert.equal(nextStage(STAGES, 6, 9, -1), 5);
  assert.equal(nextStage(STAGES, 5, 9, -1), 1);
  assert.equal(nextStage(STAGES, 0, 9, -1), undefined);
});

test("a part is told as it stands at the step, not as it ends", () => {
  const wordsOf = (/** @type {number} */ i, /** @type {number} */ step) => standing(STAGES[i], step).said;
  assert.equal(wordsOf(0, 0), "to come");
  assert.equal(wordsOf(0, 3), "now");
  assert.equal(wordsOf(0, 4), "reached");
  assert.equal(wordsOf(1, 4), "to come");
  assert.equal(wordsOf(1, 9), "stopped too far: 3.2 m");
  assert.equal(wordsOf(2, 9), "not attempted");
});

test("stages share four colours in turn", () => {
  assert.deepEqual([0, 3, 4].map(stageColor), ["stage-1", "stage-4", "stage-1"]);
});

test("changes of a text are told word by word", () => {
  assert.deepEqual(wordChanges("go to the hall", "go to the next hall"), [
    { kind: "same", text: "go to the" },
    { kind: "new", text: " next" },
    { kind: "same", text: " hall" },
  ]);
  assert.deepEqual(wordChanges("", "new words"), [{ kind: "new", text: "new words" }]);
  assert.deepEqual(wordChanges("same", "same"), [{ kind: "same", text: "same" }]);
});

test("the time line explains the marks that stand on it, and no others", () => {
  const doc = /** @type {any} */ ({
    stages: STAGES,
    episode: { step_tasks: [], success_radius_m: 1 },
    steps: [{ to_target_m: 2 }],
  });
  const words = () => marksOf(doc).map(([, each]) => each);
  assert.deepEqual(words(), [
    "part of the task",
    "stops near enough",
    "stops too far away",
    "distance to the target",
    "near enough: 1.0 m",
  ]);
  doc.stages = [{ ...STAGES[0], oracle: 3 }];
  doc.steps = [{}];
  doc.episode.step_tasks = [
    {
      segments: [
        [1, 2, "move_forward"],
        [3, 4, "turn_left"],
      ],
    },
  ];
  assert.deepEqual(words(), [
    "part of the task",
    "first near enough to its target",
    "stops near enough",
    "instruction for a part of the way",
    "turns left",
  ]);
});
