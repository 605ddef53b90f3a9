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
  const lab = { ask, part, source, sentence: "A", experiment: {}, text: { noAnswer: "none" }, updatePanelState: () => heads.draw() };
  const heads = Object.create(Heads.prototype);
  Object.assign(heads, { lab, settings, kinds: ["cross"], selectedRanking: null, rankings: new Map(), currentRequest: null, hasFailed: false });
  heads.drawGrids = heads.drawRanking = () => {};
  return { asked, heads, message: part.message };
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

test("a cell of a table whose sweep failed is not told", () => {
  const hide = Object.assign(Object.create(Hide.prototype), { sweep: null, part: { tell: { textContent: "before" } } });
  hide.describeCell(0, 0);
  assert.equal(hide.part.tell.textContent, "before");
});
