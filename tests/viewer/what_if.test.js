// The panels of What if: experiments and branches in an address, heads and their table, patches, two sentences, a beam;
// and what is asked part by part.

import assert from "node:assert/strict";
import { test } from "node:test";

import { describe, hits, neededPlaces, ranking } from "../../explorer/tabs/what_if/measured_heads/aligner.js";
import { sortHeads } from "../../explorer/tabs/what_if/measured_heads/measured_heads.js";
import { alignmentColumns, hasCrossing } from "../../explorer/tabs/what_if/compare/compare.js";
import { NAMES, decodeExperiment, encodeExperiment } from "../../explorer/ui/experiment_parts.js";
import { nestedBranches } from "../../explorer/tabs/what_if/fork/fork.js";
import { Heads } from "../../explorer/tabs/what_if/heads/heads.js";
import { Hide } from "../../explorer/tabs/what_if/hide/hide.js";
import { cellPlaces, columnLabel, gridBlocks } from "../../explorer/tabs/what_if/patch/patch.js";
import {
  firstHeadsOff, headsOfKind, headsPerRequest, invertHeads, isOff,
} from "../../explorer/tabs/what_if/heads/grid.js";
import { layoutBeam } from "../../explorer/tabs/what_if/search/beam_layout.js";

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

const given = (experiment) =>
  Object.fromEntries(Object.entries(encodeExperiment(experiment)).filter(([, text]) => text !== null));

test("every field of an experiment comes back from the address", () => {
  assert.deepEqual(decodeExperiment(given(EVERYTHING)), { experiment: EVERYTHING, damaged: [] });
  assert.deepEqual(Object.keys(encodeExperiment(EVERYTHING)).sort(), [...NAMES].sort());
});

test("what makes no sense is left out and named", () => {
  const bad = { off: "cross.0.1", begin: "5,6", seed: "x", by: "magic", hidden: "0", heads: "cross.1.1" };
  assert.deepEqual(decodeExperiment({ ...bad, shift: "2" }), {
    experiment: { shift: 2 }, damaged: ["hidden", "begin", "off", "by", "seed", "heads"],
  });
});

test("branches hang below what they go along with the longest", () => {
  const greedy = [1, 2, 3, 4];
  const first = { beginning: [1, 9], ids: [1, 9, 5, 6] }, second = { beginning: [1, 9, 5, 7], ids: [1, 9, 5, 7, 8] };
  const third = { beginning: [1, 2, 8], ids: [1, 2, 8, 4] };
  const [root] = nestedBranches(greedy, [first, second, third]);
  assert.deepEqual(root.children.map(({ branch, step }) => [branch, step]), [[first, 1], [third, 2]]);
  const grown = root.children[0].children.map(({ branch, step, parent }) => [branch, step, parent]);
  assert.deepEqual(grown, [[second, 3, first]]);
});

const SIZE = { layers: { encoder: 3, decoder: 2, cross: 2 }, heads: 3 };

test("all but one of a kind: the other kinds stay as they are", () => {
  const off = invertHeads([["cross", 0, 1], ["encoder", 0, 0]], headsOfKind("cross", SIZE));
  assert.equal(off.length, 6);
  assert.ok(!isOff(off, ["cross", 0, 1]) && isOff(off, ["encoder", 0, 0]));
});

test("the parts of a ranking are smaller for a long sentence", () => {
  assert.deepEqual([10, 60, 256].map(headsPerRequest), [24, 10, 4]);
});

const MAPS = { encoder: { layers: 3, heads: 3 }, decoder: { layers: 2, heads: 3 }, cross: { layers: 2, heads: 3 } };
const TOLD = { sources: [["·The", "·cat", "."], ["·The", "·dog", ".", "</s>"]], fed: ["<s>", "·Die"] };
const TEXT = { changed: "{own} from {taken}" };

