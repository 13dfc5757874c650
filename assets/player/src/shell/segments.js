// @ts-check

/** @typedef {{goal: number | null, from: number, to: number}} Segment  steps from..to, counted from 1, of one sub-goal */

/**
 * The runs of steps that pursue one sub-goal.
 * @param {{sub_goal?: number}[]} steps
 * @returns {Segment[]}
 */
export function segmentsOf(steps) {
  /** @type {Segment[]} */
  const segments = [];
  steps.forEach((step, i) => {
    const goal = step.sub_goal ?? null;
    const last = segments.at(-1);
    if (last && last.goal === goal) last.to = i + 1;
    else segments.push({ goal, from: i + 1, to: i + 1 });
  });
  return segments;
}

/**
 * The step at which the sub-goal before or after a step begins; undefined where there is none.
 * @param {Segment[]} segments
 * @param {number} step
 * @param {number} count
 * @param {number} direction
 */
export function nextSubGoal(segments, step, count, direction) {
  const starts = [0, ...segments.map((segment) => segment.from), count];
  return direction > 0 ? starts.find((start) => start > step) : starts.findLast((start) => start < step);
}
