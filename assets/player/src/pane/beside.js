// @ts-check
// Two walks side by side: what each thought, answered and did where both are as far along the way.
import { el, keepFocus } from "../dom.js";
import { nodePlace } from "../nodes.js";
import { NEAR_RADIUS_M, successOf } from "../shell/head.js";
import { capital, metres } from "../text/figures.js";
import { linked } from "../text/linked.js";
import { markdown } from "../text/markdown.js";
import { moveWords } from "../text/turn-words.js";
import { wordChanges } from "../text/words.js";

/** @typedef {import("../document").StepEntry} StepEntry */
/** @typedef {{words?: string, goal?: number, thoughts?: number, reply?: number, reason?: string}} Said */
/** @typedef {{label: string, tint: string, metrics: Record<string, number | null>, step: number, steps: number, said: Said | null}} Column */

const DIFFERS = "nv-differs";
/** Texts that share less than this of their letters differ throughout: then only sides and counts are marked. */
const ALIKE = 0.35;
const TELLING = /\b(?:left|right|straight|ahead|back|stop|first|second|third|fourth|north|south|east|west)\b/gi;

export class Beside {
  /** @param {import("../player.js").Player} player */
  constructor(player) {
    this.player = player;
    /** @type {HTMLElement[]} */
    this.thoughts = [];
  }

  /** Show from near where the walks part, if that is the first step that is shown. */
  start() {
    const { doc, map, step } = this.player;
    if (step !== doc.compare?.parting) return;
    const nodes = (doc.compare.apart ?? []).map(([node]) => node);
    const [at, ...others] = nodes.flatMap((node) => (typeof node === "number" ? [nodePlace(doc, node).at[0]] : []));
    if (at) map.closeUp(at, others);
  }

