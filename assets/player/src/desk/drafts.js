// @ts-check
// What was chosen or typed and is not yet a rating: kept in the browser, so that a reload or a new start of the server
// loses none of it.

/** @typedef {import("./desk.js").Draft} Draft */

export class Drafts {
  /** @param {string} owner @param {string} queue @param {Storage} storage */
  constructor(owner, queue, storage) {
    this.prefix = `navviz:draft:${owner}:${queue}:`;
    this.storage = storage;
    /** @type {Map<string, Draft>} */
    this.byItem = new Map();
  }

  /** The draft of an item, to be changed in place and then kept. @param {string} item @returns {Draft} */
  of(item) {
    const draft = this.byItem.get(item) ?? this.read(item);
    this.byItem.set(item, draft);
    return draft;
  }

  /** @param {string} item @returns {Draft} */
  read(item) {
    try {
      const draft = JSON.parse(this.storage.getItem(this.prefix + item) ?? "{}");
      return draft && typeof draft === "object" && !Array.isArray(draft) ? draft : {};
    } catch {
      return {};
    }
  }

  /** Write an item's draft to the storage. @param {string} item */
  keep(item) {
    try {
      this.storage.setItem(this.prefix + item, JSON.stringify(this.of(item)));
    } catch {
      // a full storage: the draft lives as long as this window
    }
  }

  /** Put back a draft as it was. @param {string} item @param {Draft} draft */
  put(item, draft) {
    this.byItem.set(item, draft);
    this.keep(item);
  }

  /** Nothing is left to lose: a rating holds it. The window keeps its cursors. @param {string} item */
  rated(item) {
    this.storage.removeItem(this.prefix + item);
  }

  /** Forget a draft: another rating stands. @param {string} item */
  drop(item) {
    this.byItem.delete(item);
    this.storage.removeItem(this.prefix + item);
  }
}
