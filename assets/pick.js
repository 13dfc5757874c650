// Choosing a start and a goal: the streets around a place on Leaflet's canvas, a click takes the nearest node.
//
// NavVizPick.mount(root, doc, {mode, onPick(index)}) -> {update(doc, options), destroy()}

/* global L */

(() => {
  const LIGHT = { ground: "#f3f4f2", casing: "#d5d8d6", street: "#ffffff", node: "#8d97a3", start: "#1b232c", goal: "#0072b2", hover: "#00a2c7", ink: "#1b232c" };
  const DARK = { ground: "#14181d", casing: "#0d1013", street: "#3a434e", node: "#7c8794", start: "#e8edf3", goal: "#56b4e9", hover: "#63e0ff", ink: "#e8edf3" };

  class Pick {
    constructor(root, doc, options) {
      this.root = root;
      this.options = options;
      root.style.cssText = "position:relative;border-radius:8px;overflow:hidden;isolation:isolate";
      this.box = document.createElement("div");
      this.box.style.cssText = "height:100%;width:100%";
      this.box.setAttribute("role", "application");
      this.box.setAttribute("aria-label", "Map: click to choose a start and a goal");
      this.tip = document.createElement("div");
      this.tip.style.cssText = "position:absolute;left:50%;top:10px;transform:translateX(-50%);z-index:800;padding:4px 10px;border-radius:6px;font:14px/1.4 sans-serif;pointer-events:none";
      root.append(this.box, this.tip);
      this.map = L.map(this.box, { zoomControl: true, attributionControl: false, preferCanvas: true, zoomSnap: 0.25, crs: doc.frame === "geo" ? L.CRS.EPSG3857 : L.CRS.Simple, minZoom: doc.frame === "geo" ? 11 : -2, maxZoom: doc.frame === "geo" ? 20 : 8 });
      this.ground = L.layerGroup().addTo(this.map);
      this.marks = L.layerGroup().addTo(this.map);
      this.map.on("click", (event) => { const found = this.nearest(event.containerPoint); if (found !== null) this.options.onPick(found); });
      this.map.on("mousemove", (event) => this.hover(this.nearest(event.containerPoint)));
      this.map.on("mouseout", () => this.hover(null));
      this.sized = new ResizeObserver(() => this.map.invalidateSize(false));
      this.sized.observe(root);
      this.update(doc, options);
      this.map.setView(doc.at[doc.around] ?? doc.at[0] ?? [0, 0], doc.frame === "geo" ? 16 : 4);
      if (doc.frame !== "geo" || doc.ids.length < 3000) this.map.fitBounds(L.latLngBounds(doc.at).pad(0.03));
    }

    update(doc, options) {
      this.options = options;
      this.colors = this.dark() ? DARK : LIGHT;
      this.root.style.height = `${options.height}px`;
      const same = this.doc && this.doc.ids.length === doc.ids.length && this.doc.ids[0] === doc.ids[0];
      this.doc = doc;
      if (!same) this.drawGround();
      this.drawMarks();
      Object.assign(this.tip.style, { background: this.colors.ground, color: this.colors.ink, boxShadow: "0 1px 4px rgba(0,0,0,.3)" });
      this.tip.textContent = options.mode === "start" ? "Click where the walk starts" : options.mode === "goal" ? "Click the goal" : "Click to choose a new start";
    }

    dark() {
      const [r, g, b] = (getComputedStyle(document.querySelector(".stApp") ?? document.body).backgroundColor.match(/\d+/g) ?? [255, 255, 255]).map(Number);
      return r + g + b < 384;
    }

    drawGround() {
      const { doc, colors } = this;
      this.ground.clearLayers();
      this.box.style.background = colors.ground;
      const lines = doc.links.map(([a, b]) => [doc.at[a], doc.at[b]]);
      L.polyline(lines, { color: colors.casing, weight: 6, interactive: false, smoothFactor: 0 }).addTo(this.ground);
      L.polyline(lines, { color: colors.street, weight: 4, interactive: false, smoothFactor: 0 }).addTo(this.ground);
      for (const poi of doc.pois) {
        L.circleMarker(poi.at, { radius: 3, stroke: false, fillColor: colors.node, fillOpacity: 0.9 })
          .bindTooltip(Object.assign(document.createElement("span"), { textContent: poi.name })).addTo(this.ground);
      }
    }

    drawMarks() {
      const { doc, colors } = this;
      this.marks.clearLayers();
      this.lit = null;
      if (doc.route.length) L.polyline(doc.route, { color: colors.goal, weight: 5, dashArray: "9 7", interactive: false }).addTo(this.marks);
      if (doc.start !== null) L.circleMarker(doc.at[doc.start], { radius: 8, color: colors.start, weight: 3, fillColor: colors.ground, fillOpacity: 1, interactive: false }).bindTooltip("Start", { permanent: true, direction: "right" }).addTo(this.marks);
      if (doc.goal !== null) L.circleMarker(doc.at[doc.goal], { radius: 8, color: colors.goal, weight: 4, fillColor: colors.goal, fillOpacity: 0.5, interactive: false }).bindTooltip("Goal", { permanent: true, direction: "right" }).addTo(this.marks);
    }

    nearest(point) {
      let best = null, least = 120 * 120;
      this.doc.at.forEach((at, i) => {
        const p = this.map.latLngToContainerPoint(at), d = (p.x - point.x) ** 2 + (p.y - point.y) ** 2;
        if (d < least) { least = d; best = i; }
      });
      return best;
    }

    hover(index) {
      this.lit?.remove();
      this.lit = index === null ? null : L.circleMarker(this.doc.at[index], { radius: 7, color: this.colors.hover, weight: 3, fill: false, interactive: false }).addTo(this.map);
    }

    destroy() {
      this.sized.disconnect();
      // a canvas that is still to be repainted must not be, once it is gone
      this.map.eachLayer((layer) => { if (layer._redrawRequest) { L.Util.cancelAnimFrame(layer._redrawRequest); layer._redrawRequest = null; } });
      this.map.remove();
      this.root.replaceChildren();
    }
  }

  globalThis.NavVizPick = { mount: (root, doc, options) => new Pick(root, doc, options) };
})();
