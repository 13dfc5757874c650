// @ts-check
// Failure labels beside the replay: the label finder opens on one key and adds at the step that is shown.
import { el, keepFocus } from "../../dom.js";
import { keyButton } from "../parts.js";

/** @typedef {import("../types").Command} Command */
/** @typedef {import("../types").Label} Label */
/** @typedef {{code: string, step: number | null, note: string, suggested: boolean}} Given */

/** Labels shown in the finder. */
const SHOWN = 8;

export class FailureForm {
  /** @param {import("../desk.js").Desk} desk @param {HTMLElement} box */
  constructor(desk, box) {
    this.desk = desk;
    this.box = box;
    this.chosen = 0;
    this.field = el("input", {
      type: "text",
      class: "nv-field",
      placeholder: "Code or words, then ↵",
      "aria-label": "Find a label",
      autocomplete: "off",
      on: { input: () => this.turn(0), keydown: (event) => this.onKey(event) },
    });
    this.list = el("div", { class: "nv-finder-list", role: "listbox", "aria-label": "Labels" });
    this.help = el("p", { class: "nv-desk-hint" });
    this.finder = el("div", { class: "nv-finder", hidden: true }, this.field, this.list, this.help);
  }

  /** @returns {Given[]} */
  get given() {
    return /** @type {Given[]} */ (this.desk.value?.labels ?? []);
  }

  /** The step that a label is for; null for the whole episode. */
  get step() {
    return this.desk.draft.whole ? null : this.desk.itemView.replay.step || null;
  }

  show() {
    const [add, whole, none, last, take] = this.commands();
    const { value, draft } = this.desk;
    const where = this.step ? `at step ${this.step}` : "for the whole episode";
    this.box.replaceChildren(
      el("p", { text: "What went wrong, and where?" }),
      el(
        "div",
        { class: "nv-scale nv-acts" },
        keyButton({ ...add, label: `Label ${where}` }),
        keyButton(whole, { chosen: Boolean(draft.whole), title: "Not for the step that is shown" }),
        keyButton(none, { chosen: value !== null && !this.given.length, disabled: this.given.length > 0 }),
      ),
      this.finder,
      ...this.offers().map((offer, i) => this.suggestion(offer, i === 0 ? take : { ...take, keys: [] })),
      ...this.given.map((label, i) => this.line(label, i)),
      this.given.length ? keyButton(last) : "",
    );
  }

  /** Suggestions that were not taken. */
  offers() {
    const taken = new Set(this.given.map(({ code }) => code));
    return (this.desk.sheet?.suggestions ?? []).filter(({ code }) => !taken.has(code));
  }

  /** @param {import("../types").Suggestion} offer @param {Command} command */
  suggestion(offer, command) {
    const { code, title, step } = offer;
    const run = () => this.give({ code, step, note: "", suggested: true });
    return el(
      "div",
      { class: "nv-card" },
      el("p", { class: "nv-mute", text: offer.caption }),
      el("p", { text: `${code} ${title}. ${offer.sentence}` }),
      keyButton({ ...command, run, label: "Take it over" }),
    );
  }

  /** @param {Given} label @param {number} i */
  line(label, i) {
    const title = this.desk.data.labels.find(({ code }) => code === label.code)?.titles.at(-1) ?? "";
    const where = label.step ? `step ${label.step}` : "whole episode";
    const note = el("input", {
      type: "text",
      class: "nv-field",
      value: label.note,
      placeholder: "Note",
      "aria-label": `Note for ${label.code}`,
      on: { change: () => this.note(i, note.value), keydown: leaveOnEnter },
    });
    return el(
      "div",
      { class: "nv-card nv-given", data: { code: label.code } },
      el("p", { text: `${label.code} ${title} (${where}${label.suggested ? ", from a suggestion" : ""})` }),
      el(
        "div",
        { class: "nv-choices" },
        note,
        el("button", {
          type: "button",
          class: "nv-small",
          text: "Remove",
          on: { mousedown: keepFocus, click: () => this.drop(i) },
        }),
      ),
    );
  }

