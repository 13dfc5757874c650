// @ts-check
// A talk: each slide is an episode at a step below its caption, and one key leads onward, as clickers send it.
import { el } from "../dom.js";
import { Player } from "../player.js";
import { unpack } from "../text/strings.js";

/** @typedef {{document: number, step: number, caption: string}} Slide */

const ONWARD = new Set([" ", "PageDown", "ArrowRight"]);
const BACK = new Set(["PageUp", "ArrowLeft"]);

export class Talk {
  /**
   * @param {HTMLElement} root
   * @param {{slides: Slide[], documents: string[]}} talk  documents as base64 of gzipped JSON
   */
  constructor(root, { slides, documents }) {
    this.root = root;
    this.slides = slides;
    this.documents = documents;
    this.at = 0;
    this.turns = 0;
    /** @type {Player | undefined} */
    this.player = undefined;
    /** The document that is shown, by its number. @type {number | undefined} */
    this.shown = undefined;
    this.text = el("p", {});
    this.number = el("span", {});
    this.caption = el("div", { class: "nv-caption", role: "status" }, this.text, this.number);
    // first of all: the arrows and the space bar are the player's, too
    window.addEventListener("keydown", (event) => this.onKey(event), true);
    const wanted = Number(location.hash.slice(1)) - 1;
    this.show(wanted in slides ? wanted : 0);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (target instanceof Element && target.closest("input, select, textarea")) return;
    if (ONWARD.has(key)) this.show(this.at + 1);
    else if (BACK.has(key)) this.show(this.at - 1);
    else if (key === "f") this.fill();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** Full screen, or not; slides come and go within it. */
  fill() {
    this.player?.present(true);
    const full = document.fullscreenElement
      ? document.exitFullscreen()
      : document.documentElement.requestFullscreen?.();
    // a frame may not be allowed to; filling the window is enough
    full?.catch(() => {});
  }

  /** @param {number} at */
  async show(at) {
    const slide = this.slides[at];
    if (!slide) return;
    this.at = at;
    const turn = ++this.turns;
    // loaded again, the page shows this slide
    history.replaceState(null, "", `#${at + 1}`);
    if (slide.document !== this.shown) {
      const next = await this.mount(slide);
      // somebody was faster
      if (turn !== this.turns) return drop(next);
      const presents = this.player?.presenter.on ?? true;
      this.write(slide, next);
      next.present(presents);
      drop(this.player);
      this.player = next;
      this.shown = slide.document;
    } else if (this.player) {
      this.player.pause();
      this.player.whatIf.turn(false);
      this.write(slide, this.player);
      this.player.go(slide.step);
      this.player.presenter.fitType();
    }
    this.root.dataset.slide = String(at + 1);
  }

  /** @param {Slide} slide */
  async mount({ document: number, step }) {
    const doc = await unpack(this.documents[number]);
    const root = el("div", {});
    this.root.append(root);
    const options = { file: true, deepLink: false, fullscreen: false, step };
    return Player.mount(root, doc, options);
  }

  /** Put the caption above a player. @param {Slide} slide @param {Player} player */
  write({ caption }, player) {
    this.text.textContent = caption;
    this.number.textContent = `${this.at + 1} of ${this.slides.length}`;
    player.root.querySelector(".nv-frame")?.prepend(this.caption);
  }
}

/** @param {Player | undefined} player */
function drop(player) {
  player?.destroy();
  player?.root.remove();
}
