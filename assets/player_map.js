// The outdoor map: the street graph itself on Leaflet's canvas, the paths, and what the agent saw and chose.
//
// What stays and what a step changes lie on canvases of their own, so that a step paints a few shapes only.

/* global L */

class GeoMap {
  constructor(container, doc, api) {
    this.api = api;
    this.box = container;
    this.canvas = el("div", { class: "nv-leaflet" });
    container.append(this.canvas);
    this.map = L.map(this.canvas, { zoomControl: false, attributionControl: false, keyboard: false, preferCanvas: true, zoomSnap: 0.25, zoomDelta: 0.5, maxZoom: 20.5, minZoom: 12, zoomAnimation: true, wheelPxPerZoomLevel: 110, boxZoom: false });
    this.renderers = {};
    for (const [name, level] of [["ground", 210], ["paths", 410], ["step", 420], ["light", 430]]) {
      const pane = this.map.createPane(`nv-${name}`);
      pane.style.zIndex = level;
      pane.style.pointerEvents = "none";
      this.renderers[name] = L.canvas({ pane: `nv-${name}`, padding: 0.4 });
      const redraw = this.renderers[name]._redraw;
      this.renderers[name]._redraw = function () { if (this._ctx) redraw.call(this); };  // a frame that was asked for may come after the map has gone
    }
    this.map.createPane("nv-labels").style.zIndex = 590;
    this.groups = Object.fromEntries(["ground", "names", "paths", "step", "marks", "light"].map((name) => [name, L.layerGroup().addTo(this.map)]));
    this.credit = el("div", { class: "nv-credit" });
    this.legend = el("div", { class: "nv-legend" });
    container.append(this.credit, this.legend, this.makeTools());
    this.scale = L.control.scale({ imperial: false, position: "bottomright", maxWidth: 90 }).addTo(this.map);
    this.adopt(doc);
    this.map.setView(this.at(0) ?? [0, 0], 16, { animate: false });
    this.fit(false);
    this.draw();
    this.map.on("zoomend", () => this.restyle());
    this.map.on("moveend", () => this.nameSoon());
    this.pointer = new MapPointer(this);
  }

  // --- the document

  adopt(doc) {
    this.doc = doc;
    this.grid = null;
    const walked = [];
    doc.steps.forEach((step, i) => walked.push(...this.walk(step, i).map((at) => [at, i])));
    this.walked = walked;
    this.pois = new Map(doc.pois.map((poi, i) => [i, poi]));
  }

  at(node) {
    if (typeof node !== "number" || node < 0) return null;
    const at = this.doc.nodes.at;
    return 2 * node + 1 < at.length ? [at[2 * node], at[2 * node + 1]] : null;
  }

  line(nodes) { return nodes.map((node) => this.at(node)).filter(Boolean); }

  /** Positions of a step's walk; where the log gives none, straight on to where the next step stands. */
  walk(step, i, steps = this.doc.steps, end = this.doc.end?.node) {
    if (step.path?.length) return this.line(step.path);
    const next = i + 1 < steps.length ? steps[i + 1].node : end;
    return this.line([step.node, next ?? step.node]);
  }

  /** The walks of some steps as lines; where the log jumps, a line ends and the leap is told apart. */
  chain(steps, from, to) {
    const lines = [], leaps = [];
    let last = from > 0 ? this.walk(steps[from - 1], from - 1).at(-1) : null;
    for (let i = from; i < to; i += 1) {
      const walk = this.walk(steps[i], i), broken = new Set(steps[i].jumps ?? []);
      walk.forEach((at, k) => {
        const joined = last && at[0] === last[0] && at[1] === last[1];
        if (k > 0 && !broken.has(k - 1)) lines.at(-1).push(at);
        else if (joined && lines.length) lines.at(-1).push(at);
        else {
          if (last && !joined) leaps.push([last, at]);
          lines.push([at]);
        }
        last = at;
      });
    }
    return { lines: lines.filter((line) => line.length > 1), leaps };
  }

  bounds() {
    const points = [...this.goalArea(), ...this.line(this.doc.reference), ...this.walked.map(([at]) => at), ...this.line([this.doc.episode.start, this.doc.episode.goal])];
    for (const step of this.doc.compare?.steps ?? []) points.push(...this.line([step.node, ...(step.path ?? [])]));
    if (!points.length && this.doc.nodes.at.length) for (let i = 0; i < this.doc.nodes.ids.length; i += 5) points.push(this.at(i));
    return points.length ? L.latLngBounds(points) : null;
  }

