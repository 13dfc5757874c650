// @ts-check
// The player: map, time line, thought pane, plan and keys on one cursor. It takes one document (document.d.ts, generated
// from navviz/views/player/schema.py) and never asks a server in order to step.
//
//   const player = await NavVizPlayer.mount(root, document, options)
//   player.update(document)      a newer document of the same run: cursor, zoom, tab stay; at the end, it follows
//   player.go(step)              0 is before the first step
//   player.destroy()
//
// The root carries class `navviz-player` and data-episode, data-step, data-steps, data-ready ("true" once painted).
import { el, refAt } from "./dom.js";
import { FloorMap } from "./maps/floor-map.js";
import { StreetMap } from "./maps/street-map.js";
import { nodePlace } from "./nodes.js";
import { Pane } from "./pane/pane.js";
import { nodeMark } from "./pane/top.js";
import { Look } from "./pictures/look.js";
import { Pictures } from "./pictures/store.js";
import { Strip } from "./pictures/strip.js";
import { Address } from "./shell/address.js";
import { breakAtLine } from "./shell/breakpoints.js";
import { Head } from "./shell/head.js";
import { Help } from "./shell/help.js";
import { enter, leave, touch } from "./shell/keyboard.js";
import { Phone } from "./shell/phone.js";
import { Presenter } from "./shell/present.js";
import { Search } from "./shell/search.js";
import { nextSubGoal } from "./shell/segments.js";
import { Splits } from "./shell/splits.js";
import { nextStage } from "./shell/stages.js";
import { Colors, pageTheme } from "./shell/theme.js";
import { Timeline } from "./shell/timeline.js";
import { Transport } from "./shell/transport.js";
import { WhatIf } from "./shell/what-if.js";
import { TABS, Why } from "./shell/why.js";
import { takeHeight } from "./shell/window-height.js";
import { Linker } from "./text/linker.js";
import { References } from "./text/references.js";
import { unpackStrings } from "./text/strings.js";

/** @typedef {import("./document").ReplayDocument} ReplayDocument */
/** @typedef {import("./types").Options} Options */

export class Player {
  /**
   * @param {HTMLElement} root
   * @param {ReplayDocument} doc
   * @param {Options} [options]
   */
  static async mount(root, doc, options = {}) {
    return new Player(root, doc, options, await unpackStrings(doc.strings));
  }

  /**
   * @param {HTMLElement} root
   * @param {ReplayDocument} doc
   * @param {Options} options
   * @param {string[]} strings
   */
  constructor(root, doc, options, strings) {
    this.root = root;
    /** @type {Options} */
    this.options = { deepLink: true, ...options };
    this.doc = doc;
    this.strings = strings;
    this.linker = new Linker(doc);
    this.references = new References(this);
    this.address = new Address(this);
    this.step = this.address.start();
    const { atCause } = this.address;
    this.stopped = new AbortController();
    this.updates = 0;
    /** @type {string | null} */
    this.hovered = null;
    this.colors = new Colors(root);
    this.prepareRoot();
    this.mapBox = el("div", { class: "nv-map" });
    this.paneBox = el("div", { class: "nv-pane" });
    const headBox = el("header", { class: "nv-head" });
    const noteBox = el("div", { class: "nv-notes" });
    const foot = el("footer", { class: "nv-foot" });
    const split = el("div", { class: "nv-split nv-split-column" });
    this.main = el("div", { class: "nv-main" }, this.mapBox, split, this.paneBox);
    const frame = el("div", { class: "nv-frame" }, headBox, noteBox, this.main, foot);
    root.append(frame);
    this.phone = new Phone(root, frame);
    this.takeHeight();
    this.why = new Why(this);
    this.head = new Head(this, headBox, noteBox);
    this.head.show();
    this.pictures = new Pictures(this);
    this.look = new Look(this);
    this.pane = new Pane(this, this.paneBox);
    this.strip = new Strip(this, foot.appendChild(el("div", { class: "nv-strip" })));
    this.timeline = new Timeline(this, foot.appendChild(el("div", { class: "nv-line" })));
    this.whatIf = new WhatIf(this, foot.appendChild(el("div", { class: "nv-whatif-box" })));
    this.transport = new Transport(this, foot);
    this.help = new Help(this);
    this.search = new Search(this);
    this.presenter = new Presenter(this);
    this.splits = new Splits(this, split, this.pane.split);
    const Backend = doc.frame === "geo" ? StreetMap : FloorMap;
    /** @type {import("./types").MapBackend} */
    this.map = new Backend(this.mapBox, doc, this.mapApi());
    this.listen();
    this.show();
    if (atCause) this.toCause();
    else this.pane.beside?.start();
    // the cause opens its prompt; a phone has room for one of them, and the reason comes first
    this.phone.open(noteBox.childElementCount ? "why" : "plan");
    enter(this);
  }

