// @ts-check
// What both maps share, on Leaflet's canvas: paths, what the agent saw and chose, fitting, pointing, layers.
//
// What stays and what a step changes lie on canvases of their own, so that a step paints a few shapes only. Streets
// (street-map.js) and floor plans (floor-map.js) add their ground and what else they know.
import { el, iconButton } from "../dom.js";
import { STAGE_COLORS, stageColor } from "../shell/stages.js";
import { padding } from "./fitting.js";
import { Labels } from "./label-view.js";
import { Layers } from "./layers.js";
import { Legend } from "./legend.js";
import { allStates, hasStates, stateEntries } from "./place-states.js";
import { Pointer } from "./pointer.js";
import { Agent, sign } from "./signs.js";
import { skillColour, skillsUsed } from "./skill-legs.js";
import { drawStep } from "./step-view.js";
import { chain, neighbours, walkOf } from "./walks.js";

/** @typedef {import("../document").ReplayDocument} ReplayDocument */
/** @typedef {import("../document").StepEntry} StepEntry */
/** @typedef {import("../document").SeenEntry} SeenEntry */
/** @typedef {import("../types").Spot} Spot */
/** @typedef {import("../types").Box} Box */
/** @typedef {number | string} NodeRef */
/** @typedef {"ground" | "paths" | "step" | "move" | "light"} Sheet  a canvas of its own */
/** @typedef {"ground" | "paths" | "ends" | "step" | "light"} GroupName  what is cleared together */

/** Runs beside the one compared are told apart by colour and by dash. */
const FURTHER_DASHES = ["2 6", "10 6", "14 5 3 5", "6 4", "3 3", "18 6"];

/** Canvases from below to above; Leaflet's markers lie at 600. @type {[Sheet, number][]} */
const SHEETS = [
  ["ground", 210],
  ["paths", 410],
  ["step", 420],
  ["light", 430],
  ["move", 580],
];
/** @type {GroupName[]} */
const GROUPS = ["ground", "paths", "ends", "step", "light"];
/** Elements on panes of their own: signs below the move and the ends, the chosen place above, labels above all. */
const PANES = { "nv-signs": 560, "nv-chosen": 610, "nv-labels": 650 };

/** How far out of the fitted route one can zoom. */
const ZOOM_OUT = 1.5;
/** A canvas draws a little more than the map shows, for dragging. */
const CANVAS_PADDING = 0.4;

export class WalkMap {
  /**
   * @param {HTMLElement} container
   * @param {ReplayDocument} doc
   * @param {import("../types").MapApi} api
   * @param {L.MapOptions} options
   */
  constructor(container, doc, api, options) {
    this.api = api;
    this.box = container;
    this.doc = doc;
    this.step = 0;
    this.gone = false;
    /** Whether the user has moved the map: then it is theirs, and no change of size fits it anew. */
    this.moved = false;
    /** @type {string[]} */
    this.lit = [];
    this.canvas = el("div", { class: "nv-leaflet" });
    this.plan = el("div", { class: "nv-plan-view" }, this.canvas);
    container.append(this.plan); // Leaflet looks at its element's style, so it must be in the page
    this.credit = el("div", { class: "nv-credit" });
    this.legend = new Legend();
    this.layers = new Layers(() => this.onLayers());
    this.map = L.map(this.canvas, {
      zoomControl: false,
      attributionControl: false,
      keyboard: false,
      preferCanvas: true,
      boxZoom: false,
      wheelPxPerZoomLevel: 110,
      ...options,
    });
    this.sheets = this.makeSheets();
    this.groups = /** @type {Record<GroupName, L.LayerGroup>} */ (
      Object.fromEntries(GROUPS.map((name) => [name, L.layerGroup().addTo(this.map)]))
    );
    this.agent = new Agent();
    this.tools = el("div", { class: "nv-tools" }, this.makeTools());
    this.plan.append(this.credit, this.legend.box, this.tools, this.layers.list);
    L.control.scale({ imperial: false, position: "bottomright", maxWidth: 90 }).addTo(this.map);
    this.near = neighbours(doc.links);
    this.labels = new Labels(this);
    this.pointer = new Pointer(this);
    this.map.setView(this.spotAt(0) ?? [0, 0], 1, { animate: false });
    this.listen();
  }

