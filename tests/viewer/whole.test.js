import assert from "node:assert/strict";
import { test } from "node:test";
import { between, cameraOn, project, railsBetween } from "../../explorer/tabs/whole/picture/camera.js";
import { gridColumns } from "../../explorer/tabs/whole/picture/heads.js";
import { ribbonsOf } from "../../explorer/tabs/whole/picture/knots.js";
import { boxOf, laneY, layoutOf } from "../../explorer/tabs/whole/picture/layout.js";
import { placeOfView, remarksOn } from "../../explorer/tabs/whole/from_explore.js";
import { formatPlace, isWithin, levelOf, parsePlace, pathOf } from "../../explorer/tabs/whole/place.js";

const SIZES = {
  layers: { encoder: 4, decoder: 3 }, heads: 8, d_model: 256, d_head: 32, d_value: 32, d_ff: 3072, vocabulary: 16000,
  src: 16, tgt: 14,
};
const STAGES = [{ width: 1326, height: 480 }, { width: 1840, height: 760 }, { width: 358, height: 420 }];
const MODELS = [[1, 1], [4, 4], [6, 6], [2, 5]];
const COUNTS = [[3, 3], [16, 16], [64, 55], [128, 120]];

test("places have one text each, and the address takes no other", () => {
  const texts = [
    "", "memory", "output", "output.14.15999", "output.1.0", "encoder.embedding", "encoder.embedding.sum.16.256",
    "encoder.4", "encoder.2.self", "encoder.2.feed.hidden.16.3072", "decoder.3.cross.8", "decoder.3.cross.8.14.16",
    "decoder.3.cross.8.k.16.32", "decoder.1.self.norm.14.256",
  ];
  for (const text of texts) assert.equal(formatPlace(parsePlace(text, SIZES)), text);
  const wrong = ["encoder", "encoder.5", "decoder.4", "decoder.0", "encoder.1.cross", "decoder.3.cross.9",
    "decoder.3.cross.8.14", "decoder.3.cross.8.14.17", "decoder.3.cross.8.weights.1.1", "encoder.2.feed.q.1.1",
    "memory.1", "output.15.1", "output.1.16000", "decoder.3.cross.8.1.0",
    "decoder.3.cross.8.01.1", "x", "1"];
  for (const text of wrong) assert.equal(parsePlace(text, SIZES), null, text);
});

test("a place lies in all that contain it", () => {
  const place = parsePlace("decoder.3.cross.8.14.16", SIZES);
  assert.deepEqual(pathOf(place).map(levelOf), ["whole", "layer", "block", "head", "number"]);
  assert.ok(isWithin(place, parsePlace("decoder.3", SIZES)));
  assert.ok(!isWithin(place, parsePlace("decoder.2", SIZES)));
});

/** Every layout of these models, numbers of tokens and stages. */
function layouts() {
  return MODELS.flatMap(([encoder, decoder]) => COUNTS.flatMap(([src, tgt]) => STAGES.map((stage) => {
    const layers = { encoder, decoder };
    return { layers, stage, layout: layoutOf({ layers }, { src, tgt }, stage) };
  })));
}

test("blocks follow one another within the stage, and the decoder lies below the river", () => {
  for (const { layout, stage, layers } of layouts()) {
    for (const stack of ["encoder", "decoder"]) {
      const edges = layout[stack].layers.flatMap((blocks) => Object.values(blocks).flatMap(
        ({ start, end, plus, norm, from, to }) => [start, end, plus, norm, from, to]));
      assert.equal(layout[stack].layers.length, layers[stack]);
      assert.deepEqual(edges, [...edges].sort((one, other) => one - other));
      assert.ok(edges[0] >= layout.start.to && edges.at(-1) <= layout.right && layout.right < stage.width);
    }
    const { encoder, river, decoder } = layout;
    assert.ok(encoder.bottom < river.top && river.bottom < decoder.top && decoder.bottom <= stage.height);
    assert.ok(laneY(layout, "decoder", 0) > decoder.top);
  }
});

test("what fills the stage is inside the box of what contains it", () => {
  for (const { layout, layers } of layouts()) {
    const layer = { stack: "decoder", layer: layers.decoder - 1, block: null, head: null, part: null };
    const [outer, inner] = [boxOf(layout, layer), boxOf(layout, { ...layer, block: "cross" })];
    assert.ok(inner.left >= outer.left - 1 && inner.left + inner.width <= outer.left + outer.width + 20);
    assert.ok(inner.width < outer.width);
  }
});

