// @ts-check
// What the server and other tabs say about ratings, and what the desk makes of it.
import { itemKey } from "./outbox.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./types").Action} Action */
/** @typedef {import("./types").Answer} Answer */

/** @param {Desk} desk @param {string} key  of an item; -1 where the queue does not hold it */
const placeOf = (desk, key) => desk.data.entries.findIndex(({ item }) => itemKey(item) === key);

/** The server has answered an action. @param {Desk} desk @param {Answer} answer @param {Action} action */
export function takeAnswer(desk, answer, action) {
  const key = answer.item && itemKey(answer.item);
  const at = key ? placeOf(desk, key) : -1;
  if (answer.feedback !== undefined && at >= 0) desk.data.entries[at].feedback = answer.feedback;
  if (answer.state === "refused") {
    desk.notice = `Not saved: ${answer.message}`;
    if (at >= 0) desk.refusals.set(at, answer.message);
  }
  if (answer.state !== "saved") desk.past = desk.past.filter((save) => save.at !== at);
  if (answer.state === "refused" && action.kind === "walk" && at >= 0) desk.put(at, null);
  if (answer.state === "conflict" && at >= 0) desk.conflicts.set(at, answer);
  if (answer.state === "saved" && action.kind === "undo") takeUndone(desk, answer, action, at);
  if (answer.state === "saved" && at >= 0 && answer.revision !== null)
    desk.channel.postMessage({ key, value: desk.values[at], revision: answer.revision });
  if (at === desk.at || desk.notice) desk.showItem();
}

/** @param {Desk} desk @param {Answer} answer @param {Action} action @param {number} at */
function takeUndone(desk, answer, action, at) {
  if (answer.message) desk.notice = answer.message;
  if (at < 0 || desk.outbox.holds(desk.data.entries[at].item)) return;
  desk.put(at, answer.value);
  if (action.item) return; // the desk has put back the draft of its own save already
  desk.drafts.drop(itemKey(desk.data.entries[at].item));
  desk.at = at;
  desk.locked = false;
  desk.notice = `Undone: episode ${desk.entry.item.episode}.`;
  desk.show();
}

/**
 * Another tab of the same annotator has saved.
 * @param {Desk} desk
 * @param {{key: string, value: import("./types").Value | null, revision: number}} saved
 */
export function takeOtherTab(desk, { key, value, revision }) {
  const at = placeOf(desk, key);
  if (at < 0 || desk.outbox.holds(desk.data.entries[at].item)) return;
  desk.outbox.knows(desk.data.entries[at].item, revision);
  desk.put(at, value);
  desk.drafts.drop(key);
  if (at === desk.at && value !== null) {
    // else the key that was meant for a new item would change the other tab's rating, or do nothing without a word
    desk.locked = true;
    desk.notice = "Another tab rated this item. E changes it, J goes on.";
  }
  desk.showItem();
}
