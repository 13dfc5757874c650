// @ts-check
// Is this the cause? The sentence with its quotes, and one key for each of four answers. Which detector said it stays on
// the server.
import { el, keepFocus } from "../../dom.js";
import { quoteLine } from "../../shell/why.js";
import { keyButton, question } from "../parts.js";

/** @typedef {import("../types").Command} Command */
/** @typedef {import("../../document").QuoteEntry} QuoteEntry */

/** @type {[string, string, string][]} */
const ANSWERS = [
  ["y", "Yes", "yes"],
  ["p", "Partly", "partly"],
  ["n", "No", "no"],
  ["t", "Cannot tell", "cannot tell"],
];

export class CauseForm {
  /** @param {import("../desk.js").Desk} desk @param {HTMLElement} box */
  constructor(desk, box) {
    this.desk = desk;
    this.box = box;
  }

  show() {
    const { claim } = this.desk.sheet ?? {};
    const { value } = this.desk;
    const buttons = this.commands()
      .slice(0, ANSWERS.length)
      .map((command, i) => keyButton(command, { chosen: value?.answer === ANSWERS[i][2] }));
    this.box.replaceChildren(claim ? this.said(claim) : "", question("Is this the cause?", buttons, "nv-scale"));
  }

  /** @param {{sentence: string, step: number}} claim */
  said(claim) {
    const go = { mousedown: keepFocus, click: () => this.toStep() };
    return el(
      "div",
      { class: "nv-claim" },
      el(
        "button",
        { type: "button", class: "nv-claim-sentence", title: "Go to its step (r)", on: go },
        // most sentences name their step themselves
        /\bstep \d/i.test(claim.sentence) ? "" : el("span", { class: "nv-mute", text: `Step ${claim.step}: ` }),
        claim.sentence,
      ),
      el(
        "ul",
        { class: "nv-quotes", "aria-label": "Quotes" },
        this.quotes.map((quote) => quoteLine(quote, () => this.desk.itemView.player?.why.show(quote))),
      ),
    );
  }

  /** @returns {QuoteEntry[]} */
  get quotes() {
    return this.desk.sheet?.document?.causes?.all[0]?.quotes ?? [];
  }

  /** @returns {Command[]} */
  commands() {
    const answers = ANSWERS.map(([key, label, answer]) => ({
      keys: [key],
      label,
      run: () => this.desk.save({ ...this.desk.value, answer }),
    }));
    return [...answers, { keys: ["r"], label: "To its step", run: () => this.toStep() }];
  }

  toStep() {
    this.desk.itemView.player?.toCause();
  }

  /** One key is a whole rating. */
  done() {
    return true;
  }
}
