// @ts-check
// Where the things of a replay are: nodes, ends, the agent at a step, what it was shown. Streets and floor plans know
// their own frame; here it is (lat, lon).

import { bendsOf } from "./bends.js";
import { neighbours, walkOf } from "./walks.js";

/** @typedef {import("../document").ReplayDocument} ReplayDocument */
/** @typedef {import("../document").StepEntry} StepEntry */
/** @typedef {import("../document").SeenEntry} SeenEntry */
/** @typedef {import("../types").Spot} Spot */
/** @typedef {number | string} NodeRef */

export class WalkPlaces {
  /**
   * @param {ReplayDocument} doc
   * @param {import("../types").MapApi} api
   */
  constructor(doc, api) {
    this.api = api;
    this.doc = doc;
    this.step = 0;
    this.bends = bendsOf(doc);
    this.near = neighbours(doc.links);
  }

  /** Speak of another document from now on. @param {ReplayDocument} doc */
  turnTo(doc) {
    this.doc = doc;
    this.bends = bendsOf(doc);
    this.near = neighbours(doc.links);
    this.step = Math.min(this.step, doc.steps.length);
  }

  /** A position of the document as Leaflet's. @param {number[]} at @returns {Spot} */
  spot(at) {
    return [at[0], at[1]];
  }

  /** @param {number} node @returns {Spot} */
  spotOf(node) {
    return [this.doc.nodes.at[2 * node], this.doc.nodes.at[2 * node + 1]];
  }

  /** Where a node is; null for one that the graph does not have. @param {NodeRef | undefined} node @returns {Spot | null} */
  spotAt(node) {
    return typeof node === "number" && node >= 0 && node < this.doc.nodes.ids.length ? this.spotOf(node) : null;
  }

  /** @param {(NodeRef | undefined)[]} nodes @returns {Spot[]} */
  line(nodes) {
    return nodes.map((node) => this.spotAt(node)).filter((spot) => spot !== null);
  }

  /** Where a link runs between its two nodes; nothing where it is straight. @param {NodeRef} a @param {NodeRef} b @returns {Spot[]} */
  between(a, b) {
    return this.bends.get(`${a} ${b}`)?.map((at) => this.spot(at)) ?? [];
  }

  /** A way along some nodes, with the bends of its links. @param {(NodeRef | undefined)[]} nodes @returns {Spot[]} */
  way(nodes) {
    return nodes.flatMap((node, i) => {
      const spot = this.spotAt(node);
      const before = nodes[i - 1];
      const bends = node === undefined || before === undefined ? [] : this.between(before, node);
      return spot ? [...bends, spot] : [];
    });
  }

  /** Whether a node lies on the part of the world that is shown: outdoors always, indoors on the floor. @param {NodeRef | undefined} _node */
  here(_node) {
    return true;
  }

  /** Whether a position lies on the part of the world that is shown. @param {number[]} _at */
  placeHere(_at) {
    return true;
  }

  /** The stretches of some ways that lie where the map shows them, and those on other floors. @param {NodeRef[][]} lines */
  partsHere(lines) {
    const parts = { shown: /** @type {Spot[][]} */ ([]), away: /** @type {Spot[][]} */ ([]) };
    for (const nodes of lines) {
      /** @type {Spot[][] | null} */
      let last = null;
      for (let i = 0; i + 1 < nodes.length; i += 1) {
        const [p, q] = [this.spotAt(nodes[i]), this.spotAt(nodes[i + 1])];
        if (!p || !q) {
          last = null;
          continue;
        }
        const part = this.here(nodes[i]) || this.here(nodes[i + 1]) ? parts.shown : parts.away;
        const bends = this.between(nodes[i], nodes[i + 1]);
        if (part === last) part[part.length - 1].push(...bends, q);
        else part.push([p, ...bends, q]);
        last = part;
      }
    }
    return parts;
  }

  /** The places that the agent could choose. @param {StepEntry} now @returns {import("../document").CandidateEntry[]} */
  candidates(now) {
    return now.observation?.candidates ?? [];
  }

  get goal() {
    const { episode, reference } = this.doc;
    return episode.goal ?? reference.at(-1);
  }

  get start() {
    const { episode, reference } = this.doc;
    return typeof episode.start === "number" ? episode.start : reference[0];
  }

  get end() {
    return this.doc.end?.node;
  }

  /** Where the agent stands. */
  get standing() {
    return this.step === 0 ? this.doc.episode.start : this.doc.steps[this.step - 1]?.node;
  }

  get walked() {
    return this.doc.steps.flatMap((_, i) => walkOf(this.doc.steps, i, this.end));
  }

  /** What the agent was shown in this step, where it is. @returns {(SeenEntry & {at: number[]})[]} */
  seen() {
    const pois = this.doc.steps[this.step - 1]?.observation?.pois ?? [];
    return pois.flatMap((poi) => (poi.at ? [{ ...poi, at: poi.at }] : []));
  }

  /** The runs compared, each with its colour. @returns {{steps: import("../document").ComparedStep[], end?: NodeRef, tint: string}[]} */
  others() {
    const { compare, further } = this.doc;
    return [
      ...(compare ? [{ ...compare, tint: this.api.color("other") }] : []),
      ...(further ?? []).map((walk) => ({ ...walk, tint: walk.colour })),
    ];
  }

  /**
   * The place of a target that is signed: where the reference path comes to it, else the first.
   * @param {import("../document").TaskEntry} task
   */
  mainGoal(task) {
    const on = new Set(this.doc.reference);
    return task.goals.find((node) => on.has(node)) ?? task.goals[0];
  }

  /** The agent's heading in degrees; where the log does not tell, that of its move. */
  heading() {
    const { doc, step } = this;
    return step === 0 ? doc.episode.start_heading_deg : doc.steps[step - 1]?.heading_deg;
  }
}
