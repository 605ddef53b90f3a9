// Trainings: the story of one, and one on this page, whose server's answers are not always to be taken.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";

import { Run, pollDelay } from "../../explorer/tabs/train_one/run.js";
import { Story, requireStory } from "../../explorer/derived/story.js";
import { mapLabels, nameTokens } from "../../explorer/tabs/train_one/chart.js";

/** A map of one layer and head. */
const MAP = { shape: [1, 1], weights: "", queries: ["q"], keys: ["k"], special: { queries: [], keys: [] } };
const step = (text, special) => ({ fed: { text: "<s>", special: true }, predicted: { text, special }, candidates: [] });

/** The two traces of a sentence at a moment, recognisable by a name. */
function traces(name) {
  const source = [{ text: name, special: false }];
  const own = {
    source, translation: name, notes: [], steps: [step(`${name} own`, false)], kinds: { encoder: MAP, cross: MAP },
  };
  return { own, forced: { translation: "final", steps: [step("</s>", true)], kinds: { cross: MAP } } };
}

const WORDS = { stopped: "Abgebrochen.", labels: {}, tokenNames: { start: "(Anfang)", end: "(Ende)" } };
const STORY = new Story({
  sentences: [{ shows: "a" }, { shows: "b" }],
  moments: [{ step: 0, traces: [traces("a0"), traces("b0")] }, { step: 10, traces: [traces("a1"), traces("b1")] }],
}, WORDS);
const CHOICE = { sentence: 0, moment: 0, forced: false };

test("where the final translation is fed, all but the encoder is of that", () => {
  const { kinds, translation } = STORY.trace({ sentence: 1, moment: 1, forced: true });
  assert.equal(translation, "final");
  assert.deepEqual([kinds.cross.queries, kinds.encoder.queries], [["(Anfang) → (Ende)"], ["b1"]]);
  assert.deepEqual(STORY.trace({ sentence: 1, moment: 1, forced: false }).kinds.cross.queries, ["(Anfang) → b1 own"]);
});

test("that a model was stopped is said in the page's language, also where an older file says it in English", () => {
  const notes = (own, forced = false) => {
    const { forced: given } = traces("a");
    const moments = [{ step: 0, traces: [{ own: { ...traces("a").own, ...own }, forced: given }] }];
    return new Story({ sentences: [{ shows: "a" }], moments }, WORDS).trace({ ...CHOICE, forced }).notes;
  };
  assert.deepEqual(notes({ stopped: true }), ["Abgebrochen."]);
  assert.deepEqual(notes({ stopped: false }), []);
  assert.deepEqual(notes({ stopped: true }, true), []);
});

test("a sentence is called what the page calls it, one that the page does not know as the file says", () => {
  const sentences = [{ shows: "a caption", sentence: "A man." }, { shows: "mine", sentence: "Mine." }];
  const words = { ...WORDS, labels: { "A man.": "eine Bildunterschrift" } };
  const { sentences: named } = new Story({ sentences, moments: [] }, words);
  assert.deepEqual(named.map(({ shows }) => shows), ["eine Bildunterschrift", "mine"]);
});

