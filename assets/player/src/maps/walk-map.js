// @ts-check
// What both maps share, on Leaflet's canvas: paths, what the agent saw and chose, fitting, pointing, layers.
//
// What stays and what a step changes lie on canvases of their own, so that a step paints a few shapes only. Streets
// (street-map.js) and floor plans (floor-map.js) add their ground and what else they know.
import { el, iconButton } from "../dom.js";
import { showCone } from "./cone.js";
import { endMap } from "./ending.js";
import { drawEnds, endTags, restyleEnds, seenTagsOf } from "./ends.js";
import { Ghosts } from "./ghosts.js";
import { lightUp } from "./highlight.js";
import { Labels } from "./label-view.js";
import { Layers } from "./layers.js";
import { Legend } from "./legend.js";
import { allEntries, layersOf, shownEntries } from "./legend-entries.js";
import { drawPaths, moveTags, placeOthers } from "./paths.js";
import { Pointer } from "./pointer.js";
import { drawProof, proofTags } from "./proof.js";
import { sameGround } from "./same-ground.js";
import { makeGroups, makeSheets } from "./sheets.js";
import { Agent } from "./signs.js";
import { drawStep } from "./step-view.js";
import { closeUpOf, Framing, fitRoute, followStep, goTo, wantedSpots } from "./viewport.js";
import { WalkPlaces } from "./walk-places.js";

/** @typedef {import("../document").ReplayDocument} ReplayDocument */
/** @typedef {import("../document").StepEntry} StepEntry */
/** @typedef {import("../types").Spot} Spot */
/** @typedef {number | string} NodeRef */
/** @typedef {import("./sheets.js").Sheet} Sheet */
/** @typedef {import("./sheets.js").GroupName} GroupName */

/** How far one sees around a fork, in metres. */
const NEAR_M = 60;

export class WalkMap extends WalkPlaces {
  /**
   * @param {HTMLElement} container
   * @param {ReplayDocument} doc
   * @param {import("../types").MapApi} api
   * @param {L.MapOptions} options
   */
  constructor(container, doc, api, options) {
    super(doc, api);
    this.box = container;
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
    this.sheets = makeSheets(this.map);
    this.framing = new Framing(this.map, this.sheets);
    this.groups = makeGroups(this.map);
    /** @type {import("./ends.js").Ends} */
    this.ends = { start: null, stop: null, stopNode: undefined };
    this.agent = new Agent();
    this.coneShape = L.polygon([]);
    this.tools = el("div", { class: "nv-tools" }, this.makeTools());
    this.plan.append(this.credit, this.legend.box, this.tools, this.layers.list);
    L.control.scale({ imperial: false, position: "bottomright", maxWidth: 90 }).addTo(this.map);
    this.labels = new Labels(this);
    this.pointer = new Pointer(this);
    this.whatIf = new Ghosts(this);
    this.map.setView(this.spotAt(0) ?? [0, 0], 1, { animate: false });
    this.listen();
  }

