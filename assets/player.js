// The player: map, time line, thought pane, plan and keys on one cursor. It takes one document (see
// navviz/views/replay_document.py) and never asks a server in order to step.
//
//   const player = await NavVizPlayer.mount(root, document, options)
//   player.update(document)      a newer document of the same run: cursor, zoom, tab stay; at the end, it follows
//   player.go(step)              0 is before the first step
//   player.destroy()
//
// options: {height: px | "fill", actions: [{name, label}], onAction(name, step), deepLink: bool, tab, header: bool,
//           theme: "light" | "dark" | undefined (follows the page)}
//
// The root carries class `navviz-player` and data-episode, data-step, data-steps, data-ready ("true" once painted).
//
// Map backends: NavVizPlayer.maps[document.frame] is a class (geo: player_map.js, metric: player_indoor.js) with
//   constructor(container, doc, api)   draw what does not move into an empty, positioned element
//   showStep(step)                     0 .. doc.steps.length; move what moves, without a blink
//   highlight(refs)                    light up references, [] for none
//   panTo(ref)                         bring a reference into view and flash it
//   update(doc)                        a newer document: keep the view
//   setTheme("light" | "dark"), resize(), destroy()
// and optionally tools(): [{title, icon, press(), pressed?()}] and fit(). `api` gives
//   api.resolve(ref, step) -> {label, nodes: [index], at: [position]}      where a reference is
//   api.hover(refs), api.pick(ref)     tell the player what the mouse is over, or clicked, on the map
//   api.mentions(ref)                  how often the visible text speaks of it
//   api.color(name)                    a colour of the current theme: reference, agent, other, ink, street ...
//   api.strings                        the document's texts
// References: "n:INDEX" a node, "s:NAME" (lower case) a landmark or POI. Positions are the document's own.

const ICONS = {
  first: "M6 5v14M19 5 9 12l10 7z", previous: "M17 5 7 12l10 7z", play: "M7 4l13 8-13 8z", pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  next: "M7 5l10 7-10 7z", last: "M18 5v14M5 5l10 7-10 7z", keys: "M12 17h.01M9.2 9a2.9 2.9 0 1 1 4.2 2.6c-.9.5-1.4 1-1.4 2.1", present: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
};

function icon(name) {
  const filled = !["keys", "present"].includes(name);
  return svg("svg", { viewBox: "0 0 24 24", class: filled ? "nv-icon nv-filled" : "nv-icon", "aria-hidden": "true" }, svg("path", { d: ICONS[name] ?? name }));
}

const KEYS = [
  ["← →", "step"], ["shift + ← →", "sub-goal"], ["home, end", "start, end"], ["space", "play, pause"], ["1 – 9", "speed"],
  ["d", "to the divergence"], ["f", "present"], ["escape", "leave"], ["?", "these keys"],
];

class NavVizPlayer {
  static maps = {};
  static active = null;

  static async mount(root, doc, options = {}) {
    const strings = await unpackStrings(doc.strings);
    return new NavVizPlayer(root, doc, options, strings);
  }

  constructor(root, doc, options = {}, strings = doc.strings) {
    this.root = root;
    this.options = { deepLink: true, actions: [], ...options };
    this.speed = 2;
    this.adopt(doc, strings);
    this.address = new Address(this);
    this.step = this.address.start();
    this.colors = new Map();
    this.cleanups = [];
    this.build();
    this.listen();
    this.show();
    NavVizPlayer.active ??= this;
  }

  adopt(doc, strings) {
    this.doc = doc;
    this.strings = strings;
    this.linker = new Linker(doc);
    this.places = new Map();
  }

  get count() { return this.doc.steps.length; }
  get atEnd() { return this.step === this.count; }
  get current() { return this.step === 0 ? null : this.doc.steps[this.step - 1]; }

  // --- building

