// @ts-check
// All steps of a walk as blocks in the colours of the skills that acted; a click shows the step.
import { el } from "../dom.js";
import { skillColour, skillsUsed } from "../maps/skill-legs.js";

/** @param {import("./registry.js").PanelContext} context */
export function skillStrip({ doc, step, go }) {
  if (!doc.skills) return null;
  const blocks = doc.steps.map((entry, i) => {
    const name = entry.skill === undefined ? "no skill" : doc.skills?.[entry.skill]?.name;
    return el("button", {
      type: "button",
      class: i + 1 === step ? "nv-skill-block nv-current" : "nv-skill-block",
      title: `Step ${i + 1}: ${name}`,
      "aria-label": `Step ${i + 1}: ${name}`,
      style: { "background-color": skillColour(doc, entry.skill) ?? "transparent" },
      data: { step: i + 1 },
      on: { click: () => go(i + 1) },
    });
  });
  const legend = skillsUsed(doc.steps).map((skill) =>
    el(
      "span",
      { class: "nv-chip" },
      el("i", { class: "nv-swatch", style: { "background-color": skillColour(doc, skill) ?? "transparent" } }),
      doc.skills?.[skill]?.name ?? "",
    ),
  );
  return el("div", {}, el("div", { class: "nv-skill-strip" }, blocks), el("div", { class: "nv-chips" }, legend));
}
