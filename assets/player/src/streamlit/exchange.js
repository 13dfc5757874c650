// @ts-check
// What the list and the script tell each other of filters and sort. Either may change them, and a message may be lost.

/** @typedef {Record<string, string>} Query  filters and sort as a link says them */
/** @typedef {(name: string, value: unknown) => void} Send */

/** An answer that has not come by then was lost, together with the run of the script that should have given it. */
export const LOST_MS = 5000;

export class Exchange {
  /** @param {Send} send */
  constructor(send) {
    this.send = send;
    /** What the list shows. @type {Query} */
    this.query = {};
    /** What the script had when it spoke last. @type {Query} */
    this.base = {};
    /** What it has once it has heard of what was sent last; until something is sent, the same. @type {Query} */
    this.sent = {};
    /** When something was sent last, which also numbers what is sent. */
    this.turn = 0;
  }

  /**
   * Take what the script says; returns whether that changes what the list shows.
   * @param {Query} news
   * @param {number} turn  of what the script has heard last
   * @param {boolean} isSameRun
   */
  take(news, turn, isSameRun) {
    // until the script has heard of what was sent last, its query is older than what stands here
    const isLate = turn < this.turn;
    const isLost = isLate && Date.now() - this.turn >= LOST_MS;
    // what was typed is not given up for a lost message: it is sent once more
    if (isLost && isSameRun) this.tell();
    if (isLate && (!isLost || isSameRun)) return false;
    // own words that come back are no news: else a search that was cleared meanwhile would return
    const query = merged(this.query, isLate ? this.base : this.sent, news);
    this.base = news;
    this.sent = news;
    const isNews = key(query) !== key(this.query);
    this.query = query;
    return isNews;
  }

  /** What stands here, and what the script may have: it may have heard of what was sent last, or not. */
  get told() {
    /** @type {Query} */
    const base = {};
    for (const name of new Set([...Object.keys(this.base), ...Object.keys(this.sent)])) {
      const value = this.query[name] === this.base[name] ? this.sent[name] : this.base[name];
      if (value !== undefined) base[name] = value;
    }
    return { query: this.query, base };
  }

  tell() {
    this.turn = Math.max(Date.now(), this.turn + 1);
    this.send("query", { ...this.told, turn: this.turn });
    this.sent = this.query;
  }
}

/** A query as one text; the script may order its parameters in another way. @param {Query} query */
export const key = (query) => JSON.stringify(Object.entries(query).sort());

/**
 * A query with what the script has changed meanwhile: a click on a bar counts, and so does what was typed before it.
 * @param {Query} own
 * @param {Query} before
 * @param {Query} news
 */
function merged(own, before, news) {
  /** @type {Query} */
  const query = {};
  for (const name of new Set([...Object.keys(own), ...Object.keys(news)])) {
    const value = news[name] === before[name] ? own[name] : news[name];
    if (value !== undefined) query[name] = value;
  }
  return query;
}
