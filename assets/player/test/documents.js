// @ts-check
// A small document for the tests: a street with a crossing, two steps.

/** @typedef {import("../src/document").ReplayDocument} ReplayDocument */
/** @typedef {import("../src/document").StepEntry} StepEntry */

/** @param {number} index @param {Partial<StepEntry>} more @returns {StepEntry} */
export const step = (index, more) => ({ index, calls: [], path: [], panels: [], so_far: { calls: 0 }, ...more });

export const STRINGS = [
  "Walk to the light",
  "Turn right",
  "The café is near a2.",
  "Go to a1.",
  "You walk.",
  "Where to?",
];

/** @param {Partial<ReplayDocument>} [more] @returns {ReplayDocument} */
export function doc(more = {}) {
  return {
    version: 2,
    frame: "geo",
    world: "tiny",
    title: "Episode 1",
    navigator: "groke",
    head: [],
    settings: {},
    episode: {
      id: "1",
      dataset: "tiny",
      instruction: "Walk.",
      start: 0,
      success_radius_m: 25,
      tasks: [],
      step_tasks: [],
    },
    nodes: { ids: ["a0", "a1", "a2", "b1", "12"], at: [0, 0, 0, 1, 0, 2, 1, 1, 1, 2], crossings: [1] },
    links: [0, 1, 1, 2, 1, 3, 3, 4],
    streets: [],
    backdrop: [],
    graph: { nodes: 5 },
    reference: [0, 1, 2],
    planning: {
      sub_goals: [
        [0, "TODO", null],
        [1, "TODO", null],
      ],
      landmarks: [{ name: "Blue Café", letter: "B" }],
      calls: [],
      panels: [],
      so_far: { calls: 0 },
    },
    steps: [
      step(1, {
        node: 0,
        sub_goal: 0,
        path: [0, 1],
        calls: [
          {
            purpose: "decide",
            thoughts: 2,
            reply: 3,
            messages: [
              { role: "system", parts: [["text", 4]] },
              { role: "user", parts: [["text", 5]] },
            ],
          },
        ],
        observation: { format: "json", visible: [0, 1], candidates: [], pois: [{ name: "Corner Shop", letter: "S" }] },
      }),
      step(2, { node: 1, sub_goal: 1, path: [1, 2] }),
    ],
    running: false,
    streaming: {},
    metrics: {},
    notes: [],
    stages: [],
    free: false,
    pois: [{ id: "p", name: "Park", at: [0, 0], kind: "park" }],
    strings: STRINGS,
    ...more,
  };
}