  /** @returns {Command[]} */
  commands() {
    return [
      { keys: ["a"], label: "Label", run: () => this.open() },
      { keys: ["w"], label: "Whole episode", run: () => this.desk.keep({ whole: !this.desk.draft.whole }) },
      { keys: ["n"], label: "Nothing failed", run: () => this.given.length || this.put([]) },
      { keys: ["x"], label: "Remove the last", run: () => this.given.length && this.drop(this.given.length - 1) },
      {
        keys: ["t"],
        label: "Take it over",
        run: () => {
          const [offer] = this.offers();
          if (offer) this.give({ code: offer.code, step: offer.step, note: "", suggested: true });
        },
      },
    ];
  }

  open() {
    this.finder.hidden = false;
    this.field.value = "";
    this.turn(0);
    this.field.focus();
  }

  close() {
    this.finder.hidden = true;
    this.field.blur();
  }

  /** Labels that hold all words that were typed; those whose code begins so come first. @returns {Label[]} */
  matches() {
    const typed = this.field.value.trim().toLowerCase();
    const words = typed.split(/\s+/);
    const hits = this.desk.data.labels.filter(({ code, titles, help }) => {
      const text = `${code} ${titles.join(" ")} ${help}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return hits.sort((a, b) => rank(a, typed) - rank(b, typed)).slice(0, SHOWN);
  }

  /** @param {number} chosen */
  turn(chosen) {
    const labels = this.matches();
    this.chosen = labels.length ? (chosen + labels.length) % labels.length : 0;
    this.list.replaceChildren(
      ...labels.map((label, i) =>
        el("div", {
          role: "option",
          class: "nv-option",
          text: `${label.code}  ${label.titles.slice(-2).join(" › ")}`,
          title: label.titles.join(" › "),
          "aria-selected": i === this.chosen ? "true" : "false",
          on: { mousedown: keepFocus, click: () => this.take(label) },
        }),
      ),
    );
    this.help.textContent = labels.length ? labels[this.chosen].help : "No label holds these words.";
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowDown: () => this.turn(this.chosen + 1),
      ArrowUp: () => this.turn(this.chosen - 1),
      Escape: () => this.close(),
      Enter: () => {
        const label = this.matches()[this.chosen];
        if (label) this.take(label);
      },
    };
    const run = keys[event.key];
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  }

  /** @param {Label} label */
  take(label) {
    this.close();
    this.give({ code: label.code, step: this.step, note: "", suggested: false });
  }

  /** @param {Given} label */
  give(label) {
    const there = this.given.some(({ code, step }) => code === label.code && step === label.step);
    if (!there) this.put([...this.given, label]);
  }

  /** @param {number} i */
  drop(i) {
    this.put(this.given.filter((_, k) => k !== i));
  }

  /** @param {number} i @param {string} note */
  note(i, note) {
    this.put(this.given.map((label, k) => (k === i ? { ...label, note } : label)));
  }

  /** "Nothing failed" is a whole rating; more labels may follow a label. @param {import("../types").Value} value */
  done(value) {
    return Array.isArray(value.labels) && value.labels.length === 0;
  }

  /** @param {Given[]} labels */
  put(labels) {
    const { desk } = this;
    const { name, version } = desk.data.taxonomy ?? { name: "", version: 1 };
    desk.save({ taxonomy: name, taxonomy_version: version, ...desk.value, labels });
  }
}

/** @param {Label} label @param {string} typed */
const rank = ({ code }, typed) => (code.toLowerCase() === typed ? 0 : code.toLowerCase().startsWith(typed) ? 1 : 2);

/** @param {KeyboardEvent} event */
function leaveOnEnter(event) {
  if (event.key === "Enter" && event.target instanceof HTMLElement) event.target.blur();
}
