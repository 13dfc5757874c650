// @ts-check
// The bar below the time line: step, play, speed, what was spent, actions.
import { el, icon, iconButton, keepFocus } from "../dom.js";
import { amount, DASH, duration, money } from "../text/figures.js";

/** Time for one step at speed 1, in milliseconds. */
const STEP_MS = 2400;
const FIRST_SPEED = 2;
/** Time for one motion of an agent that walks freely: a quarter of a metre, or a turn of 30 degrees. */
const MOTION_MS = 320;

export class Transport {
  /**
   * @param {import("../player.js").Player} player
   * @param {HTMLElement} box
   */
  constructor(player, box) {
    this.player = player;
    this.speed = FIRST_SPEED;
    /** @type {ReturnType<typeof setInterval> | null} */
    this.timer = null;
    this.playButton = this.button("play", "Play (space)", () => this.toggle());
    this.where = el("span", { class: "nv-step", role: "status", "aria-live": "polite" });
    this.tally = el("span", { class: "nv-tally" });
    this.speedBox = this.speeds();
    box.append(this.bar());
  }

  /**
   * @param {import("../dom.js").IconName} name
   * @param {string} title
   * @param {() => void} press
   */
  button(name, title, press) {
    return iconButton(name, title, press, { press: name });
  }

  bar() {
    const { player } = this;
    return el(
      "div",
      { class: "nv-transport" },
      this.button("first", "Start (home)", () => player.go(0)),
      this.button("previous", "Step back (←)", () => player.go(player.step - 1)),
      this.playButton,
      this.button("next", "Step on (→)", () => player.go(player.step + 1)),
      this.button("last", "End (end)", () => player.go(player.count)),
      this.speedBox,
      this.where,
      el("span", { class: "nv-gap" }),
      this.tally,
      player.whatIf.possible ? this.whatIf() : null,
      (player.options.actions ?? []).filter(({ label }) => label).map((action) => this.action(action)),
      this.button("search", "Search (ctrl + k)", () => player.search.open()),
      this.button("keys", "Keys (?)", () => player.help.toggle()),
      this.button("present", "Present (f)", () => player.present()),
    );
  }

  /** @param {import("../types").Action} action */
  action({ name, label }) {
    const on = { mousedown: keepFocus, click: () => this.player.options.onAction?.(name, this.player.step) };
    return el("button", { type: "button", class: "nv-action", data: { action: name }, on, text: label });
  }

  whatIf() {
    const on = { mousedown: keepFocus, click: () => this.player.whatIf.turn() };
    const title = "What if it had taken another link (x)";
    return el("button", { type: "button", class: "nv-action nv-whatif-button", title, on, text: "What if" });
  }

  speeds() {
    const options = Array.from({ length: 9 }, (_, i) => el("option", { value: i + 1, text: `${i + 1}×` }));
    const change = () => {
      this.setSpeed(Number(box.value));
      box.blur();
    };
    const box = el(
      "select",
      { class: "nv-speed", title: "Speed (1 – 9)", "aria-label": "Speed", on: { change } },
      options,
    );
    box.value = String(this.speed);
    return box;
  }

  // --- what is shown

  /** @param {import("../document").Spent} spent */
  show(spent) {
    const { player } = this;
    this.where.replaceChildren(el("b", { text: `Step ${player.step}` }), ` of ${player.count}`);
    const more = spent.partial ? "+" : "";
    this.tally.replaceChildren(
      this.fact(
        "tokens",
        spent.tokens === undefined ? DASH : amount(spent.tokens) + more,
        "Tokens so far; a dash where the log does not say",
      ),
      this.fact("time", duration(spent.seconds), "Time of the model calls so far"),
      spent.list_price
        ? this.fact(
            "list price",
            money(spent.cost_usd),
            "Cost so far at list price; the log does not state what was paid",
          )
        : this.fact("cost", money(spent.cost_usd), "Cost so far"),
    );
  }

  /**
   * @param {string} name
   * @param {string} text
   * @param {string} title
   */
  fact(name, text, title) {
    return el("span", { title, class: text === DASH ? "nv-unknown" : "" }, el("i", { text: name }), text);
  }

  // --- playing

  get playing() {
    return this.timer !== null;
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    const { player } = this;
    if (!player.count) return;
    if (player.atEnd && !player.doc.running) player.go(0);
    const each = (player.doc.free ? MOTION_MS : STEP_MS) / this.speed;
    player.root.style.setProperty("--nv-step-time", `${Math.round(each)}ms`);
    this.timer = setInterval(() => this.tick(), each);
    this.playButton.replaceChildren(icon("pause"));
    player.root.dataset.playing = "true";
  }

  tick() {
    if (this.player.atEnd) this.pause();
    else this.player.go(this.player.step + 1);
  }

  pause() {
    if (this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    this.playButton.replaceChildren(icon("play"));
    this.player.root.dataset.playing = "false";
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.speedBox.value = String(speed);
    if (!this.playing) return;
    this.pause();
    this.play();
  }
}
