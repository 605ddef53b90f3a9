// A story that is incomplete is refused by the name of its first faulty field; the shipped one is not.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";

import { requireStory } from "../../explorer/tabs/training/story_check.js";

const SHIPPED = JSON.parse(gunzipSync(readFileSync(new URL("../../assets/small/story.json.gz", import.meta.url))));
// Two moments of two sentences: a damaged copy is quickly made.
const STORY = { sentences: SHIPPED.sentences.slice(0, 2), moments: SHIPPED.moments.slice(0, 2).map((moment) => ({ ...moment, traces: moment.traces.slice(0, 2) })) };
const FAULTS = {
  "sentences": (story) => delete story.sentences,
  "sentences[1].translation": (story) => delete story.sentences[1].translation,
  "moments": (story) => { story.moments = "x"; },
  "moments[1].step": (story) => { story.moments[1].step = "7"; },
  "moments[0].traces": (story) => story.moments[0].traces.pop(),
  "moments[1].traces[0].own": (story) => delete story.moments[1].traces[0].own,
  "moments[1].traces[0].own.kinds": (story) => delete story.moments[1].traces[0].own.kinds,
  "moments[1].traces[0].own.kinds.cross": (story) => delete story.moments[1].traces[0].own.kinds.cross,
  "moments[0].traces[1].own.source": (story) => { story.moments[0].traces[1].own.source = []; },
  "moments[0].traces[1].own.steps": (story) => { story.moments[0].traces[1].own.steps = []; },
  "moments[0].traces[1].own.steps[0].fed": (story) => { story.moments[0].traces[1].own.steps[0].fed = null; },
  "moments[0].traces[1].forced": (story) => delete story.moments[0].traces[1].forced,
  "moments[0].traces[1].forced.kinds.decoder.queries": (story) => story.moments[0].traces[1].forced.kinds.decoder.queries.pop(),
  "moments[0].traces[0].own.kinds.encoder.shape": (story) => { story.moments[0].traces[0].own.kinds.encoder.shape[3] += 1; },
  "moments[0].traces[0].own.kinds.encoder.weights": (story) => { story.moments[0].traces[0].own.kinds.encoder.shape[0] += 1; },
  "moments[0].traces[0].own.kinds.encoder.special.keys[0]": (story) => { story.moments[0].traces[0].own.kinds.encoder.special.keys = [99]; },
};

test("the shipped story is whole", () => requireStory(SHIPPED));

for (const [field, damage] of Object.entries(FAULTS)) {
  test(`without a proper ${field} a story is refused by that name`, () => {
    const story = structuredClone(STORY);
    damage(story);
    assert.throws(() => requireStory(story), { field });
  });
}

for (const story of [null, 1, "x", [], {}]) {
  test(`${JSON.stringify(story)} is no story`, () => {
    assert.throws(() => requireStory(story), { field: /^(sentences)?$/ });
  });
}
