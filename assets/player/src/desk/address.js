// @ts-check
// Queue and item in the page's address: a reload comes back to them, and a lead can send them as a link.

/** @typedef {import("./types").DeskData} DeskData */
/** @typedef {import("./types").Item} Item */

/** An item's name in the address: its episode, and its cause or run where a queue holds several of one episode.
 *  @param {DeskData} data @param {Item} item */
function itemName(data, item) {
  const walks = data.entries.filter((entry) => entry.item.episode === item.episode);
  return walks.length > 1 ? `${item.episode}~${item.claim || item.run}` : item.episode;
}

/** The position that the address names; -1 where it names none of this queue. @param {DeskData} data */
export function addressedItem(data) {
  const parameters = new URLSearchParams(location.search);
  const name = parameters.get("item");
  if (name === null || parameters.get("queue") !== data.queue) return -1;
  return data.entries.findIndex(({ item }) => itemName(data, item) === name);
}

/** Write queue and item, where the address does not name them yet. @param {DeskData} data @param {Item} item */
export function writeAddress(data, item) {
  const url = new URL(location.href);
  const name = itemName(data, item);
  if (url.searchParams.get("queue") === data.queue && url.searchParams.get("item") === name) return;
  url.searchParams.set("queue", data.queue);
  url.searchParams.set("item", name);
  try {
    history.replaceState(history.state, "", url);
  } catch {
    // a frame without an address of its own, or a browser that has had enough changes: the next tick tries again
  }
}

/**
 * Write them where the page around has left them out. Another queue's name stays: somebody goes back or forward
 * (maybe before this desk was drawn), and it is about to go.
 * @param {DeskData} data @param {Item} item
 */
export function keepAddress(data, item) {
  const queue = new URLSearchParams(location.search).get("queue");
  if (queue === null || queue === data.queue) writeAddress(data, item);
}

/**
 * Take queue and item out of the address: who sits down next has others. Those of another queue stay: they say where
 * somebody goes.
 * @param {DeskData} data
 */
export function clearAddress(data) {
  const url = new URL(location.href);
  if (!url.searchParams.has("item") || url.searchParams.get("queue") !== data.queue) return;
  url.searchParams.delete("queue");
  url.searchParams.delete("item");
  history.replaceState(history.state, "", url);
}
