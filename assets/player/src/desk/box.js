// @ts-check
// Draw a box in a picture of the route: with the mouse, or with keys alone.
import { el } from "../dom.js";
import { keyButton } from "./parts.js";

/** @typedef {import("./types").BoxPicture} BoxPicture */
/** @typedef {import("./types").PictureBox} PictureBox */
/** @typedef {{x: number, y: number, width: number, height: number}} Corners  in percent of what is shown */

/** Where a box begins that is drawn by keys. @type {Corners} */
const FIRST = { x: 35, y: 35, width: 30, height: 30 };
/** @type {[number, number]} */
const WHOLE = [0, 100];
/** One press of an arrow, and the smallest box, in percent. */
const STEP = 2;
const LEAST = 1;
const HINT =
  "Drag a box around the landmark. Or with keys: arrows move it, Shift and arrows change its size, Page Up and Page Down change the picture.";

export class BoxDialog {
  /**
   * @param {HTMLElement} root  where the dialog stands
   * @param {{pictures: BoxPicture[], url: (picture: number) => string | null, words: string, box: PictureBox | null, keep: (box: PictureBox | null) => void}} what
   */
  constructor(root, { pictures, url, words, box, keep }) {
    this.pictures = pictures;
    this.url = url;
    this.keep = keep;
    /** @type {number} */
    this.at = 0;
    /** @type {Corners | null} */
    this.corners = null;
    if (box) this.open(box);
    this.image = el("img", { alt: "", draggable: "false" });
    this.frame = el("div", { class: "nv-box-frame" });
    this.caption = el("p", { class: "nv-mute", role: "status", "aria-live": "polite" });
    this.drawn = el("div", { class: "nv-box-drawn", hidden: true });
    this.frame.append(this.image, this.drawn);
    const commands = this.commands();
    this.dialog = el(
      "dialog",
      { class: "nv-box", "aria-label": `Where is “${words}”?` },
      el("h3", { text: `Where is “${words}”?` }),
      el("p", { class: "nv-desk-hint", text: HINT }),
      this.frame,
      this.caption,
      el(
        "div",
        { class: "nv-choices" },
        commands.map((command) => keyButton(command)),
      ),
    );
    this.dialog.addEventListener("close", () => this.dialog.remove());
    this.dialog.addEventListener("keydown", (event) => this.onKey(event));
    this.listen();
    root.append(this.dialog);
    this.dialog.showModal();
    this.show();
  }

  /** Show the picture, or the face of it, in which a box was drawn. @param {PictureBox} box */
  open({ picture, x, y, width, height }) {
    const middle = x + width / 2;
    const at = this.pictures.findIndex(({ name, cut: [left, wide] = WHOLE }) => {
      return name === picture && middle >= left && middle <= left + wide;
    });
    if (at < 0) return;
    this.at = at;
    const [left, wide] = this.pictures[at].cut ?? WHOLE;
    const share = (/** @type {number} */ value) => Math.min(100, Math.max(0, (100 * (value - left)) / wide));
    this.corners = { x: share(x), y, width: share(x + width) - share(x), height };
  }

  /** @returns {import("./types").Command[]} */
  commands() {
    return [
      { keys: ["Enter"], label: "Keep the box", run: () => this.finish() },
      { keys: ["PageUp"], label: "Picture before", run: () => this.turn(-1) },
      { keys: ["PageDown"], label: "Next picture", run: () => this.turn(1) },
      { keys: ["Delete"], label: "No box", run: () => this.clear() },
      { keys: ["Escape"], label: "Leave it as it was", run: () => this.dialog.close() },
    ];
  }

  show() {
    const { name, caption, picture } = this.pictures[this.at];
    const source = this.url(picture) ?? "";
    if (this.image.getAttribute("src") !== source) this.image.src = source;
    this.image.alt = name;
    this.trim();
    this.drawn.hidden = this.corners === null;
    const parts = [`Picture ${this.at + 1} of ${this.pictures.length}: ${caption}`];
    if (this.corners) {
      const { x, y, width, height } = this.corners;
      Object.assign(this.drawn.style, { left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%` });
      parts.push(`box ${Math.round(width)} × ${Math.round(height)} %`);
    }
    this.caption.textContent = parts.join(" · ");
  }

  /** Of a strip of six faces, show one: as large as a picture of its own. */
  trim() {
    const { cut } = this.pictures[this.at];
    this.frame.classList.toggle("nv-box-face", cut !== undefined);
    const [left, wide] = cut ?? WHOLE;
    this.image.style.width = cut ? `${10000 / wide}%` : "";
    this.image.style.marginLeft = cut ? `${(-100 * left) / wide}%` : "";
  }

  /** Another picture: a box belongs to the one it was drawn in. @param {number} by */
  turn(by) {
    this.at = (this.at + by + this.pictures.length) % this.pictures.length;
    this.corners = null;
    this.show();
  }

  finish() {
    const { name, cut: [left, wide] = WHOLE } = this.pictures[this.at];
    const round = (/** @type {number} */ value) => Math.round(value * 100) / 100;
    if (this.corners) {
      // a box of a face is kept in percent of the whole strip, as the picture's file has it
      const [x, y] = [round(left + (this.corners.x * wide) / 100), round(this.corners.y)];
      // rounded corners must not pass the picture's edge
      const [width, height] = [
        Math.min(round((this.corners.width * wide) / 100), 100 - x),
        Math.min(round(this.corners.height), 100 - y),
      ];
      this.keep({ picture: name, x, y, width, height });
    }
    this.dialog.close();
  }

  clear() {
    this.keep(null);
    this.dialog.close();
  }

  // --- mouse and keys

  listen() {
    const { frame } = this;
    /** @type {{x: number, y: number} | null} */
    let from = null;
    frame.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      frame.setPointerCapture(event.pointerId);
      from = this.spot(event);
    });
    frame.addEventListener("pointermove", (event) => {
      if (!from) return;
      const to = this.spot(event);
      const [width, height] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
      if (width < LEAST || height < LEAST) return;
      this.corners = { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), width, height };
      this.show();
    });
    for (const end of ["pointerup", "pointercancel"]) {
      frame.addEventListener(end, () => {
        from = null;
      });
    }
  }

  /** Where the pointer is, in percent of the picture. @param {PointerEvent} event */
  spot({ clientX, clientY }) {
    const box = this.frame.getBoundingClientRect();
    const within = (/** @type {number} */ share) => 100 * Math.min(1, Math.max(0, share));
    return { x: within((clientX - box.left) / box.width), y: within((clientY - box.top) / box.height) };
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const command = this.commands().find(({ keys }) => keys.includes(event.key));
    if (!arrow && !command) return;
    // a button that has the focus would be pressed by Enter as well
    event.preventDefault();
    event.stopPropagation();
    if (arrow) this.push(arrow[0] * STEP, arrow[1] * STEP, event.shiftKey);
    else command?.run();
  }

  /** @param {number} right @param {number} down @param {boolean} size  whether the size changes, not the place */
  push(right, down, size) {
    const box = this.corners ?? FIRST;
    const within = (/** @type {number} */ value, /** @type {number} */ least, /** @type {number} */ most) =>
      Math.min(most, Math.max(least, value));
    this.corners = size
      ? {
          ...box,
          width: within(box.width + right, LEAST, 100 - box.x),
          height: within(box.height + down, LEAST, 100 - box.y),
        }
      : { ...box, x: within(box.x + right, 0, 100 - box.width), y: within(box.y + down, 0, 100 - box.height) };
    this.show();
  }
}
