// @ts-check
// What if it had taken another link: the strip under the time line, the line that says how the walk would end, the keys.
import { el, keepFocus } from "../dom.js";
import { metres } from "../text/figures.js";
import { ghostsOf, nextDecisive } from "../what-if.js";

/** @typedef {import("../what-if.js").Ghost} Ghost */

/** What the page has to do where the document holds no what-ifs. */
export const ASK = "what-if";
/** Cells narrower than this many percent of the line hold no figure. */
const FIGURE_FROM = 3.4;
/** Legend of how walks end. @type {Record<import("../what-if.js").Outcome, string>} */
const WORDS = {
  mends: "reaches the goal",
  holds: "still reaches the goal",
  nearer: "ends nearer",
  farther: "ends no nearer",
  ruins: "misses the goal",
};

export class WhatIf {
  /**
   * @param {import("../player.js").Player} player
   * @param {HTMLElement} box
   */
  constructor(player, box) {
    this.player = player;
    this.on = false;
    /** Whether the page was asked: then they are shown as soon as they are there. */
    this.asked = false;
    this.strip = el("div", { class: "nv-whatif-strip", role: "group", "aria-label": "Best end of each step" });
    this.line = el("p", { class: "nv-whatif-line", role: "status" });
    this.box = box;
    box.append(this.strip, this.line);
    box.hidden = true;
    /** @type {Map<number, Ghost[]>} */
    this.steps = new Map();
    /** @type {Ghost | null} */
    this.chosen = null;
    this.build();
  }

  get entry() {
    return this.player.doc.what_if;
  }

  /** Whether there is something to show, or a page that can find it. */
  get possible() {
    return Boolean(this.entry) || Boolean(this.player.options.actions?.some(({ name }) => name === ASK));
  }

  /** Digits of metres: a street's width does not count outdoors. */
  get digits() {
    return this.player.doc.frame === "geo" ? 0 : 1;
  }

  /** Take a newer document. */
  build() {
    this.steps = ghostsOf(this.player.doc);
    if (!this.steps.size) this.on = false;
    const { timeline } = this.player;
    const cells = [...this.steps].map(([step, [best]]) => {
      const width = timeline.left(step + 1) - timeline.left(step);
      const figure = best.ne === null ? "" : metres(best.ne, this.digits);
      const unstable = this.steps.get(step)?.some((ghost) => ghost.unstable);
      const on = { mousedown: keepFocus, click: () => this.player.jump(step) };
      return el(
        "button",
        {
          type: "button",
          class: `nv-whatif nv-whatif-${best.outcome}${unstable ? " nv-unstable" : ""}`,
          style: { left: `${timeline.left(step)}%`, width: `${width}%` },
          title: `Step ${step}: ${this.words(best)}${unstable ? "; unstable" : ""}`,
          data: { step },
          on,
        },
        this.entry?.decisive.includes(step) ? el("b", { class: "nv-decisive", text: "◆" }) : null,
        width < FIGURE_FROM ? null : figure,
      );
    });
    const first = timeline.left(1) < 7 ? "" : this.entry?.follows ? "reading on" : "best other link";
    this.strip.replaceChildren(
      el("span", { class: "nv-track-label", style: { width: `${timeline.left(1)}%` }, text: first }),
      ...cells,
    );
    this.box.hidden = !this.on;
  }

  /** @param {boolean} [on] */
  turn(on = !this.on) {
    if (on && !this.entry) {
      this.asked = true;
      this.player.act(ASK);
      return;
    }
    this.asked = false;
    if (on === this.on || (on && !this.steps.size)) return;
    this.on = on;
    this.box.hidden = !on;
    const { player } = this;
    player.root.classList.toggle("nv-with-whatif", on);
    player.map.whatIf?.show(on ? [...this.steps.values()].flat() : [], (ghost) => this.point(ghost));
    const [first] = this.entry?.decisive ?? [];
    if (on && player.step === 0) player.go(first ?? Math.min(...this.steps.keys()));
    this.show(player.step);
    // the strip takes a row of the map
    player.map.resize();
  }

  /** The best end of a step; the walk that is shown is its first one. @param {number} step */
  show(step) {
    if (!this.on) return;
    this.choose(this.steps.get(step)?.[0] ?? null);
  }

  /** @param {Ghost} ghost */
  point(ghost) {
    if (ghost.step !== this.player.step) this.player.jump(ghost.step);
    this.choose(ghost);
  }

  /** @param {number} direction */
  next(direction) {
    const own = this.steps.get(this.player.step) ?? [];
    if (!own.length) return;
    const at = this.chosen ? own.indexOf(this.chosen) : -1;
    this.choose(own[(at + direction + own.length) % own.length]);
  }

  /** Go to the next decisive step. @param {number} direction */
  toDecisive(direction) {
    const step = nextDecisive(this.entry?.decisive ?? [], this.player.step, direction);
    if (step === undefined) return;
    this.player.jump(step);
    this.turn(true);
  }

  /** @param {Ghost | null} ghost */
  choose(ghost) {
    this.chosen = ghost;
    this.player.map.whatIf?.choose(ghost);
    const { entry } = this;
    const own = this.steps.get(this.player.step) ?? [];
    const many = ghost && own.length > 1 ? ` (link ${own.indexOf(ghost) + 1} of ${own.length}, ↑ ↓)` : "";
    const now = ghost ? `${this.words(ghost)}${this.unseen(ghost)}${many}` : "No other link in this step.";
    const said = ghost?.reference && ghost.outcome === "mends" && entry?.decisive.length === 1;
    const left = entry?.left_out ? ` ${entry.left_out} links are not shown.` : "";
    this.line.replaceChildren(
      el("b", { class: ghost ? `nv-whatif-${ghost.outcome}` : "", text: now }),
      el("span", { class: "nv-mute", text: ` ${said ? "" : (entry?.sentence ?? "").replaceAll("`", "")}${left}` }),
    );
  }

  /** Why the map has little or no line of a walk: it ends under its own dot, or elsewhere. @param {Ghost} ghost */
  unseen(ghost) {
    if (ghost.tail.length < 2) return " It stays where it stands.";
    if (ghost.tail.length === 2) return " It stops at the next place.";
    const view = this.player.map.whatIf?.view;
    return !view || view.placeHere(ghost.tail[ghost.tail.length - 1]) ? "" : " It ends on another floor.";
  }

  /** How a walk would end, in words. @param {Ghost} ghost */
  words(ghost) {
    const { entry, digits } = this;
    const whose = ghost.reference ? "the reference's link" : "this link";
    const how = entry?.follows ? `${entry.who}, reading on from here,` : `With ${whose}, ${entry?.who}`;
    const end =
      ghost.ne === null ? "" : `: ${metres(ghost.ne, digits)} from it instead of ${metres(entry?.ne_m, digits)}`;
    const goal = WORDS[ghost.outcome].includes("goal") ? WORDS[ghost.outcome] : `${WORDS[ghost.outcome]} to the goal`;
    const unsure = ghost.unstable ? " Unstable: the link it took ends otherwise, too, so nothing is claimed." : "";
    return `${how} ${goal}${end}.${unsure}`;
  }
}
