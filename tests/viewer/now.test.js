// A training on this page: its curves, its map, what is taken of the server's answers, and the room's shared address.

import assert from "node:assert/strict";
import { test } from "node:test";

import { composed, NOTHING } from "../../explorer/tabs/training/address.js";
import { path, scales, thinned } from "../../explorer/tabs/training/now/chart.js";
import { axes, layout, weightsOf } from "../../explorer/tabs/training/now/map.js";
import { pause, Run } from "../../explorer/tabs/training/now/run.js";

const SEEN = { source: ["3", "1", "</s>"], fed: ["<s>", "1"], right: ["1", "3"], predicted: ["1", "9"], weights: {} };
const written = (name, values) => `${name} ${Object.values(values).join(" ")}`;

test("a long curve is thinned, and ends where it ends", () => {
  const points = Array.from({ length: 1000 }, (_, i) => [i, i]);
  assert.ok(thinned(points, 100).length <= 100);
  assert.deepEqual(thinned(points, 100).at(-1), [999, 999]);
  assert.deepEqual(thinned([[0, 1]], 100), [[0, 1]]);
});

test("a curve leaves out what is not known, and stays inside the scale", () => {
  const at = scales([[0, 0], [10, 100]], 100, 200);
  assert.equal(path([[0, null], [0, 0], [10, 200]], at), `M${at.x(0).toFixed(1)} ${at.y(0).toFixed(1)}L${at.x(10).toFixed(1)} ${at.y(100).toFixed(1)}`);
  assert.equal(scales([], 100, 200).end, 5);
});

test("the mean of heads is taken cell by cell", () => {
  const layer = [[[1, 0]], [[0.5, 0.5]]];
  assert.deepEqual(weightsOf(layer, null), [[0.75, 0.25]]);
  assert.deepEqual(weightsOf(layer, 1), [[0.5, 0.5]]);
});

test("rows of decoder and cross say what is fed and predicted, and what would have been right", () => {
  const cross = axes(SEEN, "cross", written);
  assert.deepEqual(cross.rows, ["fed <s> 1 1", "wrong 1 9 3"]);
  assert.deepEqual(cross.columns, SEEN.source);
  assert.deepEqual(cross.wrong, [false, true]);
  assert.deepEqual(axes(SEEN, "decoder", written).columns, SEEN.fed);
  assert.deepEqual(axes(SEEN, "encoder", written).rows, SEEN.source);
});

test("labels that do not fit above a cell are written upwards", () => {
  assert.equal(layout({ rows: ["a"], columns: ["1", "2"] }, 400).turned, false);
  assert.equal(layout({ rows: ["a"], columns: ["thousand", "2"] }, 400).turned, true);
  const { left, size } = layout({ rows: ["a"], columns: Array(8).fill("1") }, 200);
  assert.ok(left + 8 * size <= 200);
});

test("a run keeps all points, the newest picture, and says what it is refused", () => {
  const run = new Run(() => null, { tell: () => null, seen: () => false });
  run.take({ key: "k", state: "learning", number: 1, points: [[1]], seen: { a: 1 } });
  run.take({ key: "k", state: "learning", number: 1, points: [], seen: null });
  run.take({ key: "k", state: "finished", number: 2, points: [[2]], seen: { a: 2 } });
  assert.deepEqual([run.points, run.picture, run.state, run.error], [[[1], [2]], { a: 2 }, "finished", null]);
  run.take(null);
  assert.deepEqual([run.error, run.key], ["unreachable", "k"]); // it may come back
  run.take({ error: "gone" });
  assert.deepEqual([run.error, run.key, run.state], ["gone", null, "gone"]);
});

test("an answer to what was asked before something else is not taken", async () => {
  const answers = [];
  const run = new Run(() => new Promise((answer) => answers.push(answer)), { tell: () => null, seen: () => false });
  const first = run.begin({}), second = run.begin({});
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
  const run = new Run(ask, { tell: () => clearTimeout(run.timer), seen: () => true });
  return { run, asked };
}
const news = (more) => ({ key: "k", state: "learning", number: 0, points: [], seen: null, sentence: "", ...more });

test("stop gives up one that has not begun, and pauses one that has", async () => {
  const { run, asked } = answered(news({ state: "waiting" }), { left: true }, news({ state: "waiting", points: [[1]] }), news({}));
  await run.begin({});
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
  await run.begin({ task: "sort" });
  assert.deepEqual(asked[1], { wish: "begin", config: { task: "sort" }, key: "old" });
  clearTimeout(run.timer);
});

test("what gets no answer can be begun again, or is looked for again", async () => {
  const { run } = answered();
  await run.begin({});
  assert.deepEqual([run.state, run.error, run.mayChange], ["none", "unreachable", false]);
  await run.resume("k");
  assert.deepEqual([run.key, run.mayChange], ["k", true]);
  clearTimeout(run.timer);
});

test("a server that does not answer is asked less and less", () => {
  const { run } = answered(), waits = [];
  run.take(news({}));
  assert.ok(pause(run, true) < 1000 && pause(run, false) > 10000);
  for (let i = 0; i < 5; i += 1) {
    run.take(null);
    waits.push(pause(run, true));
  }
  assert.deepEqual(waits, [2000, 4000, 8000, 15000, 15000]);
  run.take(news({}));
  assert.ok(pause(run, true) < 1000);
});

test("a look that finds nothing new gives nothing to draw", () => {
  const { run } = answered();
  run.take(news({ number: 1, points: [[1]] }));
  const { news: before } = run;
  run.take(news({ number: 1 }));
  assert.equal(run.news, before);
  for (const more of [{ number: 2 }, { number: 1, state: "stopped" }, { number: 1, sentence: "2 others" }]) {
    run.take(news(more));
    assert.notEqual(run.news, before);
  }
});

test("two components keep one part of the address", () => {
  const restored = [];
  const one = { names: ["a"], write: () => ({ a: "1" }), restore: (given) => { restored.push(given); return ["a"]; } };
  const two = { names: ["b"], write: () => ({ b: null }), restore: (given) => { restored.push(given); return []; } };
  const both = composed([one, two, NOTHING]);
  assert.deepEqual([both.names, both.write()], [["a", "b"], { a: "1", b: null }]);
  assert.deepEqual(both.restore({ a: "x", b: "y" }), ["a"]);
  assert.deepEqual(restored, [{ a: "x" }, { b: "y" }]);
});