  listen() {
    this.map.on("dragstart", () => this.take());
    for (const event of ["wheel", "dblclick"])
      this.canvas.addEventListener(event, () => this.take(), { passive: true });
    this.map.on("zoomend", () => this.restyle());
    this.map.on("moveend", () => {
      if (this.gone) return; // Leaflet tells of the window's new size after 200 ms, whatever has become of the map
      this.clearGoal();
      this.labels.moved();
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

  // --- fitting

  /** All that a fitted map must show. @returns {Spot[]} */
  wanted() {
    return wantedSpots(this);
  }

  /** Boxes of what lies over the map. */
  furniture() {
    return {
      tools: this.boxOf(this.tools),
      legend: this.legend.room(allEntries(this)),
      credit: this.boxOf(this.credit),
    };
  }

  /** The box of an element on the map; undefined where it does not lie over it. @param {Element | null} node @returns {import("../types").Box | undefined} */
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
    fitRoute(this, animate);
  }

  /** The zoom beyond which a short route is not enlarged. */
  closest() {
    return 18.5;
  }

  resize() {
    if (this.gone) return; // the observer reports once more after another walk's player came
    this.map.invalidateSize({ animate: false, pan: false });
    this.labels.forget();
    if (!this.moved) this.fit(false);
    this.labels.tags();
    this.labels.soon();
  }

  /** Set the names of places now, not when the cursor rests: for who takes a picture. */
  settle() {
    this.labels.tags();
    this.labels.names();
  }

  // --- what does not move

  /** Show the ground for the first time; `showStep` follows. The canvases are made where the map will stand, and drawn once. */
  begin() {
    this.drawCredit();
    this.fit(false);
    this.drawGroundAndWays();
  }

  draw() {
    this.drawGroundAndWays();
    this.whatIf.draw();
    this.paint();
  }

  drawGroundAndWays() {
    for (const group of Object.values(this.groups)) group.clearLayers();
    this.drawGround();
    this.drawWays();
    this.drawCredit();
    this.restyle();
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
    const { shown, away } = this.partsHere(lines);
    if (shown.length) this.add(L.polyline(shown, this.on(sheet, style)), group);
    const faint = 0.16 * (style.opacity ?? 1);
    if (away.length) this.add(L.polyline(away, this.on(sheet, { ...style, opacity: faint })), group);
  }

  // --- legend and layers

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
    const drawn = drawStep(this, doc.steps[step - 1]);
    drawProof(this);
    this.legend.show(shownEntries(this, drawn));
    placeOthers(this);
    this.placeAgent();
    restyleEnds(this);
    this.clearGoal(); // it measures: after all that is written, so that the page is laid out once
    this.follow(doc.steps[step - 1]);
    if (this.lit.length) this.highlight(this.lit);
    this.labels.tags();
    this.labels.soon();
  }

  placeAgent() {
    const node = this.standing;
    this.agent.place(this.map, this.spotAt(node), this.heading(), !this.here(node));
  }

  /** Bring the step into view where it is not. @param {StepEntry | undefined} now */
  follow(now) {
    followStep(this, now);
  }

  // --- labels

  /** Labels of ends and step, the most important first. @returns {import("./label-view.js").Tag[]} */
  tags() {
    return [...this.whatIf.tags(), ...endTags(this), ...moveTags(this), ...proofTags(this), ...this.seenTags()];
  }

  /** Names of places, the most important first. @returns {Iterable<import("./label-view.js").Tag>} */
  names() {
    return [];
  }

  /** How many names the map may hold: fewer for those who sit far away. */
  nameRoom() {
    return this.box.closest(".nv-present") ? 26 : 40;
  }

  seenTags() {
    return this.layers.shows("pois") ? seenTagsOf(this) : [];
  }

  // --- pointing

  /** POIs that can be pointed at. @returns {{name: string, at: number[], kind?: string, distance_m?: number}[]} */
  shownPois() {
    return [...(this.layers.shows("pois") ? this.doc.pois : []), ...this.seen()];
  }

  /** @param {string[]} refs */
  highlight(refs) {
    this.lit = refs;
    lightUp(this, refs);
  }

  /** @param {string} _ref @param {number[]} _at */
  refHere(_ref, _at) {
    return true;
  }

  /** @param {string} ref */
  panTo(ref) {
    const { at } = this.api.resolve(ref, this.step);
    if (!at.length) return;
    this.take();
    goTo(this, at);
    this.highlight([ref]);
  }

  /** Show the surroundings of a position, and what lies near it. @param {number[]} at @param {number[][]} [others] */
  closeUp(at, others = []) {
    this.take();
    closeUpOf(this, at, others);
  }

  /** The box that shows a fork: 60 m to each side. @param {Spot} spot @returns {L.LatLngBounds} */
  around(spot) {
    return L.latLng(spot).toBounds(2 * NEAR_M);
  }

  /** A zoom at which one sees a place's surroundings. */
  nearZoom() {
    return 17.5;
  }

  /** What the tip says of a node. @param {number} _node @returns {(string | Node)[]} */
  nodeFacts(_node) {
    return [];
  }

  /** @param {import("./cone.js").LookFrom | null} look */
  cone(look) {
    showCone(this, look);
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

  /** Take a newer document; the step, which measures what stands on the page, is painted by `showStep` after it.
   *  @param {ReplayDocument} doc */
  update(doc) {
    const from = this.doc;
    const elsewhere = doc.episode.id !== from.episode.id || doc.world !== from.world;
    this.turnTo(doc);
    this.adopt();
    if (!elsewhere && sameGround(from, doc)) this.drawWays();
    else this.drawGroundAndWays();
    if (elsewhere || !this.moved) this.fit(false);
  }

  /** What a newer document needs to be known before it is drawn. */
  adopt() {}

  /** Everything but the ground. */
  drawWays() {
    this.groups.paths.clearLayers();
    this.groups.ends.clearLayers();
    drawPaths(this);
    this.ends = drawEnds(this);
    this.layers.offer(layersOf(this.doc));
  }

  setTheme() {
    this.draw();
  }

  destroy() {
    this.gone = true;
    this.labels.destroy();
    this.pointer.destroy();
    endMap(this.map);
  }
}
