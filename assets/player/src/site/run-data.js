// @ts-check
// One run of the site, as far as it was loaded: rows, thumbnails, documents of episodes.
import { Rows } from "../list/rows.js";
import { unpack } from "../text/strings.js";
import { chunk, whole } from "./chunks.js";

/** @typedef {import("../document").ReplayDocument} ReplayDocument */
/** @typedef {import("../list/gallery.js").Thumb} Thumb */

export class RunData {
  /** @param {import("./types").SiteRun} run @param {number} number */
  constructor(run, number) {
    this.run = run;
    this.number = number;
    /** @type {Promise<Rows> | undefined} */
    this.loading = undefined;
    /** @type {Map<number, Promise<Thumb[]>>} */
    this.thumbs = new Map();
    /** @type {Map<string, number> | undefined} */
    this.rowOf = undefined;
  }

  /** @returns {Promise<Rows>} */
  rows() {
    this.loading ??= whole(`list-${this.number}`).then((columns) => new Rows(columns));
    return this.loading;
  }

  /** The row of an episode; undefined for an unknown one. @param {string} episode */
  async row(episode) {
    const rows = await this.rows();
    this.rowOf ??= new Map(rows.column("episode").map((id, row) => [String(id), row]));
    return this.rowOf.get(episode);
  }

  /** @param {number} row @returns {Promise<Thumb>} */
  async thumb(row) {
    const part = Math.floor(row / this.run.thumbs);
    const loading = this.thumbs.get(part) ?? whole(`thumbs-${this.number}-${part}`);
    this.thumbs.set(part, loading);
    return (await loading)[row % this.run.thumbs];
  }

  /** The player's document of an episode. @param {number} row @returns {Promise<ReplayDocument>} */
  async document(row) {
    const { chunk_of } = this.run;
    const part = chunk_of[row];
    const texts = await chunk(`episodes-${this.number}-${part}`);
    return unpack(texts[row - chunk_of.indexOf(part)]);
  }
}
