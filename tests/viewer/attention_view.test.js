// The attention view: what its marks and thumbnails show, which cell and heads a view means, lengths, and when a beam
// is offered.

import assert from "node:assert/strict";
import { test } from "node:test";

import { AttentionMap } from "../../explorer/derived/attention_map.js";
import { mapOfMeasure } from "../../explorer/derived/length_map.js";
import { thumbnail } from "../../explorer/attention_view/overview.js";
import { marks } from "../../explorer/attention_view/marks.js";
import { cellChange } from "../../explorer/attention_view/state.js";

const SHAPES = ["later", "beyond", "edge", "pinned", "mark", "cell"].map((name) => ({ name, type: "rect" }));
const STEP = { rows: 2, queries: 4, columns: 2, keys: 3, current: 1, pin: null, cell: null, transposed: false };

/** The visible ones by their names, as [x0, x1, y0, y1]. */
function seen(change) {
  const found = marks(SHAPES, { ...STEP, ...change }).filter(({ visible }) => visible);
  return Object.fromEntries(found.map(({ name, x0, x1, y0, y1 }) => [name, [x0, x1, y0, y1]]));
}

test("what is not known yet is covered, and the current row framed as far as keys are known", () => {
  assert.deepEqual(seen({}), {
    later: [-0.5, 2.5, 1.5, 3.5], beyond: [1.5, 2.5, -0.5, 3.5], edge: [-0.5, 1.5, -0.5, 1.5],
    mark: [-0.5, 1.5, 0.5, 1.5],
  });
});

test("a pin frames a row or a column, a cell its own place", () => {
  assert.deepEqual(seen({ pin: { axis: "query", index: 0 } }).pinned, [-0.5, 1.5, -0.5, 0.5]);
  assert.deepEqual(seen({ pin: { axis: "key", index: 1 } }).pinned, [0.5, 1.5, -0.5, 1.5]);
  assert.deepEqual(seen({ cell: { query: 1, key: 0 } }).cell, [-0.5, 0.5, 0.5, 1.5]);
});

test("what is hidden or not known yet has no frame", () => {
  for (const pin of [{ axis: "key", index: -1 }, { axis: "query", index: 2 }]) {
    assert.equal(seen({ pin }).pinned, undefined);
  }
  for (const cell of [{ query: 2, key: 0 }, { query: 0, key: 2 }, { query: 0, key: -1 }]) {
    assert.equal(seen({ cell }).cell, undefined);
  }
});

test("transposed, rows become columns", () => {
  const [x0, x1, y0, y1] = seen({}).later;
  assert.deepEqual(seen({ transposed: true }).later, [y0, y1, x0, x1]);
});

const VIEW = { kind: "cross", layer: 1, head: 1, step: 2, pin: null, cell: null, whole: false };

test("a cell pins its row, and a row of a later step makes that step the current one, but not in the encoder", () => {
  const cell = { query: 1, key: 3 };
  assert.deepEqual(cellChange(VIEW, cell), { cell, pin: { axis: "query", index: 1 }, step: 2 });
  assert.equal(cellChange(VIEW, { query: 3, key: 3 }).step, 3);
  assert.equal(cellChange({ ...VIEW, kind: "encoder" }, { query: 4, key: 3 }).step, 2);
});

const COLOUR = [0, 114, 178];

/** Red, green, blue and opacity of the pixel in column x of row y. */
function pixel(pixels, size, x, y) {
  const at = 4 * (y * size + x);
  return [...pixels.subarray(at, at + 4)];
}

function zeros(rows, columns) {
  return Array.from({ length: rows }, () => new Float32Array(columns));
}

test("masked cells are fully transparent", () => {
  const pixels = thumbnail([[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.3, 0.5]], [1, 2, 3], 6, COLOUR);
  for (let y = 0; y < 6; y++) {
    for (let x = 0; x < 6; x++) {
      const masked = Math.floor(x / 2) > Math.floor(y / 2);
      assert.equal(pixel(pixels, 6, x, y)[3] === 0, masked, `column ${x} of row ${y}`);
    }
  }
});

test("rows go down and columns along", () => {
  const pixels = thumbnail([[0, 1], [0, 0]], [2, 2], 2, COLOUR);
  assert.deepEqual(pixel(pixels, 2, 1, 0), [...COLOUR, 255]);
  for (const [x, y] of [[0, 0], [0, 1], [1, 1]]) assert.ok(pixel(pixels, 2, x, y)[3] < 64);
});

test("a single strong cell survives where many cells share a pixel", () => {
  for (const [row, column] of [[0, 0], [49, 99], [17, 64]]) {
    const rows = zeros(50, 100);
    rows[row][column] = 1;
    const pixels = thumbnail(rows, rows.map(() => 100), 7, COLOUR);
    const opaque = Array.from({ length: 49 }, (_, i) => pixels[4 * i + 3]).filter((opacity) => opacity === 255);
    assert.equal(opaque.length, 1);
    assert.deepEqual(pixel(pixels, 7, Math.floor((column * 7) / 100), Math.floor((row * 7) / 50)), [...COLOUR, 255]);
  }
});

test("the share of changed rows is that of the choice, and of all heads", () => {
  const encode = (...numbers) => Buffer.from(Float32Array.from(numbers).buffer).toString("base64");
  const labels = { queries: ["q", "r"], keys: ["a", "b", "c"], special: { queries: [], keys: [2] } };
  // One layer with two heads, two rows each; the last key is special.
  const weights = encode(0.5, 0.3, 0.2, 0.2, 0.7, 0.1, 0.6, 0.3, 0.1, 0.6, 0.3, 0.1);
  const map = mapOfMeasure(new AttentionMap("cross", { shape: [1, 2, 2, 3], weights, ...labels }), "length");
  map.receive({ norms: { shape: [1, 2, 3], data: encode(1, 2, 9, 1, 1, 1) } }); // "b", "c" of the first head are longer
  assert.deepEqual(map.changed({ layer: 0, head: 0 }, true), { rows: 2, here: 1, all: 0.25 });
  assert.deepEqual(map.changed({ layer: 0, head: 1 }, true), { rows: 2, here: 0, all: 0.25 });
  assert.deepEqual(map.changed({ layer: 0, head: 0 }, false), { rows: 2, here: 1, all: 0.25 });
});
