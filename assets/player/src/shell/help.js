// @ts-check
import { el } from "../dom.js";

/** Keys and what they do. */
const KEYS = [
  ["← →", "step"],
  ["shift + ← →", "sub-goal"],
  ["home, end", "start, end"],
  ["space", "play, pause"],
  ["1 – 9", "speed"],
  ["c", "to the likely cause or hint"],
  ["d", "to the divergence"],
  ["ctrl + k, /", "search"],
  ["f", "present"],
  ["escape", "leave"],
  ["?", "these keys"],
];
const WHAT_IF_KEYS = [
  ["x", "what if it had taken another link"],
  ["↑ ↓", "the other links of a step, with x"],
  ["[ ]", "previous, next decisive step"],
];
const EPISODE_KEYS = [["n, p", "next, previous episode"]];
const REPAIR_KEYS = [["r", "repair what failed, and walk again"]];
const FORK_KEYS = [["b", "branch off: fork at this step"]];
const TALK_KEYS = [["t", "add this step to the talk"]];
const BREAK_KEYS = [
  ["f9", "pause at this step, or not"],
  ["alt + click", "pause at a node, or at a line of prompt or plan"],
  ["e", "at a pause: edit"],
  ["f8, f10", "at a pause: go on, one step"],
  ["shift + f8", "at a pause: start again"],
];
const DEBUG_KEYS = [["f9", "debug from here: fork, and pause at this step"]];

/** The list of keys. */
export class Help {
  /** @param {import("../player.js").Player} player */
  constructor(player) {
    const { actions, episodes } = player.options;
    const more = [
      ...(player.whatIf.possible ? WHAT_IF_KEYS : []),
      ...(episodes ? EPISODE_KEYS : []),
      ...(actions?.some(({ name }) => name === "fork") ? FORK_KEYS : []),
      ...(actions?.some(({ name }) => name === "repair") ? REPAIR_KEYS : []),
      ...(actions?.some(({ name }) => name === "talk") ? TALK_KEYS : []),
      ...(player.breaks ? BREAK_KEYS : []),
      ...(actions?.some(({ name }) => name === "debug") ? DEBUG_KEYS : []),
    ];
    const keys = [...KEYS.slice(0, 7), ...more, ...KEYS.slice(7)];
    this.box = el(
      "dialog",
      { class: "nv-help", "aria-label": "Keys" },
      el("h3", { text: "Keys" }),
      el(
        "dl",
        {},
        keys.flatMap(([name, what]) => [el("dt", { text: name }), el("dd", { text: what })]),
      ),
      el("p", {
        class: "nv-mute",
        text: "Point at a node id, a letter or a landmark in any text: the map shows where it is. Click it, and the map goes there.",
      }),
    );
    player.root.append(this.box);
  }

  get isOpen() {
    return this.box.open;
  }

  close() {
    this.box.close();
  }

  toggle() {
    if (this.isOpen) this.close();
    else this.box.show();
  }
}
