// The boards of a head and of a feed-forward network: what they compute, and where a head's matrices stand.
import { strongestKey } from "../../explorer/derived/head_looks.js";
import { maskedRuns } from "../../explorer/derived/masks.js";

import assert from "node:assert/strict";
import { test } from "node:test";

import { mixBoard } from "../../explorer/tabs/whole/boards/attention_arithmetic.js";
import { shownNumber } from "../../explorer/tabs/whole/boards/board_text.js";
import {
  changedBy, equationOf, forbiddenCells, forbiddenShare, looksAhead, mistakesOf,
} from "../../explorer/tabs/whole/boards/equation.js";
import { layoutFeed } from "../../explorer/tabs/whole/boards/feed_layout.js";
import { focusOn, frameFocus } from "../../explorer/tabs/whole/boards/head_focus.js";
import { HEAD_MATRICES, tensorCell } from "../../explorer/tabs/whole/boards/head_matrices.js";
import { HeadMistakes } from "../../explorer/tabs/whole/boards/head_mistakes.js";
import { layoutHead } from "../../explorer/tabs/whole/boards/head_layout.js";
import { halve, maskedPath, outlinePath, pooled } from "../../explorer/tabs/whole/boards/cells.js";
import { alsoAt, countPositive, largestNear, strongestNeurons } from "../../explorer/tabs/whole/boards/neurons.js";
import { parsePlace } from "../../explorer/tabs/whole/place.js";
import { Tensor } from "../../explorer/ui/tensor.js";

Object.assign(globalThis, { document: { documentElement: { lang: "en" } }, Node: class {} });

const tensor = (rows) => new Tensor({ shape: [rows.length, rows[0].length], data: Float32Array.from(rows.flat()) });
const Q = [[2, 0], [0, 4], [2, 2]], V = [[1, 0], [0, 1], [3, 3]];
const SCORES = [[2, 0, 2], [0, 4, 4], [2, 2, 4]];

/** A head whose queries are its keys, of two numbers, so that scores are products divided by the root of 2. */
function headOf(isCausal) {
  const scores = Q.map((q) => Q.map((k) => (q[0] * k[0] + q[1] * k[1]) / Math.SQRT2));
  const mask = Q.map((_, i) => Q.map((_, j) => Number(!isCausal || j <= i)));
  const powers = scores.map((row, i) => row.map((score, j) => mask[i][j] * Math.exp(score)));
  const weights = powers.map((row) => row.map((power) => power / row.reduce((a, b) => a + b)));
  const mix = weights.map((row) => [0, 1].map((d) => row.reduce((sum, weight, j) => sum + weight * V[j][d], 0)));
  const heads = new Tensor({ shape: [3, 2, 2], data: Float32Array.from(mix.flatMap((row) => [9, 9, ...row])) });
  const rows = { q: Q, k: Q, v: V, scores, weights, mask };
  const tensors = Object.entries(rows).map(([name, values]) => [name, tensor(values)]);
  return { ...Object.fromEntries(tensors), heads, index: 1 };
}

const rounded = (rows) => rows.map((row) => Array.from(row, (number) => Math.round(100 * number) / 100));

test("a head's equation has its own part of the outputs of all heads", () => {
  const { products, weights, mix } = equationOf(headOf(true));
  assert.deepEqual(rounded(products), [[4, 0, 4], [0, 16, 8], [4, 8, 8]]);
  assert.deepEqual([rounded(weights)[0], rounded(mix)[0]], [[1, 0, 0], [1, 0]]);
});

test("a head that is off puts out nothing, whatever its weights mix", () => {
  const token = { text: "a", special: false };
  const trace = { source: [], steps: [0, 1, 2].map(() => ({ fed: token, predicted: token })) };
  const sizes = { layers: { encoder: 1, decoder: 1 }, heads: 2, d_head: 2, d_value: 2, d_model: 4, src: 0, tgt: 3 };
  const place = parsePlace("decoder.1.self.2.mix.3.1", sizes);
  const numberWithout = (head) => (
    mixBoard({ place, trace, config: sizes, experiment: { off: [["decoder", 0, head]] } }, headOf(true)).result.number);
  assert.equal(numberWithout(1), 0);
  assert.ok(numberWithout(0) > 1);
});

