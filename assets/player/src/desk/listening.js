// @ts-check
// What a desk listens to: keys, that somebody is there, typing, other tabs, the network, and its own clock.
import { pageTheme } from "../shell/theme.js";
import { keepAddress } from "./address.js";
import { takeOtherTab } from "./answers.js";
import { keyName, typedElsewhere } from "./keys.js";

/** @typedef {import("./desk.js").Desk} Desk */

/** What is tried again, is tried so often, in ms. */
const TICK_MS = 500;
/** What another window could not send for so long, this one sends, in ms; it looks every so many ticks. */
const STALE_MS = 15_000;
const ADOPT_TICKS = 10;
/** A comment is saved when nothing was typed for so long, in ms. */
const COMMENT_MS = 1500;

/** Listen until the desk's signal ends it. @param {Desk} desk */
export function listen(desk) {
  const { signal } = desk.stopped;
  window.addEventListener("keydown", (event) => onKey(desk, event), { signal, capture: true });
  for (const sign of ["pointerdown", "pointermove", "wheel", "keydown"])
    window.addEventListener(sign, () => desk.clock.touch(), { signal, capture: true, passive: true });
  document.addEventListener("visibilitychange", () => document.hidden && desk.clock.away(), { signal });
  window.addEventListener("blur", () => desk.clock.away(), { signal });
  window.addEventListener("pagehide", () => desk.saveComment(), { signal });
  window.addEventListener("online", () => desk.outbox.lost(), { signal });
  desk.channel.addEventListener("message", ({ data }) => takeOtherTab(desk, data), { signal });
  listenToTyping(desk);
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
    if (ticks % ADOPT_TICKS === 0) desk.outbox.adopt(Date.now() - STALE_MS);
    tick(desk);
  }, TICK_MS);
  signal.addEventListener("abort", () => clearInterval(ticking));
}

/** @param {Desk} desk */
function listenToTyping(desk) {
  const { comment } = desk.view;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing;
  comment.addEventListener("input", () => {
    desk.keepTyping();
    clearTimeout(typing);
    typing = setTimeout(() => desk.saveComment(), COMMENT_MS);
  });
  comment.addEventListener("blur", () => desk.saveComment());
  desk.stopped.signal.addEventListener("abort", () => clearTimeout(typing));
}

/** @param {Desk} desk */
function tick(desk) {
  desk.outbox.flush();
  desk.shelf.need(desk.at);
  desk.view.showState();
  // Streamlit writes the address anew when a script sets a parameter, without ours
  keepAddress(desk.data, desk.entry.item);
  const theme = pageTheme(desk.root);
  if (theme === desk.root.dataset.theme) return;
  desk.root.dataset.theme = theme;
  desk.itemView.map?.setTheme();
}

/** @param {Desk} desk @param {KeyboardEvent} event */
function onKey(desk, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (!desk.root.isConnected || !desk.root.getClientRects().length) return;
  const { comment } = desk.view;
  if (event.key === "Escape" && event.target === comment) {
    comment.blur();
    return;
  }
  if (typedElsewhere(event)) return;
  const command = desk.commands().find(({ keys }) => keys.includes(keyName(event)));
  if (!command) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  desk.clock.touch();
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && activeElement !== document.body) activeElement.blur();
  command.run();
}