  build() {
    const { root, doc } = this;
    root.replaceChildren();
    root.classList.add("navviz-player");
    root.dataset.ready = "false";
    this.mapBox = el("div", { class: "nv-map" });
    this.paneBox = el("div", { class: "nv-pane" });
    this.headBox = el("header", { class: "nv-head" });
    this.noteBox = el("div", { class: "nv-notes" });
    this.lineBox = el("div", { class: "nv-line" });
    this.bar = this.makeBar();
    this.help = this.makeHelp();
    root.append(el("div", { class: "nv-frame" }, this.headBox, this.noteBox,
      el("div", { class: "nv-main" }, this.mapBox, this.paneBox), el("footer", { class: "nv-foot" }, this.lineBox, this.bar)), this.help);
    this.themeNow = this.readTheme();
    root.dataset.theme = this.themeNow;
    this.head = new Head(this, this.headBox, this.noteBox);
    this.head.show();
    this.pane = new Pane(this, this.paneBox);
    this.timeline = new Timeline(this, this.lineBox);
    const Backend = NavVizPlayer.maps[doc.frame];
    if (Backend) this.map = new Backend(this.mapBox, doc, this.api());
    else this.mapBox.append(el("p", { class: "nv-nothing", text: `This build cannot draw a ${doc.frame} map.` }));
    root.dataset.episode = doc.episode.id;
    root.dataset.steps = String(this.count);
    if (this.options.height === "fill") this.fillHeight();
    else if (this.options.height) root.style.height = `${this.options.height}px`;
  }

  makeBar() {
    const button = (name, title, press) => el("button", { type: "button", class: "nv-button", title, "aria-label": title, data: { press: name }, on: { mousedown: keepFocus, click: press } }, icon(name));
    this.playButton = button("play", "Play (space)", () => this.toggle());
    this.where = el("span", { class: "nv-step" });
    this.tally = el("span", { class: "nv-tally" });
    this.speedBox = el("select", { class: "nv-speed", title: "Speed (1 – 9)", "aria-label": "Speed", on: { change: (event) => { this.setSpeed(Number(event.target.value)); event.target.blur(); } } },
      Array.from({ length: 9 }, (_, i) => el("option", { value: i + 1, text: `${i + 1}×` })));
    this.speedBox.value = String(this.speed);
    const actions = this.options.actions.map((action) => el("button", { type: "button", class: "nv-action", data: { action: action.name }, on: { mousedown: keepFocus, click: () => this.options.onAction?.(action.name, this.step) }, text: action.label }));
    return el("div", { class: "nv-bar-row2" },
      button("first", "Start (home)", () => this.go(0)), button("previous", "Step back (←)", () => this.go(this.step - 1)), this.playButton,
      button("next", "Step on (→)", () => this.go(this.step + 1)), button("last", "End (end)", () => this.go(this.count)),
      this.speedBox, this.where, el("span", { class: "nv-gap" }), this.tally, ...actions,
      button("keys", "Keys (?)", () => this.toggleHelp()), button("present", "Present (f)", () => this.present()));
  }

  makeHelp() {
    return el("dialog", { class: "nv-help", "aria-label": "Keys" }, el("h3", { text: "Keys" }),
      el("dl", {}, KEYS.flatMap(([keys, what]) => [el("dt", { text: keys }), el("dd", { text: what })])),
      el("p", { class: "nv-mute", text: "Point at a node id, a letter or a landmark in any text: the map shows where it is. Click it, and the map goes there." }));
  }

  api() {
    const player = this;
    return {
      get strings() { return player.strings; },
      get options() { return player.options; },
      resolve: (ref, step) => this.resolve(ref, step ?? this.step),
      hover: (refs) => this.lightText(refs),
      pick: (ref) => this.scrollTo(ref),
      mentions: (ref) => this.root.querySelectorAll(`.nv-pane [data-ref="${CSS.escape(ref)}"]`).length,
      color: (name) => this.color(name),
    };
  }

