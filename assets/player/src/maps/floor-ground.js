// @ts-check
// One floor of a house: its rooms and doors where somebody drew them, else the ground that the links span; links, stairs.

/** @typedef {import("./floor-map.js").FloorMap} FloorMap */
/** @typedef {import("../types").Spot} Spot */
/** @typedef {{layer: L.Path, width_m: number, least: number}} Scaled  a line whose width follows the zoom */

const WALL_M = 0.1;
const DOOR_M = 0.16;
const HALF_DOOR_M = 0.45;
/** Without rooms, the ground is this wide around links and viewpoints. */
const GROUND_M = 1.7;
const STEP_M = 0.28;
const HALF_STAIR_M = 0.32;

/**
 * @param {FloorMap} view
 * @returns {Scaled[]}
 */
export function drawHouse(view) {
  const picture = drawPicture(view);
  if (!picture) drawOutlines(view);
  const scaled = picture ? [] : view.house.rooms.length ? drawRooms(view) : drawGround(view);
  drawLinks(view);
  drawNodes(view);
  drawObjects(view);
  return scaled;
}

/** The picture of the floor, if there is one: it shows rooms and walls better than a drawing. @param {FloorMap} view */
function drawPicture(view) {
  const picture = view.house.pictures.find(({ floor }) => floor === view.floor);
  view.plan.dataset.picture = picture?.source ?? "";
  if (!picture) return false;
  const [west, south, east, north] = picture.box_m;
  /** @type {L.LatLngBoundsLiteral} */
  const box = [
    [south, west],
    [north, east],
  ];
  // below all canvases: tiles, which lie there outdoors, are never drawn indoors
  const look = { pane: "tilePane", interactive: false, className: "nv-floor-picture" };
  view.add(L.imageOverlay(picture.url, box, look), "ground");
  return true;
}

/** Regions of a scene without walls: the hulls of what is in them. @param {FloorMap} view */
function drawOutlines(view) {
  const { color } = view.api;
  for (const { floor, outline_m } of view.house.outlines) {
    if (floor !== view.floor) continue;
    const ring = outline_m.map(([x, y]) => /** @type {Spot} */ ([y, x]));
    const look = {
      color: color("mute"),
      weight: 1,
      opacity: 0.6,
      dashArray: "2 3",
      fillColor: color("paper"),
      fillOpacity: 0.8,
    };
    view.add(L.polygon(ring, view.on("ground", look)), "ground");
  }
}

/** @param {FloorMap} view @returns {Scaled[]} */
function drawRooms(view) {
  const { color } = view.api;
  /** @type {Scaled[]} */
  const scaled = [];
  const here = view.house.rooms.filter((room) => room.floor === view.floor);
  for (const room of here) {
    const look = view.on("ground", {
      color: color("mute"),
      weight: 1.5,
      fillColor: color("paper"),
      fillOpacity: 1,
      lineJoin: "miter",
    });
    scaled.push({
      layer: view.add(
        L.polygon(
          cornersOf(room).map(([x, y]) => /** @type {Spot} */ ([y, x])),
          look,
        ),
        "ground",
      ),
      width_m: WALL_M,
      least: 1.5,
    });
  }
  for (const {
    at_m: [x, y],
  } of view.house.doors.filter((door) => door.floor === view.floor)) {
    const upright = here.some(({ box_m: [west, , east] }) => Math.abs(west - x) < 0.01 || Math.abs(east - x) < 0.01);
    const [dx, dy] = upright ? [0, HALF_DOOR_M] : [HALF_DOOR_M, 0];
    const look = view.on("ground", { color: color("paper"), lineCap: "butt" });
    scaled.push({
      layer: view.add(
        L.polyline(
          [
            [y - dy, x - dx],
            [y + dy, x + dx],
          ],
          look,
        ),
        "ground",
      ),
      width_m: DOOR_M,
      least: 3,
    });
  }
  return scaled;
}

/** Corners of a room, (x, y) in metres. @param {import("../document").Room} room @returns {number[][]} */
function cornersOf({ outline_m: outline, box_m: [west, south, east, north] }) {
  return (
    outline ?? [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
    ]
  );
}

