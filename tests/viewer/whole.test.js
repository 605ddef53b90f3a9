import assert from "node:assert/strict";
import { test } from "node:test";
import { between, cameraOn, project, railsBetween } from "../../explorer/tabs/whole/picture/camera.js";
import { AttentionMap } from "../../explorer/derived/attention_map.js";
import { tellingHeads } from "../../explorer/derived/head_looks.js";
import { gridColumns, headBoxes, largeHeads } from "../../explorer/tabs/whole/picture/heads.js";
import { ribbonsOf } from "../../explorer/tabs/whole/picture/knots.js";
import {
  boxOf, frameOf, laneY, lanesShown, layoutOf, leastHeight, namesWidth,
} from "../../explorer/tabs/whole/picture/layout.js";
import { isThere, noteParts, pointedRow } from "../../explorer/tabs/whole/picture/pointed.js";
import { laneAt, targetAt } from "../../explorer/tabs/whole/picture/targets.js";
import { placeOfView, weightRemarks } from "../../explorer/tabs/whole/from_attention.js";
import { formatPlace, isWithin, levelOf, parsePlace, pathOf, rowAt } from "../../explorer/tabs/whole/place.js";
import { neighbourOf } from "../../explorer/tabs/whole/neighbours.js";

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
    "encoder.2.feed", "decoder.1.feed.3072",
  ];
  for (const text of texts) assert.equal(formatPlace(parsePlace(text, SIZES)), text);
  const wrong = ["encoder", "encoder.5", "decoder.4", "decoder.0", "encoder.1.cross", "decoder.3.cross.9",
    "decoder.3.cross.8.14", "decoder.3.cross.8.14.17", "decoder.3.cross.8.weights.1.1", "encoder.2.feed.q.1.1",
    "memory.1", "output.15.1", "decoder.1.feed.3073", "decoder.1.feed.0", "decoder.1.feed.7.3",
    "output.1.16000", "decoder.3.cross.8.1.0",
    "decoder.3.cross.8.01.1", "x", "1"];
  for (const text of wrong) assert.equal(parsePlace(text, SIZES), null, text);
});

test("a place lies in all that contain it", () => {
  const place = parsePlace("decoder.3.cross.8.14.16", SIZES);
  assert.deepEqual(pathOf(place).map(levelOf), ["whole", "layer", "block", "head", "number"]);
  assert.ok(isWithin(place, parsePlace("decoder.3", SIZES)));
  assert.ok(!isWithin(place, parsePlace("decoder.2", SIZES)));
  const neuron = parsePlace("decoder.3.feed.7", SIZES);
  assert.deepEqual(pathOf(neuron).map(levelOf), ["whole", "layer", "block", "neuron"]);
});