  goalArea() {
    const goal = this.at(this.doc.episode.goal) ?? this.line(this.doc.reference).at(-1);
    if (!goal) return [];
    const box = L.latLng(goal).toBounds(2 * this.doc.episode.success_radius_m);
    return [box.getSouthWest(), box.getNorthEast()];
  }

  fit(animate = true) {
    const bounds = this.bounds();
    if (!bounds) return;
    const size = this.map.getSize(), pad = Math.round(Math.min(size.x, size.y) * 0.08);
    const [right, below] = [Math.max(pad, 64), Math.max(pad, 46)];  // room for tools and legend
    this.map.fitBounds(bounds.pad(0.02), { paddingTopLeft: [pad, pad], paddingBottomRight: [right, below], maxZoom: 18.5, animate });
  }

  // --- what does not move

  draw() {
    for (const group of Object.values(this.groups)) group.clearLayers();
    this.drawGround();
    this.drawPaths();
    this.drawEnds();
    this.drawLegend();
    this.restyle();
    this.step !== undefined && this.showStep(this.step);
  }

  shape(kind, points, group, renderer, options) {
    return kind(points, { renderer: this.renderers[renderer], interactive: false, ...options }).addTo(this.groups[group]);
  }

  drawGround() {
    const { color } = this.api, lines = this.doc.streets.map(pairs);
    for (const area of this.doc.backdrop ?? []) {
      const rings = area.rings.map(pairs), tint = color(`area-${area.kind}`) || color("area");
      if (area.line) this.shape(L.polyline, rings, "ground", "ground", { color: tint, weight: 2, opacity: 1 });
      else this.shape(L.polygon, rings, "ground", "ground", { stroke: true, color: tint, weight: 0.6, fillColor: tint, fillOpacity: 1 });
    }
    this.casing = this.shape(L.polyline, lines, "ground", "ground", { color: color("street-edge"), smoothFactor: 0.6, lineCap: "round" });
    this.streets = this.shape(L.polyline, lines, "ground", "ground", { color: color("street"), smoothFactor: 0.6, lineCap: "round" });
    this.crossings = this.doc.nodes.crossings.map((node) => this.shape(L.circleMarker, this.at(node), "ground", "ground", { radius: 1.8, stroke: false, fillColor: color("node"), fillOpacity: 1 }));
    this.dots = this.doc.pois.map((poi) => this.shape(L.circleMarker, poi.at, "ground", "ground", { radius: poi.light ? 2 : 3, weight: 1, color: color("ground"), fillColor: color(poi.light ? "light" : "poi"), fillOpacity: 1 }));
  }

  drawPaths() {
    const { color } = this.api, { doc } = this;
    const reference = this.line(doc.reference);
    if (reference.length) {
      this.shape(L.polyline, [reference], "paths", "paths", { color: color("reference"), weight: 8, opacity: 0.95, dashArray: "9 7", lineCap: "butt", smoothFactor: 0.4 });
    }
    const goal = this.at(doc.episode.goal) ?? reference.at(-1);
    if (goal) this.shape(L.circle, goal, "paths", "paths", { radius: doc.episode.success_radius_m, color: color("reference"), weight: 1.6, opacity: 0.9, dashArray: "3 4", fillOpacity: 0.09 });
    if (doc.compare) this.drawCompared();
    this.ghost = this.shape(L.polyline, [], "paths", "paths", { color: color("agent"), weight: 2, opacity: 0.75, dashArray: "1 6", smoothFactor: 0.4 });
    this.leaps = this.shape(L.polyline, [], "paths", "paths", { color: color("agent"), weight: 2.5, opacity: 1, dashArray: "2 7", smoothFactor: 0.4 });
    this.trail = this.shape(L.polyline, [], "paths", "paths", { color: color("agent"), weight: 4, opacity: 1, smoothFactor: 0.4, lineJoin: "round" });
  }

  drawCompared() {
    const { steps, end } = this.doc.compare;
    const lines = steps.map((step, i) => this.walk(step, i, steps, end));
    this.shape(L.polyline, [lines.flat()], "paths", "paths", { color: this.api.color("other"), weight: 4, dashArray: "12 5 2 5", lineCap: "butt", smoothFactor: 0.4 });
    const last = lines.at(-1)?.at(-1);
    if (last) this.sign(last, "nv-sign nv-sign-stop nv-sign-other", "", `Stop of ${this.doc.compare.label}`, "paths");
  }

