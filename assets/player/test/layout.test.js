// @ts-check
import assert from "node:assert/strict";
import test from "node:test";
import { along, bearing, sectorOf, turn } from "../src/maps/angles.js";
import { cameraFor } from "../src/maps/camera.js";
import { padding } from "../src/maps/fitting.js";
import { alongLine, inside, overlap, placeInside, placeLabel } from "../src/maps/labels.js";
import { BOX, graphLayout } from "../src/panels/graph-layout.js";
import { nextSubGoal, segmentsOf } from "../src/shell/segments.js";
import { luminance } from "../src/shell/theme.js";
import { doc } from "./documents.js";

test("steps of one sub-goal are one segment", () => {
  const steps = [{}, { sub_goal: 0 }, { sub_goal: 0 }, { sub_goal: 1 }, { sub_goal: 0 }];
  assert.deepEqual(segmentsOf(steps), [
    { goal: null, from: 1, to: 1 },
    { goal: 0, from: 2, to: 3 },
    { goal: 1, from: 4, to: 4 },
    { goal: 0, from: 5, to: 5 },
  ]);
  assert.deepEqual(segmentsOf([]), []);
});

test("shift and an arrow go to the sub-goal beside", () => {
  const segments = segmentsOf([{ sub_goal: 0 }, { sub_goal: 0 }, { sub_goal: 1 }]);
  assert.equal(nextSubGoal(segments, 1, 3, 1), 3);
  assert.equal(nextSubGoal(segments, 3, 3, 1), undefined);
  assert.equal(nextSubGoal(segments, 3, 3, -1), 1);
  assert.equal(nextSubGoal(segments, 0, 3, -1), undefined);
});

test("a graph lies as on the map, or as its own coordinates say, or in a ring", () => {
  const map = graphLayout([{ id: "a0" }, { id: "a2" }], doc());
  const [west, east] = [map.get("a0"), map.get("a2")];
  assert.ok(west && east && west[0] < east[0] && west[1] === east[1]);
  const own = graphLayout(
    [
      { id: "p", x: 0, y: 0 },
      { id: "q", x: 0, y: 5 },
    ],
    doc(),
  );
  assert.ok((own.get("q")?.[1] ?? 9e9) < (own.get("p")?.[1] ?? 0), "y points up");
  const ring = graphLayout(
    ["p", "q", "r"].map((id) => ({ id })),
    doc(),
  );
  for (const [x, y] of ring.values()) assert.ok(x >= 0 && x <= BOX.width && y >= 0 && y <= BOX.height);
});

test("a label goes where it covers nothing, and nowhere if it cannot", () => {
  /** @type {import("../src/types").Box} */
  const edges = [0, 0, 200, 100];
  const wish = { at: /** @type {[number, number]} */ ([100, 50]), width: 40, height: 10, gap: 5 };
  assert.deepEqual(placeLabel(wish, [], edges), [105, 45, 145, 55]);
  assert.deepEqual(placeLabel(wish, [[110, 40, 120, 60]], edges), [55, 45, 95, 55]);
  assert.deepEqual(
    placeLabel(
      wish,
      [
        [130, 40, 140, 60],
        [60, 40, 70, 60],
      ],
      edges,
    ),
    [80, 35, 120, 45],
  );
  assert.equal(placeLabel(wish, [[0, 0, 200, 100]], edges), null);
  assert.deepEqual(placeLabel({ ...wish, must: true }, [[0, 0, 200, 100]], edges), [105, 45, 145, 55]);
  assert.equal(placeLabel({ ...wish, within: [90, 40, 110, 60] }, [], edges), null);
  assert.ok(overlap([0, 0, 2, 2], [1, 1, 3, 3]) && !overlap([0, 0, 1, 1], [1, 0, 2, 1]));
  assert.ok(inside([1, 1, 2, 2], edges));
});

