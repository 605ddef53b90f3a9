// The table of heads, and the head that aligns.

import assert from "node:assert/strict";
import { test } from "node:test";

import { describe, hits, neededPlaces, ranking } from "../../explorer/tabs/what_if/catalogue/aligner.js";
import { sortHeads, formatNumber } from "../../explorer/tabs/what_if/catalogue/catalogue.js";
const head = (kind, layer, number, names, drop, links = null) => ({ kind, layer, head: number, names, drop, low: drop - 1, high: drop + 1, links });
const HEADS = [
  head("cross", 0, 1, ["aligns"], 2, 0.7), head("encoder", 1, 0, [], -0.5), head("encoder", 0, 2, ["previous", "marks"], 2),
  head("decoder", 0, 0, ["marks"], 0.25), head("cross", 0, 0, [], 1, 0.1),
];
const places = (heads) => heads.map(({ kind, layer, head: number }) => `${kind[0]}${layer}${number}`).join(" ");

test("by place the encoder comes first, and by name what has none comes last", () => {
  assert.equal(places(sortHeads(HEADS, { by: "head", descending: false })), "e02 e10 d00 c00 c01");
  const called = { aligns: "ordnet zu", marks: "Satzzeichen", previous: "voriges Token" }; // in the order of the words shown
  assert.equal(places(sortHeads(HEADS, { by: "names", descending: false }, called)), "c01 d00 e02 e10 c00");
  assert.equal(places(sortHeads(HEADS, { by: "names", descending: true }, called)), "e02 d00 c01 e10 c00");
  const others = { aligns: "z", marks: "a", previous: "b" };
  assert.equal(places(sortHeads(HEADS, { by: "names", descending: false }, others)), "d00 e02 c01 e10 c00");
});

test("a head without the number comes last either way", () => {
  assert.equal(places(sortHeads(HEADS, { by: "links", descending: true })), "c01 c00 e02 e10 d00");
  assert.equal(places(sortHeads(HEADS, { by: "links", descending: false })), "c00 c01 e02 e10 d00");
});

test("numbers are written as their column asks, without a minus before nothing", () => {
  assert.deepEqual([formatNumber(0.6249, "percent"), formatNumber(-1.25, "nats"), formatNumber(2.04, "pieces")], ["62%", "−1.25", "2.0"]);
  assert.deepEqual([formatNumber(-0.001, "plain"), formatNumber(-0.06, "nats")], ["0.00", "−0.06"]);
});

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
