// @ts-check
// Angles in degrees, clockwise from north (indoors: from +y).

/** The direction from one place (x, y) to another. @param {number[]} from @param {number[]} to */
export const bearing = (from, to) => (Math.atan2(to[0] - from[0], to[1] - from[1]) * 180) / Math.PI;

/** An angle between -180 and 180, positive to the right. @param {number} degrees */
export const turn = (degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;

/** The place so far from another in a direction. @param {number[]} from @param {number} degrees @param {number} distance @returns {[number, number]} */
export function along(from, degrees, distance) {
  const angle = (degrees * Math.PI) / 180;
  return [from[0] + distance * Math.sin(angle), from[1] + distance * Math.cos(angle)];
}

/** Which of the eight sectors of 45 degrees, the first around north, a direction lies in. @param {number} degrees */
export const sectorOf = (degrees, count = 8) =>
  Math.floor(((((degrees % 360) + 360) % 360) * count) / 360 + 0.5) % count;
