// @ts-check
// kind "text": {text}, in light markdown
import { markdown } from "../text/markdown.js";

/** @type {import("./registry.js").PanelRenderer} */
export const draw = (data, { linker }) => markdown(String(data.text ?? ""), linker);
