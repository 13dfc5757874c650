// @ts-check
// Looking around from where the agent stands: drag or keys turn, discs lie on the floor where one can go, and a disc that
// is clicked is walked to. That is you, not the agent: escape returns.
import { el, iconButton } from "../dom.js";
import { neighbours } from "../maps/walks.js";
import { cubeOf, render } from "./cube.js";
import { bearingTo, nextOnReference, signed, waysOf } from "./geometry.js";
import { across, discOf, drawAside, drawDisc, FIELD, FLAT, HEIGHT, lensOf, WIDTH, wordsOf } from "./look-marks.js";
import { cutOf, standIn } from "./store.js";

/** @typedef {import("../document").StepEntry} StepEntry */
/** @typedef {import("../document").ViewEntry} ViewEntry */
/** @typedef {import("./geometry.js").Way} Way */
/** @typedef {{way: Way, x: number, y: number, radius: number}} Disc */

const TURN_DEG = 10;
/** Where one looks at first: a little down, where the ways begin. */
const DOWN_DEG = -10;
const MOST_ELEVATION = 70;
/** A step must stay this long before its cube is made: playback shows the plain pictures. */
const REST_MS = 120;
/** Cubes that stay: six faces of 1024 pixels take 25 MB. */
const MOST_CUBES = 3;
/** A drawing that takes longer leaves too little of a frame to the browser: then a quarter of the pixels while one turns. */
const MOST_DRAW_MS = 8;
const COARSE = 2;
/** After the last turn picture and cone are drawn whole again. */
const STILL_MS = 120;
/** Between two cones while one turns: the map takes longer to paint one than the picture takes. */
const CONE_MS = 100;
/** A press that moves less than this is a click. */
const CLICK_PX = 4;

export class Look {
  /** @param {import("../types").Seer} player @param {string} [other]  name of the run compared with, where it stands */
  constructor(player, other) {
    this.player = player;
    this.other = other;
    this.canvas = el("canvas", { width: WIDTH, height: HEIGHT, tabindex: 0, "aria-label": "Look around" });
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.words = el("figcaption");
    this.back = iconButton("first", "Back to the agent (escape)", () => this.home(), { look: "back" });
    this.box = el("figure", { class: "nv-look" }, this.canvas, this.words, this.back);
    this.heading = 0;
    this.elevation = 0;
    this.field = FIELD;
    /** @type {number | null} */
    this.node = null;
    /** Id of that node. */
    this.standing = "";
    /** @type {StepEntry | null} */
    this.step = null;
    /** Which step and pictures are shown: a live run brings a new document with each word of its model. */
    this.shown = "";
    /** Whether the user has turned: then no document turns the view. */
    this.turned = false;
    /** Whether the user has walked away from the agent. */
    this.away = false;
    /** @type {import("./cube.js").Cube | null} */
    this.cube = null;
    /** Cubes by the names of their pictures. @type {Map<string, Promise<import("./cube.js").Cube | null>>} */
    this.cubes = new Map();
    /** @type {Disc[]} */
    this.discs = [];
    this.turn = 0;
    this.drawn = 0;
    /** What drawing all pixels takes, as far as seen so far. */
    this.cost_ms = 0;
    this.still = 0;
    this.coned = 0;
    /** @type {ImageData | null} */
    this.pixels = null;
    this.coarse = new OffscreenCanvas(WIDTH / COARSE, HEIGHT / COARSE);
    this.listen();
  }

  /** The view of a step, as the pane shows it. @param {StepEntry} step @param {ViewEntry} view */
  of(step, view) {
    const shown = `${step.index} ${this.idOf(step.node)} ${this.nameOf(view)}`;
    if (shown === this.shown && this.renumbered(step)) {
      this.step = step;
      // the way that the agent takes is known only once its model has replied
      if (!this.turned && !this.away) this.face(step);
      this.soon();
      return this.box;
    }
    this.shown = shown;
    this.step = step;
    this.goHome(step, view);
    return this.box;
  }

