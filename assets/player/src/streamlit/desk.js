// @ts-check
// The desk as components: itself, the way of actions and answers, and the way of maps.
import { Desk } from "../desk/desk.js";
import { opened, parsed } from "./component.js";

/**
 * @template T
 * @typedef {import("./component.js").Component<T>} Component
 */
/** @typedef {import("../desk/types").DeskData} DeskData */
/** @typedef {import("../desk/types").Answer} Answer */
/** @typedef {import("../desk/types").Sheet} Sheet */
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
  const { digest, bytes } = opened(data);
  /** @type {DeskData} */
  const message = parsed(bytes);
  const line = lineOf(message.desk);
  if (line.desk && line.desk.root.parentElement === parentElement) {
    if (line.digest !== digest) line.desk.update(message);
  } else {
    line.desk?.destroy();
    const root = document.createElement("div");
    parentElement.replaceChildren(root);
    line.desk = new Desk(root, message, {
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
  /** @type {{desk: string, sheets: Sheet[]}} */
  const message = parsed(opened(data).bytes);
  const line = lineOf(message.desk);
  line.want = setTriggerValue;
  line.desk?.receive(message.sheets);
}
