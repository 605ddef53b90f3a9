// The rows of the table of heads: filtered, sorted, written.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ANY, NONE, filterHeads, shadeShare, describeCell, sortHeads, formatNumber } from "../../explorer/tabs/what_if/catalogue/catalogue.js";

const head = (kind, layer, number, names, drop, links = null) => ({ kind, layer, head: number, names, drop, low: drop - 1, high: drop + 1, links });
const HEADS = [
  head("cross", 0, 1, ["aligns"], 2, 0.7), head("encoder", 1, 0, [], -0.5), head("encoder", 0, 2, ["previous", "marks"], 2),
  head("decoder", 0, 0, ["marks"], 0.25), head("cross", 0, 0, [], 1, 0.1),
];
const places = (heads) => heads.map(({ kind, layer, head: number }) => `${kind[0]}${layer}${number}`).join(" ");

test("a kind, a name, both, and the heads without a name", () => {
  assert.equal(places(filterHeads(HEADS, { kind: ANY, name: ANY })), places(HEADS));
  assert.equal(places(filterHeads(HEADS, { kind: "cross", name: ANY })), "c01 c00");
  assert.equal(places(filterHeads(HEADS, { kind: ANY, name: "marks" })), "e02 d00");
  assert.equal(places(filterHeads(HEADS, { kind: "encoder", name: NONE })), "e10");
});

test("by a number either way; equal ones stand by their place", () => {
  assert.equal(places(sortHeads(HEADS, { by: "drop", descending: true })), "e02 c01 c00 d00 e10");
  assert.equal(places(sortHeads(HEADS, { by: "drop", descending: false })), "e10 d00 c00 e02 c01");
});

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

test("sorting leaves the heads as they were", () => {
  const before = places(HEADS);
  sortHeads(HEADS, { by: "drop", descending: true });
  assert.equal(places(HEADS), before);
});

test("numbers are written as their column asks, without a minus before nothing", () => {
  assert.deepEqual([formatNumber(0.6249, "percent"), formatNumber(-1.25, "nats"), formatNumber(2.04, "pieces")], ["62%", "−1.25", "2.0"]);
  assert.deepEqual([formatNumber(-0.001, "plain"), formatNumber(-0.06, "nats")], ["0.00", "−0.06"]);
});

test("a cell says its number in words, with the interval where it has one", () => {
  assert.equal(describeCell(HEADS[3], "drop", { form: "nats", cell: "{value}: {low} to {high}" }), "0.25: −0.75 to 1.25");
});

test("a share is shaded as it is, another number as a part of the largest, and nothing below 0", () => {
  assert.deepEqual([shadeShare(0.3, "percent", 0.6), shadeShare(3, "bits", 4), shadeShare(-1, "nats", 2)], [0.3, 0.75, 0]);
});
