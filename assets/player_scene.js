// The 3-D scene of a house, drawn by plotly beside the floor plan. Plotly's script comes late: the page has it already
// (an exported file), or `options.plotly` is its address. The camera is the user's: no step touches it.

class HouseScene {
  constructor(container, doc, api, onPoint) {
    Object.assign(this, { box: container, api, onPoint });
    this.note = el("p", { class: "nv-nothing", text: "Loading the 3-D scene …" });
    this.plot = el("div", { class: "nv-plot" });
    container.append(this.plot, this.note);
    this.adopt(doc);
  }

  /** Whether plotly is here or can be fetched. */
  static possible(api) { return Boolean(globalThis.Plotly || api.options.plotly); }

  static load(api) {
    if (globalThis.Plotly) return Promise.resolve(globalThis.Plotly);
    HouseScene.loading ??= new Promise((resolve, reject) => {
      const script = el("script", { src: api.options.plotly, async: true });
      script.addEventListener("load", () => (globalThis.Plotly ? resolve(globalThis.Plotly) : reject(new Error("no Plotly"))));
      script.addEventListener("error", () => reject(new Error("not reachable")));
      document.head.append(script);
    });
    HouseScene.loading.catch(() => { HouseScene.loading = null; });
    return HouseScene.loading;
  }

  adopt(doc) {
    this.doc = doc;
    const at = doc.nodes.at;
    this.place = (node) => (typeof node === "number" && 3 * node + 2 < at.length ? [at[3 * node], at[3 * node + 1], at[3 * node + 2]] : null);
  }

  async start(step) {
    this.step = step;
    try {
      this.plotly = await HouseScene.load(this.api);
    } catch {
      this.note.textContent = "The 3-D scene is not there: plotly's script could not be loaded.";
      return;
    }
    if (this.gone) return;
    const traces = this.traces();
    await this.plotly.newPlot(this.plot, traces, this.layout(), { displayModeBar: false, responsive: false, scrollZoom: true });
    if (this.gone) { this.plotly.purge(this.plot); return; }
    this.note.remove();
    this.ready = true;
    this.box.dataset.ready = "true";
    this.plot.on("plotly_hover", (event) => this.pointed(event.points?.[0]));
    this.plot.on("plotly_unhover", () => this.onPoint(null));
    this.plot.on("plotly_click", (event) => { const ref = this.refOf(event.points?.[0]); if (ref) this.api.pick(ref); });
    if (this.step !== step) this.showStep(this.step);
  }

  refOf(point) { return point?.data?.name === "viewpoints" ? `n:${point.pointNumber}` : null; }
  pointed(point) { this.onPoint(this.refOf(point)); }

  // --- what is drawn

  line(points) {
    const kept = points.filter(Boolean);
    return { x: kept.map((p) => p[0]), y: kept.map((p) => p[1]), z: kept.map((p) => p[2]) };
  }

  traces() {
    const { doc } = this, { color } = this.api;
    const quiet = { type: "scatter3d", hoverinfo: "skip", showlegend: false };
    const nodes = doc.nodes.ids.map((_, i) => this.place(i));
    const reference = doc.reference.map(this.place);
    const fixed = [
      { ...quiet, name: "links", mode: "lines", ...this.linkLines(), line: { color: color("node"), width: 1.6 } },
      { ...quiet, name: "viewpoints", mode: "markers", ...this.line(nodes), text: doc.nodes.ids, hoverinfo: "none", marker: { size: 3.4, color: this.floorColors(), line: { width: 0 } } },
      { ...quiet, name: "reference", mode: "lines", ...this.line(reference), line: { color: color("reference"), width: 7, dash: "dash" } },
      this.sphere(this.place(doc.episode.goal) ?? reference.at(-1), doc.episode.success_radius_m ?? 3),
      { ...quiet, name: "ends", mode: "markers+text", ...this.line([this.place(doc.episode.start), this.place(doc.episode.goal) ?? reference.at(-1)]), text: ["Start", "Goal"], textposition: "top center", textfont: { color: color("ink"), size: 12 }, marker: { size: 6, symbol: ["circle-open", "diamond"], color: [color("ink"), color("reference")], line: { width: 3, color: color("ink") } } },
      ...this.plates(),
      ...this.compared(),
    ];
    this.moving = fixed.length;
    return [...fixed,
      { ...quiet, name: "ahead", mode: "lines", line: { color: color("agent"), width: 2, dash: "dot" } },
      { ...quiet, name: "walked", mode: "lines", line: { color: color("agent"), width: 6 } },
      { ...quiet, name: "facing", mode: "lines", line: { color: color("agent"), width: 9 } },
      { ...quiet, name: "agent", mode: "markers", marker: { size: 8, color: color("agent"), line: { width: 2, color: color("paper") } } },
      { ...quiet, name: "light", mode: "markers", marker: { size: 11, color: color("lit"), opacity: 0.8 } },
    ].map((trace, k) => (k < this.moving ? trace : { ...trace, ...this.moved(this.step ?? 0)[k - this.moving] }));
  }