  drawEnds() {
    const { episode, reference } = this.doc;
    const start = this.at(episode.start) ?? this.at(reference[0]), goal = this.at(episode.goal) ?? this.at(reference.at(-1));
    if (start) this.sign(start, "nv-sign nv-sign-start", "", "Start", "marks", "Start");
    if (goal) this.sign(goal, "nv-sign nv-sign-goal", "", "Goal", "marks", "Goal");
    for (const [i, task] of (episode.tasks ?? []).entries()) {
      for (const node of task.goals) if (this.at(node)) this.sign(this.at(node), "nv-sign nv-sign-goal", String(i + 1), task.description, "marks");
    }
    this.stop = null;
    const end = this.walked.at(-1)?.[0];
    if (end && this.doc.end) this.stop = this.sign(end, "nv-sign nv-sign-stop", "", `Stop: ${this.doc.end.status}`, "marks", "Stop").setZIndexOffset(-100);
    this.agent = L.marker([0, 0], { icon: this.agentIcon(), pane: "markerPane", interactive: false, zIndexOffset: 900 });
  }

  agentIcon() {
    this.arrow = el("div", { class: "nv-agent" }, svg("svg", { viewBox: "-16 -16 32 32" }, svg("circle", { r: 13 }), svg("path", { d: "M0-9 6.5 8 0 4.6-6.5 8z" })));
    return L.divIcon({ html: this.arrow, className: "nv-agent-icon", iconSize: [30, 30] });
  }

  /** A marker that is an element of ours; `label` is set in type beside it. */
  sign(at, className, text, title, group, label, ref) {
    const node = el("div", { class: className, title, data: ref ? { ref } : {} }, el("span", { text }), label ? el("em", { text: label }) : null);
    const html = L.divIcon({ html: node, className: "nv-sign-icon", iconSize: [22, 22] });
    return L.marker(at, { icon: html, keyboard: false, interactive: false, zIndexOffset: ref ? 400 : 200 }).addTo(this.groups[group]);
  }

  drawLegend() {
    const items = [["reference", "reference path", this.doc.reference.length], ["agent", "agent", this.doc.steps.length],
      ["other", this.doc.compare?.label, this.doc.compare], ["seen", "visible area", this.doc.steps.some((step) => step.observation?.visible.length)],
      ["chosen", "chosen", this.hasCandidates("chosen")], ["rejected", "rejected", this.hasCandidates("rejected")], ["offered", "offered", this.hasCandidates("offered")]];
    this.legend.replaceChildren(...items.filter(([, , there]) => there).map(([kind, name]) => el("span", {}, el("i", { class: `nv-key nv-key-${kind}` }), name)));
    const credit = [this.doc.graph?.attribution, this.tiles ? "© OpenStreetMap contributors" : null].filter(Boolean);
    this.credit.textContent = [...new Set(credit)].join(" · ");
  }

  hasCandidates(state) { return this.doc.steps.some((step) => step.observation?.candidates.some((item) => item.state === state)); }

  /** Widths that follow the zoom, and the names there is room for. */
  restyle() {
    const zoom = this.map.getZoom(), wide = Math.max(1.6, Math.min(16, 1.5 * 1.75 ** (zoom - 14.4)));
    this.casing.setStyle({ weight: wide + 1.6 });
    this.streets.setStyle({ weight: wide });
    this.crossings.forEach((dot) => dot.setStyle({ fillOpacity: zoom >= 16.5 ? 1 : 0 }));
    this.dots.forEach((dot, i) => dot.setStyle({ fillOpacity: zoom >= 15.5 ? 1 : 0, opacity: zoom >= 15.5 ? 1 : 0, radius: (this.doc.pois[i].light ? 2 : 3) + Math.max(0, zoom - 17) }));
    this.nameIt();
  }