  /** @param {number | string | undefined | null} node */
  idOf(node) {
    return typeof node === "number" ? this.player.doc.nodes.ids[node] : node;
  }

  /** What a view's pictures are called in every document of this page. @param {ViewEntry} view */
  nameOf({ kind, pictures }) {
    return `${kind} ${pictures.map((picture) => this.player.pictures.nameOf(picture)).join(" ")}`;
  }

  /** Find again where one stands, since a newer document may number its nodes otherwise. @param {StepEntry} step */
  renumbered(step) {
    const node = this.away ? this.player.doc.nodes.ids.indexOf(this.standing) : step.node;
    if (typeof node !== "number" || node < 0) return false;
    this.node = node;
    return true;
  }

  /** @param {StepEntry} step @param {ViewEntry} view */
  goHome(step, view) {
    this.away = false;
    this.turned = false;
    this.elevation = DOWN_DEG;
    this.face(step);
    this.stand(/** @type {number} */ (step.node), view);
  }

  /** Look at both ways, through a wider lens where they lie far apart; else along the agent's. @param {StepEntry} step */
  face(step) {
    const { heading, field } = lensOf(this.player.doc, step);
    this.heading = heading;
    this.field = field;
  }

  /** @param {number} node @param {ViewEntry} view */
  stand(node, view) {
    this.node = node;
    this.standing = this.player.doc.nodes.ids[node];
    this.cube = null;
    const turn = ++this.turn;
    this.plain(view);
    setTimeout(() => this.take(turn, view), this.cubes.has(this.nameOf(view)) ? 0 : REST_MS);
    this.tell();
  }

  /** @param {number} turn @param {ViewEntry} view */
  async take(turn, view) {
    if (turn !== this.turn || !this.box.isConnected) return;
    const { pictures } = this.player;
    const name = this.nameOf(view);
    const made = this.cubes.get(name) ?? cubeOf(view, (picture, size) => pictures.image(picture, size));
    this.cubes.set(name, made);
    for (const [old] of this.cubes) {
      if (this.cubes.size <= MOST_CUBES) break;
      this.cubes.delete(old);
    }
    const cube = await made;
    if (turn !== this.turn) return;
    this.cube = cube;
    this.box.dataset.around = String(cube !== null);
    this.draw();
  }

  /** One plain picture until the cube is there. @param {ViewEntry} view */
  plain(view) {
    const { pictures } = this.player;
    const picture = standIn(view, this.heading);
    const image = picture === null ? null : pictures.image(picture, pictures.size);
    const { turn } = this;
    const show = () => {
      if (turn !== this.turn || this.cube || !image?.naturalWidth) return;
      const [left, top, across, down] = cutOf(view, this.heading, image);
      const scale = Math.max(WIDTH / across, HEIGHT / down);
      const [width, height] = [across * scale, down * scale];
      this.context.drawImage(
        image,
        ...[left, top, across, down],
        ...[(WIDTH - width) / 2, (HEIGHT - height) / 2, width, height],
      );
    };
    this.context.fillStyle = this.player.colors.get("mute");
    this.context.fillRect(0, 0, WIDTH, HEIGHT);
    if (image?.complete) show();
    else image?.addEventListener("load", show, { once: true });
  }

  // --- drawing

  /** Draw with the next frame, once however often it is asked for. */
  soon() {
    cancelAnimationFrame(this.drawn);
    this.drawn = requestAnimationFrame(() => this.drawTurned());
  }

  get camera() {
    return { heading: this.heading, elevation: this.elevation, field: this.field };
  }

  /** Draw while one turns: on a slow machine coarsely, and whole as soon as the view stands still. */
  drawTurned() {
    clearTimeout(this.still);
    const part = this.cost_ms > MOST_DRAW_MS ? COARSE : 1;
    const coned = performance.now() - this.coned > CONE_MS;
    this.draw(part, coned);
    if (part > 1 || !coned) this.still = window.setTimeout(() => this.draw(), STILL_MS);
  }

