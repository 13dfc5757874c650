// @ts-check
// Choosing a start and a goal: the graph around a place on Leaflet's canvas, a click takes the nearest node.
import { el } from "./dom.js";
import { endMap } from "./maps/ending.js";
import { Colors, pageTheme } from "./shell/theme.js";

/** @typedef {import("./types").Spot} Spot */
/** @typedef {{frame: "geo" | "metric", around: number | null, ids: string[], at: Spot[], links: [number, number][], bends: [number, Spot[]][], pois: {at: Spot, name: string}[], start: number | null, goal: number | null, rooms: {name: string, outline: Spot[]}[], stairs: number[], picture?: {url: string, corners: [Spot, Spot]}, more: [number, number][], several: boolean, route: Spot[][], attribution?: string | null}} PickDocument */
/** @typedef {{mode: "start" | "goal" | "again", height: number, words?: string | null, onPick: (index: number) => void}} PickOptions */

/** @type {Record<PickOptions["mode"], string>} */
const WORDS = { start: "Click where the walk starts", goal: "Click the goal", again: "Click to choose a new start" };

/** A click farther than this from every node takes none, in pixels. */
const REACH_PX = 120;
/** Maps of fewer nodes are shown whole. */
const WHOLE_BELOW = 3000;

/** Where an arrow key points, on the screen. @type {Record<string, [number, number]>} */
const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
/** Cosine of the widest angle between an arrow and a node that it leads to. */
const TOWARDS = 0.4;

export class Pick {
  /**
   * @param {HTMLElement} root
   * @param {PickDocument} doc
   * @param {PickOptions} options
   */
  static mount(root, doc, options) {
    return new Pick(root, doc, options);
  }

  /**
   * @param {HTMLElement} root
   * @param {PickDocument} doc
   * @param {PickOptions} options
   */
  constructor(root, doc, options) {
    this.root = root;
    this.doc = doc;
    this.options = options;
    this.colors = new Colors(root);
    root.classList.add("navviz-pick");
    this.box = el("div", {
      class: "nv-pick-map",
      role: "application",
      "aria-label": "Map: click, or move with the arrow keys and press Enter, to choose a start and a goal",
    });
    this.tip = el("div", { class: "nv-pick-tip", role: "status" });
    /** The node that the arrow keys stand on. @type {number | null} */
    this.cursor = null;
    /** Nodes linked to each node. @type {Map<number, number[]> | null} */
    this.neighbours = null;
    this.credit = el("div", { class: "nv-pick-credit" });
    root.append(this.box, this.tip, this.credit);
    const limits =
      doc.frame === "geo"
        ? { crs: L.CRS.EPSG3857, minZoom: 11, maxZoom: 20 }
        : { crs: L.CRS.Simple, minZoom: -2, maxZoom: 8 };
    this.map = L.map(this.box, {
      zoomControl: true,
      attributionControl: false,
      preferCanvas: true,
      keyboard: false, // arrows go from node to node
      zoomSnap: 0.25,
      ...limits,
    });
    this.ground = L.layerGroup().addTo(this.map);
    this.marks = L.layerGroup().addTo(this.map);
    this.map.on("click", (event) => {
      const node = this.nearest(event.containerPoint);
      if (node !== null) this.options.onPick(node);
    });
    this.map.on("mousemove", (event) => this.hover(this.nearest(event.containerPoint)));
    this.map.on("mouseout", () => this.hover(this.cursor));
    this.box.tabIndex = 0;
    this.box.addEventListener("keydown", (event) => this.keyed(event));
    this.sized = new ResizeObserver(() => this.map.invalidateSize({ animate: false }));
    this.sized.observe(root);
    this.show(true);
    this.map.setView(doc.at[doc.around ?? 0] ?? [0, 0], doc.frame === "geo" ? 16 : 4);
    if (doc.frame !== "geo" || doc.ids.length < WHOLE_BELOW) this.map.fitBounds(this.extent());
  }

