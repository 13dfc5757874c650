// @ts-check
// The agent's way through the graph, as the steps tell it.

/** @typedef {number | string} NodeRef */
/** @typedef {{node?: NodeRef, path: NodeRef[], jumps?: number[]}} Walked  a step of a run */
/** @typedef {{lines: NodeRef[][], leaps: [NodeRef, NodeRef][]}} Chain */

/**
 * Nodes of a step's walk; where the log gives none, straight on to where the next step stands.
 * @param {Walked[]} steps
 * @param {number} i
 * @param {NodeRef | undefined} end
 * @returns {NodeRef[]}
 */
export function walkOf(steps, i, end) {
  const step = steps[i];
  if (step.path.length) return step.path;
  if (step.node === undefined) return [];
  const next = i + 1 < steps.length ? steps[i + 1].node : end;
  return next === undefined || next === step.node ? [step.node] : [step.node, next];
}

/**
 * The walks of some steps as lines of nodes; where the log jumps, a line ends and the leap is told apart.
 * @param {Walked[]} steps
 * @param {NodeRef | undefined} end
 * @param {number} from
 * @param {number} to
 * @returns {Chain}
 */
export function chain(steps, end, from, to) {
  /** @type {NodeRef[][]} */
  const lines = [];
  /** @type {[NodeRef, NodeRef][]} */
  const leaps = [];
  /** @type {NodeRef | undefined} */
  let last = from > 0 ? walkOf(steps, from - 1, end).at(-1) : undefined;
  for (let i = from; i < to; i += 1) {
    const broken = new Set(steps[i].jumps);
    walkOf(steps, i, end).forEach((node, k) => {
      const joined = node === last;
      const line = lines.at(-1);
      const onward = k > 0 ? !broken.has(k - 1) : joined;
      if (onward && line) {
        if (!joined) line.push(node);
      } else {
        if (last !== undefined && !joined) leaps.push([last, node]);
        lines.push([node]);
      }
      last = node;
    });
  }
  return { lines: lines.filter((line) => line.length > 1), leaps };
}

/**
 * Neighbours of each node in a list of links.
 * @param {number[]} links  flat pairs
 * @returns {Map<number, Set<number>>}
 */
export function neighbours(links) {
  /** @type {Map<number, Set<number>>} */
  const near = new Map();
  const add = (/** @type {number} */ a, /** @type {number} */ b) => {
    const linked = near.get(a);
    if (linked) linked.add(b);
    else near.set(a, new Set([b]));
  };
  for (let i = 0; i < links.length; i += 2) {
    add(links[i], links[i + 1]);
    add(links[i + 1], links[i]);
  }
  return near;
}

/** @typedef {import("../document").CandidateEntry} CandidateEntry */
/** @typedef {"chosen" | "offered" | "branch" | "beyond" | "way"} Role */

/**
 * What each candidate of a step is to the eye: the chosen one; one that was offered; the first node of a branch that was
 * not taken; one farther along such a branch; one on the way to the chosen.
 * @param {CandidateEntry[]} candidates
 * @param {NodeRef[]} way  nodes from where the agent stands to the chosen one
 * @param {Map<number, Set<number>>} near
 * @returns {Map<CandidateEntry, Role>}
 */
export function roles(candidates, way, near) {
  const walked = new Set(way);
  /** @type {Map<CandidateEntry, Role>} */
  const out = new Map();
  /** @type {Map<NodeRef, CandidateEntry>} */
  const left = new Map();
  for (const item of candidates) {
    if (item.state !== "rejected") out.set(item, item.state);
    else if (walked.has(item.node)) out.set(item, "way");
    else left.set(item.node, item);
    if (!out.has(item)) out.set(item, "branch");
  }
  for (const branch of branches([...left.keys()], near)) {
    const heads = branch.filter((node) => linked(node, near).some((other) => walked.has(other)));
    // a branch that does not touch the way, as where only intersections are told, is marked at its first
    const marked = new Set(heads.length ? heads : branch.slice(0, 1));
    for (const node of branch) {
      const item = left.get(node);
      if (item && !marked.has(node)) out.set(item, "beyond");
    }
  }
  return out;
}

/**
 * @param {NodeRef} node
 * @param {Map<number, Set<number>>} near
 */
const linked = (node, near) => (typeof node === "number" ? [...(near.get(node) ?? [])] : []);

/**
 * Nodes that hang together, each group in the order in which its nodes were told.
 * @param {NodeRef[]} nodes
 * @param {Map<number, Set<number>>} near
 * @returns {NodeRef[][]}
 */
function branches(nodes, near) {
  const open = new Set(nodes);
  /** @type {NodeRef[][]} */
  const out = [];
  for (const first of nodes) {
    if (!open.delete(first)) continue;
    const branch = [first];
    for (const node of branch) {
      for (const other of linked(node, near)) if (open.delete(other)) branch.push(other);
    }
    out.push(branch);
  }
  return out;
}
