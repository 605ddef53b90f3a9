// What is left beside the candidates.

import assert from "node:assert/strict";
import { test } from "node:test";

import { describeOtherCandidates } from "../../explorer/ui/candidates.js";

const SENTENCE = "{count} others: {probability}";
const candidates = (...probabilities) => probabilities.map((probability) => ({ probability }));

test("the others are all pieces that are not among the candidates, with what probability is left", () => {
  assert.equal(describeOtherCandidates(SENTENCE, candidates(0.926, 0.001), 8000), "7,998 others: 0.073");
  assert.equal(describeOtherCandidates(SENTENCE, candidates(0.5), 2), "1 others: 0.500");
});

test("a rounded sum beyond 1 leaves nothing, not less", () => {
  assert.equal(describeOtherCandidates(SENTENCE, candidates(0.7, 0.2, 0.1000001), 80), "77 others: 0.000");
});

test("where all pieces are shown, or their number is not told, nothing is said", () => {
  assert.equal(describeOtherCandidates(SENTENCE, candidates(0.6, 0.4), 2), "");
  assert.equal(describeOtherCandidates(SENTENCE, candidates(0.6, 0.4), undefined), "");
});
