// @ts-check
// Light or dark, as the page is.

/** Relative luminance of a CSS colour, roughly; null where it cannot be read. @param {string} color */
export function luminance(color) {
  const hex = /^#([0-9a-f]{6}|[0-9a-f]{3})/i.exec(color)?.[1];
  /** @type {number[] | undefined} */
  let rgb;
  if (hex) {
    const pairs = hex.length === 3 ? [...hex].map((c) => c + c) : (hex.match(/../g) ?? []);
    rgb = pairs.map((c) => Number.parseInt(c, 16));
  } else {
    rgb = /rgba?\(([^)]+)\)/
      .exec(color)?.[1]
      .split(/[ ,/]+/)
      .slice(0, 3)
      .map(Number);
  }
  return rgb ? (0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]) / 255 : null;
}

/**
 * The theme of the page that holds an element: Streamlit's background colour, else the system's wish.
 * @param {Element} root
 * @returns {"light" | "dark"}
 */
export function pageTheme(root) {
  const ground = getComputedStyle(root.parentElement ?? root)
    .getPropertyValue("--st-background-color")
    .trim();
  const light = ground ? luminance(ground) : null;
  if (light !== null) return light > 0.5 ? "light" : "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Colours of the current theme; asked once each, since asking makes the browser lay the page out. */
export class Colors {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Map<string, string>} */
    this.values = new Map();
  }

  /** @param {string} name */
  get(name) {
    const key = `${this.root.dataset.theme} ${name}`;
    const color = this.values.get(key) ?? getComputedStyle(this.root).getPropertyValue(`--nv-${name}`).trim();
    this.values.set(key, color);
    return color;
  }
}