  /**
   * @param {number} [part]  of both sides: 2 draws a quarter of the pixels
   * @param {boolean} [coned]  whether the map's cone turns, too
   */
  draw(part = 1, coned = true) {
    if (!this.cube) return;
    const start = performance.now();
    if (part === 1) this.paint(this.cube, this.context, WIDTH, HEIGHT);
    else {
      const small = /** @type {OffscreenCanvasRenderingContext2D} */ (this.coarse.getContext("2d"));
      this.paint(this.cube, small, WIDTH / part, HEIGHT / part);
      this.context.drawImage(this.coarse, 0, 0, WIDTH, HEIGHT);
    }
    // other work on the machine hits single drawings: half of the new, half of the old
    this.cost_ms = (this.cost_ms + (performance.now() - start) * part * part) / 2;
    this.canvas.dataset.drawn = String(WIDTH / part);
    const ways = this.ways();
    this.discs = ways.flatMap((way) => discOf(this, way));
    for (const disc of this.discs) drawDisc(this, disc);
    const seen = new Set(this.discs.map(({ way }) => way));
    const named = ways.filter((way) => way.reference || way.state === "chosen");
    for (const way of named) if (!seen.has(way)) drawAside(this, way);
    this.canvas.ariaLabel = ["Look around", ...named.map((way) => this.wayInWords(way))].join(", ");
    this.box.dataset.heading = String(Math.round(((this.heading % 360) + 360) % 360));
    this.tell(coned);
  }

  /** @param {import("./cube.js").Cube} cube @param {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D} context @param {number} width @param {number} height */
  paint(cube, context, width, height) {
    if (this.pixels?.width !== width) this.pixels = context.createImageData(width, height);
    render(cube, this.camera, width, height, new Uint32Array(this.pixels.data.buffer));
    context.putImageData(this.pixels, 0, 0);
  }

  /** Ways on from where one stands. @returns {Way[]} */
  ways() {
    const { player } = this;
    const { doc } = player;
    const { node, step } = this;
    if (node === null) return [];
    const ways = this.away || !step ? [] : waysOf(doc, step);
    const reached = new Set(ways.map((way) => way.node));
    const next = nextOnReference(doc, node);
    for (const other of neighbours(doc.links).get(node) ?? []) {
      if (reached.has(other) || player.walks?.may(other) === false) continue;
      const label = doc.nodes.ids[other];
      ways.push({ node: other, label, state: "other", reference: other === next, ...bearingTo(doc, node, other) });
    }
    return ways;
  }

  /** Where a marked way begins, for who cannot see the mark. @param {Way} way */
  wayInWords(way) {
    const aside = Math.round(signed(way.heading - this.heading));
    const where = aside === 0 ? "straight ahead" : `${Math.abs(aside)}° to the ${aside < 0 ? "left" : "right"}`;
    return `${wordsOf(this, way)} ${where}`;
  }

  /** Say who looks where, beside the picture and on the map. @param {boolean} [coned]  on the map, too */
  tell(coned = true) {
    const { player, node } = this;
    const heading = Math.round(((this.heading % 360) + 360) % 360);
    const agent = player.walks ? "Where you stand" : `Where ${this.other ?? "the agent"} stands`;
    const who = this.away ? "You, not the agent (escape returns)" : agent;
    this.words.textContent = `${who} · heading ${heading}° · drag to look around, click a disc to walk there`;
    this.box.classList.toggle("nv-away", this.away);
    this.back.hidden = !this.away;
    // the map has one cone: that of the run which it shows
    if (node === null || this.other || !coned) return;
    this.coned = performance.now();
    player.map.cone?.({ node, heading: this.heading, field: across(this.field) });
  }

