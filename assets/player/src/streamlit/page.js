// @ts-check
// Small helpers of a page as components: the map to pick nodes on, a receipt for a cookie, guidelines as they are written.
import { guidelines } from "../desk/guidelines.js";
import { Pick } from "../pick.js";
import { pageTheme } from "../shell/theme.js";

/**
 * @template T
 * @typedef {import("./component.js").Component<T>} Component
 */

/** @type {WeakMap<Element, Pick>} */
const maps = new WeakMap();

/**
 * @param {Component<{document: import("../pick.js").PickDocument, options: import("../pick.js").PickOptions}>} component
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

/** @type {Set<string>} */
const fetched = new Set();

/**
 * Show a receipt to the server once: its answer sets a cookie that no script can read, or takes it back.
 * @param {Component<{address: string, receipt: string}>} component
 */
export function cookie({ data }) {
  const { address, receipt } = data;
  if (fetched.has(receipt)) return;
  fetched.add(receipt);
  const headers = { "X-NavViz-Receipt": receipt };
  // without a connection the next run of the page tries again
  fetch(address, { method: "POST", headers }).catch(() => fetched.delete(receipt));
}

const INVITED = "#invite=";

/**
 * Hand an invitation over to the page, and take it out of the address at once: neither a bookmark nor a copied link keeps it.
 * What stands behind `#` was sent to no server.
 * @param {Component<object>} component
 */
export function invitation({ setTriggerValue }) {
  const take = () => {
    if (!location.hash.startsWith(INVITED)) return;
    const [name, token] = location.hash.slice(INVITED.length).split(":");
    history.replaceState(history.state, "", location.pathname + location.search);
    try {
      setTriggerValue("invited", { name: decodeURIComponent(name), token: token ?? "" });
    } catch {
      /* a broken link is none */
    }
  };
  take();
  window.addEventListener("hashchange", take);
  return () => window.removeEventListener("hashchange", take);
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
