// @ts-check
// Where one was in a queue: this tab first, else the last tab of this browser.

/** Where the browser remembers whether a rating leads on to the next item. */
export const GOES_ON = "navviz:goes-on";

export class Places {
  /** @param {string} owner @param {string} queue @param {Storage} storage */
  constructor(owner, queue, storage) {
    this.key = `navviz:at:${owner}:${queue}`;
    this.storage = storage;
  }

  last() {
    return sessionStorage.getItem(this.key) ?? this.storage.getItem(this.key);
  }

  /** @param {string} item */
  stay(item) {
    try {
      sessionStorage.setItem(this.key, item);
      this.storage.setItem(this.key, item);
    } catch {
      // a full storage: the next visit begins at the first open item
    }
  }
}