  makeSheets() {
    const sheets = /** @type {Record<Sheet, L.Canvas>} */ ({});
    for (const [name, level] of SHEETS) {
      const pane = this.map.createPane(`nv-${name}`);
      pane.style.zIndex = String(level);
      pane.style.pointerEvents = "none";
      sheets[name] = L.canvas({ pane: `nv-${name}`, padding: CANVAS_PADDING });
      // a frame that was asked for may come after the map has gone
      const canvas = /** @type {{_redraw: () => void, _ctx?: object}} */ (/** @type {unknown} */ (sheets[name]));
      const redraw = canvas._redraw;
      canvas._redraw = () => {
        if (canvas._ctx) redraw.call(canvas);
      };
    }
    for (const [name, level] of Object.entries(PANES)) this.map.createPane(name).style.zIndex = String(level);
    return sheets;
  }

  listen() {
    this.map.on("dragstart", () => this.take());
    for (const event of ["wheel", "dblclick"])
      this.canvas.addEventListener(event, () => this.take(), { passive: true });
    this.map.on("zoomend", () => this.restyle());
    this.map.on("moveend", () => {
      this.clearGoal();
      this.labels.soon();
    });
    this.map.on("zoomend", () => this.labels.tags());
  }

  /** Keep the legend off the goal; indoors the upper edge belongs to the floors. */
  clearGoal() {
    const goal = this.spotAt(this.goal);
    this.legend.avoid(goal && this.doc.frame === "geo" ? this.map.latLngToContainerPoint(goal) : undefined);
  }

  /** The user moves the map. */
  take() {
    this.moved = true;
  }

  // --- places

  /** A position of the document as Leaflet's. @param {number[]} at @returns {Spot} */
  spot(at) {
    return [at[0], at[1]];
  }

  /** @param {number} node @returns {Spot} */
  spotOf(node) {
    return [this.doc.nodes.at[2 * node], this.doc.nodes.at[2 * node + 1]];
  }

  /** Where a node is; null for one that the graph does not have. @param {NodeRef | undefined} node @returns {Spot | null} */
  spotAt(node) {
    return typeof node === "number" && node >= 0 && node < this.doc.nodes.ids.length ? this.spotOf(node) : null;
  }

  /** @param {(NodeRef | undefined)[]} nodes @returns {Spot[]} */
  line(nodes) {
    return nodes.map((node) => this.spotAt(node)).filter((spot) => spot !== null);
  }

  /** The name under which tests and tools ask for a node's place. @param {number} node */
  at(node) {
    return this.spotAt(node);
  }

  /** Whether a node lies on the part of the world that is shown: outdoors always, indoors on the floor. @param {NodeRef | undefined} _node */
  here(_node) {
    return true;
  }

  /** Whether a position lies on the part of the world that is shown. @param {number[]} _at */
  placeHere(_at) {
    return true;
  }

  /** The places that the agent could choose. @param {StepEntry} now @returns {import("../document").CandidateEntry[]} */
  candidates(now) {
    return now.observation?.candidates ?? [];
  }

  get goal() {
    const { episode, reference } = this.doc;
    return episode.goal ?? reference.at(-1);
  }

  get start() {
    const { episode, reference } = this.doc;
    return typeof episode.start === "number" ? episode.start : reference[0];
  }

  get end() {
    return this.doc.end?.node;
  }

  /** Where the agent stands. */
  get standing() {
    return this.step === 0 ? this.doc.episode.start : this.doc.steps[this.step - 1]?.node;
  }

  get walked() {
    return this.doc.steps.flatMap((_, i) => walkOf(this.doc.steps, i, this.end));
  }

  /** POIs that can be pointed at. @returns {{name: string, at: number[], kind?: string, distance_m?: number}[]} */
  shownPois() {
    return [...(this.layers.shows("pois") ? this.doc.pois : []), ...this.seen()];
  }

  /** What the agent was shown in this step, where it is. @returns {(SeenEntry & {at: number[]})[]} */
  seen() {
    const pois = this.doc.steps[this.step - 1]?.observation?.pois ?? [];
    return pois.flatMap((poi) => (poi.at ? [{ ...poi, at: poi.at }] : []));
  }

  // --- fitting

