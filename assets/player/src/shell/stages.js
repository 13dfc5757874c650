// @ts-check
// Long-horizon walks above and below the time line: sub-tasks as bands with flags where the agent stopped and a dot where
// it first came near enough; step tasks as a second track with their segments.
import { el } from "../dom.js";
import { metres } from "../text/figures.js";

/** @typedef {import("../document").StageEntry} StageEntry */
/** @typedef {import("../document").StepTaskEntry} StepTaskEntry */

/** Colours that stages share in turn, as CSS names them. */
export const STAGE_COLORS = 4;

/** Name of a stage's colour. @param {number} i */
export const stageColor = (i) => `stage-${(i % STAGE_COLORS) + 1}`;

/** Index of the stage in which a step lies; -1 where none does. @param {StageEntry[]} stages @param {number} step */
export function stageAt(stages, step) {
  return stages.findIndex(
    ({ first, last }) => first !== undefined && last !== undefined && step >= first && step <= last,
  );
}

/**
 * The step at which the stage before or after a step begins; undefined where there is none.
 * @param {StageEntry[]} stages
 * @param {number} step
 * @param {number} count
 * @param {number} direction
 */
export function nextStage(stages, step, count, direction) {
  const starts = [0, ...stages.flatMap(({ first }) => (first === undefined ? [] : [first])), count];
  return direction > 0 ? starts.find((start) => start > step) : starts.findLast((start) => start < step);
}

/** Segments of a step task that have a colour, and what the colour says. */
const TURNS = { left: "turns left", right: "turns right", zigzag: "walks in zigzag" };

/** The kind of a segment, by the label that the data set gives it. @param {string} label */
function partOf(label) {
  if (label === "move_forward") return "forward";
  if (label === "zigzag") return "zigzag";
  return label.includes("left") ? "left" : "right";
}

/**
 * What the marks of a time line mean: those that stand there, and no others.
 * @param {import("../document").ReplayDocument} doc
 * @returns {[kind: string, words: string][]}
 */
export function marksOf({ stages, episode, steps }) {
  const walked = stages.filter(({ first }) => first !== undefined);
  /** @type {Set<string>} */
  const parts = new Set(episode.step_tasks.flatMap(({ segments }) => segments.map(([, , label]) => partOf(label))));
  const turns = Object.entries(TURNS).filter(([kind]) => parts.has(kind));
  /** @type {[boolean, string, string][]} */
  const all = [
    [walked.length > 0, "band", "part of the task"],
    [walked.some(({ oracle }) => oracle !== undefined), "oracle", "first near enough to its target"],
    [walked.some(({ state, stops }) => stops && state === "reached"), "good", "stops near enough"],
    [walked.some(({ state, stops }) => stops && state !== "reached"), "missed", "stops too far away"],
    [steps.some((step) => step.to_target_m !== undefined), "curve", "distance to the target"],
    [
      steps.some((step) => step.to_target_m !== undefined),
      "radius",
      `near enough: ${metres(episode.success_radius_m)}`,
    ],
    [episode.step_tasks.length > 0, "steptask", "instruction for a part of the way"],
    ...turns.map(([kind, words]) => /** @type {[boolean, string, string]} */ ([true, `turn-${kind}`, words])),
  ];
  return all.filter(([stands]) => stands).map(([, kind, words]) => [kind, words]);
}

export class StageRows {
  /**
   * @param {import("./timeline.js").Timeline} line
   * @param {HTMLElement} track
   */
  constructor(line, track) {
    this.line = line;
    this.bands = el("div", { class: "nv-bands" });
    this.second = el("div", { class: "nv-second" });
    track.before(this.bands);
    this.key = el("div", { class: "nv-line-key", "aria-label": "Marks of the time line" });
    track.after(this.second, this.key);
    /** @type {HTMLElement[]} */
    this.bandNodes = [];
  }

  get doc() {
    return this.line.doc;
  }

  build() {
    const { stages, episode } = this.doc;
    const walked = stages.filter(({ first }) => first !== undefined);
    this.bands.hidden = walked.length === 0;
    this.second.hidden = episode.step_tasks.length === 0;
    this.bandNodes = stages.map((stage, i) => this.band(stage, i));
    this.bands.replaceChildren(...this.bandNodes, ...stages.flatMap((stage, i) => this.marks(stage, i)));
    this.second.replaceChildren(...episode.step_tasks.map((task) => this.stepTask(task)));
    const marks = walked.length || episode.step_tasks.length ? marksOf(this.doc) : [];
    this.key.hidden = !marks.length;
    this.key.replaceChildren(
      ...marks.map(([kind, words]) => el("span", {}, el("i", { class: `nv-line-${kind}` }), words)),
    );
  }

  /**
   * @param {number} first
   * @param {number} last
   */
  place(first, last) {
    const left = this.line.left(first);
    return { left: `${left}%`, width: `${this.line.left(last + 1) - left}%` };
  }

  /**
   * @param {StageEntry} stage
   * @param {number} i
   */
  band({ first, last, status }, i) {
    if (first === undefined || last === undefined) return el("div", { class: "nv-band", style: { display: "none" } });
    const task = this.doc.episode.tasks[i];
    const name = task?.target ?? task?.description ?? "";
    const style = { ...this.place(first, last), "--nv-stage": `var(--nv-${stageColor(i)})` };
    const on = { click: () => this.line.player.toStage(i) };
    const title = `Part ${i + 1}: ${task?.description ?? ""} · ${status}`;
    return el(
      "div",
      { class: "nv-band", data: { stage: i + 1 }, title, style, on },
      el("span", { text: `${i + 1}  ${name}` }),
    );
  }

  /**
   * @param {StageEntry} stage
   * @param {number} i
   */
  marks({ state, status, stops, last, oracle }, i) {
    /** @type {HTMLElement[]} */
    const marks = [];
    if (oracle !== undefined) {
      const title = `Step ${oracle}: first within reach of target ${i + 1}`;
      marks.push(el("div", { class: "nv-oracle", title, style: { left: `${this.line.middle(oracle)}%` } }));
    }
    if (stops && last !== undefined) {
      const good = state === "reached";
      const look = `nv-flagpole ${good ? "nv-good" : "nv-missed"}`;
      const title = `Step ${last}: stops for target ${i + 1}: ${status}`;
      const data = { flag: good ? "good" : "bad", step: last };
      marks.push(el("div", { class: look, title, data, style: { left: `${this.line.middle(last)}%` } }));
    }
    return marks;
  }

  /** @param {StepTaskEntry} task */
  stepTask({ first, last, instruction, segments }) {
    const parts = segments.map(([from, to, label]) => {
      const span = last + 1 - first;
      const style = { left: `${(100 * (from - first)) / span}%`, width: `${(100 * (to + 1 - from)) / span}%` };
      return el("div", {
        class: "nv-stretch-part",
        data: { part: partOf(label) },
        title: `Steps ${from}–${to}: ${label}`,
        style,
      });
    });
    const title = `Step task, steps ${first}–${last}: ${instruction}`;
    const on = { click: () => this.line.player.jump(first) };
    return el(
      "div",
      { class: "nv-steptask", title, style: this.place(first, last), on },
      parts,
      el("span", { text: instruction }),
    );
  }

  /** @param {number} step */
  show(step) {
    this.doc.stages.forEach(({ first, last }, i) => {
      const now = first !== undefined && last !== undefined && step >= first && step <= last;
      this.bandNodes[i].classList.toggle("nv-now", now);
    });
  }
}