test("a name stands in its room where it covers least, or not at all", () => {
  /** @type {import("../src/types").Box} */
  const room = [0, 0, 100, 100];
  assert.deepEqual(placeInside(20, 10, room, []), [40, 8, 60, 18]);
  assert.deepEqual(placeInside(20, 10, room, [[45, 0, 55, 30]]), [8, 8, 28, 18]);
  assert.deepEqual(placeInside(20, 10, room, [[0, 0, 100, 20]]), [40, 82, 60, 92]);
  assert.equal(placeInside(120, 10, room, []), null);
  const label = /** @type {[number, number, number, number]} */ ([30, 0, 70, 60]);
  assert.deepEqual(placeInside(20, 10, room, [label], [label]), [8, 8, 28, 18]);
  assert.equal(placeInside(60, 10, room, [], [[30, 0, 70, 100]]), null, "a name on another label says nothing");
});

test("boxes along a line leave no gap", () => {
  const boxes = alongLine(
    [
      [0, 0],
      [100, 0],
    ],
    5,
  );
  for (let x = 0; x <= 100; x += 1)
    assert.ok(
      boxes.some((box) => x >= box[0] && x <= box[2]),
      String(x),
    );
});

test("a map leaves room for what lies over it, but never most of itself", () => {
  assert.deepEqual(padding({ x: 1000, y: 600 }, {}), [22, 22, 22, 22]);
  const over = {
    tools: /** @type {const} */ ([960, 10, 990, 200]),
    legend: /** @type {const} */ ([10, 560, 500, 590]),
  };
  assert.deepEqual(
    padding({ x: 1000, y: 600 }, { tools: [...over.tools], legend: [...over.legend] }),
    [22, 22, 62, 62],
  );
  assert.deepEqual(padding({ x: 100, y: 60 }, { tools: [10, 0, 90, 50], legend: [0, 5, 90, 60] }), [22, 18, 30, 18]);
});

test("angles are clockwise from north", () => {
  assert.equal(bearing([0, 0], [1, 0]), 90);
  assert.equal(turn(350), -10);
  assert.equal(turn(-190), 170);
  assert.deepEqual(along([1, 1], 90, 2).map(Math.round), [3, 1]);
  assert.deepEqual(
    [0, 22, 23, 180, 359, -45].map((degrees) => sectorOf(degrees)),
    [0, 0, 1, 4, 0, 7],
  );
  assert.deepEqual(
    [14, 15, 345].map((degrees) => sectorOf(degrees, 12)),
    [0, 1, 0],
  );
});

test("the camera stands where the house just fills the pane", () => {
  /** @type {import("../src/maps/camera.js").Vector[]} */
  const corners = [-0.5, 0.5].flatMap((x) =>
    [-0.5, 0.5].map((y) => /** @type {import("../src/maps/camera.js").Vector} */ ([x, y, 0.1])),
  );
  for (const aspect of [0.4, 1, 2.5]) {
    const { eye, center } = cameraFor(corners, [-0.2, -0.8, 0.6], aspect);
    const back = eye.map((v, i) => v - center[i]);
    const far = Math.hypot(...back);
    const unit = back.map((v) => v / far);
    const across = [-unit[1] / Math.hypot(unit[0], unit[1]), unit[0] / Math.hypot(unit[0], unit[1]), 0];
    const up = [
      unit[1] * across[2] - unit[2] * across[1],
      unit[2] * across[0] - unit[0] * across[2],
      unit[0] * across[1] - unit[1] * across[0],
    ];
    const reach = corners.map((corner) => {
      const from = corner.map((v, i) => v - center[i]);
      const dot = (/** @type {number[]} */ axis) => from.reduce((sum, v, i) => sum + v * axis[i], 0);
      const depth = (far - dot(unit)) * Math.tan(Math.PI / 8);
      return Math.max(Math.abs(dot(across)) / (depth * aspect), Math.abs(dot(up)) / depth);
    });
    assert.ok(Math.max(...reach) < 1.001, "all is seen");
    assert.ok(Math.max(...reach) > 0.9, "and fills the pane");
  }
});

test("light and dark colours are told apart", () => {
  assert.ok((luminance("#fff") ?? 0) > 0.9);
  assert.ok((luminance("rgb(14, 17, 23)") ?? 1) < 0.2);
  assert.ok((luminance("#0e1117") ?? 1) < 0.2, "not #0e1, which is light");
  assert.equal(luminance("papayawhip"), null);
});
