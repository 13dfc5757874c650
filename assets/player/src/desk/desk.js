// @ts-check
// The annotator's desk: one item after the other, by keys that act at once. What is done is shown at once, kept in the
// browser, and sent (outbox.js); the maps of the next items are fetched before they are needed (shelf.js).
//
// The root carries class `navviz-desk` and data-position, data-episode, data-state (saved, saving, kept), data-waiting (how
// many actions), data-shelf (positions whose maps are here), data-ready.
import { pageTheme } from "../shell/theme.js";
import { addressedItem, clearAddress, keepAddress, writeAddress } from "./address.js";
import { takeAnswer } from "./answers.js";
import { Clock } from "./clock.js";
import { Drafts } from "./drafts.js";
import { CauseForm } from "./forms/cause.js";
import { DifficultyForm } from "./forms/difficulty.js";
import { FailureForm } from "./forms/failure.js";
import { FollowForm } from "./forms/follow.js";
import { MentionsForm } from "./forms/mentions.js";
import { NavigabilityForm } from "./forms/navigability.js";
import { SkillForm } from "./forms/skill.js";
import { ItemView } from "./item-view.js";
import { listen } from "./listening.js";
import { itemKey, Outbox } from "./outbox.js";
import { keepingFocus } from "./parts.js";
import { GOES_ON, Places } from "./places.js";
import { Shelf } from "./shelf.js";
import { DeskView } from "./view.js";

/** @typedef {import("./types").Action} Action */
/** @typedef {import("./types").Answer} Answer */
/** @typedef {import("./types").Command} Command */
/** @typedef {import("./types").DeskData} DeskData */
/** @typedef {import("./types").Sheet} Sheet */
/** @typedef {import("./types").Value} Value */
/** @typedef {Record<string, unknown>} Draft  what was chosen and is not yet a rating */
/** @typedef {{show: () => void, commands: () => Command[], done?: (value: Value) => boolean, showText?: (box: HTMLElement) => void, pick?: (name: string) => void, pickNode?: (node: number) => void}} Form */
/** @typedef {{post: (queue: string, actions: object[]) => void, want: (ask: object) => boolean}} Line  to the server */

const FORMS = {
  navigability: NavigabilityForm,
  difficulty: DifficultyForm,
  mentions: MentionsForm,
  failure: FailureForm,
  skill: SkillForm,
  follow: FollowForm,
  cause: CauseForm,
};
export class Desk {
  /**
   * @param {HTMLElement} root
   * @param {DeskData} data
   * @param {Line} line
   * @param {Storage} [storage]
   */
  constructor(root, data, line, storage = localStorage) {
    this.root = root;
    this.data = data;
    this.line = line;
    this.stopped = new AbortController();
    this.owner = `${data.study}:${data.annotator}`;
    /** Ratings as this window shows them. @type {(Value | null)[]} */
    this.values = data.entries.map(({ value }) => value);
    this.drafts = new Drafts(this.owner, data.queue, storage);
    /** Saves of this window that an undo takes back. @type {{at: number, before: Value | null, draft: Draft}[]} */
    this.past = [];
    /** Why the server refused the rating of an item; such an item is not saved. @type {Map<number, string>} */
    this.refusals = new Map();
    /** Items that are rated although their map is missing: the annotator said so. @type {Set<number>} */
    this.withoutMap = new Set();
    /** Whether the item was rated when one came to it: it takes a key to change it. */
    this.locked = false;
    /** @type {Map<number, Answer>} */
    this.conflicts = new Map();
    this.notice = "";
    this.skipping = false;
    this.clock = new Clock(data.idle_s);
    this.outbox = new Outbox({
      owner: this.owner,
      storage,
      send: (queue, actions) => line.post(queue, actions),
      onAnswer: (answer, action) => takeAnswer(this, answer, action),
      onChange: () => this.view?.showState(),
    });
    this.shelf = new Shelf((ask) => line.want(ask), data.entries.length);
    this.places = new Places(this.owner, data.queue, storage);
    this.channel = new BroadcastChannel(`navviz:${this.owner}`);
    this.adoptWaiting();
    this.at = this.firstItem();
    this.locked = this.value !== null;
    root.classList.add("navviz-desk");
    root.dataset.theme = pageTheme(root);
    this.view = new DeskView(this);
    /** @type {Form} */
    this.form = new FORMS[data.task](this, this.view.form);
    this.itemView = new ItemView(this);
    listen(this);
    this.show();
    this.outbox.flush();
  }

  // --- what is on the desk

  get entry() {
    return this.data.entries[this.at];
  }

  get value() {
    return this.values[this.at];
  }

  get sheet() {
    return this.shelf.get(this.at);
  }

