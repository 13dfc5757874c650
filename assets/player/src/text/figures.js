// @ts-check
// Numbers as people read them; what is missing is a dash.

export const DASH = "–";

/**
 * @param {number | null | undefined} value
 * @param {number} [digits]
 */
export function amount(value, digits = 0) {
  if (value === null || value === undefined) return DASH;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** @param {number | null | undefined} usd */
export function money(usd) {
  if (usd === null || usd === undefined) return DASH;
  return `$${amount(usd, usd < 0.1 ? 4 : 2)}`;
}

/** @param {number | null | undefined} seconds */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return DASH;
  if (seconds < 90) return `${amount(seconds, 1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/**
 * A length in metres, unit included.
 * @param {number | null | undefined} metres
 * @param {number} [digits]
 */
export function metres(metres, digits = 1) {
  return metres === null || metres === undefined ? DASH : `${amount(metres, digits)} m`;
}

/** @param {number} value */
export const rounded = (value) => String(Math.round(value * 1000) / 1000);

/**
 * "1 retry", "2 retries".
 * @param {number} count
 * @param {string} one
 * @param {string} many
 */
export const counted = (count, one, many) => `${amount(count)} ${count === 1 ? one : many}`;

/** A text as a sentence begins. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** An id as it fits a drawing. @param {string} id */
export const shortId = (id) => (id.length > 12 ? `${id.slice(0, 6)}…` : id);
