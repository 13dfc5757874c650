// @ts-check
// A text that is typed into a field of the page and that nothing has taken over yet: kept in the browser, so that neither a
// reload nor a crash nor another page loses it. Streamlit's server hears of a text when its field is left.
import { keep, recall } from "../shell/memory.js";

/** @typedef {import("./component.js").Component<Draft>} DraftComponent */
/**
 * @typedef {object} Draft
 * @property {string} scope  whose field it is, and what it is about
 * @property {string} original
 * @property {string} written  what stands there as long as nobody types
 * @property {string} text  what the server has
 * @property {string} listensTo  the field; empty where the server alone changes the text, such as that of breakpoints
 */
/** @typedef {{base: string, text: string}} Kept  a text, and what it was made of */

const NAME = "drafts";
const MOST = 50;

/** What the server had last, by scope; empty after a reload. @type {Map<string, string>} */
const heard = new Map();
/** Of the field that the page shows. @type {Draft | null} */
let current = null;

/** @returns {[string, Kept][]} */
function all() {
  const kept = recall(NAME);
  return Array.isArray(kept) ? kept : [];
}

/** @param {string} scope @param {Kept | null} draft */
function put(scope, draft) {
  const others = all().filter(([name]) => name !== scope);
  keep(NAME, draft ? [...others.slice(1 - MOST), [scope, draft]] : others);
}

/** Keep what is typed, and hand it to the server where that has lost it. @param {DraftComponent} component */
export function draft({ data, setTriggerValue }) {
  const { scope, original, written, text, listensTo } = data;
  const kept = all().find(([name]) => name === scope)?.[1];
  const before = heard.get(scope);
  heard.set(scope, text);
  if (kept && kept.text === text) {
    if (text === written) put(scope, null);
  } else if (kept && before === undefined) {
    // a walk that is shown has a text of its own, which a draft of another text would hide
    if (kept.base === written || written === original) setTriggerValue("draft", { text: kept.text });
  } else if (!listensTo) {
    if (before !== text) put(scope, text === written ? null : { base: written, text });
  } else if (kept && before !== text && !document.activeElement?.matches(listensTo)) put(scope, null);
  if (listensTo) {
    current = data;
    document.addEventListener("input", onInput); // again, it is the same listener
  }
  return () => {
    if (listensTo) document.removeEventListener("input", onInput);
    heard.delete(scope);
  };
}

/** @param {Event} event */
function onInput({ target }) {
  if (!current || !(target instanceof HTMLTextAreaElement) || !target.matches(current.listensTo)) return;
  const { scope, written } = current;
  put(scope, target.value === written ? null : { base: written, text: target.value });
}