  /** @returns {Draft} */
  get draft() {
    return this.drafts.of(itemKey(this.entry.item));
  }

  /** Whether the map or the replay of the item stands beside it. */
  get mapHere() {
    return Boolean(this.sheet?.document);
  }

  /** Whether a rating leads on to the next item by itself. */
  get goesOn() {
    return localStorage.getItem(GOES_ON) === "on";
  }

  get rated() {
    return this.values.filter((value) => value !== null).length;
  }

  /** Ratings that earlier windows could not send stand as they were given. */
  adoptWaiting() {
    const places = new Map(this.data.entries.map(({ item }, i) => [itemKey(item), i]));
    this.data.entries.forEach(({ item, revision }) => {
      this.outbox.knows(item, revision);
    });
    for (const { item, kind, value, queue } of this.outbox.actions) {
      const at = item && queue === this.data.queue ? places.get(itemKey(item)) : undefined;
      if (at !== undefined && kind === "save") this.values[at] = value;
    }
  }

  /** What the address names, else where one was, else the first item that is neither rated nor skipped. */
  firstItem() {
    const named = addressedItem(this.data);
    if (named >= 0) return this.trainedFirst(named);
    const key = this.places.last();
    const placed = this.data.entries.findIndex(({ item }) => itemKey(item) === key);
    if (placed >= 0) return this.trainedFirst(placed);
    const open = this.data.entries.findIndex(({ skipped }, i) => !skipped && this.values[i] === null);
    return open >= 0 ? open : this.data.entries.length - 1;
  }

  /** A newer state of the queue, after a new run of the page. @param {DeskData} data */
  update(data) {
    const here = itemKey(this.entry.item);
    this.data = data;
    this.values = data.entries.map(({ value }) => value);
    this.adoptWaiting();
    const at = data.entries.findIndex(({ item }) => itemKey(item) === here);
    this.at = at >= 0 ? at : Math.min(this.at, data.entries.length - 1);
    this.view.showGuide();
    this.show();
  }

  // --- what the annotator does

  /**
   * Save a rating of the item on the desk: shown now, sent soon.
   * @param {Record<string, unknown>} fields
   * @param {boolean} [typed]  a comment was typed, which changes a finished rating on purpose
   */
  save(fields, typed = false) {
    if (!typed && !this.mayRate()) return;
    const comment = this.draft.comment ?? this.value?.comment ?? "";
    const without_map = !this.mapHere && this.withoutMap.has(this.at);
    const value = /** @type {Value} */ (
      /** @type {unknown} */ ({ task: this.data.task, ...fields, comment, without_map })
    );
    const before = this.value;
    if (same(before, value)) return;
    const { item } = this.entry;
    this.past.push({ at: this.at, before, draft: { ...this.draft } });
    this.put(this.at, value);
    this.drafts.rated(itemKey(item));
    this.refusals.delete(this.at);
    this.entry.skipped = false;
    this.notice = "";
    this.send({ kind: "save", item, value });
    if (!typed && this.goesOn && !this.entry.training && this.form.done?.(value)) this.goOn();
    else this.showItem();
  }

  /** Whether a rating counts now; else the desk says why not. */
  mayRate() {
    if (this.locked) this.notice = "This item is rated. E changes it.";
    else if (!this.mapHere && !this.withoutMap.has(this.at))
      this.notice =
        "The map of this item is not here, so nothing was rated. B rates without it, and the rating says so.";
    else return true;
    this.showItem();
    return false;
  }

  /** Open a finished rating for a change. */
  change() {
    this.locked = false;
    this.notice = "";
    this.showItem();
  }

  rateWithoutMap() {
    this.withoutMap.add(this.at);
    this.notice = "You rate this item without its map.";
    this.showItem();
  }

  /** Lead on after a rating, and say what was rated. */
  goOn() {
    const { episode } = this.entry.item;
    const last = this.at;
    this.go(this.at + 1);
    if (this.at === last) return;
    this.notice = `Rated: episode ${episode}. U takes it back.`;
    this.showItem();
  }

  /** Remember a choice that is no rating yet. @param {Draft} fields */
  keep(fields) {
    if (this.locked) {
      this.mayRate();
      return;
    }
    Object.assign(this.draft, fields);
    this.drafts.keep(itemKey(this.entry.item));
    this.showItem();
  }

  /** @param {number} at @param {Value | null} value */
  put(at, value) {
    this.values[at] = value;
  }

  /** @param {Pick<Action, "kind" | "item"> & Partial<Action>} done */
  send(done) {
    const seconds = done.item && done.kind === "save" ? this.clock.take(itemKey(done.item)) : 0;
    return this.outbox.add({ queue: this.data.queue, seconds, ...done });
  }

