// The axis of a training's steps, the mark on it, and where panels lie.

import assert from "node:assert/strict";
import { test } from "node:test";

import { logAxisStart, stackedDomain, markLines, stepAxis } from "../../explorer/tabs/training/curves.js";

const STEPS = [0, 10, 100, 1000];
const LINE = { width: 2 };

test("a logarithmic axis begins before the first step and ends after the last", () => {
  const { type, range: [from, to] } = stepAxis(STEPS, "log");
  assert.equal(type, "log");
  assert.ok(10 ** from < logAxisStart(STEPS) && logAxisStart(STEPS) < 10);
  assert.ok(10 ** to > 1000 && 10 ** to < 1100);
});

test("a linear axis goes from zero to the last step", () => {
  const { type, range: [from, to] } = stepAxis(STEPS, "linear");
  assert.equal(type, "linear");
  assert.ok(from < 0 && from > -20 && to > 1000 && to < 1020);
});

test("the mark stands at the true step on either scale", () => {
  for (const scale of ["log", "linear"]) {
    assert.deepEqual(markLines(["", "2"], STEPS, scale, 100, LINE).map(({ x0, x1, xref }) => [x0, x1, xref]), [
      [100, 100, "x"], [100, 100, "x2"],
    ]);
  }
});

test("step 0 stands at zero on a linear axis and at the very left of a logarithmic one", () => {
  assert.equal(markLines([""], STEPS, "linear", 0, LINE)[0].x0, 0);
  assert.equal(markLines([""], STEPS, "log", 0, LINE)[0].x0, logAxisStart(STEPS));
});

test("panels below one another do not touch and fill the whole height", () => {
  const [first, second] = [0, 1].map((number) => stackedDomain(number, 2));
  assert.equal(first.y[1], 1);
  assert.ok(Math.abs(second.y[0]) < 1e-9);
  assert.ok(second.y[1] < first.y[0]);
  assert.deepEqual(stackedDomain(0, 1), { x: [0, 1], y: [0, 1] });
});