  /** A colour of the theme; asked once, since asking makes the browser lay the page out. */
  color(name) {
    const key = `${this.themeNow} ${name}`;
    if (!this.colors.has(key)) this.colors.set(key, getComputedStyle(this.root).getPropertyValue(`--nv-${name}`).trim());
    return this.colors.get(key);
  }

  // --- where things are

  /** Label, node indices and positions of a reference, as the step knows it. */
  resolve(ref, step) {
    const key = `${step} ${ref}`;
    if (!this.places.has(key)) this.places.set(key, this.findPlace(ref, step));
    return this.places.get(key);
  }

  findPlace(ref, step) {
    const size = this.doc.frame === "geo" ? 2 : 3, rest = ref.slice(2);
    if (ref[0] === "n") {
      const node = Number(rest);
      return { label: this.doc.nodes.ids[node], nodes: [node], at: [this.doc.nodes.at.slice(node * size, node * size + size)] };
    }
    const here = this.doc.steps[step - 1]?.observation?.pois ?? [];
    const named = (list) => list.filter((poi) => poi.name.toLowerCase() === rest && poi.at);
    let found = named(here);
    if (!found.length) found = this.doc.steps.flatMap((other) => named(other.observation?.pois ?? []));
    if (!found.length) found = named(this.doc.pois);
    const nodes = found.map((poi) => poi.node).filter((node) => typeof node === "number");
    return { label: found[0]?.name ?? rest, nodes, at: found.map((poi) => poi.at) };
  }

  lightText(refs) {
    for (const node of this.root.querySelectorAll(".nv-ref.nv-lit")) node.classList.remove("nv-lit");
    for (const ref of refs) for (const node of this.root.querySelectorAll(`[data-ref="${CSS.escape(ref)}"]`)) node.classList.add("nv-lit");
  }

  scrollTo(ref) {
    const first = this.pane.body.querySelector(`[data-ref="${CSS.escape(ref)}"]`);
    if (first) this.pane.body.scrollTo({ top: first.getBoundingClientRect().top - this.pane.body.getBoundingClientRect().top + this.pane.body.scrollTop - 60, behavior: "smooth" });
  }

  // --- cursor

  go(step) {
    const wanted = Math.max(0, Math.min(this.count, step));
    if (wanted === this.step) return;
    this.step = wanted;
    this.show();
    this.address.remember();
    this.options.onStep?.(wanted);
  }

  show() {
    const { current } = this;
    this.linker.setStep(current);
    this.pane.show(current);
    this.timeline.show(this.step);
    this.map?.showStep(this.step);
    this.where.replaceChildren(el("b", { text: `Step ${this.step}` }), ` of ${this.count}`);
    this.showTally(current?.so_far ?? this.doc.planning.so_far ?? {});
    this.root.dataset.step = String(this.step);
    if (this.root.dataset.ready !== "true") requestAnimationFrame(() => requestAnimationFrame(() => { this.root.dataset.ready = "true"; }));
  }

  showTally(so_far) {
    const more = so_far.partial ? "+" : "";
    const fact = (name, text, title) => el("span", { title }, el("i", { text: name }), text);
    this.tally.replaceChildren(fact("tokens", so_far.tokens === undefined ? DASH : amount(so_far.tokens) + more, "Tokens so far; a dash where the log does not say"),
      fact("time", duration(so_far.seconds), "Time of the model calls so far"), fact("cost", money(so_far.cost_usd), "Cost so far"));
  }

  repaintPane() {
    this.pane.show(this.current);
  }

  toDivergence() {
    const step = this.doc.divergence?.step ?? this.doc.compare?.first_difference;
    if (step) { this.pause(); this.go(step); }
  }

  toSubGoal(goal) {
    const at = this.doc.steps.findIndex((step) => step.sub_goal === goal);
    if (at >= 0) { this.pause(); this.go(at + 1); }
  }

  bySubGoal(direction) {
    const starts = [0, ...this.timeline.segments.map((segment) => segment.from), this.count];
    const next = direction > 0 ? starts.find((start) => start > this.step) : starts.findLast((start) => start < this.step);
    if (next !== undefined) this.go(next);
  }

