// The indoor map: a floor plan with a floor switch, drawn from the viewpoint graph, and the 3-D scene beside it.
//
// Two canvases: what stays (rooms, links, paths) and what a step changes. Positions are metres; x to the right, y up.

class IndoorMap {
  constructor(container, doc, api) {
    this.api = api;
    this.box = container;
    this.still = el("canvas", { class: "nv-layer" });
    this.live = el("canvas", { class: "nv-layer", tabindex: -1 });
    this.tip = el("div", { class: "nv-map-tip", hidden: true });
    this.legend = el("div", { class: "nv-legend" });
    this.floorBox = el("div", { class: "nv-floors", role: "group", "aria-label": "Floors" });
    this.plan = el("div", { class: "nv-floorplan" }, this.still, this.live, this.tip, this.floorBox, this.legend);
    this.solid = el("div", { class: "nv-scene" });
    container.classList.add("nv-indoor");
    container.append(this.plan, this.solid, this.makeTools());
    this.floor = 0;
    this.step = 0;
    this.lit = [];
    this.adopt(doc);
    this.setMode(HouseScene.possible(api) && container.clientWidth > 560 ? "both" : "plan");
    this.floor = this.floorOf(doc.episode.start) ?? 0;
    this.size();
    this.fit(false);
    this.listen();
  }

  // --- the document

  adopt(doc) {
    this.doc = doc;
    this.inside = doc.indoor ?? { floors: [{ name: "Floor 1", level_m: 0 }], floor_of: [], stairs: [], rooms: [], doors: [] };
    this.stairs = new Set(this.inside.stairs);
    this.near = new Map();
    for (let i = 0; i < doc.links.length; i += 2) {
      const [a, b] = [doc.links[i], doc.links[i + 1]];
      this.near.set(a, [...(this.near.get(a) ?? []), b]);
      this.near.set(b, [...(this.near.get(b) ?? []), a]);
    }
    this.makeFloors();
    this.drawLegend();
  }

  at(node) {
    const { at } = this.doc.nodes;
    return typeof node === "number" && 3 * node + 2 < at.length ? [at[3 * node], at[3 * node + 1], at[3 * node + 2]] : null;
  }

  floorOf(node) { return typeof node === "number" ? this.inside.floor_of[node] ?? 0 : null; }

  /** The floor of any place, by its height above the floors' levels. */
  floorAt(at) {
    const gaps = this.inside.floors.map(({ level_m }) => { const above = at[2] - level_m; return above > -0.6 ? above : 100 - above; });
    return gaps.indexOf(Math.min(...gaps));
  }

  linked(a, b) { return a === b || (this.near.get(a) ?? []).includes(b); }

  /** Nodes of a step's walk; where the log gives none, straight on to where the next step stands. */
  walk(step, i, steps = this.doc.steps, end = this.doc.end?.node) {
    if (step.path?.length) return step.path;
    const next = i + 1 < steps.length ? steps[i + 1].node : end;
    return next === null || next === undefined || next === step.node ? [step.node] : [step.node, next];
  }

  // --- floors

  makeFloors() {
    const { floors } = this.inside;
    this.floorBox.hidden = floors.length < 2;
    this.floorButtons = floors.map((floor, i) => el("button", { type: "button", class: "nv-floor", data: { floor: i }, text: floor.name, title: `${floor.name}, ${floor.level_m.toFixed(1)} m`, on: { mousedown: keepFocus, click: () => this.setFloor(i) } }));
    this.floorBox.replaceChildren(...[...this.floorButtons].reverse());
  }

