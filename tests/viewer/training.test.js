// The story of a training: its curves, its traces, and what of a file is refused.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";

import { logAxisStart, stepAxis } from "../../explorer/tabs/training/curves.js";
import { Story } from "../../explorer/tabs/training/story.js";
import { requireStory } from "../../explorer/tabs/training/story_check.js";
const STEPS = [0, 10, 100, 1000];

test("a logarithmic axis begins before the first step and ends after the last", () => {
  const { type, range: [from, to] } = stepAxis(STEPS, "log");
  assert.equal(type, "log");
  assert.ok(10 ** from < logAxisStart(STEPS) && logAxisStart(STEPS) < 10);
  assert.ok(10 ** to > 1000 && 10 ** to < 1100);
});

/** A map of one layer and head, named by its only query. */
const map = (name) => ({ shape: [1, 1], weights: "", queries: [name], keys: ["k"], special: { queries: [], keys: [] } });
const step = (special) => ({ predicted: { special } });

/** The two traces of a sentence at a moment, recognisable by a name. */
function traces(name) {
  const own = { translation: name, notes: [], steps: [step(false)], kinds: { encoder: map(name), cross: map(`${name} own`) } };
  return { own, forced: { translation: "final", steps: [step(true)], kinds: { cross: map(`${name} forced`) } } };
}

const WORDS = { stopped: "Abgebrochen.", labels: {} };
const STORY = new Story({
  sentences: [{ shows: "a" }, { shows: "b" }],
  moments: [{ step: 0, traces: [traces("a0"), traces("b0")] }, { step: 10, traces: [traces("a1"), traces("b1")] }],
}, WORDS);
const CHOICE = { sentence: 0, moment: 0, forced: false };

test("where the final translation is fed, all but the encoder is of that", () => {
  const { kinds, translation } = STORY.trace({ sentence: 1, moment: 1, forced: true });
  assert.equal(translation, "final");
  assert.deepEqual([kinds.cross.queries, kinds.encoder.queries], [["b1 forced"], ["b1"]]);
  assert.deepEqual(STORY.trace({ sentence: 1, moment: 1, forced: false }).kinds.cross.queries, ["b1 own"]);
});

test("that a model was stopped is said in the page's language, also where an older file says it in English", () => {
  const notes = (own, forced = false) => {
    const { forced: given } = traces("a");
    const moments = [{ step: 0, traces: [{ own: { ...traces("a").own, ...own }, forced: given }] }];
    return new Story({ sentences: [{ shows: "a" }], moments }, WORDS).trace({ ...CHOICE, forced }).notes;
  };
  assert.deepEqual(notes({ stopped: true }), ["Abgebrochen."]);
  assert.deepEqual(notes({ stopped: false }), []);
  assert.deepEqual(notes({ notes: ["Stopped here."] }), ["Abgebrochen."]);
  assert.deepEqual(notes({}), []);
  assert.deepEqual(notes({ stopped: true }, true), []);
});

test("a sentence is called what the page calls it, one that the page does not know as the file says", () => {
  const sentences = [{ shows: "a caption", sentence: "A man." }, { shows: "mine", sentence: "Mine." }];
  const { sentences: named } = new Story({ sentences, moments: [] }, { ...WORDS, labels: { "A man.": "eine Bildunterschrift" } });
  assert.deepEqual(named.map(({ shows }) => shows), ["eine Bildunterschrift", "mine"]);
});

test("weights of older files are two digits each", () => {
  const older = { ...map("q"), shape: [1, 1], keys: ["k0", "k1"], weights: "!!~~#####", rollout: "" };
  const traced = { own: { notes: [], steps: [step(true)], kinds: { cross: older } }, forced: { kinds: {} } };
  const story = new Story({ sentences: [{ shows: "a" }], moments: [{ step: 0, traces: [traced] }] }, WORDS);
  assert.deepEqual([...story.trace(CHOICE).kinds.cross.matrix(0, 0)[0]], [0, 1]);
});

const SHIPPED = JSON.parse(gunzipSync(readFileSync(new URL("../../assets/small/story.json.gz", import.meta.url))));
// Two moments of two sentences: a damaged copy is quickly made.
const PART = { sentences: SHIPPED.sentences.slice(0, 2), moments: SHIPPED.moments.slice(0, 2).map((moment) => ({ ...moment, traces: moment.traces.slice(0, 2) })) };
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
    const story = structuredClone(PART);
    damage(story);
    assert.throws(() => requireStory(story), { field });
  });
}

for (const story of [null, 1, "x", [], {}]) {
  test(`${JSON.stringify(story)} is no story`, () => {
    assert.throws(() => requireStory(story), { field: /^(sentences)?$/ });
  });
}
