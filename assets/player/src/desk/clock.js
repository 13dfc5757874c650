// @ts-check
// Time at work on each item: pauses longer than a limit, and time in another window, are left out whole.

export class Clock {
  /**
   * @param {number} idleS  a pause longer than this counts as idle, in s
   * @param {() => number} now  in ms
   */
  constructor(idleS, now = () => performance.now()) {
    this.idleMs = idleS * 1000;
    this.now = now;
    /** Time at work that was not told yet, in ms, by item. @type {Map<string, number>} */
    this.spent = new Map();
    /** @type {string | null} */
    this.item = null;
    /** Last sign of work; null where the window is away. @type {number | null} */
    this.last = null;
  }

  /** Somebody works: a key, the mouse, the wheel. */
  touch() {
    const at = this.now();
    if (this.last !== null && this.item !== null && at - this.last <= this.idleMs)
      this.spent.set(this.item, (this.spent.get(this.item) ?? 0) + at - this.last);
    this.last = at;
  }

  /** Work goes on at another item. @param {string} item */
  turn(item) {
    this.touch();
    this.item = item;
  }

  /** The window is hidden; time counts again from the next sign of work on. */
  away() {
    this.touch();
    this.last = null;
  }

  /** Time at an item since it was taken last, in s. @param {string} item */
  take(item) {
    this.touch();
    const ms = this.spent.get(item) ?? 0;
    this.spent.delete(item);
    return Math.round(ms) / 1000;
  }
}
