// @ts-check
// The player as a component: it stays while its documents change, and tells what is pressed and typed.
import { Player } from "../player.js";
import { unpackIndex } from "../text/run-index.js";
import { unpackStrings } from "../text/strings.js";
import { opened, parsed } from "./component.js";

/**
 * @template T
 * @typedef {import("./component.js").Component<T>} Component
 */
/** @typedef {import("../document").ReplayDocument} ReplayDocument */
/** @typedef {import("../types").Options} Options */
/**
 * @typedef {object} Held
 * @property {string} digest  of the document that is shown
 * @property {string | undefined} shows  what the document is of: another walk gets another player, in the same place
 * @property {HTMLElement} root
 * @property {string | undefined} listensTo
 * @property {(name: string, value: unknown) => void} send
 * @property {Promise<Player>} player
 * @property {() => void} destroy
 */

/** A pause in typing after which the text is told: shorter, and most letters of a word would be told. */
const TYPING_MS = 300;

/** @type {WeakMap<Element, Held>} */
const players = new WeakMap();
/** The episodes of the run that the page shows, packed, and unpacked once somebody searches.
 *  @type {{digest: string, bytes: Uint8Array, entries?: Promise<import("../text/run-index.js").IndexEntry[]>} | null} */
let run = null;

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
  const told = parsed(bytes);
  if (held) {
    held.digest = digest;
    held.listensTo = told.options.listensTo;
    if (held.shows === told.options.shows) {
      const shown = await held.player;
      if (held.digest === digest) await shown.update(told.document);
    } else {
      held.shows = told.options.shows;
      held.player = exchange(held, told);
      await held.player;
    }
    if (held.digest === digest) held.root.dataset.digest = digest; // for whoever waits until it is painted
    return held.destroy;
  }
  const fresh = mount(parentElement, digest, setTriggerValue, told);
  players.set(parentElement, fresh);
  await fresh.player;
  return fresh.destroy;
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
    listensTo: told.options.listensTo,
    root,
    player: Player.mount(
      root,
      told.document,
      optionsOf(told.options, () => held),
    ),
    destroy: () => {
      players.delete(parent);
      deafen();
      held.player.then((shown) => {
        shown.destroy();
        root.remove();
      });
    },
  };
  const deafen = listen(held);
  return held;
}

/**
 * Tell the script what is typed into a field of the page, once the typing pauses: Streamlit itself tells when the field
 * is left.
 * @param {Held} held
 * @returns {() => void} ends it
 */
function listen(held) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;
  const onInput = (/** @type {Event} */ event) => {
    const field = event.target;
    if (!held.listensTo || !(field instanceof HTMLTextAreaElement) || !field.matches(held.listensTo)) return;
    clearTimeout(pause);
    pause = setTimeout(() => held.send("typed", { text: field.value }), TYPING_MS);
  };
  document.addEventListener("input", onInput);
  return () => {
    clearTimeout(pause);
    document.removeEventListener("input", onInput);
  };
}

/**
 * @param {Options} options
 * @param {() => Held} held
 * @returns {Options}
 */
function optionsOf(options, held) {
  return {
    ...options,
    onAction: (name, step, episode, cause) =>
      held().send("action", { name, step, episode: episode ?? null, cause: cause ?? null }),
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
