// A training on this page: its map, and what is taken of the server's answers.

import assert from "node:assert/strict";
import { test } from "node:test";

import { mapLabels } from "../../explorer/tabs/train/map.js";
import { pollDelay, Run } from "../../explorer/tabs/train/run.js";

const SEEN = { source: ["3", "1", "</s>"], fed: ["<s>", "1"], right: ["1", "3"], predicted: ["1", "9"], weights: {} };
const written = (name, values) => `${name} ${Object.values(values).join(" ")}`;

test("rows of decoder and cross say what is fed and predicted, and what would have been right", () => {
  const cross = mapLabels(SEEN, "cross", written);
  assert.deepEqual(cross.rows, ["fed <s> 1 1", "wrong 1 9 3"]);
  assert.deepEqual(cross.columns, SEEN.source);
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
  const run = new Run(() => new Promise((answer) => answers.push(answer)), { onReport: () => null, isVisible: () => false });
  const first = run.start({}), second = run.start({});
  answers[1]({ key: "second", state: "finished", number: 0, points: [], seen: null });
  answers[0]({ key: "first", state: "finished", number: 0, points: [], seen: null });
  await Promise.all([first, second]);
  assert.equal(run.key, "second");
});

/** A run whose server says what a test wants, with what it was asked; it never looks by itself. */
function answered(...answers) {
  const asked = [];
  const ask = async (wish) => {
    asked.push(wish);
    const answer = answers.shift();
    if (!answer) throw new Error("no answer");
    return answer;
  };
  const run = new Run(ask, { onReport: () => clearTimeout(run.timer), isVisible: () => true });
  return { run, asked };
}
const news = (more) => ({ key: "k", state: "learning", number: 0, points: [], seen: null, sentence: "", ...more });

test("stop gives up one that has not begun, and pauses one that has", async () => {
  const { run, asked } = answered(news({ state: "waiting" }), { left: true }, news({ state: "waiting", points: [[1]] }), news({}));
  await run.start({});
  await run.stop();
  assert.deepEqual([run.state, run.key, run.error], ["none", null, null]);
  await run.resume("k"); // it has been stopped before, and waits to go on
  await run.stop();
  assert.deepEqual(asked.map(({ wish }) => wish), ["begin", "leave", "look", "stop"]);
  clearTimeout(run.timer);
});

test("beginning anew names the training before, which another load of the page may have begun", async () => {
  const { run, asked } = answered(news({ key: "old", state: "stopped" }), news({ key: "new" }));
  await run.resume("old");
  await run.start({ task: "sort" });
  assert.deepEqual(asked[1], { wish: "begin", config: { task: "sort" }, key: "old" });
  clearTimeout(run.timer);
});

test("a server that does not answer is asked less and less", () => {
  const { run } = answered(), waits = [];
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
