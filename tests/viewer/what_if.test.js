// The panels of What if: experiments and branches in an address, heads, patches, tables, two sentences, a beam.

import assert from "node:assert/strict";
import { test } from "node:test";

import { alignmentColumns, hasCrossing } from "../../explorer/tabs/what_if/compare/compare.js";
import { NAMES, decodeExperiment, encodeExperiment } from "../../explorer/tabs/what_if/experiment.js";
import { nestedBranches } from "../../explorer/tabs/what_if/fork/fork.js";
import { headsOf, invertHeads, isOff, requestRanges, toggleHead } from "../../explorer/tabs/what_if/heads/choice.js";
import { gridBlocks, columnLabel, cellPlaces } from "../../explorer/tabs/what_if/patch/patch.js";
import { layoutBeam } from "../../explorer/tabs/what_if/search/layout.js";
const EVERYTHING = {
  source: "A dog, 1.5 = x & y.",
  word_order: 3,
  hidden: [0, 2],
  beginning: [5, 6],
  off: [["cross", 1, 0], ["encoder", 0, 3]],
  off_by: "mean",
  encoder_positions: "off",
  decoder_positions: "shifted",
  seed: 0,
  shift: 7,
  patch: { sentence: "A cat.", heads: [["decoder", 0, 1]], cells: [["encoder", -1, 2], ["decoder", 1, 0]] },
};

const given = (experiment) => Object.fromEntries(Object.entries(encodeExperiment(experiment)).filter(([, text]) => text !== null));

test("every field of an experiment comes back from the address", () => {
  assert.deepEqual(decodeExperiment(given(EVERYTHING)), { experiment: EVERYTHING, damaged: [] });
  assert.deepEqual(Object.keys(encodeExperiment(EVERYTHING)).sort(), [...NAMES].sort());
});

test("what makes no sense is left out and named", () => {
  const bad = { off: "cross.0.1", begin: "5,6", seed: "x", by: "magic", hidden: "0", heads: "cross.1.1" };
  assert.deepEqual(decodeExperiment({ ...bad, shift: "2" }), { experiment: { shift: 2 }, damaged: ["hidden", "begin", "off", "by", "seed", "heads"] });
});

test("branches hang below what they go along with the longest", () => {
  const greedy = [1, 2, 3, 4];
  const first = { beginning: [1, 9], ids: [1, 9, 5, 6] }, second = { beginning: [1, 9, 5, 7], ids: [1, 9, 5, 7, 8] };
  const third = { beginning: [1, 2, 8], ids: [1, 2, 8, 4] };
  const [root] = nestedBranches(greedy, [first, second, third]);
  assert.deepEqual(root.children.map(({ branch, step }) => [branch, step]), [[first, 1], [third, 2]]);
  assert.deepEqual(root.children[0].children.map(({ branch, step, parent }) => [branch, step, parent]), [[second, 3, first]]);
});

const SIZE = { layers: { encoder: 3, decoder: 2, cross: 2 }, heads: 3 };

test("a head is switched off and on again, and the set is always in one order", () => {
  const off = toggleHead(toggleHead([], ["cross", 1, 0]), ["encoder", 0, 2]);
  assert.deepEqual(off, [["encoder", 0, 2], ["cross", 1, 0]]);
  assert.deepEqual(toggleHead(off, ["encoder", 0, 2]), [["cross", 1, 0]]);
  assert.ok(isOff(off, ["cross", 1, 0]) && !isOff(off, ["cross", 0, 0]));
});

test("all but one of a kind: the other kinds stay as they are", () => {
  const off = invertHeads([["cross", 0, 1], ["encoder", 0, 0]], headsOf("cross", SIZE));
  assert.equal(off.length, 6);
  assert.ok(!isOff(off, ["cross", 0, 1]) && isOff(off, ["encoder", 0, 0]));
});

test("the parts of a ranking are all of it, and smaller for a long sentence", () => {
  for (const pieces of [10, 60, 256]) {
    const parts = requestRanges(96, pieces);
    assert.deepEqual([parts[0][0], parts.at(-1)[1]], [0, 96]);
    assert.ok(parts.every(([start], i) => i === 0 || start === parts[i - 1][1]));
  }
  assert.ok(requestRanges(96, 10).length === 4 && requestRanges(96, 256).length === 24);
});