  // --- playing

  toggle() { this.playing ? this.pause() : this.play(); }

  play() {
    if (!this.count) return;
    if (this.atEnd && !this.doc.running) this.go(0);
    this.playing = setInterval(() => (this.atEnd ? this.pause() : this.go(this.step + 1)), 2400 / this.speed);
    this.playButton.replaceChildren(icon("pause"));
    this.root.dataset.playing = "true";
  }

  pause() {
    if (!this.playing) return;
    clearInterval(this.playing);
    this.playing = null;
    this.playButton.replaceChildren(icon("play"));
    this.root.dataset.playing = "false";
  }

  setSpeed(speed) {
    this.speed = speed;
    this.speedBox.value = String(speed);
    if (this.playing) { this.pause(); this.play(); }
  }

  // --- presenting

  present(on = !this.root.classList.contains("nv-present")) {
    if (on === this.root.classList.contains("nv-present")) return;
    this.root.classList.toggle("nv-present", on);
    if (on) this.enterTop();
    else this.leaveTop();
    this.repaintPane();
    requestAnimationFrame(() => { this.map?.resize(); this.map?.fit?.(); });
  }

  /** The top layer of the page: whatever clips or transforms the player's ancestors no longer matters. */
  enterTop() {
    this.root.setAttribute("popover", "manual");
    try { this.root.showPopover(); } catch { /* an old browser: position: fixed alone has to do */ }
    const full = this.options.fullscreen === false ? null : this.root.ownerDocument.documentElement.requestFullscreen?.();
    full?.catch(() => {});  // a frame may not be allowed to; filling the window is enough
  }

  leaveTop() {
    try { this.root.hidePopover(); } catch { /* was not shown */ }
    this.root.removeAttribute("popover");
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  }

  toggleHelp() {
    this.help.open ? this.help.close() : this.help.show();
  }

  // --- events

  listen() {
    const on = (target, event, handler, options) => {
      target.addEventListener(event, handler, options);
      this.cleanups.push(() => target.removeEventListener(event, handler, options));
    };
    on(window, "keydown", (event) => this.onKey(event));
    on(this.root, "pointerdown", () => { NavVizPlayer.active = this; });
    on(this.root, "mouseover", (event) => this.onHover(event));
    on(this.root, "click", (event) => this.onClick(event));
    on(document, "fullscreenchange", () => { if (!document.fullscreenElement && this.wasFull) this.present(false); this.wasFull = Boolean(document.fullscreenElement); });
    on(matchMedia("(prefers-color-scheme: dark)"), "change", () => this.followTheme());
    if (window.navigation) on(window.navigation, "currententrychange", () => this.address.keep());
    if (this.options.height === "fill") on(window, "resize", () => this.fillHeight());
    const sizes = new ResizeObserver(() => this.map?.resize());
    sizes.observe(this.mapBox);
    const classes = new MutationObserver(() => this.followTheme());
    for (let node = this.root.parentElement; node; node = node.parentElement) classes.observe(node, { attributes: true, attributeFilter: ["class", "style"] });
    this.cleanups.push(() => sizes.disconnect(), () => classes.disconnect());
  }

