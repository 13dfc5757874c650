// @ts-check
// The task tree of a long-horizon episode: where to go, what to do there, and how each part went so far.
import { el } from "../dom.js";
import { stageAt, stageColor } from "../shell/stages.js";
import { metres, rounded } from "../text/figures.js";
import { keepInView, linked } from "../text/linked.js";

/** @typedef {import("../document").StageEntry} StageEntry */
/** @typedef {import("../document").TaskEntry} TaskEntry */

/** Look of a part by what has become of it. @type {Record<string, string>} */
const LOOKS = { none: "todo", now: "doing", reached: "done", missed: "missed", cut: "missed" };

/**
 * @param {import("../player.js").Player} player
 * @param {number} step
 */
export function taskTree(player, step) {
  const { tasks } = player.doc.episode;
  const { stages } = player.doc;
  const current = stageAt(stages, step);
  const items = tasks.map((task, i) => part(player, task, i, stages[i], step));
  const list = el("ol", { class: "nv-plan nv-tasks" }, items);
  if (current >= 0) queueMicrotask(() => keepPartInView(list, items[current]));
  return el(
    "section",
    { class: "nv-plan-box nv-tasks-box" },
    el("h3", { text: `Task in ${tasks.length} parts` }),
    list,
  );
}

/**
 * Scroll the list to a part, and in a low player what is around the list.
 * @param {HTMLElement} list
 * @param {HTMLElement} item
 */
function keepPartInView(list, item) {
  keepInView(list, item);
  const around = list.closest(".nv-pane-top");
  if (!around) return;
  const [own, room] = [item.getBoundingClientRect(), around.getBoundingClientRect()];
  if (own.bottom > room.bottom) around.scrollTop += Math.min(own.bottom - room.bottom, own.top - room.top);
  else if (own.top < room.top) around.scrollTop -= room.top - own.top;
}

/**
 * What a stage is to somebody who stands at a step.
 * @param {StageEntry | undefined} stage
 * @param {number} step
 * @returns {{state: string, said: string}}
 */
export function standing(stage, step) {
  if (!stage || stage.first === undefined || stage.last === undefined)
    return { state: "none", said: stage?.status ?? "" };
  if (step < stage.first) return { state: "none", said: "to come" };
  if (step < stage.last || stage.state === "now") return { state: "now", said: "now" };
  return { state: stage.state, said: stage.status };
}

/**
 * @param {import("../player.js").Player} player
 * @param {TaskEntry} task
 * @param {number} i
 * @param {StageEntry | undefined} stage
 * @param {number} step
 */
function part(player, task, i, stage, step) {
  const { state, said } = standing(stage, step);
  const now = state === "now";
  const look = `nv-task nv-${LOOKS[state]}${now ? " nv-current" : ""}`;
  const style = { "--nv-stage": `var(--nv-${stageColor(i)})` };
  const over = stage !== undefined && state !== "none" && !now;
  return el(
    "li",
    {
      class: look,
      style,
      data: { stage: i + 1 },
      title: `Part ${i + 1}: ${said}`,
      on: { click: () => player.toStage(i) },
    },
    el("span", { class: "nv-stage-number", text: String(i + 1) }),
    el(
      "span",
      { class: "nv-what" },
      linked(player.linker, task.description),
      task.region ? el("span", { class: "nv-then", text: ` ${task.region}` }) : null,
      task.actions.length ? el("span", { class: "nv-then", text: `, then ${task.actions.join(", ")}` }) : null,
    ),
    el("span", { class: "nv-said", text: over && stage ? `${said}${figures(stage)}` : said }),
  );
}

/** Steps used of the ground truth's, and how near it came where it was not reached. @param {StageEntry} stage */
function figures({ state, moves, reference_moves, nearest_m }) {
  const of = reference_moves === undefined ? "" : ` of ${rounded(reference_moves)}`;
  const used = moves === undefined ? "" : ` · ${rounded(moves)}${of} steps`;
  const near = nearest_m === undefined || state === "reached" ? "" : ` · nearest ${metres(nearest_m)}`;
  return `${used}${near}`;
}
