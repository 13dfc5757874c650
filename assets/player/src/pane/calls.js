// @ts-check
// The model's calls in a step: thoughts, prompt, reply; each raw if one likes, and to copy.
import { el, fold, iconButton, keepFocus } from "../dom.js";
import { promptPicture } from "../pictures/seen.js";
import { amount, counted, duration, money } from "../text/figures.js";
import { jsonTree, parseJson } from "../text/json-tree.js";
import { linked } from "../text/linked.js";
import { markdown } from "../text/markdown.js";
import { copyText } from "./copy.js";

/** @typedef {import("../document").CallEntry} CallEntry */
/** @typedef {import("../document").MessageEntry} MessageEntry */
/** @typedef {import("../document").Streaming} Streaming */
/** @typedef {"thoughts" | "prompt" | "reply"} What */

/** @param {string} text */
export const nothing = (text) => el("p", { class: "nv-nothing", text });

export class Calls {
  /**
   * @param {import("../player.js").Player} player
   * @param {import("../text/json-tree.js").Folds} folds
   */
  constructor(player, folds) {
    this.player = player;
    this.folds = folds;
    /** Whether texts are shown as they are, without headings, folds and type. */
    this.raw = false;
  }

  get linker() {
    return this.player.linker;
  }

  // --- the three tabs

  /**
   * @param {CallEntry[]} calls
   * @param {Streaming} live
   */
  thoughts(calls, live) {
    const box = this.each(calls, "thoughts", (call) =>
      call.thoughts === undefined
        ? nothing("This call has no thoughts.")
        : markdown(this.player.text(call.thoughts), this.linker),
    );
    if (live.thoughts) box.append(el("div", { class: "nv-streaming" }, markdown(live.thoughts, this.linker)));
    else if (!calls.length) box.append(nothing(this.waiting() ? "Waiting for the model." : this.withoutCall()));
    return box;
  }

  /** @param {CallEntry[]} calls */
  prompts(calls) {
    if (!calls.length) return nothing(this.withoutCall());
    return this.each(calls, "prompt", (call) => {
      const many = call.messages.length > 1;
      if (!many && !call.messages.length) return nothing("The log does not hold this prompt.");
      return el(
        "div",
        {},
        call.messages.map((message) => this.message(message, many)),
      );
    });
  }

  /**
   * @param {CallEntry[]} calls
   * @param {Streaming} live
   */
  replies(calls, live) {
    const box = this.each(calls, "reply", (call) =>
      call.reply === undefined ? nothing(call.error ?? "There is no reply.") : this.code(this.player.text(call.reply)),
    );
    if (live.reply) box.append(el("div", { class: "nv-streaming" }, this.code(live.reply)));
    else if (!calls.length) box.append(nothing(this.withoutCall()));
    return box;
  }

  waiting() {
    return this.player.doc.running && this.player.atEnd;
  }

  withoutCall() {
    return this.player.doc.unlogged ?? "No model was asked in this step.";
  }

  // --- one call

  /**
   * @param {CallEntry[]} calls
   * @param {What} what
   * @param {(call: CallEntry) => Node} draw
   */
  each(calls, what, draw) {
    const named = calls.length > 1 || calls[0]?.purpose !== "decide";
    return el(
      "div",
      {},
      calls.map((call) => {
        const raw = this.rawText(call, what);
        const body = this.raw && raw ? el("pre", { class: "nv-raw" }, linked(this.linker, raw)) : draw(call);
        return el("section", { class: "nv-call" }, this.callHead(call, named, raw), body);
      }),
    );
  }

  /** A part of a prompt as text; of a picture, its name. @param {MessageEntry["parts"][number]} part */
  rawPart([kind, index]) {
    if (kind !== "picture") return this.player.text(index);
    const { pictures } = this.player.doc;
    const part = pictures?.prompts[index];
    return `[picture: ${part ? pictures.all[part.picture].name : "unknown"}]\n`;
  }

  /**
   * What was sent or came back, to the letter.
   * @param {CallEntry} call
   * @param {What} what
   */
  rawText(call, what) {
    if (what === "thoughts") return call.thoughts === undefined ? "" : this.player.text(call.thoughts);
    if (what === "reply") return call.reply === undefined ? "" : this.player.text(call.reply);
    const texts = call.messages.map(({ parts }) => parts.map((part) => this.rawPart(part)).join(""));
    if (texts.length < 2) return texts[0] ?? "";
    return texts.map((text, i) => `${call.messages[i].role}:\n${text}`).join("\n\n");
  }

