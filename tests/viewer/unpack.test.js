// Numbers as they travel: two 12-bit integers in three bytes, low bits first.

import assert from "node:assert/strict";
import { test } from "node:test";

import { unpack } from "../../explorer/shared/unpack.js";

const base64 = (...bytes) => btoa(String.fromCharCode(...bytes));
const levels = (weights) => Array.from(weights, (weight) => Math.round(weight * 4095));

test("two integers share three bytes, low bits first", () => {
  assert.deepEqual(levels(unpack(base64(0x23, 0xc1, 0xab))), [0x123, 0xabc]);
});

test("further pairs follow in order", () => {
  assert.deepEqual(levels(unpack(base64(0x01, 0x20, 0x00, 0x03, 0x40, 0x00))), [1, 2, 3, 4]);
});

test("of an odd count the last place is 0", () => {
  assert.deepEqual(levels(unpack(base64(0x01, 0x20, 0x00, 0xff, 0x0f, 0x00))), [1, 2, 4095, 0]);
});

test("the largest integer is exactly 1 and the smallest exactly 0", () => {
  assert.deepEqual([...unpack(base64(0xff, 0x0f, 0x00))], [1, 0]);
  assert.deepEqual([...unpack(base64(0x00, 0xf0, 0xff))], [0, 1]);
});

test("nothing gives nothing", () => {
  assert.equal(unpack("").length, 0);
});
