// Figures of the Predictions tab and the arithmetic of a cell in Inside.

import assert from "node:assert/strict";
import { test } from "node:test";

import { afterDropout, computeCell, withoutScaling } from "../../explorer/tabs/inside/arithmetic.js";
import { logitsHistogram, ranksFigure, residualFigure, stateStrip } from "../../explorer/tabs/predictions/figures.js";
import { entropy, softmax } from "../../explorer/ui/numbers.js";
import { decodeTensors } from "../../explorer/ui/tensor.js";
Object.assign(globalThis, { document: { documentElement: { lang: "en" } }, getComputedStyle: () => ({ getPropertyValue: () => "sans-serif" }) });

const COLOURS = { encoder: "blue", decoder: "orange", text: "black", masked: "grey" };
const WORDS = {
  state: "%{z:.3f}", rank: "{piece}: %{{y:,}}", logits: "%{y}", chosen: "chosen: {logit}", pieces: "pieces", logit: "logit",
  lengths: "lengths", shares: "shares", other: "{piece}: %{{y:.2f}}", length: "length %{y:.2f}", share: "%{y:.2f}",
};
const LOGITS = [0, 1, 1, 5, -Infinity], NORMS = [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]], SHARES = [[0, 0.1], [0.2, 0.3], [0.4, 0.5], [0.6, 0.7]];
const tensor = (rows) => ({ rows, data: rows.flat() });

function residual(chosen, pieces = ["<a>", "b"]) {
  const stream = { norms: tensor(NORMS), shares: tensor(SHARES), pieces, stages: ["embedding", "1 self", "1 ffn", "2 self", "2 ffn"] };
  return residualFigure(stream, chosen, { colours: COLOURS, accent: "blue", words: WORDS });
}

test("a state is drawn as it is, on a scale with zero in the middle", () => {
  const { data: [{ z, zmin, zmax, colorscale }] } = stateStrip(Float32Array.of(1, -3, 0), COLOURS, WORDS);
  assert.deepEqual([z, zmin, zmax], [[[1, -3, 0]], -3, 3]);
  assert.deepEqual([colorscale[0][1], colorscale[2][1]], ["orange", "blue"]);
});

test("the histogram counts every possible piece and marks the chosen one", () => {
  const { data: [bars], layout } = logitsHistogram(Float32Array.from(LOGITS), 3, COLOURS, WORDS);
  assert.deepEqual([bars.y.reduce((a, b) => a + b), bars.y.at(-1), bars.y[0]], [4, 1, 1]);
  assert.deepEqual([layout.shapes[0].x0, layout.annotations[0].text], [5, "chosen: 5.00"]);
});

test("a piece that leads early and falls back is drawn beside the chosen one, each named where it leads first", () => {
  const leaders = [{ piece: { id: 5, text: "<a>" }, ranks: [1, 300], probabilities: [0.9, 0] }, { piece: { id: 7, text: "b" }, ranks: [40, 1], probabilities: [0.1, 1] }];
  const { data: [fallen, chosen], layout } = ranksFigure(leaders, 7, ["embedding", "layer 1"], COLOURS, WORDS);
  assert.deepEqual([fallen.y, fallen.text, chosen.y, chosen.text], [[1, 300], ["&lt;a&gt;", ""], [40, 1], ["", "b"]]);
  assert.deepEqual([fallen.line.color, chosen.line.color], ["black", "orange"]);
  assert.ok(10 ** layout.yaxis.range[0] > 300);
});

test("the chosen piece's stream stands before the others", () => {
  const [other, behind, line, bars] = residual(1).data;
  assert.deepEqual([other.y, behind.y], [[0, 2, 4, 6, 8], [0, 0.2, 0.4, 0.6]]);
  assert.deepEqual([line.y, bars.y], [[1, 3, 5, 7, 9], [0.1, 0.3, 0.5, 0.7]]);
  assert.deepEqual([line.line.color, bars.marker.color, other.line.color], ["blue", "blue", "grey"]);
  assert.equal(other.hovertemplate, "&lt;a&gt;: %{y:.2f}<extra></extra>");
});

test("a piece that looks like one of Plotly's names is text", () => {
  const hovers = residual(1, ["%{y:.3f}&lt;", "b"]).data.map(({ hovertemplate }) => hovertemplate);
  assert.deepEqual(hovers.slice(0, 2), new Array(2).fill("%&#123;y:.3f}&amp;lt;: %{y:.2f}<extra></extra>"));
});

function encoded(shape, numbers) {
  return { shape, data: Buffer.from(Float32Array.from(numbers).buffer).toString("base64") };
}

/** Two queries, three keys, one of them masked for the first query; d_head 2, d_value 1, two heads. */
const HEAD = decodeTensors({
  index: 1,
  queries_from: encoded([2, 4], [1, 0, 0, 0, 0, 1, 0, 0]),
  keys_from: encoded([3, 4], new Array(12).fill(0)),
  q: encoded([2, 2], [1, 2, 3, 4]),
  k: encoded([3, 2], [0.5, 0.25, -1, 1, 2, 0]),
  v: encoded([3, 1], [10, 20, 30]),
  mask: encoded([2, 3], [1, 1, 0, 1, 1, 1]),
  scores: encoded([2, 3], [0.7, 0.7, 1.4, 1, 2, 3]),
  weights: encoded([2, 3], [0.5, 0.5, 0, 0.25, 0.25, 0.5]),
  heads: encoded([2, 2, 1], [1, 15, 2, 22.5]),
  output: encoded([2, 4], [1, 2, 3, 4, 5, 6, 7, 8]),
});

test("a masked key has the score minus infinity, and nothing of the sum", () => {
  const cell = computeCell(HEAD, 0, 2);
  assert.equal(cell.masked[2], -Infinity);
  assert.equal(cell.exponentials[2], 0);
  assert.deepEqual(cell.isAllowed, [true, true, false]);
  assert.equal(cell.exponentialSum, 2);
  assert.equal(cell.rowSum, 1);
});

test("without the division the softmax is sharper, and masked keys stay masked", () => {
  const cell = computeCell(HEAD, 1, 0);
  assert.ok(entropy(withoutScaling(cell)) < entropy(softmax(cell.scores)));
  assert.equal(withoutScaling(computeCell(HEAD, 0, 0))[2], 0);
});

test("dropout sets weights to zero and makes the others larger", () => {
  const numbers = [0.05, 0.5, 0.95];
  const dropped = afterDropout([0.5, 0.3, 0.2], 0.1, () => numbers.shift());
  assert.deepEqual(dropped.map((weight) => weight.toFixed(3)), ["0.000", "0.333", "0.222"]);
});
