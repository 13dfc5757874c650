// @ts-check
// What changed between two texts, word by word.

/** Texts longer than this are not compared: the table of their words would be too large. */
const MOST_WORDS = 1200;

/**
 * @typedef {{kind: "same" | "new" | "gone", text: string}} Change
 */

/**
 * Changes that lead from one text to another; longest common subsequence of their words.
 * @param {string} from
 * @param {string} to
 * @returns {Change[]}
 */
export function wordChanges(from, to) {
  const [a, b] = [words(from), words(to)];
  if (a.length * b.length > MOST_WORDS * MOST_WORDS) return [{ kind: "new", text: to }];
  const common = table(a, b);
  /** @type {Change[]} */
  const changes = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add(changes, "same", b[j]);
      i += 1;
      j += 1;
    } else if (j < b.length && (i === a.length || common[i][j + 1] >= common[i + 1][j])) {
      add(changes, "new", b[j]);
      j += 1;
    } else {
      add(changes, "gone", a[i]);
      i += 1;
    }
  }
  return changes;
}

/** @param {string} text */
const words = (text) => text.match(/\s*\S+|\s+$/g) ?? [];

/**
 * Length of the longest common subsequence of the rests from i and j on.
 * @param {string[]} a
 * @param {string[]} b
 */
function table(a, b) {
  const rows = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      rows[i][j] = a[i] === b[j] ? rows[i + 1][j + 1] + 1 : Math.max(rows[i + 1][j], rows[i][j + 1]);
  return rows;
}

/**
 * @param {Change[]} changes
 * @param {Change["kind"]} kind
 * @param {string} text
 */
function add(changes, kind, text) {
  const last = changes.at(-1);
  if (last?.kind === kind) last.text += text;
  else changes.push({ kind, text });
}
