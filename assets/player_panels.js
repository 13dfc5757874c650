// Inspector panels: one renderer a kind. What has no renderer is shown as foldable JSON, so nothing is ever hidden.

const panelRenderers = {
  table(data, linker) {
    const columns = data.columns ?? [];
    const head = el("tr", {}, columns.map((name) => el("th", {}, linker.linked(String(name)))));
    const rows = (data.rows ?? []).map((row) => {
      const cells = Array.isArray(row) ? row : columns.map((name) => row[name]);
      return el("tr", {}, cells.map((cell) => panelCell(cell, linker)));
    });
    return el("div", { class: "nv-scroll-x" }, el("table", { class: "nv-table" }, el("thead", {}, head), el("tbody", {}, rows)));
  },

  bars(data, linker) {
    const items = data.items ?? [];
    const values = items.map((item) => Number(item.value)).filter(Number.isFinite);
    const most = Math.max(...values, 0), least = Math.min(...values, 0), span = most - least || 1;
    return el("div", { class: "nv-bars" }, items.map((item) => {
      const value = Number(item.value), known = item.value !== null && item.value !== undefined && Number.isFinite(value);
      const bar = el("span", { class: "nv-bar", style: { left: `${((Math.min(value, 0) - least) / span) * 100}%`, width: `${(Math.abs(value) / span) * 100}%` } });
      return el("div", { class: item.chosen ? "nv-bar-row nv-chosen" : "nv-bar-row" },
        el("span", { class: "nv-bar-label" }, linker.linked(String(item.label ?? ""))),
        el("span", { class: "nv-bar-track" }, known ? bar : null),
        el("span", { class: "nv-bar-value", text: known ? String(Math.round(value * 1000) / 1000) : DASH }),
        item.note ? el("span", { class: "nv-bar-note" }, linker.linked(String(item.note))) : null);
    }));
  },

  text: (data, linker) => markdown(String(data.text ?? ""), linker),

  keyvalue(data, linker) {
    const items = Array.isArray(data.items) ? data.items : Object.entries(data.items ?? {});
    return el("dl", { class: "nv-keyvalue" }, items.flatMap(([name, value]) => [
      el("dt", {}, linker.linked(String(name))), el("dd", {}, panelValue(value, linker))]));
  },

  directions(data, linker) {
    return el("div", { class: "nv-directions" }, (data.directions ?? []).map((entry) => el("section", {},
      el("h5", { text: String(entry.label ?? "") }),
      entry.text ? el("p", {}, linker.linked(String(entry.text))) : null,
      chips("objects", entry.objects, linker),
      chips("candidates", entry.candidates, linker))));
  },

  graph(data, linker, doc) {
    const at = graphLayout(data, doc);
    const drawing = svg("svg", { viewBox: "0 0 320 220", class: "nv-graph", role: "img" });
    for (const link of data.links ?? []) {
      const [a, b] = Array.isArray(link) ? link : [link.source ?? link.from, link.target ?? link.to];
      const p = at.get(String(a)), q = at.get(String(b));
      if (p && q) drawing.append(svg("line", { x1: p[0], y1: p[1], x2: q[0], y2: q[1] }));
    }
    for (const node of data.nodes ?? []) {
      const id = String(node.id ?? node), p = at.get(id), ref = linker.tokens.get(id);
      const dot = svg("circle", { cx: p[0], cy: p[1], r: node.current ? 7 : 5, class: node.chosen || node.current ? "nv-chosen" : "" });
      const label = svg("text", { x: p[0] + 8, y: p[1] + 4 });
      label.textContent = String(node.label ?? shortId(id)) + (node.score === undefined || node.score === null ? "" : ` ${Math.round(node.score * 100) / 100}`);
      const group = svg("g", { class: ref ? "nv-ref" : "" }, dot, label);
      if (ref) group.dataset.ref = ref;
      drawing.append(group);
    }
    return drawing;
  },
};

const shortId = (id) => (id.length > 12 ? `${id.slice(0, 6)}…` : id);

function panelCell(cell, linker) {
  return typeof cell === "number" ? el("td", { class: "nv-num", text: String(Math.round(cell * 1000) / 1000) }) : el("td", {}, panelValue(cell, linker));
}

function panelValue(value, linker) {
  if (value === null || value === undefined) return DASH;
  if (typeof value === "object") return jsonTree(value, linker, new Map());
  return linker.linked(String(value));
}

function chips(title, items, linker) {
  if (!items?.length) return null;
  return el("div", { class: "nv-chips", title }, items.map((item) => el("span", { class: "nv-chip" },
    linker.linked(typeof item === "object" && item !== null ? Object.values(item).join(" · ") : String(item)))));
}

/** Places in the drawing: the nodes' own x and y, else their places on the map, else a ring. */
function graphLayout(data, doc) {
  const nodes = (data.nodes ?? []).map((node) => (typeof node === "object" ? node : { id: node }));
  const size = doc.frame === "geo" ? 2 : 3;
  const index = new Map(doc.nodes.ids.map((id, i) => [id, i]));
  const raw = nodes.map((node, i) => {
    if (Number.isFinite(node.x) && Number.isFinite(node.y)) return [node.x, -node.y];
    const k = index.get(String(node.id));
    if (k !== undefined) {
      const [a, b] = doc.nodes.at.slice(k * size, k * size + 2);
      return doc.frame === "geo" ? [b * Math.cos((a * Math.PI) / 180), -a] : [a, -b];
    }
    const turn = (2 * Math.PI * i) / nodes.length;
    return [Math.sin(turn), -Math.cos(turn)];
  });
  const xs = raw.map((p) => p[0]), ys = raw.map((p) => p[1]);
  const x0 = Math.min(...xs), y0 = Math.min(...ys);
  const scale = Math.min(240 / (Math.max(...xs) - x0 || 1), 180 / (Math.max(...ys) - y0 || 1));
  return new Map(nodes.map((node, i) => [String(node.id), [20 + (raw[i][0] - x0) * scale, 20 + (raw[i][1] - y0) * scale]]));
}

/** A panel with its title. */
function panelView(panel, linker, doc, folds) {
  const draw = panelRenderers[panel.kind];
  let body;
  try {
    body = draw ? draw(panel.data ?? {}, linker, doc) : jsonTree(panel.data, linker, folds, `panel.${panel.title}`);
  } catch {
    body = jsonTree(panel.data, linker, folds, `panel.${panel.title}`);  // data that does not fit its kind
  }
  return el("section", { class: "nv-panel", data: { kind: panel.kind } }, body);
}
