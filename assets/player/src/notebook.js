// @ts-check
// The widget of `navviz.replay` in a notebook (an ES module, as anywidget wants it): the player stays in its frame, which
// reaches neither notebook nor network. Only step, playing, selection and the wish for another episode pass, by messages.

/**
 * What anywidget hands over.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(name: string, call: (message: any) => void) => void} on
 * @property {(name: string, call: (message: any) => void) => void} off
 * @property {(message: unknown) => void} send
 */
/**
 * Plotly's script, packed, once a page: from the output that carries it, else from the kernel. The carrier looks for its
 * own name before it begins to listen, so that the widget keeps another.
 * @typedef {{navvizPlotly?: string, navvizWidgetPlotly?: string}} Keeps
 */

const FOLLOWED = ["step", "playing", "selection"];
const LONGEST = 500;

/** What a frame says, where each part is what it should be: its texts come from logs. @param {any} data */
function stateOf(data) {
  const { step, playing, selection } = data;
  const fits = Number.isInteger(step) && step >= 0 && typeof playing === "boolean" && typeof selection === "string";
  return fits ? { step, playing, selection: selection.slice(0, LONGEST) } : null;
}

/** A frame of the widget's own, where no output of the page holds one (marimo, Colab). @param {Model} model */
function ownFrame(model) {
  const frame = document.createElement("iframe");
  frame.className = "navviz-replay";
  frame.setAttribute("sandbox", "allow-scripts");
  frame.allow = "fullscreen";
  frame.title = model.get("_title");
  frame.style.cssText = `width:100%;border:0;display:block;height:${model.get("height_px")}px`;
  return frame;
}

/** @param {{model: Model, el: HTMLElement}} given */
function render({ model, el }) {
  const keeps = /** @type {Keeps} */ (window);
  /** @type {NodeListOf<HTMLIFrameElement>} */
  const outputs = document.querySelectorAll(`iframe[data-navviz="${CSS.escape(model.get("_frame"))}"]`);
  const own = outputs.length ? null : ownFrame(model);
  /** Looked up again each time: a notebook takes cells away that are scrolled out, and shows an output twice. */
  const frames = () =>
    own ? [own] : [...document.querySelectorAll(`iframe[data-navviz="${CSS.escape(model.get("_frame"))}"]`)];
  /** What a frame said last: it is not sent back, or a late echo would move the player back while it plays.
   * @type {WeakMap<object, string>} */
  const said = new WeakMap();
  let taking = false;

  /** @param {any} frame @param {object} message */
  const tell = (frame, message) => frame.contentWindow?.postMessage(message, "*");
  const wanted = () => Object.fromEntries(FOLLOWED.map((name) => [name, model.get(name)]));
  const toFrames = () => {
    if (taking) return;
    const state = wanted();
    for (const frame of frames())
      if (said.has(frame) && said.get(frame) !== JSON.stringify(state)) tell(frame, { navviz: "set", ...state });
  };
  const load = () => {
    const page = model.get("_page");
    if (!page) return;
    for (const frame of /** @type {HTMLIFrameElement[]} */ (frames())) {
      said.delete(frame);
      frame.title = model.get("_title");
      frame.srcdoc = page;
    }
  };
  const grow = () => {
    const doc = model.get("_doc");
    if (doc) for (const frame of frames()) tell(frame, { navviz: "doc", doc });
  };
  /** @param {Element} frame @param {any} data */
  const fromFrame = (frame, data) => {
    const state = stateOf(data);
    // what it says before it is ready is where it starts, and not what its user did
    if (!state || !said.has(frame)) return;
    said.set(frame, JSON.stringify(state));
    taking = true; // one name after the other: a frame must not hear the half of it
    for (const [name, value] of Object.entries(state)) model.set(name, value);
    taking = false;
    toFrames();
    model.save_changes();
  };
  /** @param {Element} frame */
  const plotly = (frame) => {
    const packed = keeps.navvizWidgetPlotly ?? keeps.navvizPlotly;
    if (packed) tell(frame, { navviz: "plotly", packed });
    else model.send({ navviz: "plotly?" });
  };
  /** @param {MessageEvent} event */
  const heard = ({ source, data }) => {
    const frame = frames().find((each) => /** @type {HTMLIFrameElement} */ (each).contentWindow === source);
    if (!frame || typeof data !== "object" || data === null) return;
    if (data.navviz === "ready") {
      said.set(frame, "");
      toFrames();
      grow();
    }
    if (data.navviz === "state") fromFrame(frame, data);
    if (data.navviz === "plotly?") plotly(frame);
    if (data.navviz === "episode" && ["next", "previous"].includes(data.to)) model.send({ navviz: data.to });
  };
  /** @param {any} message */
  const fromKernel = (message) => {
    if (message?.navviz !== "plotly" || typeof message.packed !== "string") return;
    keeps.navvizWidgetPlotly = message.packed;
    for (const frame of frames()) plotly(frame);
  };

  window.addEventListener("message", heard);
  for (const name of FOLLOWED) model.on(`change:${name}`, toFrames);
  model.on("change:_page", load);
  model.on("change:_doc", grow);
  model.on("msg:custom", fromKernel);
  if (own) {
    el.append(own);
    if (model.get("_page")) load();
    else model.send({ navviz: "page?" });
  }
  // a frame of an output may have been ready before there was a widget
  for (const frame of frames()) tell(frame, { navviz: "hello" });
  return () => {
    window.removeEventListener("message", heard);
    for (const name of FOLLOWED) model.off(`change:${name}`, toFrames);
    model.off("change:_page", load);
    model.off("change:_doc", grow);
    model.off("msg:custom", fromKernel);
    own?.remove();
  };
}

export default { render };