  /** @param {StepEntry | null} step @returns {HTMLElement} */
  section(step) {
    const boxes = this.columns(step).map((column, number) => this.column(column, number));
    this.thoughts = boxes.flatMap((box) => [
      .../** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll(".nv-mind")),
    ]);
    // the words that differ are looked for when the step is painted
    setTimeout(() => this.mark());
    return el("section", { class: "nv-beside" }, boxes);
  }

  /** @param {StepEntry | null} step @returns {Column[]} */
  columns(step) {
    const { doc, colors } = this.player;
    const other = /** @type {import("../document").Compared} */ (doc.compare);
    const call = step?.calls.at(-1);
    const goal = step?.sub_goal === undefined ? undefined : step.plan?.[step.sub_goal]?.[0];
    const own = {
      words: decision(doc, this.player.step - 1),
      goal,
      thoughts: call?.thoughts,
      reply: call?.reply,
      reason: step?.decision?.reason,
    };
    // 0 is before the first step
    const at = this.player.step === 0 ? 0 : (other.partners?.[this.player.step - 1] ?? this.player.step);
    const theirs = other.steps[at - 1]?.texts;
    return [
      {
        label: doc.label ?? doc.navigator,
        tint: colors.get("agent"),
        metrics: doc.metrics,
        step: this.player.step,
        steps: doc.steps.length,
        said: step ? own : null,
      },
      {
        label: other.label,
        tint: colors.get("other"),
        metrics: other.metrics,
        step: at,
        steps: other.steps.length,
        said: theirs
          ? { ...theirs, goal: theirs.sub_goal, words: decision({ ...doc, steps: other.steps }, at - 1) }
          : null,
      },
    ];
  }

  /** @param {Column} column @param {number} number */
  column({ label, tint, metrics, step, steps, said }, number) {
    const { player } = this;
    const replay = { mousedown: keepFocus, click: () => player.options.onAction?.("replay", step, undefined, number) };
    const part = (/** @type {string} */ title, /** @type {Node[]} */ ...body) => [el("h3", { text: title }), ...body];
    const parts = [];
    if (said?.words || said?.reason) {
      const words = said.words ? el("p", { class: "nv-turns", text: said.words }) : null;
      const reason = said.reason ? el("p", { class: "nv-reason" }, linked(player.linker, said.reason)) : null;
      parts.push(...part("Decision", .../** @type {HTMLElement[]} */ ([words, reason].filter(Boolean))));
    }
    if (said?.thoughts !== undefined) {
      parts.push(
        ...part("Thoughts", el("div", { class: "nv-mind" }, markdown(player.text(said.thoughts), player.linker))),
      );
    }
    if (said?.reply !== undefined) {
      parts.push(...part("Reply", el("pre", { class: "nv-code" }, linked(player.linker, player.text(said.reply)))));
    }
    if (said?.goal !== undefined && player.text(said.goal) !== player.doc.episode.instruction)
      parts.push(...part("Sub-goal", el("p", {}, linked(player.linker, player.text(said.goal)))));
    if (!parts.length) {
      const empty = step === 0 ? "Before the first step." : "This run logs nothing for this step.";
      parts.push(el("p", { class: "nv-mute", text: steps ? empty : "This run logs no steps." }));
    }
    const open = { type: "button", class: "nv-small", title: `Open this step of ${label} in Replay`, on: replay };
    const head = el(
      "header",
      {},
      el("i", { class: "nv-swatch", style: { "background-color": tint } }),
      el("b", { text: label, title: label }),
      this.outcome(metrics),
      el("span", { class: "nv-mute", text: steps ? `step ${step} of ${steps}` : "" }),
      player.options.onAction ? el("button", { ...open, text: "Replay" }) : null,
    );
    return el("article", { "aria-label": label }, head, parts);
  }

  /** @param {Record<string, number | null>} metrics */
  outcome(metrics) {
    const rate = successOf(metrics);
    if (rate === null) return null;
    const near = this.player.doc.episode.success_radius_m < NEAR_RADIUS_M;
    const { NE } = metrics;
    const far = typeof NE === "number" ? ` ${metres(NE, near ? 2 : 0)}` : "";
    const won = rate >= 1;
    const title = `${won ? "Success" : "Failure"}${far ? `: it ended${far} from the goal` : ""}`;
    return el("span", {
      class: `nv-outcome ${won ? "nv-success" : "nv-failure"}`,
      title,
      text: `${won ? "✓" : "✕"}${far}`,
    });
  }

  /** Mark the words that only one of the two has. */
  mark() {
    const { highlights } = CSS;
    if (!highlights) return;
    const [one, other] = this.thoughts;
    if (!one || !other) highlights.delete(DIFFERS);
    else highlights.set(DIFFERS, new Highlight(...differences(one, other), ...differences(other, one)));
  }
}

/**
 * A move as a sentence; empty where there is none.
 * @param {import("../text/turn-words.js").Walk} walk
 * @param {number} at - index of the step
 */
function decision(walk, at) {
  const words = walk.steps[at]?.path.length > 1 ? moveWords(walk, at) : null;
  if (!words) return "";
  const route = words.route ? `; the route ${words.route}` : "";
  return `${capital(words.did)}, ${metres(words.metres, 0)}${route}.`;
}

/** Ranges of one text that the other has not. @param {HTMLElement} one @param {HTMLElement} other @returns {Range[]} */
function differences(one, other) {
  const [text, theirs] = [one.textContent ?? "", other.textContent ?? ""];
  const changes = wordChanges(theirs, text);
  const same = changes.reduce((sum, { kind, text: words }) => sum + (kind === "same" ? words.length : 0), 0);
  /** @type {[number, number][]} */
  const spans = [];
  if (same < ALIKE * Math.max(text.length, theirs.length)) {
    const known = new Set(theirs.toLowerCase().match(TELLING));
    for (const { 0: word, index } of text.matchAll(TELLING))
      if (!known.has(word.toLowerCase())) spans.push([index, index + word.length]);
  } else {
    let at = 0;
    for (const { kind, text: words } of changes) {
      if (kind === "new") spans.push([at + words.length - words.trimStart().length, at + words.length]);
      if (kind !== "gone") at += words.length;
    }
  }
  return spans.map(([from, to]) => rangeOf(one, from, to));
}

/** @param {HTMLElement} box @param {number} from @param {number} to */
function rangeOf(box, from, to) {
  const range = document.createRange();
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  let at = 0;
  let begun = false;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { length } = /** @type {Text} */ (node);
    if (!begun && from < at + length) {
      range.setStart(node, from - at);
      begun = true;
    }
    if (begun && to <= at + length) {
      range.setEnd(node, to - at);
      break;
    }
    at += length;
  }
  return range;
}
