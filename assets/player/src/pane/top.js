// @ts-check
// Instruction, plan and decision; the decision stands with the thoughts that led to it.
import { el } from "../dom.js";
import { skillColour, skillFor } from "../maps/skill-legs.js";
import { capital, counted, metres } from "../text/figures.js";
import { keepInView, linked, mark } from "../text/linked.js";
import { moveWords } from "../text/turn-words.js";
import { taskTree } from "./tasks.js";

/** @typedef {import("../document").StepEntry} StepEntry */
/** @typedef {number | string} NodeRef */

/** Class and words of a sub-goal's status. @type {Record<string, [string, string]>} */
const STATUS = {
  TODO: ["todo", "to do"],
  IN_PROGRESS: ["doing", "in progress"],
  COMPLETED: ["done", "completed"],
  SKIPPED: ["skipped", "skipped"],
};

export class Top {
  /** @param {import("../player.js").Player} player */
  constructor(player) {
    this.player = player;
  }

  /**
   * @param {StepEntry | null} step
   * @returns {HTMLElement[]}
   */
  sections(step) {
    const tree = this.player.doc.stages.length ? taskTree(this.player, this.player.step) : null;
    const parts = [this.instruction(), tree, this.plan(step)];
    return parts.filter((part) => part !== null);
  }

  instruction() {
    const { doc, linker } = this.player;
    const text = doc.episode.instruction || "This episode has no instruction.";
    return el(
      "section",
      { class: "nv-instruction" },
      el("h3", { text: "Instruction" }),
      // written from the right where its letters are; the browser picks glyphs by the language
      el("p", { dir: "auto", lang: doc.episode.language }, linked(linker, text)),
    );
  }

  /** @param {StepEntry | null} step */
  plan(step) {
    const { doc, atEnd } = this.player;
    // A log without a plan for each step may still tell, at its end, which sub-goal was reached and which was given up.
    const last = atEnd && !doc.running ? doc.end?.plan : undefined;
    const plan = step?.plan ?? (last?.length ? last : doc.planning.sub_goals);
    if (!plan.length && (doc.stages.length || !doc.episode.tasks.length)) return null;
    const current = step?.sub_goal;
    const items = plan.length
      ? plan.map(([what, status, tries], i) => this.subGoal(i, this.player.text(what), status, tries, current))
      : doc.episode.tasks.map((task, i) => this.subGoal(i, task.description, "TODO", null, current));
    const list = el("ol", { class: "nv-plan" }, items);
    if (current !== undefined) queueMicrotask(() => keepInView(list, items[current]));
    return el("section", { class: "nv-plan-box" }, el("h3", { text: plan.length ? "Plan" : "Tasks" }), list);
  }

  /**
   * @param {number} i
   * @param {string} text
   * @param {string} status
   * @param {number | null} tries
   * @param {number | undefined} current
   */
  subGoal(i, text, status, tries, current) {
    const [name, said] = STATUS[status] ?? STATUS.TODO;
    const look = `nv-${name}${i === current ? " nv-current" : ""}`;
    const on = { click: () => this.player.toSubGoal(i) };
    const { doc } = this.player;
    const tint = skillColour(doc, skillFor(doc.steps, i));
    const skill = doc.skills?.[skillFor(doc.steps, i) ?? -1]?.name;
    return el(
      "li",
      { class: look, title: `Sub-goal ${i + 1}, ${said}: ${text}`, on },
      el("span", { class: "nv-state", "aria-label": said, role: "img" }),
      tint ? el("i", { class: "nv-swatch", title: skill ?? "", style: { "background-color": tint } }) : null,
      el("span", { class: "nv-what" }, linked(this.player.linker, text)),
      tries ? el("span", { class: "nv-try", title: `try ${tries} of this sub-goal`, text: `try ${tries}` }) : null,
    );
  }

  hint() {
    const { doc } = this.player;
    let words = "This run has no steps.";
    if (doc.steps.length) words = "Before the first step. Press → or space.";
    else if (doc.running) words = "The run is starting.";
    return el("section", { class: "nv-decision nv-mute" }, el("p", { text: words }));
  }