test("a flight inwards never leaves its goal, and ends where it should", () => {
  const [stage] = STAGES;
  const layout = layoutOf({ layers: SIZES.layers }, SIZES, stage);
  const goal = boxOf(layout, { stack: "decoder", layer: 2, block: "cross", head: null, part: null });
  const [from, to] = [boxOf(layout, parsePlace("", SIZES)), goal].map((box) => cameraOn(box, stage));
  let width = 0;
  for (let share = 0; share <= 1; share += 1 / 64) {
    const seen = project(between(from, to, share), goal);
    assert.ok(seen.left > -1 && seen.left + seen.width < stage.width + 1 && seen.top > -1);
    assert.ok(seen.width >= width);
    width = seen.width;
  }
  assert.ok(Math.abs(width - stage.width) < 1e-6);
});

test("flights follow the rails: out to what contains both places, and in again", () => {
  const rails = (from, to) => railsBetween(parsePlace(from, SIZES), parsePlace(to, SIZES), ({ head }) => head !== null)
    .map(formatPlace);
  assert.deepEqual(rails("", "decoder.3.cross"), ["decoder.3.cross"]);
  assert.deepEqual(rails("encoder.1.feed", "memory"), ["", "memory"]);
  assert.deepEqual(rails("decoder.3.cross.8", "decoder.3.self"), ["decoder.3", "decoder.3.self"]);
  assert.deepEqual(rails("decoder.3.cross.8.2.3", "output"), ["decoder.3.cross.8", "", "output"]);
  assert.deepEqual(rails("decoder.3.cross", "decoder.3.cross.2.1.1"), ["decoder.3.cross.2", "decoder.3.cross.2.1.1"]);
});

test("ribbons and the grey rest of a lane add up to its weights", () => {
  const row = Float32Array.of(0.5, 0.3, 0.1, 0.06, 0.03, 0.01);
  const { drawn, others } = ribbonsOf(row, false);
  assert.deepEqual(drawn.map(({ key }) => key), [0, 1, 2, 3]);
  assert.ok(Math.abs(others - 0.04) < 1e-6);
  assert.equal(ribbonsOf(row, true).drawn.length, 5);
  const many = new Float32Array(64).fill(0.01);
  many[7] = 0.37;
  assert.deepEqual(ribbonsOf(many, false).drawn.map(({ key }) => key), [7]);
});

test("heads stand in the grid in which their maps are largest", () => {
  assert.equal(gridColumns(8, { width: 1000, height: 430 }, 1), 4);
  assert.equal(gridColumns(8, { width: 250, height: 430 }, 1), 2);
  assert.equal(gridColumns(2, { width: 1000, height: 430 }, 1), 2);
  assert.equal(gridColumns(1, { width: 1000, height: 430 }, 1), 1);
});

const LEFT = {
  kind: "cross", layer: 1, head: "mean", measure: "weight", specials: true, second: null, cell: { query: 0, key: 2 },
};

/** A kind of attention with these weights, [layer][head], of every cell. */
function mapOf(kind, weights) {
  const mean = weights[1].reduce((sum, weight) => sum + weight) / 2;
  return {
    kind, ready: true, layers: 2, heads: 2,
    weight: (layer, head) => (typeof head === "number" ? weights[layer][head] : mean),
  };
}

test("a cell of several heads leads to the one with the largest weight, and a remark tells what Explore showed", () => {
  const trace = { kinds: { cross: mapOf("cross", [[0.9, 0.1], [0.2, 0.6]]) } };
  const at = (change) => ({ view: { ...LEFT, ...change }, trace });
  assert.equal(formatPlace(placeOfView(at({}))), "decoder.2.cross.2.1.3");
  assert.equal(formatPlace(placeOfView(at({ head: 0 }))), "decoder.2.cross.1.1.3");
  assert.equal(formatPlace(placeOfView(at({ cell: null }))), "decoder.2.cross");
  assert.equal(formatPlace(placeOfView(at({ cell: null, layer: "rollout" }))), "");
  const words = { both: "{layer} {head}", layer: { one: "layer {number}" }, head: { mean: "mean" } };
  const remarks = (change) => remarksOn(at(change), words);
  assert.deepEqual(remarks({}), [
    { name: "remarks.several", values: { heads: "layer 2 mean", share: { share: 0.4 } } },
  ]);
  assert.deepEqual(remarks({ head: 0 }), []);
  assert.deepEqual(remarks({ head: 0, specials: false }).map(({ name }) => name), ["remarks.specials"]);
  assert.deepEqual(remarks({ measure: "length" }).map(({ name }) => name), ["remarks.lengths"]);
});
