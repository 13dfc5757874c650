// @ts-check
// Which skill each routed step asks for: a digit judges the marked step, and the next one is marked.
import { el, keepFocus } from "../../dom.js";

/** @typedef {import("../types").Command} Command */
/** @typedef {{step: number, named: string | null, skill: string}} Judged */

export class SkillForm {
  /** @param {import("../desk.js").Desk} desk @param {HTMLElement} box */
  constructor(desk, box) {
    this.desk = desk;
    this.box = box;
  }

  get steps() {
    return this.desk.sheet?.steps ?? [];
  }

  /** The step that digits judge. */
  get row() {
    const { row } = this.desk.draft;
    if (typeof row === "number") return Math.min(row, Math.max(0, this.steps.length - 1));
    return Math.max(
      0,
      this.steps.findIndex(({ index }) => !this.judged(index)),
    );
  }

  /** @returns {Judged[]} */
  get labels() {
    return /** @type {Judged[]} */ (this.desk.value?.labels ?? []);
  }

  /** @param {number} step */
  judged(step) {
    return this.labels.find((label) => label.step === step)?.skill;
  }

  show() {
    if (!this.steps.length) {
      const hint = this.desk.sheet ? "No step of this trace has a sub-instruction; skip it." : "";
      this.box.replaceChildren(el("p", { class: "nv-desk-hint", text: hint }));
      return;
    }
    const { skills } = this.desk.data;
    const rows = this.steps.map((step, i) => this.line(step, i));
    this.box.replaceChildren(
      el("p", { text: "Which skill does each sub-instruction ask for? The router's choice is marked." }),
      el(
        "p",
        { class: "nv-desk-hint nv-by-key" },
        ...skills.map((skill, i) =>
          el("span", { class: "nv-key-word" }, el("kbd", { text: String(i + 1) }), ` ${skill}`),
        ),
        el("span", { class: "nv-key-word" }, el("kbd", { text: "0" }), " not judged"),
        el("span", { class: "nv-key-word" }, el("kbd", { text: "↑" }), el("kbd", { text: "↓" }), " another step"),
      ),
      ...rows,
    );
    this.box.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {import("../types").RoutedStep} step @param {number} i */
  line(step, i) {
    const judged = this.judged(step.index);
    const choices = this.desk.data.skills.map((skill) =>
      el("button", {
        type: "button",
        class: `nv-level ${skill === step.named ? "nv-named" : ""}`,
        text: skill,
        title: skill === step.named ? "The router's choice" : undefined,
        "aria-pressed": skill === judged ? "true" : "false",
        on: { mousedown: keepFocus, click: () => this.judge(i, skill) },
      }),
    );
    return el(
      "div",
      { class: "nv-question", "aria-current": i === this.row ? "true" : "false", data: { row: step.index } },
      el("p", { text: `${step.index}. ${step.text}` }),
      el("div", { class: "nv-levels nv-skills" }, choices),
    );
  }

  /** @returns {Command[]} */
  commands() {
    const turn = (/** @type {number} */ by) => () => this.to(this.row + by);
    return [
      ...this.desk.data.skills.map((skill, i) => ({
        keys: [String(i + 1)],
        label: skill,
        run: () => this.judge(this.row, skill),
      })),
      { keys: ["0"], label: "Not judged", run: () => this.judge(this.row, null) },
      { keys: ["ArrowUp"], label: "Step above", run: turn(-1) },
      { keys: ["ArrowDown"], label: "Step below", run: turn(1) },
    ];
  }

  /** @param {number} row */
  to(row) {
    const next = Math.max(0, Math.min(this.steps.length - 1, row));
    this.desk.keep({ row: next });
    this.desk.itemView.replay.playTo(this.steps[next]?.index ?? 0);
  }

  /** @param {number} row @param {string | null} skill */
  judge(row, skill) {
    const step = this.steps[row];
    if (!step) return;
    const others = this.labels.filter((label) => label.step !== step.index);
    const mine = skill === null ? [] : [{ step: step.index, named: step.named, skill }];
    this.desk.save({ ...this.desk.value, labels: [...others, ...mine].sort((a, b) => a.step - b.step) });
    this.to(row + (skill === null ? 0 : 1));
  }
}
