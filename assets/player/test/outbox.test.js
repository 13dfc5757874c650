// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock } from "../src/desk/clock.js";
import { Outbox } from "../src/desk/outbox.js";
import { Shelf } from "../src/desk/shelf.js";
import { counted, likeness, mentionsOf, wordsOf } from "../src/desk/words.js";

/** @typedef {import("../src/desk/types").Action} Action */
/** @typedef {import("../src/desk/types").Answer} Answer */

const ITEM = { dataset: "d", episode: "1", run: "" };
const OTHER = { dataset: "d", episode: "2", run: "" };

/** A storage as the browser's. */
function makeStorage() {
  /** @type {Map<string, string>} */
  const texts = new Map();
  return {
    getItem: (/** @type {string} */ key) => texts.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ text) => void texts.set(key, text),
    removeItem: (/** @type {string} */ key) => void texts.delete(key),
    key: (/** @type {number} */ i) => [...texts.keys()][i] ?? null,
    get length() {
      return texts.size;
    },
  };
}

/** A window with a clock that the test turns. */
function makeWindow(storage = makeStorage(), name = "window-a") {
  const world = { at: 1000, sent: /** @type {Omit<Action, "queue">[][]} */ ([]), heard: /** @type {Answer[]} */ ([]) };
  const outbox = new Outbox({
    owner: "study:fox",
    storage,
    name,
    now: () => world.at,
    send: (_queue, actions) => world.sent.push(actions),
    onAnswer: (answer) => world.heard.push(answer),
    onChange: () => {},
  });
  return { world, outbox, storage };
}

/** @param {Outbox} outbox @param {string} said */
const rate = (outbox, said, item = ITEM) =>
  outbox.add({ queue: "q", kind: "save", item, value: { task: "navigability", comment: said } });

/** @param {string} id @param {number} revision @param {Answer["state"]} [state] @returns {Answer} */
const answer = (id, revision, state = "saved") => ({ id, state, item: ITEM, value: null, revision, message: "" });

test("keys queue while an answer is due, go out together and in order, each after the one before", () => {
  const { outbox, world } = makeWindow();
  const ids = ["a", "b", "c"].map((said) => rate(outbox, said).id);
  assert.deepEqual(
    world.sent.map((batch) => batch.map(({ id }) => id)),
    [[ids[0]]],
  );
  assert.equal(outbox.state, "saving");
  outbox.receive([answer(ids[0], 1)]);
  assert.deepEqual(
    world.sent[1].map(({ id, after, seen }) => [id, after, seen]),
    [
      [ids[1], ids[0], 0],
      [ids[2], ids[1], 0],
    ],
  );
  outbox.receive([answer(ids[1], 2), answer(ids[2], 3)]);
  assert.equal(outbox.state, "saved");
  assert.equal(outbox.storage.length, 0);
  assert.deepEqual([rate(outbox, "d").after, rate(outbox, "e").seen], [null, 3]);
});

test("what gets no answer is kept, told as kept, and sent again under the same id", () => {
  const { outbox, world } = makeWindow();
  const { id } = rate(outbox, "a");
  world.at += 4000;
  outbox.flush();
  assert.equal(world.sent.length, 1);
  assert.equal(outbox.state, "kept");
  world.at += 4000;
  rate(outbox, "b");
  assert.deepEqual(
    world.sent.at(-1)?.map((action) => action.id),
    [id, "window-a-2"],
  );
  outbox.receive([answer(id, 1), answer("window-a-2", 2)]);
  outbox.receive([answer(id, 1)]);
  assert.equal(world.heard.length, 2, "an answer that comes twice is heard once");
  assert.equal(outbox.state, "saved");
});

test("a failing database is waited for, longer each time, and nothing overtakes what it could not take", () => {
  const { outbox, world } = makeWindow();
  const { id } = rate(outbox, "a");
  outbox.receive([{ ...answer(id, 0, "failed"), message: "the disk is full" }]);
  assert.equal(outbox.state, "kept");
  assert.equal(outbox.trouble, "the disk is full");
  rate(outbox, "b");
  assert.equal(world.sent.length, 1);
  world.at += 1000;
  outbox.flush();
  assert.deepEqual(
    world.sent[1].map((action) => action.id),
    [id, "window-a-2"],
  );
  outbox.receive([{ ...answer(id, 0, "failed"), message: "the disk is full" }]);
  world.at += 1000;
  outbox.flush();
  assert.equal(world.sent.length, 2);
});

test("a reload takes over what was not sent, and goes on after it", () => {
  const first = makeWindow();
  const kept = [rate(first.outbox, "a").id, rate(first.outbox, "b").id];
  const second = makeWindow(first.storage, "window-b");
  second.outbox.knows(ITEM, 0);
  second.outbox.flush();
  assert.deepEqual(
    second.world.sent[0].map(({ id }) => id),
    kept,
  );
  assert.equal(rate(second.outbox, "c").after, kept[1]);
  second.outbox.receive(kept.map((id, i) => answer(id, i + 1)));
  assert.equal(first.storage.length, 1);
});

