// What is changed in a run: its text, what remains without one change, which run is shown, and what differs of two.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Change } from "../../explorer/changes/change.js";
import { changeSegments, effectSegments } from "../../explorer/changes/change_words.js";
import {
  changesOf, forOtherSentence, heldValue, isBeyond, isUnchanged, tidy, withHeadsSwitched, withNeuron, withTokenSwitched,
  withoutNeuron,
} from "../../explorer/changes/experiments.js";
import { formatExperiment, parseExperiment } from "../../explorer/changes/experiment_text.js";
import { Pairing, invertPairs } from "../../explorer/changes/pairing.js";
import { compareRuns, movedRows, placeBefore } from "../../explorer/tabs/whole/differences.js";
import { plainText } from "../../explorer/ui/segments.js";
import { formatPlace, parsePlace } from "../../explorer/tabs/whole/place.js";
import { AttentionMap } from "../../explorer/derived/attention_map.js";
import { Tensor } from "../../explorer/ui/tensor.js";
import { UserError } from "../../explorer/ui/user_error.js";

const SIZES = {
  layers: { encoder: 4, decoder: 3 }, heads: 2, d_model: 8, d_head: 4, d_value: 4, d_ff: 16, vocabulary: 99, src: 5,
  tgt: 4,
};

const EVERYTHING = {
  source: "A dog, 1.5 = x_y & *1.", word_order: 3, hidden: [0, 2], beginning: [5, 6],
  off: [["encoder", 0, 3], ["cross", 1, 0]], off_by: "mean", encoder_positions: "off", decoder_positions: "shifted",
  neurons: [["encoder", 0, 9, 0, null], ["decoder", 3, 541, 6.25, null], ["decoder", 3, 541, -1e-7, 2]],
  shift: 7,
  patch: { sentence: "A cat_.", heads: [["decoder", 0, 1]], cells: [["encoder", -1, 2], ["decoder", 1, 0]] },
};

test("every field of an experiment comes back from its text", () => {
  assert.deepEqual(parseExperiment(formatExperiment(EVERYTHING)), EVERYTHING);
  assert.deepEqual(tidy(EVERYTHING), EVERYTHING);
  assert.deepEqual([formatExperiment({}), parseExperiment("")], ["", {}]);
});

test("a text that says nothing understandable is no experiment", () => {
  for (const text of ["off", "off.cross.0.1", "begin.5,6", "seed.x", "by.magic", "hidden.0", "heads.cross.1.1", "x.1",
    "off.cross.1.1_", "hidden.1__off.cross.1.1", "neuron.cross.1.1.6", "neuron.decoder.1.1", "neuron.decoder.0.1.6",
    "neuron.decoder.1.1.6.at0", "neuron.decoder.1.1.6.3.2", "neuron.decoder.1.1.NaN", "neuron.decoder.1.1.Infinity",
    "neuron.decoder.1.1.6,", "neuron.decoder.1.1.0x6"]) {
    assert.equal(parseExperiment(text), null, text);
  }
});

test("neurons count from one in the address; a value may be negative or a fraction, at one position alone", () => {
  const texts = {
    "neuron.decoder.4.542.6": ["decoder", 3, 541, 6, null], "neuron.encoder.1.1.-0.5": ["encoder", 0, 0, -0.5, null],
    "neuron.decoder.4.542.6.5": ["decoder", 3, 541, 6.5, null], "neuron.decoder.4.542.6.at5": ["decoder", 3, 541, 6, 4],
    "neuron.decoder.1.2.1e-7.at1": ["decoder", 0, 1, 1e-7, 0],
  };
  for (const [text, neuron] of Object.entries(texts)) {
    assert.deepEqual(parseExperiment(text), { neurons: [neuron] }, text);
    assert.equal(formatExperiment({ neurons: [neuron] }), text);
  }
  const { neurons } = parseExperiment("neuron.decoder.1.1.-0,encoder.2.3.0");
  assert.deepEqual(neurons.map(([, , , value]) => value), [0, 0]);
});

