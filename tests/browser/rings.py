"""What somebody sees who goes by Tab: a ring around each stop, in the window, that no box cuts."""

RINGS = """() => {
  const parent = (e) => e.parentElement ?? e.getRootNode().host ?? null;
  const active = () => {
    let e = document.activeElement;
    while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
    return e;
  };
  const STOPS = "a[href], button, input, select, textarea, summary, [tabindex]";
  // the thumb of a slider has a halo, and a table of Streamlit's draws its own cell
  const DRAWN = "[type=range], canvas";
  const stops = [], alike = new Map();
  const isMore = (e) => {  // a list of a thousand rows has one look: the first of them stand for the others
    const kind = `${e.tagName} ${e.className} ${parent(e)?.className}`, count = alike.get(kind) ?? 0;
    alike.set(kind, count + 1);
    return count >= 12;
  };
  const look = (root) => {
    for (const e of root.querySelectorAll("*")) {
      const isStop = e.matches(STOPS) && e.tabIndex >= 0 && !e.disabled && !e.matches(DRAWN);
      if (isStop && e.checkVisibility() && !isMore(e)) stops.push(e);
      if (e.shadowRoot) look(e.shadowRoot);
    }
  };
  const numbers = (colour) => {
    const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((v) => (v / 255 <= 0.03928 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (ring, ground) => {
    const [low, high] = [light(ring.slice(0, 3)), light(ground.slice(0, 3))].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = (from) => {
    for (let e = from; e; e = parent(e)) {
      const colour = numbers(getComputedStyle(e).backgroundColor);
      if (colour[3] > 230) return colour;
    }
    return [255, 255, 255, 255];
  };
  const sidesCut = (e, out) => {
    const box = e.getBoundingClientRect(), cut = new Set();
    for (let p = parent(e); p && p !== document.body; p = parent(p)) {
      const { overflowX, overflowY, position } = getComputedStyle(p), edge = p.getBoundingClientRect();
      if (overflowX !== "visible" || overflowY !== "visible") {
        if (edge.left > box.left - out + 1) cut.add("left");
        if (edge.top > box.top - out + 1) cut.add("top");
        if (edge.right < box.right + out - 1) cut.add("right");
        if (edge.bottom < box.bottom + out - 1) cut.add("bottom");
      }
      if (position === "fixed") break;
    }
    return cut.size;
  };
  const ringFault = (stop) => {
    const own = stop.getBoundingClientRect();
    for (let e = stop, up = 0; e && up < 5; e = parent(e), up += 1) {
      const box = e.getBoundingClientRect(), style = getComputedStyle(e);
      // the label of a switch is drawn around its hidden field, however long its words are
      const wide = e.tagName !== "LABEL" && box.width > own.width + 140;
      if (wide || box.height > own.height + 60) break;
      const width = parseFloat(style.outlineWidth), offset = parseFloat(style.outlineOffset);
      if (style.outlineStyle === "none" || width < 2) continue;
      if (sidesCut(e, width + offset) > 1) continue;
      const seen = contrast(numbers(style.outlineColor), ground(offset < 0 ? e : parent(e)));
      return seen < 3 ? `a ring of ${seen.toFixed(1)} to 1` : "";
    }
    return "no whole ring";
  };
  look(document);
  const faults = [];
  for (const stop of stops) {
    stop.focus();
    if (active() !== stop) continue;
    const box = stop.getBoundingClientRect();
    const out = box.bottom < 1 || box.top > innerHeight - 1 || box.right < 1 || box.left > innerWidth - 1;
    const fault = out ? "out of sight" : ringFault(stop);
    if (fault) faults.push(`${fault}: ${stop.outerHTML.slice(0, 120)}`);
  }
  active()?.blur();
  return stops.length < 8 ? ["too few stops"] : faults;
}"""
"""Faults of the stops of a page. Press Tab before: only then focus is shown as for somebody who goes
by keys.
"""
