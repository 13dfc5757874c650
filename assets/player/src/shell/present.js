// @ts-check
// Presenting: the player fills the screen, type grows as far as instruction and plan stay whole.
import { el } from "../dom.js";
import { Pages } from "./pages.js";

/** Type in px: what the last row can read, and the least that is still type. */
const LARGEST_PX = 30;
const SMALLEST_PX = 14;
/** Type at the start, as a share of the window's width. */
const SHARE = 0.0165;
/** Lines of thought that stay visible below plan and decision. */
const LINES = 5;
/** Where there is a picture: its share of the window's height, and the room for plan and decision above it in type. */
const PICTURE = 0.36;
const PLAN_LINES = 10;

export class Presenter {
  /** @param {import("../player.js").Player} player */
  constructor(player) {
    this.player = player;
    this.wasFull = false;
    this.pages = new Pages(player);
    this.instruction = el("div", { class: "nv-present-text", hidden: true });
    player.main.before(this.instruction);
    const { signal } = player.stopped;
    document.addEventListener("fullscreenchange", () => this.onFullscreen(), { signal });
    window.addEventListener("resize", () => this.fitType(), { signal });
  }

  get on() {
    return this.player.root.classList.contains("nv-present");
  }

  /** @param {boolean} [on] */
  turn(on = !this.on) {
    if (on === this.on) return;
    this.player.root.classList.toggle("nv-present", on);
    if (on) this.enterTop();
    else this.leaveTop();
    this.player.repaintPane();
    requestAnimationFrame(() => {
      if (this.player.stopped.signal.aborted) return;
      this.player.map.resize();
      this.player.map.fit(false);
    });
  }

  onFullscreen() {
    const left = !document.fullscreenElement && this.wasFull;
    if (left && this.player.options.fullscreen !== false) this.turn(false);
    this.wasFull = Boolean(document.fullscreenElement);
  }

  /** The top layer of the page: whatever clips or transforms the player's ancestors no longer matters. */
  enterTop() {
    const { root, options } = this.player;
    root.setAttribute("popover", "manual");
    try {
      root.showPopover();
    } catch {
      // an old browser: position: fixed alone has to do
    }
    if (options.fullscreen === false) return;
    root.ownerDocument.documentElement.requestFullscreen?.().catch(() => {
      // a frame may not be allowed to; filling the window is enough
    });
  }

  leaveTop() {
    const { root, options } = this.player;
    root.style.removeProperty("font-size");
    this.pages.reset();
    this.instruction.hidden = true;
    try {
      root.hidePopover();
    } catch {
      // was not shown
    }
    root.removeAttribute("popover");
    if (document.fullscreenElement && options.fullscreen !== false) document.exitFullscreen().catch(() => {});
  }

  /** Make the type as large as the window allows with instruction, plan and decision whole. */
  fitType() {
    if (!this.on) return;
    // first: a further page hides plan and decision, which are measured here
    this.pages.reset();
    const { root, pane } = this.player;
    this.instruction.replaceChildren(...pane.top.querySelectorAll(".nv-instruction"));
    this.instruction.hidden = false;
    let size = Math.min(LARGEST_PX, Math.max(SMALLEST_PX, window.innerWidth * SHARE));
    for (; size > SMALLEST_PX; size -= 1) {
      root.style.fontSize = `${size}px`;
      if (this.fits(size)) return;
    }
    root.style.fontSize = `${SMALLEST_PX}px`;
  }

  /** @param {number} size */
  fits(size) {
    const { pane, paneBox } = this.player;
    const fits = this.instruction.offsetHeight < 0.28 * window.innerHeight;
    // a picture takes its room first, and the plan scrolls
    if (pane.body.querySelector(".nv-look, .nv-seen-pictures"))
      return fits && paneBox.clientHeight >= PICTURE * window.innerHeight + PLAN_LINES * size;
    const plan = pane.top.querySelector(".nv-plan");
    const whole =
      pane.top.scrollHeight <= pane.top.clientHeight + 1 && (!plan || plan.scrollHeight <= plan.clientHeight + 1);
    const left = paneBox.clientHeight - pane.top.scrollHeight - pane.decided.offsetHeight - pane.tabs.offsetHeight;
    return whole && left >= LINES * 1.5 * size && fits;
  }
}
