// @ts-check
// The film strip: a small picture for each step along the time line, or for as many as fit.
import { el } from "../dom.js";
import { cutOf, SMALL_PX, standIn } from "./store.js";

/** Width of a small picture that can still be recognised. */
const LEAST_PX = 40;
const BEST_PX = 60;

export class Strip {
  /**
   * @param {import("../player.js").Player} player
   * @param {HTMLElement} box
   */
  constructor(player, box) {
    this.player = player;
    this.box = box;
    /** Steps with a picture on the strip, in order. @type {{step: number, cell: HTMLElement}[]} */
    this.cells = [];
    /** One picture for so many steps. */
    this.every = 0;
    this.preview = el("div", { class: "nv-strip-preview", hidden: true });
    this.build();
    const sizes = new ResizeObserver(() => this.fit());
    sizes.observe(box);
    player.stopped.signal.addEventListener("abort", () => sizes.disconnect());
  }

  build() {
    this.box.hidden = !this.player.pictures.any;
    this.every = 0;
    this.fit();
  }

  /** Choose how many steps get a picture. */
  fit() {
    if (this.box.hidden) return;
    const { count } = this.player;
    const cell = this.box.clientWidth / (count + 1);
    const every = Math.max(1, Math.ceil(LEAST_PX / Math.max(cell, 0.01)));
    if (every === this.every) return;
    this.every = every;
    this.cells = [];
    for (let step = 1; step <= count; step += every) this.add(step, cell * every);
    this.box.replaceChildren(...this.cells.map(({ cell }) => cell), this.preview);
    this.show(this.player.step);
  }

  /** @param {number} step @param {number} room */
  add(step, room) {
    const { doc, pictures, count } = this.player;
    const entry = doc.steps[step - 1];
    const view = entry.views?.[0];
    if (!view) return;
    const heading = view.heading_deg ?? entry.heading_deg ?? 0;
    const picture = standIn(view, heading);
    if (picture === null) return;
    const url = pictures.url(picture, SMALL_PX);
    const image = url ? el("img", { src: url, alt: "", loading: "lazy", draggable: "false" }) : null;
    image?.addEventListener("error", () => image.remove());
    image?.addEventListener("load", () => {
      const [left, , across] = cutOf(view, heading, image);
      const rest = image.naturalWidth - across;
      if (rest > 0) image.style.objectPosition = `${(100 * left) / rest}% 50%`;
    });
    const on = {
      click: () => this.player.jump(step),
      mouseenter: () => this.enlarge(step, picture),
      mouseleave: () => {
        this.preview.hidden = true;
      },
    };
    const style = {
      left: `${(100 * (step + 0.5)) / (count + 1)}%`,
      width: `${Math.min(BEST_PX, Math.max(room - 2, 24))}px`,
    };
    const cell = el("div", { class: "nv-strip-cell", title: `Step ${step}`, data: { step }, style, on }, image);
    this.cells.push({ step, cell });
  }

  /** @param {number} step @param {number} picture */
  enlarge(step, picture) {
    const url = this.player.pictures.url(picture, 512);
    if (!url) return;
    const at = (100 * (step + 0.5)) / (this.player.count + 1);
    this.preview.replaceChildren(el("img", { src: url, alt: "" }), el("span", { text: `Step ${step}` }));
    this.preview.style.left = `${Math.min(86, Math.max(14, at))}%`;
    this.preview.hidden = false;
  }

  /** @param {number} step */
  show(step) {
    const now = this.cells.findLast((cell) => cell.step <= step);
    for (const { step: at, cell } of this.cells) cell.classList.toggle("nv-now", at === now?.step && step > 0);
  }
}
