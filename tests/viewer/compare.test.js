// Two sentences piece by piece: every piece of both stands there once, in its order.

import assert from "node:assert/strict";
import { test } from "node:test";

import { alignmentColumns, hasCrossing } from "../../explorer/tabs/what_if/compare/compare.js";

const shown = (columns) => columns.map(({ first, second }) => `${first ?? "-"}${second ?? "-"}`).join(" ");

test("the same sentence stands above itself", () => {
  assert.equal(shown(alignmentColumns(3, [0, 1, 2])), "00 11 22");
});

test("what only one sentence has stands alone, the first sentence's before the second's", () => {
  assert.equal(shown(alignmentColumns(4, [0, null, 3])), "00 1- 2- -1 32");
  assert.equal(shown(alignmentColumns(2, [null, 0, 1, null])), "-0 01 12 -3");
});

test("two sentences with nothing in common stand one after the other", () => {
  assert.equal(shown(alignmentColumns(2, [null, null])), "0- 1- -0 -1");
});

test("words in another order are shown in the order of the second sentence", () => {
  assert.deepEqual([hasCrossing([0, null, 3]), hasCrossing([2, null, 0, 1])], [false, true]);
  assert.equal(shown(alignmentColumns(3, [2, 0, 1])), "20 01 12");
});