  setFloor(floor) {
    if (floor === null || floor === undefined) return;
    this.floor = Math.max(0, Math.min(this.inside.floors.length - 1, floor));
    this.plan.dataset.floor = String(this.floor);
    this.floorButtons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === this.floor)));
    this.drawStill();
    this.drawLive();
  }

  // --- plan, scene or both

  setMode(mode) {
    this.mode = mode;
    this.box.dataset.mode = mode;
    for (const [name, button] of Object.entries(this.modeButtons)) button.classList.toggle("nv-on", name === mode);
    if (mode !== "plan" && !this.scene) {
      this.scene = new HouseScene(this.solid, this.doc, this.api, (ref) => this.pointAt(ref));
      this.scene.start(this.step);
    }
  }

  makeTools() {
    const button = (title, path, press, name) => el("button", { type: "button", class: "nv-button", title, "aria-label": title, data: { tool: name }, on: { mousedown: keepFocus, click: press } }, svg("svg", { viewBox: "0 0 24 24", class: "nv-icon" }, svg("path", { d: path })));
    const mode = (name, title, path) => button(title, path, () => { this.setMode(name); this.resize(); }, name);
    this.modeButtons = { plan: mode("plan", "Floor plan", "M4 4h16v16H4zM4 11h7V4M11 20v-5h9"), both: mode("both", "Plan and 3-D scene", "M3 5h18v14H3zM12 5v14"), scene: mode("scene", "3-D scene", "M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5") };
    const modes = HouseScene.possible(this.api) ? Object.values(this.modeButtons) : [];
    return el("div", { class: "nv-tools" }, button("Closer", "M12 5v14M5 12h14", () => this.zoom(1.4), "in"), button("Farther", "M5 12h14", () => this.zoom(1 / 1.4), "out"),
      button("The whole house", "M4 9V5a1 1 0 0 1 1-1h4M20 9V5a1 1 0 0 0-1-1h-4M4 15v4a1 1 0 0 0 1 1h4M20 15v4a1 1 0 0 1-1 1h-4", () => this.fit(), "fit"), ...modes);
  }

  // --- view

  size() {
    const { clientWidth: w, clientHeight: h } = this.plan, ratio = globalThis.devicePixelRatio || 1;
    this.w = w; this.h = h;
    for (const canvas of [this.still, this.live]) {
      canvas.width = Math.max(1, Math.round(w * ratio));
      canvas.height = Math.max(1, Math.round(h * ratio));
      canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
    }
  }

  /** The whole house, or as much of it as lies around the episode's paths. */
  fit(whole = true) {
    const house = [], way = [], { doc } = this;
    for (let i = 0; i < doc.nodes.ids.length; i += 1) house.push(this.at(i));
    for (const { box_m: [west, south, east, north] } of this.inside.rooms) house.push([west, south], [east, north]);
    for (const node of [...doc.reference, doc.episode.start, ...doc.steps.flatMap((step, i) => this.walk(step, i))]) if (this.at(node)) way.push(this.at(node));
    const all = extent(house), near = extent(way, 5), box = whole || !way.length ? all : all.map((edge, i) => (i < 2 ? Math.max(edge, near[i]) : Math.min(edge, near[i])));
    const [west, south, east, north] = box.every(Number.isFinite) ? box : [-3, -3, 3, 3];
    const room = Math.min(44, 0.045 * Math.min(this.w, this.h)) + 10, tools = this.mode === "plan" ? 44 : 0;
    const k = Math.max(2, Math.min(110, (this.w - 2 * room - tools) / (east - west || 6), (this.h - 2 * room) / (north - south || 6)));
    this.view = { x: (west + east) / 2 + tools / 2 / k, y: (south + north) / 2, k };
    this.setFloor(this.floor);
  }

  zoom(factor, [px, py] = [this.w / 2, this.h / 2]) {
    const [x, y] = this.metres(px, py), k = Math.max(2, Math.min(400, this.view.k * factor));
    this.view = { k, x: x - (px - this.w / 2) / k, y: y + (py - this.h / 2) / k };
    this.drawStill();
    this.drawLive();
  }

  px([x, y]) { return [this.w / 2 + (x - this.view.x) * this.view.k, this.h / 2 - (y - this.view.y) * this.view.k]; }
  metres(px, py) { return [this.view.x + (px - this.w / 2) / this.view.k, this.view.y - (py - this.h / 2) / this.view.k]; }

  // --- pens

  path(pen, points, { color, width = 1, dash = [], alpha = 1, cap = "round" }) {
    if (points.length < 2) return;
    Object.assign(pen, { strokeStyle: color, lineWidth: width, globalAlpha: alpha, lineCap: cap, lineJoin: "round" });
    pen.setLineDash(dash);
    pen.beginPath();
    points.forEach((p, i) => (i ? pen.lineTo(...p) : pen.moveTo(...p)));
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  disc(pen, [x, y], radius, { fill, stroke, width = 1.5, dash = [], alpha = 1 }) {
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.globalAlpha = alpha;
    if (fill) { pen.fillStyle = fill; pen.fill(); }
    pen.globalAlpha = 1;
    if (stroke) { Object.assign(pen, { strokeStyle: stroke, lineWidth: width }); pen.setLineDash(dash); pen.stroke(); pen.setLineDash([]); }
  }

  font(size, weight = 500) {
    this.face ??= getComputedStyle(this.box).fontFamily;
    const scale = this.box.closest(".nv-present") ? 1.35 : 1;
    return `${weight} ${size * scale}px ${this.face}`;
  }

  text(pen, words, [x, y], { color, size = 11.5, weight = 500, align = "left", halo = this.api.color("ground") }) {
    Object.assign(pen, { font: this.font(size, weight), textAlign: align, textBaseline: "middle", lineWidth: 3.5, strokeStyle: halo, fillStyle: color, lineJoin: "round" });
    pen.strokeText(words, x, y);
    pen.fillText(words, x, y);
  }

  /** Set a label beside a place where it covers no other; false where there is no room. */
  label(pen, words, [x, y], options = {}) {
    pen.font = this.font(options.size ?? 11.5, options.weight ?? 500);
    const width = pen.measureText(words).width, high = (options.size ?? 11.5) * 0.75, gap = options.gap ?? 8;
    const spots = [[x + gap, y], [x - gap - width, y], [x - width / 2, y - gap - high], [x - width / 2, y + gap + high]];
    const spot = spots.map(([left, middle]) => [left, middle - high, left + width, middle + high]).find((box) => inside(box, options.within ?? [2, 2, this.w - 2, this.h - 2]) && !this.taken.some((other) => overlap(box, other)));
    if (!spot) return false;
    this.taken.push(spot);
    this.text(pen, words, [spot[0], (spot[1] + spot[3]) / 2], options);
    return true;
  }

  // --- what does not move

  drawStill() {
    const pen = this.still.getContext("2d");
    pen.clearRect(0, 0, this.w, this.h);
    this.taken = [...this.furniture(), ...this.alongPaths()];
    if (this.inside.rooms.length) this.drawRooms(pen);
    else this.drawGround(pen);
    this.drawLinks(pen);
    this.drawReference(pen);
    this.drawCompared(pen);
    this.drawEnds(pen);
    this.drawObjects(pen);
    this.drawScale(pen);
    this.takenStill = this.taken;
  }

  /** Room that the buttons and the legend take. */
  furniture() {
    const size = [this.w - 52, 0, this.w, this.mode === "both" ? 0 : 220];
    return [size, [0, this.h - 40, Math.min(this.w, 420), this.h], [0, 0, 130, 26 + 30 * this.inside.floors.length * (this.inside.floors.length > 1)]];
  }

  /** Room along the paths, so that no name covers them. */
  alongPaths() {
    const boxes = [], { doc } = this;
    for (const nodes of [doc.reference, ...doc.steps.map((step, i) => this.walk(step, i))]) {
      for (let i = 0; i + 1 < nodes.length; i += 1) {
        const [a, b] = [this.at(nodes[i]), this.at(nodes[i + 1])];
        if (!a || !b || (this.floorOf(nodes[i]) !== this.floor && this.floorOf(nodes[i + 1]) !== this.floor)) continue;
        const p = this.px(a), q = this.px(b), parts = Math.max(1, Math.ceil(Math.hypot(q[0] - p[0], q[1] - p[1]) / 12));
        for (let s = 0; s <= parts; s += 1) { const [x, y] = [p[0] + ((q[0] - p[0]) * s) / parts, p[1] + ((q[1] - p[1]) * s) / parts]; boxes.push([x - 5, y - 5, x + 5, y + 5]); }
      }
    }
    return boxes;
  }

  drawRooms(pen) {
    const { color } = this.api, { rooms, doors } = this.inside;
    const here = rooms.filter((room) => room.floor === this.floor);
    for (const { box_m: [west, south, east, north] } of here) {
      const [x, y] = this.px([west, north]), [w, h] = [(east - west) * this.view.k, (north - south) * this.view.k];
      pen.fillStyle = color("paper");
      pen.fillRect(x, y, w, h);
      Object.assign(pen, { strokeStyle: color("mute"), lineWidth: Math.max(1.5, 0.1 * this.view.k), lineJoin: "miter" });
      pen.strokeRect(x, y, w, h);
    }
    for (const door of doors.filter((item) => item.floor === this.floor)) {
      const [x, y] = this.px(door.at_m), side = 0.45 * this.view.k;
      const upright = here.some(({ box_m: [west, , east] }) => Math.abs(west - door.at_m[0]) < 0.01 || Math.abs(east - door.at_m[0]) < 0.01);
      this.path(pen, upright ? [[x, y - side], [x, y + side]] : [[x - side, y], [x + side, y]], { color: color("paper"), width: Math.max(3, 0.16 * this.view.k), cap: "butt" });
    }
    for (const { name, box_m: [west, south, east, north] } of here) {
      const [x, y] = this.px([(west + east) / 2, north]);
      if ((east - west) * this.view.k < 46) continue;
      const middle = y + Math.max(11, 0.3 * this.view.k);
      this.text(pen, name, [x, middle], { color: color("mute"), size: 12.5, weight: 650, align: "center", halo: color("paper") });
      const half = pen.measureText(name).width / 2;
      this.taken.push([x - half, middle - 8, x + half, middle + 8]);
    }
  }

  /** Where nobody drew the rooms: the ground that the links span. */
  drawGround(pen) {
    const { links, nodes } = this.doc, { color } = this.api, wide = 1.7 * this.view.k;
    for (let i = 0; i < links.length; i += 2) {
      if (this.floorOf(links[i]) !== this.floor || this.floorOf(links[i + 1]) !== this.floor) continue;
      this.path(pen, [this.px(this.at(links[i])), this.px(this.at(links[i + 1]))], { color: color("street"), width: wide });
    }
    nodes.ids.forEach((_, i) => { if (this.floorOf(i) === this.floor) this.disc(pen, this.px(this.at(i)), wide / 2, { fill: color("street") }); });
  }

  drawLinks(pen) {
    const { links, nodes } = this.doc, { color } = this.api;
    this.up = new Map();
    for (let i = 0; i < links.length; i += 2) {
      const [a, b] = [links[i], links[i + 1]], [f, g] = [this.floorOf(a), this.floorOf(b)];
      if (f === this.floor && g === this.floor) this.path(pen, [this.px(this.at(a)), this.px(this.at(b))], { color: color("node"), width: 1.1 });
      else if (f === this.floor || g === this.floor) this.drawStairs(pen, f === this.floor ? a : b, f === this.floor ? b : a);
    }
    nodes.ids.forEach((_, i) => {
      if (this.floorOf(i) !== this.floor) return;
      this.disc(pen, this.px(this.at(i)), this.stairs.has(i) ? 3 : 2.6, { fill: this.stairs.has(i) ? color("ground") : color("poi"), stroke: this.stairs.has(i) ? color("poi") : null });
    });
  }

  /** A link to another floor: steps drawn across it, and where it goes. */
  drawStairs(pen, here, there) {
    const { color } = this.api, p = this.px(this.at(here)), q = this.px(this.at(there));
    const length = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1, [dx, dy] = [(q[0] - p[0]) / length, (q[1] - p[1]) / length];
    this.path(pen, [p, q], { color: color("node"), width: 1.1, dash: [3, 3] });
    for (let s = 6; s < Math.min(length, 60); s += 6) {
      const x = p[0] + dx * s, y = p[1] + dy * s;
      this.path(pen, [[x - dy * 6, y + dx * 6], [x + dy * 6, y - dx * 6]], { color: color("mute"), width: 1.4, cap: "butt" });
    }
    const rises = this.at(there)[2] > this.at(here)[2], far = this.floorOf(there);
    this.up.set(here, far);
    this.label(pen, `${rises ? "↑" : "↓"} ${this.inside.floors[far].name}`, q, { color: color("mute"), weight: 600, gap: 6 });
  }

  drawObjects(pen) {
    const { color } = this.api;
    for (const poi of this.doc.pois) {
      if (this.floorAt(poi.at) !== this.floor) continue;
      const [x, y] = this.px(poi.at);
      pen.fillStyle = color("poi");
      pen.fillRect(x - 2.5, y - 2.5, 5, 5);
      this.taken.push([x - 4, y - 4, x + 4, y + 4]);
    }
    if (this.view.k < 22) return;
    for (const poi of this.doc.pois) if (this.floorAt(poi.at) === this.floor) this.label(pen, poi.name, this.px(poi.at), { color: color("mute"), size: 10.5, gap: 5, halo: color("paper"), within: this.roomAround(poi.at) });
  }

  /** Edges in pixels of the room that a place lies in; null where nobody drew rooms. */
  roomAround([x, y]) {
    const room = this.inside.rooms.find(({ floor, box_m: [west, south, east, north] }) => floor === this.floor && x >= west && x <= east && y >= south && y <= north);
    return room ? [...this.px([room.box_m[0], room.box_m[3]]), ...this.px([room.box_m[2], room.box_m[1]])] : null;
  }

  /** A path with the part on this floor in full and the rest faint. */
  ways(pen, nodes, style) {
    for (let i = 0; i + 1 < nodes.length; i += 1) {
      const [a, b] = [nodes[i], nodes[i + 1]], p = this.at(a), q = this.at(b);
      if (!p || !q) continue;
      const here = this.floorOf(a) === this.floor || this.floorOf(b) === this.floor, jump = !this.linked(a, b);
      const look = jump ? { ...style, color: this.api.color("bad"), dash: [2, 5], width: Math.min(style.width, 3) } : style;
      this.path(pen, [this.px(p), this.px(q)], { ...look, alpha: (style.alpha ?? 1) * (here ? 1 : 0.16) });
    }
  }

  drawReference(pen) {
    const { doc } = this, { color } = this.api;
    this.ways(pen, doc.reference, { color: color("reference"), width: 7, dash: [9, 7], cap: "butt" });
    const goal = typeof doc.episode.goal === "number" ? doc.episode.goal : doc.reference.at(-1), at = this.at(goal);
    if (at && this.floorOf(goal) === this.floor) this.disc(pen, this.px(at), doc.episode.success_radius_m * this.view.k, { fill: color("reference"), alpha: 0.09, stroke: color("reference"), dash: [3, 4] });
  }

  drawCompared(pen) {
    const other = this.doc.compare;
    if (!other) return;
    this.ways(pen, other.steps.flatMap((step, i) => this.walk(step, i, other.steps, other.end)), { color: this.api.color("other"), width: 4, dash: [12, 5, 2, 5], cap: "butt" });
  }

  drawEnds(pen) {
    const { doc } = this, { color } = this.api;
    const sign = (node, name, draw) => {
      const at = this.at(node);
      if (!at || this.floorOf(node) !== this.floor) return;
      const p = this.px(at);
      draw(p);
      this.taken.push([p[0] - 12, p[1] - 12, p[0] + 12, p[1] + 12]);
      this.label(pen, name, p, { color: name === "Goal" ? color("reference") : color("landmark"), size: 12.5, weight: 650, gap: 13 });
    };
    sign(typeof doc.episode.start === "number" ? doc.episode.start : doc.reference[0], "Start", (p) => this.disc(pen, p, 7.5, { fill: color("paper"), stroke: color("ink"), width: 4 }));
    sign(typeof doc.episode.goal === "number" ? doc.episode.goal : doc.reference.at(-1), "Goal", (p) => this.star(pen, p, color("reference"), color("paper")));
    for (const [i, task] of (doc.episode.tasks ?? []).entries()) for (const node of task.goals) sign(node, String(i + 1), (p) => this.star(pen, p, color("reference"), color("paper")));
  }

  star(pen, [x, y], fill, edge) {
    pen.beginPath();
    for (let i = 0; i < 10; i += 1) {
      const r = i % 2 ? 4.8 : 11, turn = (Math.PI * i) / 5;
      pen[i ? "lineTo" : "moveTo"](x + r * Math.sin(turn), y - r * Math.cos(turn));
    }
    pen.closePath();
    Object.assign(pen, { fillStyle: fill, strokeStyle: edge, lineWidth: 2 });
    pen.stroke();
    pen.fill();
  }

  drawScale(pen) {
    const metres = [0.5, 1, 2, 5, 10, 20].find((m) => m * this.view.k > 50) ?? 50, long = metres * this.view.k, { color } = this.api;
    const [x, y] = [this.w - 16, this.h - 14];
    this.path(pen, [[x - long, y - 5], [x - long, y], [x, y], [x, y - 5]], { color: color("mute"), width: 1.4, cap: "butt" });
    this.text(pen, `${metres} m`, [x - long / 2, y - 8], { color: color("mute"), size: 11, align: "center" });
  }

  drawLegend() {
    const { doc } = this, seen = doc.steps.some((step) => step.observation?.candidates.length), jumps = doc.steps.some((step) => step.jumps?.length);
    const items = [["reference", "reference path", doc.reference.length], ["agent", "agent", doc.steps.length], ["other", doc.compare?.label, doc.compare], ["offered", "navigable", seen || doc.steps.length], ["jump", "jump", jumps]];
    this.legend.replaceChildren(...items.filter(([, , there]) => there).map(([kind, name]) => el("span", {}, el("i", { class: `nv-key nv-key-${kind}` }), name)));
  }

  // --- what moves

  showStep(step) {
    this.step = step;
    const now = this.doc.steps[step - 1], node = step === 0 ? this.doc.episode.start : now?.node;
    const floor = this.floorOf(node);
    this.plan.dataset.node = String(node ?? "");
    this.scene?.showStep(step);
    if (floor !== null && floor !== this.floor) this.setFloor(floor);
    else this.drawLive();
  }

  drawLive() {
    const pen = this.live.getContext("2d"), { color } = this.api, { doc, step } = this;
    pen.clearRect(0, 0, this.w, this.h);
    this.taken = [...(this.takenStill ?? [])];
    const now = doc.steps[step - 1];
    const before = doc.steps.slice(0, step).flatMap((entry, i) => this.walk(entry, i));
    const after = doc.steps.slice(step).flatMap((entry, i) => this.walk(entry, i + step));
    this.ways(pen, [...before.slice(-1), ...after], { color: color("agent"), width: 2, dash: [1, 6], alpha: 0.8 });
    this.ways(pen, before, { color: color("agent"), width: 3.5 });
    if (step === doc.steps.length && doc.end) this.drawStop(pen, before.at(-1));
    if (now) this.drawStep(pen, now);
    this.drawAgent(pen, now);
    for (const ref of this.lit) this.ring(pen, ref);
  }

  heading(now) { return (this.step === 0 ? this.doc.episode.start_heading_deg : now?.heading_deg) ?? null; }

  drawStep(pen, now) {
    const { color } = this.api, at = this.at(now.node), heading = this.heading(now);
    const here = this.floorOf(now.node) === this.floor;
    if (at && here && heading !== null && this.seesAround(now)) this.drawSectors(pen, at, heading);
    const move = this.walk(now, this.step - 1);
    if (move.length > 1) {
      this.ways(pen, move, { color: color("paper"), width: 9 });
      this.ways(pen, move, { color: color("agent"), width: 5.5 });
    }
    if (!here) return;
    for (const poi of this.placed(now, at, heading)) this.drawSeen(pen, poi);
    for (const item of this.candidates(now, at, heading)) this.drawCandidate(pen, item);
    const aim = this.at(now.decision?.target);
    if (aim && now.decision.legal === false) this.cross(pen, this.px(aim));
  }

  seesAround(now) { return now.observation?.format?.startsWith("panorama") || now.panels?.some((panel) => panel.kind === "directions"); }

  /** The eight sectors of 45 degrees, fixed to the house; the one that the agent calls its front is filled. */
  drawSectors(pen, at, heading) {
    const { color } = this.api, [x, y] = this.px(at), r = 3 * this.view.k, front = Math.floor((((heading % 360) + 22.5) % 360) / 45);
    const turn = (deg) => ((deg - 90) * Math.PI) / 180;
    pen.beginPath();
    pen.moveTo(x, y);
    pen.arc(x, y, r, turn(front * 45 - 22.5), turn(front * 45 + 22.5));
    pen.closePath();
    pen.globalAlpha = 0.2;
    pen.fillStyle = color("seen");
    pen.fill();
    pen.globalAlpha = 1;
    this.disc(pen, [x, y], r, { stroke: color("seen-ink"), width: 1, dash: [2, 4] });
    for (let k = 0; k < 8; k += 1) {
      const angle = turn(k * 45 + 22.5);
      this.path(pen, [[x + 0.55 * r * Math.cos(angle), y + 0.55 * r * Math.sin(angle)], [x + r * Math.cos(angle), y + r * Math.sin(angle)]], { color: color("seen-ink"), width: 1, alpha: 0.5 });
    }
  }

  /** What the agent was shown near it, where its angle and distance put it. */
  placed(now, at, heading) {
    return (now.observation?.pois ?? []).map((poi) => {
      const said = /^(left|right) ([\d.]+)/.exec(poi.direction ?? "");
      if (!said || heading === null || !at || poi.distance_m === undefined) return poi.at && !poi.approximate ? poi : null;
      const angle = ((heading + (said[1] === "left" ? -1 : 1) * Number(said[2])) * Math.PI) / 180;
      return { ...poi, at: [at[0] + poi.distance_m * Math.sin(angle), at[1] + poi.distance_m * Math.cos(angle), at[2]] };
    }).filter(Boolean);
  }

  drawSeen(pen, poi) {
    const { color } = this.api, [x, y] = this.px(poi.at);
    Object.assign(pen, { fillStyle: color("landmark"), strokeStyle: color("ground"), lineWidth: 2 });
    pen.beginPath();
    pen.moveTo(x, y - 6); pen.lineTo(x + 6, y); pen.lineTo(x, y + 6); pen.lineTo(x - 6, y);
    pen.closePath();
    pen.stroke();
    pen.fill();
    this.label(pen, poi.name.replace(/_\d+$/, ""), [x, y], { color: color("landmark"), size: 11.5, weight: 600, gap: 9 });
  }

  /** The viewpoints one can go to: those that the agent was offered, else those that are linked. */
  candidates(now, at, heading) {
    const offered = now.observation?.candidates ?? [];
    if (offered.length || !at) return offered;
    return (this.near.get(now.node) ?? []).map((node) => {
      const there = this.at(node), bearing = (Math.atan2(there[0] - at[0], there[1] - at[1]) * 180) / Math.PI;
      return { node, state: node === now.decision?.target ? "chosen" : "offered", distance_m: Math.hypot(...there.map((v, i) => v - at[i])), angle_deg: heading === null ? undefined : ((bearing - heading + 540) % 360) - 180 };
    });
  }

  drawCandidate(pen, item) {
    const at = this.at(item.node), { color } = this.api;
    if (!at) return;
    const p = this.px(at), chosen = item.state === "chosen", tint = color(item.state === "rejected" ? "rejected" : chosen ? "chosen" : "offered");
    this.disc(pen, p, chosen ? 7.5 : 6, { fill: chosen ? tint : color("ground"), stroke: tint, width: 2.4 });
    if (chosen) this.path(pen, [[p[0] - 3.2, p[1]], [p[0] - 0.8, p[1] + 2.8], [p[0] + 3.6, p[1] - 3]], { color: color("paper"), width: 2 });
    const words = this.angleWords(item);
    if (words && this.view.k > 14) this.label(pen, words, p, { color: tint, size: 11, weight: 600, gap: 10 });
  }

  angleWords(item) {
    const far = item.distance_m === undefined ? null : `${item.distance_m.toFixed(1)} m`;
    const angle = item.angle_deg === undefined ? null : `${item.angle_deg < 0 ? "left" : "right"} ${Math.abs(item.angle_deg).toFixed(0)}°`;
    return [angle, far, typeof item.node === "number" && this.floorOf(item.node) !== this.floor ? "other floor" : null].filter(Boolean).join(", ");
  }

  cross(pen, [x, y]) {
    for (const side of [1, -1]) this.path(pen, [[x - 7, y - 7 * side], [x + 7, y + 7 * side]], { color: this.api.color("bad"), width: 4 });
  }

  drawStop(pen, node) {
    const at = this.at(node), { color } = this.api;
    if (!at || this.floorOf(node) !== this.floor) return;
    const [x, y] = this.px(at);
    Object.assign(pen, { fillStyle: color("agent"), strokeStyle: color("paper"), lineWidth: 2.5 });
    pen.strokeRect(x - 16, y + 8, 9, 9);
    pen.fillRect(x - 16, y + 8, 9, 9);
    this.text(pen, "Stop", [x - 3, y + 13], { color: color("agent"), size: 12.5, weight: 650 });
  }

  drawAgent(pen, now) {
    const node = this.step === 0 ? this.doc.episode.start : now?.node, at = this.at(node), { color } = this.api;
    if (!at) return;
    const [x, y] = this.px(at), heading = this.heading(now), elsewhere = this.floorOf(node) !== this.floor;
    pen.save();
    pen.translate(x, y);
    pen.globalAlpha = elsewhere ? 0.35 : 1;
    this.disc(pen, [0, 0], 12.5, { fill: color("agent"), stroke: color("paper"), width: 2.5, alpha: elsewhere ? 0.35 : 1 });
    if (heading !== null) {
      pen.rotate((heading * Math.PI) / 180);
      pen.beginPath();
      pen.moveTo(0, -9); pen.lineTo(6.2, 7.5); pen.lineTo(0, 4.2); pen.lineTo(-6.2, 7.5);
      pen.closePath();
      pen.fillStyle = color("paper");
      pen.fill();
    }
    pen.restore();
    if (elsewhere) this.label(pen, `agent: ${this.inside.floors[this.floorOf(node)].name}`, [x, y], { color: color("agent"), weight: 650, gap: 14 });
  }

  // --- pointing

  places(ref) { return this.api.resolve(ref, this.step).at ?? []; }

  highlight(refs) {
    this.lit = refs;
    this.plan.dataset.lit = refs.join(" ");
    this.drawLive();
    this.scene?.highlight(refs.flatMap((ref) => this.places(ref)));
  }

  ring(pen, ref) {
    const { color } = this.api;
    for (const at of this.places(ref)) {
      const p = this.px(at), floor = ref[0] === "n" ? this.floorOf(Number(ref.slice(2))) : this.floorAt(at), here = floor === this.floor;
      this.disc(pen, p, 15, { fill: color("lit"), alpha: here ? 0.25 : 0.1, stroke: color("lit"), width: 4, dash: here ? [] : [4, 4] });
      if (here) this.disc(pen, p, 5, { fill: color("lit"), stroke: color("ground") });
      else this.label(pen, `on ${this.inside.floors[floor]?.name}`, p, { color: color("lit"), weight: 650, gap: 18 });
    }
  }

  panTo(ref) {
    const [at] = this.places(ref);
    if (!at) return;
    this.view = { ...this.view, x: at[0], y: at[1] };
    this.lit = [ref];
    this.setFloor(ref[0] === "n" ? this.floorOf(Number(ref.slice(2))) : this.floorAt(at));
    this.scene?.highlight([at]);
  }

  /** The mouse is over a node, here or in the scene. */
  pointAt(ref) {
    if (ref === this.pointed) return;
    this.pointed = ref;
    this.api.hover(ref ? [ref] : []);
    this.highlight(ref ? [ref] : []);
  }

  nearest(px, py) {
    let best = null, least = 14;
    const look = (at, ref, floor, extra) => {
      if (floor !== this.floor) return;
      const p = this.px(at), d = Math.hypot(p[0] - px, p[1] - py);
      if (d < least) { least = d; best = { ref, p, ...extra }; }
    };
    this.doc.nodes.ids.forEach((_, i) => look(this.at(i), `n:${i}`, this.floorOf(i), { node: i }));
    least = Math.min(least, 9);
    for (const poi of this.doc.pois) look(poi.at, `s:${poi.name.toLowerCase()}`, this.floorAt(poi.at), { poi });
    return best;
  }

  showTip(found) {
    const lines = [];
    if (found.poi) lines.push(el("b", { text: found.poi.name }));
    else {
      const now = this.doc.steps[this.step - 1], at = this.at(now?.node), item = at ? this.candidates(now, at, this.heading(now)).find((other) => other.node === found.node) : null;
      lines.push(el("b", { class: "nv-id", text: this.doc.nodes.ids[found.node] }), this.stairs.has(found.node) ? "on the stairs" : this.inside.floors[this.floorOf(found.node)].name, item ? this.angleWords(item) : "");
    }
    const spoken = this.api.mentions(found.ref);
    if (spoken) lines.push(`in the text ${spoken === 1 ? "once" : `${spoken} times`}`);
    this.tip.replaceChildren(...lines.filter(Boolean).map((line) => el("div", {}, line)));
    this.tip.hidden = false;
    this.tip.style.left = `${Math.min(found.p[0] + 16, this.w - this.tip.offsetWidth - 8)}px`;
    this.tip.style.top = `${Math.max(8, Math.min(found.p[1] + 14, this.h - this.tip.offsetHeight - 8))}px`;
  }

  listen() {
    const on = (event, handler, options) => this.live.addEventListener(event, handler, options);
    const where = (event) => { const box = this.live.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    on("wheel", (event) => { event.preventDefault(); this.zoom(Math.exp(-event.deltaY / 400), where(event)); }, { passive: false });
    on("pointerdown", (event) => { this.drag = { from: where(event), view: this.view, moved: false }; this.live.setPointerCapture(event.pointerId); });
    on("pointerup", (event) => {
      const { drag } = this;
      this.drag = null;
      const found = drag && !drag.moved ? this.nearest(...where(event)) : null;
      if (found) this.api.pick(found.ref);
    });
    on("pointermove", (event) => {
      const [px, py] = where(event), { drag } = this;
      if (drag) return this.dragTo(px, py);
      const found = this.nearest(px, py);
      this.pointAt(found?.ref ?? null);
      if (found) this.showTip(found);
      else this.tip.hidden = true;
      this.live.style.cursor = found ? "pointer" : "grab";
    });
    on("pointerleave", () => { this.tip.hidden = true; this.pointAt(null); });
    on("dblclick", () => this.fit());
  }

  dragTo(px, py) {
    const { from, view } = this.drag, [dx, dy] = [px - from[0], py - from[1]];
    if (Math.hypot(dx, dy) < 3 && !this.drag.moved) return;
    this.drag.moved = true;
    this.view = { ...view, x: view.x - dx / view.k, y: view.y + dy / view.k };
    this.drawStill();
    this.drawLive();
  }

  // --- life

  update(doc) {
    const elsewhere = doc.episode.id !== this.doc.episode.id || doc.world !== this.doc.world;
    this.adopt(doc);
    if (elsewhere) this.fit(false);
    else this.setFloor(this.floor);
    this.scene?.update(doc);
  }

  setTheme() {
    this.setFloor(this.floor);
    this.scene?.redraw();
  }

  resize() {
    const { w, h } = this;
    this.size();
    if (!w || !h || Math.abs(this.w - w) > 0.2 * w || Math.abs(this.h - h) > 0.2 * h) this.fit(false);
    else this.setFloor(this.floor);
    this.scene?.resize();
  }

  destroy() { this.scene?.destroy(); }
}

/** West, south, east and north of some points, with a margin in metres. */
const extent = (points, margin = 0) => [Math.min(...points.map((p) => p[0])) - margin, Math.min(...points.map((p) => p[1])) - margin, Math.max(...points.map((p) => p[0])) + margin, Math.max(...points.map((p) => p[1])) + margin];
const inside = (box, edges) => box[0] > edges[0] && box[1] > edges[1] && box[2] < edges[2] && box[3] < edges[3];

NavVizPlayer.maps.metric = IndoorMap;
