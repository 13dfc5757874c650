// @ts-check
// What was done and is not yet acknowledged. Every action is kept in the browser's storage under a key of its own, so
// that two tabs never write over each other's; it is sent, in order, until the server has answered it. Each carries an
// id: the server does it once, however often it comes.

/** @typedef {import("./types").Action} Action */
/** @typedef {import("./types").Answer} Answer */
/** @typedef {import("./types").Item} Item */
/** @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">} Store */

/** Actions sent at once. */
const MOST = 40;
/** Without an answer for so long, what was sent is sent again: a full disk may hold a writer up for a second or two. */
const PATIENCE_MS = 6000;
/** Waits after a failure, in ms. */
const WAITS = [1000, 2000, 4000, 8000, 15_000];

/** @param {Item} item */
export const itemKey = (item) =>
  JSON.stringify([item.dataset, item.episode, item.run, ...(item.claim ? [item.claim] : [])]);

export class Outbox {
  /**
   * @param {object} options
   * @param {string} options.owner  study and annotator
   * @param {Store} options.storage
   * @param {(queue: string, actions: Omit<Action, "queue">[]) => void} options.send
   * @param {(answer: Answer, action: Action) => void} options.onAnswer
   * @param {() => void} options.onChange
   * @param {() => number} [options.now]  in ms
   * @param {string} [options.name]  of this window
   */
  constructor({ owner, storage, send, onAnswer, onChange, now = Date.now, name = windowName() }) {
    this.prefix = `navviz:outbox:${owner}:`;
    this.storage = storage;
    this.deliver = send;
    this.onAnswer = onAnswer;
    this.onChange = onChange;
    this.now = now;
    this.name = name;
    this.count = 0;
    this.stamp = 0;
    /** In the order they were done, by storage key. @type {Map<string, Action>} */
    this.waiting = new Map();
    /** @type {{ids: Set<string>, at: number} | null} */
    this.out = null;
    this.failures = 0;
    this.again = 0;
    /** Why the last delivery failed; empty where it did not. */
    this.trouble = "";
    /** This window's last action on each item, and the revision it knows. @type {Map<string, {after: string | null, seen: number}>} */
    this.chains = new Map();
    this.adopt();
  }

  /**
   * Take over what other windows of this annotator could not send. One that still lives sends it too; it counts once.
   * @param {number} [before]  only what was done before this time, in ms
   */
  adopt(before = Number.POSITIVE_INFINITY) {
    for (let i = 0; i < this.storage.length; i += 1) {
      const key = this.storage.key(i);
      if (!key?.startsWith(this.prefix) || this.waiting.has(key)) continue;
      if (Number(key.slice(this.prefix.length).split(":")[0]) > before) continue;
      const action = parsed(this.storage.getItem(key));
      if (action) this.waiting.set(key, action);
    }
    this.waiting = new Map([...this.waiting].sort(([a], [b]) => (a < b ? -1 : 1)));
    const mine = new Set(this.chains.keys());
    for (const { item, kind, id, seen } of this.actions)
      if (item && (kind === "save" || kind === "undo") && !mine.has(itemKey(item)))
        this.chains.set(itemKey(item), { after: id, seen });
  }

  /** The revision that the server has of an item; what waits for it follows another. @param {Item} item @param {number} revision */
  knows(item, revision) {
    if (!this.holds(item)) this.chains.set(itemKey(item), { after: null, seen: revision });
  }