/** @param {FloorMap} view @returns {Scaled[]} */
function drawGround(view) {
  const { links } = view.doc;
  /** @type {Spot[][]} */
  const lines = [];
  for (let i = 0; i < links.length; i += 2) {
    if (view.here(links[i]) && view.here(links[i + 1])) lines.push(view.way([links[i], links[i + 1]]));
  }
  const tint = view.api.color("street");
  const disc = view.on("ground", { stroke: false, fillColor: tint, fillOpacity: 1 });
  for (const node of nodesHere(view))
    view.add(L.circle(view.spotOf(node), { ...disc, radius: GROUND_M / 2 }), "ground");
  if (!lines.length) return [];
  const ground = view.add(L.polyline(lines, view.on("ground", { color: tint, smoothFactor: 0 })), "ground");
  return [{ layer: ground, width_m: GROUND_M, least: 4 }];
}

/** @param {FloorMap} view */
const nodesHere = (view) => view.doc.nodes.ids.map((_, i) => i).filter((node) => view.here(node));

/** @param {FloorMap} view */
function drawLinks(view) {
  const { links } = view.doc;
  const tint = view.api.color("node");
  /** @type {Spot[][]} */
  const lines = [];
  /** @type {{spot: Spot, up: boolean, floor: number}[]} */
  const ways = [];
  for (let i = 0; i < links.length; i += 2) {
    const [a, b] = [links[i], links[i + 1]];
    if (view.here(a) && view.here(b)) lines.push(view.way([a, b]));
    else if (view.here(a)) ways.push(drawStairs(view, a, b));
    else if (view.here(b)) ways.push(drawStairs(view, b, a));
  }
  view.add(L.polyline(lines, view.on("ground", { color: tint, weight: 1.1 })), "ground");
  view.ways = ways;
}

/**
 * A link to another floor: steps drawn across it.
 * @param {FloorMap} view
 * @param {number} here
 * @param {number} there
 */
function drawStairs(view, here, there) {
  const { color } = view.api;
  const [p, q] = [view.metresOf(here), view.metresOf(there)];
  const length = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1;
  const [dx, dy] = [(q[0] - p[0]) / length, (q[1] - p[1]) / length];
  /** @type {Spot[][]} */
  const steps = [];
  for (let s = STEP_M; s < length; s += STEP_M) {
    const [x, y] = [p[0] + dx * s, p[1] + dy * s];
    steps.push([
      [y + dx * HALF_STAIR_M, x - dy * HALF_STAIR_M],
      [y - dx * HALF_STAIR_M, x + dy * HALF_STAIR_M],
    ]);
  }
  view.add(
    L.polyline([view.line([here, there])], view.on("ground", { color: color("node"), weight: 1.1, dashArray: "3 3" })),
    "ground",
  );
  view.add(L.polyline(steps, view.on("ground", { color: color("mute"), weight: 1.4, lineCap: "butt" })), "ground");
  return { spot: view.spotOf(there), up: q[2] > p[2], floor: view.floorOf(there) ?? 0 };
}

/** @param {FloorMap} view */
function drawNodes(view) {
  const { color } = view.api;
  const plain = view.on("ground", { radius: 2.6, stroke: false, fillColor: color("poi"), fillOpacity: 1 });
  const stair = view.on("ground", {
    radius: 3,
    color: color("poi"),
    weight: 1.5,
    fillColor: color("ground"),
    fillOpacity: 1,
  });
  for (const node of nodesHere(view))
    view.add(L.circleMarker(view.spotOf(node), view.stairs.has(node) ? stair : plain), "ground");
}

/** @param {FloorMap} view */
function drawObjects(view) {
  if (!view.layers.shows("pois")) return;
  const look = view.on("ground", {
    radius: 1.9,
    stroke: false,
    fillColor: view.api.color("mute"),
    fillOpacity: 0.7,
  });
  for (const poi of view.doc.pois)
    if (view.placeHere(poi.at)) view.add(L.circleMarker(view.spot(poi.at), look), "ground");
}
