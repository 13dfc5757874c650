// @ts-check
// kind "text": {text}, in light markdown; with {former}, what changed since then
import { el } from "../dom.js";
import { markdown } from "../text/markdown.js";
import { changesView } from "./value.js";

/** @type {import("./registry.js").PanelRenderer} */
export function draw(data, { linker }) {
  const text = String(data.text ?? "");
  if (typeof data.former !== "string" || data.former === text) return markdown(text, linker);
  return el("p", {}, changesView(data.former, text));
}
