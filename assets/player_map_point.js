// Pointing on the outdoor map: what the mouse is over lights up in the text, and what the text points at lights up here.

class MapPointer {
  constructor(geo) {
    this.geo = geo;
    this.tip = el("div", { class: "nv-map-tip", hidden: true });
    geo.box.append(this.tip);
    this.listen();
  }

  highlight(refs) {
    this.geo.groups.light.clearLayers();
    for (const node of this.geo.box.querySelectorAll(".nv-sign.nv-lit")) node.classList.remove("nv-lit");
    for (const ref of refs) {
      const place = this.geo.api.resolve(ref, this.geo.step);
      for (const at of place.at) this.ring(at);
      for (const node of this.geo.box.querySelectorAll(`.nv-sign[data-ref="${CSS.escape(ref)}"]`)) node.classList.add("nv-lit");
    }
  }

  ring(at) {
    const { color } = this.geo.api;
    this.geo.shape(L.circleMarker, at, "light", "light", { radius: 15, color: color("lit"), weight: 4, fillColor: color("lit"), fillOpacity: 0.25 });
    this.geo.shape(L.circleMarker, at, "light", "light", { radius: 5, color: color("ground"), weight: 1.5, fillColor: color("lit"), fillOpacity: 1 });
  }

  listen() {
    this.geo.map.on("mousemove", (event) => { this.mouse = event; this.pointing ??= requestAnimationFrame(() => { this.pointing = null; this.point(); }); });
    this.geo.map.on("mouseout", () => this.leave());
    this.geo.map.on("movestart", () => { this.tip.hidden = true; });
    this.geo.map.on("click", (event) => { const found = this.nearest(event.containerPoint); if (found) this.geo.api.pick(found.ref); });
  }

  point() {
    if (!this.mouse || !this.geo.map) return;
    const found = this.nearest(this.mouse.containerPoint);
    if (found?.ref === this.pointed) return;
    this.pointed = found?.ref;
    if (!found) { this.leave(); return; }
    this.geo.api.hover([found.ref]);
    this.highlight([found.ref]);
    this.showTip(found);
  }

  leave() {
    if (!this.pointed && this.tip.hidden) return;
    this.pointed = undefined;
    this.tip.hidden = true;
    this.geo.api.hover([]);
    this.highlight([]);
  }

  /** The nearest node or POI within a finger's width of a point. */
  nearest(point) {
    let best = null, least = 14;
    const look = (at, make) => {
      const p = this.geo.map.latLngToContainerPoint(at), d = Math.hypot(p.x - point.x, p.y - point.y);
      if (d < least) { least = d; best = make(p); }
    };
    const reach = this.geo.map.containerPointToLatLng(point.add([14, -14])), here = this.geo.map.containerPointToLatLng(point);
    const dLat = Math.abs(reach.lat - here.lat), dLon = Math.abs(reach.lng - here.lng), at = this.geo.doc.nodes.at;
    for (let i = 0; i < at.length; i += 2) {
      if (Math.abs(at[i] - here.lat) < dLat && Math.abs(at[i + 1] - here.lng) < dLon) look([at[i], at[i + 1]], (p) => ({ ref: `n:${i / 2}`, node: i / 2, p }));
    }
    least = Math.min(least, 10);
    for (const poi of [...this.geo.doc.pois, ...(this.geo.seen ?? [])]) {
      if (Math.abs(poi.at[0] - here.lat) < dLat && Math.abs(poi.at[1] - here.lng) < dLon) look(poi.at, (p) => ({ ref: `s:${poi.name.toLowerCase()}`, poi, p }));
    }
    return best;
  }

  showTip({ ref, node, poi, p }) {
    const lines = [];
    if (poi) lines.push(el("b", { text: poi.name }), poi.kind ?? "", poi.distance_m === undefined ? "" : `${amount(poi.distance_m, 1)} m away`);
    else {
      const crossing = this.geo.doc.nodes.crossings.includes(node);
      const near = [...new Set((this.geo.seen ?? []).filter((other) => other.node === node).map((other) => other.name))];
      lines.push(el("b", { class: "nv-id", text: this.geo.doc.nodes.ids[node] }), crossing ? "intersection" : "street node", near.length ? `landmarks here: ${near.join(", ")}` : "");
    }
    const spoken = this.geo.api.mentions(ref);
    if (spoken) lines.push(`in the text ${spoken === 1 ? "once" : `${spoken} times`}`);
    this.tip.replaceChildren(...lines.filter(Boolean).map((line) => el("div", {}, line)));
    this.tip.hidden = false;
    const size = this.geo.map.getSize();
    this.tip.style.left = `${Math.min(p.x + 16, size.x - this.tip.offsetWidth - 8)}px`;
    this.tip.style.top = `${Math.max(8, Math.min(p.y + 14, size.y - this.tip.offsetHeight - 8))}px`;
  }
}
