// @ts-check
// The indoor map: a floor plan with a floor switch, drawn from the viewpoint graph, and the 3-D scene beside it.
// Positions are metres: x to the right, y up.
import { el, iconButton, keepFocus } from "../dom.js";
import { keep, recall } from "../shell/memory.js";
import { metres } from "../text/figures.js";
import { bearing, turn } from "./angles.js";
import { endTags } from "./ends.js";
import { drawHouse } from "./floor-ground.js";
import { drawSectors, placed, sectorsOf, seesAround } from "./floor-step.js";
import { angleWords, awayTags, candidateTags, objectNames, roomTags, stairTags } from "./floor-tags.js";
import { Heights } from "./heights.js";
import { moveTags } from "./paths.js";
import { HouseScene } from "./scene.js";
import { WalkMap } from "./walk-map.js";

/** @typedef {import("../document").ReplayDocument} ReplayDocument */
/** @typedef {import("../document").StepEntry} StepEntry */
/** @typedef {import("../document").CandidateEntry} CandidateEntry */
/** @typedef {import("../types").Spot} Spot */
/** @typedef {"plan" | "both" | "scene"} Mode */

/** Which of plan and scene a user chose last. */
const SHOWN = "house";
/** Room around the episode's way: a share of its length or width, in metres at least and at most. */
const MARGIN = 0.12;
const [LEAST_M, MOST_M] = [0.8, 2.5];
/** A place so far below a floor's level, in metres, is not on that floor. */
const BELOW_M = 0.6;

/** @type {import("../document").House} */
const NO_HOUSE = {
  floors: [{ name: "Floor 1", level_m: 0 }],
  floor_of: [],
  stairs: [],
  rooms: [],
  doors: [],
  outlines: [],
  pictures: [],
};

/** How far one sees around a fork, in metres. */
const NEAR_M = 6;

export class FloorMap extends WalkMap {
  /**
   * @param {HTMLElement} container
   * @param {ReplayDocument} doc
   * @param {import("../types").MapApi} api
   */
  constructor(container, doc, api) {
    super(container, doc, api, { crs: L.CRS.Simple, zoomSnap: 0, zoomDelta: 0.5, minZoom: -5, maxZoom: 8.6 });
    this.plan.classList.add("nv-floorplan");
    this.solid = el("div", { class: "nv-scene" });
    container.classList.add("nv-indoor");
    this.floorBox = el("div", { class: "nv-floors", role: "group", "aria-label": "Floors" });
    this.plan.append(this.floorBox);
    container.append(this.solid, this.tools, this.layers.list);
    this.heights = new Heights(container, doc);
    /** @type {HouseScene | null} */
    this.scene = null;
    /** @type {HTMLElement[]} */
    this.floorButtons = [];
    this.house = NO_HOUSE;
    /** @type {Set<number>} */
    this.stairs = new Set();
    /** Links to other floors. @type {{spot: Spot, up: boolean, floor: number}[]} */
    this.ways = [];
    this.floor = 0;
    this.adopt();
    this.floor = this.floorOf(doc.episode.start) ?? 0;
    this.markFloor();
    /** @type {Mode} */
    this.mode = "plan";
    // the plan first: a scene is drawn for seconds where there is no graphics card
    const wished = recall(SHOWN);
    if (HouseScene.possible(this.api) && (wished === "both" || wished === "scene")) this.setMode(wished);
    else this.setMode("plan");
    this.begin();
  }

  /** @override */
  adopt() {
    this.house = this.doc.indoor ?? NO_HOUSE;
    this.stairs = new Set(this.house.stairs);
    this.heights?.update(this.doc);
    this.makeFloors();
  }

  // --- places

  /** @override @param {number[]} at @returns {Spot} */
  spot(at) {
    return [at[1], at[0]];
  }

  /** @override @param {number} node @returns {Spot} */
  spotOf(node) {
    const { at } = this.doc.nodes;
    return [at[3 * node + 1], at[3 * node]];
  }

  /** A node's position in metres: x, y, z. @param {number} node */
  metresOf(node) {
    return this.doc.nodes.at.slice(3 * node, 3 * node + 3);
  }

  /** @param {number | string | undefined} node */
  floorOf(node) {
    return typeof node === "number" ? (this.house.floor_of[node] ?? 0) : null;
  }

