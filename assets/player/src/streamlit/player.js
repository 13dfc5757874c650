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
 * @typedef {object} Mounted
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

/** @type {WeakMap<Element, Mounted>} */
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
  const entry = players.get(parentElement);
  if (entry) entry.send = setTriggerValue;
  if (entry?.digest === digest) return entry.destroy;
  /** @type {{document: ReplayDocument, options: Options}} */
  const message = parsed(bytes);
  if (entry) {
    entry.digest = digest;
    entry.listensTo = message.options.listensTo;
    if (entry.shows === message.options.shows) {
      const shown = await entry.player;
      if (entry.digest === digest) {
        shown.options.breakpoints = message.options.breakpoints;
        await shown.update(message.document);
      }
    } else {
      entry.shows = message.options.shows;
      entry.player = exchange(entry, message);
      await entry.player;
    }
    if (entry.digest === digest) entry.root.dataset.digest = digest; // for whoever waits until it is painted
    return entry.destroy;
  }
  const fresh = mount(parentElement, digest, setTriggerValue, message);
  players.set(parentElement, fresh);
  await fresh.player;
  return fresh.destroy;
}

/** Keep the episodes of the run that the page shows. @param {Component<Uint8Array | ArrayBuffer>} component */
export function episodes({ data }) {
  const message = opened(data);
  if (run?.digest !== message.digest) run = message;
  return () => {};
}

async function runIndex() {
  if (run) run.entries ??= unpackIndex(run.bytes);
  return (await run?.entries) ?? [];
}

/**
 * @param {HTMLElement} parent
 * @param {string} digest
 * @param {Mounted["send"]} send
 * @param {{document: ReplayDocument, options: Options}} message
 * @returns {Mounted}
 */
function mount(parent, digest, send, message) {
  const root = document.createElement("div");
  parent.append(root);
  /** @type {Mounted} */
  const entry = {
    digest,
    send,
    shows: message.options.shows,
    listensTo: message.options.listensTo,
    root,
    player: Player.mount(
      root,
      message.document,
      optionsOf(message.options, () => entry),
    ),
    destroy: () => {
      players.delete(parent);
      deafen();
      entry.player.then((shown) => {
        shown.destroy();
        root.remove();
      });
    },
  };
  const deafen = listen(entry);
  return entry;
}

/**
 * Tell the script what is typed into a field of the page, once the typing pauses: Streamlit itself tells when the field
 * is left.
 * @param {Mounted} entry
 * @returns {() => void} ends it
 */
function listen(entry) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;
  const onInput = (/** @type {Event} */ event) => {
    const field = event.target;
    if (!entry.listensTo || !(field instanceof HTMLTextAreaElement) || !field.matches(entry.listensTo)) return;
    clearTimeout(pause);
    pause = setTimeout(() => entry.send("typed", { text: field.value }), TYPING_MS);
  };
  // the page's button knows no step
  const onClick = (/** @type {Event} */ { target }) => {
    if (target instanceof Element && target.closest(".st-key-replay_talk_add button"))
      entry.player.then((shown) => shown.act("talk"));
  };
  document.addEventListener("input", onInput);
  document.addEventListener("click", onClick);
  return () => {
    clearTimeout(pause);
    document.removeEventListener("click", onClick);
    document.removeEventListener("input", onInput);
  };
}

/**
 * @param {Options} options
 * @param {() => Mounted} entry
 * @returns {Options}
 */
function optionsOf(options, entry) {
  return {
    ...options,
    onAction: (name, step, episode, cause, at) =>
      entry().send("action", { name, step, episode: episode ?? null, cause: cause ?? null, at: at ?? null }),
    runIndex: options.episodes ? runIndex : undefined,
  };
}

/**
 * Put a player of another walk where one stands. The texts are unpacked before the old one goes, so that the page is
 * never without a player and keeps its height.
 * @param {Mounted} entry
 * @param {{document: ReplayDocument, options: Options}} message
 * @returns {Promise<Player>}
 */
async function exchange(entry, { document: doc, options }) {
  const [old, strings] = await Promise.all([entry.player, unpackStrings(doc.strings)]);
  if (entry.shows !== options.shows || !players.has(/** @type {Element} */ (entry.root.parentElement))) return old;
  old.destroy();
  return new Player(
    entry.root,
    doc,
    optionsOf(options, () => entry),
    strings,
  );
}
