// @ts-check
// The 3-D scene of a house, drawn by plotly beside the floor plan. Plotly's script comes late: the page has it
// already (an exported file), or `options.plotly` is its address. The camera is the user's: no step touches it.
import { el } from "../dom.js";
import { cameraFor } from "./camera.js";
import { flightOf, heightAxis, heightWords } from "./flight.js";
import { fixedTraces, movingTraces, walkedColours } from "./scene-traces.js";

/** @typedef {import("../document").ReplayDocument} ReplayDocument */
/** @typedef {import("../types").PlotlyScript} PlotlyScript */
/** @typedef {(number[] | null)[]} Places */

/** From the south, a little to the west, and from above. @type {import("./camera.js").Vector} */
const DIRECTION = [-0.22, -0.78, 0.68];
/** A drawing this quick, in milliseconds, may follow each step; a slower one waits until the cursor rests. */
const QUICK_MS = 40;
const REST_MS = 90;
const PATIENCE_MS = 900;
/** After so long, in milliseconds, the scene's place says what it waits for. */
const PLOTLY_WAIT_MS = 3000;
/** Room for the axis of heights: a share of what is drawn, and more in a narrow pane, since its type stays as large. */
const AXIS_AIR = 1.3;
const AXIS_PX = 130;
const CONFIG = { displayModeBar: false, responsive: false, scrollZoom: true };

export class HouseScene {
  /**
   * @param {HTMLElement} container
   * @param {ReplayDocument} doc
   * @param {import("../types").MapApi} api
   * @param {(ref: string | null) => void} onPoint
   */
  constructor(container, doc, api, onPoint) {
    this.box = container;
    this.doc = doc;
    this.api = api;
    this.onPoint = onPoint;
    this.step = 0;
    this.ready = false;
    this.gone = false;
    /** Whether the pane is to be seen. */
    this.shown = true;
    /** Whether plotly is drawing, and whether more has changed meanwhile. */
    this.busy = false;
    this.stale = false;
    /** When the last change was asked for, and how long the last drawing took, in milliseconds. */
    this.changedAt = 0;
    this.cost = 0;
    /** @type {number[][]} */
    this.lit = [];
    /** Where the camera was put; it stands elsewhere once the user has turned the scene. @type {object | undefined} */
    this.eye = undefined;
    this.note = el("p", { class: "nv-nothing", text: "Loading the 3-D scene …" });
    this.plot = /** @type {import("../types").PlotlyBox} */ (/** @type {unknown} */ (el("div", { class: "nv-plot" })));
    this.words = el("p", { class: "nv-scene-words" });
    container.append(this.plot, this.words, this.note);
  }

  /** Whether plotly is here or can be fetched. @param {import("../types").MapApi} api */
  static possible(api) {
    return Boolean(globalThis.Plotly || api.options.plotly || api.options.loadPlotly);
  }

  /** @type {Promise<void> | null} */
  static loading = null;

  /** @param {import("../types").Options} options @returns {Promise<PlotlyScript>} */
  static async load({ plotly: address, loadPlotly }) {
    if (!globalThis.Plotly && loadPlotly) await loadPlotly();
    if (!globalThis.Plotly && address) {
      HouseScene.loading ??= new Promise((resolve, reject) => {
        const on = { load: () => resolve(), error: () => reject(new Error("not reachable")) };
        document.head.append(el("script", { src: address, async: true, on }));
      });
      await HouseScene.loading.catch(() => {
        HouseScene.loading = null;
      });
    }
    if (!globalThis.Plotly) throw new Error("plotly's script is not there");
    return globalThis.Plotly;
  }

  /** @param {number} step */
  async start(step) {
    this.step = step;
    const { options } = this.api;
    const waiting = options.plotlyNote;
    const slow = waiting ? setTimeout(() => this.note.replaceChildren(waiting), PLOTLY_WAIT_MS) : 0;
    try {
      this.plotly = await HouseScene.load(options);
    } catch {
      this.note.textContent = "The 3-D scene is not there: plotly's script could not be loaded.";
      return;
    }
    clearTimeout(slow);
    if (this.gone) return;
    this.stale = false; // the first drawing shows what has been asked for until now
    const layout = this.layout();
    this.eye = layout.scene.camera.eye;
    await this.plotly.newPlot(this.plot, this.traces(), layout, CONFIG);
    if (this.gone) {
      this.plotly.purge(this.plot);
      return;
    }
    this.note.remove();
    this.ready = true;
    this.box.dataset.ready = "true";
    this.plot.on("plotly_hover", (event) => this.onPoint(refOf(event)));
    this.plot.on("plotly_unhover", () => this.onPoint(null));
    this.plot.on("plotly_click", (event) => {
      const ref = refOf(event);
      if (ref) this.api.pick(ref);
    });
    this.resize();
    if (this.stale) this.later();
  }

  traces() {
    const fixed = fixedTraces(this.doc, this.api.color);
    this.moving = fixed.length;
    return [...fixed, ...movingTraces(this.doc, this.api.color, this.step, this.lit)];
  }

