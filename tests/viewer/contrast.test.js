// Contrast, against the values that the definition gives.

import assert from "node:assert/strict";
import { test } from "node:test";

import { contrast, blend, readableColour } from "../../explorer/ui/contrast.js";

test("black on white is 21, a colour on itself 1", () => {
  assert.equal(contrast([0, 0, 0], [255, 255, 255]), 21);
  assert.equal(contrast([255, 255, 255], [0, 0, 0]), 21);
  assert.equal(contrast([12, 200, 90], [12, 200, 90]), 1);
});

test("the grey of 4.5 to 1 on white is #767676", () => {
  assert.ok(contrast([0x76, 0x76, 0x76], [255, 255, 255]) >= 4.5);
  assert.ok(contrast([0x77, 0x77, 0x77], [255, 255, 255]) < 4.5);
});

test("colours mix by their share", () => {
  assert.deepEqual(blend([100, 0, 200], [0, 100, 0], 0.25), [25, 75, 50]);
});

test("text keeps its colour where it can be read, and else is black or white", () => {
  assert.deepEqual(readableColour([255, 255, 255], [[30, 41, 59]]), [30, 41, 59]);
  assert.deepEqual(readableColour([0, 110, 80], [[75, 85, 99]]), [255, 255, 255]);
  assert.deepEqual(readableColour([200, 150, 0], [[196, 202, 212]]), [0, 0, 0]);
  for (let grey = 0; grey < 256; grey++) assert.ok(contrast(readableColour([grey, grey, grey], []), [grey, grey, grey]) >= 4.5);
});
