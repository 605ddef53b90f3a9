// The map of the model.

import assert from "node:assert/strict";
import { test } from "node:test";

import { layoutFigure } from "../../explorer/tabs/architecture/map.js";
const ENCODER = ["encoder.self_attention", "norm", "feed_forward", "norm"];
const DECODER = ["decoder.self_attention", "norm", "cross_attention", "norm", "feed_forward", "norm"];

/** The blocks of a model with so many layers in each stack, one parameter each. */
function model(encoder, decoder = encoder) {
  const stack = (name, layers, names, after = []) => {
    const block = (kind, layer) => ({ stack: name, layer, name: kind, path: `${name}.${layer}.${kind}`, parameters: 1 });
    const inside = Array.from({ length: layers }, (_, layer) => names.map((kind) => block(kind, layer))).flat();
    return [...["ids", "embedding", "positions"].map((kind) => block(kind, null)), ...inside, ...after.map((kind) => block(kind, null))];
  };
  return [...stack("encoder", encoder, ENCODER), ...stack("decoder", decoder, DECODER, ["projection", "probabilities"])];
}

const blocksIn = ({ boxes }) => boxes.filter(({ kind }) => kind === "block");
const inside = (box, outer) => box.x > outer.x && box.y > outer.y && box.x + box.width < outer.x + outer.width && box.y + box.height < outer.y + outer.height;
const apart = (a, b) => a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;

for (const stacked of [false, true]) {
  const name = stacked ? "one above the other" : "side by side";

  test(`stacks ${name}: one layer of each is open, the others are bars with their parameters`, () => {
    const found = layoutFigure(model(5), 2, stacked);
    const bars = found.boxes.filter(({ kind }) => kind === "bar").map(({ stack, layer, parameters }) => [stack, layer, parameters]);
    assert.deepEqual(bars, [0, 1, 3, 4].map((layer) => ["encoder", layer, 4]).concat([0, 1, 3, 4].map((layer) => ["decoder", layer, 6])));
    assert.deepEqual(blocksIn(found).map(({ block }) => block.layer).filter((layer) => layer !== null), Array(10).fill(2));
    assert.equal(blocksIn(found).length, 3 + 4 + 3 + 6 + 2);
  });

  test(`stacks ${name}: the one that has fewer layers shows its last one, and the memory goes into every decoder layer`, () => {
    const opened = ({ boxes }) => boxes.filter(({ kind }) => kind === "frame").map(({ stack, layer }) => [stack, layer]);
    const [low, high] = [layoutFigure(model(3, 1), 2, stacked), layoutFigure(model(1, 3), 2, stacked)];
    assert.deepEqual(opened(low), [["encoder", 2], ["decoder", 0]]);
    assert.deepEqual(opened(high), [["encoder", 0], ["decoder", 2]]);
    assert.deepEqual([low.memory.length, high.memory.length], [1, 3]);
  });

  test(`stacks ${name}: no box covers another, except frames around their blocks, and all are inside`, () => {
    const { boxes, width, height } = layoutFigure(model(3), 0, stacked);
    for (const [i, a] of boxes.entries()) {
      assert.ok(inside(a, { x: 0, y: 0, width, height }));
      for (const b of boxes.slice(i + 1)) assert.ok(a.kind === "frame" ? inside(b, a) || apart(a, b) : apart(a, b));
    }
  });

  test(`stacks ${name}: the flow goes upwards from each box to the next`, () => {
    const found = layoutFigure(model(3), 1, stacked);
    assert.equal(found.arrows.length, blocksIn(found).length + 4 - 2);
    for (const { from, to } of found.arrows) assert.ok(to.y + to.height < from.y);
  });

  test(`stacks ${name}: the memory goes from the encoder's top into every layer of the decoder`, () => {
    const { boxes, memory } = layoutFigure(model(3), 1, stacked);
    const ends = memory.map((points) => points.at(-1));
    const reached = ends.map(({ x, y }) => boxes.filter((box) => box.kind !== "frame" && box.x === x && box.y < y && y < box.y + box.height));
    assert.deepEqual(reached.map(([box]) => box.layer ?? box.block.name), [0, "cross_attention", 2]);
    const top = Math.min(...boxes.filter((box) => (box.stack ?? box.block.stack) === "encoder").map(({ y }) => y));
    for (const [start] of memory) assert.equal(start.y, top);
  });
}

test("each sub-layer of the open layer has a way around it to its Add & Norm", () => {
  const { residuals } = layoutFigure(model(3), 1, false);
  assert.deepEqual(residuals.map(({ from, to }) => [from.block.name, to.block.name]), [
    ["encoder.self_attention", "norm"], ["feed_forward", "norm"],
    ["decoder.self_attention", "norm"], ["cross_attention", "norm"], ["feed_forward", "norm"],
  ]);
});