  /** The floor of any place, by its height above the floors' levels. @param {number[]} at */
  floorAt(at) {
    const gaps = this.house.floors.map(({ level_m }) => {
      const above = at[2] - level_m;
      return above > -BELOW_M ? above : 100 - above;
    });
    return gaps.indexOf(Math.min(...gaps));
  }

  /** @override @param {number | string | undefined} node */
  here(node) {
    return this.floorOf(node) === this.floor;
  }

  /** @override @param {number[]} at */
  placeHere(at) {
    return this.floorAt(at) === this.floor;
  }

  /** @override @param {string} ref @param {number[]} at */
  refHere(ref, at) {
    return ref.startsWith("n:") ? this.here(Number(ref.slice(2))) : this.placeHere(at);
  }

  /** Pixels a metre. */
  get scale() {
    return 2 ** this.map.getZoom();
  }

  // --- floors

  makeFloors() {
    const { floors } = this.house;
    this.floorBox.hidden = floors.length < 2;
    this.floorButtons = floors.map(({ name, level_m }, i) => {
      const on = { mousedown: keepFocus, click: () => this.setFloor(i) };
      return el("button", {
        type: "button",
        class: "nv-floor",
        data: { floor: i },
        text: name,
        title: `${name}, ${metres(level_m)}`,
        on,
      });
    });
    this.floorBox.replaceChildren(...[...this.floorButtons].reverse());
    this.markFloor();
  }

  /** @param {number | null} floor */
  setFloor(floor) {
    if (floor === null) return;
    this.floor = Math.max(0, Math.min(this.house.floors.length - 1, floor));
    this.markFloor();
    this.draw();
  }

  markFloor() {
    this.plan.dataset.floor = String(this.floor);
    for (const [i, button] of this.floorButtons.entries())
      button.setAttribute("aria-pressed", String(i === this.floor));
  }

  // --- plan, scene or both

  /** @param {Mode} mode */
  setMode(mode) {
    this.mode = mode;
    this.box.dataset.mode = mode;
    for (const [name, button] of Object.entries(this.modeButtons ?? {}))
      button.classList.toggle("nv-on", name === mode);
    this.scene?.turn(mode !== "plan");
    if (mode === "plan" || this.scene) return;
    this.scene = new HouseScene(this.solid, this.doc, this.api, (ref) => this.pointAt(ref));
    this.scene.start(this.step);
  }

  /** @override */
  makeTools() {
    const mode = (/** @type {Mode} */ name, /** @type {string} */ title) => {
      const press = () => {
        this.setMode(name);
        keep(SHOWN, name);
        this.resize();
      };
      return iconButton(name, title, press, { tool: name });
    };
    this.modeButtons = {
      plan: mode("plan", "Floor plan"),
      both: mode("both", "Plan and 3-D scene"),
      scene: mode("scene", "3-D scene"),
    };
    return [...super.makeTools(), ...(HouseScene.possible(this.api) ? Object.values(this.modeButtons) : [])];
  }

  // --- fitting

  /** The episode's way with room around it, but not more than the house. @override @returns {Spot[]} */
  wanted() {
    const way = super.wanted();
    const rooms = this.house.rooms.flatMap(
      ({ box_m: [west, south, east, north] }) =>
        /** @type {Spot[]} */ ([
          [south, west],
          [north, east],
        ]),
    );
    const house = L.latLngBounds([...this.line(this.doc.nodes.ids.map((_, i) => i)), ...rooms]);
    const near = L.latLngBounds(way);
    const clip = (/** @type {number} */ value, /** @type {number} */ low, /** @type {number} */ high) =>
      Math.max(low, Math.min(high, value));
    const wide = Math.max(near.getNorth() - near.getSouth(), near.getEast() - near.getWest());
    const margin = clip(MARGIN * wide, LEAST_M, MOST_M);
    const [south, west, north, east] = [house.getSouth(), house.getWest(), house.getNorth(), house.getEast()];
    return [
      [clip(near.getSouth() - margin, south, north), clip(near.getWest() - margin, west, east)],
      [clip(near.getNorth() + margin, south, north), clip(near.getEast() + margin, west, east)],
    ];
  }

  /** @override */
  furniture() {
    return { ...super.furniture(), floors: this.boxOf(this.floorBox) };
  }

  /** @override */
  closest() {
    return Math.log2(110);
  }

  /** @override */
  nearZoom() {
    return Math.log2(45);
  }

  /** @override */
  resize() {
    super.resize();
    this.scene?.resize();
  }

