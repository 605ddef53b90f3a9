// What marks show over a heatmap, which cell and which heads a view means.

import assert from "node:assert/strict";
import { test } from "node:test";

import { marks } from "../../explorer/attention_view/plot.js";
import { combinedWeight, headsOf, selectedCell, viewChange } from "../../explorer/attention_view/state.js";
import { layout, formatNumber } from "../../explorer/ui/grid.js";
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

test("heads that are shown at once have their weights in a cell, and one together", () => {
  const map = { layers: 2, heads: 3, weight: (...place) => place.join(" ") };
  const mean = combinedWeight({ layer: 1, head: "mean" }, map, { query: 2, key: 5 });
  assert.deepEqual(mean.heads.map(({ layer, head, weight }) => [layer, head, weight]), [[1, 0, "1 0 2 5"], [1, 1, "1 1 2 5"], [1, 2, "1 2 2 5"]]);
  assert.equal(mean.weight, "1 mean 2 5");
  const both = combinedWeight({ layer: "mean", head: "max" }, map, { query: 2, key: 5 });
  assert.deepEqual([both.heads.length, both.weight], [6, "mean max 2 5"]);
});

test("numbers are written across where there is room, upwards in as many lines as they need where not", () => {
  const size = { width: 740, height: 16 };
  assert.equal(layout({ ...size, columns: 256, hasNumbers: false }).lines, 1);
  assert.deepEqual(layout({ ...size, columns: 10, hasNumbers: true }), { perLine: 10, lines: 1, across: 74, tall: 18, turned: false });
  const long = layout({ ...size, columns: 256, hasNumbers: true });
  assert.ok(long.turned && long.lines === 5 && long.perLine * long.lines >= 256);
});

test("numbers have three decimals and a proper minus", () => {
  assert.deepEqual([0.12345, -2, -0.0004, -Infinity, NaN].map(formatNumber), ["0.123", "−2.000", "0.000", "−∞", "nan"]);
});

const MAP = { layers: 2, heads: 3 };

test("one head is one head", () => {
  assert.deepEqual(headsOf({ kind: "cross", layer: 1, head: 2 }, MAP), [["cross", 1, 2]]);
});

test("a mean or maximum is all that it covers", () => {
  assert.deepEqual(headsOf({ kind: "encoder", layer: 0, head: "mean" }, MAP), [["encoder", 0, 0], ["encoder", 0, 1], ["encoder", 0, 2]]);
  assert.deepEqual(headsOf({ kind: "decoder", layer: "max", head: 1 }, MAP), [["decoder", 0, 1], ["decoder", 1, 1]]);
  assert.equal(headsOf({ kind: "cross", layer: "rollout", head: "mean" }, MAP).length, 6);
});