  /** Keep what was typed as a comment. */
  saveComment() {
    const typed = this.view.comment.value;
    if (typed === (this.draft.comment ?? this.value?.comment ?? "")) return;
    this.draft.comment = typed;
    delete this.draft.typed;
    this.drafts.keep(itemKey(this.entry.item));
    if (this.value) this.save({ ...this.value }, true);
  }

  /** Keep each letter of a comment in the browser; it is saved when one pauses. */
  keepTyping() {
    this.draft.typed = this.view.comment.value;
    this.drafts.keep(itemKey(this.entry.item));
  }

  /** @param {number} at */
  go(at) {
    const wanted = Math.max(0, Math.min(this.data.entries.length - 1, at));
    this.saveComment();
    this.skipping = false;
    const next = this.trainedFirst(wanted);
    if (next === this.at) return this.showItem();
    this.at = next;
    this.locked = this.value !== null;
    this.notice = "";
    writeAddress(this.data, this.entry.item);
    this.show();
  }

  /** The items that count come after the training round. @param {number} at */
  trainedFirst(at) {
    const left = this.data.entries.findIndex((entry, i) => entry.training && !entry.skipped && !this.values[i]);
    return left < 0 || this.data.entries[at].training ? at : left;
  }

  /** @param {string} reason */
  skip(reason) {
    this.entry.skipped = true;
    this.entry.reason = reason;
    this.send({ kind: "skip", item: this.entry.item, reason });
    this.go(this.at + 1);
  }

  undo() {
    this.saveComment();
    const last = this.past.pop();
    if (last) {
      this.put(last.at, last.before);
      this.at = last.at;
      // the whole rating comes back: what was chosen before it, too
      this.drafts.put(itemKey(this.entry.item), last.draft);
      this.refusals.delete(last.at);
      this.locked = false;
      this.notice = `Undone: episode ${this.entry.item.episode}.`;
    }
    this.send({ kind: "undo", item: last ? this.entry.item : null });
    this.show();
  }

  /** Take the rating that stands, or keep one's own over it. @param {boolean} mine */
  settle(mine) {
    const conflict = this.conflicts.get(this.at);
    if (!conflict) return;
    this.conflicts.delete(this.at);
    const own = this.value;
    this.drafts.drop(itemKey(this.entry.item));
    this.locked = false;
    this.put(this.at, conflict.value);
    if (mine && own) this.save(own);
    else this.showItem();
  }

  // --- walking

  /** @param {string[]} taken */
  walkOn(taken) {
    this.shelf.walk(this.at, taken);
  }

  /** @param {string[]} choices @param {boolean} gave_up */
  endWalk(choices, gave_up) {
    const seconds = this.clock.take(itemKey(this.entry.item));
    const value = /** @type {Value} */ (/** @type {unknown} */ ({ task: "follow", gave_up, comment: "" }));
    this.past.push({ at: this.at, before: this.value, draft: {} });
    this.put(this.at, value);
    this.outbox.add({ queue: this.data.queue, kind: "walk", item: this.entry.item, choices, gave_up, seconds });
    if (this.goesOn && !this.entry.training) this.goOn();
    else this.showItem();
  }

  // --- what the server says

  /** @param {Sheet[]} sheets */
  receive(sheets) {
    this.shelf.take(sheets);
    this.root.dataset.shelf = [...this.shelf.sheets.keys()].join(" ");
    if (sheets.some(({ position }) => position === this.at)) {
      this.showItem();
      this.itemView.show();
    }
  }

  // --- showing

  /** The item that one has come to. */
  show() {
    const { item } = this.entry;
    this.places.stay(itemKey(item));
    keepAddress(this.data, item);
    this.clock.turn(itemKey(item));
    this.root.dataset.position = String(this.at);
    this.root.dataset.episode = item.episode;
    this.showItem();
    this.itemView.show();
    this.shelf.need(this.at);
  }

  showItem() {
    keepingFocus(this.root, () => {
      this.view.show();
      this.form.show();
    });
  }

  // --- keys

  /** What the keys do now. @returns {Command[]} */
  commands() {
    if (this.skipping) return this.view.reasons();
    const rating = this.locked ? [] : this.form.commands();
    return [...this.view.conflictCommands(), ...rating, ...this.view.commands()];
  }

  destroy() {
    this.saveComment();
    this.stopped.abort();
    this.channel.close();
    clearAddress(this.data);
    this.itemView.destroy();
    this.view.destroy();
    this.root.replaceChildren();
  }
}

/** Whether two ratings say the same. @param {Value | null} a @param {Value | null} b */
function same(a, b) {
  const sorted = (/** @type {Value | null} */ value) => JSON.stringify(value && Object.entries(value).sort());
  return sorted(a) === sorted(b);
}