test("a neuron has one value at a place, is taken back alone, and one of a position leaves with its sentence", () => {
  const [all, one] = [["decoder", 3, 541, 6, null], ["decoder", 3, 541, 0, 2]];
  const both = withNeuron(withNeuron({ hidden: [1] }, one), all);
  assert.equal(formatExperiment(both), "hidden.2_neuron.decoder.4.542.6,decoder.4.542.0.at3");
  assert.deepEqual(withNeuron(both, ["decoder", 3, 541, 2, null]).neurons, [["decoder", 3, 541, 2, null], one]);
  assert.deepEqual(withoutNeuron(both, all), { hidden: [1], neurons: [one] });
  assert.deepEqual(forOtherSentence(both), { neurons: [all] });
  const changes = changesOf(both, SIZES.heads).filter(({ name }) => name === "neuron");
  assert.deepEqual(changes.map(({ how, without }) => [how, formatExperiment(without)]), [
    ["held", "hidden.2_neuron.decoder.4.542.0.at3"], ["offAt", "hidden.2_neuron.decoder.4.542.6"],
  ]);
  assert.deepEqual([1, 2].map((row) => heldValue(both, { stack: "decoder", layer: 3, row, column: 541 })), [6, 0]);
  assert.equal(heldValue(both, { stack: "encoder", layer: 3, row: 1, column: 541 }), null);
  assert.deepEqual([isUnchanged({ neurons: [] }), isUnchanged({ neurons: [one] })], [true, false]);
});

test("equal experiments have one form, without what changes nothing", () => {
  assert.deepEqual(tidy({ off: [["cross", 0, 1], ["encoder", 3, 0], ["cross", 0, 1]], hidden: [3, 1, 3] }),
    { hidden: [1, 3], off: [["encoder", 3, 0], ["cross", 0, 1]] });
  assert.deepEqual(tidy({ encoder_positions: "off", seed: 4, shift: 2, off_by: "mean", off: [], source: undefined }),
    { encoder_positions: "off" });
  assert.equal(isUnchanged({ off: [], hidden: [], beginning: [], patch: { sentence: "A.", heads: [] } }), true);
});

test("each single change can be taken back; a block whose heads are all off is one", () => {
  const heads = [["cross", 0, 1], ["cross", 0, 0], ["decoder", 2, 1]];
  const off = withHeadsSwitched({ encoder_positions: "off", beginning: [4] }, heads);
  const changes = changesOf(withTokenSwitched(off, 3), SIZES.heads);
  assert.deepEqual(changes.map(({ name }) => name), ["beginning", "head", "block", "token", "positions"]);
  const rest = "off.decoder.3.2,cross.1.1,cross.1.2";
  assert.deepEqual(changes.map(({ without }) => formatExperiment(without)), [
    `hidden.4_${rest}_encoder.off`, "hidden.4_begin.4_off.cross.1.1,cross.1.2_encoder.off",
    "hidden.4_begin.4_off.decoder.3.2_encoder.off", `begin.4_${rest}_encoder.off`, `hidden.4_begin.4_${rest}`,
  ]);
  const byMean = changesOf({ off: [["cross", 0, 1]], off_by: "mean" }, SIZES.heads);
  assert.deepEqual(byMean.map(({ name }) => name), ["head", "way"]);
  assert.deepEqual(byMean[1].without, { off: [["cross", 0, 1]] });
});

test("a switch takes back what it did, and another sentence keeps heads, positions and order", () => {
  assert.deepEqual(withTokenSwitched({ hidden: [1, 3] }, 3), { hidden: [1] });
  assert.deepEqual(withHeadsSwitched({ off: [["cross", 0, 1]] }, [["cross", 0, 1]]), {});
  assert.deepEqual(withHeadsSwitched({ off: [["cross", 0, 1]] }, [["cross", 0, 0], ["cross", 0, 1]]),
    { off: [["cross", 0, 0], ["cross", 0, 1]] });
  const neurons = EVERYTHING.neurons.slice(0, 2);
  const kept = { word_order: 3, off: EVERYTHING.off, off_by: "mean", encoder_positions: "off", neurons };
  assert.deepEqual(forOtherSentence({ ...EVERYTHING, decoder_positions: null, shift: undefined }), kept);
});

