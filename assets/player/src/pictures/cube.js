// @ts-check
// All that can be seen from a place as six square faces, whatever it was given as: a skybox, a panorama, 36 views.
//
// Faces lie in Matterport3D's order (up, +z, +x, -z, -x, down of the texture's own frame) and are read by OpenGL's cube
// rule; `turn` takes a direction of the world (east, north, up) into that frame.
import { axes, USUAL_FIELD } from "./geometry.js";

/** @typedef {import("../document").ViewEntry} ViewEntry */
/** @typedef {{size: number, faces: Uint32Array[], turn: number[]}} Cube */
/** @typedef {{width: number, height: number, at: Uint32Array}} Pixels */

/** Sides of faces made of panoramas and views: 512 take 0.1 s, and are as sharp as a pane is wide. */
const MADE_PX = 512;
const MOST_FACE_PX = 1024;
/** Copies of panoramas and strips that are asked for. */
const WHOLE_PX = 4096;
/** World to the frame of faces that are made here: x east, y up, z south. */
const UPRIGHT = [1, 0, 0, 0, 0, 1, 0, -1, 0];
const VOID = 0xff808080;

/**
 * @param {ViewEntry} view
 * @param {(picture: number, size?: number) => HTMLImageElement | null} image
 * @returns {Promise<Cube | null>}
 */
export async function cubeOf(view, image) {
  const size = view.kind === "panorama" || view.pictures.length === 1 ? WHOLE_PX : MOST_FACE_PX;
  const images = view.pictures.map((picture) => (picture === null ? null : image(picture, size)));
  await Promise.all(images.map((each) => each?.decode().catch(() => {})));
  const read = images.map((each) => (each?.naturalWidth ? each : null));
  if (!read.some(Boolean)) return null;
  if (view.kind === "cube") return skybox(read, view.rotation ?? [1, 0, 0, 0, 1, 0, 0, 0, 1]);
  if (view.kind === "panorama") return panorama(pixels(read[0]), view.heading_deg ?? 0);
  return fromViews(
    read.map((each) => each && pixels(each)),
    view.field_deg ?? USUAL_FIELD,
  );
}

/** @param {CanvasImageSource & {naturalWidth: number, naturalHeight: number} | null} image @param {number[]} [cut]  left, top, width, height @param {number} [side] @returns {Pixels} */
function pixels(image, cut, side) {
  const [left, top, from, down] = cut ?? [0, 0, image?.naturalWidth ?? 1, image?.naturalHeight ?? 1];
  const [width, height] = side ? [side, side] : [from, down];
  const canvas = new OffscreenCanvas(width, height);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (
    canvas.getContext("2d", { willReadFrequently: true })
  );
  if (image) context.drawImage(image, left, top, from, down, 0, 0, width, height);
  return { width, height, at: new Uint32Array(context.getImageData(0, 0, width, height).data.buffer) };
}

/** @param {(HTMLImageElement | null)[]} images @param {number[]} rotation @returns {Cube} */
function skybox(images, rotation) {
  const strip = images.length === 1 ? images[0] : null;
  const height = strip?.naturalHeight ?? Math.max(...images.map((image) => image?.naturalHeight ?? 0));
  const size = Math.min(height, MOST_FACE_PX);
  const faces = [0, 1, 2, 3, 4, 5].map((face) =>
    strip
      ? pixels(strip, [face * height, 0, height, height], size)
      : pixels(images[face], [0, 0, images[face]?.naturalWidth ?? 1, images[face]?.naturalHeight ?? 1], size),
  );
  const r = rotation;
  // a look along d meets the texture in direction -R^T d
  const turn = [-r[0], -r[3], -r[6], -r[1], -r[4], -r[7], -r[2], -r[5], -r[8]];
  return { size, faces: faces.map(({ at }) => at), turn };
}

/**
 * Fill six faces by asking for the colour of each direction.
 * @param {(east: number, north: number, up: number) => number} colour
 * @returns {Cube}
 */
function made(colour) {
  const size = MADE_PX;
  const faces = Array.from({ length: 6 }, (_, face) => {
    const out = new Uint32Array(size * size);
    for (let row = 0; row < size; row++) {
      const t = (2 * (row + 0.5)) / size - 1;
      for (let column = 0; column < size; column++) {
        const [x, y, z] = outwards(face, (2 * (column + 0.5)) / size - 1, t);
        out[row * size + column] = colour(x, -z, y);
      }
    }
    return out;
  });
  return { size, faces, turn: UPRIGHT };
}

