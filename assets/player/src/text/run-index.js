// @ts-check
// The other episodes of a run, to search in: ids and instructions, packed, sent once and unpacked at the first search.

/** @typedef {[id: string, instruction: string]} IndexEntry */
/** @typedef {{id: string, before: string, match: string, after: string}} EpisodeHit */

/** Letters of an instruction before and after a match. */
const BEFORE = 32;
const AFTER = 90;

/**
 * Unpack an index: JSON, gzipped.
 * @param {Uint8Array} bytes
 * @returns {Promise<IndexEntry[]>}
 */
export async function unpackIndex(bytes) {
  const stream = new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (bytes)])
    .stream()
    .pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

/**
 * Episodes whose id begins with the words, or whose instruction holds all of them; ids first, else in the run's order.
 * @param {IndexEntry[]} entries
 * @param {string} words
 * @param {number} most
 * @param {string} [without]  the episode that is shown
 * @returns {EpisodeHit[]}
 */
export function searchEpisodes(entries, words, most, without) {
  const wanted = words.trim().toLowerCase();
  if (!wanted) return [];
  const parts = wanted.split(/\s+/);
  /** @type {EpisodeHit[][]} */
  const [same, beginning, telling] = [[], [], []];
  for (const [id, instruction] of entries) {
    if (id === without) continue;
    const name = id.toLowerCase();
    const text = instruction.toLowerCase();
    if (name === wanted) same.push(excerpt(id, instruction, 0, 0));
    else if (name.startsWith(wanted)) beginning.push(excerpt(id, instruction, 0, 0));
    else if (parts.every((part) => text.includes(part))) telling.push(around(id, instruction, text, wanted, parts));
  }
  return [...same, ...beginning, ...telling].slice(0, most);
}

/**
 * The words as they stand, or the first of them.
 * @param {string} id
 * @param {string} instruction
 * @param {string} text
 * @param {string} wanted
 * @param {string[]} parts
 */
function around(id, instruction, text, wanted, parts) {
  const whole = text.indexOf(wanted);
  const at = whole >= 0 ? whole : text.indexOf(parts[0]);
  return excerpt(id, instruction, at, whole >= 0 ? wanted.length : parts[0].length);
}

/**
 * @param {string} id
 * @param {string} text
 * @param {number} at
 * @param {number} length
 * @returns {EpisodeHit}
 */
function excerpt(id, text, at, length) {
  const start = Math.max(0, at - BEFORE);
  const end = Math.min(text.length, at + length + AFTER);
  return {
    id,
    before: (start > 0 ? "…" : "") + text.slice(start, at),
    match: text.slice(at, at + length),
    after: text.slice(at + length, end) + (end < text.length ? "…" : ""),
  };
}
