// @ts-check
// Light markdown, parsed: thoughts come with headings, bold, italic, code, lists and fenced blocks.

/** @typedef {{kind: "paragraph" | "heading" | "code", text: string}} TextBlock */
/** @typedef {{kind: "list", ordered: boolean, start: number, items: string[]}} ListBlock */
/** @typedef {TextBlock | ListBlock} Block */
/** @typedef {{kind: "text" | "strong" | "emphasis" | "code", text: string}} Span */

const ITEM = /^\s*(?:[-*•]|(\d+)[.)])\s+(.*)$/;
const HEADING = /^#{1,6}\s+(.*)$/;
const BOLD_LINE = /^\*\*([^*]+)\*\*:?$/;
const INLINE = /\*\*(.+?)\*\*|`([^`]+)`|(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g;

/**
 * @param {string} text
 * @returns {Block[]}
 */
export function blocks(text) {
  /** @type {Block[]} */
  const out = [];
  /** @type {ListBlock | null} */
  let list = null;
  /** @type {string[]} */
  let paragraph = [];
  /** @type {string[] | null} */
  let code = null;
  const flush = () => {
    if (paragraph.length) out.push({ kind: "paragraph", text: paragraph.join(" ") });
    paragraph = [];
  };
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    if (code) {
      if (trimmed.startsWith("```")) {
        out.push({ kind: "code", text: code.join("\n") });
        code = null;
      } else code.push(line);
      continue;
    }
    const item = ITEM.exec(line);
    const heading = HEADING.exec(trimmed) ?? BOLD_LINE.exec(trimmed);
    if (!item && trimmed) list = null;
    if (trimmed.startsWith("```")) {
      flush();
      code = [];
    } else if (heading) {
      flush();
      out.push({ kind: "heading", text: heading[1].replaceAll("**", "") });
    } else if (item) {
      flush();
      const ordered = Boolean(item[1]);
      if (!list || list.ordered !== ordered) {
        list = { kind: "list", ordered, start: Number(item[1] ?? 1), items: [] };
        out.push(list);
      }
      list.items.push(item[2]);
    } else if (trimmed) paragraph.push(trimmed);
    else flush();
  }
  flush();
  if (code) out.push({ kind: "code", text: code.join("\n") });
  return out;
}

/**
 * @param {string} text
 * @returns {Span[]}
 */
export function spans(text) {
  /** @type {Span[]} */
  const out = [];
  let done = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > done) out.push({ kind: "text", text: text.slice(done, match.index) });
    if (match[1]) out.push({ kind: "strong", text: match[1] });
    else if (match[2]) out.push({ kind: "code", text: match[2] });
    else out.push({ kind: "emphasis", text: match[3] });
    done = match.index + match[0].length;
  }
  if (done < text.length) out.push({ kind: "text", text: text.slice(done) });
  return out;
}