  /**
   * @param {CallEntry} call
   * @param {boolean} named
   * @param {string} raw
   */
  callHead(call, named, raw) {
    const { usage } = call;
    const tokens = tokensOf(usage);
    return el(
      "div",
      { class: "nv-call-head" },
      named ? el("b", { text: call.purpose }) : null,
      call.model ? el("span", { text: call.model }) : null,
      tokens ? el("span", { title: "tokens of prompt, thoughts and reply", text: tokens }) : null,
      call.seconds === undefined ? null : el("span", { text: duration(call.seconds) }),
      call.cost_usd === undefined ? null : el("span", { text: costOf(call) }),
      call.retries ? el("span", { class: "nv-flag nv-warn", text: counted(call.retries, "retry", "retries") }) : null,
      call.error ? el("span", { class: "nv-flag nv-bad", text: call.error }) : null,
      call.parse_error ? el("span", { class: "nv-flag nv-bad", text: call.parse_error }) : null,
      raw ? this.rawTools(raw) : null,
    );
  }

  /** @param {string} raw */
  rawTools(raw) {
    const on = { mousedown: keepFocus, click: () => this.toggleRaw() };
    const title = this.raw ? "Show it set in type" : "Show it as it was sent or came back";
    const toggle = el("button", {
      type: "button",
      class: "nv-small",
      text: this.raw ? "set" : "raw",
      title,
      "aria-pressed": String(this.raw),
      on,
      data: { call: "raw" },
    });
    const copy = iconButton("copy", "Copy the text", () => copyText(raw, copy), { call: "copy" });
    return el("span", { class: "nv-raw-tools" }, toggle, copy);
  }

  toggleRaw() {
    this.raw = !this.raw;
    this.player.repaintPane();
  }

  /** Show the texts as they were sent or came back. */
  showRaw() {
    if (!this.raw) this.toggleRaw();
  }

  // --- parts of a text

  /**
   * @param {MessageEntry} message
   * @param {boolean} many
   */
  message(message, many) {
    const box = el("div", { class: "nv-message" }, many ? el("div", { class: "nv-role", text: message.role }) : null);
    let target = box;
    for (const [kind, index] of message.parts) {
      if (kind === "picture") {
        target.append(promptPicture(index, this.player));
        continue;
      }
      const text = this.player.text(index);
      if (kind === "heading") {
        target = el("div", { class: "nv-part-body" });
        box.append(this.heading(text.trim(), target));
      } else if (kind !== "fence") target.append(this.part(kind, text));
    }
    return box;
  }

  /**
   * @param {string} title
   * @param {HTMLElement} body
   */
  heading(title, body) {
    const key = `part.${title}`;
    const name = title.replace(/^\[(.*)\]$/s, "$1").replace(/^#+\s*/, "");
    const summary = el("summary", { text: name });
    return fold({ class: "nv-part" }, summary, body, this.folds.get(key) ?? true, (now) => this.folds.set(key, now));
  }

  /**
   * @param {string} kind
   * @param {string} text
   */
  part(kind, text) {
    const parsed = kind === "json" ? parseJson(text) : null;
    if (parsed) return el("div", { class: "nv-json" }, jsonTree(parsed.value, this.linker, this.folds, "prompt"));
    const trimmed = text.replace(/(?<!\n)\n+$/, "\n").replace(/^\n+/, "");
    return el("pre", { class: kind === "text" ? "nv-plain" : "nv-code" }, linked(this.linker, trimmed));
  }

  /** @param {string} text */
  code(text) {
    return el("pre", { class: "nv-code" }, linked(this.linker, text));
  }
}

/** What the log tells of a call's tokens; of what it does not tell, nothing. @param {import("../document").CallEntry["usage"]} usage */
function tokensOf(usage) {
  const counts = { prompt: usage?.prompt_tokens, thoughts: usage?.thoughts_tokens, reply: usage?.output_tokens };
  const counted = Object.entries(counts).filter(([, count]) => count !== undefined && count !== null);
  return counted.map(([name, count]) => `${amount(count)} ${name}`).join(" · ");
}

/** @param {import("../document").CallEntry} call */
function costOf(call) {
  return call.list_price ? `${money(call.cost_usd)} list price` : money(call.cost_usd);
}
