// @ts-check
// Search in everything that a document says: where, in which step, with the words around.

/** @typedef {import("../document").ReplayDocument} ReplayDocument */
/** @typedef {{what: string, tab: string | null, step: number, text: string}} Passage */
/** @typedef {Passage & {before: string, match: string, after: string}} Hit */

/** Letters around a match. */
const AROUND = 48;
/** Matches of one passage that are told. */
const MOST_A_PASSAGE = 3;

/**
 * All passages of a document, in the order of its steps.
 * @param {ReplayDocument} doc
 * @param {string[]} strings
 * @returns {Passage[]}
 */
export function passages(doc, strings) {
  /** @type {Passage[]} */
  const out = [{ what: "instruction", tab: null, step: 0, text: doc.episode.instruction }];
  doc.planning.sub_goals.forEach(([index], i) => {
    const first = doc.steps.findIndex((step) => step.sub_goal === i);
    out.push({ what: `sub-goal ${i + 1}`, tab: null, step: first + 1, text: strings[index] ?? "" });
  });
  for (const mark of doc.planning.landmarks) {
    const at = doc.steps.findIndex((step) => step.observation?.pois.some((poi) => poi.name === mark.name));
    out.push({ what: "landmark", tab: null, step: at + 1, text: mark.name });
  }
  add(out, doc.planning.calls, 0, strings);
  doc.steps.forEach((step, i) => {
    add(out, step.calls, i + 1, strings);
    for (const poi of step.observation?.pois ?? [])
      out.push({ what: "landmark", tab: "seen", step: i + 1, text: poi.name });
    if (step.decision?.reason) out.push({ what: "decision", tab: null, step: i + 1, text: step.decision.reason });
  });
  return out;
}

/**
 * @param {Passage[]} out
 * @param {import("../document").CallEntry[]} calls
 * @param {number} step
 * @param {string[]} strings
 */
function add(out, calls, step, strings) {
  for (const call of calls) {
    if (call.thoughts !== undefined)
      out.push({ what: "thoughts", tab: "thoughts", step, text: strings[call.thoughts] ?? "" });
    if (call.reply !== undefined) out.push({ what: "reply", tab: "reply", step, text: strings[call.reply] ?? "" });
    const prompt = call.messages
      .map(({ parts }) => parts.map(([, index]) => strings[index] ?? "").join(""))
      .join("\n\n");
    if (prompt) out.push({ what: "prompt", tab: "prompt", step, text: prompt });
  }
}

/**
 * Where the words stand, prompts last since they repeat themselves.
 * @param {Passage[]} all
 * @param {string} words
 * @param {number} most
 * @returns {Hit[]}
 */
export function search(all, words, most) {
  const wanted = words.trim().toLowerCase();
  if (!wanted) return [];
  /** @type {Hit[]} */
  const hits = [];
  for (const passage of [...all].sort((a, b) => Number(a.what === "prompt") - Number(b.what === "prompt"))) {
    const text = passage.text.toLowerCase();
    let from = 0;
    for (let k = 0; k < MOST_A_PASSAGE; k += 1) {
      const at = text.indexOf(wanted, from);
      if (at < 0) break;
      from = at + wanted.length;
      hits.push({ ...passage, ...excerpt(passage.text, at, wanted.length) });
      if (hits.length === most) return hits;
    }
  }
  return hits;
}

/**
 * @param {string} text
 * @param {number} at
 * @param {number} length
 */
function excerpt(text, at, length) {
  const clean = (/** @type {string} */ part) => part.replace(/\s+/g, " ");
  const start = Math.max(0, at - AROUND);
  const end = Math.min(text.length, at + length + AROUND);
  return {
    before: clean((start > 0 ? "…" : "") + text.slice(start, at)),
    match: clean(text.slice(at, at + length)),
    after: clean(text.slice(at + length, end) + (end < text.length ? "…" : "")),
  };
}
