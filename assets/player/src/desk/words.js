// @ts-check
// Words of an instruction, and the mentions that chosen words make.

/** @typedef {{start: number, end: number, text: string, poi_id: string | null, box?: import("./types").PictureBox}} Mention */

/** Spans of the words of a text, punctuation around them left out; as `words` in navviz/annotation/words.py. @param {string} text */
export function wordsOf(text) {
  return [...text.matchAll(/[\p{L}\p{N}](?:[\p{L}\p{N}_'’&.-]*[\p{L}\p{N}_])?/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/**
 * Characters before a place of a JavaScript text, counted as Python does: a character beyond the basic plane is one.
 * @param {string} text @param {number} index
 */
export const counted = (text, index) => [...text.slice(0, index)].length;

/** The other way round. @param {string} text @param {number} count */
export const placed = (text, count) => [...text].slice(0, count).join("").length;

/**
 * The mentions that chosen words make: neighbours with nothing but blanks between them become one; links are kept.
 * @param {string} text
 * @param {number[]} chosen
 * @param {Mention[]} before
 * @returns {Mention[]}
 */
export function mentionsOf(text, chosen, before) {
  const words = wordsOf(text);
  /** @type {{start: number, end: number}[]} */
  const spans = [];
  for (const index of [...chosen].sort((a, b) => a - b)) {
    const { start, end } = words[index];
    const last = spans.at(-1);
    if (last && !text.slice(last.end, start).trim()) last.end = end;
    else spans.push({ start, end });
  }
  return spans.map(({ start, end }) => {
    const words = text.slice(start, end);
    const [from, to] = [counted(text, start), counted(text, end)];
    const link =
      before.find((one) => one.start === from && one.text === words) ?? before.find((one) => one.text === words);
    return { start: from, end: to, text: words, poi_id: link?.poi_id ?? null, ...(link?.box && { box: link.box }) };
  });
}

/** How well a place's name answers to some words, from 0. @param {string} words @param {{name: string, kind: string | null}} place */
export function likeness(words, place) {
  const parts = (/** @type {string} */ text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const query = new Set(parts(words));
  const name = parts(place.name);
  const kind = parts(place.kind ?? "");
  const hits = name.filter((part) => query.has(part)).length;
  const like = kind.filter((part) => query.has(part) || query.has(`${part}s`)).length;
  return (2 * hits) / Math.max(1, name.length) + hits + like;
}