test("the heads come in three tables, one after the other, the encoder's with more layers", () => {
  const found = gridBlocks("heads", MAPS, TOLD);
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

const hypothesis = (parent, id, changes = {}) => ({
  parent, id, text: `p${id}`, log_probability: -1, total: -1, length: 1, score: -1, waits: false, ...changes,
});
/** A beam of 2: its best comes from the second beginning, and it loses the greedy path [1, 3, 9] at the second step. */
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

const head = (kind, layer, number, names, drop, links = null) => ({
  kind, layer, head: number, names, drop, low: drop - 1, high: drop + 1, links,
});
const HEADS = [
  head("cross", 0, 1, ["aligns"], 2, 0.7), head("encoder", 1, 0, [], -0.5),
  head("encoder", 0, 2, ["previous", "marks"], 2), head("decoder", 0, 0, ["marks"], 0.25),
  head("cross", 0, 0, [], 1, 0.1),
];
const places = (heads) => heads.map(({ kind, layer, head: number }) => `${kind[0]}${layer}${number}`).join(" ");

test("by place the encoder comes first, and by name what has none comes last", () => {
  assert.equal(places(sortHeads(HEADS, { by: "head", descending: false })), "e02 e10 d00 c00 c01");
  const called = { aligns: "ordnet zu", marks: "Satzzeichen", previous: "voriges Token" }; // by the words shown
  assert.equal(places(sortHeads(HEADS, { by: "names", descending: false }, called)), "c01 d00 e02 e10 c00");
  assert.equal(places(sortHeads(HEADS, { by: "names", descending: true }, called)), "e02 d00 c01 e10 c00");
  const others = { aligns: "z", marks: "a", previous: "b" };
  assert.equal(places(sortHeads(HEADS, { by: "names", descending: false }, others)), "d00 e02 c01 e10 c00");
});

test("a head without the number comes last either way", () => {
  assert.equal(places(sortHeads(HEADS, { by: "links", descending: true })), "c01 c00 e02 e10 d00");
  assert.equal(places(sortHeads(HEADS, { by: "links", descending: false })), "c00 c01 e02 e10 d00");
});

const EFFECTS = [[-3, -0.2, -5], [-1, -2, -5], [-9, -9, -9]];
const POINTS = { 0: [1, 0, 0], 1: [0, 1, 0], end: [0, 0, 1] };
const weights = (...rows) => Float32Array.from(rows.flatMap((place) => POINTS[place]));

test("a piece needs the word without which it loses most; neither end counts, nor a loss below one nat", () => {
  assert.deepEqual(neededPlaces(EFFECTS), [0, 1, null]);
  assert.deepEqual(neededPlaces([[-0.9, -2], [0.5, 0], [-9, -9]]), [null, null]);
  assert.deepEqual(neededPlaces([[-9, -9, -9], ...EFFECTS], 1), [1, 2, null]); // a tag is no word
});

test("a head may align in the row that predicts a piece, or in the next one, which is fed with it", () => {
  const sizes = { layers: 1, heads: 2 }; // the second head is a step late
  const both = hits(weights(0, 1, "end", 1, 0, 1), EFFECTS, sizes);
  const late = hits(weights(0, 0, "end", 1, 0, 1), EFFECTS, sizes);
  assert.deepEqual(both["0.1.predicts"], [{ isLargest: false, weight: 0 }, { isLargest: false, weight: 0 }]);
  const { count, ranked } = ranking([both, late]);
  assert.equal(count, 4);
  assert.deepEqual(ranked.slice(0, 2), [
    { layer: 0, head: 1, row: "fed", share: 1, weight: 1 },
    { layer: 0, head: 0, row: "predicts", share: 0.75, weight: 0.75 },
  ]);
});

test("an imported model's aligning head is held against the one that Marian trains by default", () => {
  const text = {
    percent: "{percent}%", none: "none {share}", best: "{layer}.{head} {row} {share} {half}",
    rows: { predicts: "predicts", fed: "fed" }, guided: "guided", unguided: "not {share}", untaught: "untaught",
  };
  const one = (layer, head, row, share) => ({ layer, head, row, share });
  const first = one(1, 0, "predicts", 0.9);
  const other = one(0, 2, "fed", 0.5);
  const settings = { sentences: ["a"], layers: 2, isImported: true };
  const worse = one(1, 0, "fed", 0); // a head counts by its better row
  const said = (ranked, changes = {}) => {
    return describe({ count: 9, ranked }, { ...settings, ...changes }, text).replace(/[\u2066-\u2069]/g, "");
  };
  assert.equal(said([first, other, worse]), "2.1 predicts 90% 70% guided");
  assert.equal(said([{ ...other, share: 1 }, first]), "1.3 fed 100% 95% not 90%");
  assert.equal(said([first, other], { isImported: false }), "2.1 predicts 90% 70% untaught");
  assert.equal(said([{ ...other, share: 0.49 }, { ...first, share: 0 }]), "none 49%");
});

// The theme is light, the language English.
globalThis.document = { body: { classList: { contains: () => false } }, documentElement: { lang: "en" } };

/** An answer of the model's `scores`: each of some changes costs a nat at every step. */
function changesOf(rows, steps = 1) {
  return { changes: { shape: [rows, steps], data: new Float32Array(rows * steps).fill(-1) } };
}
const settled = () => new Promise((go) => setImmediate(go));

test("a ranking that nobody sees is not gone on with until it is seen again", async () => {
  const asked = [];
  const settings = { layers: { encoder: 1, decoder: 1, cross: 1 }, heads: 2 };
  const whatIf = {
    isShown: () => true,
    part: { message: { textContent: "" } },
    source: { source: Array(600), steps: [1] }, // four heads at a time
    sentence: "A",
    experiment: {},
    updatePanelState: () => heads.draw(),
  };
  const heads = Object.create(Heads.prototype);
  const get = async ([, part]) => {
    asked.push(part.length);
    whatIf.isShown = () => false; // another panel is opened meanwhile
    return changesOf(part.length);
  };
  const state = { rankings: new Map(), currentRequest: null, hasFailed: false, selectedRanking: null };
  Object.assign(heads, { whatIf, settings, scores: { get }, kinds: ["encoder", "decoder", "cross"], ...state });
  heads.drawMaps = heads.drawGrids = heads.drawRanking = () => {};
  heads.showRanking("zero");
  await settled();
  heads.draw();
  await settled();
  assert.deepEqual(asked, [4]);
  whatIf.isShown = () => true;
  heads.draw();
  await settled();
  assert.deepEqual([asked, heads.isRankingIncomplete], [[4, 2], false]);
  assert.deepEqual(heads.drops.map(({ place, drop }) => `${place} ${drop}`).at(-1), "cross,0,1 1");
});

const STEPS = 150; // so many that four pieces are hidden at a time

/** The panel Hide a token on its own, of a sentence of five pieces; its model answers when told to. */
function hidePanel() {
  const waiting = [];
  const get = (request) => new Promise((answer) => waiting.push({ request, answer }));
  const steps = Array.from({ length: STEPS }, () => 1);
  const kinds = { cross: { layers: 1, heads: 1, matrix: () => steps.map(() => [1, 2, 3, 4, 5]) } };
  const source = { sentence: "A", kinds, source: Array(5), steps };
  const whatIf = { isShown: () => true, source, experiment: {}, get sentence() { return this.source.sentence; } };
  const part = { leave: { open: true }, origin: { open: false }, message: {}, progress: {} };
  const state = { heads: null, sweep: null, agreement: null, drawnState: "" };
  const hide = Object.assign(Object.create(Hide.prototype), { whatIf, part, effects: { get }, ...state });
  for (const name of ["drawResult", "drawPieces", "drawSelects", "drawEffect", "drawAttention"]) hide[name] = () => {};
  return { hide, whatIf, waiting };
}

test("a sweep that nobody sees any more is not mixed with another sentence", async () => {
  const { hide, whatIf, waiting } = hidePanel();
  hide.draw();
  whatIf.isShown = () => false; // another panel is opened, and another sentence translated in Explore
  whatIf.source = { ...whatIf.source, sentence: "B" };
  waiting[0].answer(changesOf(4, STEPS));
  await settled();
  assert.deepEqual(waiting.map(({ request }) => request), [["A", [0, 1, 2, 3]]]);
  whatIf.isShown = () => true;
  hide.draw();
  await settled();
  assert.deepEqual(waiting[1].request, ["B", [0, 1, 2, 3]]);
});

test("a sweep goes on where it was when its panel is opened again", async () => {
  const { hide, whatIf, waiting } = hidePanel();
  hide.draw();
  whatIf.isShown = () => false;
  waiting[0].answer(changesOf(4, STEPS));
  await settled();
  whatIf.isShown = () => true;
  hide.draw();
  hide.draw(); // asks nothing twice
  assert.deepEqual(waiting.map(({ request }) => request), [["A", [0, 1, 2, 3]], ["A", [4]]]);
  assert.equal(hide.agreement, null);
  waiting[1].answer(changesOf(1, STEPS));
  await settled();
  assert.deepEqual([hide.agreement.rows[0], waiting.length], [null, 2]);
});

test("the panel of heads begins without the later half of cross-attention, whatever the model", () => {
  const layersOff = (cross) => [...new Set(firstHeadsOff({ layers: { cross }, heads: 2 }).map(([, layer]) => layer))];
  assert.deepEqual([layersOff(1), layersOff(4), layersOff(5)], [[0], [2, 3], [2, 3, 4]]);
});
