// @ts-check
// The pictures of a document: asked for when they are near, decoded ahead, and named where they are missing.
import { el } from "../dom.js";

/** @typedef {import("../document").ViewEntry} ViewEntry */

/** Steps whose pictures are decoded ahead, and kept behind. */
const AHEAD = 8;
const BEHIND = 8;
/** Decoded pictures that stay: those of the steps around, and what was looked at beside them. */
const MOST_KEPT = 96;
/** Longer sides of the copies that the app makes. */
export const SMALL_PX = 160;
const PANE_PX = 512;
const LARGE_PX = 1280;
const WIDE_PX = 1500;

export class Pictures {
  /** @param {import("../types").Seer} player */
  constructor(player) {
    this.player = player;
    /** @type {Map<string, HTMLImageElement>} */
    this.kept = new Map();
  }

  get table() {
    return this.player.doc.pictures;
  }

  /** Longer side of pictures in the pane. */
  get size() {
    return this.player.root.clientWidth > WIDE_PX || devicePixelRatio > 1 ? LARGE_PX : PANE_PX;
  }

  /** Whether any step has a picture. */
  get any() {
    return this.player.doc.steps.some(({ views }) => views?.length);
  }

  /** @param {number} picture @param {number} [size]  without it as it is @returns {string | null} */
  url(picture, size) {
    const entry = this.table?.all[picture];
    if (!entry || entry.fault) return null;
    if (entry.data) return entry.data;
    if (!this.table?.at || !entry.key) return null;
    return `${this.table.at}/${entry.key}${size ? `?size=${size}` : ""}`;
  }

  /** What a picture is called in every document of this page: its number may change with the next. @param {number | null} picture */
  nameOf(picture) {
    if (picture === null) return "";
    return this.table?.all[picture]?.key ?? String(picture);
  }

  /**
   * A picture, asked for once; null where there is none.
   * @param {number} picture
   * @param {number} [size]
   */
  image(picture, size) {
    const url = this.url(picture, size);
    if (!url) return null;
    const image = this.kept.get(url) ?? this.request(url);
    this.kept.delete(url); // the map keeps the order of use
    this.kept.set(url, image);
    for (const [old] of this.kept) {
      if (this.kept.size <= MOST_KEPT) break;
      this.kept.delete(old);
    }
    return image;
  }

  /** @param {string} url */
  request(url) {
    const image = el("img", { alt: "", draggable: "false" });
    image.decoding = "sync"; // it is decoded ahead: painted with the step, not a frame later
    image.src = url;
    image.decode().catch(() => {}); // a broken one becomes a box where it is shown
    return image;
  }

  /** Decode the pictures of the steps around. @param {number} step */
  ahead(step) {
    if (!this.table) return;
    const { steps } = this.player.doc;
    const last = Math.min(steps.length, step + AHEAD);
    for (let k = Math.max(1, step - BEHIND); k <= last; k++) {
      for (const view of steps[k - 1].views ?? []) {
        if (view.kind !== "picture" && view.kind !== "frame") continue;
        const [picture] = view.pictures;
        if (picture !== null) this.image(picture, this.size);
      }
    }
  }

  /**
   * A picture in its frame, or the named box that stands for it.
   * @param {number} picture
   * @param {number} [size]
   * @returns {HTMLElement}
   */
  frame(picture, size = this.size) {
    const entry = this.table?.all[picture];
    const image = this.image(picture, size);
    const name = entry?.name ?? "";
    if (!image) return el("div", { class: "nv-picture" }, missing(name, entry?.fault));
    image.alt = name;
    const frame = el("div", { class: "nv-picture" }, image);
    image.onerror = () => this.explain(frame, picture);
    if (image.complete && !image.naturalWidth) this.explain(frame, picture);
    return frame;
  }

  /** Say why a picture cannot be shown. @param {HTMLElement} frame @param {number} picture */
  async explain(frame, picture) {
    const name = this.table?.all[picture]?.name ?? "";
    const url = this.url(picture);
    frame.replaceChildren(missing(name, "This picture cannot be shown."));
    if (!url || url.startsWith("data:")) return;
    const answer = await fetch(url).catch(() => null);
    const text = answer && !answer.ok ? await answer.text() : "";
    if (text) frame.replaceChildren(missing(name, text));
  }

  /** Show a picture in full size; a click or escape closes it. @param {number} picture */
  open(picture) {
    const image = el("img", { src: this.url(picture) ?? "", alt: this.table?.all[picture]?.name ?? "" });
    const caption = el("p", { text: this.table?.all[picture]?.name ?? "" });
    const box = el("dialog", { class: "nv-picture-whole", "aria-label": "Picture in full size" }, image, caption);
    box.addEventListener("click", () => box.close());
    box.addEventListener("close", () => box.remove());
    this.player.root.append(box);
    box.showModal();
  }
}

/** The grey box of a picture that is not there. @param {string} name @param {string} [why] */
function missing(name, why) {
  return el(
    "div",
    { class: "nv-picture-missing" },
    el("code", { text: name }),
    el("span", { text: why ?? "This picture is not in the opened folders." }),
  );
}

/**
 * The one picture that stands for a view in a small space: of a cube or 36 views that towards a heading.
 * @param {ViewEntry} view
 * @param {number} heading
 * @returns {number | null}
 */
export function standIn(view, heading) {
  if (view.kind === "discrete") {
    const level = 12 + (Math.round((((heading % 360) + 360) % 360) / 30) % 12);
    return view.pictures[level] ?? view.pictures.find((picture) => picture !== null) ?? null;
  }
  if (view.kind === "cube" && view.pictures.length === 6) return view.pictures[faceTowards(view, heading)];
  return view.pictures[0] ?? null;
}

/**
 * What stands for a view in its picture: a face of a strip of six, else the whole; left, top, width, height.
 * @param {ViewEntry} view
 * @param {number} heading
 * @param {HTMLImageElement} image
 */
export function cutOf(view, heading, { naturalWidth, naturalHeight }) {
  if (view.kind !== "cube" || view.pictures.length === 6) return [0, 0, naturalWidth, naturalHeight];
  return [faceTowards(view, heading) * naturalHeight, 0, naturalHeight, naturalHeight];
}

/** The level face of a cube that looks most towards a heading. @param {ViewEntry} view @param {number} heading */
function faceTowards({ rotation }, heading) {
  const turn = rotation ?? [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const [east, north] = [Math.sin((heading * Math.PI) / 180), Math.cos((heading * Math.PI) / 180)];
  // a look along d meets the texture in direction -R^T d
  const [x, , z] = [0, 1, 2].map((k) => -(turn[k] * east + turn[3 + k] * north));
  if (Math.abs(x) > Math.abs(z)) return x > 0 ? 2 : 4;
  return z > 0 ? 1 : 3;
}
