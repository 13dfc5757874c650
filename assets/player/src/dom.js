// @ts-check
// Elements made of data: text becomes text nodes, never markup.

/** @typedef {Node | string | null | undefined | false} Child */
/**
 * @typedef {object} Props
 * @property {string} [class]
 * @property {string | number} [text]
 * @property {Record<string, (event: any) => void>} [on]  handlers by event
 * @property {Record<string, string | number>} [data]  data attributes
 * @property {Record<string, string>} [style]  style properties
 */

/** What is no attribute of its own name. */
const SPECIAL = new Set(["class", "text", "on", "data", "style"]);

/**
 * Make an element. Beside class, text, on, data and style, props are attributes.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Props & Record<string, unknown>} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  if (props.class) node.className = props.class;
  if (props.text !== undefined && props.text !== null) node.textContent = String(props.text);
  for (const [event, handler] of Object.entries(props.on ?? {})) node.addEventListener(event, handler);
  for (const [name, value] of Object.entries(props.data ?? {})) node.dataset[name] = String(value);
  for (const [name, value] of Object.entries(props.style ?? {})) node.style.setProperty(name, value);
  for (const [name, value] of Object.entries(props)) {
    if (SPECIAL.has(name) || value === undefined || value === null || value === false) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) if (child !== null && child !== undefined && child !== false) node.append(child);
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...Node} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** A press of the mouse that leaves the focus where it is. @param {Event} event */
export const keepFocus = (event) => event.preventDefault();

/**
 * A part that folds. The click is heard rather than the toggle, which comes later than the next key may.
 * @param {Props & Record<string, unknown>} props
 * @param {HTMLElement} summary
 * @param {Node} body
 * @param {boolean} open
 * @param {(open: boolean) => void} onFold
 */
export function fold(props, summary, body, open, onFold) {
  const details = el("details", props, summary, body);
  details.open = open;
  summary.addEventListener("click", () => onFold(!details.open));
  return details;
}

/** Paths of the icons, in a box of 24. */
const ICONS = {
  first: "M6 5v14M19 5 9 12l10 7z",
  previous: "M17 5 7 12l10 7z",
  play: "M7 4l13 8-13 8z",
  pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  next: "M7 5l10 7-10 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
  keys: "M12 17h.01M9.2 9a2.9 2.9 0 1 1 4.2 2.6c-.9.5-1.4 1-1.4 2.1",
  present: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  closer: "M12 5v14M5 12h14",
  farther: "M5 12h14",
  whole: "M4 9V5a1 1 0 0 1 1-1h4M20 9V5a1 1 0 0 0-1-1h-4M4 15v4a1 1 0 0 0 1 1h4M20 15v4a1 1 0 0 1-1 1h-4",
  close: "M12 3v3M12 18v3M3 12h3M18 12h3M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
  tiles: "M9 4 3.5 6.5v13L9 17l6 3 5.5-2.5v-13L15 7 9 4zM9 4v13M15 7v13",
  layers: "M12 4 3 9l9 5 9-5zM4 13l8 4.5L20 13",
  plan: "M4 4h16v16H4zM4 11h7V4M11 20v-5h9",
  both: "M3 5h18v14H3zM12 5v14",
  scene: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5",
};

const FILLED = new Set(["first", "previous", "play", "pause", "next", "last"]);

/** @typedef {keyof typeof ICONS} IconName */

/** @param {IconName} name */
export function icon(name) {
  const look = FILLED.has(name) ? "nv-icon nv-filled" : "nv-icon";
  return svg("svg", { viewBox: "0 0 24 24", class: look, "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

/**
 * A button that is an icon.
 * @param {IconName} name
 * @param {string} title
 * @param {(event: MouseEvent) => void} press
 * @param {Record<string, string>} [data]
 */
export function iconButton(name, title, press, data = {}) {
  const props = { type: "button", class: "nv-button", title, "aria-label": title, data };
  return el("button", { ...props, on: { mousedown: keepFocus, click: press } }, icon(name));
}

/** What the text or mark under the pointer speaks of; null where nothing. @param {Event} event @returns {string | null} */
export function refAt(event) {
  const target = event.target instanceof Element ? event.target.closest("[data-ref]") : null;
  return target instanceof HTMLElement || target instanceof SVGElement ? (target.dataset.ref ?? null) : null;
}