  /** All that a fitted map must show. @returns {Spot[]} */
  wanted() {
    const { doc } = this;
    if (this.api.options.whole && !doc.reference.length) return this.line(doc.nodes.ids.map((_, i) => i));
    const compared = this.others().flatMap(({ steps }) => steps.flatMap((step) => [step.node, ...step.path]));
    const targets = doc.episode.tasks.flatMap((task) => task.goals);
    const nodes = [...doc.reference, ...this.walked, this.start, this.goal, ...targets, ...compared];
    const spots = this.line(nodes);
    return spots.length ? spots : this.line(doc.nodes.ids.map((_, i) => i));
  }

  /** Boxes of what lies over the map. */
  furniture() {
    return {
      tools: this.boxOf(this.tools),
      legend: this.legend.room(this.allEntries()),
      credit: this.boxOf(this.credit),
    };
  }

  /** The box of an element on the map; undefined where it does not lie over it. @param {Element | null} node @returns {Box | undefined} */
  boxOf(node) {
    const home = this.plan.getBoundingClientRect();
    const box = node?.getBoundingClientRect();
    if (!box?.height || box.left >= home.right) return undefined;
    return [box.left - home.left, box.top - home.top, box.right - home.left, box.bottom - home.top];
  }

  /** What a step adds that only one kind of map has. @param {StepEntry} _now */
  drawAround(_now) {}

  /**
   * Show the whole route, clear of legend and buttons.
   * @param {boolean} [animate]
   */
  fit(animate = true) {
    this.moved = false;
    const spots = this.wanted();
    const size = this.map.getSize();
    if (!spots.length || !size.x || !size.y) return;
    const [left, top, right, bottom] = padding(size, this.furniture());
    const bounds = L.latLngBounds(spots);
    const zoom = this.map.getBoundsZoom(bounds, false, L.point(left + right, top + bottom));
    const most = this.map.getMaxZoom();
    this.map.options.minZoom = Math.min(zoom, this.closest()) - ZOOM_OUT;
    this.map.fitBounds(bounds, {
      paddingTopLeft: [left, top],
      paddingBottomRight: [right, bottom],
      maxZoom: Math.min(this.closest(), most),
      animate,
    });
  }

  /** The zoom beyond which a short route is not enlarged. */
  closest() {
    return 18.5;
  }

  resize() {
    this.map.invalidateSize({ animate: false, pan: false });
    this.labels.forget();
    if (this.moved) this.labels.tags();
    else this.fit(false);
  }

  /** Set the names of places now, not when the cursor rests: for who takes a picture. */
  settle() {
    this.labels.names();
  }

  // --- what does not move

  draw() {
    for (const group of Object.values(this.groups)) group.clearLayers();
    this.drawGround();
    this.drawPaths();
    this.drawEnds();
    this.drawCredit();
    this.layers.offer(this.there());
    this.restyle();
    this.paint();
  }

  drawGround() {}

  restyle() {}

  drawCredit() {
    this.credit.textContent = this.doc.graph.attribution ?? "";
  }

  /**
   * @template {L.Layer} T
   * @param {T} layer
   * @param {GroupName} group
   * @returns {T}
   */
  add(layer, group) {
    this.groups[group].addLayer(layer);
    return layer;
  }

  /**
   * Options of a shape on one of the canvases.
   * @param {Sheet} sheet
   * @param {L.PathOptions & {smoothFactor?: number, radius?: number}} options
   */
  on(sheet, options) {
    return { renderer: this.sheets[sheet], interactive: false, smoothFactor: 0.4, ...options };
  }

  /**
   * A way in full where it is shown, faint on other floors.
   * @param {NodeRef[][]} lines
   * @param {L.PolylineOptions} style
   * @param {GroupName} group
   * @param {Sheet} sheet
   */
  drawWay(lines, style, group, sheet) {
    /** @type {[Spot[][], Spot[][]]} */
    const parts = [[], []];
    for (const nodes of lines) {
      let last = -1;
      for (let i = 0; i + 1 < nodes.length; i += 1) {
        const [p, q] = [this.spotAt(nodes[i]), this.spotAt(nodes[i + 1])];
        if (!p || !q) {
          last = -1;
          continue;
        }
        const part = this.here(nodes[i]) || this.here(nodes[i + 1]) ? 0 : 1;
        if (part === last) parts[part][parts[part].length - 1].push(q);
        else parts[part].push([p, q]);
        last = part;
      }
    }
    if (parts[0].length) this.add(L.polyline(parts[0], this.on(sheet, style)), group);
    const faint = 0.16 * (style.opacity ?? 1);
    if (parts[1].length) this.add(L.polyline(parts[1], this.on(sheet, { ...style, opacity: faint })), group);
  }

