// The story: which trace belongs to a moment, a sentence and a choice of what is fed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { hasEnd, Story } from "../../explorer/tabs/training/story.js";

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

test("a trace is that of its sentence and moment", () => {
  assert.equal(STORY.trace({ sentence: 1, moment: 0, forced: false }).translation, "b0");
  assert.equal(STORY.trace({ sentence: 0, moment: 1, forced: false }).translation, "a1");
});

test("where the final translation is fed, all but the encoder is of that", () => {
  const { kinds, translation } = STORY.trace({ sentence: 1, moment: 1, forced: true });
  assert.equal(translation, "final");
  assert.deepEqual([kinds.cross.queries, kinds.encoder.queries], [["b1 forced"], ["b1"]]);
  assert.deepEqual(STORY.trace({ sentence: 1, moment: 1, forced: false }).kinds.cross.queries, ["b1 own"]);
});

test("a trace is made once and every choice has a number of its own", () => {
  assert.equal(STORY.trace(CHOICE), STORY.trace({ ...CHOICE }));
  const numbers = [false, true].flatMap((forced) => [0, 1].flatMap((sentence) => [0, 1].map((moment) => (
    STORY.trace({ sentence, moment, forced }).submission
  ))));
  assert.equal(new Set(numbers).size, 8);
});

test("a choice stays inside the story", () => {
  assert.deepEqual(STORY.applyChange(CHOICE, { moment: 5 }), { ...CHOICE, moment: 1 });
  assert.deepEqual(STORY.applyChange(CHOICE, { moment: -1 }), CHOICE);
  assert.deepEqual(STORY.applyChange(CHOICE, { sentence: 1, forced: true }), { sentence: 1, moment: 0, forced: true });
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

test("a translation is ended by a special piece", () => {
  assert.equal(hasEnd({ steps: [step(false), step(true)] }), true);
  assert.equal(hasEnd({ steps: [step(true), step(false)] }), false);
});

test("weights of older files are two digits each", () => {
  const older = { ...map("q"), shape: [1, 1], keys: ["k0", "k1"], weights: "!!~~#####", rollout: "" };
  const traced = { own: { notes: [], steps: [step(true)], kinds: { cross: older } }, forced: { kinds: {} } };
  const story = new Story({ sentences: [{ shows: "a" }], moments: [{ step: 0, traces: [traced] }] }, WORDS);
  assert.deepEqual([...story.trace(CHOICE).kinds.cross.matrix(0, 0)[0]], [0, 1]);
});