  onKey(event) {
    if (NavVizPlayer.active !== this || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event)) return;
    const handler = this.keyHandler(event);
    if (!handler) return;
    event.preventDefault();
    event.stopPropagation();
    handler();
  }

  keyHandler({ key, shiftKey }) {
    if (key === "ArrowRight") return () => { this.pause(); shiftKey ? this.bySubGoal(1) : this.go(this.step + 1); };
    if (key === "ArrowLeft") return () => { this.pause(); shiftKey ? this.bySubGoal(-1) : this.go(this.step - 1); };
    if (/^[1-9]$/.test(key)) return () => this.setSpeed(Number(key));
    if (key === "Escape") {
      if (this.help.open) return () => this.help.close();
      return this.root.classList.contains("nv-present") ? () => this.present(false) : null;
    }
    return { Home: () => this.go(0), End: () => this.go(this.count), " ": () => this.toggle(), d: () => this.toDivergence(),
      f: () => this.present(), "?": () => this.toggleHelp() }[key] ?? null;
  }

  onHover(event) {
    const ref = event.target.closest?.("[data-ref]")?.dataset.ref ?? null;
    if (ref === this.hovered) return;
    this.hovered = ref;
    this.lightText(ref ? [ref] : []);
    this.map?.highlight(ref ? [ref] : []);
  }

  onClick(event) {
    const ref = event.target.closest?.("[data-ref]")?.dataset.ref;
    if (ref && !this.mapBox.contains(event.target)) { event.stopPropagation(); this.map?.panTo(ref); }
  }

  // --- theme and size

  readTheme() {
    if (this.options.theme) return this.options.theme;
    const ground = getComputedStyle(this.root.parentElement ?? this.root).getPropertyValue("--st-background-color").trim();
    const light = ground && luminance(ground);
    if (light !== null && light !== undefined && light !== "") return light > 0.5 ? "light" : "dark";
    return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }

  followTheme() {
    const theme = this.readTheme();
    if (theme === this.themeNow) return;
    this.themeNow = theme;
    this.root.dataset.theme = theme;
    this.map?.setTheme(theme);
  }

  fillHeight() {
    const top = this.root.getBoundingClientRect().top + window.scrollY;
    const least = this.root.clientWidth < 860 ? 1000 : 620;  // one column wants more height
    this.root.style.height = `${Math.max(least, window.innerHeight - Math.min(top, 320) - 20)}px`;
  }

  // --- life

  /** A newer document. A player at the end goes on to the new end; elsewhere the cursor stays. */
  async update(doc) {
    const strings = await unpackStrings(doc.strings);
    const follow = this.atEnd;
    this.adopt(doc, strings);
    this.step = follow && (doc.running || this.step > this.count) ? this.count : Math.min(this.step, this.count);
    if (follow) this.step = this.count;
    this.root.dataset.steps = String(this.count);
    this.root.dataset.episode = doc.episode.id;
    this.head.show();
    this.timeline.build();
    this.map?.update(doc);
    this.show();
  }

  destroy() {
    this.pause();
    this.address.forget();
    if (this.root.classList.contains("nv-present")) this.present(false);
    this.cleanups.forEach((undo) => undo());
    this.map?.destroy();
    if (NavVizPlayer.active === this) NavVizPlayer.active = null;
    this.root.replaceChildren();
    this.root.removeAttribute("data-ready");
  }
}

const keepFocus = (event) => event.preventDefault();

/** Whether a key belongs to something else: a field, or a control of the page that knows arrows or space itself. */
function isTyping(event) {
  const target = event.composedPath?.()[0] ?? event.target;
  if (!(target instanceof Element)) return false;
  if (target.closest("input, textarea, select, [contenteditable=''], [contenteditable=true], dialog[open] input")) return true;
  if (target.closest(".navviz-player")) return event.key === " " && target.closest("button, summary") !== null;
  return target.closest("[role=slider], [role=listbox], [role=combobox], [role=grid], [role=radiogroup], [role=tablist], [role=menu], canvas[tabindex]") !== null
    || (event.key === " " && target.closest("button, summary, a") !== null);
}

/** Relative luminance of a CSS colour, roughly; null where it cannot be read. */
function luminance(color) {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})/i.exec(color)?.[1];
  let rgb = null;
  if (hex) rgb = (hex.length === 3 ? [...hex].map((c) => c + c) : hex.match(/../g)).map((c) => parseInt(c, 16));
  else rgb = /rgba?\(([^)]+)\)/.exec(color)?.[1].split(/[ ,/]+/).slice(0, 3).map(Number) ?? null;
  return rgb ? (0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]) / 255 : null;
}
