// Thumbnails of heads, and which one lies under the mouse.

import assert from "node:assert/strict";
import { test } from "node:test";

import { headAt, thumbnail } from "../../explorer/attention_view/overview.js";

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

test("a point belongs to the thumbnail around it", () => {
  const canvas = { clientWidth: 322 }, map = { layers: 2, heads: 3 }; // thumbnails of 100, labels of 22
  assert.deepEqual(headAt(canvas, map, 23, 23), { layer: 0, head: 0 });
  assert.deepEqual(headAt(canvas, map, 321, 23), { layer: 0, head: 2 });
  assert.deepEqual(headAt(canvas, map, 121, 123), { layer: 1, head: 0 });
});
