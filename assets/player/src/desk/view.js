// @ts-check
// What the desk looks like: a line of progress and ways, the map, the text with its questions, guidelines.
import { el, refAt } from "../dom.js";
import { fillWindow } from "../shell/window-height.js";
import { linked } from "../text/linked.js";
import { guidelines } from "./guidelines.js";
import { keepingFocus, keyButton, question } from "./parts.js";
import { GOES_ON } from "./places.js";
import { placed } from "./words.js";

/** @typedef {import("./types").Command} Command */
/** @typedef {import("./types").Value} Value */

const REASONS = [
  "The text cannot be understood",
  "The map does not show what it speaks of",
  "The route or the data look broken",
  "I know this place",
  "Later, or another reason",
];
/** @type {Record<string, string>} */
const STATES = { saved: "Saved", saving: "Saving …", kept: "Not saved: kept here, tried again" };
const LEAST_PX = 430;

export class DeskView {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.guiding = localStorage.getItem("navviz:guidelines") !== "off";
    this.bar = el("progress", { class: "nv-progress", max: 1, "aria-label": "Rated" });
    this.count = el("span", { class: "nv-count" });
    this.state = el("span", { class: "nv-desk-state", role: "status", "aria-live": "polite" });
    this.ways = el("div", { class: "nv-ways" });
    this.left = el("div", { class: "nv-map nv-desk-left" });
    this.caption = el("p", { class: "nv-desk-hint" });
    this.text = el("div", { class: "nv-desk-text", lang: "" });
    this.banner = el("div", { class: "nv-banner", hidden: true });
    this.form = el("div", { class: "nv-desk-form" });
    this.comment = el("textarea", { class: "nv-field", rows: 2, placeholder: "Comment", "aria-label": "Comment" });
    this.after = el("div", { class: "nv-desk-after" });
    this.guide = el("div", { class: "nv-guide nv-prose" });
    /** What stands in it. @type {string | null} */
    this.guided = null;
    const side = el(
      "div",
      { class: "nv-desk-side" },
      el("div", { class: "nv-desk-item" }, this.caption, this.text),
      this.banner,
      this.form,
      this.comment,
      this.after,
      this.guide,
    );
    desk.root.replaceChildren(
      el("div", { class: "nv-desk-top" }, this.bar, this.count, this.state, el("span", { class: "nv-gap" }), this.ways),
      el("div", { class: "nv-desk-main" }, this.left, side),
    );
    this.side = side;
    this.text.addEventListener("mouseover", (event) => this.onHover(event));
    this.text.addEventListener("mouseleave", () => this.light([]));
    this.form.addEventListener("mouseover", (event) => this.onHover(event));
    this.text.addEventListener("click", (event) => {
      const ref = refAt(event);
      if (ref) this.desk.itemView.panTo(ref);
    });
    this.stopFilling = fillWindow(desk.root, () => LEAST_PX);
    this.showGuide();
  }

  show() {
    const { desk } = this;
    const { entry, data, at } = desk;
    this.bar.value = desk.rated / Math.max(1, data.entries.length);
    this.count.textContent = `${desk.rated} of ${data.entries.length} rated · item ${at + 1}`;
    this.ways.replaceChildren(...this.commands().map((command) => this.way(command)));
    const where = entry.item.dataset ? ` · ${entry.item.dataset}` : "";
    const training = data.entries.filter((one) => one.training).length;
    const round = entry.training ? `Training ${at + 1} of ${training} · ` : "";
    this.caption.textContent = `${round}Episode ${entry.item.episode}${where}${entry.skipped ? ` · skipped${entry.reason ? `: ${entry.reason}` : ""}` : ""}`;
    this.showText();
    this.showBanner();
    this.showComment();
    this.showAfter();
    this.showState();
  }

  /** @param {Command} command */
  way(command) {
    const { at, data } = this.desk;
    const disabled =
      (command.label === "Back" && at === 0) || (command.label === "Next" && at >= data.entries.length - 1);
    const chosen =
      (command.label === "Guidelines" && this.guiding) ||
      (command.label === "Skip" && this.desk.skipping) ||
      (command.label === "Go on by itself" && this.desk.goesOn);
    return keyButton(command, { disabled, chosen });
  }

  /** @returns {Command[]} */
  commands() {
    const { desk } = this;
    const special = [];
    if (desk.locked && desk.data.task !== "follow")
      special.push({ keys: ["e"], label: "Change the rating", run: () => desk.change() });
    else if (!desk.mapHere && desk.data.task !== "follow" && !desk.withoutMap.has(desk.at))
      special.push({ keys: ["b"], label: "Rate without the map", run: () => desk.rateWithoutMap() });
    return [
      ...special,
      { keys: ["k"], label: "Back", run: () => desk.go(desk.at - 1) },
      { keys: ["j", "Enter"], label: "Next", run: () => desk.go(desk.at + 1) },
      { keys: ["s"], label: "Skip", run: () => this.askWhy(true) },
      { keys: ["u"], label: "Undo", run: () => desk.undo() },
      { keys: ["c"], label: "Comment", run: () => this.comment.focus() },
      { keys: ["g"], label: "Guidelines", run: () => this.turnGuide() },
      { keys: ["m"], label: "Go on by itself", run: () => this.turnGoesOn() },
    ];
  }

  // --- text

  showText() {
    const { desk } = this;
    if (desk.form?.showText) {
      desk.form.showText(this.text);
      return;
    }
    const { text } = desk.entry;
    if (desk.itemView.player) {
      this.text.replaceChildren(linked(desk.itemView.player.linker, text));
      return;
    }
    const parts = [];
    let done = 0;
    for (const mark of desk.sheet?.marks ?? []) {
      const [start, end] = [placed(text, mark.start), placed(text, mark.end)];
      if (start < done) continue;
      parts.push(text.slice(done, start));
      parts.push(
        el("span", { class: "nv-ref", text: text.slice(start, end), data: { ref: `p:${mark.pois.join(",")}` } }),
      );
      done = end;
    }
    this.text.replaceChildren(...parts, text.slice(done));
  }

  /** @param {MouseEvent} event */
  onHover(event) {
    const ref = refAt(event);
    this.light(ref ? [ref] : []);
  }

  /** @param {string[]} refs */
  light(refs) {
    this.desk.itemView.light(refs);
    this.lightText([]);
  }

  /** Names of the text that the map's references speak of. @param {string[]} refs */
  lightText(refs) {
    const { sheet } = this.desk;
    const names = new Set(refs.filter((ref) => ref.startsWith("s:")).map((ref) => ref.slice(2)));
    const boxes = /** @type {NodeListOf<HTMLElement>} */ (this.side.querySelectorAll("[data-ref]"));
    for (const node of boxes) {
      const pois = (node.dataset.ref ?? "").slice(2).split(",");
      const lit = pois.some((poi) => names.has(sheet?.document?.pois[Number(poi)]?.name.toLowerCase() ?? ""));
      node.classList.toggle("nv-lit", lit);
    }
  }

  // --- skipping, conflicts, notices

  /** @param {boolean} on */
  askWhy(on) {
    this.desk.skipping = on;
    this.desk.showItem();
  }

  /** @returns {Command[]} */
  reasons() {
    const reasons = REASONS.map((label, i) => ({
      keys: [String(i + 1)],
      label,
      run: () => this.desk.skip(label),
    }));
    return [...reasons, { keys: ["Escape", "s"], label: "Do not skip", run: () => this.askWhy(false) }];
  }

  whySkip() {
    const reasons = this.reasons().map((one) => keyButton(one, { look: "nv-offer" }));
    return question("Why skip it?", reasons, "nv-column");
  }

  /** @returns {Command[]} */
  conflictCommands() {
    const { desk } = this;
    if (!desk.conflicts.has(desk.at)) return [];
    return [
      { keys: ["l"], label: "Load the other rating", run: () => desk.settle(false) },
      { keys: ["o"], label: "Save mine over it", run: () => desk.settle(true) },
    ];
  }

  showBanner() {
    const { desk } = this;
    const conflict = desk.conflicts.get(desk.at);
    const parts = [];
    if (desk.skipping) parts.push(this.whySkip());
    if (conflict)
      parts.push(
        question(
          "This item was changed in another window; nothing was overwritten.",
          this.conflictCommands().map((one) => keyButton(one)),
        ),
      );
    const { feedback } = desk.entry;
    if (feedback && desk.value) {
      const verdict = feedback.right ? "As the researchers hold it" : "The researchers hold otherwise";
      parts.push(el("p", { class: "nv-feedback", text: `${verdict}: ${feedback.answer}.` }));
      if (feedback.comment) parts.push(el("p", { text: feedback.comment }));
    }
    if (desk.notice) parts.push(el("p", { text: desk.notice }));
    this.banner.replaceChildren(...parts);
    this.banner.hidden = !parts.length;
  }

  // --- below the questions

  showComment() {
    const { desk, comment } = this;
    if (document.activeElement === comment) return;
    const typed = desk.draft.typed ?? desk.draft.comment ?? desk.value?.comment ?? "";
    comment.value = String(typed);
    comment.hidden = desk.data.task === "follow";
  }

  showAfter() {
    const { desk } = this;
    const history = desk.sheet?.history ?? [];
    let hint = desk.value ? "" : "Not rated yet. Every key is saved at once.";
    if (desk.locked) hint = "You rated this item before.";
    if (desk.value?.without_map) hint = "Rated without the map.";
    this.after.replaceChildren(
      hint ? el("p", { class: "nv-desk-hint", text: hint }) : "",
      desk.sheet?.note ? el("p", { class: "nv-desk-hint", text: desk.sheet.note }) : "",
      history.length
        ? el(
            "details",
            { class: "nv-history" },
            el("summary", { text: `History (${history.length})` }),
            history.map((line) => el("p", { class: "nv-desk-hint", text: line })),
          )
        : "",
    );
  }

  showState() {
    const { desk } = this;
    const { state } = desk.outbox;
    const waiting = desk.outbox.waiting.size;
    const why = state === "kept" && desk.outbox.trouble ? ` (${desk.outbox.trouble})` : "";
    const refused = state === "saved" && desk.refusals.has(desk.at);
    const saved = refused ? "Not saved" : STATES.saved;
    const text = state === "saved" ? saved : `${STATES[state]}${waiting > 1 ? ` · ${waiting}` : ""}${why}`;
    if (this.state.textContent !== text) this.state.textContent = text;
    desk.root.dataset.state = refused ? "refused" : state;
    desk.root.dataset.waiting = String(waiting);
  }

  turnGoesOn() {
    localStorage.setItem(GOES_ON, this.desk.goesOn ? "off" : "on");
    keepingFocus(this.desk.root, () => this.show());
  }

  turnGuide() {
    this.guiding = !this.guiding;
    localStorage.setItem("navviz:guidelines", this.guiding ? "on" : "off");
    this.showGuide();
    keepingFocus(this.desk.root, () => this.show());
  }

  showGuide() {
    const text = this.desk.data.guidelines;
    this.guide.hidden = !this.guiding || !text;
    if (this.guided === text) return;
    this.guided = text;
    this.guide.replaceChildren(...guidelines(text));
  }

  destroy() {
    this.stopFilling();
  }
}
