// @ts-check
// Where the camera of the 3-D scene stands, so that the house fills the pane. Units are the scene's: its cube has side 1.

/** @typedef {[number, number, number]} Vector */

/** Plotly's angle of view, from below to above, in radians. */
const FIELD = Math.PI / 4;
/** How much of the pane is left free. */
const AIR = 1.04;
const [NEAR, FAR] = [0.2, 6];

/** @param {Vector} a @param {Vector} b */
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {Vector} a @param {Vector} b @returns {Vector} */
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/** @param {Vector} a @returns {Vector} */
const unit = (a) => {
  const length = Math.hypot(...a);
  return [a[0] / length, a[1] / length, a[2] / length];
};

/**
 * The camera's place, and where it looks, so that points just fill a pane. Seen from the camera, a point at depth c fits
 * where its distance from the middle is at most (D - c) tan(field / 2): linear, so the best middle is halfway.
 * @param {Vector[]} points
 * @param {Vector} direction  from the points to the camera
 * @param {number} aspect  width of the pane by its height
 * @returns {{eye: Vector, center: Vector}}
 */
export function cameraFor(points, direction, aspect) {
  const back = unit(direction);
  const right = unit(cross([0, 0, 1], back));
  const up = cross(back, right);
  const high = Math.tan(FIELD / 2) / AIR;
  const [x, farX] = middle(points, right, back, high * aspect);
  const [y, farY] = middle(points, up, back, high);
  const far = Math.min(FAR, Math.max(NEAR, farX, farY));
  const along = (/** @type {number} */ depth) =>
    /** @type {Vector} */ ([0, 1, 2].map((i) => right[i] * x + up[i] * y + back[i] * depth));
  return { eye: along(far), center: along(0) };
}

/**
 * The middle along an axis, and the distance at which all points fit.
 * @param {Vector[]} points
 * @param {Vector} axis
 * @param {Vector} back
 * @param {number} slope
 */
function middle(points, axis, back, slope) {
  const plus = Math.max(...points.map((p) => dot(p, back) + dot(p, axis) / slope));
  const minus = Math.max(...points.map((p) => dot(p, back) - dot(p, axis) / slope));
  return [(slope * (plus - minus)) / 2, (plus + minus) / 2];
}
