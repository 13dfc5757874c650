// @ts-check
// Landmark mentions: mark words in the text, link each mention to a place on the map.
import { el, keepFocus } from "../../dom.js";
import { BoxDialog } from "../box.js";
import { DeskEyes } from "../eyes.js";
import { keyButton } from "../parts.js";
import { counted, likeness, mentionsOf, wordsOf } from "../words.js";

/** @typedef {import("../types").Command} Command */
/** @typedef {import("../words.js").Mention} Mention */

/** Places offered under a digit. */
const OFFERED = 9;

export class MentionsForm {
  /** @param {import("../desk.js").Desk} desk @param {HTMLElement} box */
  constructor(desk, box) {
    this.desk = desk;
    this.box = box;
    this.eyes = new DeskEyes(desk);
  }

  /** @returns {Mention[]} */
  get mentions() {
    return /** @type {Mention[]} */ (this.desk.value?.mentions ?? []);
  }

  /** The word that the keys speak of. */
  get cursor() {
    const { cursor } = this.desk.draft;
    return typeof cursor === "number" ? cursor : 0;
  }

  /** Words that belong to a mention. @returns {number[]} */
  chosen() {
    const { text } = this.desk.entry;
    return wordsOf(text).flatMap(({ start, end }, i) => {
      const [from, to] = [counted(text, start), counted(text, end)];
      return this.mentions.some((one) => one.start <= from && to <= one.end) ? [i] : [];
    });
  }

  /** The mention at the cursor. */
  get active() {
    const { text } = this.desk.entry;
    const word = wordsOf(text)[this.cursor];
    if (!word) return undefined;
    const at = counted(text, word.start);
    return this.mentions.find((one) => one.start <= at && at < one.end);
  }

  /** The text with a button for each word. @param {HTMLElement} box */
  showText(box) {
    const { text } = this.desk.entry;
    const chosen = new Set(this.chosen());
    /** @type {(Node | string)[]} */
    const parts = [];
    let done = 0;
    wordsOf(text).forEach(({ start, end }, i) => {
      parts.push(text.slice(done, start));
      const word = el("span", {
        class: "nv-word",
        role: "checkbox",
        text: text.slice(start, end),
        "aria-checked": chosen.has(i) ? "true" : "false",
        "aria-current": i === this.cursor ? "true" : "false",
        on: { mousedown: keepFocus, click: () => this.toggle(i) },
      });
      const linked = this.linkAt(counted(text, start));
      if (linked) word.dataset.ref = linked;
      parts.push(word);
      done = end;
    });
    box.replaceChildren(...parts, text.slice(done));
  }

  /** Where the map has what one has linked a word to. @param {number} at */
  linkAt(at) {
    const mention = this.mentions.find((one) => one.start <= at && at < one.end && one.poi_id);
    const place = mention && this.places.find(({ id }) => id === mention.poi_id);
    return place && place.poi !== null ? `p:${place.poi}` : null;
  }

  show() {
    const none = this.commands().find(({ keys }) => keys[0] === "n");
    const rows = this.mentions.map((mention) => this.row(mention));
    this.box.replaceChildren(
      el(
        "p",
        { class: "nv-desk-hint" },
        "Mark every word that names a landmark: click it",
        el(
          "span",
          { class: "nv-by-key" },
          ", or ",
          el("kbd", { text: "←" }),
          el("kbd", { text: "→" }),
          " and ",
          el("kbd", { text: "Space" }),
        ),
        ". Neighbouring words become one mention.",
      ),
      none ? keyButton(none, { chosen: this.desk.value !== null && !this.mentions.length }) : "",
      ...(rows.length ? [el("p", { text: "Which place on the map does each mean?" }), ...rows] : []),
    );
  }

  /** @param {Mention} mention */
  row(mention) {
    const active = mention === this.active;
    const linked = this.places.find(({ id }) => id === mention.poi_id);
    const place = linked ? described(linked) : "not on the map, or unclear";
    const head = el(
      "div",
      { class: "nv-mention", "aria-current": active ? "true" : "false" },
      el("b", { text: mention.text, title: mention.text }),
      el("span", { class: "nv-mute", text: place, title: place }),
    );
    if (linked?.poi !== null && linked?.poi !== undefined) head.dataset.ref = `p:${linked.poi}`;
    head.addEventListener("click", () => this.to(mention));
    if (!active) return head;
    const offers = this.offers(mention).map((place, i) =>
      keyButton(
        { keys: [String(i + 1)], label: described(place), run: () => this.link(mention, place.id) },
        { chosen: place.id === mention.poi_id, look: "nv-offer nv-line" },
      ),
    );
    const none = { keys: ["0"], label: "Not on the map, or unclear", run: () => this.link(mention, null) };
    return el(
      "div",
      { class: "nv-links" },
      head,
      // before the places, of which there are up to nine: below them it would leave a phone's screen
      ...this.drawing().map((command) => keyButton(command, { chosen: Boolean(mention.box), look: "nv-offer" })),
      mention.box ? el("p", { class: "nv-desk-hint", text: `Marked in ${mention.box.picture}.` }) : "",
      offers,
      keyButton(none, { chosen: !mention.poi_id, look: "nv-offer" }),
    );
  }

