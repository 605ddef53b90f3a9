// Where the marks over a heatmap lie.

import assert from "node:assert/strict";
import test from "node:test";

import { marks } from "../../explorer/attention_view/plot.js";

const SHAPES = ["later", "beyond", "edge", "pinned", "mark", "cell"].map((name) => ({ name, type: "rect" }));
const STEP = { rows: 2, queries: 4, columns: 2, keys: 3, current: 1, pin: null, cell: null, transposed: false };

/** The visible ones by their names, as [x0, x1, y0, y1]. */
function seen(change) {
  const found = marks(SHAPES, { ...STEP, ...change }).filter(({ visible }) => visible);
  return Object.fromEntries(found.map(({ name, x0, x1, y0, y1 }) => [name, [x0, x1, y0, y1]]));
}

test("what is not known yet is covered, and the current row framed as far as keys are known", () => {
  assert.deepEqual(seen({}), {
    later: [-0.5, 2.5, 1.5, 3.5], beyond: [1.5, 2.5, -0.5, 3.5], edge: [-0.5, 1.5, -0.5, 1.5], mark: [-0.5, 1.5, 0.5, 1.5],
  });
});

test("nothing is covered where all is known, nor framed without a current row", () => {
  assert.deepEqual(seen({ rows: 4, columns: 3, current: null }), { edge: [-0.5, 2.5, -0.5, 3.5] });
});

test("a pin frames a row or a column, a cell its own place", () => {
  assert.deepEqual(seen({ pin: { axis: "query", index: 0 } }).pinned, [-0.5, 1.5, -0.5, 0.5]);
  assert.deepEqual(seen({ pin: { axis: "key", index: 1 } }).pinned, [0.5, 1.5, -0.5, 1.5]);
  assert.deepEqual(seen({ cell: { query: 1, key: 0 } }).cell, [-0.5, 0.5, 0.5, 1.5]);
});

test("what is hidden or not known yet has no frame", () => {
  for (const change of [{ pin: { axis: "key", index: -1 } }, { pin: { axis: "query", index: 2 } }]) assert.equal(seen(change).pinned, undefined);
  for (const cell of [{ query: 2, key: 0 }, { query: 0, key: 2 }, { query: 0, key: -1 }]) assert.equal(seen({ cell }).cell, undefined);
});

test("transposed, rows become columns", () => {
  const [x0, x1, y0, y1] = seen({}).later;
  assert.deepEqual(seen({ transposed: true }).later, [y0, y1, x0, x1]);
});