test("a number of the decoder is one of the step, its keys are none to come, and those of the source stay", () => {
  const rows = { "decoder.1.self.2.9.3": 4, "decoder.1.self.2.k.9.3": 4, "decoder.1.self.2.k.2.3": 1,
    "decoder.3.cross.8.k.16.1": 15, "encoder.1.self.2.9.3": 8, "output.9.7": 4 };
  for (const [text, row] of Object.entries(rows)) assert.equal(rowAt(4, parsePlace(text, SIZES)), row, text);
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
    const [outer, inner] = [frameOf(layout, layer), frameOf(layout, { ...layer, block: "cross" })];
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

/** The map of a kind, all of whose layers have the rows `[head][query][key]`. */
function mapOfHeads(kind, heads, layers = 1) {
  const [queries, keys] = [heads[0], heads[0][0]].map((all) => all.map(() => "a"));
  const map = new AttentionMap(kind, {
    shape: [layers, heads.length], weights: "", queries, keys, special: { queries: [], keys: [] },
  });
  map.decoded = Float32Array.from(Array.from({ length: layers }, () => heads).flat(3));
  return map;
}

const BACK = [[1, 0, 0], [1, 0, 0], [0, 1, 0]], SELF = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const BROAD = Array.from({ length: 3 }, () => [1 / 3, 1 / 3, 1 / 3]);

test("the heads that tell most are the least alike, in their order", () => {
  const almost = SELF.map((row) => row.map((weight) => 0.9 * weight + 1 / 30));
  assert.deepEqual(tellingHeads(mapOfHeads("encoder", [almost, BROAD, almost, BACK, SELF]), 0), [1, 3, 4]);
  const half = SELF.map((row, i) => row.map((weight, j) => (weight + BACK[i][j]) / 2));
  assert.deepEqual(tellingHeads(mapOfHeads("encoder", [SELF, BACK, BACK, half, half]), 0), [0, 1, 3]);
  assert.deepEqual(tellingHeads(mapOfHeads("encoder", [SELF, SELF, SELF, SELF]), 0), [0, 1, 2, 3]);
});

/** A scene of three tokens each, in which every head has the same rows. */
function sceneOf(stage, heads, { step = 2, pointed = null } = {}) {
  const layers = { encoder: 2, decoder: 2 };
  const pieces = ["x", "y", "z"].map((text) => ({ text, special: false }));
  const all = (kind, rows) => mapOfHeads(kind, Array.from({ length: heads }, () => rows), 2);
  const decoder = all("decoder", [[1], [0.5, 0.5], [0.25, 0.25, 0.5]]);
  decoder.keys = ["a", "a", "a"];
  return {
    layout: layoutOf({ layers }, { src: 3, tgt: 3 }, stage), config: { layers }, step, pointed,
    words: { note: "{token} {percent}" },
    trace: {
      source: pieces, steps: pieces.map((fed) => ({ fed })),
      kinds: { encoder: all("encoder", BACK), decoder, cross: all("cross", [[0.2, 0.7, 0.1], ...SELF.slice(1)]) },
    },
  };
}

test("where a block fills the stage its large maps lie on the lanes, beside the names and beside one another", () => {
  for (const stage of STAGES) {
    for (const heads of [1, 2, 4, 12, 16]) {
      const scene = sceneOf(stage, heads);
      const { layout } = scene;
      const place = parsePlace("decoder.2.cross", { ...SIZES, layers: { encoder: 2, decoder: 2 } });
      const camera = cameraOn(boxOf(layout, place), stage);
      const boxes = headBoxes(scene, place, camera);
      const large = largeHeads(scene.trace.kinds.cross, 1);
      assert.equal(large.length, Math.min(heads, heads > 4 ? 3 : heads));
      const { top, height } = project(camera, { ...layout.decoder, left: 0, width: 1,
        height: layout.decoder.bottom - layout.decoder.top });
      for (const head of large) {
        assert.ok(Math.abs(boxes[head].top - top) < 1e-6 && Math.abs(boxes[head].height - height) < 1e-6);
      }
      for (const [i, box] of boxes.entries()) {
        assert.ok(box.left >= namesWidth(layout) && box.left + box.width < stage.width && box.width > 0);
        const meets = ({ left, top: y, width, height: tall }) => left < box.left + box.width && box.left < left + width
          && y < box.top + box.height && box.top < y + tall;
        assert.ok(!boxes.some((other, j) => i !== j && meets(other)), `${heads} heads at ${stage.width}`);
      }
    }
  }
});

test("a long translation has lanes for what is written and a few more; a short one, and a phone, for all", () => {
  for (const steps of [1, 24, 25, 60]) {
    for (let step = 0; step < steps; step++) {
      const lanes = lanesShown({ steps, step }, 1302);
      assert.ok(lanes <= steps && lanes >= Math.min(steps, step + 2), `${step} of ${steps}`);
      assert.equal(lanesShown({ steps, step }, 350), steps);
    }
  }
  assert.equal(lanesShown({ steps: 24, step: 0 }, 1302), 24);
  assert.equal(lanesShown({ steps: 60, step: 20 }, 1302), 26);
  assert.equal(new Set(Array.from({ length: 60 }, (_, step) => lanesShown({ steps: 60, step }, 1302))).size, 7);
});

test("the lane that is pointed at has its rows in all its attentions, a source token one column of the step", () => {
  const [wide] = STAGES;
  const german = sceneOf(wide, 2, { pointed: { stack: "decoder", lane: 1 } });
  assert.deepEqual(pointedRow(german, "decoder"), { row: 1, key: null });
  assert.deepEqual(pointedRow(german, "cross"), { row: 1, key: null });
  assert.equal(pointedRow(german, "encoder"), null);
  assert.deepEqual(noteParts(german, "decoder", 0), ["x 50", "y 50"]);
  const english = sceneOf(wide, 2, { step: 0, pointed: { stack: "encoder", lane: 2 } });
  assert.deepEqual(pointedRow(english, "cross"), { row: 0, key: 2 });
  assert.deepEqual(noteParts(english, "cross", 0), ["z 10"]);
  assert.deepEqual(noteParts(english, "encoder", 0), ["y 100"]);
  assert.equal(pointedRow(sceneOf(wide, 2), "cross"), null);
});

test("a lane that is pointed at is gone with its sentence, and before its token is written", () => {
  const scene = { layout: layoutOf(SIZES, { src: 5, tgt: 6 }, STAGES[0]), step: 2 };
  assert.ok(isThere(null, scene));
  for (const stack of ["encoder", "decoder"]) {
    const count = stack === "encoder" ? 5 : 3;
    assert.ok(isThere({ stack, lane: count - 1 }, scene) && !isThere({ stack, lane: count }, scene), stack);
  }
});

test("a point of the whole lies on a lane that is written, and opens what it lies in", () => {
  const [stage] = STAGES;
  const scene = sceneOf(stage, 2, { step: 1 });
  const { layout } = scene;
  const shown = { scene, place: parsePlace("", SIZES), camera: cameraOn(boxOf(layout, parsePlace("", SIZES)), stage) };
  const { left, right } = layout.decoder.columns[1];
  const at = (lane) => ({ x: (left + right) / 2, y: laneY(layout, "decoder", lane) });
  assert.deepEqual([0, 1, 2].map((lane) => laneAt(shown, at(lane))), [
    { stack: "decoder", lane: 0 }, { stack: "decoder", lane: 1 }, null,
  ]);
  assert.equal(formatPlace(targetAt(shown, at(0))), "decoder.2");
});

test("on a phone lanes are tall enough for names, and the stage is as tall as that needs", () => {
  const stage = { width: 350, height: leastHeight({ src: 40, tgt: 40 }, 350) };
  assert.ok(layoutOf({ layers: SIZES.layers }, { src: 40, tgt: 40 }, stage).pitch >= 13.5);
  assert.ok(leastHeight({ src: 128, tgt: 128 }, 350) <= 2000);
  assert.equal(leastHeight({ src: 40, tgt: 40 }, 1326), 0);
});

const LEFT = {
  kind: "cross", layer: 1, head: "mean", measure: "weight", specials: true, second: null, cell: { query: 0, key: 2 },
};

/** A kind of attention with these weights, [layer][head], of every cell. */
function mapOf(kind, weights) {
  const mean = weights[1].reduce((sum, weight) => sum + weight) / 2;
  return {
    kind, ready: true, layers: 2, heads: 2, reach: () => 3,
    weight: (layer, head) => (typeof head === "number" ? weights[layer][head] : mean),
  };
}

test("a cell of several heads leads to the one with the largest weight, and a remark tells what was shown", () => {
  const trace = { kinds: { cross: mapOf("cross", [[0.9, 0.1], [0.2, 0.6]]) } };
  const at = (change) => ({ view: { ...LEFT, ...change }, trace });
  assert.equal(formatPlace(placeOfView(at({}))), "decoder.2.cross.2.1.3");
  assert.equal(formatPlace(placeOfView(at({ head: 0 }))), "decoder.2.cross.1.1.3");
  assert.equal(formatPlace(placeOfView(at({ cell: null }))), "decoder.2.cross");
  const pinned = (axis) => at({ cell: null, pin: { axis, index: 0 }, head: 1 });
  assert.equal(formatPlace(placeOfView(pinned("query"))), "decoder.2.cross.2.1.1");
  assert.equal(formatPlace(placeOfView(pinned("key"))), "decoder.2.cross.2");
  assert.equal(formatPlace(placeOfView(at({ cell: null, layer: "rollout" }))), "");
  const words = { both: "{layer} {head}", layer: { one: "layer {number}" }, head: { mean: "mean" } };
  const remarks = (change) => weightRemarks(at(change), words);
  assert.deepEqual(remarks({}), [
    { name: "remarks.several", values: { heads: "layer 2 mean", share: { share: 0.4 } } },
  ]);
  assert.deepEqual(remarks({ head: 0 }), []);
  assert.deepEqual(remarks({ head: 0, specials: false }).map(({ name }) => name), ["remarks.specials"]);
  assert.deepEqual(remarks({ measure: "length" }).map(({ name }) => name), ["remarks.lengths"]);
});

test("a drag leads to the neighbour of a place, and nowhere beyond the model", () => {
  const sizes = {
    layers: { encoder: 4, decoder: 3 }, heads: 2, d_model: 8, d_head: 4, d_value: 4, d_ff: 16, vocabulary: 99, src: 5,
    tgt: 4,
  };
  const beside = (text, direction) => {
    const place = neighbourOf(parsePlace(text, sizes), direction, sizes);
    return place && formatPlace(place);
  };
  const right = [1, 0], left = [-1, 0], down = [0, 1], up = [0, -1];
  for (const [text, direction, expected] of [
    ["", right, null],
    ["encoder.1", right, "encoder.2"], ["encoder.1", left, null], ["encoder.4", down, "decoder.3"],
    ["decoder.3", right, null], ["decoder.2", up, "encoder.2"],
    ["decoder.1.self", right, "decoder.1.cross"], ["decoder.1.feed", right, "decoder.2.self"],
    ["encoder.1.self", left, "encoder.embedding"], ["encoder.4.feed", right, "memory"],
    ["memory", left, "encoder.4.feed"],
    ["decoder.3.feed", right, "output"], ["decoder.1.cross", up, null], ["decoder.1.self", up, "encoder.1.self"],
    ["decoder.1.cross.1", right, "decoder.1.cross.2"], ["decoder.1.cross.2", right, null],
    ["decoder.1.cross.1", down, "decoder.2.cross.1"], ["decoder.3.cross.1", down, null],
    ["decoder.1.cross.1.3.5", left, "decoder.1.cross.1.3.4"], ["decoder.1.cross.1.3.5", right, null],
    ["decoder.1.cross.1.v.5.1", down, null], ["decoder.1.cross.1.q.1.4", down, "decoder.1.cross.1.q.2.4"],
    ["output.1.7", right, null],
    ["decoder.1.feed.16", right, null], ["decoder.1.feed.1", right, "decoder.1.feed.2"],
    ["decoder.1.feed.9", down, "decoder.2.feed.9"], ["decoder.3.feed.9", down, null],
  ]) assert.equal(beside(text, direction), expected, `${text} ${direction}`);
});
