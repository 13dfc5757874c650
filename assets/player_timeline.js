// The time line: sub-goal segments, marks, the distance to the goal, and a cursor to drag.

class Timeline {
  constructor(player, box) {
    this.player = player;
    this.track = el("div", { class: "nv-track", role: "slider", tabindex: 0, "aria-label": "Step", "aria-valuemin": 0 });
    this.track.addEventListener("pointerdown", (event) => this.grab(event));
    this.track.addEventListener("pointermove", (event) => event.buttons === 1 && this.held && this.seek(event));
    this.track.addEventListener("pointerup", () => { this.held = false; });
    box.append(this.track);
    this.build();
  }

  get doc() { return this.player.doc; }

  build() {
    const { doc } = this;
    this.count = doc.steps.length;
    this.cursor = el("div", { class: "nv-cursor" });
    this.segments = this.findSegments();
    this.segmentNodes = this.segments.map((segment, i) => this.segment(segment, i));
    const told = this.count && doc.steps.some((step) => step.to_goal_m !== undefined);
    const label = el("div", { class: "nv-track-label", style: { width: `${this.left(1)}%` }, text: this.left(1) < 7 ? "" : told ? "distance to goal" : "start" });
    this.track.replaceChildren(this.distances(), label, ...this.segmentNodes, ...this.cells(), ...this.marks(), this.cursor);
    this.track.setAttribute("aria-valuemax", String(this.count));
  }

  /** Left edge of a step's cell, in percent; step 0 is the start. */
  left(step) { return (100 * step) / (this.count + 1); }
  middle(step) { return (100 * (step + 0.5)) / (this.count + 1); }

  findSegments() {
    const found = [];
    this.doc.steps.forEach((step, i) => {
      const last = found.at(-1);
      const goal = step.sub_goal ?? null;
      if (last && last.goal === goal) last.to = i + 1;
      else found.push({ goal, from: i + 1, to: i + 1 });
    });
    return found;
  }

  segment({ goal, from, to }, i) {
    const plan = this.doc.steps[from - 1].plan ?? this.doc.planning.sub_goals ?? [];
    const what = goal === null ? "" : this.player.strings[plan[goal]?.[0]] ?? "";
    const text = goal === null ? "" : `${goal + 1}  ${what.slice(0, 300)}`;
    return el("div", { class: `nv-segment${i % 2 ? " nv-odd" : ""}${goal === null ? " nv-unplanned" : ""}`, title: text, style: { left: `${this.left(from)}%`, width: `${this.left(to + 1) - this.left(from)}%` } },
      el("span", { text }));
  }

  cells() {
    if (this.count > 250) return [];
    return Array.from({ length: this.count + 1 }, (_, k) => el("div", { class: "nv-tick", style: { left: `${this.left(k)}%` } }));
  }

  marks() {
    const { doc } = this, marks = [];
    const add = (step, kind, title) => marks.push(el("div", { class: `nv-mark nv-mark-${kind}`, title: `Step ${step}: ${title}`, data: { mark: kind, step }, style: { left: `${this.middle(step)}%` } }));
    doc.steps.forEach((step, i) => {
      if (step.decision && !step.decision.legal) add(i + 1, "illegal", "illegal decision");
      else if (step.retries) add(i + 1, "retry", "retried");
    });
    const d = doc.divergence;
    if (d?.step) add(d.step, "divergence", d.sentence ?? "leaves the reference path");
    if (d?.returned_step) add(d.returned_step, "returned", "back on the reference path");
    if (doc.compare?.first_difference && doc.compare.first_difference <= this.count) add(doc.compare.first_difference, "difference", "first difference to the run compared");
    if (doc.forked_from?.step) add(Math.min(doc.forked_from.step, this.count), "fork", "forked here");
    if (doc.end && this.count) add(this.count, "stop", `the end (${doc.end.status})`);
    return marks;
  }

  distances() {
    const values = this.doc.steps.map((step) => step.to_goal_m);
    const drawing = svg("svg", { class: "nv-distances", viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" });
    const known = values.filter((value) => value !== undefined);
    if (known.length < 2) return drawing;
    const most = Math.max(...known, this.doc.episode.success_radius_m * 2);
    const y = (value) => 96 - (88 * value) / most;
    const points = values.flatMap((value, i) => (value === undefined ? [] : [`${this.middle(i + 1)},${y(value)}`]));
    const last = points.at(-1).split(",")[0], first = points[0].split(",")[0];
    drawing.append(svg("polygon", { points: `${first},100 ${points.join(" ")} ${last},100` }),
      svg("polyline", { points: points.join(" "), "vector-effect": "non-scaling-stroke" }),
      svg("line", { x1: 0, x2: 100, y1: y(this.doc.episode.success_radius_m), y2: y(this.doc.episode.success_radius_m), "vector-effect": "non-scaling-stroke" }));
    return drawing;
  }

  show(step) {
    this.cursor.style.left = `${this.middle(step)}%`;
    this.track.setAttribute("aria-valuenow", String(step));
    this.segments.forEach(({ from, to }, i) => this.segmentNodes[i].classList.toggle("nv-now", step >= from && step <= to));
  }

  grab(event) {
    if (event.button !== 0) return;
    this.held = true;
    this.track.setPointerCapture(event.pointerId);
    event.preventDefault();
    this.seek(event);
  }

  seek(event) {
    const box = this.track.getBoundingClientRect();
    const part = (event.clientX - box.left) / box.width;
    this.player.pause();
    this.player.go(Math.floor(part * (this.count + 1)));
  }
}
