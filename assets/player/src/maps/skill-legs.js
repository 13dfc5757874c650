// @ts-check
// The walk cut where another skill acts (SkillNav): each part has the skill's colour, the way back to the best stop is told apart.

/** @typedef {{skill?: number, walk_back?: boolean}} Skilled */
/** @typedef {{skill: number | undefined, back: boolean, from: number, to: number}} Leg  steps from..to of the list, to left out */

/**
 * The runs of steps in which one skill acts.
 * @param {Skilled[]} steps
 * @param {number} from
 * @param {number} to
 * @returns {Leg[]}
 */
export function skillLegs(steps, from, to) {
  /** @type {Leg[]} */
  const legs = [];
  for (let i = from; i < to; i += 1) {
    const { skill } = steps[i];
    const back = Boolean(steps[i].walk_back);
    const last = legs.at(-1);
    if (last && last.skill === skill && last.back === back) last.to = i + 1;
    else legs.push({ skill, back, from: i, to: i + 1 });
  }
  return legs;
}

/**
 * The colour of a step's skill; undefined where it has none.
 * @param {Pick<import("../document").ReplayDocument, "skills">} doc
 * @param {number | undefined} skill
 */
export const skillColour = (doc, skill) => (skill === undefined ? undefined : doc.skills?.[skill]?.colour);

/**
 * The colour that the document gives a skill of this name.
 * @param {Pick<import("../document").ReplayDocument, "skills">} doc
 * @param {unknown} name
 */
export const colourOf = (doc, name) => doc.skills?.find((skill) => skill.name === name)?.colour;

/**
 * Indices of the skills that act in any step, in order.
 * @param {Skilled[]} steps
 */
export const skillsUsed = (steps) =>
  [...new Set(steps.flatMap((step) => (step.skill === undefined ? [] : [step.skill])))].sort((a, b) => a - b);

/**
 * The skill that acts for a sub-goal: in the first step that pursues it.
 * @param {{sub_goal?: number, skill?: number}[]} steps
 * @param {number} goal
 */
export const skillFor = (steps, goal) =>
  steps.find((step) => step.sub_goal === goal && step.skill !== undefined)?.skill;
