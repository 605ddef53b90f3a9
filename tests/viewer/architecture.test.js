// The map of the model.

import assert from "node:assert/strict";
import { test } from "node:test";

import { layoutFigure } from "../../explorer/tabs/architecture/map.js";

const ENCODER = ["encoder.self_attention", "norm", "feed_forward", "norm"];
const DECODER = ["decoder.self_attention", "norm", "cross_attention", "norm", "feed_forward", "norm"];

/** The blocks of a model with so many layers in each stack, one parameter each. */
function model(encoder, decoder = encoder) {
  const stack = (name, layers, names, after = []) => {
    const block = (kind, layer = null) => {
      return { stack: name, layer, name: kind, path: `${name}.${layer}.${kind}`, parameters: 1 };
    };
    const inside = Array.from({ length: layers }, (_, layer) => names.map((kind) => block(kind, layer))).flat();
    const before = ["ids", "embedding", "positions"];
    return [...before.map((kind) => block(kind)), ...inside, ...after.map((kind) => block(kind))];
  };
  const ends = ["projection", "probabilities"];
  return [...stack("encoder", encoder, ENCODER), ...stack("decoder", decoder, DECODER, ends)];
}

const blocksIn = ({ boxes }) => boxes.filter(({ kind }) => kind === "block");
const right = ({ x, width }) => x + width;
const bottom = ({ y, height }) => y + height;
const inside = (a, b) => a.x > b.x && a.y > b.y && right(a) < right(b) && bottom(a) < bottom(b);
const apart = (a, b) => right(a) <= b.x || right(b) <= a.x || bottom(a) <= b.y || bottom(b) <= a.y;

for (const stacked of [false, true]) {
  const name = stacked ? "one above the other" : "side by side";

  test(`stacks ${name}: one layer of each is open, the others are bars with their parameters`, () => {
    const found = layoutFigure(model(5), 2, stacked);
    const bars = found.boxes.filter(({ kind }) => kind === "bar");
    const closed = (stack, parameters) => [0, 1, 3, 4].map((layer) => [stack, layer, parameters]);
    assert.deepEqual(
      bars.map(({ stack, layer, parameters }) => [stack, layer, parameters]),
      [...closed("encoder", 4), ...closed("decoder", 6)],
    );
    const layers = blocksIn(found).map(({ block }) => block.layer);
    assert.deepEqual(layers.filter((layer) => layer !== null), Array(10).fill(2));
    assert.equal(blocksIn(found).length, 3 + 4 + 3 + 6 + 2);
  });

  test(`stacks ${name}: the one of fewer layers shows its last, and the memory goes into every decoder layer`, () => {
    const frames = ({ boxes }) => boxes.filter(({ kind }) => kind === "frame");
    const opened = (figure) => frames(figure).map(({ stack, layer }) => [stack, layer]);
    const low = layoutFigure(model(3, 1), 2, stacked);
    const high = layoutFigure(model(1, 3), 2, stacked);
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
    const covers = (box, { x, y }) => box.kind !== "frame" && box.x === x && box.y < y && y < bottom(box);
    const reached = ends.map((point) => boxes.find((box) => covers(box, point)));
    assert.deepEqual(reached.map((box) => box.layer ?? box.block.name), [0, "cross_attention", 2]);
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