  prepareRoot() {
    const { root, doc } = this;
    root.replaceChildren();
    root.classList.add("navviz-player");
    root.dataset.ready = "false";
    root.dataset.theme = this.options.theme ?? pageTheme(root);
    root.dataset.episode = doc.episode.id;
    root.dataset.steps = String(this.count);
    root.dataset.free = String(doc.free);
    // a walk without words leaves its column to the map; of one that only begins, nobody knows yet
    const words = doc.steps.some(({ calls, observation, views }) => calls.length || observation || views);
    root.dataset.words = String(doc.running || !doc.steps.length || words);
    if (this.options.shows) root.dataset.shows = this.options.shows;
  }

  get count() {
    return this.doc.steps.length;
  }

  get atEnd() {
    return this.step === this.count;
  }

  get current() {
    return this.step === 0 ? null : this.doc.steps[this.step - 1];
  }

  /** A text of the document. @param {number} index */
  text(index) {
    return this.strings[index] ?? "";
  }

  /**
   * @param {number | string | undefined} node
   * @param {string} [id]
   */
  nodeMark(node, id) {
    return nodeMark(this.doc, node, id);
  }

  /** @returns {import("./types").MapApi} */
  mapApi() {
    const player = this;
    return {
      get doc() {
        return player.doc;
      },
      options: this.options,
      resolve: (ref, step) => this.references.resolve(ref, step),
      hover: (refs) => this.lightText(refs),
      pick: (ref) => this.pane.scrollTo(ref),
      mentions: (ref) => this.paneBox.querySelectorAll(`[data-ref="${CSS.escape(ref)}"]`).length,
      color: (name) => this.colors.get(name),
      focus: () => touch(this),
      breakAt: this.breaks ? (node) => this.breakAt({ node }) : undefined,
    };
  }

  /** Light up what these references name in the texts. @param {string[]} refs */
  lightText(refs) {
    this.references.light(refs);
  }

  // --- cursor

  /** @param {number} step */
  go(step) {
    const wanted = Math.max(0, Math.min(this.count, step));
    if (wanted === this.step) return;
    this.step = wanted;
    this.show();
    this.address.remember();
    this.options.onStep?.(wanted);
  }

  show() {
    const { current } = this;
    this.linker.setStep(current);
    this.pane.show(current);
    this.presenter.fitType();
    this.timeline.show(this.step);
    this.strip.show(this.step);
    this.pictures.ahead(this.step);
    this.map.showStep(this.step);
    this.whatIf.show(this.step);
    this.transport.show(current?.so_far ?? this.doc.planning.so_far);
    this.why.markHere();
    this.root.dataset.step = String(this.step);
    if (this.root.dataset.ready !== "true") requestAnimationFrame(() => requestAnimationFrame(() => this.painted()));
  }

  painted() {
    if (!this.stopped.signal.aborted) this.root.dataset.ready = "true";
  }

  repaintPane() {
    this.pane.show(this.current);
    this.presenter.fitType();
    this.why.markHere();
  }

  toDivergence() {
    const step = this.doc.divergence?.step ?? this.doc.compare?.first_difference;
    if (!step) return;
    this.pause();
    this.go(step);
    this.nearStep();
  }

  /** Go to where the likely cause began; a walk without one goes to its divergence. */
  toCause() {
    const { cause } = this.why;
    if (!cause) {
      this.toDivergence();
      return;
    }
    this.pause();
    this.go(cause.step);
    this.nearStep(cause.quotes.flatMap(({ at }) => (at ? [at] : [])));
    const source = cause.quotes.find(({ step, source }) => step === cause.step && source in TABS)?.source;
    if (source) this.pane.open(source);
  }

  /** Show the fork from near: the place where the step was decided. @param {number[][]} [others] */
  nearStep(others) {
    const node = this.current?.node;
    const at = typeof node === "number" ? nodePlace(this.doc, node).at[0] : undefined;
    if (at) this.map.closeUp(at, others);
  }

  /** @param {number} goal */
  toSubGoal(goal) {
    const at = this.doc.steps.findIndex((step) => step.sub_goal === goal);
    if (at < 0) return;
    this.pause();
    this.go(at + 1);
  }