  /**
   * Keep an action and send it as soon as may be.
   * @param {Pick<Action, "queue" | "kind" | "item"> & Partial<Action>} done
   * @returns {Action}
   */
  add(done) {
    this.count += 1;
    const id = `${this.name}-${this.count}`;
    const chain = (done.item && this.chains.get(itemKey(done.item))) || { after: null, seen: 0 };
    /** @type {Action} */
    const action = { value: null, seconds: 0, reason: null, ...done, id, seen: chain.seen, after: chain.after };
    if (done.item && (done.kind === "save" || done.kind === "undo"))
      this.chains.set(itemKey(done.item), { after: id, seen: chain.seen });
    // times of one length and counts of one length: the order of the keys is the order of the actions
    this.stamp = Math.max(this.stamp, this.now());
    const place = `${String(this.stamp).padStart(14, "0")}:${String(this.count).padStart(8, "0")}`;
    const key = `${this.prefix}${place}:${this.name}`;
    this.waiting.set(key, action);
    this.write(key, action);
    this.flush();
    this.onChange();
    return action;
  }

  /** @param {string} key @param {Action} action */
  write(key, action) {
    try {
      this.storage.setItem(key, JSON.stringify(action));
    } catch {
      this.trouble = "The browser's storage is full: keep this window open until everything is saved.";
    }
  }

  /** The actions that wait, in order. */
  get actions() {
    return [...this.waiting.values()];
  }

  /** Whether an item has actions that wait. @param {Item} item */
  holds(item) {
    const key = itemKey(item);
    return this.actions.some((action) => action.item && itemKey(action.item) === key);
  }

  /** Send what waits, unless an answer is still due. */
  flush() {
    const at = this.now();
    if (!this.waiting.size || at < this.again) return;
    if (this.out && at - this.out.at < PATIENCE_MS) return;
    if (this.out) this.failures += 1;
    const [first] = this.waiting.values();
    const batch = [];
    for (const action of this.waiting.values()) {
      if (action.queue !== first.queue || batch.length === MOST) break;
      batch.push(action);
    }
    this.out = { ids: new Set(batch.map(({ id }) => id)), at };
    this.deliver(
      first.queue,
      batch.map(({ queue, ...action }) => action),
    );
  }

  /** @param {Answer[]} answers */
  receive(answers) {
    const mine = new Map([...this.waiting].map(([key, action]) => [action.id, { key, action }]));
    let failed = "";
    for (const answer of answers) {
      const sent = mine.get(answer.id);
      if (!sent) continue; // answered before
      if (answer.state === "failed") {
        failed = answer.message;
        break;
      }
      this.waiting.delete(sent.key);
      this.storage.removeItem(sent.key);
      this.settle(answer, sent.action);
      this.onAnswer(answer, sent.action);
    }
    if (answers.some(({ id }) => this.out?.ids.has(id))) this.out = null;
    this.trouble = failed;
    this.failures = failed ? this.failures + 1 : 0;
    this.again = failed ? this.now() + WAITS[Math.min(this.failures, WAITS.length) - 1] : 0;
    this.flush();
    this.onChange();
  }

  /** What the answer tells of the item's revision. @param {Answer} answer @param {Action} action */
  settle(answer, action) {
    if (!answer.item || answer.revision === null) return;
    const key = itemKey(answer.item);
    const chain = this.chains.get(key);
    const last = !chain || chain.after === action.id || !this.holds(answer.item);
    if (answer.state === "conflict" || last) this.chains.set(key, { after: null, seen: answer.revision });
    else chain.seen = Math.max(chain.seen, answer.revision);
  }

  /** The line is down; what was sent counts as lost. */
  lost() {
    this.out = null;
    this.again = 0;
    this.flush();
  }

  /** How it stands: all saved, on the way, or kept here since the server does not answer. */
  get state() {
    if (!this.waiting.size) return "saved";
    const late = this.out !== null && (this.failures > 0 || this.now() - this.out.at > PATIENCE_MS / 2);
    return this.trouble || late ? "kept" : "saving";
  }
}

/** @param {string | null} text @returns {Action | null} */
function parsed(text) {
  try {
    const action = JSON.parse(text ?? "");
    return typeof action?.id === "string" && typeof action?.queue === "string" ? action : null;
  } catch {
    return null;
  }
}

function windowName() {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return [...bytes].map((byte) => byte.toString(36).padStart(2, "0")).join("");
}
