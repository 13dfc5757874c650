// @ts-check
// The head of the player: what is shown, how it ended, and the sentence that says where it went wrong.
import { el, keepFocus } from "../dom.js";
import { amount, metres } from "../text/figures.js";
import { linked } from "../text/linked.js";

/** @type {Record<string, string>} */
const METRICS = {
  NE: "Navigation error: distance from the stop to the goal, in metres",
  TL: "Length of the agent's path, in metres",
  SPL: "Success weighted by path length",
  nDTW: "Normalised dynamic time warping",
  SDTW: "Success weighted by nDTW",
  CLS: "Coverage weighted by length score",
};
/** Of a task in parts: one path of several legs is judged by its parts, not by its shape. @type {Record<string, string>} */
const TASK_METRICS = {
  NE: "Navigation error: mean distance from the stops to their targets, in metres",
  SPL: "Success of the whole task weighted by path length",
  ISR: "Independent success rate: share of the parts that were done",
  CSR: "Conditional success rate: a part counts more right after one that was done",
  CGT: "CSR weighted by the ground truth's length of each part",
  TAR: "Target approach rate: how near the stops came, 1 at the target",
};
/** Of REVERIE: to stop where the object can be seen, and to name it. @type {Record<string, string>} */
const OBJECT_METRICS = {
  NE: METRICS.NE,
  TL: METRICS.TL,
  SPL: METRICS.SPL,
  nDTW: METRICS.nDTW,
  SR_reverie: "REVERIE's success: 1 if the last viewpoint sees the target object, however far the path's end is",
  RGS: "Remote grounding success: 1 if the object that was named is the target",
};
/** Of NDH: how much nearer the walk came to the place that the dialogue is about. @type {Record<string, string>} */
const DIALOGUE_METRICS = {
  GP: "Goal progress: by how many metres the walk came nearer to the place that the dialogue is about; below 0 it went away",
  NE: METRICS.NE,
  TL: METRICS.TL,
  SPL: METRICS.SPL,
  nDTW: METRICS.nDTW,
};
/** Of a free walk: what its evaluator wrote, what positions give, and what is only estimated. @type {Record<string, string>} */
const FREE_METRICS = {
  NE_rec: "Navigation error in metres, as the evaluator recorded it",
  TL: METRICS.TL,
  TL_rec: "Length of the agent's path in metres, as the evaluator recorded it",
  SPL_rec: "Success weighted by path length, as the evaluator recorded it",
  nDTW_rec: "nDTW to the expert's whole walk, as the evaluator recorded it (by an approximate DTW)",
  nDTW_dense: "nDTW to the expert's whole walk, from the positions by the exact DTW; not R2R's nDTW",
  NE_est: "Estimated: the straight line from the last pose to the goal; the way over the mesh is longer",
  SPL_est: "Success estimated by the straight line, weighted by path length",
};
/** @type {Record<string, string>} */
const FREE_LABELS = {
  NE_rec: "NE recorded",
  TL_rec: "TL recorded",
  SPL_rec: "SPL recorded",
  nDTW_rec: "nDTW recorded",
  nDTW_dense: "nDTW to whole walk",
  NE_est: "NE estimated",
  SPL_est: "SPL estimated",
};
const LENGTHS = new Set(["GP", "NE", "TL", "NE_rec", "TL_rec", "NE_est"]);
/**
 * The figures that an episode's kind is judged by, with what they mean.
 * @param {Pick<import("../document").ReplayDocument, "metrics"> & {episode: {tasks: unknown[]}}} doc
 */
export function headFigures({ episode, metrics }) {
  if (episode.tasks.length) return TASK_METRICS;
  if (metrics.NE_rec !== undefined || metrics.NE_est !== undefined) return FREE_METRICS;
  if (metrics.GP !== undefined) return DIALOGUE_METRICS;
  return metrics.SR_reverie === undefined ? METRICS : OBJECT_METRICS;
}

const ACT_HINT = "A hint: what was not done is not yet shown to be right in 95 of 100 walks of this kind";
const CUT_SHORT = new Set(["error", "budget", "limit"]);

/** Success radii below this are told to the centimetre: it may decide. */
const NEAR_RADIUS_M = 10;

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
    const { doc } = this.player;
    const named = Object.keys(this.metrics()).filter((name) => name in doc.metrics);
    const shown = this.metrics() === FREE_METRICS ? this.freeFigures(named) : named;
    return [this.outcome(), ...shown.map((name) => this.figure(name))].filter((part) => part !== null);
  }

  /** What is recorded stands for what would be estimated.
   * @param {string[]} names
   */
  freeFigures(names) {
    const { metrics } = this.player.doc;
    const present = names.filter((name) => metrics[name] !== null);
    const recorded = present.includes("NE_rec");
    const dropped = recorded ? ["NE_est", "SPL_est"] : [];
    if (present.includes("TL")) dropped.push("TL_rec");
    return present.filter((name) => !dropped.includes(name));
  }

  metrics() {
    return headFigures(this.player.doc);
  }

  outcome() {
    const { doc } = this.player;
    if (doc.running) return el("span", { class: "nv-outcome nv-live", text: "running" });
    if (doc.unanswered) {
      const text = `no answer: ${doc.unanswered}`;
      return el("span", { class: "nv-outcome", title: UNANSWERED, text });
    }
    const { SR, SR_rec, SR_est } = doc.metrics;
    const rate = SR ?? SR_rec ?? SR_est;
    if (rate === undefined || rate === null) {
      return isCutOff(doc) ? el("span", { class: "nv-outcome", title: CUT_OFF, text: "not finished" }) : null;
    }
    const mark = typeof SR === "number" ? "" : typeof SR_rec === "number" ? " as recorded" : " (estimated)";
    return rate >= 1
      ? el("span", { class: "nv-outcome nv-success", text: `✓ success${mark}` })
      : el("span", { class: "nv-outcome nv-failure", text: `✕ failure${mark}` });
  }

  /** @param {string} name */
  figure(name) {
    const { metrics, compare } = this.player.doc;
    // of more than two runs the second alone would stand here; the page's table has them all
    const old = this.player.doc.further?.length ? undefined : compare?.metrics[name];
    const same = this.rerun() && this.valueText(name, old ?? null) === this.valueText(name, metrics[name]);
    return el(
      "span",
      { class: "nv-figure", title: this.metrics()[name] },
      el("span", { text: FREE_LABELS[name] ?? name }),
      el("b", { text: this.valueText(name, metrics[name]) }),
      old === undefined || old === null || same
        ? null
        : el("i", { text: `${this.rerun() ? "was" : "vs"} ${this.valueText(name, old)}` }),
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
   * @param {string} name
   * @param {number | null} value
   */
  valueText(name, value) {
    if (!LENGTHS.has(name)) return amount(value, 2);
    const near = this.player.doc.episode.success_radius_m < NEAR_RADIUS_M;
    return metres(value, near ? 2 : (value ?? 0) < 100 ? 1 : 0);
  }
}

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
