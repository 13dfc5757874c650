// The head of the player: what is shown, how it ended, and the sentence that says where it went wrong.

const METRIC_NAMES = {
  NE: "Navigation error: distance from the stop to the goal, in metres", TL: "Length of the agent's path, in metres",
  SPL: "Success weighted by path length", nDTW: "Normalised dynamic time warping", SDTW: "Success weighted by nDTW", CLS: "Coverage weighted by length score",
};

/** Draws title, figures and notes of one player. */
class Head {
  constructor(player, headBox, noteBox) {
    this.player = player;
    this.headBox = headBox;
    this.noteBox = noteBox;
  }

  show() {
    const { doc } = this.player, facts = [doc.run, doc.navigator, doc.model].filter((fact, i, all) => fact && all.indexOf(fact) === i);
    this.headBox.hidden = this.player.options.header === false;
    this.headBox.replaceChildren(el("h2", { text: doc.title }), el("span", { class: "nv-facts", text: facts.join("  ·  ") }),
      el("span", { class: "nv-gap" }), ...this.figures());
    this.showNotes(doc);
  }

  showNotes(doc) {
    const notes = [...(doc.notes ?? [])];
    if (doc.end && ["error", "budget", "limit"].includes(doc.end.status)) notes.push(`The run ended early (${doc.end.status})${doc.end.reason ? `: ${doc.end.reason}` : "."}`);
    const d = doc.divergence;
    this.noteBox.replaceChildren(
      ...(d?.sentence && d.step ? [el("button", { type: "button", class: "nv-note nv-note-divergence", title: "Go to this step (d)", on: { mousedown: keepFocus, click: () => this.player.toDivergence() } },
        el("span", { class: "nv-glyph nv-mark-divergence" }), el("span", {}, this.player.linker.linked(d.sentence)))] : []),
      ...(d?.sentence && !d.step ? [el("p", { class: "nv-note", text: d.sentence })] : []),
      ...notes.map((note) => el("p", { class: "nv-note", text: note })));
  }

  figures() {
    const { doc } = this.player, metrics = doc.metrics ?? {}, out = [];
    if (doc.running) out.push(el("span", { class: "nv-outcome nv-live", text: "running" }));
    else if (metrics.SR !== undefined && metrics.SR !== null) out.push(el("span", { class: `nv-outcome ${metrics.SR >= 1 ? "nv-success" : "nv-failure"}`, text: metrics.SR >= 1 ? "✓ success" : "✕ failure" }));
    for (const name of ["NE", "TL", "SPL", "nDTW", "SDTW", "CLS"]) {
      if (!(name in metrics)) continue;
      const metres = name === "NE" || name === "TL";
      const old = doc.compare?.metrics?.[name];
      out.push(el("span", { class: "nv-figure", title: METRIC_NAMES[name] }, el("span", { text: name }),
        el("b", { text: metres ? `${amount(metrics[name], metrics[name] < 100 ? 1 : 0)}${metrics[name] === null ? "" : " m"}` : amount(metrics[name], 2) }),
        old === undefined || old === null ? null : el("i", { text: `was ${amount(old, metres ? 1 : 2)}` })));
      if (out.length > 5) break;
    }
    return out;
  }
}
