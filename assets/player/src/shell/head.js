// @ts-check
// The head of the player: what is shown, how it ended, and the sentence that says where it went wrong.
import { el, keepFocus } from "../dom.js";
import { amount, metres } from "../text/figures.js";
import { linked } from "../text/linked.js";

const ACT_HINT = "A hint: what was not done is not yet shown to be right in 95 of 100 walks of this kind";
const CUT_SHORT = new Set(["error", "budget", "limit"]);

/** Figures that stand in the row itself. */
const FIRST = new Set(["NE", "SPL"]);

/** Success radii below this are told to the centimetre: it may decide. */
export const NEAR_RADIUS_M = 10;

export class Head {
  /**
   * @param {import("../player.js").Player} player
   * @param {HTMLElement} headBox
   * @param {HTMLElement} noteBox
   */
  constructor(player, headBox, noteBox) {
    this.player = player;
    this.headBox = headBox;
    this.noteBox = noteBox;
  }

  show() {
    const { doc, options } = this.player;
    const facts = doc.compare && doc.label ? this.runs() : this.facts();
    this.headBox.hidden = options.header === false;
    this.headBox.replaceChildren(
      el("h2", { text: doc.title, title: doc.title }),
      el("span", { class: "nv-facts", text: facts, title: facts }),
      ...this.figures(),
    );
    this.showNotes();
  }

  facts() {
    const { doc } = this.player;
    return [...new Set([doc.run, doc.navigator, doc.eyes, ...standIns(doc.settings), doc.model].filter(Boolean))].join(
      "  ·  ",
    );
  }

  /** All runs on the map; how many stands first, since the row may be cut short. */
  runs() {
    const { doc } = this.player;
    const seeing = (/** @type {string | undefined} */ label, /** @type {string | undefined} */ eyes) =>
      eyes ? `${label} (${eyes})` : label;
    const names = [seeing(doc.label, doc.eyes), seeing(doc.compare?.label, doc.compare?.eyes)];
    names.push(...(doc.further ?? []).map((walk) => walk.label));
    return `${names.length} runs: ${names.join("  ·  ")}`;
  }

  showNotes() {
    const { doc, linker } = this.player;
    const notes = [...doc.notes];
    if (doc.end && CUT_SHORT.has(doc.end.status)) {
      notes.push(`The run ended early (${doc.end.status})${doc.end.reason ? `: ${doc.end.reason}` : "."}`);
    }
    const sentence = doc.divergence?.sentence;
    // within one element: parts of a sentence with links would stand in a row as columns
    const whole = () => el("p", { class: "nv-note" }, el("span", {}, linked(linker, sentence ?? "")));
    this.noteBox.replaceChildren(
      ...(sentence ? [doc.divergence?.step ? this.divergence(sentence) : whole()] : []),
      ...this.player.why.rows(),
      ...notes.map((note) => el("p", { class: "nv-note", text: note })),
    );
  }

  /** @param {string} sentence */
  divergence(sentence) {
    const on = { mousedown: keepFocus, click: () => this.player.toDivergence() };
    const grade = this.player.doc.divergence?.grade;
    const props = {
      type: "button",
      class: `nv-note nv-note-divergence${grade ? " nv-act" : ""}`,
      title: "Go to this step (d)",
      on,
    };
    return el(
      "button",
      props,
      el("span", { class: "nv-glyph nv-mark-divergence" }),
      grade === "hint" ? el("span", { class: "nv-hint-mark", text: "hint", title: ACT_HINT }) : null,
      el("span", {}, linked(this.player.linker, sentence)),
    );
  }

  figures() {
    const { head } = this.player.doc;
    const first = head.filter(({ name }) => FIRST.has(name));
    const shown = first.length ? first : head.slice(0, FIRST.size);
    const rest = head.filter((figure) => !shown.includes(figure));
    const parts = [this.outcome(), ...shown.map((figure) => this.figure(figure)), ...this.further(rest)];
    return parts.filter((part) => part !== null);
  }

