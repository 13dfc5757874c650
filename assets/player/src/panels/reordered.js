// @ts-check
// kind "reordered": {original, by, parts: [{text, span, moved, words: [[word, is new]]}], relations: [{relation, cue, span}]}
// Original and reordered instruction side by side; lines lead from each part to where it comes from.
import { el, svg } from "../dom.js";
import { linked } from "../text/linked.js";
import { pieces, relationsIn } from "./reordered-parts.js";

const BY = { rules: "by rules", model: "by a model", log: "as the log says", off: "not reordered" };

/** @type {import("./registry.js").PanelRenderer} */
export function draw(data, { linker }) {
  const original = String(data.original ?? "");
  const parts = /** @type {Record<string, any>[]} */ (data.parts ?? []);
  const relations = /** @type {import("./reordered-parts.js").Relation[]} */ (data.relations ?? []);
  const sources = pieces(original, parts);
  const left = sources.map((piece) =>
    el(
      "span",
      { class: piece.span ? "nv-source" : "nv-between", data: piece.span ? { from: piece.span[0] } : {} },
      relationsIn(piece, relations).map(({ text, relation }) =>
        relation ? el("mark", { class: "nv-cue", title: relation, text }) : linked(linker, text),
      ),
    ),
  );
  const right = parts.map((part) =>
    el(
      "li",
      {
        class: part.moved ? "nv-moved" : part.span ? "" : "nv-added",
        title: part.moved ? "done earlier or later than it is said" : part.span ? "" : "not in the original",
        data: part.span ? { from: part.span[0] } : {},
      },
      /** @type {[string, boolean][]} */ (part.words ?? [[part.text, false]]).flatMap(([word, fresh]) => [
        fresh ? el("em", { class: "nv-fresh", text: word }) : linked(linker, word),
        " ",
      ]),
    ),
  );
  const lines = svg("svg", { class: "nv-order-lines", "aria-hidden": "true" });
  const box = el(
    "div",
    { class: "nv-reordered" },
    el("div", { class: "nv-order-side" }, el("h5", { text: "Original" }), el("p", {}, left)),
    lines,
    el(
      "div",
      { class: "nv-order-side" },
      el("h5", { text: `In order, ${BY[/** @type {keyof typeof BY} */ (data.by)] ?? String(data.by ?? "")}` }),
      el("ol", {}, right),
    ),
  );
  new ResizeObserver(() => connect(box, lines)).observe(box);
  const chips = relations.map(({ cue, relation }) => el("span", { class: "nv-chip", text: `${cue}: ${relation}` }));
  return el("div", {}, box, chips.length ? el("div", { class: "nv-chips", title: "temporal relations" }, chips) : null);
}

/**
 * Draw the lines anew: they follow the words as the pane changes its width.
 * @param {HTMLElement} box
 * @param {SVGElement} lines
 */
function connect(box, lines) {
  const home = lines.getBoundingClientRect();
  const found = [...box.querySelectorAll("li[data-from]")].flatMap((part) => {
    const from = /** @type {HTMLElement} */ (part).dataset.from ?? "";
    const source = box.querySelector(`.nv-source[data-from="${CSS.escape(from)}"]`);
    if (!source) return [];
    const [a, b] = [source.getClientRects(), part.getBoundingClientRect()];
    const first = a[a.length - 1] ?? source.getBoundingClientRect();
    const y = [first.top + first.height / 2 - home.top, b.top + Math.min(b.height, 20) / 2 - home.top];
    const look = part.classList.contains("nv-moved") ? "nv-order-line nv-moved" : "nv-order-line";
    const [w, h] = [home.width, 4];
    return [
      svg("path", { class: look, d: `M0,${y[0]} C${w / 2},${y[0]} ${w / 2},${y[1]} ${w - h},${y[1]}` }),
      svg("path", {
        class: `${look} nv-order-head`,
        d: `M${w - h - 3},${y[1] - h} L${w},${y[1]} L${w - h - 3},${y[1] + h}`,
      }),
    ];
  });
  lines.replaceChildren(...found);
}
