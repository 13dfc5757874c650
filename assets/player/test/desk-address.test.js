// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { Desk } from "../src/desk/desk.js";

const item = { episode: "1" };
const data = { queue: "q one", entries: [{ item }] };

/** Draw a desk of "q one" on a page whose address is given; returns the address then. @param {string} search */
function addressAfter(search) {
  const page = { search, href: `http://localhost/annotate${search}` };
  const nothing = () => {};
  globalThis.location = /** @type {Location} */ (/** @type {unknown} */ (page));
  const replaceState = (/** @type {unknown} */ _state, /** @type {string} */ _title, /** @type {URL} */ url) => {
    page.href = String(url);
  };
  globalThis.history = /** @type {History} */ (/** @type {unknown} */ ({ replaceState }));
  const desk = {
    data,
    entry: { item },
    at: 0,
    root: { dataset: {} },
    places: { stay: nothing },
    clock: { turn: nothing },
    showItem: nothing,
    itemView: { show: nothing },
    shelf: { need: nothing },
  };
  Desk.prototype.show.call(desk);
  return new URL(page.href).search;
}

test("a desk that is drawn names its queue and item in a bare address", () => {
  assert.equal(addressAfter(""), "?queue=q+one&item=1");
  assert.equal(addressAfter("?queue=q+one"), "?queue=q+one&item=1");
});

test("a desk that is drawn late leaves the address of the queue that its visitor went on to", () => {
  assert.equal(addressAfter("?queue=q+two&item=3"), "?queue=q+two&item=3");
});