const TOLD = { layers: { encoder: 3, decoder: 2, cross: 2 }, heads: 3, sources: [["·The", "·cat", "."], ["·The", "·dog", ".", "</s>"]], fed: ["<s>", "·Die"] };
const TEXT = { changed: "{own} from {taken}" };

test("the heads come in three tables, one after the other, the encoder's with more layers", () => {
  const found = gridBlocks("heads", TOLD);
  assert.deepEqual(found.map(({ kind, start }) => [kind, start]), [["encoder", 0], ["decoder", 9], ["cross", 15]]);
  assert.deepEqual(found.map(({ rows }) => rows.length), [3, 2, 2]);
  assert.deepEqual(cellPlaces("heads", found[2], 1, 0), [["cross", 1, 0]]);
  assert.deepEqual(cellPlaces("heads", found[1], 0, null), [["decoder", 0, 0], ["decoder", 0, 1], ["decoder", 0, 2]]);
});

test("a column is called by its pieces, both where they differ", () => {
  assert.deepEqual([0, 1].map((column) => columnLabel("encoder", TOLD, column, TEXT)), ["The", "dog from cat"]);
  assert.equal(columnLabel("decoder", TOLD, 1, TEXT), "Die");
  assert.equal(columnLabel("heads", TOLD, 2, TEXT), "3");
});

const shown = (columns) => columns.map(({ first, second }) => `${first ?? "-"}${second ?? "-"}`).join(" ");

test("what only one sentence has stands alone, the first sentence's before the second's", () => {
  assert.equal(shown(alignmentColumns(4, [0, null, 3])), "00 1- 2- -1 32");
  assert.equal(shown(alignmentColumns(2, [null, 0, 1, null])), "-0 01 12 -3");
});

test("words in another order are shown in the order of the second sentence", () => {
  assert.deepEqual([hasCrossing([0, null, 3]), hasCrossing([2, null, 0, 1])], [false, true]);
  assert.equal(shown(alignmentColumns(3, [2, 0, 1])), "20 01 12");
});

const hypothesis = (parent, id, changes = {}) => ({ parent, id, text: `p${id}`, log_probability: -1, total: -1, length: 1, score: -1, waits: false, ...changes });
/** A beam of 2 whose best comes from the second beginning, and which loses the greedy path [1, 3, 9] at its second step. */
const ANSWER = {
  levels: [
    { kept: [hypothesis(0, 1), hypothesis(0, 2)], pruned: [hypothesis(0, 7), hypothesis(0, 8)] },
    { kept: [hypothesis(1, 4), hypothesis(1, 5)], pruned: [hypothesis(0, 3), hypothesis(1, 6)] },
    { kept: [hypothesis(0, 9), hypothesis(1, 0, { waits: true })], pruned: [] },
  ],
  greedy: { ids: [1, 3, 9], pieces: ["p1", "p3", "p9"], log_probabilities: [-0.1, -2, -0.3] },
  greedy_places: [0, null, null],
};
const { nodes, lostStep, rows } = layoutBeam(ANSWER, 1);
const at = (step, row) => nodes.find((node) => node.step === step && node.row === row);

test("a hypothesis has the pieces of all that it grew from; one that waits has no piece more", () => {
  assert.deepEqual(at(2, 0).ids, [2, 4, 9]);
  assert.deepEqual(at(2, 1).ids, [2, 5]);
  assert.equal(at(2, 1).text, "p5");
});

test("the greedy path has a row of its own from where the beam loses it, and is not among the pruned there", () => {
  assert.equal(lostStep, 1);
  assert.equal(rows, 4);
  const path = nodes.filter(({ greedy }) => greedy);
  assert.deepEqual(path.map(({ state, row }) => [state, row]), [["dead", 0], ["lost", 3], ["lost", 3]]);
  assert.deepEqual(path.map(({ from }) => from?.ids ?? null), [null, [1], [1, 3]]);
  assert.ok(Math.abs(path[2].total + 2.4) < 1e-12 && Math.abs(path[2].score + 0.8) < 1e-12);
});

