// @ts-check
// Maps and what else belongs to an item, fetched before it is needed: the item on the desk, then the next three.

/** @typedef {import("./types").Sheet} Sheet */

const AHEAD = 3;
/** Sheets that are kept. */
const MOST = 24;
/** What was asked for is asked for again after so long, in ms, and after twice as long each further time. */
const PATIENCE_MS = 2_000;
/** A busy server may take seconds for a large map; asking more often would keep it busy. */
const MOST_PATIENCE_MS = 16_000;

export class Shelf {
  /**
   * @param {(ask: {positions: number[], walk: string[] | null, turn: number}) => boolean} ask  whether it could be asked
   * @param {number} count  items of the queue
   * @param {() => number} [now]  in ms
   */
  constructor(ask, count, now = Date.now) {
    this.ask = ask;
    this.count = count;
    this.now = now;
    this.turn = 0;
    /** @type {Map<number, Sheet>} */
    this.sheets = new Map();
    /** @type {{positions: number[], at: number} | null} */
    this.out = null;
    this.patience = PATIENCE_MS;
  }

  /** @param {number} position */
  get(position) {
    return this.sheets.get(position);
  }

  /** Ask for what is missing: the item itself alone, so that it comes first. @param {number} position */
  need(position) {
    if (this.out && this.now() - this.out.at < this.patience) return;
    // a rerun of the page may lose what was asked; an answer ends the waiting
    this.patience = this.out ? Math.min(2 * this.patience, MOST_PATIENCE_MS) : PATIENCE_MS;
    const ahead = Array.from({ length: AHEAD + 1 }, (_, i) => position + i);
    const missing = ahead.filter((one) => one < this.count && !this.sheets.has(one));
    if (missing.length) this.request(missing[0] === position ? [position] : missing, null);
  }

  /** What is seen after some choices. @param {number} position @param {string[]} taken */
  walk(position, taken) {
    this.request([position], taken);
  }

  /** @param {number[]} positions @param {string[] | null} walk */
  request(positions, walk) {
    this.turn += 1;
    this.here = positions[0];
    this.out = this.ask({ positions, walk, turn: this.turn }) ? { positions, at: this.now() } : null;
  }

  /** @param {Sheet[]} sheets */
  take(sheets) {
    for (const sheet of sheets) this.sheets.set(sheet.position, sheet);
    const { out } = this;
    if (out && sheets.some(({ position }) => out.positions.includes(position))) this.out = null;
    const far = [...this.sheets.keys()].sort((a, b) => Math.abs(b - (this.here ?? 0)) - Math.abs(a - (this.here ?? 0)));
    for (const position of far.slice(0, Math.max(0, far.length - MOST))) this.sheets.delete(position);
  }
}
