// @ts-check
// The keyboard belongs to the player: one listener for the page, whatever has the focus, unless one is typing there.

/** @typedef {import("../player.js").Player} Player */

/** Players on the page, the newest last. @type {Player[]} */
const players = [];
/** The one that was touched last. @type {Player | null} */
let touched = null;
/** Whether the focus went where it is by the keyboard (tab) rather than by a click. */
let tabbed = false;

/** @param {Player} player */
export function enter(player) {
  if (!players.length) {
    window.addEventListener("keydown", onKey);
    window.addEventListener("pointerdown", onPointer, true);
  }
  players.push(player);
  leaveFields(player);
}

/** @param {Player} player */
export function leave(player) {
  players.splice(players.indexOf(player), 1);
  if (touched === player) touched = null;
  if (players.length) return;
  window.removeEventListener("keydown", onKey);
  window.removeEventListener("pointerdown", onPointer, true);
}

function onPointer() {
  tabbed = false;
}

/** @param {Player} player */
export function touch(player) {
  touched = player;
}

/** The player that the keys speak to: the one touched last, else the newest that is there to be seen. */
function active() {
  if (touched && isShown(touched)) return touched;
  return players.findLast(isShown) ?? null;
}

/** @param {Player} player */
const isShown = (player) => player.root.isConnected && player.root.getClientRects().length > 0;

/** A new episode came, perhaps from a box that keeps the focus though nothing is left to type: take the keys from it. */
function leaveFields(/** @type {Player} */ player) {
  const { activeElement } = document;
  const combobox = activeElement instanceof HTMLInputElement && activeElement.getAttribute("role") === "combobox";
  if (combobox && activeElement.getAttribute("aria-expanded") !== "true" && !player.root.contains(activeElement))
    activeElement.blur();
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.key === "Tab") tabbed = true;
  if (answersPause(event)) return;
  const player = active();
  if (!player || event.defaultPrevented) return;
  if (event.key === "Escape" && event.target instanceof HTMLTextAreaElement) event.target.blur(); // the player takes the keys
  const search =
    (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
  const handler = search ? () => player.search.open() : plainHandler(player, event);
  if (!handler) return;
  event.preventDefault();
  event.stopPropagation();
  dropFocus(player);
  handler();
}

/**
 * Streamlit gives the keys of its buttons to no field that one types in; those of a pause work there, too: the field is
 * left first, so that the page has what was typed.
 * @param {KeyboardEvent} event
 */
function answersPause(event) {
  const { activeElement } = document;
  if (!/^F(8|10)$/.test(event.key) || !(activeElement instanceof HTMLElement)) return false;
  const name = event.key === "F10" ? "One_step" : event.shiftKey ? "Start_again" : "Go_on";
  const button = document.querySelector(`.st-key-live_pause_${name} button`);
  if (!(button instanceof HTMLElement) || !activeElement.matches(`${TYPED}, input`)) return false;
  event.preventDefault();
  event.stopPropagation();
  activeElement.blur();
  button.click();
  return true;
}

/** What a click left focused would be ringed from the first key on: the page's main part, a button. @param {Player} player */
function dropFocus(player) {
  const { activeElement } = document;
  if (tabbed || !(activeElement instanceof HTMLElement) || player.root.contains(activeElement)) return;
  activeElement.blur();
}

/**
 * @param {Player} player
 * @param {KeyboardEvent} event
 */
function plainHandler(player, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || belongsElsewhere(event)) return null;
  return keyHandler(player, event);
}

/**
 * What a key does.
 * @param {Player} player
 * @param {KeyboardEvent} event
 * @returns {(() => void) | null}
 */
function keyHandler(player, { key, shiftKey }) {
  const walk = (/** @type {number} */ direction) => () => {
    player.pause();
    if (shiftKey) player.bySubGoal(direction);
    else player.go(player.step + direction);
  };
  if (/^[1-9]$/.test(key)) return () => player.transport.setSpeed(Number(key));
  switch (key) {
    case "ArrowRight":
      return walk(1);
    case "ArrowLeft":
      return walk(-1);
    case "Home":
      return () => player.go(0);
    case "End":
      return () => player.go(player.count);
    case " ":
      return () => player.toggle();
    case "d":
      return () => player.toDivergence();
    case "c":
      return () => player.toCause();
    case "x":
      return player.whatIf.possible ? () => player.whatIf.turn() : null;
    case "[":
      return player.doc.what_if ? () => player.whatIf.toDecisive(-1) : null;
    case "]":
      return player.doc.what_if ? () => player.whatIf.toDecisive(1) : null;
    case "ArrowUp":
      return player.whatIf.on ? () => player.whatIf.next(-1) : null;
    case "ArrowDown":
      return player.whatIf.on ? () => player.whatIf.next(1) : null;
    case "r":
      return player.why.repair ? () => player.why.walkRepair() : null;
    case "n":
      return player.options.episodes ? () => player.toEpisode("next") : null;
    case "p":
      return player.options.episodes ? () => player.toEpisode("previous") : null;
    case "b":
      return player.options.actions?.some(({ name }) => name === "fork") ? () => player.act("fork") : null;
    case "t":
      return player.options.actions?.some(({ name }) => name === "talk") ? () => player.act("talk") : null;
    case "F9":
      return breakHandler(player);
    case "e": {
      const field = document.querySelector(".st-key-live_pause :is(input[role=combobox], textarea)");
      return field instanceof HTMLElement ? () => field.focus() : null;
    }
    case "f":
      return () => player.present();
    case "?":
      return () => player.help.toggle();
    case "/":
      return () => player.search.open();
    case "Escape":
      return escapeHandler(player);
    default:
      return null;
  }
}

/** @param {Player} player */
function breakHandler(player) {
  if (player.breaks) return player.step ? () => player.breakAt({ step: player.step }) : null;
  return player.options.actions?.some(({ name }) => name === "debug") ? () => player.act("debug") : null;
}

/** @param {Player} player */
function escapeHandler(player) {
  if (player.help.isOpen) return () => player.help.close();
  if (player.presenter.on) return () => player.present(false);
  return player.whatIf.on ? () => player.whatIf.turn(false) : null;
}

const TYPED = "textarea, select, [contenteditable=''], [contenteditable=true]";
const NO_TEXT = new Set(["button", "checkbox", "color", "file", "image", "radio", "range", "reset", "submit"]);
const OWN_KEYS =
  "[role=slider], [role=listbox], [role=option], [role=menu], [role=grid], [role=radiogroup], [role=tablist], canvas[tabindex], input";
const PRESSED = "button, summary, a, [role=button], [role=checkbox], [role=switch], label";

/**
 * Whether a key belongs to something else: a field one types in, an open list, or a control that the keyboard (not the
 * mouse) has led to. What a click has left focused does not keep the keys.
 * @param {KeyboardEvent} event
 */
function belongsElsewhere(event) {
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return false;
  if (target instanceof HTMLInputElement && !NO_TEXT.has(target.type)) {
    const closed =
      target.getAttribute("role") === "combobox" && target.getAttribute("aria-expanded") !== "true" && !target.value;
    return !(closed && /^(Arrow(Left|Right)|Home|End)$/.test(event.key));
  }
  if (target.closest(TYPED) || target.closest("dialog[open] input")) return true;
  if (!tabbed) return false;
  if (event.key === " " || event.key === "Enter") return target.closest(PRESSED) !== null;
  return target.closest(".navviz-player") === null && target.closest(OWN_KEYS) !== null;
}
