// @ts-check
// kind "bars": {items: [{label, value, chosen?, note?, skill?}], hint?, note?}; a bar of a skill has the skill's colour, and
// below the bars lie all steps in the colours of theirs.
import { el } from "../dom.js";
import { colourOf } from "../maps/skill-legs.js";
import { DASH, rounded } from "../text/figures.js";
import { linked } from "../text/linked.js";
import { skillStrip } from "./skill-strip.js";

/** @type {import("./registry.js").PanelRenderer} */
export function draw(data, context) {
  const { linker, doc } = context;
  const items = /** @type {Record<string, any>[]} */ (data.items ?? []);
  const values = items.map((item) => finite(item.value)).filter((value) => value !== null);
  const most = Math.max(...values, 0);
  const least = Math.min(...values, 0);
  const span = most - least || 1;
  const rows = el(
    "div",
    { class: "nv-bars" },
    items.map((item) => {
      const value = finite(item.value);
      const colour = colourOf(doc, item.skill);
      /** @type {Record<string, string> | null} */
      const style =
        value === null
          ? null
          : { left: `${((Math.min(value, 0) - least) / span) * 100}%`, width: `${(Math.abs(value) / span) * 100}%` };
      if (style && colour) style["background-color"] = colour;
      return el(
        "div",
        { class: item.chosen ? "nv-bar-row nv-chosen" : "nv-bar-row" },
        el("span", { class: "nv-bar-label" }, linked(linker, String(item.label ?? ""))),
        el("span", { class: "nv-bar-track" }, style ? el("span", { class: "nv-bar", style }) : null),
        el("span", { class: "nv-bar-value", text: value === null ? DASH : rounded(value) }),
        item.note ? el("span", { class: "nv-bar-note" }, linked(linker, String(item.note))) : null,
      );
    }),
  );
  return el(
    "div",
    {},
    data.hint ? el("p", { class: "nv-hint" }, linked(linker, String(data.hint))) : null,
    rows,
    data.note ? el("p", { class: "nv-mute" }, linked(linker, String(data.note))) : null,
    data.ran ? skillStrip(context) : null,
  );
}

/** @param {unknown} value */
function finite(value) {
  const number = value === null || value === undefined ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}