test("a change goes beyond another that is a part of it", () => {
  const two = { off: [["cross", 0, 0], ["cross", 0, 1]], encoder_positions: "off" };
  assert.ok(isBeyond(two, { off: [["cross", 0, 1]] }));
  assert.ok(isBeyond(two, { encoder_positions: "off" }));
  assert.ok(!isBeyond(two, two));
  assert.ok(!isBeyond(two, { off: [["cross", 1, 1]] }));
  assert.ok(!isBeyond(two, { encoder_positions: "shifted", shift: 5 }));
  assert.ok(!isBeyond({ hidden: [1] }, { hidden: [1, 2] }));
  const held = ["decoder", 3, 541, 6, null];
  assert.ok(isBeyond({ neurons: [held, ["encoder", 0, 1, 2, null]] }, { neurons: [held] }));
  assert.ok(!isBeyond({ ...two, neurons: [["decoder", 3, 541, 5, null]] }, { neurons: [held] })); // another value
});

const piece = (id) => ({ id, text: `·${id}`, special: false, starts_word: true });

/** A run whose decoder reads and writes some ids, with one tensor [row 2] of the decoder. */
function runOf(ids, numbers, probability = 0.5) {
  const steps = ids.slice(1).map((id, i) => (
    { fed: piece(ids[i]), predicted: piece(id), candidates: [], probability }));
  const strip = new Tensor({ shape: [steps.length, 2], data: Float32Array.from(numbers) });
  const trace = { source: [piece(7)], steps, run: { pairs: { source: [0] } }, kinds: { cross: { heads: 2 } } };
  return { trace, strips: new Map([["decoder 0 feed_forward stream", strip]]) };
}

test("rows that read the same token are compared, and a new row is new as a whole", () => {
  const before = runOf([0, 1, 2, 9], [3, 4, 1, 0, 0, 2]);
  const after = runOf([0, 1, 5, 2, 9], [3, 4, 1, 0.25, 8, 8, 0, 2]);
  const { rows, strips, former } = compareRuns(before, after);
  assert.deepEqual(rows, [0, 1, null, 2]);
  const [name] = after.strips.keys();
  assert.deepEqual(movedRows(before.strips, after.strips, { rows, sources: [] }).get(name), [0, 0.25, 1, 0]);
  const shares = strips.get(name); // of pooled numbers, without what their rounding can make
  assert.deepEqual([shares[0], shares[2], shares[3]], [0, 1, 0]);
  assert.ok(shares[1] > 0.25);
  assert.deepEqual(former.map((token) => token && token.id), [null, 2, null, null]);
});

test("a pooled number whose sign alone flips has not moved", () => {
  const [before, after] = [runOf([0, 9], [3, 4]), runOf([0, 9], [3, -4])];
  const [name] = after.strips.keys();
  assert.deepEqual(compareRuns(before, after).strips.get(name), [0]);
  assert.deepEqual(movedRows(before.strips, after.strips, { rows: [0], sources: [] }).get(name), [1]);
});

test("a number has its place in the unchanged run, unless its row or column is new", () => {
  const rows = [0, 1, null, 2];
  const formerOf = (text) => {
    const place = placeBefore(parsePlace(text, { ...SIZES, tgt: 4 }), { rows, sources: [0, 2, 1, 3, null] });
    return place && formatPlace(place);
  };
  assert.equal(formerOf("decoder.1.self.1.4.2"), "decoder.1.self.1.3.2");
  assert.equal(formerOf("decoder.1.self.1.4.4"), "decoder.1.self.1.3.3");
  assert.equal(formerOf("decoder.1.self.1.4.3"), null);
  assert.equal(formerOf("decoder.1.cross.1.4.4"), "decoder.1.cross.1.3.4");
  assert.equal(formerOf("decoder.1.cross.1.k.4.4"), "decoder.1.cross.1.k.4.4");
  assert.equal(formerOf("decoder.1.feed.hidden.3.1"), null);
  assert.equal(formerOf("encoder.1.feed.hidden.3.1"), "encoder.1.feed.hidden.2.1"); // in another order
  assert.equal(formerOf("encoder.1.self.1.5.1"), null);
  assert.equal(formerOf("output.4.98"), "output.3.98");
});