  /** The way to mark a landmark in a picture, where the route has any. @returns {Command[]} */
  drawing() {
    if (!this.desk.sheet?.pictures.length) return [];
    return [{ keys: ["x"], label: "Mark it in a picture", run: () => this.draw() }];
  }

  draw() {
    const { active, desk } = this;
    const pictures = desk.sheet?.pictures ?? [];
    if (!active || !pictures.length || !desk.mayRate()) return;
    new BoxDialog(desk.root, {
      pictures,
      url: (picture) => this.eyes.pictures.url(picture),
      words: active.text,
      box: active.box ?? null,
      keep: (box) => this.mark(active, box),
    });
  }

  /** @param {Mention} mention @param {import("../types").PictureBox | null} box */
  mark(mention, box) {
    const { box: _before, ...bare } = mention;
    const marked = box ? { ...bare, box } : bare;
    this.put(this.mentions.map((one) => (one.start === mention.start ? marked : one)));
  }

  get places() {
    return this.desk.sheet?.places ?? [];
  }

  /** The places that answer best, under the digits. @param {Mention} mention */
  offers(mention) {
    const scored = this.places.map((place) => ({ place, score: likeness(mention.text, place) }));
    scored.sort((a, b) => b.score - a.score);
    const offers = scored.slice(0, OFFERED).map(({ place }) => place);
    const linked = this.places.find(({ id }) => id === mention.poi_id);
    if (linked && !offers.includes(linked)) offers.splice(OFFERED - 1, 1, linked);
    return offers;
  }

  /** @returns {Command[]} */
  commands() {
    const move = (/** @type {number} */ by) => () => {
      const count = wordsOf(this.desk.entry.text).length;
      this.desk.keep({ cursor: Math.max(0, Math.min(count - 1, this.cursor + by)) });
    };
    const { active } = this;
    const offers = active ? this.offers(active) : [];
    return [
      { keys: ["ArrowLeft"], label: "Word before", run: move(-1) },
      { keys: ["ArrowRight"], label: "Word after", run: move(1) },
      { keys: [" "], label: "Mark", run: () => this.toggle(this.cursor) },
      { keys: ["n"], label: "No landmark in this text", run: () => this.put([]) },
      ...offers.map((place, i) => ({
        keys: [String(i + 1)],
        label: place.name,
        run: () => active && this.link(active, place.id),
      })),
      { keys: ["0"], label: "Not on the map", run: () => active && this.link(active, null) },
      ...(active ? this.drawing() : []),
    ];
  }

  /** @param {number} index */
  toggle(index) {
    const chosen = new Set(this.chosen());
    if (chosen.has(index)) chosen.delete(index);
    else chosen.add(index);
    this.desk.draft.cursor = index;
    this.put(mentionsOf(this.desk.entry.text, [...chosen], this.mentions));
  }

  /** @param {Mention} mention */
  to(mention) {
    const { text } = this.desk.entry;
    const at = wordsOf(text).findIndex(({ start }) => counted(text, start) === mention.start);
    if (at >= 0) this.desk.keep({ cursor: at });
  }

  /** @param {Mention} mention @param {string | null} place */
  link(mention, place) {
    this.put(this.mentions.map((one) => (one.start === mention.start ? { ...one, poi_id: place } : one)));
  }

  /** A place of the map was clicked. @param {string} name */
  pick(name) {
    const place = this.places.find((one) => one.name.toLowerCase() === name);
    if (this.active && place) this.link(this.active, place.id);
  }

  /** @param {Mention[]} mentions */
  put(mentions) {
    this.desk.save({ ...this.desk.value, mentions });
  }
}

/** @param {{name: string, kind: string | null}} place */
const described = ({ name, kind }) => (kind && kind !== name ? `${name} (${kind})` : name);
