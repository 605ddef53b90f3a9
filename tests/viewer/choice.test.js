// Which heads are off: one, a layer, all, all but one; and the parts in which a ranking is asked for.

import assert from "node:assert/strict";
import { test } from "node:test";

import { headsOf, invertHeads, isOff, requestRanges, sortByDrop, colourScale, toggleHead, toggleHeads } from "../../explorer/tabs/what_if/heads/choice.js";

const SIZE = { layers: { encoder: 3, decoder: 2, cross: 2 }, heads: 3 };

test("a head is switched off and on again, and the set is always in one order", () => {
  const off = toggleHead(toggleHead([], ["cross", 1, 0]), ["encoder", 0, 2]);
  assert.deepEqual(off, [["encoder", 0, 2], ["cross", 1, 0]]);
  assert.deepEqual(toggleHead(off, ["encoder", 0, 2]), [["cross", 1, 0]]);
  assert.ok(isOff(off, ["cross", 1, 0]) && !isOff(off, ["cross", 0, 0]));
});

test("a layer goes off where one of its heads is on, and on where none is", () => {
  const layer = headsOf("decoder", SIZE, 1), some = [["decoder", 1, 1], ["cross", 0, 0]];
  const off = toggleHeads(some, layer);
  assert.deepEqual(off, [["decoder", 1, 0], ["decoder", 1, 1], ["decoder", 1, 2], ["cross", 0, 0]]);
  assert.deepEqual(toggleHeads(off, layer), [["cross", 0, 0]]);
});

test("all but one of a kind: the other kinds stay as they are", () => {
  const off = invertHeads([["cross", 0, 1], ["encoder", 0, 0]], headsOf("cross", SIZE));
  assert.equal(off.length, 6);
  assert.ok(!isOff(off, ["cross", 0, 1]) && isOff(off, ["encoder", 0, 0]));
});

test("the parts of a ranking are all of it, and smaller for a long sentence", () => {
  for (const pieces of [10, 60, 256]) {
    const parts = requestRanges(96, pieces);
    assert.deepEqual([parts[0][0], parts.at(-1)[1]], [0, 96]);
    assert.ok(parts.every(([start], i) => i === 0 || start === parts[i - 1][1]));
  }
  assert.ok(requestRanges(96, 10).length === 4 && requestRanges(96, 256).length === 24);
});

test("heads are ranked by their drop, and small drops are not painted strongly", () => {
  const drops = [{ drop: 0.02 }, { drop: -0.05 }, { drop: 0.04 }];
  assert.deepEqual(sortByDrop(drops).map(({ drop }) => drop), [0.04, 0.02, -0.05]);
  assert.deepEqual([colourScale(drops), colourScale([{ drop: -2 }, ...drops])], [0.1, 2]);
});