  /** Corners of all nodes and rooms, with room around them. */
  extent() {
    const { at, rooms } = this.doc;
    return L.latLngBounds([...at, ...rooms.flatMap((room) => room.outline)]).pad(0.03);
  }

  /**
   * @param {PickDocument} doc
   * @param {PickOptions} options
   */
  update(doc, options) {
    const same = this.doc.ids.length === doc.ids.length && this.doc.ids[0] === doc.ids[0];
    if (!same) this.cursor = this.neighbours = null;
    this.doc = doc;
    this.options = options;
    this.show(!same);
    // another floor of a house may be larger
    if (!same && doc.frame !== "geo") this.map.fitBounds(this.extent(), { animate: false });
  }

  /** @param {boolean} ground  whether the ground is new too */
  show(ground) {
    const theme = pageTheme(this.root);
    const turned = this.root.dataset.theme !== theme;
    this.root.dataset.theme = theme;
    this.root.style.height = `${this.options.height}px`;
    if (ground || turned) this.drawGround();
    this.drawMarks();
    this.tip.textContent = this.options.words ?? WORDS[this.options.mode];
    this.credit.textContent = this.doc.attribution ?? "";
  }

  drawGround() {
    const { doc, colors } = this;
    this.ground.clearLayers();
    this.box.style.background = colors.get("ground");
    const bends = new Map(doc.bends);
    const lines = doc.links.map(([a, b], k) => [doc.at[a], ...(bends.get(k) ?? []), doc.at[b]]);
    const look = { interactive: false, smoothFactor: 0 };
    if (doc.picture) L.imageOverlay(doc.picture.url, doc.picture.corners, { interactive: false }).addTo(this.ground);
    for (const room of doc.rooms) this.drawRoom(room);
    if (doc.frame === "geo") {
      L.polyline(lines, { ...look, color: colors.get("street-edge"), weight: 6 }).addTo(this.ground);
      L.polyline(lines, { ...look, color: colors.get("street"), weight: 4 }).addTo(this.ground);
    } else {
      // viewpoints, not ways, are what one clicks in a house
      L.polyline(lines, { ...look, color: colors.get("poi"), weight: 1, opacity: 0.7 }).addTo(this.ground);
      const dot = { radius: 4, stroke: false, fillColor: colors.get("poi"), fillOpacity: 1, interactive: false };
      for (const at of doc.at) L.circleMarker(at, dot).addTo(this.ground);
    }
    for (const node of doc.stairs) {
      const foot = L.circleMarker(doc.at[node], {
        radius: 5,
        color: colors.get("poi"),
        weight: 1.5,
        fillColor: colors.get("ground"),
      });
      foot.bindTooltip(el("span", { text: "to another floor" })).addTo(this.ground);
    }
    for (const poi of doc.pois) {
      const dot = L.circleMarker(poi.at, { radius: 3, stroke: false, fillColor: colors.get("poi"), fillOpacity: 0.9 });
      dot.bindTooltip(el("span", { text: poi.name })).addTo(this.ground);
    }
  }

  /** @param {{name: string, outline: Spot[]}} room */
  drawRoom({ name, outline }) {
    const { colors } = this;
    const shape = L.polygon(outline, {
      color: colors.get("poi"),
      weight: 1.5,
      fillColor: colors.get("street"),
      // over a picture of the floor a room is its outline and its name
      fillOpacity: this.doc.picture ? 0 : 0.35,
      interactive: false,
    }).addTo(this.ground);
    if (!name) return;
    // at the upper wall: viewpoints stand in the middle of rooms
    const bounds = shape.getBounds();
    const text = el("span", { class: "nv-pick-room", text: name });
    const icon = L.divIcon({ html: text, className: "nv-pick-name", iconSize: [0, 0] });
    L.marker([bounds.getNorth(), bounds.getCenter().lng], { icon, interactive: false, keyboard: false }).addTo(
      this.ground,
    );
  }

