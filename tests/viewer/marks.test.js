// What marks show over a heatmap, which cell and which heads a view means.

import assert from "node:assert/strict";
import { test } from "node:test";

import { marks } from "../../explorer/attention_view/plot.js";
import { selectedCell, viewChange } from "../../explorer/attention_view/selected_cell.js";
import { layout } from "../../explorer/ui/grid.js";
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

const map = (queries, keys) => ({ layers: 3, heads: 2, queries: new Array(queries).fill("q"), keys: new Array(keys).fill("k") });
const TRACE = { kinds: { encoder: map(5, 5), decoder: map(4, 4), cross: map(4, 5) } };
const VIEW = { kind: "cross", layer: 1, head: 1, step: 2, pin: null, cell: null, whole: false };

test("without a cell it is the row in focus, and the key is left open", () => {
  assert.deepEqual(selectedCell(VIEW, TRACE), { kind: "cross", layer: 1, head: 1, query: 2, key: null });
  assert.equal(selectedCell({ ...VIEW, pin: { axis: "query", index: 1 } }, TRACE).query, 1);
  assert.equal(selectedCell({ ...VIEW, kind: "encoder" }, TRACE).query, 0);
});

test("a mean has no arithmetic: it is the first head, and the last layer", () => {
  for (const several of ["max", "rollout"]) {
    const { layer, head } = selectedCell({ ...VIEW, layer: several, head: "mean" }, TRACE);
    assert.deepEqual([layer, head], [2, 0]);
  }
});

test("another query frames its cell, pins its row and keeps the key", () => {
  const change = viewChange(VIEW, TRACE, { query: 2, key: 3 }, { query: 1 });
  assert.deepEqual(change, { cell: { query: 1, key: 3 }, pin: { axis: "query", index: 1 }, step: 2 });
});

test("a row of a later step makes that step the current one, but not in the encoder", () => {
  assert.equal(viewChange(VIEW, TRACE, { query: 2, key: 3 }, { query: 3 }).step, 3);
  assert.equal(viewChange({ ...VIEW, kind: "encoder" }, TRACE, { query: 2, key: 3 }, { query: 4 }).step, 2);
});

test("numbers are written across where there is room, upwards in as many lines as they need where not", () => {
  const size = { width: 740, height: 16 };
  assert.equal(layout({ ...size, columns: 256, hasNumbers: false }).lines, 1);
  assert.deepEqual(layout({ ...size, columns: 10, hasNumbers: true }), { perLine: 10, lines: 1, across: 74, tall: 18, turned: false });
  const long = layout({ ...size, columns: 256, hasNumbers: true });
  assert.ok(long.turned && long.lines === 5 && long.perLine * long.lines >= 256);
});

