// @ts-check
// What Streamlit hands a component (v2: mounted in the page itself, no frame), and how packed data is opened.

/**
 * @template T
 * @typedef {object} Component  what Streamlit hands over at each run of the script
 * @property {T} data
 * @property {HTMLElement} parentElement
 * @property {(name: string, value: unknown) => void} setTriggerValue
 */

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
