// @ts-check
// The head of a run: its figures with n and interval, and why its episodes failed.
import { el } from "../dom.js";
import { amount, counted } from "../text/figures.js";

/** @typedef {import("./types").SiteRun} SiteRun */

/** Figures that are shown at once; the others are folded. */
const FIRST = ["SR", "OSR", "SPL", "NE", "nDTW", "SDTW", "SR_rec", "SPL_rec", "NE_rec", "ISR", "CSR", "RGS"];
/** Stands for failures that nothing explains. */
const NO_CAUSE = "none-found";
/** Figures that only an outcome gives. */
const RATES = ["SR", "SR_rec", "ISR"];

/** @param {SiteRun} run */
export function figuresOf(run) {
  const first = run.figures.filter(({ metric }) => FIRST.includes(metric));
  const rest = run.figures.filter(({ metric }) => !FIRST.includes(metric));
  const shown = el("dl", { class: "ns-figures" }, ...first.map(figure));
  const marks = run.marks.map((text) => el("p", { class: "ns-mark", text }));
  if (!rest.length) return [...marks, shown];
  // estimates alone, as of walks without an evaluator: nothing stands before which they would be more
  if (!first.length) return [...marks, el("dl", { class: "ns-figures" }, ...rest.map(figure))];
  const fold = el("details", { class: "ns-more" }, el("summary", { text: `${rest.length} more figures` }));
  fold.append(el("dl", { class: "ns-figures" }, ...rest.map(figure)));
  return [...marks, shown, fold];
}

/** @param {import("./types").SiteFigure} one */
function figure({ metric, title, text, span, n }) {
  const tell = `${title}; 95 % interval ${span || "unknown"}, over ${amount(n)} episodes`;
  const below = [span, `n = ${amount(n)}`].filter(Boolean).join(" · ");
  return el("div", { title: tell }, el("dt", { text: metric }), el("dd", { text }), el("small", { text: below }));
}

/** @param {import("./types").Share | undefined} share */
function percent(share) {
  if (!share) return "";
  const round = (/** @type {number} */ value) => Math.round(100 * value);
  const span = share.low === undefined ? "" : ` (${round(share.low)} to ${round(share.high ?? 0)})`;
  return `${round(share.value)} %${span}`;
}

/**
 * How the acts of a run's failures were missed, or what explains them; a click on a row filters the list.
 * @param {SiteRun} run
 * @param {"acts" | "causes"} which
 * @param {string[]} chosen
 * @param {(value: string) => void} onChoose
 */
export function causesOf(run, which, chosen, onChoose) {
  const all = run[which];
  if (!run.failures || !all.length) {
    if (which === "causes") return el("p", { hidden: true });
    const isScored = run.figures.some(({ metric }) => RATES.includes(metric));
    const text = isScored ? "No failure to explain." : "No outcome is known, so no failure is.";
    return el("p", { class: "ns-quiet", text });
  }
  const most = Math.max(1, ...all.map(({ likely }) => likely));
  const title = which === "acts" ? "How the decisive act was missed" : "What explains it";
  const head = el(
    "div",
    { class: "ns-cause ns-heads" },
    el("span", { text: `${title}, of ${counted(run.failures, "failure", "failures")}` }),
    el("span", {}),
    el("span", {}),
    el("span", { text: "has it, of failures" }),
  );
  const rows = all.map(({ id, name, hint, likely, failed }) => {
    const bar = el("i", { style: { width: `${(100 * likely) / most}%` } });
    const press = { click: () => onChoose(id) };
    const pressed = String(chosen.includes(id));
    return el(
      "button",
      {
        type: "button",
        class: `ns-cause${id === NO_CAUSE ? " ns-none" : ""}`,
        disabled: !likely,
        "aria-pressed": pressed,
        on: press,
      },
      el("span", { class: "ns-name", title: name }, name, hint && el("small", { text: "hint" })),
      el("span", { class: "ns-track" }, bar),
      el("b", { text: amount(likely) }),
      el("span", { text: percent(failed) }),
    );
  });
  return el("div", { class: "ns-causes" }, head, ...rows);
}

/**
 * Failures that use the same words, folded until somebody asks; a click on a group filters the list.
 * @param {SiteRun} run
 * @param {string[]} chosen
 * @param {(group: string) => void} onChoose
 */
export function groupsOf(run, chosen, onChoose) {
  const most = Math.max(1, ...run.groups.map(({ failures }) => failures));
  const heads = ["Words they share", "", "n", "Share of these failures", "A typical one"];
  const head = el("div", { class: "ns-cause ns-heads" }, ...heads.map((text) => el("span", { text })));
  const rows = run.groups.map(({ id, words, failures, share, example }) =>
    el(
      "button",
      {
        type: "button",
        class: "ns-cause",
        "aria-pressed": String(chosen.includes(id)),
        on: { click: () => onChoose(id) },
      },
      // in whatever direction a script runs
      el("span", { class: "ns-name", title: words, text: words, dir: "auto" }),
      el("span", { class: "ns-track" }, el("i", { style: { width: `${(100 * failures) / most}%` } })),
      el("b", { text: amount(failures) }),
      el("span", { text: percent(share) }),
      el("span", { class: "ns-name", title: example, text: example, dir: "auto" }),
    ),
  );
  const open = chosen.length > 0;
  const fold = el("details", { class: "ns-more ns-alike", open }, el("summary", { text: "Alike by words" }));
  fold.append(el("p", { class: "ns-quiet", text: run.groups_note }), el("div", { class: "ns-causes" }, head, ...rows));
  return fold;
}
