// @ts-check
// The player and the map to pick nodes on as Streamlit components (v2: mounted in the page itself, no frame).
import { Pick } from "./pick.js";
import { Player } from "./player.js";
import { unpackIndex } from "./text/run-index.js";
import { unpackStrings } from "./text/strings.js";

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
 * @property {string | undefined} shows  what the document is of: another walk gets another player, in the same place
 * @property {HTMLElement} root
 * @property {(name: string, value: unknown) => void} send
 * @property {Promise<Player>} player
 * @property {() => void} destroy
 */

/** @type {WeakMap<Element, Held>} */
const players = new WeakMap();
/** The episodes of the run that the page shows, packed, and unpacked once somebody searches.
 *  @type {{digest: string, bytes: Uint8Array, entries?: Promise<import("./text/run-index.js").IndexEntry[]>} | null} */
let run = null;
/** @type {WeakMap<Element, Pick>} */
const maps = new WeakMap();

/**
 * Show a player, or give a newer document to the one that is there. The data is a digest, a line feed, and JSON: a rerun
 * with the same document costs nothing.
 * @param {Component<Uint8Array | ArrayBuffer>} component
 */
export async function player({ data, parentElement, setTriggerValue }) {
  const { digest, bytes } = opened(data);
  const held = players.get(parentElement);
  if (held) held.send = setTriggerValue;
  if (held?.digest === digest) return held.destroy;
  /** @type {{document: ReplayDocument, options: Options}} */
  const told = JSON.parse(new TextDecoder().decode(bytes));
  if (held) {
    held.digest = digest;
    if (held.shows === told.options.shows) {
      const shown = await held.player;
      if (held.digest === digest) await shown.update(told.document);
    } else {
      held.shows = told.options.shows;
      held.player = exchange(held, told);
      await held.player;
    }
    return held.destroy;
  }
  const fresh = mount(parentElement, digest, setTriggerValue, told);
  players.set(parentElement, fresh);
  await fresh.player;
  return fresh.destroy;
}

/** A digest, a line feed, and what it is of. @param {Uint8Array | ArrayBuffer} data */
function opened(data) {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const line = bytes.indexOf(10);
  return { digest: new TextDecoder().decode(bytes.subarray(0, line)), bytes: bytes.subarray(line + 1) };
}

/** Keep the episodes of the run that the page shows. @param {Component<Uint8Array | ArrayBuffer>} component */
export function episodes({ data }) {
  const told = opened(data);
  if (run?.digest !== told.digest) run = told;
  return () => {};
}

async function runIndex() {
  if (run) run.entries ??= unpackIndex(run.bytes);
  return (await run?.entries) ?? [];
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
  /** @type {Held} */
  const held = {
    digest,
    send,
    shows: told.options.shows,
    root,
    player: Player.mount(
      root,
      told.document,
      optionsOf(told.options, () => held),
    ),
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
 * @param {Options} options
 * @param {() => Held} held
 * @returns {Options}
 */
function optionsOf(options, held) {
  return {
    ...options,
    onAction: (name, step, episode) => held().send("action", { name, step, episode: episode ?? null }),
    runIndex: options.episodes ? runIndex : undefined,
  };
}

/**
 * Put a player of another walk where one stands. The texts are unpacked before the old one goes, so that the page is
 * never without a player and keeps its height.
 * @param {Held} held
 * @param {{document: ReplayDocument, options: Options}} told
 * @returns {Promise<Player>}
 */
async function exchange(held, { document: doc, options }) {
  const [old, strings] = await Promise.all([held.player, unpackStrings(doc.strings)]);
  if (held.shows !== options.shows || !players.has(/** @type {Element} */ (held.root.parentElement))) return old;
  old.destroy();
  return new Player(
    held.root,
    doc,
    optionsOf(options, () => held),
    strings,
  );
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