test("each mistake changes the weights in its own way, and the mixture follows", () => {
  const head = headOf(true);
  const { unmasked, turned, undivided, columns } = Object.fromEntries(
    ["unmasked", "turned", "undivided", "columns"].map((name) => [name, equationOf(head, name)]));
  assert.deepEqual(rounded(unmasked.weights)[0], [0.49, 0.03, 0.49]);
  assert.equal(Math.round(100 * forbiddenShare(unmasked.weights[0], head.mask.row(0))), 51);
  assert.deepEqual(rounded(unmasked.mix)[0], [1.94, 1.49]);
  assert.deepEqual(rounded(turned.weights)[2], [0, 0, 1]);
  assert.deepEqual(rounded(undivided.weights)[2], [0.01, 0.5, 0.5]);
  assert.deepEqual(rounded(undivided.scores), rounded(undivided.products));
  const ofColumn = (j) => columns.weights.reduce((sum, row) => sum + row[j], 0);
  assert.deepEqual([0, 1, 2].map((j) => Math.round(1e6 * ofColumn(j)) / 1e6), [1, 1, 1]);
  assert.equal(columns.weights[0][2], 0);
});

/** What is said under a mistake about a row, in short; the page's words have the same names in braces. */
function saidOf(name, query) {
  const head = headOf(true);
  const words = "{root}: {query} {key} {before} {after}, {forbidden}, {sum}";
  const given = { text: { mistakes: { [name]: { words } }, unchanged: "" }, dropout: 0.5, select: { value: name } };
  const tokens = { query: (i) => `q${i}`, key: (j) => `k${j}` };
  const parts = Object.assign(Object.create(HeadMistakes.prototype), given)
    .nodes({ head, equation: equationOf(head, name), query, known: 3, tokens });
  return parts.join("").trim();
}

test("the sentence under a mistake has the shares before and after, what is forbidden, and the row's sum", () => {
  assert.equal(saidOf("undivided", 2), "2: q2 k1 49 50, 0, 100");
  assert.equal(saidOf("undivided", 1), saidOf("undivided", 2), "of a row that hardly changes another is told");
  assert.equal(saidOf("unmasked", 0), "2: q0 k0 100 49, 51, 100");
  assert.equal(saidOf("columns", 0), "2: q0 k0 100 49, 0, 49");
});

test("mistakes about the mask are offered only where something is masked", () => {
  assert.deepEqual(mistakesOf(headOf(false), { kind: "encoder", dropout: 0 }), ["undivided", "columns"]);
  assert.deepEqual(mistakesOf(headOf(true), { kind: "decoder", dropout: 0.1 }), [
    "undivided", "unmasked", "turned", "columns", "dropped", "mislabelled",
  ]);
  assert.deepEqual(mistakesOf(headOf(true), { kind: "cross", dropout: 0 }), ["undivided", "columns", "mislabelled"]);
});

test("a mistake changes the matrices after it, and some look at tokens to come", () => {
  assert.deepEqual(changedBy(null), []);
  assert.deepEqual(changedBy("unmasked"), ["scores", "weights", "mix", "added"]);
  assert.deepEqual(changedBy("columns"), ["weights", "mix", "added"]);
  assert.deepEqual([null, "undivided", "dropped", "columns", "turned"].map(looksAhead),
    [false, false, false, true, true]);
});

test("cells that only a mistake allows are those of the model's mask", () => {
  const head = headOf(true);
  const cells = (mistake) => forbiddenCells(head, equationOf(head, mistake).allowed);
  const upper = [[false, true, true], [false, false, true], [false, false, false]];
  assert.deepEqual([cells(null), cells("columns"), cells("unmasked"), cells("turned")], [null, null, upper, upper]);
});

test("the strongest key is one that the query may look at", () => {
  assert.equal(strongestKey(SCORES[0], [false, true, true]), 2);
  assert.equal(strongestKey([0, 0], [false, false]), null);
});

test("what is not 0 does not look like it", () => {
  assert.deepEqual([-0.004, 0, -1.005, -Infinity].map(shownNumber), ["≈0", "0", "−1.00", "−∞"]);
});

test("halved columns keep the sign and size of what they stand for", () => {
  assert.deepEqual([...halve([3, -3, 1, 1, 5])], [0, 1, 5]);
  assert.deepEqual(pooled([[1, 1, 1, 1], [-7, -7, -7, -7]], 2, 2).map((row) => [...row]), [[1, 1], [-7, -7]]);
  assert.equal(pooled(new Array(256).fill([1]), 10, 100).length, 64);
});

test("masked cells of a row are one area", () => {
  assert.equal(maskedPath([[true, false, false], [true, true, true]], 30, 20), "M10,0H30V10H10Z");
  assert.deepEqual(maskedRuns(2, 3, (row, column) => row === 1 && column !== 1),
    [{ row: 1, from: 0, to: 1 }, { row: 1, from: 2, to: 3 }]);
});

test("an outline runs around cells, not between them", () => {
  const right = [[false, true], [false, true]];
  assert.equal(outlinePath(right, 20, 20), "M10,0h10M10,0v10M20,0v10M10,20h10M10,10v10M20,10v10");
  assert.equal(outlinePath([[false]], 10, 10), "");
});