  /** A button and the menu of the other figures. @param {import("../document").HeadFigure[]} figures */
  further(figures) {
    if (!figures.length) return [];
    const menu = el(
      "div",
      { class: "nv-figures", popover: "auto" },
      figures.map((figure) => this.figure(figure)),
    );
    const button = el("button", { type: "button", class: "nv-further", text: "Figures", title: "The other figures" });
    button.popoverTargetElement = menu;
    menu.addEventListener("beforetoggle", () => {
      const { right, bottom } = button.getBoundingClientRect();
      menu.style.right = `${document.documentElement.clientWidth - right}px`;
      menu.style.top = `${bottom + 4}px`;
    });
    return [button, menu];
  }

  outcome() {
    const { doc } = this.player;
    if (doc.running) return el("span", { class: "nv-outcome nv-live", text: "running" });
    if (doc.unanswered) {
      const text = `no answer: ${doc.unanswered}`;
      return el("span", { class: "nv-outcome", title: UNANSWERED, text });
    }
    const { SR, SR_rec } = doc.metrics;
    const rate = successOf(doc.metrics);
    if (rate === null) {
      return isCutOff(doc) ? el("span", { class: "nv-outcome", title: CUT_OFF, text: "not finished" }) : null;
    }
    const mark = typeof SR === "number" ? "" : typeof SR_rec === "number" ? " as recorded" : " (estimated)";
    return rate >= 1
      ? el("span", { class: "nv-outcome nv-success", text: `✓ success${mark}` })
      : el("span", { class: "nv-outcome nv-failure", text: `✕ failure${mark}` });
  }

  /** @param {import("../document").HeadFigure} figure */
  figure({ name, label, help, metres: isLength = false }) {
    const { metrics, compare } = this.player.doc;
    // of more than two runs the second alone would stand here; the page's table has them all
    const old = this.player.doc.further?.length ? undefined : compare?.metrics[name];
    const [text, oldText] = [this.valueText(metrics[name], isLength), this.valueText(old ?? null, isLength)];
    const same = this.rerun() && oldText === text;
    return el(
      "span",
      { class: "nv-figure", title: help },
      el("span", { text: label }),
      el("b", { text }),
      old === undefined || old === null || same ? null : el("i", { text: `${this.rerun() ? "was" : "vs"} ${oldText}` }),
    );
  }

  /** Whether the walk is one that was edited and walked again by the same walker: only then the other came before. */
  rerun() {
    const { doc } = this.player;
    const { compare } = doc;
    if (!compare) return false;
    if (doc.navigator !== compare.navigator || doc.model !== compare.model) return false;
    return doc.episode.instruction !== compare.instruction || Boolean(doc.forked_from ?? compare.forked_from);
  }

  /**
   * @param {number | null} value
   * @param {boolean} isLength
   */
  valueText(value, isLength) {
    if (!isLength) return amount(value, 2);
    const near = this.player.doc.episode.success_radius_m < NEAR_RADIUS_M;
    return metres(value, near ? 2 : (value ?? 0) < 100 ? 1 : 0);
  }
}

/** Success as measured, else as recorded, else as estimated. @param {Record<string, number | null>} metrics */
export const successOf = ({ SR, SR_rec, SR_est }) => SR ?? SR_rec ?? SR_est ?? null;

const CUT_OFF = "The walk ended in the middle: it is neither a success nor a failure, and has no score";
const UNANSWERED =
  "The model's service did not answer: that is no choice of the agent, and counts apart from its failures";
const CUT_STATUSES = ["stopped", "budget"];

/**
 * Whether a walk of ours ended in the middle, as `is_unfinished` of navviz/records/walker.py has it: other
 * projects' logs may write no end at all, and are left as they are.
 * @param {{source?: string, steps: unknown[], end?: {status: string}}} doc
 */
export function isCutOff({ source, steps, end }) {
  return source === undefined && steps.length > 0 && (!end || CUT_STATUSES.includes(end.status));
}

/**
 * What a run's settings say of an agent that stands in for a paper's: never to be taken for it.
 * @param {Record<string, unknown>} settings
 */
export function standIns(settings) {
  const words = Object.entries(settings ?? {}).filter(([, value]) => typeof value === "string");
  return words.flatMap(([name, value]) => {
    const said = String(value);
    return said.includes("(stand-in)") ? [`${name}=${said}`] : [];
  });
}
