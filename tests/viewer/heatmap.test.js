// The heatmap's figure: right values in right places, under labels that say so.

import assert from "node:assert/strict";
import { test } from "node:test";

import { truncate, heatmapFigure as figureOf, hatchedOutline } from "../../explorer/attention_view/heatmap.js";
import { LabelRoom } from "../../explorer/attention_view/label_room.js";
import { escapeLabel } from "../../explorer/ui/text.js";

const TEXT = { cell: "{query} attends to {key}: {weight}", rowMaximum: "row's max", columnMaximum: "column's max" };
const heatmapFigure = (frame, content, options) => figureOf(frame, content, { text: TEXT, ...options });

const FRAME = {
  data: [{ type: "heatmap", colorbar: { thickness: 10, tickvals: [0, 0.5, 1] } }, { mode: "lines" }],
  layout: {
    font: { size: 12 }, xaxis: { side: "top" }, yaxis: { autorange: false },
    shapes: [{ name: "later" }, { name: "mark" }],
  },
};

/** Three queries and two keys, the second one special. */
const CROSS = {
  kind: "cross",
  queries: ["q0", "q1", "q2"],
  keys: [0, 1],
  labels: ["k0", "k1"],
  special: { queries: new Set([2]), keys: new Set([1]) },
  reach: [2, 2, 2],
  rows: [[0.25, 0.75], [0.5, 0.125], [0, 1]].map((row) => Float32Array.from(row)),
};

/** As many queries and keys, all alike. */
function square(count) {
  const labels = Array.from({ length: count }, (_, i) => `p${i}`);
  const rows = labels.map(() => new Float32Array(count));
  const reach = labels.map(() => count);
  const special = { queries: new Set(), keys: new Set() };
  return { kind: "encoder", queries: labels, keys: [...labels.keys()], labels, special, reach, rows };
}

const plain = (rows) => rows.map((row) => Array.from(row));

test("automatically, colours go up to the head's strongest weight, the same at every step", () => {
  const { z, zmax, colorbar } = heatmapFigure(FRAME, CROSS, { scale: "auto", step: 1 }).data[0];
  assert.deepEqual(plain(z), [[0.25, 0.75], [0.5, 0.125], [NaN, NaN]]);
  assert.equal(zmax, 1);
  assert.deepEqual(colorbar, { thickness: 10, tickvals: [0, 1], ticktext: ["0", "1.000"] });
  const weak = { ...CROSS, rows: CROSS.rows.map((row) => row.map((weight) => weight / 2)) };
  assert.equal(heatmapFigure(FRAME, weak, { scale: "auto", step: 0 }).data[0].zmax, 0.5);
});

test("every row and every column has a label, a shorter one where there is less room", () => {
  const labels = { rowLetters: 3, columnLetters: 2 };
  const { xaxis, yaxis } = heatmapFigure(FRAME, square(128), { labels }).layout;
  assert.deepEqual([xaxis.tickvals, yaxis.tickvals], [[...Array(128).keys()], [...Array(128).keys()]]);
  assert.deepEqual([yaxis.ticktext[99], yaxis.ticktext[100]], ["p99", "p1…"]);
  assert.deepEqual([xaxis.ticktext[9], xaxis.ticktext[10]], ["p9", "p…"]);
});

test("long labels are truncate, rows later than columns", () => {
  const long = "x".repeat(40);
  const { xaxis, yaxis } = heatmapFigure(FRAME, { ...CROSS, queries: [long, "q1", "q2"], labels: [long, "k1"] }).layout;
  assert.deepEqual([yaxis.ticktext[0], xaxis.ticktext[0]], [`${"x".repeat(27)}…`, `${"x".repeat(13)}…`]);
  assert.equal(truncate("x".repeat(14), 14), "x".repeat(14));
  assert.equal(truncate("🚲".repeat(14), 14), "🚲".repeat(14));
  assert.equal(truncate("🚲".repeat(15), 14), `${"🚲".repeat(13)}…`);
});

test("a visitor's text is only text", () => {
  assert.equal(escapeLabel("a & <b> &lt; <b>"), "a &amp; &lt;b&gt; &amp;lt; &lt;b&gt;");
  const { data, layout } = heatmapFigure(FRAME, { ...CROSS, queries: ["<b>", "&", "q"], labels: ["<s>", "</s>"] });
  assert.deepEqual(layout.yaxis.ticktext, ["&lt;b&gt;", "&amp;", "<i>q</i>"]);
  assert.deepEqual(layout.xaxis.ticktext, ["&lt;s&gt;", "<i>&lt;/s&gt;</i>"]);
  assert.equal(data[0].text[0][1], "&lt;b&gt; attends to &lt;/s&gt;: 0.750");
});

test("an outline holds the masked cells of its rows, a cell each", () => {
  for (const reach of [[1, 2, 3, 4], [0, 1, 2, 3], [1, 1, 2, 3]]) {
    const cells = reach.map((keys) => Array.from({ length: 4 }, (_, key) => (key < keys ? 0 : NaN)));
    const { x, y } = hatchedOutline(cells, { reach, known: 4 });
    const corners = x.map((left, i) => ({ left, right: x[i + 1], top: y[i], bottom: y[i + 2] }));
    const areas = corners.filter((_, i) => i % 5 === 0).map(({ left, right, top, bottom }) => (
      (right - left) * (bottom - top)));
    const masked = reach.reduce((sum, keys) => sum + reach[3] - keys, 0);
    assert.equal(areas.reduce((sum, area) => sum + area, 0), masked);
  }
});

const LETTER = 7; // pixels
const measurer = (text) => LETTER * text.length;

/** The room of labels of a picture with so many rows and columns. */
function roomOf(rows, columns, { label = "Haus", ...options } = {}) {
  Object.assign(globalThis, { document: { documentElement: { classList: { contains: () => false } } } });
  const content = { queries: new Array(rows).fill("und"), labels: new Array(columns).fill(label), keys: [] };
  content.keys = [...content.labels.keys()];
  const measurers = { usual: measurer, plain: measurer, title: measurer };
  const usual = { isTransposed: false, title: "Asks", isNarrow: false, isPlain: false };
  return new LabelRoom({ content, measurers, ...usual, ...options });
}

test("labels are as large as lets all of them stand, and a small picture has the smallest", () => {
  assert.deepEqual([800, 350, 100].map((height) => roomOf(16, 16).sizeIn(800, height)), [14, 13, 11]);
  assert.equal(roomOf(16, 16, { isNarrow: true }).sizeIn(800, 800), 11, "a phone has no room for larger ones");
  const [few, many] = [roomOf(4, 4), roomOf(40, 4)].map((room) => room.leastPicture());
  assert.ok(many.height - few.height >= 36 * 11 && many.width === few.width);
});

test("long labels of columns take room above them, and to their right where no colour bar stands", () => {
  const [short, long] = ["Haus", "Fahrradfahrer"].map((label) => roomOf(4, 4, { label, isPlain: true }));
  assert.ok(long.margin(11).t - short.margin(11).t >= 9 * LETTER * Math.sin(Math.PI / 3) - 1);
  assert.ok(long.overhang(4, 11) > short.overhang(4, 11) && long.margin(11).r === long.overhang(4, 11));
  const withBar = ["Haus", "Fahrradfahrer"].map((label) => roomOf(4, 4, { label }).margin(11).r);
  assert.ok(withBar[0] === withBar[1] && withBar[0] > long.margin(11).r);
});