const WORDS = {
  quotation: "“{word}”", blocks: { cross: "cross" }, stacks: { encoder: "encoder", decoder: "decoder" },
  names: {
    neuron: { held: "{stack} {layer}, {neuron}: {value}", offAt: "{stack} {layer}, {neuron}, at {token}" },
    token: "Hidden {token}", beginning: "Written {token}", translation: "Yours", positions: { off: "No {stack}" },
  },
  without: { head: "Without {head} of {block} {layer}", beginning: "With {token}", several: "{count}" },
  effect: { moved: "{without}: {predicted} {percent} {before}", same: "same", other: "{predicted} for {former}",
    new: "{without}: new" },
};

test("the sentence says what is written instead, or how its probability moves", () => {
  const before = runOf([0, 1, 2, 9], [3, 4, 1, 0, 0, 2]);
  const after = runOf([0, 1, 5, 2, 9], [3, 4, 1, 0.25, 8, 8, 0, 2], 0.75);
  const comparison = compareRuns(before, after);
  const say = (step, experiment) => plainText(effectSegments(
    { experiment, source: before.trace, changed: after.trace }, { comparison, step }, WORDS));
  const off = [["cross", 0, 1]];
  assert.equal(say(0, { off }), "Without 2 of cross 1: “1” 75 50");
  assert.equal(say(0, { beginning: [1, 5] }), "With “5”: “1” 75 50");
  assert.equal(say(1, { off }), "“5” for “2”");
  assert.equal(say(2, { off, hidden: [0] }), "2: new");
  assert.equal(say(2, { off, off_by: "mean", hidden: [0] }), "2: new"); // how heads are off is no change of its own
});

test("a change is called by its token, before and after the changed run is there", () => {
  const { trace: source } = runOf([0, 1, 9], [3, 4, 1, 0]);
  source.steps[0].candidates = [piece(1), piece(6)];
  const { trace: changed } = runOf([0, 6, 9], [3, 4, 1, 0]);
  const name = (experiment, run = null) => changesOf(experiment, 2).map((one) => (
    plainText(changeSegments(WORDS.names, one, WORDS, { experiment, source, changed: run }))));
  assert.deepEqual(name({ beginning: [6] }), ["Written “6”"]);
  assert.deepEqual(name({ beginning: [6] }, changed), ["Written “6”"]);
  assert.deepEqual(name({ beginning: [77] }), ["Written …"]);
  changed.steps[1].predicted.special = true;
  assert.deepEqual(name({ beginning: [6, 9] }, changed), ["Yours"]);
  assert.deepEqual(name({ hidden: [0], encoder_positions: "off" }), ["Hidden “7”", "No encoder"]);
  assert.deepEqual(name({ neurons: [["decoder", 3, 541, -0.5, null]] }), ["decoder 4, 542: −0.5"]);
  const atOne = [["encoder", 0, 1, 0, 0], ["decoder", 0, 1, 0, 1], ["decoder", 0, 1, 0, 9]].map((neuron) => [neuron]);
  assert.deepEqual(atOne.flatMap((neurons) => name({ neurons })),
    ["encoder 1, 2, at “7”", "decoder 1, 2, at “1”", "decoder 1, 2, at …"]);
  assert.deepEqual(name({ neurons: atOne[1] }, changed), ["decoder 1, 2, at “6”"]); // what the changed run is fed
});

/** A change of a sentence whose model answers when it is told to, and what it has shown. */
function changeOf({ refuses = null } = {}) {
  const shown = [], asked = [];
  const run = (sentence, experiment) => new Promise((resolve, reject) => {
    asked.push({ experiment, answer: () => (refuses ? reject(new UserError(refuses)) : resolve(payload(experiment))) });
  });
  const change = new Change({ run, about: { tokenNames: null, germanWords: "not loaded" } }, {
    show: (view) => shown.push([change.isShown ? change.changed.run.experiment : null, view]),
    notify() {}, message: { textContent: "" }, failed: "no answer",
  });
  const map = { layers: 2, heads: 2 };
  change.begin({ ...runOf([0, 1, 9], [3, 4, 1, 0]).trace, run: undefined, sentence: "A.",
    kinds: { encoder: map, decoder: map, cross: map } });
  return { change, shown, asked };
}