  /** Nothing is shown to look around in. */
  leave() {
    clearTimeout(this.still);
    if (this.node === null) return;
    this.node = null;
    this.step = null;
    this.shown = "";
    this.turn++;
    this.player.map.cone?.(null);
  }

  // --- moving

  /** @param {number} right @param {number} up */
  look(right, up) {
    this.turned = true;
    this.heading += right;
    this.elevation = Math.max(-MOST_ELEVATION, Math.min(MOST_ELEVATION, this.elevation + up));
    this.soon();
  }

  /** Walk to a place, in your own name. @param {number} node */
  walk(node) {
    const { walks } = this.player;
    if (walks) {
      // the server answers with what is seen there: pictures of other places are not in the document
      if (walks.may(node)) walks.go(node);
      else this.words.textContent = "One cannot walk there from here.";
      return;
    }
    const view = this.player.doc.pictures?.places.find((place) => place.node === node)?.view;
    if (!view) {
      this.words.textContent = "There is no picture of that place.";
      return;
    }
    this.away = node !== this.step?.node;
    this.field = FIELD;
    this.stand(node, view);
  }

  /** Return to the agent. */
  home() {
    const { step } = this;
    const view = step?.views?.[0];
    if (!step || !view) return;
    this.goHome(step, view);
  }

  // --- pointer and keys

  listen() {
    const { canvas } = this;
    let [x, y, moved] = [0, 0, 0];
    canvas.addEventListener("pointerdown", (event) => {
      [x, y, moved] = [event.clientX, event.clientY, 0];
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!canvas.hasPointerCapture(event.pointerId)) {
        this.point(this.discAt(event));
        return;
      }
      const [dx, dy] = [event.clientX - x, event.clientY - y];
      [x, y, moved] = [event.clientX, event.clientY, moved + Math.abs(dx) + Math.abs(dy)];
      const degrees = this.field / canvas.clientHeight;
      this.look(-dx * degrees, dy * degrees);
    });
    canvas.addEventListener("pointerup", (event) => {
      const disc = moved < CLICK_PX ? this.discAt(event) : null;
      if (disc) this.walk(disc.way.node);
    });
    canvas.addEventListener("pointerleave", () => this.point(null));
    canvas.addEventListener("keydown", (event) => this.onKey(event));
  }

  /** @param {MouseEvent} event */
  discAt({ offsetX, offsetY }) {
    const scale = WIDTH / this.canvas.clientWidth;
    const [x, y] = [offsetX * scale, offsetY * scale];
    const near = (/** @type {Disc} */ disc) =>
      ((x - disc.x) / (disc.radius + 6)) ** 2 + ((y - disc.y) / (disc.radius * FLAT + 10)) ** 2;
    return this.discs.filter((disc) => near(disc) <= 1).sort((a, b) => near(a) - near(b))[0] ?? null;
  }

  /** Light up on the map and in the texts what is pointed at. @param {Disc | null} disc */
  point(disc) {
    const refs = disc ? [`n:${disc.way.node}`] : [];
    this.canvas.style.cursor = disc ? "pointer" : "grab";
    this.canvas.title = disc?.way.label ?? "";
    this.player.lightText(refs);
    this.player.map.highlight(refs);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.look(-TURN_DEG, 0),
      ArrowRight: () => this.look(TURN_DEG, 0),
      ArrowUp: () => this.look(0, TURN_DEG),
      ArrowDown: () => this.look(0, -TURN_DEG),
      Enter: () => this.walkAhead(),
      Escape: () => this.escape(),
    };
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** Walk to the disc that is nearest to the middle. */
  walkAhead() {
    const aside = (/** @type {Disc} */ { x }) => Math.abs(x - WIDTH / 2);
    const disc = [...this.discs].sort((a, b) => aside(a) - aside(b))[0];
    if (disc) this.walk(disc.way.node);
  }

  /** Back to the agent; there already, the keys go back to the player. */
  escape() {
    if (this.away) this.home();
    else this.canvas.blur();
  }
}
