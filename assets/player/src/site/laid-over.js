// @ts-check
// Walks of other runs laid over an episode's document, as the app's Compare page draws them. Each document numbers its own
// nodes, so those of the other walks are found among the first one's, or added to them.

/** @typedef {import("../document").ReplayDocument} ReplayDocument */
/** @typedef {import("../document").ComparedStep} ComparedStep */
/** @typedef {number | string} NodeRef */
/** @typedef {{name: string, doc: ReplayDocument}} Walk */

/** Degrees or metres by which two documents may round one place apart. */
const SAME_PLACE = 1e-5;

/** Whether two documents tell of one episode: another data set may have the same ids. @param {ReplayDocument} a @param {ReplayDocument} b */
export function isSameEpisode(a, b) {
  if (a.frame !== b.frame || a.world !== b.world) return false;
  const [first, other] = [a, b].map(({ episode }) => episode.dataset.toLowerCase());
  return (first !== "" && first === other) || idOf(a, a.episode.start) === idOf(b, b.episode.start);
}

/**
 * The document with other walks on its map: the first as the run compared, the others for the map alone.
 * @param {Walk} own
 * @param {Walk[]} others  walks of the same episode
 * @param {string[]} colours  of those behind the first
 * @returns {ReplayDocument}
 */
export function laidOver(own, others, colours) {
  const ground = new Ground(own.doc);
  const walks = others.map(({ name, doc }) => ({ label: name, other: doc, ...ground.take(doc, name) }));
  const [first, ...rest] = walks;
  if (!first) return own.doc;
  const { other } = first;
  const { navigator, settings, eyes, run, model, created, source, forked_from, metrics } = other;
  const compare = {
    ...{ navigator, settings, eyes, run, model, created, source, forked_from, metrics },
    label: first.label,
    instruction: other.episode.instruction,
    sub_goals: [],
    steps: first.steps,
    end: first.end,
    first_difference: firstDifference(own.doc.steps, first.steps),
  };
  const further = rest.map(({ label, steps, end }, k) => ({ label, steps, end, colour: colours[k] }));
  return { ...ground.document(), label: own.name, compare, further };
}

/**
 * The first step, from 1, at which two walks stand, decide or walk differently; undefined where they are alike.
 * @param {import("../document").StepEntry[]} steps
 * @param {ComparedStep[]} others  by the same numbers of nodes
 */
function firstDifference(steps, others) {
  for (let i = 0; i < Math.min(steps.length, others.length); i += 1) {
    const { node, path, decision } = steps[i];
    const mine = JSON.stringify([node, decision?.target, path]);
    if (mine !== JSON.stringify([others[i].node, others[i].target, others[i].path])) return steps[i].index;
  }
  return steps.length === others.length ? undefined : Math.min(steps.length, others.length) + 1;
}

/** @param {ReplayDocument} doc @param {NodeRef | undefined} node */
function idOf(doc, node) {
  return typeof node === "number" ? doc.nodes.ids[node] : node;
}

/** A document's nodes and streets, to which those of other walks are added. */
class Ground {
  /** @param {ReplayDocument} doc */
  constructor(doc) {
    this.doc = doc;
    this.size = doc.frame === "geo" ? 2 : 3;
    this.nodes = { ...doc.nodes, ids: [...doc.nodes.ids], at: [...doc.nodes.at] };
    this.links = [...doc.links];
    this.streets = [...doc.streets];
    this.bends = [...(doc.bends ?? [])];
    this.floors = [...(doc.indoor?.floor_of ?? [])];
    this.index = new Map(doc.nodes.ids.map((id, node) => [id, node]));
  }

  /** @returns {ReplayDocument} */
  document() {
    const { doc, nodes, links, streets, bends, floors } = this;
    const indoor = doc.indoor && { ...doc.indoor, floor_of: floors };
    return { ...doc, nodes, links, streets, bends, ...(indoor ? { indoor } : {}) };
  }

  /** Where another document's walk runs, by this one's numbers. @param {ReplayDocument} other @param {string} name */
  take(other, name) {
    /** @type {Map<number, number>} */
    const mine = new Map();
    /** @param {NodeRef} node @returns {NodeRef} */
    const of = (node) => {
      if (typeof node !== "number") return node;
      const own = mine.get(node) ?? this.found(other, node) ?? this.add(other, node, name);
      mine.set(node, own);
      return own;
    };
    const maybe = (/** @type {NodeRef | undefined} */ node) => (node === undefined ? undefined : of(node));
    const steps = other.steps.map(({ node, path, heading_deg, decision }) => {
      return { node: maybe(node), target: maybe(decision?.target), path: path.map(of), heading_deg };
    });
    const before = this.nodes.ids.length;
    const end = maybe(other.end?.node);
    // the streets around a walk that leaves what the first document was cut to
    if (before > this.doc.nodes.ids.length) this.streets.push(...other.streets);
    for (const { ends, at } of other.bends ?? []) {
      const here = ends.map((node) => mine.get(node));
      if (here[0] !== undefined && here[1] !== undefined) this.bends.push({ ends: [here[0], here[1]], at });
    }
    return { steps, end };
  }

  /** The node of this document that is the same place; poses of two walks share names and lie elsewhere. @param {ReplayDocument} other @param {number} node */
  found(other, node) {
    const own = this.index.get(other.nodes.ids[node]);
    if (own === undefined) return undefined;
    const [here, there] = [this.nodes.at, other.nodes.at].map((at, k) => {
      const from = this.size * (k ? node : own);
      return at.slice(from, from + this.size);
    });
    return here.every((value, k) => Math.abs(value - there[k]) <= SAME_PLACE) ? own : undefined;
  }

  /** @param {ReplayDocument} other @param {number} node @param {string} name @returns {number} */
  add(other, node, name) {
    const id = other.nodes.ids[node];
    const taken = this.index.has(id);
    const added = this.nodes.ids.length;
    this.nodes.ids.push(taken ? `${name}: ${id}` : id);
    this.nodes.at.push(...other.nodes.at.slice(this.size * node, this.size * (node + 1)));
    // a house names the floor of each node
    if (this.doc.indoor) this.floors.push(other.indoor?.floor_of[node] ?? 0);
    // a pose that another walk names too stays that walk's own
    if (!taken) this.index.set(id, added);
    return added;
  }
}
