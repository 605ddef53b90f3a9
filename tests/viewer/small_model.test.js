// The whole model in small: a ribbon for each weight that counts, as wide as it is, and nothing of what is not loaded.

import assert from "node:assert/strict";
import { test } from "node:test";
import { drawModel } from "../../explorer/attention_view/small_model.js";

const COLOURS = { encoder: "blue", decoder: "orange", cross: "green" };

/** A context that keeps the colour and the width of each stroke. */
function recorder() {
  const strokes = [];
  const nothing = () => {};
  const methods = Object.fromEntries(
    ["clearRect", "beginPath", "moveTo", "lineTo", "bezierCurveTo", "quadraticCurveTo"].map((name) => [name, nothing]));
  const context = {
    ...methods, strokeStyle: "", lineWidth: 1, globalAlpha: 1,
    stroke() { strokes.push({ colour: this.strokeStyle, width: this.lineWidth, alpha: this.globalAlpha }); },
  };
  return { context: /** @type {any} */ (context), strokes };
}

function mapOf(rows, { ready = true, special = [] } = {}) {
  return { ready, layers: 1, special: { keys: new Set(special) }, meanRows: () => rows };
}

function strokesOf(kinds) {
  const { context, strokes } = recorder();
  const trace = /** @type {any} */ ({ source: Array(2), steps: Array(2), defaultStep: 1, kinds });
  drawModel(context, { width: 200, height: 80 }, { trace, colours: COLOURS });
  const lanes = 2;
  return (colour) => strokes.filter((stroke) => stroke.colour === colour).slice(colour === "green" ? 0 : lanes);
}

test("ribbons are as wide as weights, and those from a resting place are pale", () => {
  const encoder = mapOf([[0.9, 0.1], [0.02, 0.98]]);
  const decoder = mapOf([[1], [0.5, 0.5]], { special: [0] });
  const strokes = strokesOf({ encoder, decoder, cross: mapOf([[1, 0], [0.05, 0.95]]) });
  const [wide, narrow, ...more] = strokes("blue");
  assert.equal(more.length, 1); // 0.02 is too little
  assert.ok(Math.abs(wide.width / narrow.width - 9) < 1e-9);
  const [, resting, word] = strokes("orange");
  assert.ok(resting.alpha < 0.5 * word.alpha && resting.width === word.width);
  const [pale, lit] = strokes("green"); // of the step
  assert.ok(pale.alpha < 0.2 && lit.alpha > 0.8 && lit.width > pale.width);
});

test("of weights that are not loaded only lanes are drawn", () => {
  const none = mapOf([], { ready: false });
  const strokes = strokesOf({ encoder: none, decoder: none, cross: none });
  assert.deepEqual(["blue", "orange", "green"].map((colour) => strokes(colour).length), [0, 0, 0]);
});