  drawMarks() {
    const { doc, colors } = this;
    this.marks.clearLayers();
    this.hover(this.cursor);
    if (doc.route.length)
      L.polyline(doc.route, { color: colors.get("reference"), weight: 5, dashArray: "9 7", interactive: false }).addTo(
        this.marks,
      );
    this.mark(doc.start, "Start", {
      color: colors.get("ink"),
      weight: 3,
      fillColor: colors.get("ground"),
      fillOpacity: 1,
    });
    const goal = { color: colors.get("reference"), weight: 4, fillColor: colors.get("reference"), fillOpacity: 0.5 };
    this.mark(doc.goal, doc.several ? "1" : "Goal", goal);
    for (const [number, node] of doc.more) this.mark(node, String(number), goal);
  }

  /**
   * @param {number | null} node
   * @param {string} name
   * @param {L.PathOptions} look
   */
  mark(node, name, look) {
    if (node === null) return;
    const disc = L.circleMarker(this.doc.at[node], { ...look, radius: 8, interactive: false });
    disc.bindTooltip(name, { permanent: true, direction: "right" }).addTo(this.marks);
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    const way = WAYS[event.key];
    const takes = event.key === "Enter" || event.key === " ";
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (way) this.go(way);
    else if (takes && this.cursor !== null) this.options.onPick(this.cursor);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Go along an arrow: over a link where one leads there, else to the nearest node. @param {[number, number]} way */
  go(way) {
    const { doc, map } = this;
    const last = doc.more.at(-1)?.[1] ?? doc.goal ?? doc.start ?? doc.around ?? 0;
    const here = this.cursor ?? last;
    if (this.cursor !== null) {
      const linked = this.towards(here, way, this.links().get(here) ?? []);
      this.cursor = linked ?? this.towards(here, way, doc.at.keys()) ?? here;
    } else this.cursor = last;
    this.hover(this.cursor);
    if (doc.at[this.cursor]) map.panInside(doc.at[this.cursor], { padding: [60, 60], animate: false });
  }

  /**
   * The node that an arrow leads to: the straighter the better among links, the nearer the better among all.
   * @param {number} here
   * @param {[number, number]} way
   * @param {Iterable<number>} nodes
   */
  towards(here, [x, y], nodes) {
    const from = this.map.latLngToContainerPoint(this.doc.at[here]);
    let best = null;
    let least = Number.POSITIVE_INFINITY;
    for (const node of nodes) {
      const to = this.map.latLngToContainerPoint(this.doc.at[node]);
      const far = to.distanceTo(from);
      const straight = far ? ((to.x - from.x) * x + (to.y - from.y) * y) / far : 0;
      if (straight < TOWARDS) continue;
      const cost = Array.isArray(nodes) ? -straight : far / straight;
      if (cost < least) {
        least = cost;
        best = node;
      }
    }
    return best;
  }

  links() {
    if (this.neighbours) return this.neighbours;
    /** @type {Map<number, number[]>} */
    const neighbours = new Map();
    const add = (/** @type {number} */ a, /** @type {number} */ b) =>
      neighbours.set(a, [...(neighbours.get(a) ?? []), b]);
    for (const [a, b] of this.doc.links) {
      add(a, b);
      add(b, a);
    }
    this.neighbours = neighbours;
    return neighbours;
  }

  /** @param {L.Point} point */
  nearest(point) {
    let best = null;
    let least = REACH_PX;
    this.doc.at.forEach((at, i) => {
      const d = this.map.latLngToContainerPoint(at).distanceTo(point);
      if (d < least) {
        least = d;
        best = i;
      }
    });
    return best;
  }

  /** @param {number | null} node */
  hover(node) {
    this.lit?.remove();
    this.lit =
      node === null
        ? null
        : L.circleMarker(this.doc.at[node], {
            radius: 7,
            color: this.colors.get("lit"),
            weight: 3,
            fill: false,
            interactive: false,
          }).addTo(this.map);
  }

  destroy() {
    this.sized.disconnect();
    endMap(this.map);
    this.root.replaceChildren();
  }
}
