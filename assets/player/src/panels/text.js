// @ts-check
// kind "text": {text}, in light markdown; with {former}, what changed since then
import { el } from "../dom.js";
import { markdown } from "../text/markdown.js";
import { wordChanges } from "../text/words.js";

/** @type {Record<string, "ins" | "del" | "span">} */
const TAGS = { new: "ins", gone: "del", same: "span" };

/** @type {import("./registry.js").PanelRenderer} */
export function draw(data, { linker }) {
  const text = String(data.text ?? "");
  if (typeof data.former !== "string" || data.former === text) return markdown(text, linker);
  const changes = wordChanges(data.former, text);
  return el(
    "p",
    { class: "nv-changes" },
    changes.map(({ kind, text: words }) => el(TAGS[kind], { text: words })),
  );
}
