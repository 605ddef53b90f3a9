// Tables of coloured numbers.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cellColours, paletteOf } from "../../explorer/tabs/what_if/heat.js";

const PALETTE = { cross: "#00785a", cross_negative: "#7b3fb0", ink: "#1e293b", ground: "#ffffff", text: "#4b5563" };

test("numbers below 0 have another colour, and the scale is the most that is seen", () => {
  const palette = paletteOf(PALETTE, "cross"), ground = (number) => cellColours(palette, number, 2).background;
  assert.equal(ground(0), "rgb(255, 255, 255)");
  assert.equal(ground(null), ground(0));
  assert.equal(ground(2), ground(5));
  assert.notEqual(ground(1), ground(2));
  assert.notEqual(ground(-2), ground(2));
});
