// @ts-check
// Would the instruction alone lead to the goal? Yes or no, and how sure.
import { keyButton, question } from "../parts.js";

/** @typedef {import("../types").Command} Command */

const SURE = ["Guess", "Unsure", "Fair", "Sure", "Certain"];

export class NavigabilityForm {
  /** @param {import("../desk.js").Desk} desk @param {HTMLElement} box */
  constructor(desk, box) {
    this.desk = desk;
    this.box = box;
  }

  show() {
    const { value, draft } = this.desk;
    const sure = value?.confidence ?? draft.confidence;
    const [yes, no, ...levels] = this.commands();
    this.box.replaceChildren(
      question(
        "Would the instruction alone lead you along this route to the goal?",
        [keyButton(yes, { chosen: value?.navigable === true }), keyButton(no, { chosen: value?.navigable === false })],
        "nv-scale",
      ),
      question(
        "How sure are you?",
        levels.map((level, i) => keyButton(level, { chosen: sure === i + 1 })),
        "nv-scale",
      ),
    );
  }

  /** @returns {Command[]} */
  commands() {
    return [
      { keys: ["y"], label: "Yes", run: () => this.answer(true) },
      { keys: ["n"], label: "No", run: () => this.answer(false) },
      ...SURE.map((label, i) => ({ keys: [String(i + 1)], label, run: () => this.sure(i + 1) })),
    ];
  }

  /** One key is a whole rating. */
  done() {
    return true;
  }

  /** @param {boolean} navigable */
  answer(navigable) {
    const { desk } = this;
    desk.save({ confidence: desk.draft.confidence ?? null, ...desk.value, navigable });
  }

  /** @param {number} confidence */
  sure(confidence) {
    const { desk } = this;
    if (desk.value) desk.save({ ...desk.value, confidence });
    else desk.keep({ confidence });
  }
}
