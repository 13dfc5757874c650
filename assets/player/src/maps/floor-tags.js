// @ts-check
// The labels of a floor plan: rooms, the agent on another floor, where one can go, stairs, names of objects.
import { metres } from "../text/figures.js";

/** @typedef {import("./floor-map.js").FloorMap} FloorMap */
/** @typedef {import("./label-view.js").Tag} Tag */
/** @typedef {import("../document").CandidateEntry} CandidateEntry */
/** @typedef {import("../types").Spot} Spot */

/** Pixels a metre from which angles, and from which names of objects are set. */
const WORDS_FROM = 14;
const OBJECTS_FROM = 22;

/** Where the agent is, if on another floor. @param {FloorMap} view @returns {Tag[]} */
export function awayTags(view) {
  const spot = view.spotAt(view.standing);
  const floor = view.floorOf(view.standing);
  if (!spot || floor === null || floor === view.floor) return [];
  const text = `agent: ${view.house.floors[floor].name}`;
  return [{ spot, text, look: "nv-tag-stop", gap: 14, weight: 650, must: true }];
}

/** @param {FloorMap} view @returns {Tag[]} */
export function roomTags(view) {
  return view.house.rooms
    .filter((room) => room.floor === view.floor && room.name)
    .map(({ name, box_m: [west, south, east, north] }) => ({
      spot: [(south + north) / 2, (west + east) / 2],
      text: name,
      look: "nv-tag-room",
      weight: 650,
      centred: true,
      within: [
        [north, west],
        [south, east],
      ],
    }));
}

/** @param {FloorMap} view @returns {Tag[]} */
export function candidateTags(view) {
  const now = view.doc.steps[view.step - 1];
  if (!now || view.scale < WORDS_FROM || !view.layers.shows("candidates")) return [];
  return view.candidates(now).flatMap((item) => {
    const spot = view.spotAt(item.node);
    const text = angleWords(view, item);
    return spot && text && view.here(item.node)
      ? [{ spot, text, look: `nv-tag-${item.state}`, gap: 10, weight: 600 }]
      : [];
  });
}

/** Links to other floors, and where they go. @param {FloorMap} view @returns {Tag[]} */
export function stairTags(view) {
  return view.ways.map(({ spot, up, floor }) => ({
    spot,
    text: `${up ? "↑" : "↓"} ${view.house.floors[floor].name}`,
    look: "nv-tag-name",
    weight: 600,
    gap: 6,
  }));
}

/** @param {FloorMap} view @returns {Iterable<Tag>} */
export function* objectNames(view) {
  if (view.scale < OBJECTS_FROM || !view.layers.shows("pois")) return;
  for (const poi of view.doc.pois) {
    if (!view.placeHere(poi.at)) continue;
    const within = roomAround(view, poi.at);
    yield { spot: view.spot(poi.at), text: poi.name, look: "nv-tag-name", gap: 5, within };
  }
}

/** Corners of the room that a place lies in; undefined where nobody drew rooms. @param {FloorMap} view @param {number[]} at @returns {Spot[] | undefined} */
function roomAround(view, [x, y]) {
  const room = view.house.rooms.find(
    ({ floor, box_m: [west, south, east, north] }) =>
      floor === view.floor && x >= west && x <= east && y >= south && y <= north,
  );
  if (!room) return undefined;
  const [west, south, east, north] = room.box_m;
  return [
    [north, west],
    [south, east],
  ];
}

/** "left 40°, 2.1 m" @param {FloorMap} view @param {CandidateEntry} item */
export function angleWords(view, item) {
  const { angle_deg: angle, distance_m: far } = item;
  const words = [
    angle === undefined
      ? null
      : Math.abs(angle) < 0.5
        ? "ahead"
        : `${angle < 0 ? "left" : "right"} ${Math.abs(angle).toFixed(0)}°`,
    far === undefined ? null : metres(far),
    typeof item.node === "number" && !view.here(item.node) ? "other floor" : null,
  ];
  return words.filter(Boolean).join(", ");
}