  drawPaths() {
    const { color } = this.api;
    const { doc } = this;
    if (this.layers.shows("reference")) {
      this.drawWay(
        [doc.reference],
        { color: color("reference"), weight: 8, opacity: 0.95, dashArray: "9 7", lineCap: "butt" },
        "paths",
        "paths",
      );
    }
    const goal = this.spotAt(this.goal);
    this.drawTargets();
    if (goal && this.here(this.goal) && !doc.episode.tasks.length) {
      const look = { color: color("reference"), weight: 1.6, opacity: 0.9, dashArray: "3 4", fillOpacity: 0.09 };
      this.add(L.circle(goal, { ...this.on("paths", look), radius: doc.episode.success_radius_m }), "paths");
    }
    if (doc.compare && this.layers.shows("other")) this.drawCompared(doc.compare);
    if (this.layers.shows("other")) for (const [i, walk] of (doc.further ?? []).entries()) this.drawFurther(walk, i);
  }

  /** The runs compared, each with its colour. @returns {{steps: import("../document").ComparedStep[], end?: NodeRef, tint: string}[]} */
  others() {
    const { compare, further } = this.doc;
    return [
      ...(compare ? [{ ...compare, tint: this.api.color("other") }] : []),
      ...(further ?? []).map((walk) => ({ ...walk, tint: walk.colour })),
    ];
  }

  /**
   * The place of a target that is signed: where the reference path comes to it, else the first.
   * @param {import("../document").TaskEntry} task
   */
  mainGoal(task) {
    const on = new Set(this.doc.reference);
    return task.goals.find((node) => on.has(node)) ?? task.goals[0];
  }

  /** A ring of the success radius around each target, in its stage's colour. */
  drawTargets() {
    const { episode, stages } = this.doc;
    episode.tasks.forEach((task, i) => {
      const tint = this.api.color(stages.length ? stageColor(i) : "reference");
      const main = this.mainGoal(task);
      for (const node of task.goals) {
        const spot = this.spotAt(node);
        if (!spot || !this.here(node)) continue;
        const look = {
          color: tint,
          weight: 1.8,
          dashArray: "4 3",
          fillColor: tint,
          fillOpacity: 0.06,
          stroke: node === main,
        };
        this.add(L.circle(spot, { ...this.on("paths", look), radius: episode.success_radius_m }), "paths");
      }
    });
  }

  /** @param {import("../document").Compared} other */
  drawCompared(other) {
    const { lines } = chain(other.steps, other.end, 0, other.steps.length);
    this.drawWay(
      lines,
      { color: this.api.color("other"), weight: 4, dashArray: "12 5 2 5", lineCap: "butt" },
      "paths",
      "paths",
    );
    const last = lines.at(-1)?.at(-1);
    const spot = this.spotAt(last);
    if (spot && this.here(last))
      this.add(
        sign(spot, "nv-sign-stop nv-sign-other", { title: `Stop of ${other.label}`, pane: "markerPane" }),
        "ends",
      );
  }

  /** @param {import("../document").FurtherWalk} walk @param {number} i */
  drawFurther(walk, i) {
    const { lines } = chain(walk.steps, walk.end, 0, walk.steps.length);
    const dashArray = FURTHER_DASHES[i % FURTHER_DASHES.length];
    this.drawWay(lines, { color: walk.colour, weight: 3, dashArray, lineCap: "butt" }, "paths", "paths");
    const last = lines.at(-1)?.at(-1);
    const spot = this.spotAt(last);
    if (!spot || !this.here(last)) return;
    const title = `Stop of ${walk.label}`;
    const made = this.add(sign(spot, "nv-sign-stop nv-sign-further", { title, pane: "markerPane" }), "ends");
    const drawn = made.getElement()?.firstElementChild;
    if (drawn instanceof HTMLElement) drawn.style.setProperty("--nv-further", walk.colour);
  }

