// The panels that ask part by part: when they ask again, and what they do where no answer came.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Heads } from "../../explorer/tabs/what_if/heads/heads.js";
import { Hide } from "../../explorer/tabs/what_if/hide/hide.js";

globalThis.document = { body: { classList: { contains: () => false } } }; // the theme is light

/** A panel of one layer and two heads that draws nothing, and whose tab gives these answers. */
function panel(answers) {
  const asked = [], settings = { layers: { encoder: 1, decoder: 1, cross: 1 }, heads: 2, text: { ways: { zero: {}, mean: {} } } };
  const ask = async (request) => {
    asked.push(request[2]);
    return answers.shift();
  };
  const source = { source: [1], steps: [1] }, part = { message: { textContent: "" } };
  const lab = { ask, isShown: () => true, part, source, sentence: "A", experiment: {}, text: { noAnswer: "none" }, updatePanelState: () => heads.draw() };
  const heads = Object.create(Heads.prototype);
  Object.assign(heads, { lab, settings, kinds: ["cross"], selectedRanking: null, rankings: new Map(), currentRequest: null, hasFailed: false });
  heads.drawGrids = heads.drawRanking = () => {};
  return { asked, heads, lab, message: part.message };
}

const ANSWER = { heads: [["cross", 0, 0], ["cross", 0, 1]], drops: [1, 2] };
const settled = () => new Promise((go) => setImmediate(go));

test("a ranking that an address brings back is asked for, though another one was under way", async () => {
  const { asked, heads } = panel([ANSWER, ANSWER]);
  heads.showRanking("zero");
  heads.restore({ rank: "mean" }, {});
  heads.draw();
  await settled();
  assert.deepEqual(asked, ["zero", "mean"]);
  assert.equal(heads.isRankingIncomplete, false);
  assert.equal(heads.currentRequest, null);
});

test("where no part comes it is said once, and asked again only when it is chosen again", async () => {
  const { asked, heads, message } = panel([null, ANSWER]);
  heads.showRanking("zero");
  await settled();
  heads.draw();
  await settled();
  assert.deepEqual(asked, ["zero"]);
  assert.equal(message.textContent, "none");
  heads.showRanking("zero");
  await settled();
  assert.deepEqual([asked.length, message.textContent, heads.isRankingIncomplete], [2, "", false]);
});

test("a ranking that nobody sees is not gone on with until it is seen again", async () => {
  const { asked, heads, lab } = panel([{ heads: [ANSWER.heads[0]], drops: [1] }, { heads: [ANSWER.heads[1]], drops: [2] }]);
  lab.source = { source: Array(600), steps: [1] }; // four heads at a time
  heads.kinds = ["encoder", "decoder", "cross"];
  lab.ask = async ([, , ranking, start, stop]) => {
    asked.push(start);
    lab.isShown = () => false; // another panel is opened meanwhile
    return { heads: Array.from({ length: stop - start }, (_, i) => ["cross", 0, start + i]), drops: Array(stop - start).fill(1) };
  };
  heads.showRanking("zero");
  await settled();
  heads.draw();
  await settled();
  assert.deepEqual(asked, [0]);
  lab.isShown = () => true;
  heads.draw();
  await settled();
  assert.deepEqual([asked, heads.isRankingIncomplete], [[0, 4], false]);
});

/** The panel Hide a piece on its own; its tab answers when told to. */
function hidePanel() {
  const waiting = [], part = { leave: { open: true }, origin: { open: false }, message: {}, progress: {} };
  const ask = (request) => new Promise((answer) => waiting.push({ request, answer }));
  const source = { sentence: "A", kinds: { cross: { layers: 1, heads: 1 } } };
  const lab = { ask, isShown: () => true, source, experiment: {}, text: { noAnswer: "none" }, get sentence() { return this.source.sentence; } };
  const hide = Object.assign(Object.create(Hide.prototype), { lab, part, heads: null, sweep: null, agreement: null, agreementKey: null, drawnState: "" });
  for (const name of ["drawResult", "drawPieces", "drawSelects", "drawEffect", "drawAttention"]) hide[name] = () => {};
  return { hide, lab, waiting };
}

const EFFECT = { parts: 2, effect: { shape: [1, 1], data: "AAAAAA==" } };

test("a sweep that nobody sees any more is not mixed with another sentence", async () => {
  const { hide, lab, waiting } = hidePanel();
  hide.draw();
  lab.isShown = () => false; // another panel is opened, and another sentence translated in Explore
  lab.source = { ...lab.source, sentence: "B" };
  waiting[0].answer(EFFECT);
  await settled();
  assert.deepEqual(waiting.map(({ request }) => request.slice(0, 2)), [["omission", "A"]]);
  lab.isShown = () => true;
  hide.draw();
  await settled();
  assert.deepEqual(waiting[1].request, ["omission", "B", 0]);
});

test("a sweep goes on where it was when its panel is opened again", async () => {
  const { hide, lab, waiting } = hidePanel();
  hide.draw();
  lab.isShown = () => false;
  waiting[0].answer(EFFECT);
  await settled();
  lab.isShown = () => true;
  hide.draw();
  hide.draw(); // asks nothing twice
  assert.deepEqual(waiting.map(({ request }) => request), [["omission", "A", 0], ["omission", "A", 1]]);
  waiting[1].answer(EFFECT);
  await settled();
  assert.deepEqual(waiting[2].request, ["agreement", "A", 0, "mean"]);
  assert.equal(waiting.length, 3);
});
