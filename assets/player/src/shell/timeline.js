// @ts-check
// The time line: sub-goal segments, marks, the distance to the goal, and a cursor to drag.
import { el, svg } from "../dom.js";
import { skillColour, skillLegs } from "../maps/skill-legs.js";
import { gutter } from "./breakpoints.js";
import { segmentsOf } from "./segments.js";
import { StageRows } from "./stages.js";

/** Steps beyond which the cells of single steps are not drawn. */
const MOST_CELLS = 250;

export class Timeline {
  /**
   * @param {import("../player.js").Player} player
   * @param {HTMLElement} box
   */
  constructor(player, box) {
    this.player = player;
    this.dragging = false;
    this.track = el("div", {
      class: "nv-track",
      role: "slider",
      tabindex: 0,
      "aria-label": "Step",
      "aria-valuemin": 0,
    });
    this.track.addEventListener("pointerdown", (event) => this.grab(event));
    this.track.addEventListener("pointermove", (event) => {
      if (event.buttons === 1 && this.dragging) this.seek(event);
    });
    this.track.addEventListener("pointerup", () => {
      this.dragging = false;
    });
    box.append(this.track);
    this.rows = new StageRows(this, this.track);
    this.cursor = el("div", { class: "nv-cursor" });
    /** @type {HTMLElement | undefined} */
    this.gutter = undefined;
    this.count = 0;
    /** @type {import("./segments.js").Segment[]} */
    this.segments = [];
    /** @type {HTMLElement[]} */
    this.segmentNodes = [];
    this.build();
  }

  get doc() {
    return this.player.doc;
  }

  build() {
    this.count = this.doc.steps.length;
    this.segments = segmentsOf(this.doc.steps);
    this.segmentNodes = this.segments.map((segment, i) => this.segment(segment, i));
    this.track.replaceChildren(
      this.distances(),
      this.label(),
      ...this.segmentNodes,
      ...this.skills(),
      ...this.cells(),
      ...this.marks(),
      this.cursor,
    );
    this.gutter?.remove();
    if (this.player.breaks) {
      this.gutter = gutter(this.player, (step) => this.left(step));
      this.track.after(this.gutter);
    }
    this.rows.build();
    this.track.setAttribute("aria-valuemax", String(this.count));
  }

  /** Left edge of a step's cell, in percent; step 0 is the start. @param {number} step */
  left(step) {
    return (100 * step) / (this.count + 1);
  }

  /** @param {number} step */
  middle(step) {
    return (100 * (step + 0.5)) / (this.count + 1);
  }

  label() {
    const hasDistances = this.doc.steps.some((step) => step.to_goal_m !== undefined || step.to_target_m !== undefined);
    const what = this.doc.stages.length ? "distance to target" : "distance to goal";
    const text = this.left(1) < 7 ? "" : hasDistances ? what : "start";
    return el("div", { class: "nv-track-label", style: { width: `${this.left(1)}%` }, text });
  }

  /**
   * @param {import("./segments.js").Segment} segment
   * @param {number} i
   */
  segment({ goal, from, to }, i) {
    const plan = this.doc.steps[from - 1].plan ?? this.doc.planning.sub_goals;
    const row = goal === null ? undefined : plan[goal];
    const text = goal === null ? "" : `${goal + 1}  ${row ? (this.player.strings[row[0]] ?? "").slice(0, 300) : ""}`;
    const look = `nv-segment${i % 2 ? " nv-odd" : ""}${goal === null ? " nv-unplanned" : ""}`;
    const style = { left: `${this.left(from)}%`, width: `${this.left(to + 1) - this.left(from)}%` };
    return el("div", { class: look, title: text, style }, el("span", { text }));
  }

  cells() {
    if (this.count > MOST_CELLS) return [];
    return Array.from({ length: this.count + 1 }, (_, k) =>
      el("div", { class: "nv-tick", style: { left: `${this.left(k)}%` } }),
    );
  }

