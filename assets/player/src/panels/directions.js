// @ts-check
// kind "directions": {directions: [{label, text, objects, candidates}]}
import { el } from "../dom.js";
import { linked } from "../text/linked.js";
import { chips } from "./value.js";

/** @type {import("./registry.js").PanelRenderer} */
export function draw(data, { linker }) {
  const directions = /** @type {Record<string, any>[]} */ (data.directions ?? []);
  return el(
    "div",
    { class: "nv-directions" },
    directions.map((entry) =>
      el(
        "section",
        {},
        el("h5", { text: String(entry.label ?? "") }),
        entry.text ? el("p", {}, linked(linker, String(entry.text))) : null,
        chips("objects", entry.objects, linker),
        chips("candidates", entry.candidates, linker),
      ),
    ),
  );
}
