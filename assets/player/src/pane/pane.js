// @ts-check
// The right-hand pane: what the agent was told, planned, decided, thought, was asked and answered, in the step shown.
import { el, keepFocus } from "../dom.js";
import { panelView } from "../panels/registry.js";
import { Beside } from "./beside.js";
import { Calls } from "./calls.js";
import { observationView } from "./seen.js";
import { Top } from "./top.js";

/** @typedef {import("../document").StepEntry} StepEntry */
/** @typedef {import("../document").Planning} Planning */
/** @typedef {{key: string, name: string, empty: boolean, draw: () => Node}} Tab */

/** A reader this close to the end of a text that still grows, in pixels, follows it. */
const AT_END_PX = 30;
/** What is seen of the tabs before and after the open one, in pixels: that there are more. */
const BESIDE_PX = 40;

/** Draws the pane of one player. Only the open tab is drawn, so that a step costs one frame. */
export class Pane {
  /**
   * @param {import("../player.js").Player} player
   * @param {HTMLElement} box
   */
  constructor(player, box) {
    this.player = player;
    /** @type {import("../text/json-tree.js").Folds} */
    this.folds = new Map();
    this.tab = player.options.tab ?? (player.pictures.any ? "seen" : "thoughts");
    /** Whether the user chose the tab; else a tab that has nothing to show gives way. */
    this.chosen = false;
    /** @type {string | null} */
    this.shown = null;
    this.top = el("div", { class: "nv-pane-top" });
    this.split = el("div", { class: "nv-split nv-split-row" });
    this.decided = el("div", { class: "nv-decided" });
    this.tabs = el("div", { class: "nv-tabs", role: "tablist" });
    this.body = el("div", { class: "nv-tab-body", role: "tabpanel", tabindex: -1 });
    // a wheel turns one way only, and the names stand side by side
    this.tabs.addEventListener("wheel", ({ deltaX, deltaY }) => this.tabs.scrollBy({ left: deltaX ? 0 : deltaY }), {
      passive: true,
    });
    box.append(this.top, this.split, this.decided, this.tabs, this.body);
    this.topView = new Top(player);
    this.calls = new Calls(player, this.folds);
    this.beside = player.doc.compare?.partners ? new Beside(player) : null;
    player.root.dataset.beside = String(this.beside !== null);
  }

  /** @param {StepEntry | null} step */
  show(step) {
    const { doc } = this.player;
    if (this.beside) {
      this.top.replaceChildren(this.topView.instruction(), this.beside.section(step));
      return;
    }
    const entry = step ?? doc.planning;
    const { body } = this;
    // read before anything is written, and written only where it changes: either would lay the page out once more
    const follow = doc.running && body.scrollHeight - body.scrollTop - body.clientHeight < AT_END_PX;
    const read = body.scrollTop;
    this.top.replaceChildren(...this.topView.sections(step));
    this.decided.replaceChildren(step ? this.topView.decision(step) : this.topView.hint());
    const tabs = this.tabList(entry, step);
    const wanted = tabs.find((tab) => tab.key === this.tab) ?? tabs[0];
    const open = wanted.empty && !this.chosen ? (tabs.find((tab) => !tab.empty) ?? wanted) : wanted;
    this.tabs.replaceChildren(...tabs.map((tab) => this.tabButton(tab, tab === open)));
    const same = this.shown === open.key;
    this.shown = open.key;
    const { canvas } = this.player.look;
    const looking = document.activeElement === canvas;
    body.replaceChildren(el("div", {}, open.draw()));
    // a live run draws the pane anew with each word: who looks around keeps the keys
    if (looking && canvas.isConnected) canvas.focus({ preventScroll: true });
    if (!this.player.look.box.isConnected) this.player.look.leave();
    if (follow && same) body.scrollTop = body.scrollHeight;
    else if (read && !(same && (open.key === "prompt" || doc.running))) body.scrollTop = 0; // prompts are read side by side
  }

  /** Open a tab, as a click on it would. @param {string} key */
  open(key) {
    this.tab = key;
    this.chosen = true;
    this.player.phone.open("text");
    this.player.repaintPane();
    this.showOpenTab();
  }

  /** Scroll the row of names, where it scrolls, until the open one and the edges of its neighbours are seen. */
  showOpenTab() {
    const { tabs } = this;
    const open = /** @type {HTMLElement | null} */ (tabs.querySelector(".nv-open"));
    if (!open || tabs.scrollWidth <= tabs.clientWidth) return;
    const from = open.offsetLeft - tabs.offsetLeft - BESIDE_PX;
    const to = from + open.offsetWidth + 2 * BESIDE_PX - tabs.clientWidth;
    tabs.scrollLeft = Math.min(from, Math.max(to, tabs.scrollLeft));
  }

  /**
   * @param {StepEntry | Planning} entry
   * @param {StepEntry | null} step
   * @returns {Tab[]}
   */
  tabList(entry, step) {
    const { calls } = entry;
    const live = this.player.atEnd ? this.player.doc.streaming : {};
    const hasThoughts = calls.some((call) => call.thoughts !== undefined);
    /** @type {Tab[]} */
    const tabs = [
      {
        key: "thoughts",
        name: "Thoughts",
        empty: !hasThoughts && !live.thoughts,
        draw: () => this.calls.thoughts(calls, live),
      },
      { key: "prompt", name: "Prompt", empty: !calls.length, draw: () => this.calls.prompts(calls) },
      { key: "reply", name: "Reply", empty: !calls.length && !live.reply, draw: () => this.calls.replies(calls, live) },
    ];
    if (step) {
      tabs.push({
        key: "seen",
        name: "Seen",
        empty: !step.observation && !step.views?.length,
        draw: () => observationView(step, this.player, this.calls),
      });
    }
    const context = {
      linker: this.player.linker,
      doc: this.player.doc,
      folds: this.folds,
      step: this.player.step,
      go: (/** @type {number} */ to) => this.player.go(to),
    };
    for (const panel of entry.panels) {
      tabs.push({
        key: `panel:${panel.title}`,
        name: panel.title,
        empty: false,
        draw: () => panelView(panel, context),
      });
    }
    return tabs;
  }

  /**
   * @param {Tab} tab
   * @param {boolean} open
   */
  tabButton(tab, open) {
    return el("button", {
      class: `nv-tab${open ? " nv-open" : ""}${tab.empty ? " nv-empty" : ""}`,
      role: "tab",
      type: "button",
      "aria-selected": String(open),
      title: tab.name,
      text: tab.name,
      data: { tab: tab.key },
      on: { mousedown: keepFocus, click: () => this.open(tab.key) },
    });
  }

  /** Bring what speaks of a reference into view. @param {string} ref */
  scrollTo(ref) {
    const first = this.body.querySelector(`[data-ref="${CSS.escape(ref)}"]`);
    if (first) this.scrollToElement(first);
  }

  /** @param {Element} target */
  scrollToElement(target) {
    const top = target.getBoundingClientRect().top - this.body.getBoundingClientRect().top + this.body.scrollTop;
    this.body.scrollTo({ top: top - 60, behavior: "smooth" });
  }
}
