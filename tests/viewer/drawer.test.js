// The panels of the drawer: branches, heads and their table, patches, two sentences, a beam; and what is asked part by
// part.

import assert from "node:assert/strict";
import { test } from "node:test";

import { describe, hits, neededPlaces, ranking } from "../../explorer/drawer/measured_heads/aligner.js";
import { sortHeads } from "../../explorer/drawer/measured_heads/measured_heads.js";
import { alignmentColumns, hasCrossing } from "../../explorer/drawer/compare/compare.js";
import { nestedBranches } from "../../explorer/drawer/branches/branches.js";
import { isAmong, withEachSwitched } from "../../explorer/changes/experiments.js";
import { PartLoader } from "../../explorer/drawer/part_loader.js";
import { cellPlaces, columnLabel, gridBlocks } from "../../explorer/drawer/patch/patch.js";
import { firingNeurons } from "../../explorer/derived/firing_neurons.js";
import { headsOfKind, headsPerRequest } from "../../explorer/drawer/heads/grid.js";
import { neuronsPerRequest } from "../../explorer/drawer/neurons/neurons.js";
import { layoutBeam } from "../../explorer/drawer/search/beam_layout.js";

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
  const { off } = withEachSwitched({ off: [["cross", 0, 1], ["encoder", 0, 0]] }, headsOfKind("cross", SIZE));
  assert.equal(off.length, 6);
  assert.ok(!isAmong(off, ["cross", 0, 1]) && isAmong(off, ["encoder", 0, 0]));
});

test("the parts of a ranking are smaller for a long sentence", () => {
  assert.deepEqual([10, 60, 256].map(headsPerRequest), [24, 10, 4]);
});

test("neurons that fire are tried in the order of how far they move the stream, whatever their layer", () => {
  const reach = {
    encoder: { shape: [2, 3], data: Float32Array.of(0, 0.5, 0.25, 2, 0, 0) },
    decoder: { shape: [1, 3], data: Float32Array.of(0.75, 0, 0.25) },
  };
  assert.deepEqual(firingNeurons(reach).map(String), [
    "encoder,1,0,0,", "decoder,0,0,0,", "encoder,0,1,0,", "encoder,0,2,0,", "decoder,0,2,0,",
  ]);
  assert.deepEqual([10, 32, 256].map(neuronsPerRequest), [64, 31, 8]);
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

const settled = () => new Promise((go) => setImmediate(go));

/** A loader of five items, two at a time, which are asked for by [sentence] and come when they are told to. */
function loaderOf() {
  const state = { isSeen: true, drawn: 0 }, waiting = [];
  const loader = new PartLoader({
    isSeen: () => state.isSeen,
    total: () => 5,
    next: (request, done) => new Promise((answer) => {
      const items = Array.from({ length: Math.min(2, 5 - done) }, (_, i) => `${request} ${done + i}`);
      waiting.push({ request: [...request, done], answer: (given = items) => answer(given) });
    }),
    failed: "no answer",
    draw: () => { state.drawn += 1; },
  });
  return { loader, state, waiting };
}

test("what nobody sees is not gone on with until it is seen again, and nothing is asked for twice", async () => {
  const { loader, state, waiting } = loaderOf();
  loader.load(["A"]);
  state.isSeen = false;
  waiting[0].answer();
  await settled();
  assert.deepEqual([loader.items.length, waiting.length], [2, 1]);
  state.isSeen = true;
  loader.load(["A"]);
  loader.load(["A"]);
  assert.deepEqual(waiting.map(({ request }) => request), [["A", 0], ["A", 2]]);
  for (const part of [1, 2]) {
    waiting[part].answer();
    await settled();
  }
  assert.deepEqual([loader.isComplete, loader.items.at(-1), state.drawn], [true, "A 4", 3]);
  loader.load(["A"]);
  assert.equal(waiting.length, 3);
});

test("an answer that comes late is not mixed with another request", async () => {
  const { loader, waiting } = loaderOf();
  loader.load(["A"]);
  loader.load(["B"]);
  waiting[0].answer();
  await settled();
  assert.deepEqual([loader.items, waiting.map(({ request }) => request)], [[], [["A", 0], ["B", 0]]]);
  loader.load(null);
  waiting[1].answer();
  await settled();
  assert.deepEqual([loader.items, loader.isComplete], [[], false]);
});

test("after a failure nothing is asked for until somebody asks again, who goes on where it was", async () => {
  for (const [given, failure] of [[{ error: "too long" }, "too long"], [null, "no answer"]]) {
    const { loader, waiting } = loaderOf();
    loader.load(["A"]);
    waiting[0].answer();
    await settled();
    waiting[1].answer(given);
    await settled();
    loader.load(["A"]);
    assert.deepEqual([loader.failure, waiting.length], [failure, 2]);
    loader.again();
    loader.load(["A"]);
    assert.deepEqual(waiting[2].request, ["A", 2]);
  }
});
