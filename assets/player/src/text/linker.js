// @ts-check
// Finds what a text speaks of: node ids, POI letters and landmark names become references that map and text light up
// together. A reference is a string: "n:INDEX" a node of the document, "s:NAME" (lower case) a landmark or POI.

/** @typedef {import("../document").ReplayDocument} ReplayDocument */
/** @typedef {import("../document").StepEntry} StepEntry */
/** @typedef {{text: string, ref: string | null}} Piece */

/** Names that one pattern may hold; more would make it slow. */
const MOST_NAMES = 400;
const MOST_ODD_IDS = 3000;

/** @param {string} text */
const escapeRegExp = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** @param {string} name */
export const nameRef = (name) => `s:${name.toLowerCase()}`;

/** Built once a document; letters belong to the step that is shown. */
export class Linker {
  /** @param {ReplayDocument} doc */
  constructor(doc) {
    /** @type {Map<string, string>} reference of each node id */
    this.tokens = new Map(doc.nodes.ids.map((id, index) => [id, `n:${index}`]));
    /** @type {Map<string, string>} */
    this.letters = new Map();
    /** @type {Map<string, string>} */
    this.baseLetters = new Map();
    /** @type {Set<string>} */
    this.names = new Set();
    for (const mark of doc.planning.landmarks) this.addName(mark.name, mark.letter);
    for (const step of doc.steps) for (const poi of step.observation?.pois ?? []) this.addName(poi.name);
    /** @type {Set<string>} names that the agent was not shown count only as they are written: "Park", not "park" */
    this.exact = new Set();
    for (const poi of doc.pois.slice(0, MOST_NAMES)) {
      if (poi.kind && poi.name.length > 3 && !this.names.has(poi.name)) this.exact.add(poi.name);
    }
    /** @type {Set<string>} references of names that have a place on the map */
    this.placed = new Set();
    /** @type {Map<string, string>} why a landmark has none, by its reference */
    this.reasons = new Map();
    this.place(doc);
    this.lower = new Set([...this.names].map((name) => name.toLowerCase()));
    this.pattern = this.makePattern();
  }

  /**
   * @param {string} name
   * @param {string} [letter]
   */
  addName(name, letter) {
    if (!name) return;
    if (name.length > 2) this.names.add(name);
    if (letter) this.baseLetters.set(letter, nameRef(name));
  }

  /** Learn which names have a place on the map. @param {ReplayDocument} doc */
  place(doc) {
    const shown = doc.steps.flatMap((step) => step.observation?.pois ?? []);
    for (const { name, at } of [...shown, ...doc.pois, ...doc.planning.landmarks])
      if (at) this.placed.add(nameRef(name));
    for (const { name, unplaced } of doc.planning.landmarks) if (unplaced) this.reasons.set(nameRef(name), unplaced);
  }

  /** Why the map cannot show a reference; undefined where it can. @param {string} ref */
  unplaced(ref) {
    if (!ref.startsWith("s:") || this.placed.has(ref)) return undefined;
    return this.reasons.get(ref) ?? "its place is not known";
  }

  makePattern() {
    const odd = [...this.tokens.keys()].filter((id) => !/^[\w-]+$/.test(id)).slice(0, MOST_ODD_IDS);
    const names = [...[...this.names].slice(0, MOST_NAMES), ...this.exact, ...odd]
      .sort((a, b) => b.length - a.length)
      .map(escapeRegExp);
    const spoken = names.length ? `(?<![\\p{L}\\p{N}])(${names.join("|")})(?![\\p{L}\\p{N}])` : "($^)";
    return new RegExp(`${spoken}|([\\w-]+)|["'\`(]([A-Z])["'\`)]`, "giu");
  }

  /** @param {StepEntry | null} step */
  setStep(step) {
    this.letters = new Map(this.baseLetters);
    for (const poi of step?.observation?.pois ?? []) if (poi.letter) this.letters.set(poi.letter, nameRef(poi.name));
  }

  /**
   * The text in pieces, with the reference of each; joined they are the text.
   * @param {string} text
   * @returns {Piece[]}
   */
  pieces(text) {
    const pieces = [];
    let done = 0;
    for (const match of text.matchAll(this.pattern)) {
      const ref = this.refOf(match, text);
      if (!ref) continue;
      if (match.index > done) pieces.push({ text: text.slice(done, match.index), ref: null });
      pieces.push({ text: match[0], ref });
      done = match.index + match[0].length;
    }
    if (done < text.length) pieces.push({ text: text.slice(done), ref: null });
    return pieces;
  }

  /**
   * @param {RegExpMatchArray} match
   * @param {string} text
   */
  refOf(match, text) {
    if (match[1]) return this.tokens.get(match[1]) ?? (this.isName(match[1]) ? nameRef(match[1]) : null);
    if (match[3]) return this.letters.get(match[3]) ?? null;
    const token = match[2];
    const ref = this.tokens.get(token) ?? null;
    // A short number is a node id only where it stands in quotes; elsewhere it is a number.
    if (ref && /^\d{1,4}$/.test(token) && !/["'`]/.test(text[(match.index ?? 0) - 1] ?? "")) return null;
    return ref;
  }

  /** @param {string} text */
  isName(text) {
    return this.exact.has(text) || this.lower.has(text.toLowerCase());
  }

  /** Reference of a lone letter, as it stands in legends and JSON strings. @param {string} text */
  letter(text) {
    return /^[A-Z]$/.test(text) ? this.letters.get(text) : undefined;
  }
}