/** The frames of all matrices, where 3 is the strongest key of every query. */
function framesOn(id, cell) {
  const frames = {};
  const matrices = Object.fromEntries(Object.keys(HEAD_MATRICES).map((name) => [name, {
    frame: ({ row, column, cell: framed }) => { frames[name] = [row, column, framed && [framed.row, framed.column]]; },
  }]));
  const chosen = { query: 1, key: 2, matrix: "weights", cell: { row: 1, column: 2 } };
  frameFocus(matrices, focusOn(id, cell, { chosen, strongestOf: () => 3 }));
  return frames;
}

test("a number that is looked at is framed in every matrix that has it", () => {
  const { q, k, weights, v, w_q: wq } = framesOn("q", { row: 5, column: 7 });
  assert.deepEqual([q, wq, k], [[5, null, [5, 7]], [null, 7, null], [null, 3, [7, 3]]]);
  assert.deepEqual([weights, v], [[5, null, [5, 3]], [3, null, null]]);
  assert.deepEqual(framesOn("k", { row: 7, column: 4 }).weights, [1, null, [1, 4]]);
  assert.deepEqual(framesOn("w_o", { row: 6, column: 9 }).mix, [1, null, [1, 6]]);
});

test("the number of a cell of K transposed is that of its key's row", () => {
  assert.deepEqual(tensorCell("k", { row: 7, column: 4 }), { row: 4, column: 7 });
  assert.deepEqual(tensorCell("q", { row: 7, column: 4 }), { row: 7, column: 4 });
});

const inside = (box, width) => box.left >= 0 && box.left + box.width <= width && box.width > 20 && box.height > 20;
const overlap = (one, other) => one.left < other.left + other.width && other.left < one.left + one.width
  && one.top < other.top + other.height && other.top < one.top + one.height;

test("a head's matrices stand beside one another without overlapping, at every size", () => {
  const names = (count) => new Array(count).fill("Fahrrad");
  for (const [width, height] of [[1326, 550], [1880, 750], [390, 480], [760, 700], [320, 400]]) {
    for (const count of [3, 16, 64, 128]) {
      const { boxes, ...layout } = layoutHead({ width, height, queries: names(count), keys: names(count + 1) });
      const all = Object.values(boxes);
      assert.equal(all.length, 11);
      assert.ok(all.every((box) => inside(box, width)), `${width} ${count}`);
      assert.ok(!all.some((box, i) => all.slice(i + 1).some((other) => overlap(box, other))), `${width} ${count}`);
      const area = (box) => box.width * box.height;
      assert.ok(all.every((box) => area(box) <= area(boxes.weights)), "the weights are the largest");
      if (layout.isWide) assert.ok(layout.height <= height + 1, "a wide board does not scroll");
    }
  }
});

test("rows of up to 24 tokens are as high as their names, on a board that is too low as well", () => {
  const names = new Array(24).fill("Fahrrad");
  for (const [width, height] of [[1216, 430], [1326, 550], [1880, 750], [800, 300]]) {
    const { boxes } = layoutHead({ width, height, queries: names, keys: names });
    const { boxes: { hidden } } = layoutFeed({ width, height, tokens: names.length, names: 60 });
    const named = [boxes.q, boxes.scores, boxes.weights, boxes.v, boxes.mix, hidden];
    assert.ok(named.every((box) => box.height / names.length >= 9), `${width} ${height}`);
  }
});

test("a feed-forward network's parts stand below one another without overlapping, at every size", () => {
  for (const [width, height] of [[1326, 550], [1880, 750], [390, 480], [320, 400]]) {
    for (const tokens of [3, 16, 128]) {
      const { boxes, spikes, chips, ...layout } = layoutFeed({ width, height, tokens, names: 60 });
      const all = [...Object.values(boxes), spikes];
      assert.ok(all.every((box) => inside(box, width)), `${width} ${tokens}`);
      assert.ok(!all.some((box, i) => all.slice(i + 1).some((other) => overlap(box, other))), `${width} ${tokens}`);
      assert.ok(chips > boxes.hidden.top + boxes.hidden.height && chips < boxes.output.top);
      if (width > 760) assert.ok(layout.height <= height, `${width} ${tokens}: ${layout.height}`);
    }
  }
});

test("a neuron's other tokens are those where it is above zero, the strongest first", () => {
  const rows = [[0, 2, 0.5], [0, 1, 0], [3, 0, 0], [0, 4, 0]];
  assert.deepEqual(strongestNeurons(rows[0], 5).map(({ neuron }) => neuron), [1, 2]);
  assert.deepEqual(alsoAt(rows, 1, 0, 5).map(({ token }) => token), [3, 1]);
  assert.deepEqual([countPositive(rows[0]), alsoAt(rows, 2, 0, 5)], [2, []]);
  assert.deepEqual([largestNear([0, 5, 0, 9], 2, 1), largestNear([0, 5, 0, 9], 0, 0)], [3, 0]);
});
