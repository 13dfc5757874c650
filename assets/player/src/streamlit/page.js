// @ts-check
// Small helpers of a page as components: the map to pick nodes on, a cookie, guidelines as they are written.
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