const SHIPPED = JSON.parse(gunzipSync(readFileSync(new URL("../../assets/small/story.json.gz", import.meta.url))));
// Two moments of two sentences: a damaged copy is quickly made.
const PART = {
  sentences: SHIPPED.sentences.slice(0, 2),
  moments: SHIPPED.moments.slice(0, 2).map((moment) => ({ ...moment, traces: moment.traces.slice(0, 2) })),
};
const encoder = (story) => story.moments[0].traces[0].own.kinds.encoder;
const second = (story) => story.moments[0].traces[1];
const FAULTS = {
  "sentences": (story) => delete story.sentences,
  "sentences[1].translation": (story) => delete story.sentences[1].translation,
  "moments": (story) => { story.moments = "x"; },
  "moments[1].step": (story) => { story.moments[1].step = "7"; },
  "moments[0].traces": (story) => story.moments[0].traces.pop(),
  "moments[1].traces[0].own": (story) => delete story.moments[1].traces[0].own,
  "moments[1].traces[0].own.kinds": (story) => delete story.moments[1].traces[0].own.kinds,
  "moments[1].traces[0].own.kinds.cross": (story) => delete story.moments[1].traces[0].own.kinds.cross,
  "moments[0].traces[1].own.stopped": (story) => delete second(story).own.stopped,
  "moments[0].traces[1].own.source": (story) => { second(story).own.source = []; },
  "moments[0].traces[1].own.steps": (story) => { second(story).own.steps = []; },
  "moments[0].traces[1].own.steps[0].fed": (story) => { second(story).own.steps[0].fed = null; },
  "moments[0].traces[1].forced": (story) => delete second(story).forced,
  "moments[0].traces[1].forced.kinds.decoder.queries": (story) => second(story).forced.kinds.decoder.queries.pop(),
  "moments[0].traces[0].own.kinds.encoder.shape": (story) => { encoder(story).shape[3] += 1; },
  "moments[0].traces[0].own.kinds.encoder.weights": (story) => { encoder(story).shape[0] += 1; },
  "moments[0].traces[0].own.kinds.encoder.special.keys[0]": (story) => { encoder(story).special.keys = [99]; },
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

const SEEN = { source: ["3", "1", "</s>"], fed: ["<s>", "1"], right: ["1", "3"], predicted: ["1", "9"], weights: {} };
const written = (name, values) => `${name} ${Object.values(values).join(" ")}`;

test("rows of decoder and cross say what is fed and predicted, and what would have been right", () => {
  const cross = mapLabels(nameTokens(SEEN, WORDS.tokenNames), "cross", written);
  assert.deepEqual(cross.rows, ["fed (Anfang) 1 1", "wrong 1 9 3"]);
  assert.deepEqual(cross.columns, ["3", "1", "(Ende)"]);
  assert.deepEqual(cross.wrong, [false, true]);
  assert.deepEqual(mapLabels(SEEN, "decoder", written).columns, SEEN.fed);
  assert.deepEqual(mapLabels(SEEN, "encoder", written).rows, SEEN.source);
});

test("a run keeps all points, the newest picture, and says what it is refused", () => {
  const run = new Run(() => null, { onReport: () => null, isVisible: () => false });
  run.applyAnswer({ key: "k", state: "learning", number: 1, points: [[1]], seen: { a: 1 } });
  run.applyAnswer({ key: "k", state: "learning", number: 1, points: [], seen: null });
  run.applyAnswer({ key: "k", state: "finished", number: 2, points: [[2]], seen: { a: 2 } });
  assert.deepEqual([run.points, run.picture, run.state, run.error], [[[1], [2]], { a: 2 }, "finished", null]);
  run.applyAnswer(null);
  assert.deepEqual([run.error, run.key], ["unreachable", "k"]); // it may come back
  run.applyAnswer({ error: "gone" });
  assert.deepEqual([run.error, run.key, run.state], ["gone", null, "gone"]);
});

test("an answer to what was asked before something else is not taken", async () => {
  const answers = [];
  const run = new Run(() => new Promise((answer) => answers.push(answer)), {
    onReport: () => null, isVisible: () => false,
  });
  const first = run.start({});
  const second = run.start({});
  answers[1]({ key: "second", state: "finished", number: 0, points: [], seen: null });
  answers[0]({ key: "first", state: "finished", number: 0, points: [], seen: null });
  await Promise.all([first, second]);
  assert.equal(run.key, "second");
});

/** A run whose server says what a test wants, with what it was asked; it never looks by itself. */
function answered(...answers) {
  const asked = [];
  const ask = async (request) => {
    asked.push(request);
    const answer = answers.shift();
    if (!answer) throw new Error("no answer");
    return answer;
  };
  const run = new Run(ask, { onReport: () => clearTimeout(run.timer), isVisible: () => true });
  return { run, asked };
}
const news = (more) => ({ key: "k", state: "learning", number: 0, points: [], seen: null, sentence: "", ...more });

test("stop gives up one that has not begun, and pauses one that has", async () => {
  const { run, asked } = answered(
    news({ state: "waiting" }),
    { left: true },
    news({ state: "waiting", points: [[1]] }),
    news({}),
  );
  await run.start({});
  await run.stop();
  assert.deepEqual([run.state, run.key, run.error], ["none", null, null]);
  await run.resume("k"); // it has been stopped before, and waits to go on
  await run.stop();
  assert.deepEqual(asked.map(({ action }) => action), ["begin", "leave", "status", "stop"]);
  clearTimeout(run.timer);
});

test("beginning anew names the training before, which another load of the page may have begun", async () => {
  const { run, asked } = answered(news({ key: "old", state: "stopped" }), news({ key: "new" }));
  await run.resume("old");
  await run.start({ task: "sort" });
  assert.deepEqual(asked[1], { action: "begin", config: { task: "sort" }, key: "old" });
  clearTimeout(run.timer);
});

test("a server that does not answer is asked less and less", () => {
  const { run } = answered();
  const waits = [];
  run.applyAnswer(news({}));
  assert.ok(pollDelay(run, true) < 1000 && pollDelay(run, false) > 10000);
  for (let i = 0; i < 5; i += 1) {
    run.applyAnswer(null);
    waits.push(pollDelay(run, true));
  }
  assert.deepEqual(waits, [2000, 4000, 8000, 15000, 15000]);
  run.applyAnswer(news({}));
  assert.ok(pollDelay(run, true) < 1000);
});

test("a look that finds nothing new gives nothing to draw", () => {
  const { run } = answered();
  run.applyAnswer(news({ number: 1, points: [[1]] }));
  const { reportState: before } = run;
  run.applyAnswer(news({ number: 1 }));
  assert.equal(run.reportState, before);
  for (const more of [{ number: 2 }, { number: 1, state: "stopped" }, { number: 1, sentence: "2 others" }]) {
    run.applyAnswer(news(more));
    assert.notEqual(run.reportState, before);
  }
});