test("two tabs keep their actions apart, and another annotator's are not touched", () => {
  const storage = makeStorage();
  storage.setItem("navviz:outbox:study:owl:1", JSON.stringify({ id: "owls-one", queue: "q" }));
  storage.setItem("navviz:outbox:study:fox:0:broken", "{not json");
  const [a, b] = [makeWindow(storage, "window-a"), makeWindow(storage, "window-b")];
  rate(a.outbox, "a");
  rate(b.outbox, "b", OTHER);
  assert.deepEqual([a.outbox.actions.length, b.outbox.actions.length, storage.length], [1, 1, 4]);
  a.outbox.receive([answer("window-a-1", 1)]);
  assert.equal(storage.length, 3);
});

test("after a conflict the next save follows the rating that stands", () => {
  const { outbox } = makeWindow();
  const { id } = rate(outbox, "a");
  outbox.receive([answer(id, 7, "conflict")]);
  const next = rate(outbox, "mine");
  assert.deepEqual([next.seen, next.after], [7, null]);
});

test("time at work leaves out long pauses and other windows", () => {
  let at = 0;
  const clock = new Clock(60, () => at);
  clock.turn("one");
  at += 20_000;
  clock.touch();
  at += 61_000;
  clock.touch();
  at += 5000;
  clock.away();
  at += 10_000;
  clock.touch();
  at += 1000;
  assert.equal(clock.take("one"), 26);
  assert.equal(clock.take("one"), 0);
  clock.turn("two");
  at += 3000;
  clock.turn("one");
  assert.equal(clock.take("two"), 3);
});

test("the item on the desk is asked for first, then the next three, each once", () => {
  /** @type {number[][]} */
  const requests = [];
  let at = 0;
  const shelf = new Shelf(
    ({ positions }) => requests.push(positions) > 0,
    6,
    () => at,
  );
  const sheets = (/** @type {number[]} */ positions) =>
    shelf.take(positions.map((position) => /** @type {any} */ ({ position })));
  shelf.need(0);
  shelf.need(0);
  sheets([0]);
  shelf.need(0);
  sheets([1, 2, 3]);
  shelf.need(1);
  at += 11_000;
  shelf.need(1);
  assert.deepEqual(requests, [[0], [1, 2, 3], [4], [4]]);
  sheets([4, 5]);
  shelf.need(3);
  assert.equal(requests.length, 4);
});

test("an item that does not come is asked for again, and less and less often", () => {
  let at = 0;
  /** @type {number[]} */
  const times = [];
  const shelf = new Shelf(
    () => times.push(at) > 0,
    6,
    () => at,
  );
  for (; at <= 16_000; at += 1000) shelf.need(2);
  assert.deepEqual(times, [0, 2000, 6000, 14_000]);
  shelf.take([/** @type {any} */ ({ position: 2 })]);
  shelf.need(2);
  at += 2000;
  shelf.need(2);
  assert.deepEqual(times.slice(4), [17_000, 19_000]);
});

test("an item that could not be asked for yet is asked for at the next occasion", () => {
  let open = false;
  /** @type {number[][]} */
  const requests = [];
  const shelf = new Shelf(
    ({ positions }) => open && requests.push(positions) > 0,
    6,
    () => 0,
  );
  shelf.need(0);
  open = true;
  shelf.need(0);
  shelf.need(0);
  assert.deepEqual(requests, [[0]]);
});

test("chosen words become mentions, counted in characters as Python counts them, and keep their links", () => {
  const text = "Pass the 𝔅ig Café, then Joe's café.";
  const words = wordsOf(text).map(({ start, end }) => text.slice(start, end));
  assert.deepEqual(words, ["Pass", "the", "𝔅ig", "Café", "then", "Joe's", "café"]);
  const [first, second] = mentionsOf(text, [3, 2, 6], []);
  assert.deepEqual([first.text, first.start, first.end], ["𝔅ig Café", 9, 17]);
  assert.deepEqual([second.text, second.start], ["café", 30]);
  assert.equal([...text].slice(second.start, second.end).join(""), "café");
  const linked = mentionsOf(text, [2, 3, 5, 6], [{ ...first, poi_id: "p1" }]);
  assert.deepEqual(
    linked.map((one) => [one.text, one.poi_id]),
    [
      ["𝔅ig Café", "p1"],
      ["Joe's café", null],
    ],
  );
  assert.equal(counted(text, text.indexOf("Café")), 13);
  const places = [
    { name: "Blue Door Café", kind: "cafe" },
    { name: "parking", kind: null },
  ];
  assert.ok(likeness("blue café", places[0]) > likeness("blue café", places[1]));
});