  linkLines() {
    const x = [], y = [], z = [], { links } = this.doc;
    for (let i = 0; i < links.length; i += 2) {
      for (const p of [this.place(links[i]), this.place(links[i + 1])]) { x.push(p[0]); y.push(p[1]); z.push(p[2]); }
      x.push(null); y.push(null); z.push(null);
    }
    return { x, y, z };
  }

  floorColors() {
    const shades = [this.api.color("mute"), this.api.color("poi"), this.api.color("landmark")];
    return (this.doc.indoor?.floor_of ?? []).map((floor) => shades[floor % shades.length]);
  }

  /** The sphere within which a stop counts, as a mesh of its own. */
  sphere(middle, radius) {
    const x = [], y = [], z = [], i = [], j = [], k = [], rings = 10, turns = 18;
    for (let a = 0; middle && a <= rings; a += 1) {
      for (let b = 0; b < turns; b += 1) {
        const up = (Math.PI * a) / rings, round = (2 * Math.PI * b) / turns;
        x.push(middle[0] + radius * Math.sin(up) * Math.cos(round));
        y.push(middle[1] + radius * Math.sin(up) * Math.sin(round));
        z.push(middle[2] + radius * Math.cos(up));
        if (a < rings) {
          const here = a * turns + b, next = a * turns + ((b + 1) % turns);
          i.push(here, next); j.push(next, next + turns); k.push(here + turns, here + turns);
        }
      }
    }
    return { type: "mesh3d", name: "goal sphere", x, y, z, i, j, k, color: this.api.color("reference"), opacity: 0.13, hoverinfo: "skip", showlegend: false, flatshading: true };
  }

  /** Floors of the rooms, where the house's folder tells them. */
  plates() {
    const { rooms, floors } = this.doc.indoor ?? { rooms: [] };
    if (!rooms?.length) return [];
    const mesh = { x: [], y: [], z: [], i: [], j: [], k: [] }, edge = { x: [], y: [], z: [] };
    for (const { box_m: [west, south, east, north], floor } of rooms) {
      const base = mesh.x.length, level = floors[floor].level_m;
      mesh.x.push(west, east, east, west); mesh.y.push(south, south, north, north); mesh.z.push(level, level, level, level);
      mesh.i.push(base, base); mesh.j.push(base + 1, base + 2); mesh.k.push(base + 2, base + 3);
      edge.x.push(west, east, east, west, west, null); edge.y.push(south, south, north, north, south, null); edge.z.push(level, level, level, level, level, null);
    }
    return [{ type: "mesh3d", name: "rooms", ...mesh, color: this.api.color("area-building"), opacity: 0.35, hoverinfo: "skip", showlegend: false },
      { type: "scatter3d", name: "walls", mode: "lines", ...edge, line: { color: this.api.color("mute"), width: 1.5 }, hoverinfo: "skip", showlegend: false }];
  }

  compared() {
    const other = this.doc.compare;
    if (!other) return [];
    const way = other.steps.flatMap((step) => (step.path?.length ? step.path : [step.node])).map(this.place);
    return [{ type: "scatter3d", name: "compared", mode: "lines", ...this.line(way), line: { color: this.api.color("other"), width: 5, dash: "longdashdot" }, hoverinfo: "skip", showlegend: false }];
  }

  /** Coordinates of the five traces that move. */
  moved(step) {
    const { doc } = this, way = (from, to) => doc.steps.slice(from, to).flatMap((entry) => (entry.path?.length ? entry.path : [entry.node])).map(this.place);
    const now = doc.steps[step - 1], node = step === 0 ? doc.episode.start : now?.node, at = this.place(node);
    const heading = step === 0 ? doc.episode.start_heading_deg : now?.heading_deg;
    const turn = ((heading ?? 0) * Math.PI) / 180;
    const nose = at && heading !== undefined && heading !== null ? [at[0] + 0.9 * Math.sin(turn), at[1] + 0.9 * Math.cos(turn), at[2]] : null;
    const before = way(0, step);
    return [this.line([before.at(-1), ...way(step)]), this.line(before), this.line(nose ? [at, nose] : []), this.line([at]), this.line(this.lit ?? [])];
  }