  /** @param {StepEntry} step */
  decision(step) {
    const made = step.decision;
    const leaves = this.player.doc.divergence?.step === this.player.step;
    const flags = [
      made && !made.legal ? el("span", { class: "nv-flag nv-bad", text: "illegal" }) : null,
      step.retries ? el("span", { class: "nv-flag nv-warn", text: counted(step.retries, "retry", "retries") }) : null,
      made?.stop ? el("span", { class: "nv-flag", text: "stops" }) : null,
      leaves ? el("span", { class: "nv-flag nv-warn", text: "leaves the route" }) : null,
      ...(step.edits ?? []).map(({ what, old, new: now }) =>
        el("span", { class: "nv-flag nv-warn", title: `${old}\n→\n${now}`, text: `edited ${what}` }),
      ),
    ];
    return el(
      "section",
      { class: "nv-decision" },
      el("h3", {}, "Decision", flags),
      el("p", { class: "nv-where" }, this.move(step)),
      made?.reason ? el("p", { class: "nv-reason" }, linked(this.player.linker, made.reason)) : null,
    );
  }

  /**
   * @param {StepEntry} step
   * @returns {import("../dom.js").Child[]}
   */
  move(step) {
    const { doc, atEnd } = this.player;
    const made = step.decision;
    const words = step.path.length > 1 ? moveWords(doc, doc.steps.indexOf(step)) : null;
    const target = step.path.length > 1 ? step.path.at(-1) : made?.target;
    const verdict = made?.sub_goal_status ? this.verdict(made.sub_goal_status) : null;
    if (words) {
      const links = step.path.length - 1;
      const route = words.route ? `; the route ${words.route}` : "";
      return [
        placeWords(doc, target, capital(words.did)),
        `${route}.`,
        el("span", {
          class: "nv-hops nv-mute",
          text: `${counted(links, "link", "links")}, ${metres(words.metres, 0)}`,
        }),
        verdict,
      ];
    }
    if (made?.target_id && target === step.node) return [placeWords(doc, target, "Stayed"), ".", verdict];
    if (made?.target_id) return ["Chose ", this.player.nodeMark(target, made.target_id), verdict];
    if (made) return [el("span", { class: "nv-mute", text: madeWords(made) }), verdict];
    if (step.path.length) return ["Walked to ", this.player.nodeMark(target)];
    return [doc.running && atEnd ? "Deciding at " : "At ", this.player.nodeMark(step.node)];
  }

  /** @param {string} status */
  verdict(status) {
    const [name, said] = STATUS[status] ?? ["todo", status];
    return el("span", { class: `nv-verdict nv-${name}`, text: said });
  }
}

/**
 * Words that stand for a place, whose id shows on hover.
 * @param {import("../document").ReplayDocument} doc
 * @param {NodeRef | undefined} node
 * @param {string} text
 */
function placeWords(doc, node, text) {
  const [id, ref] = typeof node === "number" ? [doc.nodes.ids[node], { ref: `n:${node}` }] : [node ?? "", {}];
  return el("span", { class: "nv-ref", title: id, text, data: ref, tabindex: -1 });
}

/** What was decided where no place was named. @param {import("../document").DecisionEntry} made */
function madeWords({ action, stop }) {
  if (action) return action.replaceAll("_", " ") + (stop && action !== "stop" ? ", stop" : "");
  return stop ? "stop" : "no place named";
}

/**
 * A node as an element: marked where the graph has it.
 * @param {import("../document").ReplayDocument} doc
 * @param {NodeRef | undefined} node
 * @param {string} [id]
 */
export function nodeMark(doc, node, id) {
  if (node === undefined) return el("span", { class: "nv-mute", text: "an unknown place (hole in the log)" });
  if (typeof node === "number") return mark(id ?? doc.nodes.ids[node], `n:${node}`);
  return el("span", { class: "nv-foreign", title: "This id is not in the graph.", text: id ?? node });
}
