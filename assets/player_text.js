// Text of the player: DOM nodes only, never markup made of data. Node ids, POI letters and landmark names become
// references (`<span class="nv-ref" data-ref="n:12">`) that the map and the text light up together.
//
// A reference is a string: "n:INDEX" for a node of the document, "s:NAME" (lower case) for a landmark or POI.

/** Make an element. `props`: class, text, title, on {event: handler}, data {name: value}, style {name: value}, or attributes. */
function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") node.className = value;
    else if (name === "text") node.textContent = value;
    else if (name === "on") for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    else if (name === "data") for (const [key, item] of Object.entries(value)) node.dataset[key] = item;
    else if (name === "style") for (const [key, item] of Object.entries(value)) node.style.setProperty(key, item);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Unpack the table of texts; long tables are gzipped. */
async function unpackStrings(strings) {
  if (Array.isArray(strings)) return strings;
  const bytes = Uint8Array.from(atob(strings.gzip), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

const escapeRegExp = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const LONG_TEXT = 30_000;

function restLater(out, rest) {
  const button = el("button", { type: "button", class: "nv-more", text: `Show ${amount(rest.length)} more characters`, on: { click: () => button.replaceWith(rest) } });
  out.append(" … ", button);
  return out;
}

/** Finds what a text speaks of. Built once a document; letters belong to the step that is shown. */
class Linker {
  constructor(doc) {
    this.tokens = new Map();
    this.spans = doc.nodes.ids.reduce((most, id) => Math.max(most, id.length), 0);
    doc.nodes.ids.forEach((id, index) => this.tokens.set(id, `n:${index}`));
    this.letters = new Map();
    this.baseLetters = new Map();
    this.names = new Set();
    for (const mark of doc.planning.landmarks ?? []) this.addName(mark.name, mark.letter);
    for (const step of doc.steps) for (const poi of step.observation?.pois ?? []) this.addName(poi.name);
    this.exact = new Set();  // names that the agent was not shown count only as they are written: "Park", not "park"
    for (const poi of doc.pois.slice(0, 400)) if (poi.kind && poi.name.length > 3 && !this.names.has(poi.name)) this.exact.add(poi.name);
    this.pattern = this.makePattern();
  }

  addName(name, letter) {
    if (!name) return;
    if (name.length > 2) this.names.add(name);
    if (letter) this.baseLetters.set(letter, `s:${name.toLowerCase()}`);
  }

  makePattern() {
    const odd = [...this.tokens.keys()].filter((id) => !/^[\w-]+$/.test(id)).slice(0, 3000);
    const names = [...[...this.names].slice(0, 400), ...this.exact, ...odd].sort((a, b) => b.length - a.length).map(escapeRegExp);
    const spoken = names.length ? `(?<![\\p{L}\\p{N}])(${names.join("|")})(?![\\p{L}\\p{N}])` : "($^)";
    return new RegExp(`${spoken}|([\\w-]+)|["'\`(]([A-Z])["'\`)]`, "giu");
  }

  setStep(step) {
    this.letters = new Map(this.baseLetters);
    for (const poi of step?.observation?.pois ?? []) {
      if (poi.letter) this.letters.set(poi.letter, `s:${poi.name.toLowerCase()}`);
    }
  }

  /** The text as a fragment, references marked; what is very long waits behind a button. */
  linked(text) {
    if (text.length > LONG_TEXT) return restLater(this.linked(text.slice(0, LONG_TEXT)), text.slice(LONG_TEXT));
    const out = document.createDocumentFragment();
    let done = 0;
    for (const match of text.matchAll(this.pattern)) {
      const ref = this.refOf(match, text);
      if (!ref) continue;
      if (match.index > done) out.append(text.slice(done, match.index));
      out.append(this.mark(match[0], ref));
      done = match.index + match[0].length;
    }
    if (done < text.length) out.append(text.slice(done));
    return out;
  }

  refOf(match, text) {
    if (match[1]) return this.tokens.get(match[1]) ?? (this.isName(match[1]) ? `s:${match[1].toLowerCase()}` : null);
    if (match[3]) return this.letters.get(match[3]) ?? null;
    const token = match[2];
    const ref = this.tokens.get(token);
    // A short number is a node id only where it stands in quotes; elsewhere it is a number.
    if (ref && /^\d{1,4}$/.test(token) && !/["'`]/.test(text[match.index - 1] ?? "")) return null;
    return ref ?? null;
  }

  isName(text) {
    if (this.exact.has(text)) return true;
    this.lower ??= new Set([...this.names].map((name) => name.toLowerCase()));
    return this.lower.has(text.toLowerCase());
  }

  /** Reference of a lone letter, as it stands in legends and JSON strings. */
  letter(text) {
    return /^[A-Z]$/.test(text) ? this.letters.get(text) : undefined;
  }

  mark(text, ref) {
    const id = ref[0] === "n" && text.length > 14;
    return el("span", { class: id ? "nv-ref nv-id" : "nv-ref", text, data: { ref }, tabindex: -1 });
  }
}

// --- light markdown ------------------------------------------------------------------------------------------------

/** Thoughts in readable type: headings, bold, italic, code, lists, fenced blocks. */
function markdown(text, linker) {
  if (text.length > 4 * LONG_TEXT) return restLater(markdown(text.slice(0, 4 * LONG_TEXT), linker), text.slice(4 * LONG_TEXT));
  const box = el("div", { class: "nv-prose" });
  let list = null, paragraph = [], code = null;
  const flush = () => {
    if (paragraph.length) box.append(el("p", {}, inline(paragraph.join(" "), linker)));
    paragraph = [];
  };
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    if (code) {
      if (trimmed.startsWith("```")) { box.append(el("pre", {}, linker.linked(code.join("\n")))); code = null; }
      else code.push(line);
      continue;
    }
    const item = /^\s*(?:[-*•]|(\d+)[.)])\s+(.*)$/.exec(line);
    const heading = /^#{1,6}\s+(.*)$/.exec(trimmed) ?? /^\*\*([^*]+)\*\*:?$/.exec(trimmed);
    if (!item && trimmed) list = null;
    if (trimmed.startsWith("```")) { flush(); code = []; }
    else if (heading) { flush(); box.append(el("h4", {}, inline(heading[1].replaceAll("**", ""), linker))); }
    else if (item) {
      flush();
      const tag = item[1] ? "OL" : "UL";
      if (list?.tagName !== tag) {
        list = el(tag.toLowerCase(), item[1] ? { start: item[1] } : {});
        box.append(list);
      }
      list.append(el("li", {}, inline(item[2], linker)));
    } else if (trimmed) paragraph.push(trimmed);
    else flush();
  }
  flush();
  if (code) box.append(el("pre", {}, linker.linked(code.join("\n"))));
  return box;
}

function inline(text, linker) {
  const out = document.createDocumentFragment();
  let done = 0;
  for (const match of text.matchAll(/\*\*(.+?)\*\*|`([^`]+)`|(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g)) {
    if (match.index > done) out.append(linker.linked(text.slice(done, match.index)));
    if (match[1]) out.append(el("strong", {}, linker.linked(match[1])));
    else if (match[2]) {
      const ref = linker.letter(match[2]);
      out.append(el("code", {}, ref ? linker.mark(match[2], ref) : linker.linked(match[2])));
    } else out.append(el("em", {}, linker.linked(match[3])));
    done = match.index + match[0].length;
  }
  if (done < text.length) out.append(linker.linked(text.slice(done)));
  return out;
}

// --- foldable JSON -------------------------------------------------------------------------------------------------

/** A JSON value as a tree. `folds` remembers what the user opened or closed, so that it stays so in the next step. */
function jsonTree(value, linker, folds, path = "$", depth = 0) {
  if (value === null || typeof value !== "object") return jsonLeaf(value, linker);
  const entries = Array.isArray(value) ? value.map((item, i) => [String(i), item]) : Object.entries(value);
  if (!entries.length) return el("span", { class: "nv-j-mute", text: Array.isArray(value) ? "[]" : "{}" });
  if (isShort(value, entries)) return jsonShort(value, entries, linker);
  const open = folds.get(path) ?? depth < 2;
  const note = Array.isArray(value) ? `${entries.length} items` : entries.map(([key]) => key).slice(0, 4).join(", ");
  const body = el("div", { class: "nv-j-body" });
  const fill = () => body.childElementCount || body.append(...entries.map(([key, item]) => jsonRow(key, item, value, linker, folds, path, depth)));
  if (open) fill();
  return fold({ class: "nv-j" }, el("summary", { class: "nv-j-mute", text: note }), body, open, (now) => {
    folds.set(path, now);
    if (now) fill();
  });
}

/** A part that folds. The click is heard rather than the toggle, which comes later than the next key may. */
function fold(props, summary, body, open, onFold) {
  const details = el("details", props, summary, body);
  details.open = open;
  summary.addEventListener("click", () => onFold(!details.open));
  return details;
}

function jsonRow(key, item, parent, linker, folds, path, depth) {
  const where = `${path}.${Array.isArray(parent) ? "*" : key}`;
  const ref = linker.letter(key);
  const name = el("span", { class: "nv-j-key" }, ref ? linker.mark(key, ref) : linker.tokens.has(key) ? linker.linked(key) : key);
  return el("div", { class: "nv-j-row" }, name, jsonTree(item, linker, folds, where, depth + 1));
}

const isShort = (value, entries) => entries.length <= 8 && entries.every(([, item]) => item === null || typeof item !== "object")
  && JSON.stringify(value).length <= 120;

function jsonShort(value, entries, linker) {
  const box = el("span", { class: "nv-j-short" });
  entries.forEach(([key, item], i) => {
    if (i) box.append(el("span", { class: "nv-j-mute", text: "  " }));
    if (!Array.isArray(value)) {
      const ref = linker.letter(key);
      box.append(el("span", { class: "nv-j-key" }, ref ? linker.mark(key, ref) : key), " ");
    }
    box.append(jsonLeaf(item, linker));
  });
  return box;
}

function jsonLeaf(value, linker) {
  if (value === "") return el("span", { class: "nv-j-mute", text: '""' });
  if (typeof value !== "string") return el("span", { class: "nv-j-num", text: String(value) });
  const ref = linker.letter(value) ?? linker.tokens.get(value);
  return el("span", { class: "nv-j-str" }, ref ? linker.mark(value, ref) : linker.linked(value));
}

function parseJson(text) {
  try { return { value: JSON.parse(text) }; } catch { return null; }
}

// --- figures -------------------------------------------------------------------------------------------------------

const DASH = "–";

function amount(value, digits = 0) {
  if (value === null || value === undefined) return DASH;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

const money = (usd) => (usd === null || usd === undefined ? DASH : `$${usd.toLocaleString("en-US", { minimumFractionDigits: usd < 0.1 ? 4 : 2, maximumFractionDigits: usd < 0.1 ? 4 : 2 })}`);

function duration(seconds) {
  if (seconds === null || seconds === undefined) return DASH;
  return seconds < 90 ? `${amount(seconds, 1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