  /** One block a step in the colour of the skill that acted. */
  skills() {
    const { doc } = this;
    return skillLegs(doc.steps, 0, this.count).flatMap(({ skill, back, from, to }) => {
      const colour = skillColour(doc, skill);
      if (skill === undefined || !colour) return [];
      const steps = to - from > 1 ? `Steps ${from + 1} to ${to}` : `Step ${to}`;
      const style = {
        left: `${this.left(from + 1)}%`,
        width: `${this.left(to + 1) - this.left(from + 1)}%`,
        "background-color": colour,
      };
      const title = `${steps}: ${doc.skills?.[skill]?.name}${back ? ", back to the best stop" : ""}`;
      return [el("div", { class: "nv-track-skill", title, style, data: { skill } })];
    });
  }

  marks() {
    const { doc } = this;
    /** @type {HTMLElement[]} */
    const marks = [];
    const add = (/** @type {number} */ step, /** @type {string} */ kind, /** @type {string} */ title) => {
      const data = { mark: kind, step };
      marks.push(
        el("div", {
          class: `nv-mark nv-mark-${kind}`,
          title: `Step ${step}: ${title}`,
          data,
          style: { left: `${this.middle(step)}%` },
        }),
      );
    };
    doc.steps.forEach((step, i) => {
      if (step.decision && !step.decision.legal) add(i + 1, "illegal", "illegal decision");
      else if (step.retries) add(i + 1, "retry", "retried");
      if (step.edits) add(i + 1, "edited", `edited ${step.edits.map(({ what }) => what).join(", ")}`);
    });
    const d = doc.divergence;
    if (d?.step) add(d.step, "divergence", d.sentence ?? "leaves the reference path");
    if (d?.returned_step) add(d.returned_step, "returned", "back on the reference path");
    const differs = doc.compare?.first_difference;
    if (differs && differs <= this.count) add(differs, "difference", "first difference to the run compared");
    if (doc.forked_from?.step) add(Math.min(doc.forked_from.step, this.count), "fork", "forked here");
    if (doc.end && this.count) add(this.count, "stop", `the end (${doc.end.status})`);
    return marks;
  }

  distances() {
    const { stages } = this.doc;
    const values = this.doc.steps.map((step) => (stages.length ? step.to_target_m : step.to_goal_m));
    const drawing = svg("svg", {
      class: "nv-distances",
      viewBox: "0 0 100 100",
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    });
    const present = values.filter((value) => value !== undefined);
    if (present.length < 2) return drawing;
    const radius = this.doc.episode.success_radius_m;
    const most = Math.max(...present, radius * 2);
    const y = (/** @type {number} */ value) => 96 - (88 * value) / most;
    const point = (/** @type {number | undefined} */ value, /** @type {number} */ i) =>
      value === undefined ? [] : [[this.middle(i + 1), y(value)]];
    // each sub-task has a curve of its own, since the next one's target lies elsewhere
    const spans = stages.length ? stages.map(({ first, last }) => [first ?? 1, last ?? 0]) : [[1, values.length]];
    for (const [first, last] of spans) {
      const points = values.slice(first - 1, last).flatMap((value, i) => point(value, first - 1 + i));
      if (points.length < 2) continue;
      const line = points.map((p) => p.join(",")).join(" ");
      drawing.append(
        svg("polygon", { points: `${points[0][0]},100 ${line} ${points[points.length - 1][0]},100` }),
        svg("polyline", { points: line, "vector-effect": "non-scaling-stroke" }),
      );
    }
    drawing.append(
      svg("line", { x1: 0, x2: 100, y1: y(radius), y2: y(radius), "vector-effect": "non-scaling-stroke" }),
    );
    return drawing;
  }

  /** @param {number} step */
  show(step) {
    this.cursor.style.setProperty("left", `${this.middle(step)}%`);
    this.rows.show(step);
    this.track.setAttribute("aria-valuenow", String(step));
    this.segments.forEach(({ from, to }, i) => {
      this.segmentNodes[i].classList.toggle("nv-now", step >= from && step <= to);
    });
  }

  /** @param {PointerEvent} event */
  grab(event) {
    if (event.button !== 0) return;
    this.dragging = true;
    this.track.setPointerCapture(event.pointerId);
    event.preventDefault();
    this.seek(event);
  }

  /** @param {PointerEvent} event */
  seek(event) {
    const box = this.track.getBoundingClientRect();
    const part = (event.clientX - box.left) / box.width;
    this.player.pause();
    this.player.go(Math.floor(part * (this.player.count + 1)));
  }
}
