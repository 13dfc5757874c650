// @ts-check
// What a user set stays set: splits, layers. A frame without an origin of its own has no memory, and does without.

/**
 * @param {string} name
 * @returns {unknown}
 */
export function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(`navviz.${name}`) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 */
export function keep(name, value) {
  try {
    localStorage.setItem(`navviz.${name}`, JSON.stringify(value));
  } catch {
    // no storage here
  }
}
