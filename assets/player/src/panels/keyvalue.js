// @ts-check
// kind "keyvalue": {items: [[name, value]] or {name: value}}
import { el } from "../dom.js";
import { linked } from "../text/linked.js";
import { valueView } from "./value.js";

/** @type {import("./registry.js").PanelRenderer} */
export function draw(data, { linker }) {
  const items = /** @type {[unknown, unknown][]} */ (
    Array.isArray(data.items) ? data.items : Object.entries(data.items ?? {})
  );
  return el(
    "dl",
    { class: "nv-keyvalue" },
    items.flatMap(([name, value]) => [
      el("dt", {}, linked(linker, String(name))),
      el("dd", {}, valueView(value, linker)),
    ]),
  );
}
