// @ts-check
// What Streamlit hands a component (v2: mounted in the page itself, no frame), and how packed data is opened.

/**
 * @template T
 * @typedef {object} Component  what Streamlit hands over at each run of the script
 * @property {T} data
 * @property {HTMLElement} parentElement
 * @property {(name: string, value: unknown) => void} setTriggerValue
 */

/** How often a place was drawn. @type {WeakMap<Element, number>} */
const draws = new WeakMap();

/**
 * Draw a part of the page, and hand out how it is taken away. Streamlit takes away what a draw leaves that a newer one has
 * overtaken, and the newer one stands in the same place: only the last draw may take anything away.
 * @template T
 * @param {(component: Component<T>) => unknown} draw
 * @param {Component<T>} component
 */
export async function lasting(draw, component) {
  const place = component.parentElement;
  const turn = (draws.get(place) ?? 0) + 1;
  draws.set(place, turn);
  const leave = await draw(component);
  return () => {
    if (draws.get(place) === turn && typeof leave === "function") leave();
  };
}

/** A digest, a line feed, and the bytes that it is of. @param {Uint8Array | ArrayBuffer} data */
export function opened(data) {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const line = bytes.indexOf(10);
  return { digest: new TextDecoder().decode(bytes.subarray(0, line)), bytes: bytes.subarray(line + 1) };
}

/** What the bytes tell as JSON. @param {Uint8Array} bytes */
export function parsed(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}
