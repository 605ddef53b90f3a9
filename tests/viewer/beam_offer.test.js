// The beam's translation is offered only where it reads otherwise and scores higher.

import assert from "node:assert/strict";
import test from "node:test";
import { betterTranslation } from "../../explorer/attention_view/beam_offer.js";

test("a beam's translation is better if its text is another one and its score is higher", () => {
  const greedy = { translation: "Guten Tag.", score: -0.3 };
  const better = (translation, score) => betterTranslation({ best: { translation, score }, greedy })?.translation ?? null;
  assert.equal(better("Hallo.", -0.2), "Hallo.");
  assert.equal(better("Guten Tag.", -0.2), null); // other pieces of the same text
  assert.equal(better("Hallo.", -0.4), null); // a beam may have pruned the greedy translation
  assert.equal(better("Hallo.", -0.3), null);
});
