// @ts-check
// The agent's replay beside the item, for the tasks that are about what it did.
import { Player } from "../player.js";

/** @typedef {{at: number, root: HTMLElement, player: Promise<Player>, shown: Player | null}} Beside  the replay of one item */

export class DeskReplay {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk;
    /** @type {Beside | null} */
    this.beside = null;
  }

  /** Show the item's replay; the one before goes. @param {import("../document").ReplayDocument} doc */
  show(doc) {
    const { desk } = this;
    if (this.beside?.at === desk.at) return;
    this.drop();
    const root = desk.view.left.appendChild(document.createElement("div"));
    const player = Player.mount(root, doc, {
      deepLink: false,
      header: false,
      start: desk.data.task === "cause" ? "cause" : undefined,
      onStep: () => desk.form.show(),
      actions: desk.data.task === "failure" ? [{ name: "label", label: "Label this step" }] : [],
      onAction: () =>
        desk
          .commands()
          .find(({ keys }) => keys[0] === "a")
          ?.run(),
    });
    const beside = { at: desk.at, root, player, shown: /** @type {Player | null} */ (null) };
    this.beside = beside;
    player.then((shown) => {
      beside.shown = shown;
      if (this.beside === beside) desk.showItem();
    });
  }

  drop() {
    const old = this.beside;
    this.beside = null;
    old?.root.remove();
    old?.player.then((player) => player.destroy());
  }

  /** The player that stands beside the item, once it does. */
  get player() {
    return this.beside?.at === this.desk.at ? this.beside.shown : null;
  }

  get step() {
    return Number(this.beside?.root.dataset.step ?? 0);
  }

  /** @param {number} step */
  playTo(step) {
    this.beside?.player.then((player) => player.jump(step));
  }
}