  /** Where the runs compared stand at this step: one cursor moves all. */
  placeOthers() {
    if (!this.doc.further?.length || !this.layers.shows("other")) return;
    for (const { steps, end, tint } of this.others()) {
      const node = this.step === 0 ? this.start : (steps[this.step - 1]?.node ?? end ?? steps.at(-1)?.node);
      const spot = this.spotAt(node);
      if (!spot || !this.here(node)) continue;
      const look = { radius: 6, color: this.api.color("paper"), weight: 2, fillColor: tint, fillOpacity: 1 };
      this.add(L.circleMarker(spot, this.on("step", look)), "step");
    }
  }

  drawEnds() {
    const { episode } = this.doc;
    this.startSign = this.endSign(this.start, "nv-sign-start", "Start", -200);
    if (!episode.tasks.length) this.endSign(this.goal, "nv-sign-goal", "Goal", -100);
    episode.tasks.forEach((task, i) => {
      const main = this.mainGoal(task);
      if (main !== undefined) this.targetSign(main, i, task);
    });
    this.stopNode = this.doc.end ? this.walked.at(-1) : undefined;
    this.stopSign = this.endSign(this.stopNode, "nv-sign-stop", "Stop", 0);
  }

  /**
   * @param {NodeRef | undefined} node
   * @param {string} look
   * @param {string} ref
   * @param {number} raise
   */
  endSign(node, look, ref, raise) {
    const spot = this.spotAt(node);
    return spot && this.here(node) ? this.add(sign(spot, look, { ref, pane: "markerPane", raise }), "ends") : null;
  }

  /**
   * A target with its number.
   * @param {NodeRef} node
   * @param {number} i
   * @param {import("../document").TaskEntry} task
   */
  targetSign(node, i, task) {
    const spot = this.spotAt(node);
    if (!spot || !this.here(node)) return;
    const title = `Target ${i + 1}: ${task.target ?? task.description}`;
    const made = this.add(
      sign(spot, `nv-sign-target nv-sign-target-${(i % STAGE_COLORS) + 1}`, {
        text: String(i + 1),
        title,
        pane: "markerPane",
        raise: -50,
      }),
      "ends",
    );
    made.getElement()?.setAttribute("data-target", String(i + 1));
  }

  // --- legend and layers

  /** Layers that the document has. @returns {import("./layers.js").LayerName[]} */
  there() {
    const { doc } = this;
    const seen = doc.steps.map((step) => step.observation).filter((part) => part !== undefined);
    /** @type {[import("./layers.js").LayerName, boolean][]} */
    const all = [
      ["reference", doc.reference.length > 0],
      ["other", Boolean(doc.compare)],
      ["candidates", seen.some((part) => part.candidates.length > 0)],
      ["seen", seen.some((part) => part.visible.length > 0)],
      ["memory", hasStates(doc)],
      ["pois", doc.pois.length > 0],
    ];
    return all.filter(([, has]) => has).map(([name]) => name);
  }

  /** All that the legend may come to list. @returns {import("./legend.js").Entries} */
  allEntries() {
    const there = this.there();
    const has = (/** @type {import("./layers.js").LayerName} */ name) =>
      there.includes(name) && this.layers.shows(name);
    const states = new Set(
      this.doc.steps.flatMap((step) => (step.observation?.candidates ?? []).map((item) => item.state)),
    );
    return this.entries({
      other: has("other"),
      seen: has("seen"),
      leaps: this.doc.steps.some((step) => step.jumps?.length),
      chosen: has("candidates") && states.has("chosen"),
      rejected: has("candidates") && states.has("rejected"),
      offered: has("candidates") && states.has("offered"),
      memory: has("memory") ? allStates(this.doc) : undefined,
    });
  }

  /**
   * @param {Partial<Record<"other", boolean>> & import("./step-view.js").Told} shown
   * @returns {import("./legend.js").Entries}
   */
  entries({ other, seen, leaps, chosen, rejected, offered, memory }) {
    const { doc } = this;
    return [
      doc.reference.length > 0 && this.layers.shows("reference") && ["reference", "reference path"],
      ...this.walkEntries(),
      other && doc.compare && ["other", doc.compare.label],
      ...(other
        ? (doc.further ?? []).map(
            (walk) => /** @type {import("./legend.js").Entry} */ (["further", walk.label, walk.colour]),
          )
        : []),
      seen && ["seen", "visible area"],
      chosen && ["chosen", "chosen"],
      rejected && ["rejected", "not taken"],
      offered && ["offered", this.offeredWord()],
      ...(memory ? stateEntries(memory) : []),
      leaps && ["jump", "jump"],
    ];
  }

