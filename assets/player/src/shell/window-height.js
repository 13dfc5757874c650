// @ts-check
// What is as high as the window leaves room for.

/** Of what stands above it so much counts at most, in pixels: below a long page it is a window high. */
const ABOVE_PX = 360;
const GAP_PX = 12;
/** Height of a player that fills the window: at least so much, more where everything stands in one column. */
const LEAST_PX = 460;
const LEAST_NARROW_PX = 1000;
const NARROW_PX = 700;
/** A phone shows one sheet at a time, so that the map above it and the time line below fit one screen. */
const LEAST_PHONE_PX = 620;
const PHONE_PX = 560;

/**
 * Give a player the height that its page sets, or what the window leaves.
 * @param {HTMLElement} root
 * @param {import("../types").Options["height"]} height
 * @returns {() => void} ends it
 */
export function takeHeight(root, height) {
  if (typeof height === "number") root.style.height = `${height}px`;
  if (height !== "fill") return () => {};
  return fillWindow(root, () => {
    if (root.clientWidth <= PHONE_PX) return LEAST_PHONE_PX;
    return root.clientWidth < NARROW_PX ? LEAST_NARROW_PX : LEAST_PX;
  });
}

/**
 * Let an element take the height that the window leaves below its upper edge, as the window changes, and as what stands
 * above comes and goes.
 * @param {HTMLElement} root
 * @param {() => number} least  its least height in pixels
 * @returns {() => void} ends it
 */
export function fillWindow(root, least) {
  const fill = () => {
    let top = root.getBoundingClientRect().top;
    // Streamlit scrolls a part of its page and not the window
    for (let node = root.parentElement; node; node = node.parentElement) top += node.scrollTop;
    root.style.height = `${Math.max(least(), window.innerHeight - Math.min(top, ABOVE_PX) - GAP_PX)}px`;
  };
  const around = new ResizeObserver(fill);
  for (let node = root.parentElement; node; node = node.parentElement) around.observe(node);
  window.addEventListener("resize", fill);
  fill();
  return () => {
    around.disconnect();
    window.removeEventListener("resize", fill);
  };
}