function payload() {
  const axes = { queries: [], keys: [], special: { queries: [], keys: [] } };
  const map = { shape: [2, 2, 1, 1], weights: null, ...axes };
  const { source, steps } = runOf([0, 1, 9], [3, 4, 1, 0]).trace;
  return { sentence: "A.", source, steps, kinds: { encoder: { ...map }, decoder: { ...map }, cross: { ...map } } };
}

const settled = () => new Promise((resolve) => { setImmediate(resolve); });

test("the run of the last choice is shown in the view that it names; what was overtaken is not", async () => {
  const { change, shown, asked } = changeOf();
  change.set({ hidden: [0] });
  change.merge({ off: [["cross", 1, 0]] }, { step: 1 });
  assert.equal(change.isPending, true);
  for (const { answer } of asked) answer();
  await settled();
  const both = { hidden: [0], off: [["cross", 1, 0]] };
  assert.deepEqual(shown, [[both, { step: 1 }]]);
  assert.deepEqual([change.isPending, change.text], [false, "hidden.1_off.cross.2.1"]);
  assert.deepEqual(change.changed.kinds.cross.off, [[1, 0]]);
  change.holdBack(true);
  change.set({});
  assert.deepEqual(shown.slice(1), [[null, null], [null, null]]);
  assert.deepEqual([change.changed, change.isHeldBack], [null, false]);
});

test("a change that the model refuses is none, and why is said", async () => {
  const { change, shown, asked } = changeOf({ refuses: "too long" });
  change.set({ source: "A A." });
  asked[0].answer();
  await settled();
  assert.deepEqual([change.text, change.message.textContent, shown], ["", "too long", []]);
});

test("a text of the address is a change of this sentence and model, or none", () => {
  const { change } = changeOf();
  const wrong = ["off.cross.3.1", "off.encoder.1.3", "hidden.2", "begin.x", "neuron.decoder.3.1.6",
    "neuron.encoder.1.1.6.at2"];
  for (const text of wrong) assert.equal(change.read(text), false, text);
  assert.equal(change.read("off.cross.2.2_hidden.1_order.4"), true);
  assert.equal(change.text, "order.4_hidden.1_off.cross.2.2");
});

test("a view goes to the run that is shown and back by the partners of its steps", () => {
  const pairs = { source: [0, 1], steps: [0, null, 1] };
  const source = { source: ["a", "b"], steps: ["x", "y"] }, changed = { source: ["a", "b"], steps: ["x", "n", "y"] };
  const view = { kind: "cross", step: 1, pin: { axis: "query", index: 1 }, cell: null };
  const there = new Pairing(invertPairs(pairs, source), changed).viewOf(view);
  assert.deepEqual([there.step, there.pin], [2, { axis: "query", index: 2 }]);
  const back = new Pairing(pairs, source).viewOf(there);
  assert.deepEqual([back.step, back.pin], [1, { axis: "query", index: 1 }]);
});

test("heads that are off are left out of means", () => {
  const map = new AttentionMap("encoder", {
    shape: [1, 2], weights: null, queries: ["a"], keys: ["a"], special: { queries: [], keys: [] },
  });
  map.decoded = Float32Array.from([0.25, 0.75]);
  assert.deepEqual([map.weight(0, "mean", 0, 0), map.matrix(0, "mean")[0][0]], [0.5, 0.5]);
  map.off = [[0, 0]];
  assert.deepEqual([map.headsOn(0), map.weight(0, "mean", 0, 0), map.matrix(0, "mean")[0][0]], [[1], 0.75, 0.75]);
  map.off = [[0, 0], [0, 1]];
  assert.deepEqual([map.weight(0, "mean", 0, 0), map.matrix(0, "mean")[0][0]], [0, 0]);
});