  // --- drawing

  /** @override */
  drawGround() {
    this.scaled = drawHouse(this);
  }

  /** @override */
  restyle() {
    for (const { layer, width_m, least } of this.scaled ?? [])
      layer.setStyle({ weight: Math.max(least, width_m * this.scale) });
  }

  /** @override @param {StepEntry} now */
  drawAround(now) {
    const heading = this.heading();
    if (typeof now.node === "number" && this.here(now.node) && heading !== undefined && seesAround(now))
      drawSectors(this, now.node, heading, sectorsOf(now));
  }

  /** @override @param {number} step */
  showStep(step) {
    this.step = step;
    this.plan.dataset.node = String(this.standing ?? "");
    this.scene?.showStep(step);
    this.heights.showStep(step);
    const floor = this.floorOf(this.standing);
    if (floor !== null && floor !== this.floor) this.setFloor(floor);
    else this.paint();
  }

  /** What the agent was shown near it, where its angle and distance put it. @override */
  seen() {
    const now = this.doc.steps[this.step - 1];
    return now ? placed(this, now, this.heading()) : [];
  }

  /** The viewpoints one can go to: those that the agent was offered, else those that are linked. @override @param {StepEntry} now @returns {CandidateEntry[]} */
  candidates(now) {
    const offered = super.candidates(now);
    if (offered.length || typeof now.node !== "number") return offered;
    const at = this.metresOf(now.node);
    const heading = this.heading();
    return [...(this.near.get(now.node) ?? [])].map((node) => {
      const there = this.metresOf(node);
      const angle = heading === undefined ? {} : { angle_deg: turn(bearing(at, there) - heading) };
      const state = node === now.decision?.target ? "chosen" : "offered";
      return { node, state, distance_m: Math.hypot(...there.map((v, i) => v - at[i])), ...angle };
    });
  }

  /** @override */
  offeredWord() {
    return "navigable";
  }

  // --- labels

  /** @override */
  tags() {
    // a room's name has the whole room to give way; start, goal and agent have four sides
    return [
      ...endTags(this),
      ...moveTags(this),
      ...moveTags(this),
      ...awayTags(this),
      ...roomTags(this),
      ...candidateTags(this),
      ...this.seenTags(),
      ...stairTags(this),
    ];
  }

  /** @override */
  seenTags() {
    return super.seenTags().map((tag) => ({ ...tag, text: tag.text.replace(/_\d+$/, "") }));
  }

  /** @override @returns {Iterable<import("./label-view.js").Tag>} */
  names() {
    return objectNames(this);
  }

  // --- pointing

  /** @override @param {string[]} refs */
  highlight(refs) {
    super.highlight(refs);
    this.plan.dataset.lit = refs.join(" ");
    this.scene?.highlight(refs.flatMap((ref) => this.api.resolve(ref, this.step).at));
  }

  /** @override @param {import("../types").Spot} spot @returns {L.LatLngBounds} */
  around(spot) {
    const [y, x] = spot;
    return L.latLngBounds([y - NEAR_M, x - NEAR_M], [y + NEAR_M, x + NEAR_M]);
  }

  /** @override @param {string} ref */
  panTo(ref) {
    const [at] = this.api.resolve(ref, this.step).at;
    if (!at) return;
    const floor = ref.startsWith("n:") ? this.floorOf(Number(ref.slice(2))) : this.floorAt(at);
    if (floor !== this.floor) this.setFloor(floor);
    super.panTo(ref);
  }

  /** The mouse is over a node of the scene. @param {string | null} ref */
  pointAt(ref) {
    this.api.hover(ref ? [ref] : []);
    this.highlight(ref ? [ref] : []);
  }

  /** @override @param {number} node */
  nodeFacts(node) {
    const now = this.doc.steps[this.step - 1];
    const item = now ? this.candidates(now).find((other) => other.node === node) : undefined;
    const floor = this.house.floors[this.floorOf(node) ?? 0];
    return [this.stairs.has(node) ? "on the stairs" : (floor?.name ?? ""), item ? angleWords(this, item) : ""];
  }

  // --- life

  /** @override @param {ReplayDocument} doc */
  update(doc) {
    super.update(doc);
    this.scene?.update(doc);
  }

  /** @override */
  setTheme() {
    super.setTheme();
    this.scene?.redraw();
  }

  /** @override */
  destroy() {
    this.scene?.destroy();
    super.destroy();
  }
}
