// The head that aligns: which piece each piece needs, and how often a head's largest weight is on it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { describe, hits, neededPlaces, ranking } from "../../explorer/tabs/what_if/catalogue/aligner.js";

// Two words and the end of the source; two words and the end of the translation. The first word of each belong together.
const EFFECTS = [[-3, -0.2, -5], [-1, -2, -5], [-9, -9, -9]];
const POINTS = { 0: [1, 0, 0], 1: [0, 1, 0], end: [0, 0, 1] };
const weights = (...rows) => Float32Array.from(rows.flatMap((place) => POINTS[place]));

test("a piece needs the word without which it loses most; neither end counts, nor a loss below one nat", () => {
  assert.deepEqual(neededPlaces(EFFECTS), [0, 1, null]);
  assert.deepEqual(neededPlaces([[-0.9, -2], [0.5, 0], [-9, -9]]), [null, null]);
  assert.deepEqual(neededPlaces([[-9, -9, -9], ...EFFECTS], 1), [1, 2, null]); // a tag is no word
});

test("a head may align in the row that predicts a piece, or in the next one, which is fed with it", () => {
  const effects = EFFECTS, sizes = { layers: 1, heads: 2 }; // the second head is a step late
  const both = hits(weights(0, 1, "end", 1, 0, 1), effects, sizes), late = hits(weights(0, 0, "end", 1, 0, 1), effects, sizes);
  assert.deepEqual(both["0.1.predicts"], [{ isLargest: false, weight: 0 }, { isLargest: false, weight: 0 }]);
  const { count, ranked } = ranking([both, late]);
  assert.equal(count, 4);
  assert.deepEqual(ranked.slice(0, 2), [{ layer: 0, head: 1, row: "fed", share: 1, weight: 1 }, { layer: 0, head: 0, row: "predicts", share: 0.75, weight: 0.75 }]);
});

test("of two with the same share, the one with more weight comes first", () => {
  const soft = Float32Array.from([0.6, 0.4, 0, 0.4, 0.6, 0, 0, 0, 1]);
  const { ranked } = ranking([hits(Float32Array.from([...soft, ...weights(0, 1, "end")]), EFFECTS, { layers: 1, heads: 2 })]);
  assert.deepEqual(ranked.slice(0, 2).map(({ head, share }) => [head, share]), [[1, 1], [0, 1]]);
});

test("without a needed piece there is no order", () => {
  assert.deepEqual(ranking([hits(weights(0, 1, "end"), [[0, 0, 0], [0, 0, 0], [0, 0, 0]], { layers: 1, heads: 1 })]), { count: 0, ranked: [] });
});

test("an imported model's aligning head is held against the one that Marian trains by default", () => {
  const text = { percent: "{percent}%", none: "none {share}", best: "{layer}.{head} {row} {share} {half}", rows: { predicts: "predicts", fed: "fed" }, guided: "guided", unguided: "not {share}", untaught: "untaught" };
  const one = (layer, head, row, share) => ({ layer, head, row, share });
  const first = one(1, 0, "predicts", 0.9), other = one(0, 2, "fed", 0.5), settings = { sentences: ["a"], layers: 2, isImported: true };
  const worse = one(1, 0, "fed", 0); // a head counts by its better row
  const plain = (said) => said.replace(/[\u2066-\u2069]/g, "");
  assert.equal(plain(describe({ count: 9, ranked: [first, other, worse] }, settings, text)), "2.1 predicts 90% 70% guided");
  assert.equal(plain(describe({ count: 9, ranked: [{ ...other, share: 1 }, first] }, settings, text)), "1.3 fed 100% 95% not 90%");
  assert.equal(plain(describe({ count: 9, ranked: [first, other] }, { ...settings, isImported: false }, text)), "2.1 predicts 90% 70% untaught");
  assert.equal(plain(describe({ count: 9, ranked: [{ ...other, share: 0.49 }, { ...first, share: 0 }] }, settings, text)), "none 49%");
});
