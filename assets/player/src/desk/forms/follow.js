// @ts-check
// Follow it: walk the instruction with only what an agent would see. Each choice asks the server what is seen next.
import { el } from "../../dom.js";
import { DeskEyes } from "../eyes.js";
import { keyButton } from "../parts.js";

/** @param {number} count @param {string} one @param {string} many */
const amount = (count, one, many) => `${count} ${count === 1 ? one : many}`;

/** @typedef {import("../types").Command} Command */

export class FollowForm {
  /** @param {import("../desk.js").Desk} desk @param {HTMLElement} box */
  constructor(desk, box) {
    this.desk = desk;
    this.box = box;
    this.eyes = new DeskEyes(desk);
    this.eyes.walks = { may: (node) => this.offered(node) !== null, go: (node) => this.pickNode(node) };
    /** Whether the keys were those of the picture, and are again when the next one is there. */
    this.looks = false;
  }

  get stand() {
    return this.desk.sheet?.stand ?? null;
  }

  show() {
    const { value } = this.desk;
    const { stand } = this;
    const { canvas } = this.eyes.look;
    // the focus goes with the old children
    this.looks ||= canvas.matches(":focus");
    if (value) {
      this.looks = false;
      const words = value.gave_up
        ? "You gave up on this one."
        : "Saved. Your walk is kept as a trace of the navigator “human”.";
      this.box.replaceChildren(
        el("p", { text: words }),
        el("p", {
          class: "nv-desk-hint",
          text: "Whether you arrived is not shown, so that it does not change how you walk the next one. Undo lets you walk again.",
        }),
      );
      return;
    }
    if (!stand) {
      this.box.replaceChildren(el("p", { class: "nv-desk-hint", text: "Looking around …" }));
      return;
    }
    const all = this.commands();
    const places = all.filter(({ keys }) => /^[1-9]$/.test(keys[0]));
    const [turn, back, here, give] = all.slice(places.length);
    const seen = stand.in_sight.length
      ? `In sight: ${stand.in_sight.join("; ")}.`
      : "No place in sight that the text names.";
    // where there are pictures, they say what is there instead of the text
    const pictures = this.eyes.seen();
    this.box.replaceChildren(
      pictures ?? "",
      el("p", { text: "Where to? Click a ringed place on the map, or choose here." }),
      el(
        "div",
        { class: "nv-column" },
        places.map((place) => keyButton(place, { look: "nv-offer" })),
      ),
      el("div", { class: "nv-choices" }, keyButton(turn), keyButton(back, { disabled: !stand.taken.length })),
      el("div", { class: "nv-choices" }, keyButton(here, { look: "nv-wide nv-main-key" }), keyButton(give)),
      pictures ? "" : el("p", { class: "nv-desk-hint", text: seen }),
      el("p", {
        class: "nv-desk-hint",
        text: `${amount(stand.taken.length, "choice", "choices")} so far, ${Math.round(stand.walked_m)} m walked.${stand.note ? ` ${stand.note}` : ""}`,
      }),
    );
    if (this.looks && canvas.isConnected) canvas.focus({ preventScroll: true });
    this.looks = false;
  }

  /** @returns {Command[]} */
  commands() {
    const { stand } = this;
    if (!stand || this.desk.value) return [];
    return [
      ...stand.choices
        .filter(({ listed }) => listed)
        .slice(0, 9)
        .map(({ node, text }, i) => ({
          keys: [String(i + 1)],
          label: text,
          run: () => this.go([...stand.taken, node]),
        })),
      { keys: ["t"], label: "Turn around", run: () => this.go([...stand.taken, stand.here]) },
      { keys: ["b"], label: "One step back", run: () => this.go(stand.taken.slice(0, -1)) },
      { keys: ["h"], label: "Here: I have arrived", run: () => this.desk.endWalk(stand.taken, false) },
      { keys: ["v"], label: "Give up", run: () => this.desk.endWalk(stand.taken, true) },
    ];
  }

  /** @param {string[]} taken */
  go(taken) {
    this.desk.walkOn(taken);
  }

  /** The id of a node that one can walk to from here; null for any other. @param {number} node */
  offered(node) {
    const id = this.desk.sheet?.document?.nodes.ids[node];
    return id !== undefined && this.stand?.choices.some((choice) => choice.node === id) ? id : null;
  }

  /** A node of the map was clicked, or a disc of the picture. @param {number} node */
  pickNode(node) {
    const id = this.offered(node);
    if (this.stand && id !== null) this.go([...this.stand.taken, id]);
  }
}