/** The direction through a place on a face, s to the right and t downwards in -1 .. 1. @param {number} face @param {number} s @param {number} t */
function outwards(face, s, t) {
  if (face === 0) return [s, 1, t];
  if (face === 1) return [s, -t, 1];
  if (face === 2) return [1, -t, -s];
  if (face === 3) return [-s, -t, -1];
  if (face === 4) return [-1, -t, s];
  return [s, -1, -t];
}

/** @param {Pixels} picture @param {number} centre  heading of its middle column @returns {Cube} */
function panorama({ width, height, at }, centre) {
  const middle = (centre * Math.PI) / 180;
  return made((east, north, up) => {
    const turned = (Math.atan2(east, north) - middle) / (2 * Math.PI) + 0.5;
    const column = Math.floor((turned - Math.floor(turned)) * width);
    const row = Math.floor((0.5 - Math.atan2(up, Math.hypot(east, north)) / Math.PI) * height);
    return at[Math.min(height - 1, Math.max(0, row)) * width + Math.min(column, width - 1)];
  });
}

/** The simulator's 36 views: twelve headings each 30 degrees down, level, and up. @param {(Pixels | null)[]} views @param {number} field @returns {Cube} */
function fromViews(views, field) {
  const half = Math.tan((field * Math.PI) / 360);
  const cameras = views.map((_, i) =>
    axes({ heading: 30 * (i % 12), elevation: 30 * (Math.floor(i / 12) - 1), field }),
  );
  return made((east, north, up) => {
    const heading = Math.round((Math.atan2(east, north) * 6) / Math.PI + 12) % 12;
    const elevation = (Math.atan2(up, Math.hypot(east, north)) * 180) / Math.PI;
    const row = elevation < -15 ? 0 : elevation > 15 ? 2 : 1;
    const index = 12 * row + heading;
    const view = views[index] ?? views[12 + heading];
    if (!view) return VOID;
    const [right, above, ahead] = cameras[views[index] ? index : 12 + heading];
    const depth = ahead[0] * east + ahead[1] * north + ahead[2] * up;
    if (depth <= 0) return VOID;
    const x = (right[0] * east + right[1] * north + right[2] * up) / depth / (half * (view.width / view.height));
    const y = (above[0] * east + above[1] * north + above[2] * up) / depth / half;
    if (x <= -1 || x >= 1 || y <= -1 || y >= 1) return VOID;
    const column = Math.floor(((x + 1) / 2) * view.width);
    return view.at[Math.floor(((1 - y) / 2) * view.height) * view.width + column];
  });
}

/**
 * Draw what a camera sees of a cube.
 * @param {Cube} cube
 * @param {import("./geometry.js").Camera} camera
 * @param {number} width
 * @param {number} height
 * @param {Uint32Array} out
 */
export function render({ size, faces, turn }, camera, width, height, out) {
  const half = Math.tan((camera.field * Math.PI) / 360);
  // the camera's axes in the texture's frame: then each pixel needs no matrix of its own
  const [right, up, ahead] = axes(camera).map(([x, y, z]) =>
    [0, 3, 6].map((row) => turn[row] * x + turn[row + 1] * y + turn[row + 2] * z),
  );
  const step = ((2 * half) / height) * 1;
  const scale = size / 2;
  const most = size - 1;
  let k = 0;
  for (let row = 0; row < height; row++) {
    const v = half - (row + 0.5) * step;
    const u = (0.5 - width / 2) * step;
    let x = ahead[0] + up[0] * v + right[0] * u;
    let y = ahead[1] + up[1] * v + right[1] * u;
    let z = ahead[2] + up[2] * v + right[2] * u;
    const [dx, dy, dz] = [right[0] * step, right[1] * step, right[2] * step];
    for (let column = 0; column < width; column++) {
      const [ax, ay, az] = [x < 0 ? -x : x, y < 0 ? -y : y, z < 0 ? -z : z];
      let face = 0;
      let s = 0;
      let t = 0;
      let away = ay;
      if (ax >= ay && ax >= az) {
        away = ax;
        face = x > 0 ? 2 : 4;
        s = x > 0 ? -z : z;
        t = -y;
      } else if (ay >= az) {
        face = y > 0 ? 0 : 5;
        s = x;
        t = y > 0 ? z : -z;
      } else {
        away = az;
        face = z > 0 ? 1 : 3;
        s = z > 0 ? x : -x;
        t = -y;
      }
      const across = ((s / away + 1) * scale) | 0;
      const down = ((t / away + 1) * scale) | 0;
      out[k++] = faces[face][Math.min(down, most) * size + Math.min(across, most)];
      x += dx;
      y += dy;
      z += dz;
    }
  }
}