  /** The agent's colour, or those of the skills that act. @returns {import("./legend.js").Entries} */
  walkEntries() {
    const { doc } = this;
    if (!doc.steps.length) return [];
    const skills = skillsUsed(doc.steps);
    if (!doc.skills || !skills.length) return [["agent", this.api.options.agentWord ?? "agent"]];
    return [
      ...skills.map(
        (skill) =>
          /** @type {import("./legend.js").Entry} */ ([
            "skill",
            doc.skills?.[skill].short ?? "",
            skillColour(doc, skill),
          ]),
      ),
      doc.steps.some((step) => step.walk_back) && ["back", "back to the best stop"],
    ];
  }

  offeredWord() {
    return "offered";
  }

  onLayers() {
    this.draw();
    if (!this.moved) this.fit(false);
  }

  // --- what moves

  /** @param {number} step */
  showStep(step) {
    this.step = step;
    this.paint();
  }

  /** Draw what the step changes. */
  paint() {
    const { doc, step } = this;
    this.groups.step.clearLayers();
    this.groups.light.clearLayers();
    const told = drawStep(this, doc.steps[step - 1]);
    this.legend.show(this.entries({ ...told, other: Boolean(doc.compare) && this.layers.shows("other") }));
    this.placeOthers();
    this.clearGoal();
    this.placeAgent();
    const later = step < doc.steps.length;
    this.stopSign?.getElement()?.classList.toggle("nv-later", later);
    this.stopSign?.setZIndexOffset(later ? -100 : 950);
    this.startSign?.getElement()?.classList.toggle("nv-under", this.standing === this.start);
    this.follow(doc.steps[step - 1]);
    if (this.lit.length) this.pointer.view.highlight(this.lit);
    this.labels.tags();
    this.labels.soon();
  }

  placeAgent() {
    const node = this.standing;
    this.agent.place(this.map, this.spotAt(node), this.heading(), !this.here(node));
  }

  /** The agent's heading in degrees; where the log does not tell, that of its move. */
  heading() {
    const { doc, step } = this;
    return step === 0 ? doc.episode.start_heading_deg : doc.steps[step - 1]?.heading_deg;
  }

  /** Bring the step into view where it is not. @param {StepEntry | undefined} now */
  follow(now) {
    const spots = this.line(now ? walkOf(this.doc.steps, this.step - 1, this.end) : [this.doc.episode.start]);
    if (!spots.length || !this.map.getSize().x) return;
    const bounds = L.latLngBounds(spots);
    if (this.map.getBounds().pad(-0.02).contains(bounds)) return;
    const fits = this.map.getBoundsZoom(bounds.pad(0.2)) >= this.map.getZoom();
    if (fits) this.map.panTo(bounds.getCenter(), { duration: 0.25 });
    else this.map.fitBounds(bounds.pad(0.2), { maxZoom: this.map.getZoom() });
  }

  // --- labels

  /** Labels of ends and step, the most important first. @returns {import("./label-view.js").Tag[]} */
  tags() {
    return [...this.endTags(), ...this.seenTags()];
  }

  /** Names of places, the most important first. @returns {Iterable<import("./label-view.js").Tag>} */
  names() {
    return [];
  }

  /** How many names the map may hold: fewer for those who sit far away. */
  nameRoom() {
    return this.box.closest(".nv-present") ? 26 : 40;
  }

  endTags() {
    const ends = /** @type {[NodeRef | undefined, string, string][]} */ ([
      [this.start, "Start", "nv-tag-end"],
      [this.doc.episode.tasks.length ? undefined : this.goal, "Goal", "nv-tag-goal"],
    ]);
    for (const task of this.doc.episode.tasks) ends.push([this.mainGoal(task), task.target ?? "Target", "nv-tag-goal"]);
    if (this.step === this.doc.steps.length) ends.push([this.stopNode, "Stop", "nv-tag-stop"]);
    return ends.flatMap(([node, text, look]) => {
      const spot = this.spotAt(node);
      const gap = node === this.standing ? 20 : 13;
      return spot && this.here(node) ? [{ spot, text, look, gap, weight: 650, size: 0.93, must: true }] : [];
    });
  }

