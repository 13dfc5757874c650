// Draws the atlas: all walks of a run on one Leaflet map. navviz/views/figures/atlas.py makes its data.
// Nothing of the data becomes HTML here: texts are set as text nodes.
(() => {
  const REACH_PX = 38; // departures nearer than this on the screen become one mark
  const MOST_PLACES = 60; // a mark of more places is zoomed into instead of chosen: its link would grow too long
  const MOST_NAMED = 24;

  const numbers = new Intl.NumberFormat("en"); // toLocaleString makes one anew for each number

  function element(tag, text, name) {
    const made = document.createElement(tag);
    if (text) made.textContent = text;
    if (name) made.className = name;
    return made;
  }

  function told(title, names, total = names.length) {
    const box = element("div", "", "nv-told");
    box.append(element("b", title));
    if (names.length) {
      const rest = total - Math.min(names.length, MOST_NAMED);
      const more = rest > 0 ? ` and ${numbers.format(rest)} more` : "";
      box.append(element("p", names.slice(0, MOST_NAMED).join(", ") + more));
    }
    return box;
  }

  const many = (count, noun) => `${numbers.format(count)} ${noun}${count === 1 ? "" : "s"}`;

  function draw(map, data) {
    const dark = data.theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : data.theme === "dark";
    map.getContainer().classList.add("nv-atlas", dark ? "nv-dark" : "nv-light");
    map.getContainer().dataset.theme = dark ? "dark" : "light"; // tokens.css asks for it
    const place = (x, y) => L.latLng(y / data.scale, x / data.scale);
    const placeOf = (pair) => place(pair[0], pair[1]);

    /** Points of a line: a first place and steps from each to the next, in whole units. */
    function line(steps) {
      const points = [];
      for (let k = 0, x = 0, y = 0; k < steps.length; k += 2) {
        x += steps[k];
        y += steps[k + 1];
        points.push(place(x, y));
      }
      return points;
    }

    const all = L.featureGroup().addTo(map); // clicks on whatever is shown or will be shown arrive here
    let clicks = 0;
    all.on("click", (event) => {
      if (event.layer?.feature) event.layer.feature.properties.click = ++clicks; // the same one again is a click too
    });
    const group = (shown) => {
      const made = L.featureGroup();
      made.addEventParent(all);
      return shown ? made.addTo(map) : made;
    };
    /** Let a click on a layer tell what it is, in a popup that outlives the layer, and to the page around the map. */
    const choose = (layer, mark, tell) => {
      layer.feature = { type: "Feature", properties: { mark } };
      layer.on("click", (event) => {
        layer.closeTooltip();
        data.chosen?.(mark); // a published site's page
        L.popup({ maxWidth: 340 }).setLatLng(event.latlng).setContent(tell()).openOn(map);
      });
      return layer;
    };

    const street = dark ? data.colours.streetDark : data.colours.street;
    map.createPane("rooms").style.zIndex = 350; // names of rooms lie below paths and discs
    const { ground } = data; // the picture of a floor shows its rooms better than their outlines do
    if (ground) L.imageOverlay(ground.url, ground.corners, { pane: "tilePane", interactive: false, opacity: 0.75 }).addTo(map);
    for (const shape of data.rooms) {
      const look = ground ? { stroke: false, fill: false } : { color: street, weight: 1.5, fillOpacity: 0.12 };
      const room = L.polygon(line(shape.line), { ...look, interactive: false });
      room.addTo(map);
      if (shape.name) room.bindTooltip(element("span", shape.name), { permanent: true, direction: "center", className: "nv-room", pane: "rooms" });
    }
    L.polyline(data.streets.map(line), { color: street, weight: 1.2, interactive: false }).addTo(map);

    const paths = data.outcomes.map(() => group(true));
    const shade = L.layerGroup().addTo(map);
    const walks = data.walks.map((walk) => {
      const look = data.outcomes[walk.o];
      const points = walk.p.map(line);
      const drawn = L.polyline(points, { color: look.colour, dashArray: look.dash, weight: 2.2, opacity: 0.75 });
      drawn.bindTooltip(element("span", `${walk.id}: ${look.name}. ${walk.text}`), { sticky: true, className: "nv-tip" });
      drawn.on("mouseover", () => drawn.setStyle({ weight: 5, opacity: 1 }));
      drawn.on("mouseout", () => drawn.setStyle({ weight: 2.2, opacity: 0.75 }));
      return choose(drawn, walk.mark, () => told(`Episode ${walk.id}: ${look.name}`, [walk.text]));
    });

    const traffic = group(true);
    for (const band of data.traffic) {
      const edges = L.polyline(band.lines.map(line), { color: data.colours.traffic, full: band.weight, opacity: band.opacity });
      edges.bindTooltip(element("span", band.title), { sticky: true, className: "nv-tip" }).addTo(traffic);
    }

    const junctionLayer = group(data.shown.junctions);
    const departureLayer = group(data.shown.departures);
    let departures = [];
    let junctions = [];

    function mix(from, to, share) {
      const parts = [1, 3, 5].map((k) => {
        const [a, b] = [from, to].map((colour) => Number.parseInt(colour.slice(k, k + 2), 16));
        return Math.round(a + (b - a) * share);
      });
      return `rgb(${parts.join(",")})`;
    }

    /** How large junctions and traffic are drawn: small from afar, where many lie in a few pixels. */
    const size = () => (data.scale > 1000 ? Math.min(1, Math.max(0.3, 2 ** ((map.getZoom() - 16) / 2))) : 1);

    function drawJunctions() {
      junctionLayer.clearLayers();
      if (!map.hasLayer(junctionLayer)) return; // thousands; they are drawn when somebody switches them on
      const nearness = size();
      const busiest = Math.max(1, ...junctions.map((one) => one.failures));
      for (const one of [...junctions].sort((a, b) => a.failures - b.failures)) {
        const share = one.failures / one.visits;
        const circle = L.circleMarker(placeOf(one.at), {
          radius: nearness * (one.failures ? 5 + 15 * Math.sqrt(one.failures / busiest) : 4),
          color: dark ? data.colours.inkDark : data.colours.ink,
          weight: one.failures ? 1 : 0.4,
          fillColor: mix(data.colours.calm, data.colours.fails, Math.min(1, share / 0.5)),
          fillOpacity: one.failures ? 0.9 : 0.4,
        });
        const title = `${one.failures} of ${many(one.visits, "walk")} left the route at this junction (${Math.round(100 * share)} %)`;
        circle.bindTooltip(element("span", title), { className: "nv-tip" });
        choose(circle, one.mark, () => told(title, one.ids, one.failures)).addTo(junctionLayer);
      }
    }

    function clusters() {
      const inside = map.getBounds().pad(0.15);
      const near = departures.filter((one) => inside.contains(placeOf(one.at))).sort((a, b) => b.count - a.count);
      const made = [];
      for (const one of near) {
        const point = map.latLngToLayerPoint(placeOf(one.at));
        const host = made.find((other) => other.point.distanceTo(point) < REACH_PX);
        if (host) host.members.push(one);
        else made.push({ point, members: [one] });
      }
      return made;
    }

    function drawDepartures() {
      departureLayer.clearLayers();
      for (const { members } of clusters()) {
        const count = members.reduce((sum, one) => sum + one.count, 0);
        const ids = [...new Set(members.flatMap((one) => one.ids))];
        const size = Math.round(Math.min(46, 24 + 4 * Math.log2(count)));
        const face = element("span", count > 999 ? `${(count / 1000).toFixed(1)}k` : String(count));
        const icon = L.divIcon({ html: face, className: "nv-left", iconSize: [size, size] });
        const where = members.length === 1 ? "at one place" : `at ${members.length} places near here`;
        const title = `${many(count, "departure")} from the route ${where}`;
        const mark = L.marker(placeOf(members[0].at), { icon, alt: title, keyboard: true });
        mark.bindTooltip(element("span", title), { className: "nv-tip" });
        const spread = L.latLngBounds(members.map((one) => placeOf(one.at)));
        if (members.length > MOST_PLACES) mark.on("click", () => map.fitBounds(spread.pad(0.1)));
        else choose(mark, data.marks.left + members.map((one) => one.node).join(";"), () => told(title, ids, walks.length ? ids.length : count));
        mark.on("keypress", (event) => {
          if (event.originalEvent.key === "Enter") mark.fire("click", { latlng: mark.getLatLng() }, true);
        });
        mark.addTo(departureLayer);
        mark.getElement()?.setAttribute("aria-label", title);
      }
    }

    /** Count departures and junctions of some walks. */
    function count(kept) {
      const left = new Map();
      const passed = new Map();
      for (const k of kept) {
        const walk = data.walks[k];
        for (const node of walk.d) {
          const one = left.get(node) ?? { node: data.names[node], at: data.places[node], count: 0, ids: [] };
          one.count += 1;
          one.ids.push(walk.id);
          left.set(node, one);
        }
        for (const node of walk.v) {
          const mark = data.marks.through + data.names[node];
          const one = passed.get(node) ?? { mark, at: data.places[node], visits: 0, failures: 0, ids: [] };
          one.visits += 1;
          if (walk.f === node) {
            one.failures += 1;
            one.ids.push(walk.id);
          }
          passed.set(node, one);
        }
      }
      departures = [...left.values()];
      junctions = [...passed.values()];
    }

    let drawn = new Set();

    /** Show the walks that pass a filter, by their places in the data; the others stay as a shade. */
    function show(passing) {
      const kept = new Set(passing ?? walks.keys());
      if (walks.length && kept.size === drawn.size && [...kept].every((k) => drawn.has(k))) return;
      drawn = kept;
      for (const layer of [...paths, shade]) layer.clearLayers();
      data.walks.forEach((walk, k) => {
        if (!kept.has(k)) L.polyline(walks[k].getLatLngs(), { color: street, weight: 1.5, opacity: 0.5, interactive: false }).addTo(shade);
      });
      for (const [o, layer] of paths.entries()) for (const k of kept) if (data.walks[k].o === o) walks[k].addTo(layer);
      if (walks.length) count(kept);
      drawJunctions();
      drawDepartures();
    }

    if (!walks.length) {
      departures = data.departures;
      junctions = data.junctions;
    }
    show(null);
    map.on("moveend", drawDepartures);
    junctionLayer.on("add", drawJunctions);
    const fitWidths = () => {
      traffic.eachLayer((edges) => edges.setStyle({ weight: Math.max(0.8, edges.options.full * size()) }));
    };
    fitWidths();
    map.on("zoomend", () => {
      drawJunctions();
      fitWidths();
    });

    const swatch = (css) => `<i class="nv-swatch" style="${css}"></i>`;
    const overlays = {};
    const counts = data.outcomes.map((_, o) => data.walks.filter((walk) => walk.o === o).length);
    data.outcomes.forEach((look, o) => {
      const style = { "7 5": "dashed", "2 5": "dotted" }[look.dash] ?? "solid";
      const label = element("span", `${look.label} (${counts[o]})`).innerHTML; // a group's words are the run's, and no markup
      if (counts[o]) overlays[`${swatch(`border-top:3px ${style} ${look.colour}`)} ${label}`] = paths[o];
    });
    if (data.traffic.length) overlays[`${swatch(`border-top:5px solid ${data.colours.traffic}`)} Walks per street`] = traffic;
    overlays[`<i class="nv-swatch nv-left nv-small"></i> Where walks leave the route`] = departureLayer;
    overlays[`<i class="nv-swatch nv-ramp" style="background:linear-gradient(90deg,${data.colours.calm},${data.colours.fails})"></i> Junctions: 0 to 50 % leave`] = junctionLayer;
    L.control.layers(null, overlays, { collapsed: map.getSize().x < 560 }).addTo(map);
    return { show };
  }

  globalThis.NavVizAtlas = { draw };
})();
