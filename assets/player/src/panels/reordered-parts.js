// @ts-check
// The original instruction cut into what its parts come from, and the cues of its temporal relations.

/** @typedef {{relation: string, cue: string, span: [number, number]}} Relation */
/** @typedef {{text: string, start: number, span: [number, number] | null}} Piece */

/**
 * The text in order: the spans that parts come from, and what lies between them.
 * @param {string} original
 * @param {{span?: [number, number] | null}[]} parts
 * @returns {Piece[]}
 */
export function pieces(original, parts) {
  const spans = parts.flatMap(({ span }) => (Array.isArray(span) && span[0] < span[1] ? [span] : []));
  const sorted = [...new Map(spans.map((span) => [span[0], span])).values()].sort((a, b) => a[0] - b[0]);
  /** @type {Piece[]} */
  const found = [];
  let at = 0;
  for (const [start, end] of sorted) {
    if (start < at) continue;
    if (start > at) found.push({ text: original.slice(at, start), start: at, span: null });
    found.push({ text: original.slice(start, end), start, span: [start, end] });
    at = end;
  }
  if (at < original.length) found.push({ text: original.slice(at), start: at, span: null });
  return found;
}

/**
 * A piece's text cut at the cues that lie in it.
 * @param {Piece} piece
 * @param {Relation[]} relations
 * @returns {{text: string, relation: string | null}[]}
 */
export function relationsIn({ text, start }, relations) {
  /** @type {{text: string, relation: string | null}[]} */
  const found = [];
  let at = start;
  for (const { relation, span } of relations) {
    if (!Array.isArray(span) || span[0] < at || span[1] > start + text.length) continue;
    if (span[0] > at) found.push({ text: text.slice(at - start, span[0] - start), relation: null });
    found.push({ text: text.slice(span[0] - start, span[1] - start), relation });
    at = span[1];
  }
  if (at < start + text.length) found.push({ text: text.slice(at - start), relation: null });
  return found;
}