  seenTags() {
    if (!this.layers.shows("pois")) return [];
    const here = this.spotAt(this.standing);
    return this.seen()
      .filter((poi) => this.placeHere(poi.at))
      .map((poi) => {
        const spot = this.spot(poi.at);
        return {
          spot,
          text: poi.name,
          look: "nv-tag-seen",
          gap: 13,
          weight: 600,
          size: 0.9,
          left: here !== null && spot[1] < here[1],
        };
      });
  }

  // --- pointing

  /** @param {string[]} refs */
  highlight(refs) {
    this.lit = refs;
    this.groups.light.clearLayers();
    for (const node of this.box.querySelectorAll(".nv-sign.nv-lit")) node.classList.remove("nv-lit");
    for (const ref of refs) {
      for (const at of this.api.resolve(ref, this.step).at) this.ring(this.spot(at), this.refHere(ref, at));
      for (const node of this.box.querySelectorAll(`.nv-sign[data-ref="${CSS.escape(ref)}"]`))
        node.classList.add("nv-lit");
    }
  }

  /** @param {string} _ref @param {number[]} _at */
  refHere(_ref, _at) {
    return true;
  }

  /**
   * @param {Spot} spot
   * @param {boolean} here
   */
  ring(spot, here) {
    const { color } = this.api;
    const outer = {
      radius: 15,
      color: color("lit"),
      weight: 4,
      fillColor: color("lit"),
      fillOpacity: here ? 0.25 : 0.1,
      dashArray: here ? undefined : "4 4",
    };
    this.add(L.circleMarker(spot, this.on("light", outer)), "light");
    if (here)
      this.add(
        L.circleMarker(
          spot,
          this.on("light", { radius: 5, color: color("ground"), weight: 1.5, fillColor: color("lit"), fillOpacity: 1 }),
        ),
        "light",
      );
  }

  /** @param {string} ref */
  panTo(ref) {
    const { at } = this.api.resolve(ref, this.step);
    if (!at.length) return;
    this.take();
    const bounds = L.latLngBounds(at.map((place) => this.spot(place)));
    const near = Math.max(this.map.getZoom(), this.nearZoom());
    if (at.length > 1) this.map.fitBounds(bounds.pad(0.4), { maxZoom: near });
    else this.map.setView(bounds.getCenter(), near, { animate: true });
    this.highlight([ref]);
  }

  /** A zoom at which one sees a place's surroundings. */
  nearZoom() {
    return 17.5;
  }

  /** What the tip says of a node. @param {number} _node @returns {(string | Node)[]} */
  nodeFacts(_node) {
    return [];
  }

  // --- tools and life

  /** @returns {HTMLElement[]} */
  makeTools() {
    const zoom = (/** @type {number} */ by) => () => {
      this.take();
      if (by > 0) this.map.zoomIn();
      else this.map.zoomOut();
    };
    return [
      iconButton("closer", "Closer", zoom(1), { tool: "in" }),
      iconButton("farther", "Farther", zoom(-1), { tool: "out" }),
      iconButton("whole", "The whole route", () => this.fit(), { tool: "fit" }),
      this.layers.button,
    ];
  }

  /** @param {ReplayDocument} doc */
  update(doc) {
    const from = this.doc;
    const elsewhere = doc.episode.id !== from.episode.id || doc.world !== from.world;
    this.doc = doc;
    this.near = neighbours(doc.links);
    this.adopt();
    this.step = Math.min(this.step, doc.steps.length);
    const sameGround =
      !elsewhere && doc.nodes.ids.length === from.nodes.ids.length && doc.streets.length === from.streets.length;
    if (sameGround) this.drawWays();
    else this.draw();
    if (elsewhere || !this.moved) this.fit(false);
  }

  /** What a newer document needs to be known before it is drawn. */
  adopt() {}

  /** Everything but the ground. */
  drawWays() {
    this.groups.paths.clearLayers();
    this.groups.ends.clearLayers();
    this.drawPaths();
    this.drawEnds();
    this.layers.offer(this.there());
  }

  setTheme() {
    this.draw();
  }

  destroy() {
    this.gone = true;
    this.labels.destroy();
    this.pointer.destroy();
    this.map.remove();
  }
}