  /** Go to where a sub-task begins. @param {number} stage */
  toStage(stage) {
    const first = this.doc.stages[stage]?.first;
    if (first !== undefined) this.jump(first);
  }

  /** @param {number} step */
  jump(step) {
    this.pause();
    this.go(step);
  }

  /** @param {number} direction */
  bySubGoal(direction) {
    const { stages } = this.doc;
    const next = stages.length
      ? nextStage(stages, this.step, this.count, direction)
      : nextSubGoal(this.timeline.segments, this.step, this.count, direction);
    if (next !== undefined) this.go(next);
  }

  /** Ask the page for the next or previous episode. @param {"next" | "previous"} name */
  toEpisode(name) {
    this.pause();
    this.options.onAction?.(name, this.step);
  }

  /** A button of the page, by its key. @param {string} name */
  act(name) {
    this.options.onAction?.(name, this.step);
  }

  /** Whether the page lets a walk pause. */
  get breaks() {
    return this.options.actions?.some(({ name }) => name === "break") ?? false;
  }

  /** Set a breakpoint, or take it away. @param {import("./types").Breakpoint} at */
  breakAt(at) {
    this.options.onAction?.("break", this.step, undefined, undefined, at);
  }

  toggle() {
    this.transport.toggle();
  }

  pause() {
    this.transport.pause();
  }

  /** @param {boolean} [on] */
  present(on) {
    this.presenter.turn(on);
  }

  // --- events

  listen() {
    const { signal } = this.stopped;
    const { root } = this;
    root.addEventListener("pointerdown", () => touch(this), { signal });
    root.addEventListener("mouseover", (event) => this.onHover(event), { signal });
    root.addEventListener("click", (event) => this.onClick(event), { signal });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.followTheme(), { signal });
    // `navigation` tells of addresses that scripts write; older browsers lack it
    const { navigation } = /** @type {{navigation?: EventTarget}} */ (window);
    navigation?.addEventListener("currententrychange", () => this.address.keep(), { signal });
    const sizes = new ResizeObserver(() => this.map.resize());
    sizes.observe(this.mapBox);
    const classes = new MutationObserver(() => this.followTheme());
    for (let node = root.parentElement; node; node = node.parentElement) {
      classes.observe(node, { attributes: true, attributeFilter: ["class", "style"] });
    }
    signal.addEventListener("abort", () => {
      sizes.disconnect();
      classes.disconnect();
    });
  }

  /** @param {MouseEvent} event */
  onHover(event) {
    const ref = refAt(event);
    if (ref === this.hovered) return;
    this.hovered = ref;
    this.lightText(ref ? [ref] : []);
    this.map.highlight(ref ? [ref] : []);
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    if (event.altKey && this.breaks && breakAtLine(this, event)) return;
    const ref = refAt(event);
    if (!ref || this.mapBox.contains(/** @type {Node} */ (event.target))) return;
    event.stopPropagation();
    this.map.panTo(ref);
  }

  // --- theme

  followTheme() {
    const theme = this.options.theme ?? pageTheme(this.root);
    if (theme === this.root.dataset.theme) return;
    this.root.dataset.theme = theme;
    this.map.setTheme();
  }

  /** Take the height that the page sets, or what the window leaves. */
  takeHeight() {
    this.stopped.signal.addEventListener("abort", takeHeight(this.root, this.options.height));
  }

  // --- life

  /** A newer document. A player at the end goes on to the new end; elsewhere the cursor stays. @param {ReplayDocument} doc */
  async update(doc) {
    const turn = ++this.updates;
    const strings = await unpackStrings(doc.strings);
    // unpacking takes as long as the texts are large: an older document may be ready after a newer one
    if (turn !== this.updates || this.stopped.signal.aborted) return;
    const follow = this.atEnd;
    this.doc = doc;
    this.strings = strings;
    this.linker = new Linker(doc);
    this.references.clear();
    this.step = follow ? this.count : Math.min(this.step, this.count);
    this.root.dataset.steps = String(this.count);
    this.root.dataset.episode = doc.episode.id;
    this.head.show();
    this.timeline.build();
    this.strip.build();
    const shown = this.whatIf.on || this.whatIf.asked;
    this.whatIf.turn(false);
    this.whatIf.build();
    this.map.update(doc);
    if (shown && doc.what_if) this.whatIf.turn(true);
    this.show();
  }

  destroy() {
    this.pause();
    this.address.forget();
    this.presenter.turn(false);
    this.stopped.abort();
    leave(this);
    this.map.destroy();
    this.root.replaceChildren();
    this.root.removeAttribute("data-ready");
  }
}
