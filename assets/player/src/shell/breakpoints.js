// @ts-check
// Where a walk is to pause: the gutter below the time line, and Alt + click on a line of prompt or plan.
import { el } from "../dom.js";

/** @typedef {import("../player.js").Player} Player */

/** The longest text that a prompt is searched for. */
const MOST = 200;

/**
 * A row below the time line with one place a step; a dot marks a step that pauses.
 * @param {Player} player
 * @param {(step: number) => number} left  left edge of a step, in percent
 */
export function gutter(player, left) {
  const points = player.options.breakpoints ?? [];
  const here = (/** @type {number} */ step) => {
    const { node } = player.doc.steps[step - 1];
    const id = typeof node === "number" ? player.doc.nodes.ids[node] : node;
    return points.some((point) => point.step === step || (point.node !== undefined && point.node === id));
  };
  const dots = player.doc.steps.flatMap((_, i) =>
    here(i + 1)
      ? [
          el("i", {
            class: "nv-break",
            title: `Pauses at step ${i + 1}`,
            style: { left: `${left(i + 1)}%`, width: `${left(i + 2) - left(i + 1)}%` },
          }),
        ]
      : [],
  );
  const row = el("div", { class: "nv-gutter", title: "Click: pause at this step (F9)" }, dots);
  row.addEventListener("pointerdown", (event) => event.stopPropagation());
  row.addEventListener("click", (event) => {
    const box = row.getBoundingClientRect();
    const step = Math.floor(((event.clientX - box.left) / box.width) * (player.count + 1));
    if (step > 0) player.breakAt({ step });
  });
  return row;
}

/**
 * Pause where the line that was clicked is in a prompt, or where the sub-goal that was clicked closes.
 * @param {Player} player
 * @param {MouseEvent} event
 * @returns {boolean} whether there was such a line
 */
export function breakAtLine(player, event) {
  if (!(event.target instanceof Element) || !player.paneBox.contains(event.target)) return false;
  const goal = event.target.closest(".nv-plan-box li");
  if (goal) {
    player.breakAt({ closes: [.../** @type {Element} */ (goal.parentElement).children].indexOf(goal) + 1 });
  } else {
    const text = lineAt(event);
    if (!text) return false;
    player.breakAt({ prompt: text });
  }
  event.preventDefault();
  event.stopPropagation();
  return true;
}

/** The text that is selected, else the line below the mouse. @param {MouseEvent} event */
function lineAt(event) {
  const chosen = getSelection()?.toString().trim();
  if (chosen) return chosen.slice(0, MOST);
  const range = document.caretRangeFromPoint?.(event.clientX, event.clientY);
  const text = range?.startContainer.nodeType === Node.TEXT_NODE ? (range.startContainer.textContent ?? "") : "";
  const at = range?.startOffset ?? 0;
  const begin = text.lastIndexOf("\n", Math.max(0, at - 1)) + 1;
  const end = text.indexOf("\n", at);
  return text
    .slice(begin, end < 0 ? undefined : end)
    .trim()
    .slice(0, MOST);
}