  layout() {
    const hidden = { visible: false, showgrid: false, zeroline: false, showspikes: false };
    const ground = this.api.color("ground");
    const edges = this.edges();
    const [xaxis, yaxis, zaxis] = edges.map((range) => ({ ...hidden, range }));
    const flight = flightOf(this.doc);
    this.words.textContent = flight ? heightWords(flight) : "";
    const spans = edges.map(([low, high], axis) => (axis === 2 ? (flight?.stretch ?? 1) : 1) * (high - low));
    const side = Math.max(...spans);
    // the axis of heights stands outside of what is drawn
    const { clientWidth: width, clientHeight: height } = this.box;
    const air = flight ? Math.max(AXIS_AIR, 1 + AXIS_PX / (width || 1000)) : 1;
    const [x, y, z] = spans.map((span) => span / side);
    const scaled = this.corners().map(
      (p) =>
        /** @type {import("./camera.js").Vector} */ (
          p.map((value, i) => {
            const [low, high] = edges[i];
            return (air * ((value - (low + high) / 2) / (high - low)) * spans[i]) / side;
          })
        ),
    );
    const { eye, center } = cameraFor(scaled, DIRECTION, (width || 1) / (height || 1));
    const up = { x: 0, y: 0, z: 1 };
    const camera = { eye: named(eye), center: named(center), up, projection: { type: "perspective" } };
    return {
      margin: { l: 0, r: 0, t: 0, b: 0 },
      paper_bgcolor: ground,
      showlegend: false,
      uirevision: "stay",
      hovermode: "closest",
      width: width || 300,
      height: height || 300,
      scene: {
        aspectmode: "manual",
        aspectratio: { x, y, z },
        xaxis,
        yaxis,
        zaxis: flight ? { ...zaxis, ...heightAxis(this.api.color) } : zaxis,
        uirevision: "stay",
        bgcolor: ground,
        camera,
      },
    };
  }

  /** Places that the pane must show. @returns {number[][]} */
  corners() {
    const { nodes, indoor } = this.doc;
    const points = nodes.ids.map((_, i) => nodes.at.slice(3 * i, 3 * i + 3));
    for (const { box_m: box, floor } of indoor?.rooms ?? []) {
      const level = indoor?.floors[floor].level_m ?? 0;
      for (const x of [box[0], box[2]]) for (const y of [box[1], box[3]]) points.push([x, y, level]);
    }
    return points.length ? points : [[0, 0, 0]];
  }

  /** Edges of the house, as [[least, most], ...] for x, y and z. */
  edges() {
    const points = this.corners();
    return [0, 1, 2].map((axis) => [
      Math.min(...points.map((p) => p[axis])) - 0.4,
      Math.max(...points.map((p) => p[axis])) + 0.4,
    ]);
  }

  // --- what moves

  /** @param {number} step */
  showStep(step) {
    this.step = step;
    this.later();
  }

  /** @param {number[][]} places */
  highlight(places) {
    this.lit = places;
    this.later();
  }

  /** Draw anew after the frame, one drawing at a time: the plan never waits for the scene, and the scene follows. */
  later() {
    this.stale = true;
    // plotly draws into a hidden pane as well, and that costs more than all the rest of a step
    if (!this.ready || !this.shown) return;
    this.changedAt = performance.now();
    if (this.busy) return;
    this.busy = true;
    this.follow();
  }

  /** The pane comes or goes; what has changed meanwhile is drawn when it comes. @param {boolean} shown */
  turn(shown) {
    this.shown = shown;
    if (shown && this.stale) this.later();
  }

  async follow() {
    while (this.stale && this.shown && !this.gone && this.plotly) {
      await this.calm();
      this.stale = false;
      const start = performance.now();
      await this.draw();
      this.cost = performance.now() - start;
    }
    this.busy = false;
  }

  /** Wait for the frame; where drawing is slow (no graphics card), until the cursor rests, but not for ever. */
  async calm() {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
    const first = performance.now();
    const resting = () => performance.now() - this.changedAt > REST_MS;
    while (this.cost > QUICK_MS && !resting() && performance.now() - first < PATIENCE_MS) {
      await new Promise((resolve) => setTimeout(resolve, REST_MS / 3));
    }
  }

  async draw() {
    const traces = movingTraces(this.doc, this.api.color, this.step, this.lit);
    const pick = (/** @type {"x" | "y" | "z"} */ axis) => traces.map((trace) => trace[axis]);
    const indices = traces.map((_, k) => (this.moving ?? 0) + k);
    await this.plotly?.restyle(this.plot, { x: pick("x"), y: pick("y"), z: pick("z") }, indices);
    await this.recolour(traces.findIndex((trace) => trace.name === "walked"));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
  }

  /** The walk in the colours of the skills that acted. @param {number} walked */
  async recolour(walked) {
    if (!this.doc.skills || !this.plotly || this.gone) return;
    const colours = walkedColours(this.doc, this.api.color, this.step);
    await this.plotly.restyle(this.plot, { "line.color": [colours] }, [(this.moving ?? 0) + walked]);
  }

  redraw() {
    if (!this.ready) return;
    const camera = this.plot.layout.scene?.camera;
    const layout = this.layout();
    if (camera) Object.assign(layout.scene, { camera });
    this.plotly?.react(this.plot, this.traces(), layout, CONFIG);
  }

  /** @param {ReplayDocument} doc */
  update(doc) {
    this.doc = doc;
    this.redraw();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.box;
    if (!this.ready || width <= 20) return;
    const { layout } = this.plot;
    // asked for what it has, plotly draws the scene once more
    if (layout.width === width && layout.height === height) return;
    const { camera } = this.layout().scene;
    // whoever has turned the scene keeps the view; else a narrower pane would cut its sides
    const turned = JSON.stringify(layout.scene?.camera?.eye) !== JSON.stringify(this.eye);
    if (!turned) this.eye = camera.eye;
    this.plotly?.relayout(this.plot, turned ? { width, height } : { width, height, "scene.camera": camera });
  }

  destroy() {
    this.gone = true;
    if (this.ready) this.plotly?.purge(this.plot);
  }
}

/** @param {import("./camera.js").Vector} vector */
const named = ([x, y, z]) => ({ x, y, z });

/** @param {import("../types").PlotlyEvent} event */
function refOf({ points }) {
  const point = points?.[0];
  return point?.data?.name === "viewpoints" ? `n:${point.pointNumber}` : null;
}
