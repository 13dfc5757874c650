// @ts-check
// Streamlit draws a part anew while it is still being drawn, and then takes away what the first draw left.
import assert from "node:assert/strict";
import { test } from "node:test";
import { lasting } from "../src/streamlit/component.js";

/** A part that stays in its place until it is taken away, and is drawn when `ready` says so. */
function part() {
  const shown = new Set();
  /** @type {(() => void)[]} */
  const ready = [];
  /** @param {{ parentElement: object }} component */
  const draw = async ({ parentElement }) => {
    shown.add(parentElement);
    await new Promise((/** @type {(value?: undefined) => void} */ resolve) => ready.push(resolve));
    return () => shown.delete(parentElement);
  };
  return { shown, ready, draw };
}
/** @param {object} place @returns {any} */
const component = (place) => ({ data: null, parentElement: place, setTriggerValue: () => {} });

test("a draw that another overtook takes nothing away", async () => {
  const { shown, ready, draw } = part();
  const [place, elsewhere] = [{}, {}];
  const draws = [place, place, elsewhere].map((at) => lasting(draw, component(at)));
  for (const resolve of ready) resolve();
  const [first, second] = await Promise.all(draws);
  first();
  assert.deepEqual([...shown], [place, elsewhere]);
  second();
  assert.deepEqual([...shown], [elsewhere]);
});
