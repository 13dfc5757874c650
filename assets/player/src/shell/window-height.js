// @ts-check
// What is as high as the window leaves room for.

/** Of what stands above it so much counts at most, in pixels: below a long page it is a window high. */
const ABOVE_PX = 320;
const GAP_PX = 12;

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
