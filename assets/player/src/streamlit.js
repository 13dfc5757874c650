// @ts-check
// The player and the map to pick nodes on as Streamlit components (v2: mounted in the page itself, no frame).
import { Desk } from "./desk/desk.js";
import { guidelines } from "./desk/guidelines.js";
import { Pick } from "./pick.js";
import { Player } from "./player.js";
import { pageTheme } from "./shell/theme.js";
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

/** @typedef {import("./desk/types").DeskData} DeskData */
/** @typedef {import("./desk/types").Answer} Answer */
/** @typedef {import("./desk/types").Sheet} Sheet */
/**
 * @typedef {object} DeskLine  the three elements of one desk, in whatever order they come
 * @property {Desk | null} desk
 * @property {((name: string, value: unknown) => void) | null} post
 * @property {((name: string, value: unknown) => void) | null} want
 * @property {string} digest
 */

/** @type {Map<string, DeskLine>} */
const lines = new Map();

/** @param {string} name @returns {DeskLine} */
function lineOf(name) {
  const line = lines.get(name) ?? { desk: null, post: null, want: null, digest: "" };
  lines.set(name, line);
  return line;
}

/** The desk itself: the queue's items, sent when the page runs. @param {Component<Uint8Array>} component */
export function desk({ data, parentElement }) {
  const { digest, told } = /** @type {{digest: string, told: DeskData}} */ (unpacked(data));
  const line = lineOf(told.desk);
  if (line.desk && line.desk.root.parentElement === parentElement) {
    if (line.digest !== digest) line.desk.update(told);
  } else {
    line.desk?.destroy();
    const root = document.createElement("div");
    parentElement.replaceChildren(root);
    line.desk = new Desk(root, told, {
      post: (queue, actions) => line.post?.("actions", { queue, actions }),
      want: (ask) => {
        line.want?.("ask", ask);
        return line.want !== null; // the element that asks the server may come after the desk
      },
    });
  }
  line.digest = digest;
  const shown = line.desk;
  return () => {
    if (line.desk === shown) line.desk = null;
    shown.destroy();
  };
}

/** The way of actions and answers. @param {Component<{desk: string, answers: Answer[]}>} component */
export function post({ data, setTriggerValue }) {
  const line = lineOf(data.desk);
  line.post = setTriggerValue;
  line.desk?.outbox.receive(data.answers);
}

/** The way of maps. @param {Component<Uint8Array>} component */
export function shelf({ data, setTriggerValue }) {
  const { told } = /** @type {{told: {desk: string, sheets: Sheet[]}}} */ (unpacked(data));
  const line = lineOf(told.desk);
  line.want = setTriggerValue;
  line.desk?.receive(told.sheets);
}

/**
 * Keep a text that the server signed, or forget it. The page's other cookies stay.
 * @param {Component<{name: string, value: string, max_age_s: number}>} component
 */
export function cookie({ data }) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store needs a secure context, which a lab's own server is not
  document.cookie = `${data.name}=${data.value}; Path=/; Max-Age=${data.max_age_s}; SameSite=Strict${secure}`;
}

/**
 * Guidelines as annotators will see them, while the lead writes them into a field of the page.
 * @param {Component<{text: string, listensTo: string}>} component
 */
export function guide({ data, parentElement }) {
  const box = document.createElement("div");
  box.className = "nv-guide nv-prose";
  const root = document.createElement("div");
  root.className = "navviz-desk navviz-guidelines";
  root.append(box);
  parentElement.replaceChildren(root);
  root.dataset.theme = pageTheme(root);
  box.replaceChildren(...guidelines(data.text));
  const onInput = (/** @type {Event} */ event) => {
    const field = event.target;
    if (field instanceof HTMLTextAreaElement && field.matches(data.listensTo))
      box.replaceChildren(...guidelines(field.value));
  };
  document.addEventListener("input", onInput);
  return () => document.removeEventListener("input", onInput);
}

/** A digest, a line feed, and JSON. @param {Uint8Array | ArrayBuffer} data */
function unpacked(data) {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const cut = bytes.indexOf(10);
  const decode = (/** @type {Uint8Array} */ part) => new TextDecoder().decode(part);
  return { digest: decode(bytes.subarray(0, cut)), told: JSON.parse(decode(bytes.subarray(cut + 1))) };
}