  layout() {
    const hidden = { visible: false, showgrid: false, zeroline: false, showspikes: false };
    const { aspect, camera } = this.view();
    return { margin: { l: 0, r: 0, t: 0, b: 0 }, paper_bgcolor: this.api.color("ground"), showlegend: false, uirevision: "stay", hovermode: "closest",
      width: this.box.clientWidth || 300, height: this.box.clientHeight || 300,
      scene: { aspectmode: "manual", aspectratio: aspect, ...this.ranges(hidden), uirevision: "stay", bgcolor: this.api.color("ground"), camera } };
  }

  /** Edges of the house and of the episode's way, as [[least, most], ...] for x, y and z. */
  edges(points) { return [0, 1, 2].map((axis) => [Math.min(...points.map((p) => p[axis])), Math.max(...points.map((p) => p[axis]))]); }

  house() {
    const points = this.doc.nodes.ids.map((_, i) => this.place(i));
    for (const { box_m: [west, south, east, north], floor } of this.doc.indoor?.rooms ?? []) points.push([west, south, this.doc.indoor.floors[floor].level_m], [east, north, this.doc.indoor.floors[floor].level_m]);
    const goal = this.place(this.doc.episode.goal) ?? this.place(this.doc.reference.at(-1)), radius = this.doc.episode.success_radius_m ?? 3;
    if (goal) points.push(goal.map((v) => v - radius), goal.map((v) => v + radius));
    return this.edges(points.length ? points : [[0, 0, 0]]).map(([low, high]) => [low - 0.5, high + 0.5]);
  }

  ranges(hidden) {
    const [x, y, z] = this.house();
    return { xaxis: { ...hidden, range: x }, yaxis: { ...hidden, range: y }, zaxis: { ...hidden, range: z } };
  }

  /** True proportions, and a camera from the south that looks at the episode's way. */
  view() {
    const house = this.house(), spans = house.map(([low, high]) => high - low), unit = 1 / Math.max(...spans);
    const way = [...this.doc.reference, this.doc.episode.start, ...this.doc.steps.map((step) => step.node)].map(this.place).filter(Boolean);
    const around = way.length ? this.edges(way) : house, tall = (this.box.clientHeight || 300) / (this.box.clientWidth || 300);
    const middle = around.map(([low, high], i) => ((low + high) / 2 - (house[i][0] + house[i][1]) / 2) * unit);
    const reach = Math.max(0.4, Math.min(1, (Math.max(...around.map(([low, high]) => high - low)) + 7) * unit)) * 1.3 * Math.min(1.7, Math.max(1, tall));
    const eye = [-0.22, -0.78, 0.62].map((part, i) => middle[i] + part * reach), named = ([x, y, z]) => ({ x, y, z });
    return { aspect: named(spans.map((span) => span * unit)), camera: { eye: named(eye), center: named(middle), up: { x: 0, y: 0, z: 1 }, projection: { type: "perspective" } } };
  }

  // --- what moves

  /** The scene follows when the cursor rests: drawing it must never hold up a step of the plan. */
  showStep(step) {
    this.step = step;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.later(), 90);
  }

  highlight(places) {
    this.lit = places;
    this.later();
  }

  /** All changes of one frame in one drawing. */
  later() {
    if (!this.ready) return;
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      if (this.gone) return;
      const data = this.moved(this.step), pick = (axis) => data.map((trace) => trace[axis]);
      this.plotly.restyle(this.plot, { x: pick("x"), y: pick("y"), z: pick("z") }, data.map((_, k) => this.moving + k));
    });
  }

  redraw() {
    if (!this.ready) return;
    const camera = this.plot.layout.scene?.camera, layout = this.layout();
    if (camera) layout.scene.camera = camera;
    this.plotly.react(this.plot, this.traces(), layout, { displayModeBar: false, scrollZoom: true });
  }

  update(doc) { this.adopt(doc); this.redraw(); }
  resize() { if (this.ready && this.box.clientWidth > 20) this.plotly.relayout(this.plot, { width: this.box.clientWidth, height: this.box.clientHeight }); }

  destroy() {
    this.gone = true;
    cancelAnimationFrame(this.waiting);
    clearTimeout(this.resting);
    if (this.ready) this.plotly.purge(this.plot);
  }
}
