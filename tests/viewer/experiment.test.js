// An experiment in an address, and branches as a tree.

import assert from "node:assert/strict";
import { test } from "node:test";

import { NAMES, decodeExperiment, encodeExperiment } from "../../explorer/tabs/what_if/experiment.js";
import { commonPrefixLength, nestedBranches } from "../../explorer/tabs/what_if/fork/fork.js";

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

test("places count from one in an address, and a layer of streams from the embedding", () => {
  assert.equal(encodeExperiment(EVERYTHING).off, "cross.2.1,encoder.1.4");
  assert.equal(encodeExperiment(EVERYTHING).hidden, "1.3");
  assert.equal(encodeExperiment(EVERYTHING).cells, "encoder.0.3,decoder.2.1");
});

test("what changes nothing is no part of the address", () => {
  assert.deepEqual(given({ off: [], beginning: [], source: null }), {});
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

test("how far two lists go together", () => {
  assert.equal(commonPrefixLength([1, 2, 3], [1, 2, 4]), 2);
  assert.equal(commonPrefixLength([1, 2], [1, 2, 4]), 2);
  assert.equal(commonPrefixLength([], [1]), 0);
});
