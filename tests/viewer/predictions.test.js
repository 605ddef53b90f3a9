// Figures of the Predictions tab.

import assert from "node:assert/strict";
import { test } from "node:test";

import { logitsHistogram, ranksFigure, residualFigure } from "../../explorer/tabs/predictions/figures.js";
Object.assign(globalThis, {
  document: { documentElement: { lang: "en" } }, getComputedStyle: () => ({ getPropertyValue: () => "sans-serif" }),
});

const COLOURS = { encoder: "blue", decoder: "orange", text: "black", masked: "grey" };
const WORDS = {
  state: "%{z:.3f}", rank: "{piece}: %{{y:,}}", logits: "%{y}", chosen: "chosen: {logit}", pieces: "pieces",
  logit: "logit", lengths: "lengths", shares: "shares", other: "{piece}: %{{y:.2f}}", length: "length %{y:.2f}",
  share: "%{y:.2f}",
};
const LOGITS = [0, 1, 1, 5, -Infinity];
const NORMS = [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]];
const SHARES = [[0, 0.1], [0.2, 0.3], [0.4, 0.5], [0.6, 0.7]];
const tensor = (rows) => ({ rows, data: rows.flat() });

function residual(chosen, pieces = ["<a>", "b"]) {
  const stream = {
    norms: tensor(NORMS), shares: tensor(SHARES), pieces, stages: ["embedding", "1 self", "1 ffn", "2 self", "2 ffn"],
  };
  return residualFigure(stream, chosen, { colours: COLOURS, accent: "blue", words: WORDS });
}

test("the histogram counts every possible piece and marks the chosen one", () => {
  const { data: [bars], layout } = logitsHistogram(Float32Array.from(LOGITS), 3, COLOURS, WORDS);
  assert.deepEqual([bars.y.reduce((a, b) => a + b), bars.y.at(-1), bars.y[0]], [4, 1, 1]);
  assert.deepEqual([layout.shapes[0].x0, layout.annotations[0].text], [5, "chosen: 5.00"]);
});

test("a piece that leads early and falls back is drawn beside the chosen one, each named where it leads first", () => {
  const leaders = [
    { piece: { id: 5, text: "<a>" }, ranks: [1, 300], probabilities: [0.9, 0] },
    { piece: { id: 7, text: "b" }, ranks: [40, 1], probabilities: [0.1, 1] },
  ];
  const { data: [fallen, chosen], layout } = ranksFigure(leaders, 7, ["embedding", "layer 1"], COLOURS, WORDS);
  assert.deepEqual([fallen.y, fallen.text, chosen.y, chosen.text], [[1, 300], ["&lt;a&gt;", ""], [40, 1], ["", "b"]]);
  assert.deepEqual([fallen.line.color, chosen.line.color], ["black", "orange"]);
  assert.ok(10 ** layout.yaxis.range[0] > 300);
});

test("a piece that looks like one of Plotly's names is text", () => {
  const hovers = residual(1, ["%{y:.3f}&lt;", "b"]).data.map(({ hovertemplate }) => hovertemplate);
  assert.deepEqual(hovers.slice(0, 2), new Array(2).fill("%&#123;y:.3f}&amp;lt;: %{y:.2f}<extra></extra>"));
});
