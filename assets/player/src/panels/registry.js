// @ts-check
// Inspector panels: one renderer a kind, one file a renderer.
//
// How to add a kind:
//   1. Write panels/KIND.js that exports `draw(data, context)`. `data` is the panel's `data` as the navigator wrote it:
//      check what you read, since a log may hold anything. Throwing is safe: the panel is then shown as foldable JSON.
//      Put texts into the page with `linked(context.linker, text)` (text/linked.js) or `el(..., {text})` (dom.js), never
//      as HTML; both mark node ids and landmark names, so that map and panel light up together.
//   2. Import it here and add it to RENDERERS. Its styles go into css/panels.css.
//   3. What needs no DOM goes into a file of its own (panels/graph-layout.js is an example) with a test in ../test.
//   4. Name kind and data in the docstring of `Panel` (navviz/records/trace.py), and attach such a panel to a trace in tests/replays.py.
//   5. `npm ci` once, then `npm run format && npm run check && npm test && npm run build`; commit assets/player.js and
//      assets/player.css with your change. When a merge touches them, take either side and build again.
import { el } from "../dom.js";
import { jsonTree } from "../text/json-tree.js";
import { draw as bars } from "./bars.js";
import { draw as directions } from "./directions.js";
import { draw as graph } from "./graph.js";
import { draw as keyvalue } from "./keyvalue.js";
import { draw as reordered } from "./reordered.js";
import { draw as table } from "./table.js";
import { draw as text } from "./text.js";

/**
 * @typedef {object} PanelContext
 * @property {import("../text/linker.js").Linker} linker  finds ids and names in texts
 * @property {import("../document").ReplayDocument} doc
 * @property {import("../text/json-tree.js").Folds} folds  what the user folded
 * @property {number} step  the step shown, from 1; 0 is before the first
 * @property {(step: number) => void} go  shows another step
 */
/** @typedef {Record<string, any>} PanelData  as a navigator wrote it: nothing is certain */
/** @typedef {(data: PanelData, context: PanelContext) => Element} PanelRenderer */

/** @type {Record<string, PanelRenderer>} */
const RENDERERS = { bars, directions, graph, keyvalue, reordered, table, text };

/**
 * A panel; what has no renderer, or does not fit it, is shown as foldable JSON, so that nothing is ever hidden.
 * @param {import("../document").PanelEntry} panel
 * @param {PanelContext} context
 */
export function panelView(panel, context) {
  const raw = () => jsonTree(panel.data, context.linker, context.folds, `panel.${panel.title}`);
  const draw = Object.hasOwn(RENDERERS, panel.kind) ? RENDERERS[panel.kind] : raw;
  let body;
  try {
    body = draw(panel.data, context);
  } catch {
    body = raw();
  }
  return el("section", { class: "nv-panel", data: { kind: panel.kind } }, body);
}
