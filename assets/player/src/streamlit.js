// @ts-check
// The player and the map to pick nodes on as Streamlit components (v2: mounted in the page itself, no frame).
import { Pick } from "./pick.js";
import { Player } from "./player.js";

/** @typedef {import("./document").ReplayDocument} ReplayDocument */
/** @typedef {import("./types").Options} Options */
/**
 * @template T
 * @typedef {object} Component  what Streamlit hands over at each run of the script
 * @property {T} data
 * @property {HTMLElement} parentElement
 * @property {(name: string, value: unknown) => void} setTriggerValue
 */
/**
 * @typedef {object} Held
 * @property {string} digest  of the document that is shown
 * @property {(name: string, value: unknown) => void} send
 * @property {Promise<Player>} player
 * @property {() => void} destroy
 */

/** @type {WeakMap<Element, Held>} */
const players = new WeakMap();
/** @type {WeakMap<Element, Pick>} */
const maps = new WeakMap();

/**
 * Show a player, or give a newer document to the one that is there. The data is a digest, a line feed, and JSON: a rerun
 * with the same document costs nothing.
 * @param {Component<Uint8Array | ArrayBuffer>} component
 */
export async function player({ data, parentElement, setTriggerValue }) {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const line = bytes.indexOf(10);
  const digest = new TextDecoder().decode(bytes.subarray(0, line));
  const held = players.get(parentElement);
  if (held) held.send = setTriggerValue;
  if (held?.digest === digest) return held.destroy;
  /** @type {{document: ReplayDocument, options: Options}} */
  const told = JSON.parse(new TextDecoder().decode(bytes.subarray(line + 1)));
  if (held) {
    held.digest = digest;
    const shown = await held.player;
    if (held.digest === digest) await shown.update(told.document);
    return held.destroy;
  }
  const fresh = mount(parentElement, digest, setTriggerValue, told);
  players.set(parentElement, fresh);
  await fresh.player;
  return fresh.destroy;
}

/**
 * @param {HTMLElement} parent
 * @param {string} digest
 * @param {Held["send"]} send
 * @param {{document: ReplayDocument, options: Options}} told
 * @returns {Held}
 */
function mount(parent, digest, send, told) {
  const root = document.createElement("div");
  parent.append(root);
  /** @type {Options} */
  const options = { ...told.options, onAction: (name, step) => held.send("action", { name, step }) };
  /** @type {Held} */
  const held = {
    digest,
    send,
    player: Player.mount(root, told.document, options),
    destroy: () => {
      players.delete(parent);
      held.player.then((shown) => {
        shown.destroy();
        root.remove();
      });
    },
  };
  return held;
}

/**
 * @param {Component<{document: import("./pick.js").PickDocument, options: import("./pick.js").PickOptions}>} component
 */
export function pick({ data, parentElement, setTriggerValue }) {
  const options = { ...data.options, onPick: (/** @type {number} */ index) => setTriggerValue("picked", index) };
  let map = maps.get(parentElement);
  if (map) map.update(data.document, options);
  else {
    const root = document.createElement("div");
    parentElement.append(root);
    map = Pick.mount(root, data.document, options);
    maps.set(parentElement, map);
  }
  const shown = map;
  return () => {
    maps.delete(parentElement);
    shown.destroy();
  };
}