  /** Names wait until a step is painted. */
  nameSoon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.nameIt(), 120);
  }

  /** Set the names of POIs where they collide with nothing, those of landmarks first. */
  nameIt() {
    cancelAnimationFrame(this.naming);
    this.naming = requestAnimationFrame(() => {
      if (!this.map) return;
      this.groups.names.clearLayers();
      const size = this.map.getSize(), taken = this.taken(), zoom = this.map.getZoom();
      const most = this.root().classList.contains("nv-present") ? 26 : 40;
      if (zoom < 16.25) return;
      let set = 0;
      for (const poi of this.doc.pois) {
        if (poi.light || set >= most || (!poi.kind && zoom < 18)) continue;  // what has no name of its own can wait
        const p = this.map.latLngToContainerPoint(poi.at);
        if (p.x < 4 || p.y < 8 || p.x > size.x - 40 || p.y > size.y - 8) continue;
        const name = poi.name.length > 32 ? `${poi.name.slice(0, 30).trimEnd()}…` : poi.name;
        const width = this.measure(name), height = 14;
        const spot = [[p.x + 7, p.y - 7], [p.x - 7 - width, p.y - 7]].map(([x, y]) => [x, y, x + width, y + height]).find((box) => box[0] > 2 && box[2] < size.x - 2 && !taken.some((other) => overlap(box, other)));
        if (!spot) continue;
        taken.push(spot);
        set += 1;
        const node = el("div", { class: spot[0] > p.x ? "nv-name" : "nv-name nv-name-left", text: name });
        L.marker(poi.at, { pane: "nv-labels", interactive: false, keyboard: false, icon: L.divIcon({ html: node, className: "nv-name-icon", iconSize: [0, 0] }) }).addTo(this.groups.names);
      }
    });
  }

  /** Room that labels must leave free: the ends, the badges of the step, and the dots. */
  taken() {
    const boxes = [];
    const around = (at, w, h) => { const p = this.map.latLngToContainerPoint(at); boxes.push([p.x - h, p.y - h, p.x + w, p.y + h]); };
    for (const group of [this.groups.marks]) group.eachLayer((layer) => layer.getLatLng && around(layer.getLatLng(), 52, 11));
    for (const poi of this.seen ?? []) {
      const p = this.map.latLngToContainerPoint(poi.at), width = 26 + this.measure(poi.name);
      boxes.push(this.leftOfAgent(poi) ? [p.x - width, p.y - 11, p.x + 11, p.y + 11] : [p.x - 11, p.y - 11, p.x + width, p.y + 11]);
    }
    for (const at of this.line(this.doc.reference)) around(at, 5, 5);
    for (const [at] of this.walked) around(at, 5, 5);
    return boxes;
  }

  measure(text) {
    if (!this.pen) {
      const style = getComputedStyle(this.root());
      this.pen = document.createElement("canvas").getContext("2d");
      this.pen.font = `500 ${parseFloat(style.fontSize) * 0.8}px ${style.fontFamily}`;
    }
    return this.pen.measureText(text).width + 4;
  }

  root() { return this.box.closest(".navviz-player"); }

  // --- what moves

  showStep(step) {
    this.step = step;
    const { groups, doc } = this, now = doc.steps[step - 1];
    const { lines: before, leaps } = this.chain(doc.steps, 0, step);
    const { lines: after } = this.chain(doc.steps, step, doc.steps.length);
    this.trail.setLatLngs(before);
    this.leaps.setLatLngs(leaps);
    this.ghost.setLatLngs(after);
    groups.step.clearLayers();
    groups.light.clearLayers();
    this.seen = (now?.observation?.pois ?? []).filter((poi) => poi.at);
    if (now) this.drawStep(now, step);
    this.placeAgent(now, step);
    const stop = this.stop?.getElement();
    if (stop) stop.classList.toggle("nv-later", step < doc.steps.length);
    this.stop?.setZIndexOffset(step < doc.steps.length ? -100 : 950);
    this.follow(now, step);
    if (this.seen.length || this.hadSeen) this.nameSoon();
    this.hadSeen = this.seen.length > 0;
  }

  drawStep(now, step) {
    const { color } = this.api, seen = now.observation;
    if (seen) {
      const visible = new Set(seen.visible.filter((node) => typeof node === "number"));
      const lines = [];
      for (let i = 0; i < this.doc.links.length; i += 2) {
        const [a, b] = [this.doc.links[i], this.doc.links[i + 1]];
        if (visible.has(a) && visible.has(b)) lines.push(this.line([a, b]));
      }
      this.shape(L.polyline, lines, "step", "step", { color: color("seen"), weight: 20, opacity: 0.34, smoothFactor: 0, lineCap: "round" });
      for (const node of visible) if (this.at(node)) this.shape(L.circleMarker, this.at(node), "step", "step", { radius: 2, stroke: false, fillColor: color("seen-ink"), fillOpacity: 0.9 });
      for (const item of seen.candidates) this.drawCandidate(item);
      for (const poi of this.seen) this.drawSeen(poi);
    }
    const move = this.walk(now, step - 1);
    if (move.length > 1) {
      this.shape(L.polyline, [move], "step", "step", { color: color("ground"), weight: 9, opacity: 0.95, smoothFactor: 0.4 });
      this.shape(L.polyline, [move], "step", "step", { color: color("agent"), weight: 5.5, smoothFactor: 0.4 });
      this.shape(L.circleMarker, move.at(-1), "step", "step", { radius: 6.5, color: color("agent"), weight: 3, fillColor: color("ground"), fillOpacity: 1 });
    }
    const aim = this.at(now.decision?.target);
    if (aim && !now.decision.legal) this.sign(aim, "nv-sign nv-sign-bad", "", "Illegal decision", "step");
  }

  drawCandidate(item) {
    const at = this.at(item.node), { color } = this.api;
    if (item.path?.length > 1 && item.state !== "chosen") this.shape(L.polyline, [this.line(item.path)], "step", "step", { color: color(item.state === "rejected" ? "rejected" : "offered"), weight: 2, opacity: 0.85, dashArray: item.state === "rejected" ? "2 4" : null, smoothFactor: 0.4 });
    if (!at) return;
    const title = [item.state, item.label, item.reason].filter(Boolean).join(" · ");
    if (item.state === "offered") this.shape(L.circleMarker, at, "step", "step", { radius: 5, color: color("offered"), weight: 2.2, fillColor: color("ground"), fillOpacity: 1 });
    else this.sign(at, `nv-sign nv-cand nv-cand-${item.state}`, "", title, "step");
  }

  drawSeen(poi) {
    const ref = `s:${poi.name.toLowerCase()}`;
    const anchor = this.at(poi.node);
    if (anchor && !poi.approximate) this.shape(L.polyline, [[anchor, poi.at]], "step", "step", { color: this.api.color("landmark"), weight: 1.4, opacity: 0.9, dashArray: "1 4" });
    const title = [poi.name, poi.position ?? poi.direction, poi.distance_m === undefined ? null : `${amount(poi.distance_m, 1)} m`, poi.approximate ? "shown at its node" : null].filter(Boolean).join(" · ");
    const marker = this.sign(poi.at, "nv-sign nv-sign-letter", poi.letter ?? "·", title, "step", poi.name, ref);
    if (this.leftOfAgent(poi)) marker.getElement().firstChild.classList.add("nv-left");
  }

  /** A landmark to the left of the agent has its name on its left, so that the agent does not cover it. */
  leftOfAgent(poi) {
    const here = this.at(this.doc.steps[this.step - 1]?.node);
    return here !== null && poi.at[1] < here[1];
  }

  placeAgent(now, step) {
    const at = step === 0 ? this.at(this.doc.episode.start) : this.at(now?.node);
    if (!at) { this.agent.remove(); return; }
    const heading = step === 0 ? this.doc.episode.start_heading_deg : now.heading_deg ?? this.bearing(now, step);
    this.agent.setLatLng(at).addTo(this.map);
    this.arrow.classList.toggle("nv-no-heading", heading === undefined || heading === null);
    this.arrow.style.setProperty("--nv-heading", `${heading ?? 0}deg`);
  }

  bearing(now, step) {
    const [a, b] = this.walk(now, step - 1);
    if (!a || !b || (a[0] === b[0] && a[1] === b[1])) return null;
    return (Math.atan2((b[1] - a[1]) * Math.cos((a[0] * Math.PI) / 180), b[0] - a[0]) * 180) / Math.PI;
  }

  /** Bring the step into view where it is not; with `close`, stay close to what the agent sees. */
  follow(now, step) {
    const points = now ? [...this.walk(now, step - 1), ...this.line(now.observation?.visible ?? [])] : this.line([this.doc.episode.start]);
    if (!points.length) return;
    const bounds = L.latLngBounds(points);
    if (this.close) this.map.fitBounds(bounds.pad(0.15), { padding: [40, 40], maxZoom: 18.5, duration: 0.3 });
    else if (!this.map.getBounds().pad(-0.04).contains(bounds)) {
      const fits = this.map.getBoundsZoom(bounds.pad(0.2)) >= this.map.getZoom();
      if (fits) this.map.panTo(bounds.getCenter(), { duration: 0.25 });
      else this.map.fitBounds(bounds.pad(0.2), { maxZoom: this.map.getZoom() });
    }
  }

  // --- pointing

  highlight(refs) { this.pointer.highlight(refs); }

  panTo(ref) {
    const place = this.api.resolve(ref, this.step);
    if (!place.at.length) return;
    const bounds = L.latLngBounds(place.at);
    if (place.at.length > 1) this.map.fitBounds(bounds.pad(0.4), { maxZoom: Math.max(this.map.getZoom(), 17.5) });
    else this.map.setView(bounds.getCenter(), Math.max(this.map.getZoom(), 17.5), { animate: true });
    this.highlight([ref]);
  }

  // --- tools, theme, life

  makeTools() {
    const button = (title, path, press, name) => el("button", { type: "button", class: "nv-button", title, "aria-label": title, data: { tool: name }, on: { mousedown: keepFocus, click: press } }, svg("svg", { viewBox: "0 0 24 24", class: "nv-icon" }, svg("path", { d: path })));
    this.closeButton = button("Stay close to the agent", "M12 3v3M12 18v3M3 12h3M18 12h3M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z", () => { this.close = !this.close; this.closeButton.classList.toggle("nv-on", this.close); if (this.close) this.follow(this.doc.steps[this.step - 1], this.step); else this.fit(); }, "close");
    this.tileButton = button("Map tiles from openstreetmap.org (needs the network)", "M9 4 3.5 6.5v13L9 17l6 3 5.5-2.5v-13L15 7 9 4zM9 4v13M15 7v13", () => this.toggleTiles(), "tiles");
    return el("div", { class: "nv-tools" }, button("Closer", "M12 5v14M5 12h14", () => this.map.zoomIn(), "in"), button("Farther", "M5 12h14", () => this.map.zoomOut(), "out"),
      button("The whole route", "M4 9V5a1 1 0 0 1 1-1h4M20 9V5a1 1 0 0 0-1-1h-4M4 15v4a1 1 0 0 0 1 1h4M20 15v4a1 1 0 0 1-1 1h-4", () => this.fit(), "fit"), this.closeButton, this.tileButton);
  }

  toggleTiles() {
    if (this.tiles) { this.tiles.remove(); this.tiles = null; }
    else this.tiles = L.tileLayer("https://tile.openstreetmap.org/{z}/{x}/{y}.png", { maxNativeZoom: 19, maxZoom: 21, opacity: 0.85 }).addTo(this.map);
    this.tileButton.classList.toggle("nv-on", Boolean(this.tiles));
    this.box.classList.toggle("nv-with-tiles", Boolean(this.tiles));
    this.drawLegend();
  }

  update(doc) {
    const newGround = doc.nodes.ids.length !== this.doc.nodes.ids.length || doc.streets.length !== this.doc.streets.length || doc.episode.id !== this.doc.episode.id;
    const elsewhere = doc.episode.id !== this.doc.episode.id || doc.world !== this.doc.world;
    const from = this.doc;
    this.adopt(doc);
    this.agent.remove();
    if (newGround || doc.end !== from.end || doc.reference.length !== from.reference.length) { this.step = undefined; this.draw(); }
    else this.drawLegend();
    if (elsewhere) this.fit(false);
  }

  setTheme() { this.agent.remove(); this.draw(); }
  resize() {
    this.pen = null;  // the type may have grown
    const size = this.map.getSize(), empty = !size.x || !size.y;
    this.map.invalidateSize({ animate: false, pan: false });
    const now = this.map.getSize();
    if (empty || Math.abs(now.x - size.x) > 0.25 * size.x) this.fit(false);
  }

  destroy() {
    cancelAnimationFrame(this.naming);
    clearTimeout(this.waiting);
    this.map.remove();
    this.map = null;
  }
}

const pairs = (flat) => { const out = []; for (let i = 0; i < flat.length; i += 2) out.push([flat[i], flat[i + 1]]); return out; };
const overlap = (a, b) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];

NavVizPlayer.maps.geo = GeoMap;
