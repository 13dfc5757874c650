// @ts-check
// Three axes from 1 to 10: digits rate the axis that is marked, and the next one is marked.
import { el, keepFocus } from "../../dom.js";

/** @typedef {import("../types").Command} Command */

/** @type {[string, string, string][]} */
const AXES = [
  ["linguistic", "Linguistic intricacy", "How hard is the text to take apart?"],
  ["topological", "Topological complexity", "How hard is the way itself?"],
  ["operational", "Operational demand", "How much is there to do and keep in mind?"],
];

export class DifficultyForm {
  /** @param {import("../desk.js").Desk} desk @param {HTMLElement} box */
  constructor(desk, box) {
    this.desk = desk;
    this.box = box;
  }

  /** The axis that digits rate. */
  get axis() {
    const { axis } = this.desk.draft;
    return typeof axis === "number" ? axis : 0;
  }

  /** @param {string} name @returns {number | null} */
  level(name) {
    const { value, draft } = this.desk;
    return /** @type {number | null} */ (draft[name] ?? value?.[name] ?? null);
  }

  show() {
    const rows = AXES.map(([name, title, text], i) => {
      const levels = Array.from({ length: 10 }, (_, k) =>
        el("button", {
          type: "button",
          class: "nv-level",
          text: String(k + 1),
          "aria-pressed": this.level(name) === k + 1 ? "true" : "false",
          "aria-label": `${title}: ${k + 1}`,
          on: { mousedown: keepFocus, click: () => this.rate(i, k + 1) },
        }),
      );
      return el(
        "div",
        { class: "nv-question nv-axis", data: { axis: name }, "aria-current": i === this.axis ? "true" : "false" },
        el("p", {}, el("b", { text: title }), ` ${text}`),
        el("div", { class: "nv-levels", role: "group", "aria-label": title }, levels),
      );
    });
    const missing = AXES.filter(([name]) => this.level(name) === null).map(([, title]) => title.toLowerCase());
    const hint = missing.length && missing.length < 3 ? `Still to rate: ${missing.join(", ")}.` : "";
    this.box.replaceChildren(
      ...rows,
      el(
        "p",
        { class: "nv-desk-hint" },
        el(
          "span",
          { class: "nv-by-key" },
          el("kbd", { text: "1" }),
          " to ",
          el("kbd", { text: "9" }),
          ", ",
          el("kbd", { text: "0" }),
          " for 10, rate the marked axis; ",
          el("kbd", { text: "↑" }),
          el("kbd", { text: "↓" }),
          " mark another.",
        ),
        hint && el("b", { text: ` ${hint}` }),
      ),
    );
  }

  /** @returns {Command[]} */
  commands() {
    const digits = Array.from({ length: 10 }, (_, k) => ({
      keys: [String((k + 1) % 10)],
      label: String(k + 1),
      run: () => this.rate(this.axis, k + 1),
    }));
    const turn = (/** @type {number} */ by) => () => this.desk.keep({ axis: (this.axis + by + 3) % 3 });
    return [
      ...digits,
      { keys: ["ArrowUp"], label: "Axis above", run: turn(-1) },
      { keys: ["ArrowDown"], label: "Axis below", run: turn(1) },
    ];
  }

  /** A rating is saved only once all axes have a level. */
  done() {
    return true;
  }

  /** @param {number} axis @param {number} level */
  rate(axis, level) {
    const { desk } = this;
    desk.keep({ [AXES[axis][0]]: level, axis: Math.min(axis + 1, 2) });
    const levels = Object.fromEntries(AXES.map(([name]) => [name, this.level(name)]));
    if (Object.values(levels).every((one) => one !== null)) desk.save({ ...desk.value, ...levels });
    // on a phone the next axis lies below the edge
    this.box.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
  }
}
