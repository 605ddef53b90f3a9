// Two runs compared: what stands for what, and what is subtracted from what.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  computeDifference, describeDifference, largestDifferences, createSignedFrame,
} from "../../explorer/attention_view/comparison.js";
import { Pairing } from "../../explorer/changes/pairing.js";
import { hatchedOutline, heatmapFigure } from "../../explorer/attention_view/heatmap.js";

/** "a b c </s>" read as "a c", "x b c </s>" as "x b c": the unchanged run, and the pairs of the changed one. */
const UNCHANGED = { source: ["a", "c", "</s>"], steps: ["x", "c", "</s>"] };
const PAIRS = { source: [0, null, 1, 2], steps: [0, null, 1, 2] };

function content(kind, rows, keys = [...rows[0].keys()]) {
  const reach = rows.map((_, row) => (kind === "decoder" ? row + 1 : keys.length));
  const special = { queries: new Set(), keys: new Set() };
  const queries = rows.map((_, row) => `q${row}`);
  const labels = keys.map((key) => `k${key}`);
  return { kind, queries, keys, labels, special, reach, rows: rows.map((row) => Float64Array.from(row)), sums: null };
}

const plain = (rows) =>
  rows.map((row) => Array.from(row, (number) => (Number.isNaN(number) ? null : Math.round(1000 * number) / 1000)));
const of = (kind) => {
  const pairing = new Pairing(PAIRS, UNCHANGED);
  return (axis, index) => pairing.partner(kind, axis, index);
};

test("the decoder's keys are fed one step after they were predicted, and masked cells stay masked", () => {
  const before = content("decoder", [[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]]);
  const after = content("decoder", [[1, 0, 0, 0], [0.75, 0.25, 0, 0], [0.25, 0.5, 0.25, 0], [0, 0, 0.5, 0.5]]);
  const found = computeDifference(after, before, of("decoder"));
  // Fed were <s>, the piece of step 0, that of step 1, which the other run has not, and that of step 2.
  assert.deepEqual(plain(found.rows), [
    [0, null, null, null], [null, null, null, null], [-0.25, 0, null, null], [-0.25, -0.25, null, 0],
  ]);
  assert.deepEqual(found.reach, [1, 2, 3, 4]);
});

test("the unchanged run's view follows to the step that corresponds, and says where none does", () => {
  const pairing = new Pairing(PAIRS, UNCHANGED);
  const view = { kind: "cross", layer: 1, step: 2, pin: { axis: "key", index: 2 }, cell: { query: 2, key: 3 } };
  assert.deepEqual(pairing.viewOf(view), {
    ...view, step: 1, parted: false, pin: { axis: "key", index: 1 }, cell: { query: 1, key: 2 },
  });
  const apart = { ...view, step: 1, pin: { axis: "key", index: 1 }, cell: { query: 2, key: 1 } };
  assert.deepEqual(pairing.viewOf(apart), { ...apart, step: 0, parted: true, pin: null, cell: null });
  const other = new Pairing({ source: [0], steps: [null, 2] }, UNCHANGED);
  assert.equal(other.viewOf({ ...view, step: 0, pin: null, cell: null }).step, 0);
});

test("cells without a number lie in rectangles, masked or not", () => {
  const { x, y } = hatchedOutline([[NaN, 1, NaN], [NaN, NaN, NaN]], { reach: [2, 3], known: 2 });
  assert.deepEqual(x, [-0.5, 0.5, 0.5, -0.5, null, 1.5, 2.5, 2.5, 1.5, null, -0.5, 2.5, 2.5, -0.5, null]);
  assert.deepEqual(y, [-0.5, -0.5, 0.5, 0.5, null, -0.5, -0.5, 0.5, 0.5, null, 0.5, 0.5, 1.5, 1.5, null]);
});

const FRAME = {
  data: [{ zmin: 0, zmax: 1, colorscale: [], colorbar: {} }, {}], layout: { xaxis: {}, yaxis: {}, shapes: [{}] },
};
const COLOURS = { cross: "#00785a", cross_negative: "#7b3fb0" };
const TEXT = {
  cell: "", compared: { cell: "{query}, {key}: {weight}" }, rowMaximum: "row max", columnMaximum: "col max",
};
const signedFigure = (shown) =>
  heatmapFigure(createSignedFrame(FRAME, COLOURS, "cross"), shown, { scale: "auto", text: TEXT });

test("a figure of differences is centred at 0, in the colours of the kind and of numbers below zero", () => {
  const shown = { ...content("cross", [[0.25, -0.5], [NaN, NaN]]), signed: true };
  const { data: [cells, outline] } = signedFigure(shown);
  assert.deepEqual([cells.zmin, cells.zmax], [-0.5, 0.5]);
  assert.deepEqual(cells.colorscale[0], [0, "rgba(123,63,176,1)"]);
  assert.deepEqual(cells.colorscale.at(-1), [1, "rgba(0,120,90,1)"]);
  assert.deepEqual(cells.colorbar, { tickvals: [-0.5, 0, 0.5], ticktext: ["−0.500", "0", "+0.500"] });
  assert.deepEqual(cells.text, [["q0, k0: +0.250", "q0, k1: −0.500"], ["", ""]]);
  assert.deepEqual(outline.x, [-0.5, 1.5, 1.5, -0.5, null]);
});

test("a head in which nothing changed is not blown up to full colour", () => {
  const shown = { ...content("cross", [[0.0004, -0.0004]]), signed: true };
  const { data: [{ zmin, zmax }] } = signedFigure(shown);
  assert.deepEqual([zmin, zmax], [-0.05, 0.05]);
});

const WORDS = {
  row: "row {name}: {found}", column: "column {name}: {found}", all: "all: {found}", pair: "{query}/{key}",
  noPartner: "{name} alone", none: "none",
};

test("the largest differences are named by their size, with their signs", () => {
  const shown = content("cross", [[0.25, -0.5, 0.0001], [NaN, NaN, NaN], [0, 0.125, 0]]);
  const said = (axis, index, known = 3) => describeDifference(shown, { axis, index, known }, WORDS);
  assert.deepEqual([...largestDifferences([0.1, NaN, -0.2, 0, 0.3, 0.05])].map(([i]) => i), [4, 2, 0]);
  assert.equal(said("query", 0), "row q0: k1 −0.500, k0 +0.250");
  assert.equal(said("query", 1), "q1 alone");
  assert.equal(said("key", 1), "column k1: q0 −0.500, q2 +0.125");
  assert.equal(said("key", 1, 1), "column k1: q0 −0.500");
  assert.equal(said("query", null), "all: q0/k1 −0.500, q0/k0 +0.250, q2/k1 +0.125");
  assert.equal(said("key", 2), "column k2: none");
});
