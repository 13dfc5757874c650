// @ts-check
// The agent's replay, for the tasks that are about what it did.
import { Player } from "../player.js";

/** @typedef {{at: number, root: HTMLElement, player: Promise<Player>, shown: Player | null}} Replay  the replay of one item */

export class DeskReplay {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk;
    /** @type {Replay | null} */
    this.current = null;
  }

  /** Show the item's replay; the one before goes. @param {import("../document").ReplayDocument} doc */
  show(doc) {
    const { desk } = this;
    if (this.current?.at === desk.at) return;
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
    const replay = { at: desk.at, root, player, shown: /** @type {Player | null} */ (null) };
    this.current = replay;
    player.then((shown) => {
      replay.shown = shown;
      if (this.current === replay) desk.showItem();
    });
  }

  drop() {
    const old = this.current;
    this.current = null;
    old?.root.remove();
    old?.player.then((player) => player.destroy());
  }

  /** The item's player, once it is there. */
  get player() {
    return this.current?.at === this.desk.at ? this.current.shown : null;
  }

  get step() {
    return Number(this.current?.root.dataset.step ?? 0);
  }

  /** @param {number} step */
  playTo(step) {
    this.current?.player.then((player) => player.jump(step));
  }
}
