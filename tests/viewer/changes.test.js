// Changes in the picture of the whole model: their texts, what remains without one, and what differs between two runs.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  changesOf, formatChange, panelOf, parseChange, withHeadsOff, withTokenHidden, withTokenShown, withoutTokens,
} from "../../explorer/tabs/whole/changes/change.js";
import { effectSegments } from "../../explorer/tabs/whole/changes/change_words.js";
import { compareRuns, movedRows, placeBefore } from "../../explorer/tabs/whole/differences.js";
import { plainText } from "../../explorer/ui/segments.js";
import { formatPlace, parsePlace } from "../../explorer/tabs/whole/place.js";
import { AttentionMap } from "../../explorer/derived/attention_map.js";
import { Tensor } from "../../explorer/ui/tensor.js";

const SIZES = {
  layers: { encoder: 4, decoder: 3 }, heads: 2, d_model: 8, d_head: 4, d_value: 4, d_ff: 16, vocabulary: 99, src: 5,
  tgt: 4,
};

test("changes have one text each, and the address takes no other", () => {
  for (const text of ["", "off.cross.3.2", "hidden.1.5_off.cross.3.1,encoder.4.2_encoder.off_decoder.off"]) {
    assert.equal(formatChange(parseChange(text, SIZES)), text);
  }
  assert.deepEqual(parseChange("off.cross.3.2_hidden.5", SIZES), { off: [["cross", 2, 1]], hidden: [4] });
  const wrong = ["off", "off.cross.4.1", "off.encoder.5.1", "off.cross.1.3", "hidden.6", "hidden.0", "encoder.shuffled",
    "begin.4", "source.A dog.", "x.1", "off.cross.1.1_"];
  for (const text of wrong) assert.equal(parseChange(text, SIZES), null, text);
});

test("each single change can be taken back; a block whose heads are all off is one", () => {
  const experiment = withTokenHidden(withHeadsOff({ encoder_positions: "off" }, [["cross", 0, 1], ["cross", 0, 0],
    ["decoder", 2, 1]]), 3);
  const changes = changesOf(experiment, SIZES.heads);
  assert.deepEqual(changes.map(({ name }) => name), ["block", "head", "token", "positions"]);
  assert.deepEqual(changes.map(({ without }) => formatChange(without)), [
    "hidden.4_off.decoder.3.2_encoder.off", "hidden.4_off.cross.1.1,cross.1.2_encoder.off",
    "off.cross.1.1,cross.1.2,decoder.3.2_encoder.off", "hidden.4_off.cross.1.1,cross.1.2,decoder.3.2",
  ]);
  assert.equal(formatChange(withoutTokens(experiment)), "off.cross.1.1,cross.1.2,decoder.3.2_encoder.off");
  assert.deepEqual(withTokenShown({ hidden: [1, 3] }, 3), { hidden: [1] });
  assert.deepEqual([experiment, { hidden: [1] }, { decoder_positions: "off" }].map(panelOf),
    ["heads", "hide", "positions"]);
});

const piece = (id) => ({ id, text: `·${id}`, special: false, starts_word: true });

/** A run whose decoder reads and writes some ids, with one tensor [row 2] of the decoder. */
function runOf(ids, numbers, probability = 0.5) {
  const steps = ids.slice(1).map((id, i) => ({ fed: piece(ids[i]), predicted: piece(id), probability }));
  const strip = new Tensor({ shape: [steps.length, 2], data: Float32Array.from(numbers) });
  return { trace: { source: [piece(7)], steps }, strips: new Map([["decoder 0 feed_forward stream", strip]]) };
}

test("rows that read the same token are compared, and a new row is new as a whole", () => {
  const before = runOf([0, 1, 2, 9], [3, 4, 1, 0, 0, 2]);
  const after = runOf([0, 1, 5, 2, 9], [3, 4, 1, 0.25, 8, 8, 0, 2]);
  const { rows, strips, former } = compareRuns(before, after);
  assert.deepEqual(rows, [0, 1, null, 2]);
  const [name] = after.strips.keys();
  assert.deepEqual(movedRows(before.strips, after.strips, rows).get(name), [0, 0.25, 1, 0]);
  const shares = strips.get(name); // of pooled numbers, without what their rounding can make
  assert.deepEqual([shares[0], shares[2], shares[3]], [0, 1, 0]);
  assert.ok(shares[1] > 0.25);
  assert.deepEqual(former.map((token) => token && token.id), [null, 2, null, null]);
});

test("a pooled number whose sign alone flips has not moved", () => {
  const [before, after] = [runOf([0, 9], [3, 4]), runOf([0, 9], [3, -4])];
  const [name] = after.strips.keys();
  assert.deepEqual(compareRuns(before, after).strips.get(name), [0]);
  assert.deepEqual(movedRows(before.strips, after.strips, [0]).get(name), [1]);
});

test("a number has its place in the unchanged run, unless its row or column is new", () => {
  const rows = [0, 1, null, 2];
  const formerOf = (text) => {
    const place = placeBefore(parsePlace(text, { ...SIZES, tgt: 4 }), rows);
    return place && formatPlace(place);
  };
  assert.equal(formerOf("decoder.1.self.1.4.2"), "decoder.1.self.1.3.2");
  assert.equal(formerOf("decoder.1.self.1.4.4"), "decoder.1.self.1.3.3");
  assert.equal(formerOf("decoder.1.self.1.4.3"), null);
  assert.equal(formerOf("decoder.1.cross.1.4.4"), "decoder.1.cross.1.3.4");
  assert.equal(formerOf("decoder.1.cross.1.k.4.4"), "decoder.1.cross.1.k.4.4");
  assert.equal(formerOf("decoder.1.feed.hidden.3.1"), null);
  assert.equal(formerOf("encoder.1.feed.hidden.3.1"), "encoder.1.feed.hidden.3.1");
  assert.equal(formerOf("output.4.98"), "output.3.98");
});

test("the sentence says what is written instead, or how its probability moves", () => {
  const words = {
    blocks: { cross: "cross" }, stacks: {}, without: { head: "Without {head} of {block} {layer}", several: "{count}" },
    effect: { moved: "{without}: {predicted} {percent} {before}", same: "same", other: "{predicted} for {former}",
      new: "{without}: new" },
  };
  const before = runOf([0, 1, 2, 9], [3, 4, 1, 0, 0, 2]);
  const after = runOf([0, 1, 5, 2, 9], [3, 4, 1, 0.25, 8, 8, 0, 2], 0.75);
  const comparison = compareRuns(before, after);
  const say = (step, experiment = { off: [["cross", 0, 1]] }) => plainText(effectSegments(experiment, {
    trace: after.trace, comparison, step, heads: 2,
  }, { words, quotation: "“{word}”" }));
  assert.equal(say(0), "Without 2 of cross 1: “1” 75 50");
  assert.equal(say(1), "“5” for “2”");
  assert.equal(say(2, { off: [["cross", 0, 1]], hidden: [0] }), "2: new");
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
