// @ts-check
// What the agent was shown: landmarks, candidates, and the context in words.
import { el } from "../dom.js";
import { seenPictures } from "../pictures/seen.js";
import { amount, counted, metres } from "../text/figures.js";
import { linked, mark } from "../text/linked.js";
import { nameRef } from "../text/linker.js";
import { nothing } from "./calls.js";

/** @typedef {import("../document").StepEntry} StepEntry */
/** @typedef {import("../document").CandidateEntry} CandidateEntry */
/** @typedef {import("../player.js").Player} Player */

/**
 * @param {StepEntry} step
 * @param {Player} player
 * @param {import("./calls.js").Calls} calls
 */
export function observationView(step, player, calls) {
  const pictures = seenPictures(step, player);
  const seen = step.observation;
  if (!seen) return pictures ?? nothing("The log does not say what the agent was shown.");
  const facts = [
    seen.format,
    counted(seen.visible.length, "node", "nodes"),
    counted(seen.pois.length, "landmark", "landmarks"),
  ];
  const title = step.calls.length ? "As it stood in the prompt" : "In words";
  return el(
    "div",
    {},
    pictures,
    el(
      "div",
      { class: "nv-call-head" },
      facts.map((fact) => el("span", { text: fact })),
    ),
    information(player.doc.information?.[step.index]),
    seen.pois.length ? landmarks(seen.pois, player.linker) : null,
    seen.candidates.length ? candidates(seen.candidates, player) : null,
    seen.text ? el("h4", { text: title }) : null,
    (seen.text ?? []).filter(([kind]) => kind !== "fence").map(([kind, index]) => calls.part(kind, player.text(index))),
  );
}

/** Whether this prompt tells the right way at the next junction. @param {string[] | undefined} judged */
function information(judged) {
  if (!judged) return null;
  const [verdict, sentence] = judged;
  const words = {
    enough: "Tells the right way.",
    "not enough": "Does not tell the right way.",
    contradicts: "Contradicts the map.",
  };
  const said = words[/** @type {keyof typeof words} */ (verdict)] ?? verdict;
  const look = verdict === "enough" ? "nv-mute" : "nv-lacks";
  return el("p", { class: `nv-information ${look}` }, el("b", { text: said }), ` ${sentence}`);
}

/** @param {import("../document").SeenEntry[]} pois @param {import("../text/linker.js").Linker} linker */
function landmarks(pois, linker) {
  const rows = pois.map((poi) => {
    const ref = nameRef(poi.name);
    return el(
      "tr",
      {},
      el("td", {}, poi.letter ? mark(poi.letter, ref, linker) : ""),
      el("td", {}, mark(poi.name, ref, linker)),
      el("td", { text: directionWords(poi.position ?? poi.direction) }),
      el("td", { class: "nv-num", text: metres(poi.distance_m) }),
    );
  });
  return el("table", { class: "nv-table" }, el("tbody", {}, rows));
}

/**
 * @param {CandidateEntry[]} items
 * @param {Player} player
 */
function candidates(items, player) {
  const rows = items.map((item) =>
    el(
      "tr",
      { class: `nv-cand-${item.state}` },
      el("td", {}, el("span", { class: `nv-cand nv-cand-${item.state}`, title: item.state })),
      el("td", {}, player.nodeMark(item.node), item.label ? ` ${item.label}` : ""),
      el("td", { text: directionWords(item.direction) }),
      el("td", { class: "nv-num", text: figure(item) }),
      el("td", {}, item.reason ? linked(player.linker, item.reason) : ""),
    ),
  );
  return el("table", { class: "nv-table" }, el("tbody", {}, rows));
}

/** A direction with its unit: logs of houses say "right 34.35". @param {string | undefined} said */
const directionWords = (said) => (said ?? "").replace(/^(left|right) ([\d.]+)$/, "$1 $2°");

/** @param {CandidateEntry} item */
function figure(item) {
  if (item.score !== undefined) return amount(item.score, 3);
  return item.distance_m === undefined ? "" : metres(item.distance_m);
}
