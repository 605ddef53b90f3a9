// Numbers as they travel: weights in two characters, corrections of what is shown of them in five.

import assert from "node:assert/strict";
import { test } from "node:test";

import { floats, unpack } from "../../explorer/ui/unpack.js";

const USED = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter((letter) => !`"\\&'<>`.includes(letter));

test("the lowest level is exactly 0 and the highest exactly 1", () => {
  assert.deepEqual([...unpack("!!~~", 2).weights], [0, 1]);
});

test("levels are in order, the higher character first", () => {
  const texts = USED.flatMap((high) => USED.map((low) => high + low));
  const { weights } = unpack(texts.join(""), texts.length);
  assert.equal(weights.length, 7744);
  weights.forEach((weight, level) => {
    const root = level / 7743;
    assert.equal(weight, root * root * (root * root));
  });
});

test("a correction has a gap since the one before and a number in thousandths", () => {
  const { weights, places, numbers } = unpack("~~!!" + "!#!!!" + "!!!!#" + "#!!##" + "~~~~~", 2);
  assert.deepEqual([...weights], [1, 0]);
  assert.deepEqual([...places], [1, 1, 89, 7832]);
  assert.deepEqual([...numbers], [0, 0.001, 0.089, 681.471]);
});

test("without corrections there are none, and nothing gives nothing", () => {
  assert.deepEqual(unpack("~~", 1).places.length, 0);
  assert.deepEqual([unpack("", 0).weights.length, unpack("", 0).numbers.length], [0, 0]);
});

test("floats have their low bytes first", () => {
  assert.deepEqual([...floats(btoa(String.fromCharCode(0, 0, 0xc0, 0x3f, 0, 0, 0, 0xbe)))], [1.5, -0.125]);
});
