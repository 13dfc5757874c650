// @ts-check
// Only the rows in sight stand in the document, so that a list of 50,000 opens and scrolls as one of fifty does.
import { el } from "../dom.js";

/** Rows drawn above and below those in sight. */
const AROUND = 12;

export class Windowed {
  /**
   * @param {HTMLElement} box  scrolls
   * @param {number} height  of one line in pixels
   * @param {(line: number) => HTMLElement} draw
   */
  constructor(box, height, draw) {
    this.box = box;
    this.height = height;
    this.draw = draw;
    this.lines = 0;
    this.first = -1;
    this.last = -1;
    this.sheet = el("div", { class: "nl-sheet" });
    box.append(this.sheet);
    box.addEventListener("scroll", () => this.fill());
    this.sizes = new ResizeObserver(() => this.fill());
    this.sizes.observe(box);
  }

  /** Begin anew with so many lines. @param {number} lines */
  show(lines) {
    this.lines = lines;
    this.sheet.style.height = `${lines * this.height}px`;
    this.first = this.last = -1;
    this.fill();
  }

  /** Draw again what is in sight: its lines look different now. */
  redraw() {
    this.first = -1;
    this.fill();
  }

  /** Draw what is in sight, where it is not drawn yet. */
  fill() {
    const top = Math.max(0, this.box.scrollTop - this.sheet.offsetTop);
    const first = Math.max(0, Math.floor(top / this.height) - AROUND);
    const last = Math.min(this.lines, Math.ceil((top + this.box.clientHeight) / this.height) + AROUND);
    if (first === this.first && last === this.last) return;
    [this.first, this.last] = [first, last];
    const drawn = [];
    for (let line = first; line < last; line += 1) {
      const row = this.draw(line);
      row.style.top = `${line * this.height}px`;
      drawn.push(row);
    }
    this.sheet.replaceChildren(...drawn);
  }

  /** Bring a line into sight. @param {number} line */
  reveal(line) {
    const top = line * this.height;
    const { scrollTop, clientHeight } = this.box;
    const room = clientHeight - this.sheet.offsetTop;
    if (top < scrollTop) this.box.scrollTop = top;
    else if (top + this.height > scrollTop + room) this.box.scrollTop = top + this.height - room;
  }

  destroy() {
    this.sizes.disconnect();
    this.sheet.remove();
  }
}
